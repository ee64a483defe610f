#pragma once

#include "narrow/support.hpp"

namespace abut {

/// Half of the search is the other half with the bodies exchanged: x has the outward direction, y
/// the opposite one.
struct Facing {
  const PolyhedronView& x;
  const PolyhedronView& y;
  bool swapped;  ///< x is b
  double slack;
};

enum class TurnEnd : std::uint8_t {
  nowhere,  ///< rounding left nothing to turn to
  face,     ///< the plane lies on the face of x beyond the edge
  edge,     ///< it leans on an edge of y too
  best,     ///< in between the gap was largest
};

/// A plane that leans on an edge of x and a corner of y, turned about that edge.
struct Turned {
  TurnEnd end = TurnEnd::nowhere;
  Point<3> out{};  ///< outward from x, of length one
  Index part = 0;  ///< that face of x, or that half-edge of y, which begins at the corner
};

/// Turns it about `half_edge`, which is of x, to whichever side the gap grows, while it does. The
/// outward direction may be of any length.
Turned turn(const Facing& bodies, Index half_edge, Index corner, const Point<3>& out);

/// An angle between 0 and π as its cosine and sine, up to a factor.
struct TurnAngle {
  double x;
  double y;
  [[nodiscard]] bool before(const TurnAngle& other) const { return other.x * y < x * other.y; }
};

/// Whether u·cos + m·sin comes across something before the first of what it met, at an angle that
/// takes its place: `short_of` is how far u is from it, `speed` how fast it comes. Never, for what
/// is left behind or keeps its distance; less than `slack` and `slow` are none. Without branches,
/// for nobody could guess them.
inline bool meets(double short_of, double speed, double slack, double slow, TurnAngle& first) {
  const TurnAngle angle{speed, std::max(short_of, 0.0)};
  const bool comes = short_of > slack || speed > slow;
  const bool is_first = comes && angle.before(first);
  first.x = is_first ? angle.x : first.x;
  first.y = is_first ? angle.y : first.y;
  return is_first;
}

}  // namespace abut
