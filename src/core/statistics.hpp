#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace abut {

/// Random numbers that are identical on every platform for the same seed. The standard specifies
/// the output of mt19937_64, but not that of its distributions, so these are written here.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }
  /// Uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// Uniform integer in 0 … count−1; count must be far below 2⁵³.
  std::uint64_t below(std::uint64_t count) {
    return static_cast<std::uint64_t>(uniform() * static_cast<double>(count));
  }

 private:
  std::mt19937_64 bits_;
};

/// Median of at least one value; for an even number of values the mean of the two middle ones.
inline double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace abut
