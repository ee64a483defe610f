#pragma once

#include "narrow/ascent_2d.hpp"
#include "narrow/axes_2d.hpp"

namespace abut {

/// The common plane of two polygons: `ascended` where a separating normal is at hand, axes where
/// not. From the line of the centres, or from the plane of the step before.
///
/// Different from the paper: it moves polygons that overlap apart along the old normal, takes the
/// plane they have there, and so keeps a stale plane when they slide. Here f is the true one.

inline double gap_along(const PolygonView& a, const PolygonView& b, const Nearest& near,
                        const Point<2>& normal) {
  return dot(normal, difference(b.corners[near.b], a.corners[near.a]));
}

/// Where no separating normal is known: the best axis, and from there on if it separates.
template <class Watch>
CommonPlane<2> plane_by_axes(const PolygonView& a, const PolygonView& b, const Nearest& near,
                             Watch& watch) {
  const Axis best = best_axis(a, b, near);
  const CommonPlane<2> plane = plane_along(best);
  if constexpr (Watch::looks) watch.took(plane.gap);
  return plane.gap > 0 ? ascended(a, b, {plane.a, plane.b}, plane.normal, watch) : plane;
}

template <class Watch>
CommonPlane<2> cold_plane(const PolygonView& a, const PolygonView& b, Watch& watch) {
  Point<2> normal = difference(b.centre, a.centre);
  if (normal == Point<2>{}) normal = {1, 0};
  const Nearest near = nearest(a, b, normal);
  const double gap = gap_along(a, b, near, normal);
  if constexpr (Watch::looks) watch.took(gap / length(normal));
  return gap > 0 ? ascended(a, b, near, normal, watch) : plane_by_axes(a, b, near, watch);
}

/// From a normal that was good before.
template <class Watch>
CommonPlane<2> plane_from(const PolygonView& a, const PolygonView& b,
                          const CommonPlane<2>& previous, Watch& watch) {
  const Point<2>& normal = previous.normal;
  if (!(dot(normal, normal) > 0.5) || previous.a >= count(a) || previous.b >= count(b))
    return cold_plane(a, b, watch);
  const Nearest near{farthest_from(a, normal, previous.a),
                     farthest_from(b, scaled(normal, -1), previous.b)};
  const double gap = gap_along(a, b, near, normal);
  if constexpr (Watch::looks) watch.took(gap);
  if (gap > 0) return ascended(a, b, near, normal, watch);
  const Axis top = climbed(axis_beside(a, b, near), watch);
  const AxisGap found = gap_along(top);
  if (found.over < 0 && surely_overlap(top)) return plane_along(top);
  if (found.over > 0) {
    const CommonPlane<2> plane = plane_along(top);
    return ascended(a, b, {plane.a, plane.b}, plane.normal, watch);
  }
  return plane_by_axes(a, b, near, watch);
}

/// Whether the two corners of a bisector are still the nearest points.
inline bool still_bisects(const PolygonView& a, const PolygonView& b,
                          const CommonPlane<2>& previous, CommonPlane<2>& plane) {
  const Point<2>& from = a.corners[previous.a];
  const Point<2>& to = b.corners[previous.b];
  const Point<2> apart = difference(to, from);
  const auto ahead = [&](const Point<2>& corner, const Point<2>& origin) {
    return dot(apart, difference(corner, origin));
  };
  const double nearer_a = std::max(ahead(a.corners[after(a, previous.a)], from),
                                   ahead(a.corners[before(a, previous.a)], from));
  const double nearer_b = std::min(ahead(b.corners[after(b, previous.b)], to),
                                   ahead(b.corners[before(b, previous.b)], to));
  const double square = dot(apart, apart);
  if (!(nearer_a <= 0 && nearer_b >= 0 && square > 0)) return false;
  const double gap = std::sqrt(square);
  plane = {scaled(apart, 1 / gap), gap, previous.a, previous.b, PlaneKind::bisector};
  return true;
}

/// Whether the side and the corner of a plane still face each other and, where they overlap, no
/// neighbouring axis is better.
inline bool still_faces(const Axis& axis, CommonPlane<2>& plane) {
  const Point<2> along = difference(axis.end(), axis.start());
  const Point<2> apart = difference(axis.facing(), axis.start());
  const double foot = dot(apart, along);
  const double square = dot(along, along);
  const auto nearer = [&](Index corner) {
    return wedge(difference(axis.other->corners[corner], axis.facing()), along);
  };
  const double least =
      std::min(nearer(after(*axis.other, axis.corner)), nearer(before(*axis.other, axis.corner)));
  if (!(foot >= 0 && foot <= square && least >= 0)) return false;
  const double over = wedge(apart, along);
  if (over < 0) {
    const double rank = AxisGap{over, square}.rank();
    if (gap_along(next_axis(axis)).rank() > rank || gap_along(axis_before(axis)).rank() > rank ||
        !surely_overlap(axis))
      return false;
  }
  const double per_length = 1 / std::sqrt(square);
  plane.normal = scaled(outwards(along), axis.of_b ? -per_length : per_length);
  plane.gap = over * per_length;
  return true;
}

template <class Watch>
CommonPlane<2> warm_plane(const PolygonView& a, const PolygonView& b,
                          const CommonPlane<2>& previous, Watch& watch) {
  if (previous.a >= count(a) || previous.b >= count(b)) return cold_plane(a, b, watch);
  CommonPlane<2> plane = previous;
  const bool of_b = previous.kind == PlaneKind::side_b;
  const bool still = previous.kind == PlaneKind::bisector
                         ? still_bisects(a, b, previous, plane)
                         : still_faces(of_b ? Axis{&b, &a, previous.b, previous.a, true}
                                            : Axis{&a, &b, previous.a, previous.b, false},
                                       plane);
  if (!still) return plane_from(a, b, previous, watch);
  if constexpr (Watch::looks) watch.took(plane.gap);
  return plane;
}

}  // namespace abut
