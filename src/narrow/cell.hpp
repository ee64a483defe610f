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
    const Point<3>& p = at[topology.ridges[h].origin];
    const Point<3> edge = difference(at[topology.ridges[h].tip], p);
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
  Point<3> edge_a;
  Point<3> edge_b;
  Point<3> across;      ///< both, of any length
  Point<3> way;         ///< from a corner of a's edge to one of b's
  double square = 0;    ///< of the length of `across`
  double square_a = 0;  ///< of the edges' lengths
  double square_b = 0;
  double s = 0;
  double t = 0;
  /// How far the point on each is beyond the end of its edge, times `square`.
  [[nodiscard]] double beyond_a() const { return beyond(s); }
  [[nodiscard]] double beyond_b() const { return beyond(t); }

 private:
  // Which end it is nobody could guess: no branch.
  [[nodiscard]] double beyond(double part) const {
    return std::abs(part - square / 2) - square / 2;
  }
};

/// False if the edges are parallel.
inline bool cross_edges(const PolyhedronView& a, const PolyhedronView& b, Index half_a,
                        Index half_b, Crossing& crossing) {
  const Ridge& ridge_a = a.topology->ridges[half_a];
  const Ridge& ridge_b = b.topology->ridges[half_b];
  const Point<3>& p_a = a.corners[ridge_a.origin];
  const Point<3>& p_b = b.corners[ridge_b.origin];
  crossing.edge_a = difference(a.corners[ridge_a.tip], p_a);
  crossing.edge_b = difference(b.corners[ridge_b.tip], p_b);
  crossing.across = cross(crossing.edge_a, crossing.edge_b);
  crossing.way = difference(p_b, p_a);
  crossing.square = dot(crossing.across, crossing.across);
  crossing.square_a = dot(crossing.edge_a, crossing.edge_a);
  crossing.square_b = dot(crossing.edge_b, crossing.edge_b);
  constexpr double parallel = 1e-24;
  if (crossing.square <= parallel * crossing.square_a * crossing.square_b) return false;
  const Point<3> sideways = cross(crossing.way, crossing.across);
  // det(way, edge, across) = edge · (across × way)
  crossing.s = -dot(crossing.edge_b, sideways);
  crossing.t = -dot(crossing.edge_a, sideways);
  return true;
}

}  // namespace abut
