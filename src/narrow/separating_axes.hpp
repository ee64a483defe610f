#pragma once

#include <abut/polyhedron.hpp>

namespace abut {

/// The largest gap of bodies that overlap or touch, over all planes parallel to a face or to two
/// edges. `plane` is any plane and the corners nearest to it: the larger its gap, the less there is
/// to look at. Returned is it, or a better one.
CommonPlane<3> separating_axes(const PolyhedronView& a, const PolyhedronView& b,
                               const CommonPlane<3>& plane);

}  // namespace abut
