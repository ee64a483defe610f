#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace abut {

/// A bar with the time left, on a terminal only, and only once the work has taken two seconds.
class ProgressBar {
 public:
  explicit ProgressBar(std::string label);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Shows that this part (0 … 1) is done.
  void show(double part);

  /// The same for others to call.
  [[nodiscard]] std::function<void(double)> callback() {
    return [this](double part) { show(part); };
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  bool terminal_;
  bool shown_ = false;
};

}  // namespace abut
