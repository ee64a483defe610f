#pragma once

#include <abut/polyhedron.hpp>
#include <optional>

namespace abut {

/// The plane made of the same corners, edges or faces as `previous`, where these now are, if it is
/// still the one with the largest gap; where the bodies overlap, the largest around, and only if
/// they are seen to overlap.
bool certified(const PolyhedronView& a, const PolyhedronView& b, const CommonPlane<3>& previous,
               CommonPlane<3>& plane);

}  // namespace abut
