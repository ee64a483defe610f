#pragma once

#include <abut/polygon.hpp>
#include <cmath>

#include "narrow/geometry_2d.hpp"

namespace abut {

/// A separating axis of two polygons: the outward normal of an edge of a, or the inward normal of
/// an edge of b, with the vertex of the other polygon closest along it. For overlapping polygons
/// the largest gap is attained on one of these axes: between adjacent axes it is f(n) = n·v for a
/// fixed vector v at an obtuse angle to n, and the cosine of an obtuse angle is convex.
///
/// S. Gottschalk, M. C. Lin, D. Manocha, OBBTree (1996). Adjacent axes in the order of directions
/// are found without angles: the next one belongs to the next edge of a or of b.
struct SeparatingAxis {
  FacingVertices vertices;  ///< for the polygon with the edge: the vertex at which the edge starts
  bool is_from_a;           ///< the edge belongs to a
};

/// The edge of an axis, oriented so that the axis is its outward normal.
[[gnu::always_inline]] inline Point<2> edge_direction(const PolygonView& a, const PolygonView& b,
                                                      const SeparatingAxis& axis) {
  const Point<2> reversed_b =
      difference(b.vertices[axis.vertices.b], b.vertices[next_vertex(b, axis.vertices.b)]);
  return select(axis.is_from_a, edge_vector(a, axis.vertices.a), reversed_b);
}

/// From the vertex of a to the vertex of b.
[[gnu::always_inline]] inline Point<2> separation(const PolygonView& a, const PolygonView& b,
                                                  const FacingVertices& vertices) {
  return difference(b.vertices[vertices.b], a.vertices[vertices.a]);
}

/// gap·|gap| along an axis, which increases with the gap and needs no square root.
[[gnu::always_inline]] inline double gap_score(const Point<2>& separation, const Point<2>& edge) {
  const double scaled_gap = cross_2d(separation, edge);
  return scaled_gap / dot(edge, edge) * std::abs(scaled_gap);
}

[[gnu::always_inline]] inline double gap_score(const PolygonView& a, const PolygonView& b,
                                               const SeparatingAxis& axis) {
  return gap_score(separation(a, b, axis.vertices), edge_direction(a, b, axis));
}

/// The first axis counterclockwise of the directions along which these vertices are closest.
[[gnu::always_inline]] inline SeparatingAxis next_axis(const PolygonView& a, const PolygonView& b,
                                                       const FacingVertices& vertices) {
  return {vertices, cross_2d(edge_vector(a, vertices.a), edge_vector(b, vertices.b)) < 0};
}

[[gnu::always_inline]] inline SeparatingAxis next_axis(const PolygonView& a, const PolygonView& b,
                                                       const SeparatingAxis& axis) {
  const FacingVertices& vertices = axis.vertices;
  return next_axis(a, b,
                   FacingVertices{select(axis.is_from_a, next_vertex(a, vertices.a), vertices.a),
                                  select(axis.is_from_a, vertices.b, next_vertex(b, vertices.b))});
}

/// The first axis clockwise of these directions.
[[gnu::always_inline]] inline SeparatingAxis previous_axis(const PolygonView& a,
                                                           const PolygonView& b,
                                                           const FacingVertices& vertices) {
  const FacingVertices previous{previous_vertex(a, vertices.a), previous_vertex(b, vertices.b)};
  const bool is_from_a = cross_2d(edge_vector(a, previous.a), edge_vector(b, previous.b)) > 0;
  return {{select(is_from_a, previous.a, vertices.a), select(is_from_a, vertices.b, previous.b)},
          is_from_a};
}

inline CommonPlane<2> plane_of_axis(const PolygonView& a, const PolygonView& b,
                                    const SeparatingAxis& axis) {
  const Point<2> edge = edge_direction(a, b, axis);
  const double inverse_length = 1 / length(edge);
  return {scaled(outward_normal(edge), inverse_length),
          cross_2d(separation(a, b, axis.vertices), edge) * inverse_length, axis.vertices.a,
          axis.vertices.b, axis.is_from_a ? PlaneKind::face_a : PlaneKind::face_b};
}

/// The better of the two axes next to the directions along which these vertices are closest. For
/// overlapping polygons no direction in between is better.
inline SeparatingAxis better_adjacent_axis(const PolygonView& a, const PolygonView& b,
                                           const FacingVertices& vertices) {
  const SeparatingAxis next = next_axis(a, b, vertices);
  const SeparatingAxis previous = previous_axis(a, b, vertices);
  return gap_score(a, b, next) >= gap_score(a, b, previous) ? next : previous;
}

/// Hill climbing: moves to an adjacent axis as long as one has a larger gap.
template <class Observer>
SeparatingAxis climb_axes(const PolygonView& a, const PolygonView& b, SeparatingAxis axis,
                          Observer observer) {
  double max_score = gap_score(a, b, axis);
  for (Index remaining = vertex_count(a) + vertex_count(b); remaining > 0; --remaining) {
    if constexpr (Observer::is_enabled) observer.on_plane(plane_of_axis(a, b, axis).gap);
    const SeparatingAxis next = next_axis(a, b, axis);
    const SeparatingAxis previous = previous_axis(a, b, axis.vertices);
    const double next_score = gap_score(a, b, next);
    const double previous_score = gap_score(a, b, previous);
    if (!(next_score > max_score || previous_score > max_score)) break;
    axis = next_score >= previous_score ? next : previous;
    max_score = std::max(next_score, previous_score);
  }
  return axis;
}

/// The best of all axes, visited counterclockwise from the directions along which the given
/// vertices are closest.
[[gnu::always_inline]] inline SeparatingAxis best_axis(const PolygonView& a, const PolygonView& b,
                                                       const FacingVertices& start) {
  SeparatingAxis axis = next_axis(a, b, start);
  SeparatingAxis best = axis;
  double max_score = gap_score(a, b, axis);
  for (Index remaining = vertex_count(a) + vertex_count(b) - 1; remaining > 0; --remaining) {
    axis = next_axis(a, b, axis);
    const double score = gap_score(a, b, axis);
    const bool is_better = score > max_score;
    best.vertices.a = select(is_better, axis.vertices.a, best.vertices.a);
    best.vertices.b = select(is_better, axis.vertices.b, best.vertices.b);
    best.is_from_a = is_better ? axis.is_from_a : best.is_from_a;
    max_score = is_better ? score : max_score;
  }
  return best;
}

inline bool contains(const PolygonView& polygon, const Point<2>& point) {
  for (Index k = 0; k < vertex_count(polygon); ++k)
    if (cross_2d(edge_vector(polygon, k), difference(point, polygon.vertices[k])) < 0) return false;
  return true;
}

/// A sufficient condition, evaluated from one axis alone, for its gap −d to be the largest of all
/// directions; it also implies that the polygons overlap. The gap f(n) is at most n·(x_b − x_a) for
/// any points x_a in a and x_b in b.
///   - The vectors to the two ends of the edge, at distances s from the projection of the vertex,
///     show that no direction within an angle t of the axis is better, tan(t/2) = s / d.
///   - The vector between the centroids shows that no direction beyond t is better, if it does so
///     for the two directions at the angle t.
[[gnu::always_inline]] inline bool certifies_maximum(const Point<2>& centroids,
                                                     const Point<2>& separation,
                                                     const Point<2>& edge) {
  // In units of the edge length, so that nothing overflows.
  const double inverse_squared = 1 / dot(edge, edge);
  const double d = -cross_2d(separation, edge) * inverse_squared;
  const double behind = dot(separation, edge) * inverse_squared;  // s to the start of the edge
  const double ahead = 1 - behind;                                // s to its end
  const double normal_part = cross_2d(centroids, edge) * inverse_squared;
  const double tangential_part = 2 * d * dot(centroids, edge) * inverse_squared;
  const double ahead_squared = ahead * ahead;
  const double behind_squared = behind * behind;
  const double d_squared = d * d;
  const double margin = std::min(behind, ahead) - d;
  const double proof_ahead = (ahead_squared - d_squared) * normal_part - ahead * tangential_part -
                             d * (d_squared + ahead_squared);
  const double proof_behind = (behind_squared - d_squared) * normal_part +
                              behind * tangential_part - d * (d_squared + behind_squared);
  // One branch instead of five, which would often be mispredicted.
  return d >= 0 && std::min(std::min(margin, normal_part), std::min(proof_ahead, proof_behind)) > 0;
}

/// A sufficient condition for overlap, which a negative local maximum of the gap does not imply: a
/// vertex of the axis lies in the other polygon.
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
