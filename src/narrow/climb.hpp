#pragma once

#include <abut/polyhedron.hpp>

#include "narrow/support.hpp"

namespace abut {

struct Climbed {
  CommonPlane<3> plane{};
  bool settled = false;  ///< no plane near it has a larger gap
  int steps = 0;
};

/// From any plane and the corners nearest to it, whose gap is not above 0, to one that leans on a
/// face or on two edges, and on from there.
Climbed climb_from(const PolyhedronView& a, const PolyhedronView& b, const Point<3>& normal,
                   const CornerPair& pair);

/// From a plane that leans on a face or two edges, to larger gaps until there are none near, or
/// the gap is above 0: then bodies are apart, and planes across corners have to be looked at too.
Climbed climb(const PolyhedronView& a, const PolyhedronView& b, const CommonPlane<3>& plane);

/// One step of it. False if there is none: the plane is `settled`, or rounding stands in the way.
bool climb_step(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane,
                bool& settled);

}  // namespace abut
