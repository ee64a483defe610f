#pragma once

#include "narrow/ascent_2d.hpp"
#include "narrow/axes_2d.hpp"

namespace abut {

/// The common plane of two polygons: `ascended` where a separating normal is at hand, axes where
/// not. From the line of the centres, or from the plane of the step before.
///
/// Different from the paper: it moves polygons that overlap apart along the old normal, takes the
/// plane they have there, and so keeps a stale plane when they slide. Here f is the true one.

/// Where no separating normal is known: the best axis, and from there on if it separates.
template <class Watch>
CommonPlane<2> plane_by_axes(const PolygonView& a, const PolygonView& b, const FacingCorners& near,
                             Watch watch) {
  const CommonPlane<2> plane = plane_along(a, b, best_axis(a, b, near));
  if constexpr (Watch::looks) watch.took(plane.gap);
  return plane.gap > 0 ? ascended(a, b, {plane.a, plane.b}, plane.normal, watch) : plane;
}

/// From an axis on, where no separating normal is known: uphill to one that separates, or to one
/// that is surely the best. Otherwise all are looked at.
template <class Watch>
[[gnu::noinline]] CommonPlane<2> plane_beside(const PolygonView& a, const PolygonView& b,
                                              Index near_a, Index near_b, Watch watch) {
  const FacingCorners near{near_a, near_b};
  const Point<2> centres = difference(b.centre, a.centre);
  Axis top = better_axis(a, b, near);
  for (const bool again : {true, false}) {
    const Point<2> across = apart(a, b, top.near);
    const Point<2> edge = along(a, b, top);
    if (wedge(across, edge) > 0) return ascended(a, b, top.near, outwards(edge), watch);
    if (surely_best(centres, across, edge)) {
      if constexpr (Watch::looks) watch.took(plane_along(a, b, top).gap);
      return plane_along(a, b, top);
    }
    if (again) top = climbed(a, b, top, watch);
  }
  return plane_by_axes(a, b, near, watch);
}

template <class Watch>
CommonPlane<2> cold_plane(const PolygonView& a, const PolygonView& b, Watch watch) {
  Point<2> normal = difference(b.centre, a.centre);
  if (normal == Point<2>{}) normal = {1, 0};
  const FacingCorners near = nearest(a, b, normal);
  const double gap = dot(normal, apart(a, b, near));
  if constexpr (Watch::looks) watch.took(gap / length(normal));
  if (gap > 0) return ascended(a, b, near, normal, watch);
  return plane_beside(a, b, near.a, near.b, watch);
}

/// From a normal that was good before.
template <class Watch>
[[gnu::noinline]] CommonPlane<2> plane_from(const PolygonView& a, const PolygonView& b,
                                            const CommonPlane<2>& previous, Watch watch) {
  const Point<2>& normal = previous.normal;
  if (!(std::abs(dot(normal, normal) - 1) < 0.5)) return cold_plane(a, b, watch);  // none yet
  const FacingCorners near{farthest_from(a, normal, previous.a),
                           farthest_from(b, scaled(normal, -1), previous.b)};
  const double gap = dot(normal, apart(a, b, near));
  if constexpr (Watch::looks) watch.took(gap);
  if (gap > 0) return ascended(a, b, near, normal, watch);
  const Axis top = climbed(a, b, better_axis(a, b, near), watch);
  const CommonPlane<2> plane = plane_along(a, b, top);
  if (plane.gap > 0) return ascended(a, b, top.near, plane.normal, watch);
  if (plane.gap < 0 && surely_overlap(a, b, top)) return plane;
  return plane_by_axes(a, b, near, watch);
}

/// The plane of the step before where the polygons are now, and whether it is still what it was:
/// the corners nearest to it still are, and what it is parallel to faces the other corner. One way
/// for all kinds: a bisector is parallel to no side, its `edge` is 0.
struct OldPlane {
  Axis axis;
  Point<2> across;  ///< from the one corner to the other
  Point<2> edge;
  Point<2> normal;  ///< of any length
  double square;    ///< of its length
  double over;      ///< gap · length
  bool faces;
};

[[gnu::always_inline]] inline OldPlane old_plane(const PolygonView& a, const PolygonView& b,
                                                 const CommonPlane<2>& previous) {
  const FacingCorners near{previous.a, previous.b};
  const Point<2>& from = a.corners[near.a];
  const Point<2>& to = b.corners[near.b];
  const Point<2> across = difference(to, from);
  const Point<2> ahead_a = difference(a.corners[after(a, near.a)], from);
  const Point<2> ahead_b = difference(to, b.corners[after(b, near.b)]);
  const Point<2> back_a = difference(from, a.corners[before(a, near.a)]);
  const Point<2> back_b = difference(b.corners[before(b, near.b)], to);
  const bool bisects = previous.kind == PlaneKind::bisector;
  const bool of_a = previous.kind == PlaneKind::side_a;
  const Point<2> side = either(of_a, ahead_a, ahead_b);
  const Point<2> edge = either(bisects, {0, 0}, side);
  const Point<2> normal = either(bisects, across, outwards(side));
  const double square = dot(normal, normal);
  const double foot = dot(across, edge);
  const double nearer_a = std::max(dot(normal, ahead_a), -dot(normal, back_a));
  const double nearer_b = std::max(dot(normal, ahead_b), -dot(normal, back_b));
  const double beside = std::max(-foot, foot - dot(edge, edge));
  const bool faces = std::max(beside, std::max(nearer_a, nearer_b)) <= 0 && square > 0;
  return {{near, of_a}, across, edge, normal, square, dot(normal, across), faces};
}

[[gnu::always_inline]] inline CommonPlane<2> plane_now(const OldPlane& old, PlaneKind kind) {
  const double per_length = 1 / std::sqrt(old.square);
  return {scaled(old.normal, per_length), old.over * per_length, old.axis.near.a, old.axis.near.b,
          kind};
}

/// With a look further round.
template <class Watch>
[[gnu::noinline]] CommonPlane<2> followed_plane(const PolygonView& a, const PolygonView& b,
                                                const CommonPlane<2>& previous, Watch watch) {
  const OldPlane old = old_plane(a, b, previous);
  const bool best =
      old.faces && old.over < 0 &&
      std::max(rank(a, b, axis_after(a, b, old.axis)),
               rank(a, b, axis_before(a, b, old.axis.near))) <= rank(old.across, old.edge);
  if (!best || !surely_overlap(a, b, old.axis)) return plane_from(a, b, previous, watch);
  if constexpr (Watch::looks) watch.took(old.over / std::sqrt(old.square));
  return plane_now(old, previous.kind);
}

template <class Watch>
CommonPlane<2> warm_plane(const PolygonView& a, const PolygonView& b,
                          const CommonPlane<2>& previous, Watch watch) {
  if (previous.a >= count(a) || previous.b >= count(b)) return cold_plane(a, b, watch);
  const OldPlane old = old_plane(a, b, previous);
  const bool stands = old.faces && (old.over >= 0 || surely_best(difference(b.centre, a.centre),
                                                                 old.across, old.edge));
  if (!stands) return followed_plane(a, b, previous, watch);
  if constexpr (Watch::looks) watch.took(old.over / std::sqrt(old.square));
  return plane_now(old, previous.kind);
}

}  // namespace abut
