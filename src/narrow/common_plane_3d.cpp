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

#include "narrow/certificate.hpp"
#include "narrow/climb.hpp"
#include "narrow/nearest.hpp"
#include "narrow/separating_axes.hpp"
#include "narrow/support.hpp"
#include "narrow/tied.hpp"
#include "narrow/topology.hpp"
#include "narrow/ways_out.hpp"

namespace abut {
namespace {

constexpr double no_way = 1e-11;  // of the size

double size_of(const PolyhedronView& a, const PolyhedronView& b) {
  return a.topology->radius + b.topology->radius;
}

// Over all faces and edges that can matter: slow, and sure.
CommonPlane<3> over_all(const PolyhedronView& a, const PolyhedronView& b,
                        const CommonPlane<3>& known) {
  CommonPlane<3> best = separating_axes(a, b, known);
  if (best.kind == PlaneKind::bisector) {
    name_parts(a, b, best);
    return best;
  }
  CommonPlane<3> settled = best;
  climb(a, b, settled);  // among faces that tie, the one the other is above
  return settled.gap >= best.gap ? settled : best;
}

// When climbing did not show whether bodies overlap: by their distance, or by all axes.
CommonPlane<3> settle(const PolyhedronView& a, const PolyhedronView& b,
                      const CommonPlane<3>& known) {
  const Nearest found = nearest(a, b, corner_pair(a, b, known.a, known.b));
  if (found.meeting == Meeting::apart) {
    CommonPlane<3> plane{found.normal, found.gap, found.a, found.b};
    name_parts(a, b, plane);
    return plane;
  }
  const Point<3>& normal = found.gap > known.gap ? found.normal : known.normal;
  const CornerPair at = supports(a, b, normal, known.a, known.b);
  return over_all(a, b, {normal, dot(normal, at.way), at.a, at.b});
}

// Larger gaps, until there are none.
void improve(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane) {
  constexpr int most_tries = 20;
  for (int tries = 0; tries < most_tries; ++tries) {
    if (!climb(a, b, plane)) break;
    if (plane.gap > 0) return;
    const WaysOut ways = ways_out(a, b, plane);
    if (ways == WaysOut::none_shorter) return;
    if (ways == WaysOut::unseen) break;
  }
  plane = settle(a, b, plane);
}

CommonPlane<3> search(const PolyhedronView& a, const PolyhedronView& b, const Point<3>& normal,
                      const CornerPair& pair) {
  CommonPlane<3> plane{normal, dot(normal, pair.way), pair.a, pair.b};
  if (largest_part(pair.way) > no_way * size_of(a, b))
    improve(a, b, plane);
  else
    name_parts(a, b, plane);  // corner on corner: any plane will do
  return plane;
}

CommonPlane<3> cold(const PolyhedronView& a, const PolyhedronView& b) {
  Point<3> line = difference(b.centre, a.centre);
  const bool same_place = largest_part(line) <= no_way * size_of(a, b);
  if (same_place) line = face_normal(*a.topology, a.corners, 0);
  const Point<3> normal = scaled(line, 1 / length(line));
  return search(a, b, normal, supports(a, b, line));
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

// Whether a search can begin with a plane: then it was found between two such bodies.
bool fits(const PolyhedronView& a, const PolyhedronView& b, const CommonPlane<3>& plane) {
  return plane.a < a.topology->corners() && plane.b < b.topology->corners() &&
         std::abs(dot(plane.normal, plane.normal) - 1) < 1e-6;
}

// When a plane does not stand any more. It and the next are rare, and would be in the way of what
// is not.
[[gnu::noinline]] CommonPlane<3> search_from(const PolyhedronView& a, const PolyhedronView& b,
                                             const CommonPlane<3>& previous) {
  if (!fits(a, b, previous)) return common_plane(a, b);
  return search(a, b, previous.normal, supports(a, b, previous.normal, previous.a, previous.b));
}

// When it leans on the same parts, but is perhaps not the shortest way out.
[[gnu::noinline]] void follow(const PolyhedronView& a, const PolyhedronView& b,
                              CommonPlane<3>& plane) {
  if (ways_out(a, b, plane) != WaysOut::none_shorter) improve(a, b, plane);
}

}  // namespace

CommonPlane<3> common_plane(const PolyhedronView& a, const PolyhedronView& b) {
  // In an order of their own, so that (b, a) is (a, b) turned round to the last bit.
  return b.centre < a.centre ? swapped(cold(b, a)) : cold(a, b);
}

CommonPlane<3> common_plane(const PolyhedronView& a, const PolyhedronView& b,
                            const CommonPlane<3>& previous) {
  // Asked for before it is known what hangs together with them.
  __builtin_prefetch(a.corners.data() + previous.a);
  __builtin_prefetch(b.corners.data() + previous.b);
  CommonPlane<3> plane = previous;
  const Certificate certificate = certified(a, b, plane);
  if (certificate == Certificate::leans) follow(a, b, plane);
  if (certificate == Certificate::none) plane = search_from(a, b, previous);
  return plane;
}

}  // namespace abut
