#pragma once

#include <array>
#include <cstdint>

#include "core/vec.hpp"

namespace abut {

/// Where pieces within reach of a particle can be, if it is known that they all lie beyond a plane:
/// in the cap that the plane cuts off the sphere. Particles that hardly touch have a flat one.
struct Cap {
  std::array<std::int8_t, 4> down{};  ///< towards the wall, of any length; zero if nothing is known
  float least =
      0;  ///< how far the plane is below the centre: a part of the reach, times the length
};

/// A box around a cap.
template <std::size_t D>
struct CapBox {
  Point<D> middle;
  Point<D> half;
};

}  // namespace abut
