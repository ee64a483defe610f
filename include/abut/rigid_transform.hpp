#pragma once

#include <abut/export.hpp>
#include <abut/mesh.hpp>
#include <array>
#include <cstddef>

namespace abut {

/// The pose of a rigid body: a point x of the body frame is at rotation · x + translation in the
/// world frame. The default is the identity.
template <std::size_t D>
struct RigidTransform {
  std::array<Point<D>, D> rotation = identity();  ///< orthogonal matrix, by rows
  Vec<D> translation{};                           ///< in the caller's unit of length

  static constexpr std::array<Point<D>, D> identity() {
    std::array<Point<D>, D> rows{};
    for (std::size_t k = 0; k < D; ++k) rows[k][k] = 1;
    return rows;
  }
};

/// Rotation about an axis through `center` by an angle in radians, counterclockwise if the axis
/// points toward the viewer. The axis need not be normalized. Throws `Error` for an axis of zero
/// length or an angle that is not finite.
ABUT_API RigidTransform<2> rotation_about(const Point<2>& center, double angle);
ABUT_API RigidTransform<3> rotation_about(const Point<3>& center, const Vec<3>& axis, double angle);

}  // namespace abut
