#pragma once

#include "narrow/support.hpp"

namespace abut {

/// Half of the search is the other half with the bodies exchanged: x has the outward direction, y
/// the opposite one.
struct Facing {
  const PolyhedronView& x;
  const PolyhedronView& y;
  double slack;
};

/// A plane that leans on an edge of x and a corner of y, and the first thing it meets when it is
/// turned about that edge.
struct Turned {
  Point<3> out{};        ///< outward from x, of length one
  bool at_face = false;  ///< the face of x beyond the edge, rather than an edge of y
  Index part = 0;        ///< that face of x, or that half-edge of y, which begins at the corner
  bool found = false;
};

/// `half_edge` is of x; the plane turns towards the face on its left.
Turned turn(const Facing& bodies, Index half_edge, Index corner, const Point<3>& out);

/// An angle between 0 and π as its cosine and sine, up to a factor.
struct TurnAngle {
  double x;
  double y;
  [[nodiscard]] bool before(const TurnAngle& other) const { return other.x * y < x * other.y; }
};

/// The angle at which u·cos + m·sin is across something that u does not reach yet: `short_of` is
/// how far u is from it, `speed` how fast it comes. Never, for what is left behind or keeps its
/// distance.
inline bool meets(double short_of, double speed, double slack, TurnAngle& angle) {
  if (short_of <= slack && speed <= slack) return false;
  angle = {speed, std::max(short_of, 0.0)};
  return true;
}

}  // namespace abut
