#pragma once

#include <array>
#include <cstddef>

namespace abut {

/// An axis-aligned box, faces included.
template <std::size_t D>
struct Box {
  std::array<double, D> min;
  std::array<double, D> max;
  friend bool operator==(const Box&, const Box&) = default;
};

}  // namespace abut
