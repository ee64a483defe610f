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
CommonPlane<2> plane_by_axes(const PolygonView& a, const PolygonView& b, const Nearest& near,
                             Watch& watch) {
  const CommonPlane<2> plane = plane_along(a, b, best_axis(a, b, near));
  if constexpr (Watch::looks) watch.took(plane.gap);
  return plane.gap > 0 ? ascended(a, b, {plane.a, plane.b}, plane.normal, watch) : plane;
}

template <class Watch>
CommonPlane<2> cold_plane(const PolygonView& a, const PolygonView& b, Watch& watch) {
  Point<2> normal = difference(b.centre, a.centre);
  if (normal == Point<2>{}) normal = {1, 0};
  const Nearest near = nearest(a, b, normal);
  const double gap = dot(normal, apart(a, b, near));
  if constexpr (Watch::looks) watch.took(gap / length(normal));
  return gap > 0 ? ascended(a, b, near, normal, watch) : plane_by_axes(a, b, near, watch);
}

/// From a normal that was good before.
template <class Watch>
[[gnu::noinline]] CommonPlane<2> plane_from(const PolygonView& a, const PolygonView& b,
                                            const CommonPlane<2>& previous, Watch& watch) {
  const Point<2>& normal = previous.normal;
  if (!(std::abs(dot(normal, normal) - 1) < 0.5)) return cold_plane(a, b, watch);  // none yet
  const Nearest near{farthest_from(a, normal, previous.a),
                     farthest_from(b, scaled(normal, -1), previous.b)};
  const double gap = dot(normal, apart(a, b, near));
  if constexpr (Watch::looks) watch.took(gap);
  if (gap > 0) return ascended(a, b, near, normal, watch);
  const Axis top = climbed(a, b, better_axis(a, b, near), watch);
  const CommonPlane<2> plane = plane_along(a, b, top);
  if (plane.gap > 0) return ascended(a, b, top.near, plane.normal, watch);
  if (plane.gap < 0 && surely_overlap(a, b, top, apart(a, b, top.near), along(a, b, top)))
    return plane;
  return plane_by_axes(a, b, near, watch);
}

/// Whether no neighbour of an axis is better.
[[gnu::noinline]] inline bool tops_neighbours(const PolygonView& a, const PolygonView& b,
                                              const Axis& axis) {
  const Axis ahead = axis_after(a, b, axis);
  const Axis behind = axis_before(a, b, axis.near);
  return std::max(rank(a, b, ahead), rank(a, b, behind)) <= rank(a, b, axis);
}

/// Whether the plane of the step before is still what it was, and where it is now. The corners
/// nearest to it must still be, and what it is parallel to must face the other corner; where the
/// polygons overlap, no neighbouring axis may be better. One way for all kinds, without a branch on
/// the kind: a bisector is parallel to no side, `edge` is 0.
[[gnu::always_inline]] inline bool still_stands(const PolygonView& a, const PolygonView& b,
                                                const CommonPlane<2>& previous,
                                                CommonPlane<2>& plane) {
  const Nearest near{previous.a, previous.b};
  const Point<2>& from = a.corners[near.a];
  const Point<2>& to = b.corners[near.b];
  const Point<2> across = difference(to, from);
  const Point<2> ahead_a = difference(a.corners[after(a, near.a)], from);
  const Point<2> ahead_b = difference(b.corners[after(b, near.b)], to);
  const Point<2> back_a = difference(a.corners[before(a, near.a)], from);
  const Point<2> back_b = difference(b.corners[before(b, near.b)], to);
  const bool bisects = previous.kind == PlaneKind::bisector;
  const bool of_a = previous.kind == PlaneKind::side_a;
  const Point<2> side = either(of_a, ahead_a, scaled(ahead_b, -1));
  const Point<2> edge = either(bisects, {0, 0}, side);
  const Point<2> normal = either(bisects, across, outwards(side));
  const double foot = dot(across, edge);
  const double nearer_a = std::max(dot(normal, ahead_a), dot(normal, back_a));
  const double nearer_b = std::min(dot(normal, ahead_b), dot(normal, back_b));
  const double square = dot(normal, normal);
  const double over = dot(normal, across);
  const bool faces =
      (foot >= 0) & (foot <= dot(edge, edge)) & (nearer_a <= 0) & (nearer_b >= 0) & (square > 0);
  if (!faces) return false;
  if (over < 0) {
    // By an angle t < 90° from the axis to a neighbour, with the foot at a distance s from the end
    // of the side, f falls from over to over·cos t − s·sin t: no neighbour is better if s > −over.
    const Axis axis{near, of_a};
    const Point<2> ahead = either(of_a, ahead_b, ahead_a);
    const Point<2> back = either(of_a, back_b, back_a);
    const double sign = of_a ? -1 : 1;
    const bool clear = (std::min(foot, square - foot) >= -over) &
                       (std::min(dot(ahead, edge) * sign, dot(back, edge) * -sign) >= 0);
    if (!clear && !tops_neighbours(a, b, axis)) return false;
    if (!surely_overlap(a, b, axis, across, edge)) return false;
  }
  const double per_length = 1 / std::sqrt(square);
  plane.normal = scaled(normal, per_length);
  plane.gap = over * per_length;
  plane.a = near.a;
  plane.b = near.b;
  plane.kind = previous.kind;
  return true;
}

template <class Watch>
CommonPlane<2> warm_plane(const PolygonView& a, const PolygonView& b,
                          const CommonPlane<2>& previous, Watch& watch) {
  CommonPlane<2> plane;
  if (previous.a >= count(a) || previous.b >= count(b))
    plane = cold_plane(a, b, watch);
  else if (!still_stands(a, b, previous, plane))
    plane = plane_from(a, b, previous, watch);
  else if constexpr (Watch::looks)
    watch.took(plane.gap);
  return plane;
}

}  // namespace abut
