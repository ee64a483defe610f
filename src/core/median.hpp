#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace abut {

/// The middle of one or more values; of an even number, half way between the two in the middle.
inline double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace abut
