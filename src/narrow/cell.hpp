#pragma once

#include <abut/common_plane.hpp>
#include <limits>

#include "narrow/support.hpp"

// The faces of the difference b − a are of three kinds: a face of a with a corner of b, a corner
// of a with a face of b, and parallelograms of two edges. A plane made of one of them has the
// largest gap around if the origin is seen in it along the normal: the corner is above the face,
// the edges cross.

namespace abut {

inline constexpr Index no_half_edge = std::numeric_limits<Index>::max();

/// The half-edge of a face that a point, seen along `out`, is farthest beyond; none if it is above
/// the face.
inline Index side_beyond(const PolyhedronView& body, Index face, const Point<3>& out,
                         const Point<3>& point, double slack) {
  const PolyhedronTopology& topology = *body.topology;
  const auto* const at = body.corners.data();
  Index farthest = no_half_edge;
  double most = 0;
  const Index end = topology.first[face + 1];
  for (Index h = topology.first[face]; h < end; ++h) {
    const Point<3>& p = at[topology.half_edges[h].origin];
    const Point<3> edge =
        difference(at[topology.half_edges[topology.half_edges[h].next].origin], p);
    const double out_of = dot(cross(edge, out), difference(point, p));
    if (out_of <= most || out_of * out_of <= slack * slack * dot(edge, edge)) continue;
    most = out_of;
    farthest = h;
  }
  return farthest;
}

/// Where two lines are nearest to each other: parts s and t of the way along an edge of a and one
/// of b, both times `square`.
struct Crossing {
  Point<3> p_a, edge_a, p_b, edge_b;
  Point<3> across;    ///< both, of any length
  double square = 0;  ///< of the length of `across`
  double s = 0;
  double t = 0;
  double square_a = 0;  ///< of the edges' lengths
  double square_b = 0;
  /// How far the point on each is beyond the end of its edge, times `square`.
  [[nodiscard]] double beyond_a() const { return std::max(-s, s - square); }
  [[nodiscard]] double beyond_b() const { return std::max(-t, t - square); }
};

/// False if the edges are parallel.
inline bool cross_edges(const PolyhedronView& a, const PolyhedronView& b, Index half_a,
                        Index half_b, Crossing& crossing) {
  const auto ends = [](const PolyhedronView& body, Index h, Point<3>& p, Point<3>& edge) {
    const PolyhedronTopology& topology = *body.topology;
    p = body.corners[topology.half_edges[h].origin];
    edge = difference(body.corners[topology.half_edges[topology.half_edges[h].next].origin], p);
  };
  ends(a, half_a, crossing.p_a, crossing.edge_a);
  ends(b, half_b, crossing.p_b, crossing.edge_b);
  crossing.across = cross(crossing.edge_a, crossing.edge_b);
  crossing.square = dot(crossing.across, crossing.across);
  crossing.square_a = dot(crossing.edge_a, crossing.edge_a);
  crossing.square_b = dot(crossing.edge_b, crossing.edge_b);
  constexpr double parallel = 1e-24;
  if (crossing.square <= parallel * crossing.square_a * crossing.square_b) return false;
  const Point<3> way = difference(crossing.p_b, crossing.p_a);
  const Point<3> sideways = cross(way, crossing.across);
  // det(way, edge, across) = edge · (across × way)
  crossing.s = -dot(crossing.edge_b, sideways);
  crossing.t = -dot(crossing.edge_a, sideways);
  return true;
}

}  // namespace abut
