// The common plane of two convex polyhedra: the direction n with the largest gap
//   f(n) = min over b of n·x − max over a of n·x
// (Cundall 1988; Nezami, Hashash, Ghaboussi, Zhao 2004 in 2D: a few candidates instead of an
// iteration). In 3D: what was found before is certified from what it is made of, O(1)
// (certificate). Else bodies that are apart have their distance taken (nearest), bodies that
// overlap are climbed from a face or two edges to the next (climb), and of those seen for the first
// time, or deep in each other, no other face or pair of edges is better (separating_axes).
// Differences from the paper: bodies are not moved apart first, ties do not halt it, and overlaps
// are exact.
#include "narrow/common_plane_3d.hpp"

#include <abut/common_plane.hpp>
#include <abut/polyhedron.hpp>
#include <array>
#include <cmath>

#include "narrow/polyhedron_geometry.hpp"
#include "narrow/polyhedron_topology.hpp"

namespace abut {
namespace {

constexpr double coincidence_tolerance = 1e-11;  // of the size

double pair_size(const PolyhedronView& a, const PolyhedronView& b) {
  return a.topology->bounding_radius + b.topology->bounding_radius;
}

// Over all faces and edges that can matter: slow, and sure.
CommonPlane<3> search_all_axes(const PolyhedronView& a, const PolyhedronView& b,
                               const CommonPlane<3>& known) {
  CommonPlane<3> best = search_separating_axes(a, b, known);
  if (best.kind == PlaneKind::vertices) {
    identify_features(a, b, best);
    return best;
  }
  CommonPlane<3> settled = best;
  hill_climb(a, b, settled);  // among faces that tie, the one the other is above
  return settled.gap >= best.gap ? settled : best;
}

// When climbing did not show whether bodies overlap: by their distance, or by all axes.
CommonPlane<3> resolve_by_distance(const PolyhedronView& a, const PolyhedronView& b,
                                   const CommonPlane<3>& known) {
  const GjkResult found = gjk_distance(a, b, vertex_pair(a, b, known.vertex_a, known.vertex_b));
  if (found.proximity == Proximity::separated) {
    CommonPlane<3> plane{found.normal, found.gap, found.vertex_a, found.vertex_b};
    identify_features(a, b, plane);
    return plane;
  }
  const Point<3>& normal = found.gap > known.gap ? found.normal : known.normal;
  const VertexPair at = support_pair(a, b, normal, known.vertex_a, known.vertex_b);
  return search_all_axes(a, b, {normal, dot(normal, at.separation), at.a, at.b});
}

// Larger gaps, until there are none.
void maximize_gap(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane) {
  constexpr int most_tries = 20;
  for (int tries = 0; tries < most_tries; ++tries) {
    if (!hill_climb(a, b, plane)) break;
    if (plane.gap > 0) return;
    const PenetrationCheck ways = check_penetration(a, b, plane);
    if (ways == PenetrationCheck::minimal) return;
    if (ways == PenetrationCheck::undecided) break;
  }
  plane = resolve_by_distance(a, b, plane);
}

CommonPlane<3> search_from_normal(const PolyhedronView& a, const PolyhedronView& b,
                                  const Point<3>& normal, const VertexPair& pair) {
  CommonPlane<3> plane{normal, dot(normal, pair.separation), pair.a, pair.b};
  if (max_abs(pair.separation) > coincidence_tolerance * pair_size(a, b))
    maximize_gap(a, b, plane);
  else
    identify_features(a, b, plane);  // corner on corner: any plane will do
  return plane;
}

CommonPlane<3> cold_start(const PolyhedronView& a, const PolyhedronView& b) {
  Point<3> line = difference(b.centroid, a.centroid);
  const bool same_place = max_abs(line) <= coincidence_tolerance * pair_size(a, b);
  if (same_place) line = face_normal(*a.topology, a.vertices, 0);
  const Point<3> normal = scaled(line, 1 / length(line));
  return search_from_normal(a, b, normal, support_pair(a, b, line));
}

CommonPlane<3> with_roles_swapped(const CommonPlane<3>& plane) {
  constexpr PlaneKind kinds[] = {PlaneKind::vertices, PlaneKind::face_b, PlaneKind::face_a,
                                 PlaneKind::edges,    PlaneKind::edge_b, PlaneKind::edge_a};
  return {reversed(plane.normal),
          plane.gap,
          plane.vertex_b,
          plane.vertex_a,
          kinds[static_cast<std::size_t>(plane.kind)],
          plane.feature_b,
          plane.feature_a};
}

// Whether a search can begin with a plane: then it was found between two such bodies.
bool is_usable(const PolyhedronView& a, const PolyhedronView& b, const CommonPlane<3>& plane) {
  return plane.vertex_a < a.topology->vertex_count() &&
         plane.vertex_b < b.topology->vertex_count() &&
         std::abs(dot(plane.normal, plane.normal) - 1) < 1e-6;
}

// When a plane does not stand any more. It and the next are rare, and would be in the way of what
// is not.
[[gnu::noinline]] CommonPlane<3> restart_search(const PolyhedronView& a, const PolyhedronView& b,
                                                const CommonPlane<3>& previous) {
  if (!is_usable(a, b, previous)) return common_plane(a, b);
  return search_from_normal(
      a, b, previous.normal,
      support_pair(a, b, previous.normal, previous.vertex_a, previous.vertex_b));
}

// When it leans on the same parts, but is perhaps not the shortest way out.
[[gnu::noinline]] void recheck_penetration(const PolyhedronView& a, const PolyhedronView& b,
                                           CommonPlane<3>& plane) {
  if (check_penetration(a, b, plane) != PenetrationCheck::minimal) maximize_gap(a, b, plane);
}

}  // namespace

CommonPlane<3> common_plane(const PolyhedronView& a, const PolyhedronView& b) {
  // In an order of their own, so that (b, a) is (a, b) turned round to the last bit.
  return b.centroid < a.centroid ? with_roles_swapped(cold_start(b, a)) : cold_start(a, b);
}

CommonPlane<3> common_plane(const PolyhedronView& a, const PolyhedronView& b,
                            const CommonPlane<3>& previous) {
  // Asked for before it is known what hangs together with them.
  __builtin_prefetch(a.vertices.data() + previous.vertex_a);
  __builtin_prefetch(b.vertices.data() + previous.vertex_b);
  CommonPlane<3> plane = previous;
  const Certificate certificate = certify(a, b, plane);
  if (certificate == Certificate::supported) recheck_penetration(a, b, plane);
  if (certificate == Certificate::none) plane = restart_search(a, b, previous);
  return plane;
}

}  // namespace abut

