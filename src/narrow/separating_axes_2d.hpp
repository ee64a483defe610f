#pragma once

#include <abut/polygon.hpp>
#include <cmath>

#include "narrow/geometry_2d.hpp"

namespace abut {

/// The separating axes of two polygons: the outward normals of the sides of a, and the inward ones
/// of b, each with the corner of the other that is nearest. Where polygons overlap, the largest gap
/// is that of one of them, because between neighbouring axes f is the cosine of an obtuse angle,
/// which bends upwards.
///
/// S. Gottschalk, M. C. Lin, D. Manocha, OBBTree (1996). Neighbours in the order of directions are
/// found without angles: either the next side of a or that of b.
struct SeparatingAxis {
  FacingVertices vertices;  ///< of the side, its first corner
  bool is_from_a;           ///< whose side it is
};

/// The side of an axis, turned so that the axis is outwards of it.
[[gnu::always_inline]] inline Point<2> edge_direction(const PolygonView& a, const PolygonView& b,
                                                      const SeparatingAxis& axis) {
  const Point<2> back =
      difference(b.vertices[axis.vertices.b], b.vertices[next_vertex(b, axis.vertices.b)]);
  return select(axis.is_from_a, edge_vector(a, axis.vertices.a), back);
}

[[gnu::always_inline]] inline Point<2> separation(const PolygonView& a, const PolygonView& b,
                                                  const FacingVertices& near) {
  return difference(b.vertices[near.b], a.vertices[near.a]);
}

/// Grows with the gap along an axis: its square, with the sign of the gap.
[[gnu::always_inline]] inline double gap_score(const Point<2>& apart, const Point<2>& along) {
  const double over = cross_2d(apart, along);
  return over / dot(along, along) * std::abs(over);
}

[[gnu::always_inline]] inline double gap_score(const PolygonView& a, const PolygonView& b,
                                               const SeparatingAxis& axis) {
  return gap_score(separation(a, b, axis.vertices), edge_direction(a, b, axis));
}

/// The first axis counterclockwise of the directions that these corners are nearest along.
[[gnu::always_inline]] inline SeparatingAxis next_axis(const PolygonView& a, const PolygonView& b,
                                                       const FacingVertices& near) {
  return {near, cross_2d(edge_vector(a, near.a), edge_vector(b, near.b)) < 0};
}

[[gnu::always_inline]] inline SeparatingAxis next_axis(const PolygonView& a, const PolygonView& b,
                                                       const SeparatingAxis& axis) {
  const FacingVertices& near = axis.vertices;
  return next_axis(a, b,
                   FacingVertices{select(axis.is_from_a, next_vertex(a, near.a), near.a),
                                  select(axis.is_from_a, near.b, next_vertex(b, near.b))});
}

/// The first clockwise.
[[gnu::always_inline]] inline SeparatingAxis previous_axis(const PolygonView& a,
                                                           const PolygonView& b,
                                                           const FacingVertices& near) {
  const FacingVertices back{previous_vertex(a, near.a), previous_vertex(b, near.b)};
  const bool of_a = cross_2d(edge_vector(a, back.a), edge_vector(b, back.b)) > 0;
  return {{select(of_a, back.a, near.a), select(of_a, near.b, back.b)}, of_a};
}

inline CommonPlane<2> plane_of_axis(const PolygonView& a, const PolygonView& b,
                                    const SeparatingAxis& axis) {
  const Point<2> edge = edge_direction(a, b, axis);
  const double per_length = 1 / length(edge);
  return {scaled(outward_normal(edge), per_length),
          cross_2d(separation(a, b, axis.vertices), edge) * per_length, axis.vertices.a,
          axis.vertices.b, axis.is_from_a ? PlaneKind::face_a : PlaneKind::face_b};
}

/// The better of the two beside the directions that these corners are nearest along. Where they
/// overlap, no direction between the two is better.
inline SeparatingAxis better_adjacent_axis(const PolygonView& a, const PolygonView& b,
                                           const FacingVertices& near) {
  const SeparatingAxis ahead = next_axis(a, b, near);
  const SeparatingAxis behind = previous_axis(a, b, near);
  return gap_score(a, b, ahead) >= gap_score(a, b, behind) ? ahead : behind;
}

/// To a neighbouring axis as long as one has a larger gap.
template <class Watch>
SeparatingAxis climb_axes(const PolygonView& a, const PolygonView& b, SeparatingAxis axis,
                          Watch watch) {
  double most = gap_score(a, b, axis);
  for (Index left = vertex_count(a) + vertex_count(b); left > 0; --left) {
    if constexpr (Watch::is_enabled) watch.on_plane(plane_of_axis(a, b, axis).gap);
    const SeparatingAxis ahead = next_axis(a, b, axis);
    const SeparatingAxis behind = previous_axis(a, b, axis.vertices);
    const double rank_ahead = gap_score(a, b, ahead);
    const double rank_behind = gap_score(a, b, behind);
    if (!(rank_ahead > most || rank_behind > most)) break;
    axis = rank_ahead >= rank_behind ? ahead : behind;
    most = std::max(rank_ahead, rank_behind);
  }
  return axis;
}

/// The best of all, from the direction along which the given corners are nearest once round.
[[gnu::always_inline]] inline SeparatingAxis best_axis(const PolygonView& a, const PolygonView& b,
                                                       const FacingVertices& from) {
  SeparatingAxis axis = next_axis(a, b, from);
  SeparatingAxis best = axis;
  double most = gap_score(a, b, axis);
  for (Index left = vertex_count(a) + vertex_count(b) - 1; left > 0; --left) {
    axis = next_axis(a, b, axis);
    const double here = gap_score(a, b, axis);
    const bool better = here > most;
    best.vertices.a = select(better, axis.vertices.a, best.vertices.a);
    best.vertices.b = select(better, axis.vertices.b, best.vertices.b);
    best.is_from_a = better ? axis.is_from_a : best.is_from_a;
    most = better ? here : most;
  }
  return best;
}

inline bool contains(const PolygonView& polygon, const Point<2>& point) {
  for (Index k = 0; k < vertex_count(polygon); ++k)
    if (cross_2d(edge_vector(polygon, k), difference(point, polygon.vertices[k])) < 0) return false;
  return true;
}

/// Whether the gap along an axis, −d, is surely the largest of all directions, without a look at
/// any other; it is then proved, too, that the polygons overlap. f of a direction is at most its
/// product with any way from a to b. The ways to the ends of the side, s along it from the foot,
/// show that no direction within the angle t of the axis is better, tan(t/2) = s/d; the way between
/// the centres, that none beyond is, if it is so of the two directions at that angle.
[[gnu::always_inline]] inline bool certifies_maximum(const Point<2>& centres, const Point<2>& apart,
                                                     const Point<2>& along) {
  const double per_square = 1 / dot(along, along);  // lengths are parts of the side: none overflows
  const double d = -cross_2d(apart, along) * per_square;
  const double foot = dot(apart, along) * per_square;
  const double beyond = 1 - foot;
  const double outwards = cross_2d(centres, along) * per_square;
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
inline bool certifies_overlap(const PolygonView& a, const PolygonView& b,
                              const SeparatingAxis& axis) {
  const PolygonView& own = axis.is_from_a ? a : b;
  const PolygonView& other = axis.is_from_a ? b : a;
  const Index first = axis.is_from_a ? axis.vertices.a : axis.vertices.b;
  return contains(own, other.vertices[axis.is_from_a ? axis.vertices.b : axis.vertices.a]) ||
         contains(other, own.vertices[first]) ||
         contains(other, own.vertices[next_vertex(own, first)]);
}

}  // namespace abut
