#pragma once

#include <abut/common_plane.hpp>
#include <abut/polyhedron.hpp>
#include <algorithm>
#include <limits>

#include "core/vec.hpp"

namespace abut {

/// The corner farthest along a direction: from corner to corner uphill, for on a convex body the
/// only top is the highest. Differences of corners, not corners, are measured, so that nothing is
/// lost far from the origin. Gains as small as rounding count for none: around a face that lies
/// across the direction they could lead in circles.
inline Index support_vertex(const PolyhedronView& body, const Point<3>& direction, Index from) {
  const PolyhedronTopology& topology = *body.topology;
  const OutgoingEdge* const spokes = topology.outgoing_edges.data();
  const Index* const hub = topology.vertex_offsets.data();
  const Point<3>* const at = body.vertices.data();
  constexpr double rounding = 2e-15;
  const double least = rounding * topology.bounding_radius * max_abs(direction);
  for (;;) {
    const Point<3> here = at[from];
    double most = least;
    Index best = from;
    for (Index k = hub[from]; k < hub[from + 1]; ++k) {
      const double gain = dot(direction, difference(at[spokes[k].target], here));
      if (gain > most) {
        most = gain;
        best = spokes[k].target;
      }
    }
    if (best == from) return from;
    from = best;
  }
}

/// The same with nothing to begin from: small bodies are looked through, for that has no branches
/// to guess.
inline Index support_vertex(const PolyhedronView& body, const Point<3>& direction) {
  constexpr std::size_t small = 40;
  if (body.vertices.size() > small) return support_vertex(body, direction, 0);
  const Point<3>* const at = body.vertices.data();
  const auto [x, y, z] = direction;
  const auto [cx, cy, cz] = body.centroid;
  double most = -std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  const std::size_t corners = body.vertices.size();
  for (std::size_t i = 0; i < corners; ++i) {
    const double reach = x * (at[i][0] - cx) + y * (at[i][1] - cy) + z * (at[i][2] - cz);
    best = reach > most ? i : best;
    most = std::max(most, reach);
  }
  return static_cast<Index>(best);
}

inline Point<3> reversed(const Point<3>& a) { return {-a[0], -a[1], -a[2]}; }

/// How far a corner may stand out of a plane through others and still count as in it: the rounding
/// of two bodies of this size at this place.
inline double rounding_tolerance(const PolyhedronView& a, const PolyhedronView& b) {
  constexpr double relative = 1e-13;
  constexpr double rounding = 4e-16;
  const auto farthest = [](const Point<3>& at) {  // as largest_part, without a branch
    return std::max(std::max(std::abs(at[0]), std::abs(at[1])), std::abs(at[2]));
  };
  return relative * (a.topology->bounding_radius + b.topology->bounding_radius) +
         rounding * (farthest(a.centroid) + farthest(b.centroid));
}

/// Two corners and the way from that of a to that of b.
struct VertexPair {
  Index a;
  Index b;
  Point<3> separation;
};

inline VertexPair vertex_pair(const PolyhedronView& a, const PolyhedronView& b, Index i, Index j) {
  return {i, j, difference(b.vertices[j], a.vertices[i])};
}

inline VertexPair support_pair(const PolyhedronView& a, const PolyhedronView& b,
                               const Point<3>& normal) {
  return vertex_pair(a, b, support_vertex(a, normal), support_vertex(b, reversed(normal)));
}

/// The corners nearest to a plane with this normal, sought from two others.
inline VertexPair support_pair(const PolyhedronView& a, const PolyhedronView& b,
                               const Point<3>& normal, Index i, Index j) {
  return vertex_pair(a, b, support_vertex(a, normal, i), support_vertex(b, reversed(normal), j));
}

}  // namespace abut

// The faces of the difference b − a are of three kinds: a face of a with a corner of b, a corner
// of a with a face of b, and parallelograms of two edges. A plane made of one of them has the
// largest gap around if the origin is seen in it along the normal: the corner is above the face,
// the edges cross.

namespace abut {

inline constexpr Index no_half_edge = std::numeric_limits<Index>::max();

/// The half-edge of a face that a point, seen along `out`, is farthest beyond; none if it is above
/// the face.
inline Index most_exceeded_edge(const PolyhedronView& body, Index face, const Point<3>& out,
                                const Point<3>& point, double slack) {
  const PolyhedronTopology& topology = *body.topology;
  const auto* const at = body.vertices.data();
  Index farthest = no_half_edge;
  double most = 0;
  const Index end = topology.face_offsets[face + 1];
  for (Index h = topology.face_offsets[face]; h < end; ++h) {
    const Point<3>& p = at[topology.edge_fans[h].origin];
    const Point<3> edge = difference(at[topology.edge_fans[h].target], p);
    const double out_of = dot(cross(edge, out), difference(point, p));
    if (out_of <= most || out_of * out_of <= slack * slack * dot(edge, edge)) continue;
    most = out_of;
    farthest = h;
  }
  return farthest;
}

/// Where two lines are nearest to each other: parts s and t of the way along an edge of a and one
/// of b, both times `square`.
struct EdgeCrossing {
  Point<3> edge_a;
  Point<3> edge_b;
  Point<3> normal;              ///< both, of any length
  Point<3> separation;          ///< from a corner of a's edge to one of b's
  double normal_squared = 0;    ///< of the length of `across`
  double length_squared_a = 0;  ///< of the edges' lengths
  double length_squared_b = 0;
  double s = 0;
  double t = 0;
  /// How far the point on each is beyond the end of its edge, times `square`.
  [[nodiscard]] double excess_a() const { return excess(s); }
  [[nodiscard]] double excess_b() const { return excess(t); }

 private:
  // Which end it is nobody could guess: no branch.
  [[nodiscard]] double excess(double part) const {
    return std::abs(part - normal_squared / 2) - normal_squared / 2;
  }
};

/// False if the edges are parallel.
inline bool cross_edges(const PolyhedronView& a, const PolyhedronView& b, Index half_a,
                        Index half_b, EdgeCrossing& crossing) {
  const EdgeFan& ridge_a = a.topology->edge_fans[half_a];
  const EdgeFan& ridge_b = b.topology->edge_fans[half_b];
  const Point<3>& p_a = a.vertices[ridge_a.origin];
  const Point<3>& p_b = b.vertices[ridge_b.origin];
  crossing.edge_a = difference(a.vertices[ridge_a.target], p_a);
  crossing.edge_b = difference(b.vertices[ridge_b.target], p_b);
  crossing.normal = cross(crossing.edge_a, crossing.edge_b);
  crossing.separation = difference(p_b, p_a);
  crossing.normal_squared = dot(crossing.normal, crossing.normal);
  crossing.length_squared_a = dot(crossing.edge_a, crossing.edge_a);
  crossing.length_squared_b = dot(crossing.edge_b, crossing.edge_b);
  constexpr double parallel = 1e-24;
  if (crossing.normal_squared <= parallel * crossing.length_squared_a * crossing.length_squared_b)
    return false;
  const Point<3> sideways = cross(crossing.separation, crossing.normal);
  // det(way, edge, across) = edge · (across × way)
  crossing.s = -dot(crossing.edge_b, sideways);
  crossing.t = -dot(crossing.edge_a, sideways);
  return true;
}

}  // namespace abut