// What a plane leans on: of the spokes of its nearest corner those that lie in it. Two in a row are
// a face, one an edge. Where faces or edges of both lie in it, a plane made of one corner may not
// be certified (certificate.hpp), because that corner is beside the face of the other: the pairs of
// corners, edges and faces that are tied are tried until one is.
namespace abut {
namespace {

struct SupportFeature {
  Index half_edge = 0;
  int vertex_count = 1;  // 1, 2, or 3 for a face
};

SupportFeature support_feature(const PolyhedronView& body, Index corner, const Point<3>& out,
                               double slack) {
  const PolyhedronTopology& topology = *body.topology;
  const Index begin = topology.vertex_offsets[corner];
  const Index end = topology.vertex_offsets[corner + 1];
  const auto is_tied = [&](Index k) {
    const Point<3> spoke =
        difference(body.vertices[topology.outgoing_edges[k].target], body.vertices[corner]);
    return std::abs(dot(out, spoke)) <= slack;
  };
  SupportFeature lean;
  bool before = is_tied(end - 1);
  for (Index k = begin; k < end; ++k) {
    const bool tied = is_tied(k);
    if (tied && before) return {topology.outgoing_edges[k == begin ? end - 1 : k - 1].half_edge, 3};
    if (tied) lean = {topology.outgoing_edges[k].half_edge, 2};
    before = tied;
  }
  return lean;
}

// Parallel edges: each end of one beside the other.
void certify_parallel_edges(const PolyhedronView& a, const PolyhedronView& b,
                            CommonPlane<3>& plane) {
  const auto end = [](const PolyhedronView& body, Index h, bool far) {
    return body.topology->half_edges[far ? body.topology->half_edges[h].next : h].origin;
  };
  for (const bool far : {false, true})
    for (const PlaneKind kind : {PlaneKind::edge_a, PlaneKind::edge_b}) {
      CommonPlane<3> candidate = plane;
      candidate.kind = kind;
      if (kind == PlaneKind::edge_a)
        candidate.vertex_b = end(b, plane.feature_b, far);
      else
        candidate.vertex_a = end(a, plane.feature_a, far);
      if (certify(a, b, candidate) == Certificate::none || candidate.gap < plane.gap) continue;
      plane = candidate;
      return;
    }
}

// Along faces that lie in one plane, to where the one is above the other; the plane stays.
void slide_along_faces(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane) {
  constexpr int most_steps = 30;
  const double slack = rounding_tolerance(a, b);
  CommonPlane<3> next = plane;
  bool settled = false;
  for (int step = 0; step < most_steps; ++step) {
    if (!hill_climb_step(a, b, slack, next, settled)) break;
    if (next.gap < plane.gap - slack || dot(next.normal, plane.normal) < 1 - 1e-9) return;
  }
  if (settled) plane = next;
}

}  // namespace

void identify_features(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane) {
  const double slack = 8 * rounding_tolerance(a, b);
  const SupportFeature on_a = support_feature(a, plane.vertex_a, plane.normal, slack);
  const SupportFeature on_b = support_feature(b, plane.vertex_b, reversed(plane.normal), slack);
  plane.feature_a =
      on_a.vertex_count == 3 ? a.topology->half_edges[on_a.half_edge].face : on_a.half_edge;
  plane.feature_b =
      on_b.vertex_count == 3 ? b.topology->half_edges[on_b.half_edge].face : on_b.half_edge;
  if (on_a.vertex_count == 3 || on_b.vertex_count == 3) {
    plane.kind = on_a.vertex_count == 3 ? PlaneKind::face_a : PlaneKind::face_b;
    if (on_a.vertex_count > 1 && on_b.vertex_count > 1) slide_along_faces(a, b, plane);
  } else if (on_a.vertex_count == 2 && on_b.vertex_count == 2) {
    plane.kind = PlaneKind::edges;
    CommonPlane<3> crossed = plane;
    if (certify(a, b, crossed) == Certificate::none)
      certify_parallel_edges(a, b, plane);
    else
      plane = crossed;
  } else {
    plane.kind = on_a.vertex_count == 2   ? PlaneKind::edge_a
                 : on_b.vertex_count == 2 ? PlaneKind::edge_b
                                          : PlaneKind::vertices;
  }
}

ContactStatus contact_status(double gap, double tolerance) {
  if (gap < 0) return ContactStatus::active;
  return gap <= tolerance ? ContactStatus::potential : ContactStatus::separated;
}

}  // namespace abut
