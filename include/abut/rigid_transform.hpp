#pragma once

#include <abut/mesh.hpp>
#include <array>
#include <cstddef>

namespace abut {

/// Where a rigid body stands: a point x of it, as given, is at rotation·x + shift.
template <std::size_t D>
struct RigidTransform {
  std::array<Point<D>, D> rotation = identity();  ///< by rows
  Point<D> translation{};

  static constexpr std::array<Point<D>, D> identity() {
    std::array<Point<D>, D> rows{};
    for (std::size_t k = 0; k < D; ++k) rows[k][k] = 1;
    return rows;
  }
};

/// Turned about an axis through `centre` by an angle in radians, counterclockwise seen from the
/// tip of the axis.
RigidTransform<2> rotation_about(const Point<2>& centre, double angle);
RigidTransform<3> rotation_about(const Point<3>& centre, const Point<3>& axis, double angle);

}  // namespace abut
