#pragma once

#include <abut/mesh.hpp>
#include <abut/polyhedron.hpp>
#include <span>
#include <vector>

#include "core/vec.hpp"

namespace abut {

/// The faces of a convex hull: polygons of points, counterclockwise seen from outside.
using HullFaces = std::vector<std::vector<Index>>;

/// By Qhull: points that lie in one face up to rounding are one polygon. Throws `Error` if they are
/// all in one plane.
HullFaces convex_hull(std::span<const Point<3>> points);

/// Which half-edge follows which, of faces whose corners are numbered from 0 without holes. Throws
/// `Error` if an edge has no second face.
PolyhedronTopology build_topology(const HullFaces& faces, std::span<const Point<3>> corners);

/// Takes corners that only two faces share, in the middle of an edge, out of all faces, and points
/// no face has out of the list.
void remove_redundant_vertices(HullFaces& faces, std::vector<Point<3>>& points);

/// At right angles to a face, outwards, as long as twice the area its frame spans.
inline Point<3> face_normal(const PolyhedronTopology& topology, std::span<const Point<3>> corners,
                            Index face) {
  const auto& [i, j, k] = topology.face_frames[face];
  return cross(difference(corners[j], corners[i]), difference(corners[k], corners[i]));
}

}  // namespace abut
