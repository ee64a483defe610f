#pragma once

#include <abut/common_plane.hpp>
#include <limits>

#include "narrow/turn.hpp"

namespace abut {

inline constexpr Index no_half_edge = std::numeric_limits<Index>::max();

/// The half-edge of a face that a point, seen along `out`, is farthest beyond; none if it is above
/// the face.
Index side_beyond(const PolyhedronView& body, Index face, const Point<3>& out,
                  const Point<3>& point, double slack);

/// Where two lines are nearest to each other: part of the way along an edge of a and one of b.
struct Crossing {
  Point<3> p_a, edge_a, p_b, edge_b;
  Point<3> across;  ///< both, of any length
  double s = 0;
  double t = 0;
  double square_a = 0;  ///< of the edges' lengths
  double square_b = 0;
  /// How far the point on each is beyond the end of its edge.
  [[nodiscard]] double beyond_a() const { return std::max(-s, s - 1); }
  [[nodiscard]] double beyond_b() const { return std::max(-t, t - 1); }
};

/// False if the edges are parallel.
bool cross_edges(const PolyhedronView& a, const PolyhedronView& b, Index half_a, Index half_b,
                 Crossing& crossing);

}  // namespace abut
