#pragma once

#include <abut/polyhedron.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/vec.hpp"
#include "narrow/polyhedron_topology.hpp"

// Support points, tolerances and faces of the Minkowski difference of two polyhedra: the geometry
// shared by all stages of the narrow phase.

namespace abut {

inline Point<3> reversed(const Point<3>& a) { return {-a[0], -a[1], -a[2]}; }

/// Outward normal of a face; its length is twice the area of the triangle of the face frame.
inline Point<3> face_normal(const PolyhedronTopology& topology, std::span<const Point<3>> vertices,
                            Index face) {
  const auto& [i, j, k] = topology.face_frames[face];
  return cross(difference(vertices[j], vertices[i]), difference(vertices[k], vertices[i]));
}

/// The support vertex: the one farthest along a direction, found by hill climbing from `start`. A
/// convex body has no local maxima besides the global one. Differences of vertices are evaluated,
/// not vertices, so that no digits are lost far from the origin. Gains of the order of rounding
/// errors do not count: around a face normal to the direction the walk could cycle.
inline Index support_vertex(const PolyhedronView& body, const Point<3>& direction, Index start) {
  const PolyhedronTopology& topology = *body.topology;
  const OutgoingEdge* const edges = topology.outgoing_edges.data();
  const Index* const offsets = topology.vertex_offsets.data();
  const Point<3>* const vertices = body.vertices.data();
  constexpr double rounding = 2e-15;
  const double min_gain = rounding * topology.bounding_radius * max_abs(direction);
  Index current = start;
  for (;;) {
    const Point<3> position = vertices[current];
    double max_gain = min_gain;
    Index best = current;
    for (Index k = offsets[current]; k < offsets[current + 1]; ++k) {
      const double gain = dot(direction, difference(vertices[edges[k].target], position));
      if (gain > max_gain) {
        max_gain = gain;
        best = edges[k].target;
      }
    }
    if (best == current) return current;
    current = best;
  }
}

/// The same without a start. Small bodies are scanned: the loop has no unpredictable branches.
inline Index support_vertex(const PolyhedronView& body, const Point<3>& direction) {
  constexpr std::size_t max_scanned = 40;
  if (body.vertices.size() > max_scanned) return support_vertex(body, direction, 0);
  const Point<3>* const vertices = body.vertices.data();
  const auto [x, y, z] = direction;
  const auto [cx, cy, cz] = body.centroid;
  double max_height = -std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  const std::size_t count = body.vertices.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double height =
        x * (vertices[i][0] - cx) + y * (vertices[i][1] - cy) + z * (vertices[i][2] - cz);
    best = height > max_height ? i : best;
    max_height = std::max(max_height, height);
  }
  return static_cast<Index>(best);
}

/// The distance up to which a vertex counts as lying in a plane through others: the rounding error
/// of two bodies of this size and position.
inline double rounding_tolerance(const PolyhedronView& a, const PolyhedronView& b) {
  constexpr double relative = 1e-13;
  constexpr double rounding = 4e-16;
  const auto max_coordinate = [](const Point<3>& x) {  // max_abs without branches
    return std::max(std::max(std::abs(x[0]), std::abs(x[1])), std::abs(x[2]));
  };
  return relative * (a.topology->bounding_radius + b.topology->bounding_radius) +
         rounding * (max_coordinate(a.centroid) + max_coordinate(b.centroid));
}

/// A vertex of each body: a vertex of the Minkowski difference b − a.
struct VertexPair {
  Index a;
  Index b;
  Point<3> separation;  ///< from the vertex of a to that of b
};

inline VertexPair vertex_pair(const PolyhedronView& a, const PolyhedronView& b, Index vertex_a,
                              Index vertex_b) {
  return {vertex_a, vertex_b, difference(b.vertices[vertex_b], a.vertices[vertex_a])};
}

/// The vertices closest to a plane with this normal, which points from a to b: the support vertex
/// of b − a along the reversed normal.
inline VertexPair support_pair(const PolyhedronView& a, const PolyhedronView& b,
                               const Point<3>& normal) {
  return vertex_pair(a, b, support_vertex(a, normal), support_vertex(b, reversed(normal)));
}

