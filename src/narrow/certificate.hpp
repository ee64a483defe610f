#pragma once

#include <abut/polyhedron.hpp>

namespace abut {

/// The plane made of the same corners, edges or faces as `previous`, where these now are, if it is
/// still the one with the largest gap; if that is not above 0, only that it leans on them.
bool certified(const PolyhedronView& a, const PolyhedronView& b, const CommonPlane<3>& previous,
               CommonPlane<3>& plane);

}  // namespace abut
