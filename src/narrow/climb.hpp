#pragma once

#include <abut/polyhedron.hpp>

#include "narrow/support.hpp"

namespace abut {

struct Climbed {
  CommonPlane<3> plane{};
  /// No plane near it has a larger gap: where bodies are apart, none at all. If not settled,
  /// rounding stood in the way.
  bool settled = false;
  int steps = 0;
};

/// From any plane, given by its normal and the corners nearest to it, or by what it leans on, to
/// larger gaps until there are none near.
Climbed climb(const PolyhedronView& a, const PolyhedronView& b, const CommonPlane<3>& plane);

/// One step of it. False if there is none.
bool climb_step(const PolyhedronView& a, const PolyhedronView& b, double slack,
                CommonPlane<3>& plane, bool& settled);

}  // namespace abut
