#pragma once

#include <abut/polygon.hpp>
#include <cmath>
#include <utility>

#include "narrow/supports.hpp"
#include "narrow/watch.hpp"

namespace abut {

/// The separating axes of two polygons: the outward normals of the sides of each, with the corner
/// of the other that is nearest. Where polygons overlap, the largest gap is that of one of them,
/// because between two neighbouring axes f is the cosine of an obtuse angle, which bends upwards.
///
/// S. Gottschalk, M. C. Lin, D. Manocha, OBBTree (1996). Neighbours in the order of directions are
/// found without angles: the next side of one or that of the other.
struct Axis {
  const PolygonView* own;  ///< whose side it is
  const PolygonView* other;
  Index side;    ///< by its first corner
  Index corner;  ///< of the other, farthest against the normal
  bool of_b;     ///< own is b

  [[nodiscard]] const Point<2>& start() const { return own->corners[side]; }
  [[nodiscard]] const Point<2>& end() const { return own->corners[after(*own, side)]; }
  [[nodiscard]] const Point<2>& facing() const { return other->corners[corner]; }
};

/// The gap along an axis without a root: over = gap · length of the side, square = length².
struct AxisGap {
  double over;
  double square;

  /// Grows with the gap; its square, with the sign of the gap.
  [[nodiscard]] double rank() const { return over / square * std::abs(over); }
};

inline AxisGap gap_along(const Axis& axis) {
  const Point<2> along = difference(axis.end(), axis.start());
  return {wedge(difference(axis.facing(), axis.start()), along), dot(along, along)};
}

/// The next counterclockwise.
inline Axis next_axis(const Axis& at) {
  const Index end = after(*at.own, at.side);
  const bool same = wedge(side(*at.own, end), side(*at.other, at.corner)) < 0;
  return same ? Axis{at.own, at.other, end, at.corner, at.of_b}
              : Axis{at.other, at.own, at.corner, end, !at.of_b};
}

/// The next clockwise.
inline Axis axis_before(const Axis& at) {
  const Index own_side = before(*at.own, at.side);
  const Index other_side = before(*at.other, at.corner);
  const bool same = wedge(side(*at.own, own_side), side(*at.other, other_side)) > 0;
  return same ? Axis{at.own, at.other, own_side, at.corner, at.of_b}
              : Axis{at.other, at.own, other_side, at.side, !at.of_b};
}

/// The first counterclockwise of a direction, by the corners that are nearest along it.
inline Axis axis_beside(const PolygonView& a, const PolygonView& b, const Nearest& near) {
  const bool is_a = wedge(side(a, near.a), side(b, near.b)) < 0;
  return is_a ? Axis{&a, &b, near.a, near.b, false} : Axis{&b, &a, near.b, near.a, true};
}

inline CommonPlane<2> plane_along(const Axis& axis) {
  const Point<2> along = difference(axis.end(), axis.start());
  const double per_length = 1 / length(along);
  const Point<2> normal = scaled(outwards(along), axis.of_b ? -per_length : per_length);
  const double gap = wedge(difference(axis.facing(), axis.start()), along) * per_length;
  if (axis.of_b) return {normal, gap, axis.corner, axis.side, PlaneKind::side_b};
  return {normal, gap, axis.side, axis.corner, PlaneKind::side_a};
}

/// To a neighbouring axis as long as one has a larger gap.
template <class Watch>
Axis climbed(Axis at, Watch& watch) {
  double rank = gap_along(at).rank();
  for (Index left = count(*at.own) + count(*at.other); left > 0; --left) {
    if constexpr (Watch::looks) watch.took(plane_along(at).gap);
    const Axis ahead = next_axis(at);
    const Axis behind = axis_before(at);
    const double rank_ahead = gap_along(ahead).rank();
    const double rank_behind = gap_along(behind).rank();
    if (!(rank_ahead > rank || rank_behind > rank)) break;
    at = rank_ahead >= rank_behind ? ahead : behind;
    rank = std::max(rank_ahead, rank_behind);
  }
  return at;
}

/// The best of all axes, from the direction along which the given corners are nearest once round.
inline Axis best_axis(const PolygonView& a, const PolygonView& b, const Nearest& from) {
  Nearest near = from;
  Nearest best = from;
  bool best_is_a = true;
  double most = -std::numeric_limits<double>::infinity();
  for (Index left = count(a) + count(b); left > 0; --left) {
    const Nearest beyond{after(a, near.a), after(b, near.b)};
    const Point<2> along_a = difference(a.corners[beyond.a], a.corners[near.a]);
    const Point<2> along_b = difference(b.corners[near.b], b.corners[beyond.b]);
    const bool is_a = wedge(along_a, along_b) > 0;
    const Point<2> along{is_a ? along_a[0] : along_b[0], is_a ? along_a[1] : along_b[1]};
    const Point<2> apart = difference(b.corners[near.b], a.corners[near.a]);
    const double rank = AxisGap{wedge(apart, along), dot(along, along)}.rank();
    const bool better = rank > most;
    most = better ? rank : most;
    best = better ? near : best;
    best_is_a = better ? is_a : best_is_a;
    near = is_a ? Nearest{beyond.a, near.b} : Nearest{near.a, beyond.b};
  }
  return best_is_a ? Axis{&a, &b, best.a, best.b, false} : Axis{&b, &a, best.b, best.a, true};
}

/// Whether the corner that is behind the side of an axis, or the way from it to the centre, shows
/// that the polygons have a point in common. A local maximum of f below 0 does not show it.
inline bool surely_overlap(const Axis& axis) {
  const Point<2>& start = axis.start();
  const Point<2>& end = axis.end();
  const Point<2>& corner = axis.facing();
  const Point<2>& centre = axis.own->centre;
  if (wedge(difference(centre, end), difference(corner, end)) >= 0 &&
      wedge(difference(start, centre), difference(corner, centre)) >= 0)
    return true;  // in the triangle of side and centre
  const Point<2> along = difference(end, start);
  const Point<2> inner = difference(axis.other->centre, corner);
  return wedge(along, difference(axis.other->centre, start)) <= 0 &&
         wedge(inner, difference(start, corner)) >= 0 && wedge(inner, difference(end, corner)) <= 0;
}

}  // namespace abut
