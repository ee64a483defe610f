#pragma once

#include <abut/polygon.hpp>
#include <bit>
#include <cstdint>

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

// Round the corner without a branch: which corners are the last ones nobody can predict.
inline Index after(const PolygonView& polygon, Index corner) {
  const Index next = corner + 1;
  return next & (0U - static_cast<Index>(next != count(polygon)));
}

inline Index before(const PolygonView& polygon, Index corner) {
  return corner - 1 + (count(polygon) & (0U - static_cast<Index>(corner == 0)));
}

inline Point<2> either(bool first, const Point<2>& one, const Point<2>& other) {
  return {first ? one[0] : other[0], first ? one[1] : other[1]};
}

inline Index either(bool first, Index one, Index other) { return first ? one : other; }

/// From one corner to the next.
inline Point<2> side(const PolygonView& polygon, Index corner) {
  return difference(polygon.corners[after(polygon, corner)], polygon.corners[corner]);
}

}  // namespace abut
