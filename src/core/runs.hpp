#pragma once

#include <algorithm>
#include <cstddef>

namespace abut {

/// Cuts 0 … count−1 into runs of a fixed length, whatever the number of threads.
class Runs {
 public:
  explicit Runs(std::size_t count, std::size_t length = 4096) : count_(count), length_(length) {}
  [[nodiscard]] std::size_t size() const { return (count_ + length_ - 1) / length_; }
  [[nodiscard]] std::size_t first(std::size_t run) const { return run * length_; }
  [[nodiscard]] std::size_t last(std::size_t run) const {
    return std::min(count_, (run + 1) * length_);
  }

 private:
  std::size_t count_;
  std::size_t length_;
};

}  // namespace abut
