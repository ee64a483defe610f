#pragma once

#include <cstddef>

#include "io/particle_file.hpp"

namespace abut {

/// Reports progress once in many steps, so that a loop over lines can call it every time.
class ProgressThrottle {
 public:
  ProgressThrottle(const Progress& progress, std::size_t total)
      : progress_(progress), total_(total) {}

  /// `done()` is asked for only when it is time to report.
  template <class Done>
  void advance(const Done& done) {
    constexpr std::size_t between = 1U << 16U;
    if (++count_ % between != 0 || !progress_) return;
    progress_(static_cast<double>(done()) / static_cast<double>(total_));
  }

 private:
  const Progress& progress_;
  std::size_t total_;
  std::size_t count_ = 0;
};

}  // namespace abut
