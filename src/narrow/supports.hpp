#pragma once

#include "narrow/flat.hpp"

namespace abut {

/// The corners of a and b that are nearest to a plane between them.
struct FacingCorners {
  Index a;
  Index b;
};

/// The corner farthest along a direction, the first of several; by looking at all, without a branch
/// on what is found.
inline Index farthest(const PolygonView& polygon, const Point<2>& direction) {
  Index found = 0;
  double most = dot(direction, polygon.corners[0]);
  for (Index k = 1; k < count(polygon); ++k) {
    const double here = dot(direction, polygon.corners[k]);
    found = here > most ? k : found;
    most = here > most ? here : most;
  }
  return found;
}

/// The same from a corner near it, uphill along the sides.
inline Index farthest_from(const PolygonView& polygon, const Point<2>& direction, Index corner) {
  const auto rises = [&](Index from, Index to) {
    return dot(direction, difference(polygon.corners[to], polygon.corners[from])) > 0;
  };
  Index left = count(polygon);  // rounding must not send it round for ever
  const bool up = rises(corner, after(polygon, corner));
  while (left-- > 0) {
    const Index next = up ? after(polygon, corner) : before(polygon, corner);
    if (!rises(corner, next)) break;
    corner = next;
  }
  return corner;
}

inline FacingCorners nearest(const PolygonView& a, const PolygonView& b, const Point<2>& normal) {
  return {farthest(a, normal), farthest(b, scaled(normal, -1))};
}

}  // namespace abut
