#pragma once

#include <abut/polyhedron.hpp>
#include <array>

#include "narrow/polyhedron_geometry.hpp"

namespace abut {

/// Half of the search is the other half with the bodies exchanged: x has the outward direction, y
/// the opposite one.
struct OrientedPair {
  const PolyhedronView& x;
  const PolyhedronView& y;
  bool swapped;  ///< x is b
  double tolerance;
};

enum class RotationStop : std::uint8_t {
  failed,   ///< rounding left nothing to turn to
  face,     ///< the plane lies on the face of x beyond the edge
  edge,     ///< it leans on an edge of y too
  maximum,  ///< in between the gap was largest
};

/// A plane that leans on an edge of x and a corner of y, turned about that edge.
struct RotationResult {
  RotationStop stop = RotationStop::failed;
  Point<3> outward{};  ///< outward from x, of length one
  Index feature = 0;   ///< that face of x, or that half-edge of y, which begins at the corner
};

/// Turns it about `half_edge`, which is of x, to whichever side the gap grows, while it does. The
/// outward direction may be of any length.
RotationResult rotate_about_edge(const OrientedPair& bodies, Index half_edge, Index corner,
                                 const Point<3>& out);

/// The cotangent of the angle between 0 and π at which u·cos + m·sin comes across something: the
/// larger, the earlier. `short_of` is how far u is from it, `speed` how fast it comes. Never (−∞ or
/// no number), for what is left behind or keeps its distance; less than `slack` and `slow` are
/// none. Without branches, for nobody could guess them.
inline double hit_cotangent(double short_of, double speed, double slack, double slow) {
  constexpr std::array<double, 2> delay{std::numeric_limits<double>::infinity(), 0};
  const auto far = static_cast<unsigned>(short_of > slack);
  const auto fast = static_cast<unsigned>(speed > slow);
  return speed / std::max(0.0, short_of) - delay[far | fast];
}

/// Takes any plane, given by its normal and the corners nearest to it, or by what it leans on, to
/// larger gaps until there are none near: where bodies are apart, none at all. False if rounding
/// stood in the way. In place, for a copy would have to wait for what was just written.
bool hill_climb(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane);

/// One step of it. False if there is none.
bool hill_climb_step(const PolyhedronView& a, const PolyhedronView& b, double slack,
                     CommonPlane<3>& plane, bool& settled);

enum class Certificate : std::uint8_t {
  none,       ///< another plane has a larger gap
  supported,  ///< the gap is not above 0, and nothing is known but that it leans on its parts
  largest,    ///< no plane has a larger gap
};

/// Moves a plane to where the corners, edges or faces it is made of now are, and says what is sure
/// of it. Nothing is said of the plane if there is none.
Certificate certify(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane);

enum class PenetrationCheck : std::uint8_t {
  minimal,   ///< the bodies overlap, and the plane has the largest gap of all
  improved,  ///< it is another plane now, with a larger gap
  undecided  ///< neither could be shown
};

/// Whether a plane that leans on a face or two edges, with a gap not above 0, larger than all
/// around it, has the largest gap of all.
PenetrationCheck check_penetration(const PolyhedronView& a, const PolyhedronView& b,
                                   CommonPlane<3>& plane);

/// Gives a plane whose normal and nearest corners are known the name of what it leans on: faces and
/// edges all of whose corners are as near as these.
void identify_features(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane);

enum class Proximity : std::uint8_t {
  separated,  ///< the gap is the distance
  touching,   ///< they overlap, or are closer than rounding can tell
  undecided   ///< rounding stood in the way: the gap is one that is there, perhaps not the largest
};

struct GjkResult {
  Proximity proximity = Proximity::undecided;
  Point<3> normal{};
  double gap = 0;
  Index vertex_a = 0;
  Index vertex_b = 0;
  int iterations = 0;
};

/// The largest gap between two bodies that may be apart, beginning with two corners.
GjkResult gjk_distance(const PolyhedronView& a, const PolyhedronView& b, const VertexPair& start);

/// The largest gap of bodies that overlap or touch, over all planes parallel to a face or to two
/// edges. `plane` is any plane and the corners nearest to it: the larger its gap, the less there is
/// to look at. Returned is it, or a better one.
CommonPlane<3> search_separating_axes(const PolyhedronView& a, const PolyhedronView& b,
                                      const CommonPlane<3>& plane);

}  // namespace abut
