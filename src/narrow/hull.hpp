#pragma once

#include <abut/mesh.hpp>
#include <span>
#include <vector>

namespace abut {

/// The faces of a convex hull: polygons of points, counterclockwise seen from outside.
using HullFaces = std::vector<std::vector<Index>>;

/// By Qhull: points that lie in one face up to rounding are one polygon. Throws `Error` if they are
/// all in one plane.
HullFaces convex_hull(std::span<const Point<3>> points);

}  // namespace abut
