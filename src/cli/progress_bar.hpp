#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace abut {

/// Shows that work goes on and how long it will take: on a terminal only, and only once it has
/// taken two seconds. A thread of its own draws it, so that work that cannot tell how far it has
/// come still shows its seconds. The line is wiped at the end.
class ProgressBar {
 public:
  /// Part of the work may have been done before: it tells nothing about how long the rest takes.
  explicit ProgressBar(std::string label, double done_before = 0);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// This part (0 … 1) is done. Cheap.
  void set_fraction(double part) { fraction_ = part; }

  /// Says something else than the label from now on.
  void set_label(std::string label);

  /// The same for others to call.
  [[nodiscard]] std::function<void(double)> callback() {
    return [this](double part) { set_fraction(part); };
  }

 private:
  void redraw_until(const std::stop_token& stop);
  [[nodiscard]] std::string line(double seconds, std::size_t columns) const;

  mutable std::mutex mutex_;  // of the label
  std::string label_;
  double initial_fraction_;
  std::atomic<double> fraction_{0};
  std::jthread thread_;
};

}  // namespace abut
