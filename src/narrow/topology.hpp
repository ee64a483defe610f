#pragma once

#include <abut/polyhedron.hpp>

#include "core/vec.hpp"
#include "narrow/hull.hpp"

namespace abut {

/// Which half-edge follows which, of faces whose corners are numbered from 0 without holes. Throws
/// `Error` if an edge has no second face.
PolyhedronTopology topology_of(const HullFaces& faces, std::span<const Point<3>> corners);

/// Takes corners that only two faces share, in the middle of an edge, out of all faces, and points
/// no face has out of the list.
void drop_idle_corners(HullFaces& faces, std::vector<Point<3>>& points);

/// At right angles to a face, outwards, as long as twice the area its frame spans.
inline Point<3> face_normal(const PolyhedronTopology& topology, std::span<const Point<3>> corners,
                            Index face) {
  const auto& [i, j, k] = topology.frame[face];
  return cross(difference(corners[j], corners[i]), difference(corners[k], corners[i]));
}

}  // namespace abut