/// The same, by hill climbing from given vertices.
inline VertexPair support_pair(const PolyhedronView& a, const PolyhedronView& b,
                               const Point<3>& normal, Index start_a, Index start_b) {
  return vertex_pair(a, b, support_vertex(a, normal, start_a),
                     support_vertex(b, reversed(normal), start_b));
}

// The faces of the Minkowski difference b − a are of three kinds: a face of a with a vertex of b, a
// vertex of a with a face of b, and parallelograms of an edge of each. A plane through one of them
// is a local maximum of the gap if the origin projects into it along the normal: the vertex
// projects into the face, or the edges cross.

inline constexpr Index no_half_edge = std::numeric_limits<Index>::max();

/// The half-edge of a face that the projection of a point along the unit vector `outward` lies
/// farthest outside of; `no_half_edge` if it lies in the face up to `tolerance`.
inline Index most_exceeded_edge(const PolyhedronView& body, Index face, const Point<3>& outward,
                                const Point<3>& point, double tolerance) {
  const PolyhedronTopology& topology = *body.topology;
  const auto* const vertices = body.vertices.data();
  Index farthest = no_half_edge;
  double max_excess = 0;
  const Index end = topology.face_offsets[face + 1];
  for (Index h = topology.face_offsets[face]; h < end; ++h) {
    const Point<3>& origin = vertices[topology.edge_fans[h].origin];
    const Point<3> edge = difference(vertices[topology.edge_fans[h].target], origin);
    const double excess = dot(cross(edge, outward), difference(point, origin));  // times |edge|
    if (excess <= max_excess || excess * excess <= tolerance * tolerance * dot(edge, edge))
      continue;
    max_excess = excess;
    farthest = h;
  }
  return farthest;
}

/// The closest points of the lines through an edge of each body, at the fractions s / |normal|² of
/// edge_a and t / |normal|² of edge_b.
struct EdgeCrossing {
  Point<3> edge_a;
  Point<3> edge_b;
  Point<3> normal;      ///< edge_a × edge_b
  Point<3> separation;  ///< from the origin of edge_a to that of edge_b
  double normal_squared = 0;
  double length_squared_a = 0;
  double length_squared_b = 0;
  double s = 0;
  double t = 0;
  /// The distance of each point beyond the closer end of its edge, as a fraction of the edge times
  /// |normal|²; negative inside the edge.
  [[nodiscard]] double excess_a() const { return excess(s); }
  [[nodiscard]] double excess_b() const { return excess(t); }

 private:
  // Without a branch: which end is closer is unpredictable.
  [[nodiscard]] double excess(double fraction) const {
    return std::abs(fraction - normal_squared / 2) - normal_squared / 2;
  }
};

/// False if the edges are parallel; then s and t are not set.
inline bool cross_edges(const PolyhedronView& a, const PolyhedronView& b, Index half_edge_a,
                        Index half_edge_b, EdgeCrossing& crossing) {
  const EdgeFan& fan_a = a.topology->edge_fans[half_edge_a];
  const EdgeFan& fan_b = b.topology->edge_fans[half_edge_b];
  const Point<3>& origin_a = a.vertices[fan_a.origin];
  const Point<3>& origin_b = b.vertices[fan_b.origin];
  crossing.edge_a = difference(a.vertices[fan_a.target], origin_a);
  crossing.edge_b = difference(b.vertices[fan_b.target], origin_b);
  crossing.normal = cross(crossing.edge_a, crossing.edge_b);
  crossing.separation = difference(origin_b, origin_a);
  crossing.normal_squared = dot(crossing.normal, crossing.normal);
  crossing.length_squared_a = dot(crossing.edge_a, crossing.edge_a);
  crossing.length_squared_b = dot(crossing.edge_b, crossing.edge_b);
  constexpr double parallel = 1e-24;  // sin² of the angle between the edges
  if (crossing.normal_squared <= parallel * crossing.length_squared_a * crossing.length_squared_b)
    return false;
  // s = det(separation, edge_b, normal) = −edge_b · (separation × normal), t likewise with edge_a
  const Point<3> product = cross(crossing.separation, crossing.normal);
  crossing.s = -dot(crossing.edge_b, product);
  crossing.t = -dot(crossing.edge_a, product);
  return true;
}

}  // namespace abut
