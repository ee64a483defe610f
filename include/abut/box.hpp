#pragma once

#include <array>
#include <cstddef>

namespace abut {

/// Axis-aligned box, closed: points on its faces are inside. min[k] ≤ max[k] for every axis k.
template <std::size_t D>
struct Box {
  std::array<double, D> min;
  std::array<double, D> max;
  friend bool operator==(const Box&, const Box&) = default;
};

}  // namespace abut
