#pragma once

#include <abut/polyhedron.hpp>

namespace abut {

/// Gives a plane whose normal and nearest corners are known the name of what it leans on: faces and
/// edges all of whose corners are as near as these.
void name_parts(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane);

}  // namespace abut
