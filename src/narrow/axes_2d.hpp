#pragma once

#include <abut/polygon.hpp>
#include <cmath>

#include "narrow/supports.hpp"
#include "narrow/watch.hpp"

namespace abut {

/// The separating axes of two polygons: the outward normals of the sides of a, and the inward ones
/// of b, each with the corner of the other that is nearest. Where polygons overlap, the largest gap
/// is that of one of them, because between neighbouring axes f is the cosine of an obtuse angle,
/// which bends upwards.
///
/// S. Gottschalk, M. C. Lin, D. Manocha, OBBTree (1996). Neighbours in the order of directions are
/// found without angles: either the next side of a or that of b.
struct Axis {
  FacingCorners near;  ///< of the side, its first corner
  bool of_a;           ///< whose side it is
};

/// The side of an axis, turned so that the axis is outwards of it.
[[gnu::always_inline]] inline Point<2> along(const PolygonView& a, const PolygonView& b,
                                             const Axis& axis) {
  const Point<2> back = difference(b.corners[axis.near.b], b.corners[after(b, axis.near.b)]);
  return either(axis.of_a, side(a, axis.near.a), back);
}

[[gnu::always_inline]] inline Point<2> apart(const PolygonView& a, const PolygonView& b,
                                             const FacingCorners& near) {
  return difference(b.corners[near.b], a.corners[near.a]);
}

/// Grows with the gap along an axis: its square, with the sign of the gap.
[[gnu::always_inline]] inline double rank(const Point<2>& apart, const Point<2>& along) {
  const double over = wedge(apart, along);
  return over / dot(along, along) * std::abs(over);
}

[[gnu::always_inline]] inline double rank(const PolygonView& a, const PolygonView& b,
                                          const Axis& axis) {
  return rank(apart(a, b, axis.near), along(a, b, axis));
}

/// The first axis counterclockwise of the directions that these corners are nearest along.
[[gnu::always_inline]] inline Axis axis_after(const PolygonView& a, const PolygonView& b,
                                              const FacingCorners& near) {
  return {near, wedge(side(a, near.a), side(b, near.b)) < 0};
}

[[gnu::always_inline]] inline Axis axis_after(const PolygonView& a, const PolygonView& b,
                                              const Axis& axis) {
  const FacingCorners& near = axis.near;
  return axis_after(a, b,
                    FacingCorners{either(axis.of_a, after(a, near.a), near.a),
                                  either(axis.of_a, near.b, after(b, near.b))});
}

/// The first clockwise.
[[gnu::always_inline]] inline Axis axis_before(const PolygonView& a, const PolygonView& b,
                                               const FacingCorners& near) {
  const FacingCorners back{before(a, near.a), before(b, near.b)};
  const bool of_a = wedge(side(a, back.a), side(b, back.b)) > 0;
  return {{either(of_a, back.a, near.a), either(of_a, near.b, back.b)}, of_a};
}

inline CommonPlane<2> plane_along(const PolygonView& a, const PolygonView& b, const Axis& axis) {
  const Point<2> edge = along(a, b, axis);
  const double per_length = 1 / length(edge);
  return {scaled(outwards(edge), per_length), wedge(apart(a, b, axis.near), edge) * per_length,
          axis.near.a, axis.near.b, axis.of_a ? PlaneKind::side_a : PlaneKind::side_b};
}

/// The better of the two beside the directions that these corners are nearest along. Where they
/// overlap, no direction between the two is better.
inline Axis better_axis(const PolygonView& a, const PolygonView& b, const FacingCorners& near) {
  const Axis ahead = axis_after(a, b, near);
  const Axis behind = axis_before(a, b, near);
  return rank(a, b, ahead) >= rank(a, b, behind) ? ahead : behind;
}

/// To a neighbouring axis as long as one has a larger gap.
template <class Watch>
Axis climbed(const PolygonView& a, const PolygonView& b, Axis axis, Watch watch) {
  double most = rank(a, b, axis);
  for (Index left = count(a) + count(b); left > 0; --left) {
    if constexpr (Watch::looks) watch.took(plane_along(a, b, axis).gap);
    const Axis ahead = axis_after(a, b, axis);
    const Axis behind = axis_before(a, b, axis.near);
    const double rank_ahead = rank(a, b, ahead);
    const double rank_behind = rank(a, b, behind);
    if (!(rank_ahead > most || rank_behind > most)) break;
    axis = rank_ahead >= rank_behind ? ahead : behind;
    most = std::max(rank_ahead, rank_behind);
  }
  return axis;
}

/// The best of all, from the direction along which the given corners are nearest once round.
[[gnu::always_inline]] inline Axis best_axis(const PolygonView& a, const PolygonView& b,
                                             const FacingCorners& from) {
  Axis axis = axis_after(a, b, from);
  Axis best = axis;
  double most = rank(a, b, axis);
  for (Index left = count(a) + count(b) - 1; left > 0; --left) {
    axis = axis_after(a, b, axis);
    const double here = rank(a, b, axis);
    const bool better = here > most;
    best.near.a = either(better, axis.near.a, best.near.a);
    best.near.b = either(better, axis.near.b, best.near.b);
    best.of_a = better ? axis.of_a : best.of_a;
    most = better ? here : most;
  }
  return best;
}

inline bool contains(const PolygonView& polygon, const Point<2>& point) {
  for (Index k = 0; k < count(polygon); ++k)
    if (wedge(side(polygon, k), difference(point, polygon.corners[k])) < 0) return false;
  return true;
}

/// Whether the gap along an axis, −d, is surely the largest of all directions, without a look at
/// any other; it is then proved, too, that the polygons overlap. f of a direction is at most its
/// product with any way from a to b. The ways to the ends of the side, s along it from the foot,
/// show that no direction within the angle t of the axis is better, tan(t/2) = s/d; the way between
/// the centres, that none beyond is, if it is so of the two directions at that angle.
[[gnu::always_inline]] inline bool surely_best(const Point<2>& centres, const Point<2>& apart,
                                               const Point<2>& along) {
  const double per_square = 1 / dot(along, along);  // lengths are parts of the side: none overflows
  const double d = -wedge(apart, along) * per_square;
  const double foot = dot(apart, along) * per_square;
  const double beyond = 1 - foot;
  const double outwards = wedge(centres, along) * per_square;
  const double forth = 2 * d * dot(centres, along) * per_square;
  const double ahead = beyond * beyond;
  const double behind = foot * foot;
  const double square = d * d;
  const double past = std::min(foot, beyond) - d;
  const double proved_ahead = (ahead - square) * outwards - beyond * forth - d * (square + ahead);
  const double proved_behind = (behind - square) * outwards + foot * forth - d * (square + behind);
  // One question, not five: those who ask in a row are often surprised.
  return d >= 0 && std::min(std::min(past, outwards), std::min(proved_ahead, proved_behind)) > 0;
}

/// Whether the polygons surely have a point in common, as a local maximum of f below 0 does not
/// show: a corner of the axis is in the other polygon.
inline bool surely_overlap(const PolygonView& a, const PolygonView& b, const Axis& axis) {
  const PolygonView& own = axis.of_a ? a : b;
  const PolygonView& other = axis.of_a ? b : a;
  const Index first = axis.of_a ? axis.near.a : axis.near.b;
  return contains(own, other.corners[axis.of_a ? axis.near.b : axis.near.a]) ||
         contains(other, own.corners[first]) || contains(other, own.corners[after(own, first)]);
}

}  // namespace abut
