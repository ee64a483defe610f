#pragma once

#include <cstddef>
#include <numbers>

namespace abut {

/// The volume of a sphere, in 2D the area of a disc.
template <std::size_t D>
double ball_volume(double radius) {
  const double disc = std::numbers::pi * radius * radius;
  return D == 2 ? disc : disc * radius * 4 / 3;
}

}  // namespace abut
