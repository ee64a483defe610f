#pragma once

#include <cstddef>
#include <functional>

namespace abut {

/// Called now and then with the fraction (0 … 1) of a file that has been read or written.
using Progress = std::function<void(double)>;

/// Calls `Progress` once per 65536 calls of `advance`, so that a loop can call it for every line at
/// no noticeable cost. Keeps a reference to `progress`, which may be empty.
class ProgressThrottle {
 public:
  ProgressThrottle(const Progress& progress, std::size_t total)
      : progress_(progress), total_(total) {}

  /// `done()` returns how much of `total` is done; it is called only when progress is reported.
  template <class Done>
  void advance(const Done& done) {
    constexpr std::size_t report_interval = 1U << 16U;
    if (++count_ % report_interval != 0 || !progress_) return;
    progress_(static_cast<double>(done()) / static_cast<double>(total_));
  }

 private:
  const Progress& progress_;
  std::size_t total_;
  std::size_t count_ = 0;
};

}  // namespace abut
