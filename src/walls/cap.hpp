#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "core/vec.hpp"

namespace abut {

/// Where pieces within reach of a particle can be, if it is known that they all lie beyond a plane:
/// in the cap that the plane cuts off the sphere. Particles that hardly touch have a flat one.
struct Cap {
  std::array<std::int8_t, 4> down{};  ///< towards the wall, of any length; zero if nothing is known
  float least = 0;  ///< how far the plane is below the centre: a part of the reach, times the length
};

/// A box around a cap.
template <std::size_t D>
struct CapBox {
  Point<D> middle;
  Point<D> half;

  /// A point of the cap is a·n + b from the centre, with n down, h ≤ a ≤ 1 and b across n, no longer
  /// than √(1 − h²), all in units of the reach. Floats are exact enough if h is lowered a little.
  CapBox(const Cap& cap, const Point<D>& centre, double reach) {
    float squared = 0;
    for (std::size_t k = 0; k < D; ++k) squared += square(cap.down[k]);
    const float per_length = squared > 0 ? 1 / std::sqrt(squared) : 0.0F;
    const float least = std::max(0.0F, cap.least * per_length - slack);
    const float most = std::sqrt(std::max(0.0F, 1 - least * least)) + slack;
    const float known = squared > 0 ? squared : 1.0F;
    const float per_squared = squared > 0 ? per_length * per_length : 1.0F;
    for (std::size_t k = 0; k < D; ++k) {
      const float down = static_cast<float>(cap.down[k]) * per_length;
      const float across = std::sqrt((known - square(cap.down[k])) * per_squared);
      middle[k] = centre[k] + reach * (0.5F * (1 + least) * down);
      half[k] = reach * (0.5F * (1 - least) * std::abs(down) + most * across + 2 * slack);
    }
  }

 private:
  static constexpr float slack = 4e-6F;
  static float square(std::int8_t x) { return static_cast<float>(x * x); }
};

}  // namespace abut
