#pragma once

#include <chrono>

namespace abut {

/// What a search for the plane between two views takes, in nanoseconds; it returns a gap.
template <class View, class Search>
double nanoseconds_of(const View& a, const View& b, int times, const Search& search) {
  const auto start = std::chrono::steady_clock::now();
  double kept = 0;
  for (int i = 0; i < times; ++i) kept += search(a, b);
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  return kept == 0.125 ? 0 : took.count() / times;  // what is not used is not computed
}

}  // namespace abut
