// The common plane of two convex polyhedra: the unit vector n that maximizes the gap
//   f(n) = min over x in b of n·x − max over x in a of n·x
// (Cundall 1988; Nezami, Hashash, Ghaboussi and Zhao 2004, who test a few candidates instead of
// iterating, in 2D).
//
//   warm start: certify the previous plane from its features, O(1)            plane_certificate.cpp
//   cold start: hill climbing, one candidate leading to the next              hill_climb.cpp
//               for overlapping bodies, check for a smaller penetration       plane_certificate.cpp
//   fallback:   distance by GJK and separating axes, if rounding errors
//               prevent a decision                              gjk.cpp, separating_axes_3d.cpp
//
// Unlike in the paper, bodies are not separated first, ties do not end the search, and the plane of
// overlapping bodies is exact.
#include "narrow/common_plane_3d.hpp"

#include <array>
#include <cmath>

namespace abut {
namespace {

// Of the pair size: vectors up to this length have no reliable direction.
constexpr double coincidence_tolerance = 1e-11;

double pair_size(const PolyhedronView& a, const PolyhedronView& b) {
  return a.topology->bounding_radius + b.topology->bounding_radius;
}

// ---- features of a plane

// The feature of a body that lies in a plane: a vertex, an edge or a face.
struct SupportFeature {
  Index half_edge = 0;
  int vertex_count = 1;  // 3 for a face
};

// From the edges at the closest vertex that lie in the plane: two adjacent ones span a face.
SupportFeature support_feature(const PolyhedronView& body, Index vertex, const Point<3>& outward,
                               double tolerance) {
  const PolyhedronTopology& topology = *body.topology;
  const Index begin = topology.vertex_offsets[vertex];
  const Index end = topology.vertex_offsets[vertex + 1];
  const auto is_in_plane = [&](Index k) {
    const Point<3> edge =
        difference(body.vertices[topology.outgoing_edges[k].target], body.vertices[vertex]);
    return std::abs(dot(outward, edge)) <= tolerance;
  };
  SupportFeature feature;
  bool previous_in_plane = is_in_plane(end - 1);
  for (Index k = begin; k < end; ++k) {
    const bool in_plane = is_in_plane(k);
    if (in_plane && previous_in_plane)
      return {topology.outgoing_edges[k == begin ? end - 1 : k - 1].half_edge, 3};
    if (in_plane) feature = {topology.outgoing_edges[k].half_edge, 2};
    previous_in_plane = in_plane;
  }
  return feature;
}

// For parallel edges: finds an end of one that projects into the other.
void certify_parallel_edges(const PolyhedronView& a, const PolyhedronView& b,
                            CommonPlane<3>& plane) {
  const auto edge_end = [](const PolyhedronView& body, Index half_edge, bool at_target) {
    const auto& half_edges = body.topology->half_edges;
    return half_edges[at_target ? half_edges[half_edge].next : half_edge].origin;
  };
  for (const bool at_target : {false, true})
    for (const PlaneKind kind : {PlaneKind::edge_a, PlaneKind::edge_b}) {
      CommonPlane<3> candidate = plane;
      candidate.kind = kind;
      if (kind == PlaneKind::edge_a)
        candidate.vertex_b = edge_end(b, plane.feature_b, at_target);
      else
        candidate.vertex_a = edge_end(a, plane.feature_a, at_target);
      if (certify(a, b, candidate) == Certificate::none || candidate.gap < plane.gap) continue;
      plane = candidate;
      return;
    }
}

// When features of both bodies lie in the plane, the closest vertex may not project into the face
// of the other. Moves to features that do, without changing the plane.
void slide_along_faces(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane) {
  constexpr int max_steps = 30;
  const double tolerance = rounding_tolerance(a, b);
  CommonPlane<3> next = plane;
  bool converged = false;
  for (int step = 0; step < max_steps; ++step) {
    if (!hill_climb_step(a, b, tolerance, next, converged)) break;
    if (next.gap < plane.gap - tolerance || dot(next.normal, plane.normal) < 1 - 1e-9) return;
  }
  if (converged) plane = next;
}

// ---- search

// The best of all separating axes: slow but certain.
CommonPlane<3> search_all_axes(const PolyhedronView& a, const PolyhedronView& b,
                               const CommonPlane<3>& start) {
  CommonPlane<3> best = search_separating_axes(a, b, start);
  if (best.kind == PlaneKind::vertices) {
    identify_features(a, b, best);
    return best;
  }
  CommonPlane<3> climbed = best;
  hill_climb(a, b, climbed);  // among coplanar faces, to the one the other body projects into
  return climbed.gap >= best.gap ? climbed : best;
}

// When hill climbing could not tell whether the bodies overlap.
CommonPlane<3> resolve_by_distance(const PolyhedronView& a, const PolyhedronView& b,
                                   const CommonPlane<3>& start) {
  const GjkResult found = gjk_distance(a, b, vertex_pair(a, b, start.vertex_a, start.vertex_b));
  if (found.proximity == Proximity::separated) {
    CommonPlane<3> plane{found.normal, found.gap, found.vertex_a, found.vertex_b};
    identify_features(a, b, plane);
    return plane;
  }
  const Point<3>& normal = found.gap > start.gap ? found.normal : start.normal;
  const VertexPair pair = support_pair(a, b, normal, start.vertex_a, start.vertex_b);
  return search_all_axes(a, b, {normal, dot(normal, pair.separation), pair.a, pair.b});
}

void maximize_gap(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane) {
  constexpr int max_rounds = 20;
  for (int round = 0; round < max_rounds; ++round) {
    if (!hill_climb(a, b, plane)) break;
    if (plane.gap > 0) return;
    const PenetrationCheck check = check_penetration(a, b, plane);
    if (check == PenetrationCheck::minimal) return;
    if (check == PenetrationCheck::undecided) break;
  }
  plane = resolve_by_distance(a, b, plane);
}

CommonPlane<3> search_from_normal(const PolyhedronView& a, const PolyhedronView& b,
                                  const Point<3>& normal, const VertexPair& closest) {
  CommonPlane<3> plane{normal, dot(normal, closest.separation), closest.a, closest.b};
  if (max_abs(closest.separation) > coincidence_tolerance * pair_size(a, b))
    maximize_gap(a, b, plane);
  else
    identify_features(a, b, plane);  // the vertices coincide: any plane between the bodies will do
  return plane;
}

// Starts with the plane normal to the line of centroids.
CommonPlane<3> cold_start(const PolyhedronView& a, const PolyhedronView& b) {
  Point<3> line = difference(b.centroid, a.centroid);
  const bool coincide = max_abs(line) <= coincidence_tolerance * pair_size(a, b);
  if (coincide) line = face_normal(*a.topology, a.vertices, 0);
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

// Whether a plane can belong to these two bodies and start a search.
bool is_usable(const PolyhedronView& a, const PolyhedronView& b, const CommonPlane<3>& plane) {
  return plane.vertex_a < a.topology->vertex_count() &&
         plane.vertex_b < b.topology->vertex_count() &&
         std::abs(dot(plane.normal, plane.normal) - 1) < 1e-6;
}

// The next two are rare and kept out of line, so that they do not slow down the common case.

// When the previous plane is no longer a maximum.
[[gnu::noinline]] CommonPlane<3> restart_search(const PolyhedronView& a, const PolyhedronView& b,
                                                const CommonPlane<3>& previous) {
  if (!is_usable(a, b, previous)) return common_plane(a, b);
  return search_from_normal(
      a, b, previous.normal,
      support_pair(a, b, previous.normal, previous.vertex_a, previous.vertex_b));
}

// When the previous plane still touches its features but may not have the smallest penetration.
[[gnu::noinline]] void recheck_penetration(const PolyhedronView& a, const PolyhedronView& b,
                                           CommonPlane<3>& plane) {
  if (check_penetration(a, b, plane) != PenetrationCheck::minimal) maximize_gap(a, b, plane);
}

}  // namespace

void identify_features(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane) {
  const double tolerance = 8 * rounding_tolerance(a, b);
  const SupportFeature on_a = support_feature(a, plane.vertex_a, plane.normal, tolerance);
  const SupportFeature on_b = support_feature(b, plane.vertex_b, reversed(plane.normal), tolerance);
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

CommonPlane<3> common_plane(const PolyhedronView& a, const PolyhedronView& b) {
  // In a canonical order, so that swapping a and b reverses the result to the last bit.
  return b.centroid < a.centroid ? with_roles_swapped(cold_start(b, a)) : cold_start(a, b);
}

CommonPlane<3> common_plane(const PolyhedronView& a, const PolyhedronView& b,
                            const CommonPlane<3>& previous) {
  // Loads the vertices while the topology, which leads to them, is still being loaded.
  __builtin_prefetch(a.vertices.data() + previous.vertex_a);
  __builtin_prefetch(b.vertices.data() + previous.vertex_b);
  CommonPlane<3> plane = previous;
  const Certificate certificate = certify(a, b, plane);
  if (certificate == Certificate::supported) recheck_penetration(a, b, plane);
  if (certificate == Certificate::none) plane = restart_search(a, b, previous);
  return plane;
}

}  // namespace abut
