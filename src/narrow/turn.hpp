#pragma once

#include <array>

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

/// The cotangent of the angle between 0 and π at which u·cos + m·sin comes across something: the
/// larger, the earlier. `short_of` is how far u is from it, `speed` how fast it comes. Never (−∞ or
/// no number), for what is left behind or keeps its distance; less than `slack` and `slow` are
/// none. Without branches, for nobody could guess them.
inline double met_at(double short_of, double speed, double slack, double slow) {
  constexpr std::array<double, 2> delay{std::numeric_limits<double>::infinity(), 0};
  const auto far = static_cast<unsigned>(short_of > slack);
  const auto fast = static_cast<unsigned>(speed > slow);
  return speed / std::max(0.0, short_of) - delay[far | fast];
}

}  // namespace abut
