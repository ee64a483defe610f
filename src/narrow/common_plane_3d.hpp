#pragma once

#include <abut/polyhedron.hpp>
#include <cstdint>

#include "narrow/polyhedron_geometry.hpp"

// The stages of the search for the common plane of two polyhedra, see common_plane_3d.cpp.

namespace abut {

// ---- hill_climb.cpp

/// Increases the gap of a plane until no neighboring plane has a larger one; for separated bodies
/// it is then the largest of all. The plane is given by its normal and the vertices closest to it
/// (`PlaneKind::vertices`) or by its features. Returns false if rounding errors prevented
/// convergence. Works in place: a copy would stall on values just written.
bool hill_climb(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane);

/// One step. Returns false if there was none; `converged` is then true if the plane is a local
/// maximum. O(degree of the vertices, edges of the face).
bool hill_climb_step(const PolyhedronView& a, const PolyhedronView& b, double tolerance,
                     CommonPlane<3>& plane, bool& converged);

// ---- plane_certificate.cpp

enum class Certificate : std::uint8_t {
  none,       ///< another plane has a larger gap; the plane is unchanged
  supported,  ///< gap ≤ 0 and the plane touches its features; it may not be the global maximum
  largest,    ///< no plane has a larger gap
};

/// Moves a plane with the features that define it to their current positions and certifies it from
/// these features alone. O(degree of a vertex, edges of a face).
Certificate certify(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane);

enum class PenetrationCheck : std::uint8_t {
  minimal,   ///< the bodies overlap, and no plane has a smaller penetration depth
  improved,  ///< the plane was replaced by one with a larger gap
  undecided,
};

/// Checks whether a plane defined by a face or two edges, with gap ≤ 0 and a local maximum, is the
/// global maximum.
PenetrationCheck check_penetration(const PolyhedronView& a, const PolyhedronView& b,
                                   CommonPlane<3>& plane);

// ---- common_plane_3d.cpp

/// Sets `kind` and the features of a plane with known normal and closest vertices: the faces and
/// edges all of whose vertices are as close to the plane as these.
void identify_features(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane);

// ---- gjk.cpp

enum class Proximity : std::uint8_t {
  separated,  ///< the gap is the distance
  touching,   ///< overlapping, or closer than rounding errors can resolve
  undecided,  ///< stopped by rounding errors: the gap is valid but may not be the largest
};

struct GjkResult {
  Proximity proximity = Proximity::undecided;
  Point<3> normal{};  ///< unit vector from a to b
  double gap = 0;     ///< along the normal
  Index vertex_a = 0;
  Index vertex_b = 0;
  int iterations = 0;
};

/// The distance of two bodies by GJK, starting from a pair of vertices.
GjkResult gjk_distance(const PolyhedronView& a, const PolyhedronView& b, const VertexPair& start);

// ---- separating_axes_3d.cpp

/// The largest gap of overlapping or touching bodies over all separating axes: face normals and
/// cross products of edges. `plane` is any plane with its closest vertices; the larger its gap, the
/// fewer axes are tested. Returns it or a better one.
CommonPlane<3> search_separating_axes(const PolyhedronView& a, const PolyhedronView& b,
                                      const CommonPlane<3>& plane);

}  // namespace abut
