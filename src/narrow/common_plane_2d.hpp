#pragma once

#include <abut/polygon.hpp>
#include <cmath>

#include "narrow/geometry_2d.hpp"
#include "narrow/separating_axes_2d.hpp"

namespace abut {

/// The fast common plane of polygons that are apart: from a normal n that separates them to the one
/// with the largest gap f(n) = n·(B − A), A and B being the corners nearest to the plane.
///
/// E. G. Nezami, Y. Hashash, J. Ghaboussi, D. Zhao, A fast contact detection algorithm for discrete
/// element method. Time: a step for each side that n is turned past, at most n_a + n_b.
///
/// Different from the paper: of its five candidates, the bisector of AB and the sides at A and B,
/// the sign of n × AB rules out those on one side, and the nearer of the other two is the only one
/// that A and B belong to. It is best if what it is parallel to faces the other corner. Else A, or
/// B, moves on along it: the paper halts there, where two corners are equally near.
template <class Watch>
[[gnu::always_inline]] inline CommonPlane<2> ascend_separated(const PolygonView& a,
                                                              const PolygonView& b,
                                                              FacingVertices near,
                                                              const Point<2>& normal, Watch watch) {
  Point<2> apart = difference(b.vertices[near.b], a.vertices[near.a]);
  const bool left = cross_2d(normal, apart) > 0;  // turn n counterclockwise
  const auto next = [left](const PolygonView& polygon, Index corner) {
    return select(left, next_vertex(polygon, corner), previous_vertex(polygon, corner));
  };
  for (std::size_t most = a.vertices.size() + b.vertices.size(); most > 0; --most) {
    const FacingVertices beyond{next(a, near.a), next(b, near.b)};
    const Point<2> along_a = difference(a.vertices[beyond.a], a.vertices[near.a]);
    const Point<2> along_b = difference(b.vertices[near.b], b.vertices[beyond.b]);
    const bool is_a =
        (cross_2d(along_a, along_b) > 0) == left;  // which n would be parallel to first
    const Point<2> edge = select(is_a, along_a, along_b);
    const double foot = dot(apart, edge);
    if (foot <= 0) break;
    const double square = dot(edge, edge);
    if (foot <= square) {
      const double per_length = (left ? 1 : -1) / std::sqrt(square);
      const Point<2> n = scaled(outward_normal(edge), per_length);
      if constexpr (Watch::is_enabled) watch.on_plane(dot(n, apart));
      const Index first_a = select(is_a && !left, beyond.a, near.a);
      const Index first_b = select(!is_a && !left, beyond.b, near.b);
      return {n, dot(n, apart), first_a, first_b, is_a ? PlaneKind::face_a : PlaneKind::face_b};
    }
    if constexpr (Watch::is_enabled)
      watch.on_plane((left ? 1 : -1) * dot(outward_normal(edge), apart) / std::sqrt(square));
    apart = difference(apart, edge);
    near.a = select(is_a, beyond.a, near.a);
    near.b = select(is_a, near.b, beyond.b);
  }
  const double gap = length(apart);
  if constexpr (Watch::is_enabled) watch.on_plane(gap);
  return {scaled(apart, 1 / gap), gap, near.a, near.b, PlaneKind::vertices};
}

/// The common plane of two polygons: `ascended` where a separating normal is at hand, axes where
/// not. From the line of the centres, or from the plane of the step before.
///
/// Different from the paper: it moves polygons that overlap apart along the old normal, takes the
/// plane they have there, and so keeps a stale plane when they slide. Here f is the true one.

/// Where no separating normal is known: the best axis, and from there on if it separates.
template <class Watch>
CommonPlane<2> plane_from_all_axes(const PolygonView& a, const PolygonView& b,
                                   const FacingVertices& near, Watch watch) {
  const CommonPlane<2> plane = plane_of_axis(a, b, best_axis(a, b, near));
  if constexpr (Watch::is_enabled) watch.on_plane(plane.gap);
  return plane.gap > 0
             ? ascend_separated(a, b, {plane.vertex_a, plane.vertex_b}, plane.normal, watch)
             : plane;
}

/// From an axis on, where no separating normal is known: uphill to one that separates, or to one
/// that is surely the best. Otherwise all are looked at.
template <class Watch>
[[gnu::noinline]] CommonPlane<2> plane_from_vertices(const PolygonView& a, const PolygonView& b,
                                                     Index near_a, Index near_b, Watch watch) {
  const FacingVertices near{near_a, near_b};
  const Point<2> centres = difference(b.centroid, a.centroid);
  SeparatingAxis top = better_adjacent_axis(a, b, near);
  for (const bool again : {true, false}) {
    const Point<2> across = separation(a, b, top.vertices);
    const Point<2> edge = edge_direction(a, b, top);
    if (cross_2d(across, edge) > 0)
      return ascend_separated(a, b, top.vertices, outward_normal(edge), watch);
    if (certifies_maximum(centres, across, edge)) {
      if constexpr (Watch::is_enabled) watch.on_plane(plane_of_axis(a, b, top).gap);
      return plane_of_axis(a, b, top);
    }
    if (again) top = climb_axes(a, b, top, watch);
  }
  return plane_from_all_axes(a, b, near, watch);
}

template <class Watch>
CommonPlane<2> cold_start_plane(const PolygonView& a, const PolygonView& b, Watch watch) {
  Point<2> normal = difference(b.centroid, a.centroid);
  if (normal == Point<2>{}) normal = {1, 0};
  const FacingVertices near = facing_vertices(a, b, normal);
  const double gap = dot(normal, separation(a, b, near));
  if constexpr (Watch::is_enabled) watch.on_plane(gap / length(normal));
  if (gap > 0) return ascend_separated(a, b, near, normal, watch);
  return plane_from_vertices(a, b, near.a, near.b, watch);
}

/// From a normal that was good before.
template <class Watch>
[[gnu::noinline]] CommonPlane<2> plane_from_normal(const PolygonView& a, const PolygonView& b,
                                                   const CommonPlane<2>& previous, Watch watch) {
  const Point<2>& normal = previous.normal;
  if (!(std::abs(dot(normal, normal) - 1) < 0.5)) return cold_start_plane(a, b, watch);  // none yet
  const FacingVertices near{support_vertex_from(a, normal, previous.vertex_a),
                            support_vertex_from(b, scaled(normal, -1), previous.vertex_b)};
  const double gap = dot(normal, separation(a, b, near));
  if constexpr (Watch::is_enabled) watch.on_plane(gap);
  if (gap > 0) return ascend_separated(a, b, near, normal, watch);
  const SeparatingAxis top = climb_axes(a, b, better_adjacent_axis(a, b, near), watch);
  const CommonPlane<2> plane = plane_of_axis(a, b, top);
  if (plane.gap > 0) return ascend_separated(a, b, top.vertices, plane.normal, watch);
  if (plane.gap < 0 && certifies_overlap(a, b, top)) return plane;
  return plane_from_all_axes(a, b, near, watch);
}

/// The plane of the step before where the polygons are now, and whether it is still what it was:
/// the corners nearest to it still are, and what it is parallel to faces the other corner. One way
/// for all kinds: a bisector is parallel to no side, its `edge` is 0.
struct PreviousPlane {
  SeparatingAxis axis;
  Point<2> separation;  ///< from the one corner to the other
  Point<2> edge;
  Point<2> normal;        ///< of any length
  double normal_squared;  ///< of its length
  double scaled_gap;      ///< gap · length
  bool is_local_maximum;
};

[[gnu::always_inline]] inline PreviousPlane previous_plane_now(const PolygonView& a,
                                                               const PolygonView& b,
                                                               const CommonPlane<2>& previous) {
  const FacingVertices near{previous.vertex_a, previous.vertex_b};
  const Point<2>& from = a.vertices[near.a];
  const Point<2>& to = b.vertices[near.b];
  const Point<2> across = difference(to, from);
  const Point<2> ahead_a = difference(a.vertices[next_vertex(a, near.a)], from);
  const Point<2> ahead_b = difference(to, b.vertices[next_vertex(b, near.b)]);
  const Point<2> back_a = difference(from, a.vertices[previous_vertex(a, near.a)]);
  const Point<2> back_b = difference(b.vertices[previous_vertex(b, near.b)], to);
  const bool bisects = previous.kind == PlaneKind::vertices;
  const bool of_a = previous.kind == PlaneKind::face_a;
  const Point<2> side = select(of_a, ahead_a, ahead_b);
  const Point<2> edge = select(bisects, {0, 0}, side);
  const Point<2> normal = select(bisects, across, outward_normal(side));
  const double square = dot(normal, normal);
  const double foot = dot(across, edge);
  const double nearer_a = std::max(dot(normal, ahead_a), -dot(normal, back_a));
  const double nearer_b = std::max(dot(normal, ahead_b), -dot(normal, back_b));
  const double beside = std::max(-foot, foot - dot(edge, edge));
  const bool faces = std::max(beside, std::max(nearer_a, nearer_b)) <= 0 && square > 0;
  return {{near, of_a}, across, edge, normal, square, dot(normal, across), faces};
}

[[gnu::always_inline]] inline CommonPlane<2> to_common_plane(const PreviousPlane& old,
                                                             PlaneKind kind) {
  const double per_length = 1 / std::sqrt(old.normal_squared);
  return {scaled(old.normal, per_length), old.scaled_gap * per_length, old.axis.vertices.a,
          old.axis.vertices.b, kind};
}

/// With a look further round.
template <class Watch>
[[gnu::noinline]] CommonPlane<2> recheck_previous_plane(const PolygonView& a, const PolygonView& b,
                                                        const CommonPlane<2>& previous,
                                                        Watch watch) {
  const PreviousPlane old = previous_plane_now(a, b, previous);
  const bool best = old.is_local_maximum && old.scaled_gap < 0 &&
                    std::max(gap_score(a, b, next_axis(a, b, old.axis)),
                             gap_score(a, b, previous_axis(a, b, old.axis.vertices))) <=
                        gap_score(old.separation, old.edge);
  if (!best || !certifies_overlap(a, b, old.axis)) return plane_from_normal(a, b, previous, watch);
  if constexpr (Watch::is_enabled) watch.on_plane(old.scaled_gap / std::sqrt(old.normal_squared));
  return to_common_plane(old, previous.kind);
}

template <class Watch>
CommonPlane<2> warm_start_plane(const PolygonView& a, const PolygonView& b,
                                const CommonPlane<2>& previous, Watch watch) {
  if (previous.vertex_a >= vertex_count(a) || previous.vertex_b >= vertex_count(b))
    return cold_start_plane(a, b, watch);
  const PreviousPlane old = previous_plane_now(a, b, previous);
  const bool stands = old.is_local_maximum &&
                      (old.scaled_gap >= 0 || certifies_maximum(difference(b.centroid, a.centroid),
                                                                old.separation, old.edge));
  if (!stands) return recheck_previous_plane(a, b, previous, watch);
  if constexpr (Watch::is_enabled) watch.on_plane(old.scaled_gap / std::sqrt(old.normal_squared));
  return to_common_plane(old, previous.kind);
}

}  // namespace abut
