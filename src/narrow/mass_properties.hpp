#pragma once

#include <abut/polyhedron.hpp>

namespace abut {

/// What a body of density one weighs, where, and how hard it is to turn.
struct SolidProperties {
  double volume = 0;
  Point<3> centroid{};
  std::array<Point<3>, 3> inertia{};  ///< about the centroid
};

SolidProperties solid_properties(const PolyhedronTopology& topology,
                                 std::span<const Point<3>> corners);

/// What a closed mesh encloses; below 0 if it faces inwards.
double signed_volume(const Mesh<3>& mesh);

}  // namespace abut
