#pragma once

#include <abut/mesh.hpp>

namespace abut {

/// An endless plane (in 2D a line) through a point; `normal` need not have length one. Like every
/// wall it can be touched from both sides.
template <std::size_t D>
struct Plane {
  Point<D> point;
  Point<D> normal;
};

/// What a straight line sweeps when it is turned about the axis from `from` to `to`: at `from` it
/// is `from_radius` away from the axis, at `to` it is `to_radius` away. It is a shell without lids,
/// and can be touched from inside, from outside, and at its rims.
struct Frustum {
  Point<3> from;
  Point<3> to;
  double from_radius;
  double to_radius;
};

/// A pipe.
inline Frustum cylinder(const Point<3>& from, const Point<3>& to, double radius) {
  return {from, to, radius, radius};
}

/// A hopper, or with one radius 0 a whole cone.
inline Frustum cone(const Point<3>& from, const Point<3>& to, double from_radius,
                    double to_radius) {
  return {from, to, from_radius, to_radius};
}

/// A flat ring, or with `inner` 0 a disc: a floor, or a floor with an outlet.
struct Annulus {
  Point<3> center;
  Point<3> normal;
  double outer_radius;
  double inner_radius = 0;
};

}  // namespace abut
