#pragma once

#include <abut/mesh.hpp>

namespace abut {

// Exact wall shapes, without facets. Lengths are in the unit of the particles. All of them are
// surfaces without thickness that can be touched from both sides.

/// An infinite plane, in 2D a line.
template <std::size_t D>
struct Plane {
  Point<D> point;  ///< any point of the plane
  Vec<D> normal;   ///< need not be normalized
};

/// The lateral surface of a frustum: an open shell without end caps, whose radius changes linearly
/// along the axis. It can be touched from inside, from outside, and at its rims.
struct Frustum {
  Point<3> from;  ///< one end of the axis
  Point<3> to;    ///< the other end
  double from_radius;
  double to_radius;
};

/// An open cylinder (a pipe).
inline Frustum cylinder(const Point<3>& from, const Point<3>& to, double radius) {
  return {from, to, radius, radius};
}

/// A hopper or, if one radius is 0, a complete cone.
inline Frustum cone(const Point<3>& from, const Point<3>& to, double from_radius,
                    double to_radius) {
  return {from, to, from_radius, to_radius};
}

/// A flat ring or, if `inner_radius` is 0, a disk: a floor with or without an orifice.
struct Annulus {
  Point<3> center;
  Vec<3> normal;  ///< need not be normalized
  double outer_radius;
  double inner_radius = 0;
};

}  // namespace abut
