#pragma once

#include <abut/polygon.hpp>
#include <bit>
#include <cstdint>

#include "core/vec.hpp"

namespace abut {

// The little arithmetic of polygons whose corners go round counterclockwise.

/// Above 0 where b is counterclockwise of a.
inline double cross_2d(const Point<2>& a, const Point<2>& b) { return a[0] * b[1] - a[1] * b[0]; }

/// Outwards of a side that goes along `side`, and as long.
inline Point<2> outward_normal(const Point<2>& side) { return {side[1], -side[0]}; }

inline Index vertex_count(const PolygonView& polygon) {
  return static_cast<Index>(polygon.vertices.size());
}

// Round the corner without a branch: which corners are the last ones nobody can predict.
inline Index next_vertex(const PolygonView& polygon, Index corner) {
  const Index next = corner + 1;
  return next & (0U - static_cast<Index>(next != vertex_count(polygon)));
}

inline Index previous_vertex(const PolygonView& polygon, Index corner) {
  return corner - 1 + (vertex_count(polygon) & (0U - static_cast<Index>(corner == 0)));
}

inline Point<2> select(bool first, const Point<2>& one, const Point<2>& other) {
  return {first ? one[0] : other[0], first ? one[1] : other[1]};
}

inline Index select(bool first, Index one, Index other) { return first ? one : other; }

/// From one corner to the next.
inline Point<2> edge_vector(const PolygonView& polygon, Index corner) {
  return difference(polygon.vertices[next_vertex(polygon, corner)], polygon.vertices[corner]);
}

/// The corners of a and b that are nearest to a plane between them.
struct FacingVertices {
  Index a;
  Index b;
};

/// The corner farthest along a direction, the first of several; by looking at all, without a branch
/// on what is found.
inline Index support_vertex(const PolygonView& polygon, const Point<2>& direction) {
  Index found = 0;
  double most = dot(direction, polygon.vertices[0]);
  for (Index k = 1; k < vertex_count(polygon); ++k) {
    const double here = dot(direction, polygon.vertices[k]);
    found = here > most ? k : found;
    most = here > most ? here : most;
  }
  return found;
}

/// The same from a corner near it, uphill along the sides.
inline Index support_vertex_from(const PolygonView& polygon, const Point<2>& direction,
                                 Index corner) {
  const auto rises = [&](Index from, Index to) {
    return dot(direction, difference(polygon.vertices[to], polygon.vertices[from])) > 0;
  };
  Index left = vertex_count(polygon);  // rounding must not send it round for ever
  const bool up = rises(corner, next_vertex(polygon, corner));
  while (left-- > 0) {
    const Index next = up ? next_vertex(polygon, corner) : previous_vertex(polygon, corner);
    if (!rises(corner, next)) break;
    corner = next;
  }
  return corner;
}

inline FacingVertices facing_vertices(const PolygonView& a, const PolygonView& b,
                                      const Point<2>& normal) {
  return {support_vertex(a, normal), support_vertex(b, scaled(normal, -1))};
}

/// What a search for a common plane shows of itself: the gap of each plane it takes on the way.
/// This one does not look, so that nothing is computed for it. Passed by value: it costs nothing.
struct NoObserver {
  static constexpr bool is_enabled = false;
  void on_plane(double /*gap*/) {}
};

}  // namespace abut
