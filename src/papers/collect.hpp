#pragma once

#include <iterator>
#include <vector>

namespace abut {

/// What `make` makes of each element.
template <class Range, class Make>
auto collect(const Range& range, const Make& make) {
  std::vector<decltype(make(*std::begin(range)))> all;
  all.reserve(std::size(range));
  for (const auto& element : range) all.push_back(make(element));
  return all;
}

}  // namespace abut
