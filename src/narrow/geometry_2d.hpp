#pragma once

#include <abut/polygon.hpp>

#include "core/vec.hpp"

// Vectors, edges and support vertices of convex polygons whose vertices are counterclockwise.

namespace abut {

/// z component of a × b; positive if b is counterclockwise of a.
inline double cross_2d(const Point<2>& a, const Point<2>& b) { return a[0] * b[1] - a[1] * b[0]; }

/// Outward normal of an edge, with the length of the edge.
inline Point<2> outward_normal(const Point<2>& edge) { return {edge[1], -edge[0]}; }

inline Index vertex_count(const PolygonView& polygon) {
  return static_cast<Index>(polygon.vertices.size());
}

// The next two wrap around without a branch, which would be unpredictable.

inline Index next_vertex(const PolygonView& polygon, Index vertex) {
  const Index next = vertex + 1;
  return next & (0U - static_cast<Index>(next != vertex_count(polygon)));
}

inline Index previous_vertex(const PolygonView& polygon, Index vertex) {
  return vertex - 1 + (vertex_count(polygon) & (0U - static_cast<Index>(vertex == 0)));
}

/// `condition ? first : second`, in a form that compiles to conditional moves.
inline Point<2> select(bool condition, const Point<2>& first, const Point<2>& second) {
  return {condition ? first[0] : second[0], condition ? first[1] : second[1]};
}

inline Index select(bool condition, Index first, Index second) {
  return condition ? first : second;
}

/// From a vertex to the next one.
inline Point<2> edge_vector(const PolygonView& polygon, Index vertex) {
  return difference(polygon.vertices[next_vertex(polygon, vertex)], polygon.vertices[vertex]);
}

/// The support vertex: the first of those farthest along a direction. Scans all vertices without
/// data-dependent branches.
inline Index support_vertex(const PolygonView& polygon, const Point<2>& direction) {
  Index best = 0;
  double max_height = dot(direction, polygon.vertices[0]);
  for (Index k = 1; k < vertex_count(polygon); ++k) {
    const double height = dot(direction, polygon.vertices[k]);
    best = height > max_height ? k : best;
    max_height = height > max_height ? height : max_height;
  }
  return best;
}

/// The same, by hill climbing along the edges from a vertex close to it.
inline Index support_vertex_from(const PolygonView& polygon, const Point<2>& direction,
                                 Index start) {
  const auto rises = [&](Index from, Index to) {
    return dot(direction, difference(polygon.vertices[to], polygon.vertices[from])) > 0;
  };
  Index vertex = start;
  Index remaining = vertex_count(polygon);  // rounding errors must not cause an endless loop
  const bool forward = rises(vertex, next_vertex(polygon, vertex));
  while (remaining-- > 0) {
    const Index next = forward ? next_vertex(polygon, vertex) : previous_vertex(polygon, vertex);
    if (!rises(vertex, next)) break;
    vertex = next;
  }
  return vertex;
}

/// The vertices of a and b closest to a plane between them.
struct FacingVertices {
  Index a;
  Index b;
};

inline FacingVertices facing_vertices(const PolygonView& a, const PolygonView& b,
                                      const Point<2>& normal) {
  return {support_vertex(a, normal), support_vertex(b, scaled(normal, -1))};
}

/// Receives the gap of each plane that a search visits, for tests. This one is disabled, so that
/// nothing is computed for it. Passed by value.
struct NoObserver {
  static constexpr bool is_enabled = false;
  void on_plane(double /*gap*/) {}
};

}  // namespace abut
