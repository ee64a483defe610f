#pragma once

#include <abut/polygon.hpp>

#include "core/vec.hpp"

namespace abut {

// The little arithmetic of polygons whose corners go round counterclockwise.

/// Above 0 where b is counterclockwise of a.
inline double wedge(const Point<2>& a, const Point<2>& b) { return a[0] * b[1] - a[1] * b[0]; }

/// Outwards of a side that goes along `side`, and as long.
inline Point<2> outwards(const Point<2>& side) { return {side[1], -side[0]}; }

inline Index count(const PolygonView& polygon) {
  return static_cast<Index>(polygon.corners.size());
}

inline Index after(const PolygonView& polygon, Index corner) {
  return corner + 1 == count(polygon) ? 0 : corner + 1;
}

inline Index before(const PolygonView& polygon, Index corner) {
  return (corner == 0 ? count(polygon) : corner) - 1;
}

/// From one corner to the next.
inline Point<2> side(const PolygonView& polygon, Index corner) {
  return difference(polygon.corners[after(polygon, corner)], polygon.corners[corner]);
}

}  // namespace abut
