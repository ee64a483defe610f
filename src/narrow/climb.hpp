#pragma once

#include <abut/polyhedron.hpp>

#include "narrow/support.hpp"

namespace abut {

/// Takes any plane, given by its normal and the corners nearest to it, or by what it leans on, to
/// larger gaps until there are none near: where bodies are apart, none at all. False if rounding
/// stood in the way. In place, for a copy would have to wait for what was just written.
bool climb(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane);

/// One step of it. False if there is none.
bool climb_step(const PolyhedronView& a, const PolyhedronView& b, double slack,
                CommonPlane<3>& plane, bool& settled);

}  // namespace abut
