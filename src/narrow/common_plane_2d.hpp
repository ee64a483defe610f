#pragma once

#include <abut/polygon.hpp>
#include <cmath>

#include "narrow/geometry_2d.hpp"
#include "narrow/separating_axes_2d.hpp"

// The common plane of two polygons: `ascend_separated` once a separating normal is known,
// separating axes otherwise. A cold start begins with the line of centroids, a warm start with the
// previous plane.
//
// Unlike the paper (Nezami et al.), which separates overlapping polygons along the previous normal
// and takes the plane of the separated ones, and so keeps a stale plane while they slide, this
// maximizes the actual gap.
//
// Functions are templates of an observer, see NoObserver.

namespace abut {

/// The fast common plane of separated polygons: from a normal n that separates them to the one with
/// the largest gap f(n) = n·(B − A), where A and B are the vertices closest to the plane. One step
/// for each edge that n is rotated past, at most n_a + n_b.
///
/// E. G. Nezami, Y. Hashash, J. Ghaboussi, D. Zhao, A fast contact detection algorithm for discrete
/// element method (2004).
///
/// Differences from the paper: of its five candidates, the normal to AB and the edges at A and B,
/// the sign of n × AB excludes those on one side, and of the other two only the closer one keeps A
/// and B closest. It is the maximum if the other vertex projects into its edge. Otherwise A or B
/// moves to the end of that edge; the paper stops there, when two vertices are equally close.
template <class Observer>
[[gnu::always_inline]] inline CommonPlane<2> ascend_separated(const PolygonView& a,
                                                              const PolygonView& b,
                                                              FacingVertices closest,
                                                              const Point<2>& normal,
                                                              Observer observer) {
  Point<2> line = difference(b.vertices[closest.b], a.vertices[closest.a]);
  const bool left = cross_2d(normal, line) > 0;  // rotate n counterclockwise
  const auto advance = [left](const PolygonView& polygon, Index vertex) {
    return select(left, next_vertex(polygon, vertex), previous_vertex(polygon, vertex));
  };
  for (std::size_t remaining = a.vertices.size() + b.vertices.size(); remaining > 0; --remaining) {
    const FacingVertices next{advance(a, closest.a), advance(b, closest.b)};
    const Point<2> edge_a = difference(a.vertices[next.a], a.vertices[closest.a]);
    const Point<2> edge_b = difference(b.vertices[closest.b], b.vertices[next.b]);
    const bool is_a = (cross_2d(edge_a, edge_b) > 0) == left;  // n becomes normal to it first
    const Point<2> edge = select(is_a, edge_a, edge_b);
    const double projection = dot(line, edge);
    if (projection <= 0) break;
    const double edge_squared = dot(edge, edge);
    if (projection <= edge_squared) {
      const double inverse_length = (left ? 1 : -1) / std::sqrt(edge_squared);
      const Point<2> n = scaled(outward_normal(edge), inverse_length);
      if constexpr (Observer::is_enabled) observer.on_plane(dot(n, line));
      const Index first_a = select(is_a && !left, next.a, closest.a);
      const Index first_b = select(!is_a && !left, next.b, closest.b);
      return {n, dot(n, line), first_a, first_b, is_a ? PlaneKind::face_a : PlaneKind::face_b};
    }
    if constexpr (Observer::is_enabled)
      observer.on_plane((left ? 1 : -1) * dot(outward_normal(edge), line) /
                        std::sqrt(edge_squared));
    line = difference(line, edge);
    closest.a = select(is_a, next.a, closest.a);
    closest.b = select(is_a, closest.b, next.b);
  }
  const double gap = length(line);
  if constexpr (Observer::is_enabled) observer.on_plane(gap);
  return {scaled(line, 1 / gap), gap, closest.a, closest.b, PlaneKind::vertices};
}

/// When no separating normal is known: the best of all axes, and the ascent from it if it
/// separates.
template <class Observer>
CommonPlane<2> plane_from_all_axes(const PolygonView& a, const PolygonView& b,
                                   const FacingVertices& start, Observer observer) {
  const CommonPlane<2> plane = plane_of_axis(a, b, best_axis(a, b, start));
  if constexpr (Observer::is_enabled) observer.on_plane(plane.gap);
  return plane.gap > 0
             ? ascend_separated(a, b, {plane.vertex_a, plane.vertex_b}, plane.normal, observer)
             : plane;
}

/// When no separating normal is known: hill climbing over axes to one that separates or that is
/// certified to be the best; all axes if there is neither.
template <class Observer>
[[gnu::noinline]] CommonPlane<2> plane_from_vertices(const PolygonView& a, const PolygonView& b,
                                                     Index vertex_a, Index vertex_b,
                                                     Observer observer) {
  const FacingVertices start{vertex_a, vertex_b};
  const Point<2> centroids = difference(b.centroid, a.centroid);
  SeparatingAxis axis = better_adjacent_axis(a, b, start);
  for (const bool is_first : {true, false}) {
    const Point<2> line = separation(a, b, axis.vertices);
    const Point<2> edge = edge_direction(a, b, axis);
    if (cross_2d(line, edge) > 0)
      return ascend_separated(a, b, axis.vertices, outward_normal(edge), observer);
    if (certifies_maximum(centroids, line, edge)) {
      if constexpr (Observer::is_enabled) observer.on_plane(plane_of_axis(a, b, axis).gap);
      return plane_of_axis(a, b, axis);
    }
    if (is_first) axis = climb_axes(a, b, axis, observer);
  }
  return plane_from_all_axes(a, b, start, observer);
}

template <class Observer>
CommonPlane<2> cold_start_plane(const PolygonView& a, const PolygonView& b, Observer observer) {
  Point<2> normal = difference(b.centroid, a.centroid);
  if (normal == Point<2>{}) normal = {1, 0};
  const FacingVertices closest = facing_vertices(a, b, normal);
  const double scaled_gap = dot(normal, separation(a, b, closest));
  if constexpr (Observer::is_enabled) observer.on_plane(scaled_gap / length(normal));
  if (scaled_gap > 0) return ascend_separated(a, b, closest, normal, observer);
  return plane_from_vertices(a, b, closest.a, closest.b, observer);
}

/// Warm start from the previous normal alone, when the features have changed.
template <class Observer>
[[gnu::noinline]] CommonPlane<2> plane_from_normal(const PolygonView& a, const PolygonView& b,
                                                   const CommonPlane<2>& previous,
                                                   Observer observer) {
  const Point<2>& normal = previous.normal;
  if (!(std::abs(dot(normal, normal) - 1) < 0.5)) return cold_start_plane(a, b, observer);
  const FacingVertices closest{support_vertex_from(a, normal, previous.vertex_a),
                               support_vertex_from(b, scaled(normal, -1), previous.vertex_b)};
  const double gap = dot(normal, separation(a, b, closest));
  if constexpr (Observer::is_enabled) observer.on_plane(gap);
  if (gap > 0) return ascend_separated(a, b, closest, normal, observer);
  const SeparatingAxis axis = climb_axes(a, b, better_adjacent_axis(a, b, closest), observer);
  const CommonPlane<2> plane = plane_of_axis(a, b, axis);
  if (plane.gap > 0) return ascend_separated(a, b, axis.vertices, plane.normal, observer);
  if (plane.gap < 0 && certifies_overlap(a, b, axis)) return plane;
  return plane_from_all_axes(a, b, closest, observer);
}

/// The previous plane with its features at their current positions. One code path for all kinds:
/// for `PlaneKind::vertices` the edge is zero.
struct PreviousPlane {
  SeparatingAxis axis;
  Point<2> separation;    ///< between the closest vertices
  Point<2> edge;          ///< that the plane is parallel to
  Point<2> normal;        ///< of any length
  double normal_squared;  ///< |normal|²
  double scaled_gap;      ///< gap · |normal|
  bool is_local_maximum;  ///< the closest vertices are unchanged, and project into the edge
};

[[gnu::always_inline]] inline PreviousPlane previous_plane_now(const PolygonView& a,
                                                               const PolygonView& b,
                                                               const CommonPlane<2>& previous) {
  const FacingVertices closest{previous.vertex_a, previous.vertex_b};
  const Point<2>& from = a.vertices[closest.a];
  const Point<2>& to = b.vertices[closest.b];
  const Point<2> line = difference(to, from);
  const Point<2> next_a = difference(a.vertices[next_vertex(a, closest.a)], from);
  const Point<2> next_b = difference(to, b.vertices[next_vertex(b, closest.b)]);
  const Point<2> previous_a = difference(from, a.vertices[previous_vertex(a, closest.a)]);
  const Point<2> previous_b = difference(b.vertices[previous_vertex(b, closest.b)], to);
  const bool is_vertices = previous.kind == PlaneKind::vertices;
  const bool is_from_a = previous.kind == PlaneKind::face_a;
  const Point<2> side = select(is_from_a, next_a, next_b);
  const Point<2> edge = select(is_vertices, {0, 0}, side);
  const Point<2> normal = select(is_vertices, line, outward_normal(side));
  const double normal_squared = dot(normal, normal);
  const double projection = dot(line, edge);
  const double closer_a = std::max(dot(normal, next_a), -dot(normal, previous_a));
  const double closer_b = std::max(dot(normal, next_b), -dot(normal, previous_b));
  const double outside = std::max(-projection, projection - dot(edge, edge));
  const bool is_local_maximum =
      std::max(outside, std::max(closer_a, closer_b)) <= 0 && normal_squared > 0;
  return {{closest, is_from_a}, line, edge, normal, normal_squared, dot(normal, line),
          is_local_maximum};
}

[[gnu::always_inline]] inline CommonPlane<2> to_common_plane(const PreviousPlane& plane,
                                                             PlaneKind kind) {
  const double inverse_length = 1 / std::sqrt(plane.normal_squared);
  return {scaled(plane.normal, inverse_length), plane.scaled_gap * inverse_length,
          plane.axis.vertices.a, plane.axis.vertices.b, kind};
}

/// Compares the previous plane with the adjacent axes too.
template <class Observer>
[[gnu::noinline]] CommonPlane<2> recheck_previous_plane(const PolygonView& a, const PolygonView& b,
                                                        const CommonPlane<2>& previous,
                                                        Observer observer) {
  const PreviousPlane plane = previous_plane_now(a, b, previous);
  const bool is_best = plane.is_local_maximum && plane.scaled_gap < 0 &&
                       std::max(gap_score(a, b, next_axis(a, b, plane.axis)),
                                gap_score(a, b, previous_axis(a, b, plane.axis.vertices))) <=
                           gap_score(plane.separation, plane.edge);
  if (!is_best || !certifies_overlap(a, b, plane.axis))
    return plane_from_normal(a, b, previous, observer);
  if constexpr (Observer::is_enabled)
    observer.on_plane(plane.scaled_gap / std::sqrt(plane.normal_squared));
  return to_common_plane(plane, previous.kind);
}

template <class Observer>
CommonPlane<2> warm_start_plane(const PolygonView& a, const PolygonView& b,
                                const CommonPlane<2>& previous, Observer observer) {
  if (previous.vertex_a >= vertex_count(a) || previous.vertex_b >= vertex_count(b))
    return cold_start_plane(a, b, observer);
  const PreviousPlane plane = previous_plane_now(a, b, previous);
  const bool is_certified =
      plane.is_local_maximum &&
      (plane.scaled_gap >= 0 ||
       certifies_maximum(difference(b.centroid, a.centroid), plane.separation, plane.edge));
  if (!is_certified) return recheck_previous_plane(a, b, previous, observer);
  if constexpr (Observer::is_enabled)
    observer.on_plane(plane.scaled_gap / std::sqrt(plane.normal_squared));
  return to_common_plane(plane, previous.kind);
}

}  // namespace abut
