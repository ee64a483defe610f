#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace abut {

/// Shows progress and the estimated remaining time on stderr, if that is a terminal and the work
/// has taken two seconds. A separate thread draws it, so that work without progress reports shows
/// its elapsed seconds. The destructor erases the line.
class ProgressBar {
 public:
  /// `initial_fraction` of the work was done earlier, by a run that is resumed: the estimate of the
  /// remaining time excludes it.
  explicit ProgressBar(std::string label, double initial_fraction = 0);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Sets the fraction of the work done, 0 to 1. Costs one atomic store.
  void set_fraction(double fraction) { fraction_ = fraction; }

  /// Replaces the text before the bar.
  void set_label(std::string label);

  /// `set_fraction` as a callback; valid as long as the bar exists.
  [[nodiscard]] std::function<void(double)> callback() {
    return [this](double fraction) { set_fraction(fraction); };
  }

 private:
  void redraw_until(const std::stop_token& stop);
  [[nodiscard]] std::string line(double seconds, std::size_t columns) const;

  mutable std::mutex mutex_;  // guards label_
  std::string label_;
  double initial_fraction_;
  std::atomic<double> fraction_{0};
  std::jthread thread_;
};

}  // namespace abut
