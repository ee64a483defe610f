// The common plane of two convex polyhedra: the direction n with the largest gap
//   f(n) = min over b of n·x − max over a of n·x
// (Cundall 1988; Nezami, Hashash, Ghaboussi, Zhao 2004 in 2D: a few candidates instead of an
// iteration). In 3D: what was found before is certified from what it is made of, O(1)
// (certificate). Else bodies that are apart have their distance taken (nearest), bodies that
// overlap are climbed from a face or two edges to the next (climb), and of those seen for the first
// time, or deep in each other, no other face or pair of edges is better (separating_axes).
// Differences from the paper: bodies are not moved apart first, ties do not halt it, and overlaps
// are exact.
#include <abut/polyhedron.hpp>
#include <cmath>

#include "narrow/cell.hpp"
#include "narrow/certificate.hpp"
#include "narrow/climb.hpp"
#include "narrow/nearest.hpp"
#include "narrow/separating_axes.hpp"
#include "narrow/support.hpp"
#include "narrow/tied.hpp"
#include "narrow/topology.hpp"

namespace abut {
namespace {

constexpr double touching = 1e-11;  // of the size
constexpr double deep = 0.02;       // of the smaller body: from here on all ways out are looked at

double size_of(const PolyhedronView& a, const PolyhedronView& b) {
  return a.topology->radius + b.topology->radius;
}

CommonPlane<3> plane_of(const PolyhedronView& a, const PolyhedronView& b, const Nearest& found) {
  CommonPlane<3> plane{found.normal, found.gap, found.a, found.b};
  name_parts(a, b, plane);
  return plane;
}

// No gap is larger than this one, of bodies that overlap or touch.
CommonPlane<3> largest(const PolyhedronView& a, const PolyhedronView& b,
                       const CommonPlane<3>& plane) {
  CommonPlane<3> best = separating_axes(a, b, plane);
  if (best.kind == PlaneKind::bisector) {
    name_parts(a, b, best);
    return best;
  }
  const Climbed settled = climb(a, b, best);  // among faces that tie, the one the other is above
  return settled.plane.gap >= best.gap ? settled.plane : best;
}

// The pair has a gap that is not above 0 along the normal.
CommonPlane<3> overlapping(const PolyhedronView& a, const PolyhedronView& b, const Point<3>& normal,
                           const CornerPair& pair, bool all_ways) {
  const double size = size_of(a, b);
  const Climbed top = climb_from(a, b, normal, pair);
  if (top.plane.gap <= 0 && top.settled && seen_to_overlap(a, b, top.plane))
    return all_ways || top.plane.gap < -deep * size ? largest(a, b, top.plane) : top.plane;
  const Nearest found = nearest(a, b, corner_pair(a, b, top.plane.a, top.plane.b));
  if (found.meeting == Meeting::apart) return plane_of(a, b, found);
  CommonPlane<3> known = top.plane;
  if (found.gap > known.gap) known = {found.normal, found.gap, found.a, found.b};
  const CornerPair at = supports(a, b, known.normal, known.a, known.b);
  known.a = at.a;
  known.b = at.b;
  known.gap = dot(known.normal, at.way);
  return largest(a, b, known);
}

CommonPlane<3> search(const PolyhedronView& a, const PolyhedronView& b, const Point<3>& normal,
                      Index i, Index j, bool all_ways) {
  const CornerPair pair = supports(a, b, normal, i, j);
  const double gap = dot(normal, pair.way);
  if (length(pair.way) <= touching * size_of(a, b)) {  // corner on corner
    CommonPlane<3> plane{normal, gap, pair.a, pair.b};
    name_parts(a, b, plane);
    return plane;
  }
  if (gap <= 0) return overlapping(a, b, normal, pair, all_ways);
  const Nearest found = nearest(a, b, pair);
  if (found.meeting == Meeting::apart) return plane_of(a, b, found);
  const CommonPlane<3> known{found.normal, found.gap, found.a, found.b};
  return largest(a, b, known.gap > gap ? known : CommonPlane<3>{normal, gap, pair.a, pair.b});
}

CommonPlane<3> cold(const PolyhedronView& a, const PolyhedronView& b) {
  Point<3> line = difference(b.centre, a.centre);
  const bool same_place = largest_part(line) <= touching * size_of(a, b);
  if (same_place) line = face_normal(*a.topology, a.corners, 0);
  return search(a, b, scaled(line, 1 / length(line)), 0, 0, true);
}

CommonPlane<3> swapped(const CommonPlane<3>& plane) {
  constexpr PlaneKind kinds[] = {PlaneKind::bisector, PlaneKind::side_b, PlaneKind::side_a,
                                 PlaneKind::edges,    PlaneKind::edge_b, PlaneKind::edge_a};
  return {reversed(plane.normal),
          plane.gap,
          plane.b,
          plane.a,
          kinds[static_cast<std::size_t>(plane.kind)],
          plane.part_b,
          plane.part_a};
}

// Whether a plane can be one that was found between two such bodies.
bool fits(const PolyhedronView& a, const PolyhedronView& b, const CommonPlane<3>& plane) {
  const auto has = [](const PolyhedronView& body, Index corner, Index part) {
    return corner < body.topology->corners() && part < body.topology->origin.size();
  };
  const bool on_a = plane.kind == PlaneKind::side_a && plane.part_a >= a.topology->faces();
  const bool on_b = plane.kind == PlaneKind::side_b && plane.part_b >= b.topology->faces();
  return !on_a && !on_b && has(a, plane.a, plane.part_a) && has(b, plane.b, plane.part_b) &&
         std::abs(dot(plane.normal, plane.normal) - 1) < 1e-6;
}

}  // namespace

CommonPlane<3> common_plane(const PolyhedronView& a, const PolyhedronView& b) {
  // In an order of their own, so that (b, a) is (a, b) turned round to the last bit.
  return b.centre < a.centre ? swapped(cold(b, a)) : cold(a, b);
}

CommonPlane<3> common_plane(const PolyhedronView& a, const PolyhedronView& b,
                            const CommonPlane<3>& previous) {
  if (!fits(a, b, previous)) return common_plane(a, b);
  CommonPlane<3> plane;
  if (certified(a, b, previous, plane) && plane.gap >= -deep * size_of(a, b)) return plane;
  return search(a, b, previous.normal, previous.a, previous.b, false);
}

}  // namespace abut
