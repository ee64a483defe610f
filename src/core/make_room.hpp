#pragma once

#include <cstddef>
#include <vector>

namespace abut {

/// Room for so many values and a few more: what grows a little at a time need not move each time,
/// and twice as much, as a vector would take, is too much where memory counts.
template <class T>
void make_room(std::vector<T>& values, std::size_t size) {
  if (values.capacity() < size) values.reserve(size + size / 32);
}

}  // namespace abut
