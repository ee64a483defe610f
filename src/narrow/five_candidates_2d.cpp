// The fast common plane to the letter, for comparison. With A and B the corners nearest to a plane,
// the next plane is the best of five: the bisector of AB, and the sides next to A and to B. It ends
// when no candidate is better. Polygons that overlap are moved apart first, along the normal of the
// step before; their plane is taken for that of the polygons where they are.
//
// E. G. Nezami, Y. Hashash, J. Ghaboussi, D. Zhao, A fast contact detection algorithm for discrete
// element method. Time: up to five candidates a round, one to three rounds.
//
// What the paper leaves open: a pair that overlaps when first seen is moved along the line of the
// centres; how far apart, by 1e-4 of its size. Where a side is parallel to the plane both its ends
// are nearest, and the paper asks one: that is where it stops too early.
#include <abut/research/cundall.hpp>
#include <cmath>

#include "narrow/separating_axes_2d.hpp"

namespace abut {
namespace {

struct SeparatedPair {
  const PolygonView& a;
  const PolygonView& b;
  Point<2> translation{};  // of b

  [[nodiscard]] Point<2> separation(const FacingVertices& near) const {
    return sum(difference(b.vertices[near.b], a.vertices[near.a]), translation);
  }
};

struct Candidate {
  FacingVertices vertices;
  Point<2> normal;  // of any length
  double score;     // the gap squared, with its sign
  PlaneKind kind;
};

double score_of(double over, double square) { return over / square * std::abs(over); }

bool is_bisector(const SeparatedPair& pair, const FacingVertices& near, const Point<2>& apart) {
  const auto on = [&](const PolygonView& polygon, Index from, Index to) {
    return dot(apart, difference(polygon.vertices[to], polygon.vertices[from]));
  };
  return on(pair.a, near.a, next_vertex(pair.a, near.a)) <= 0 &&
         on(pair.a, near.a, previous_vertex(pair.a, near.a)) <= 0 &&
         on(pair.b, near.b, next_vertex(pair.b, near.b)) >= 0 &&
         on(pair.b, near.b, previous_vertex(pair.b, near.b)) >= 0;
}

// Parallel to a side of a, or of b, that starts at a corner; the gap is the true one.
Candidate edge_candidate_a(const SeparatedPair& pair, const FacingVertices& near, Index start) {
  const Point<2> normal = outward_normal(edge_vector(pair.a, start));
  const FacingVertices found{near.a, support_vertex_from(pair.b, scaled(normal, -1), near.b)};
  const double over = dot(normal, pair.separation(found));
  return {{start, found.b}, normal, score_of(over, dot(normal, normal)), PlaneKind::face_a};
}

Candidate edge_candidate_b(const SeparatedPair& pair, const FacingVertices& near, Index start) {
  const Point<2> normal = scaled(outward_normal(edge_vector(pair.b, start)), -1);
  const FacingVertices found{support_vertex_from(pair.a, normal, near.a), near.b};
  const double over = dot(normal, pair.separation(found));
  return {{found.a, start}, normal, score_of(over, dot(normal, normal)), PlaneKind::face_b};
}

Candidate best_of_five(const SeparatedPair& pair, const FacingVertices& near) {
  const Point<2> apart = pair.separation(near);
  if (is_bisector(pair, near, apart)) return {near, apart, dot(apart, apart), PlaneKind::vertices};
  Candidate best = edge_candidate_a(pair, near, near.a);
  const auto take = [&](const Candidate& other) {
    if (other.score > best.score) best = other;
  };
  take(edge_candidate_a(pair, near, previous_vertex(pair.a, near.a)));
  take(edge_candidate_b(pair, near, near.b));
  take(edge_candidate_b(pair, near, previous_vertex(pair.b, near.b)));
  return best;
}

double extent_of(const PolygonView& polygon) {
  return max_abs(difference(polygon.vertices[0], polygon.centroid));
}

}  // namespace

IteratedPlane<2> five_candidate_plane(const PolygonView& a, const PolygonView& b,
                                      const CommonPlane<2>* previous) {
  Point<2> normal = previous != nullptr ? previous->normal : difference(b.centroid, a.centroid);
  if (normal == Point<2>{}) normal = {1, 0};
  SeparatedPair pair{a, b};
  FacingVertices near = facing_vertices(a, b, normal);
  double over = dot(normal, pair.separation(near));
  if (over <= 0) {
    const double per_length = 1 / length(normal);
    const double more = 1e-4 * (extent_of(a) + extent_of(b)) - over * per_length;
    pair.translation = scaled(normal, more * per_length);
    over = dot(normal, pair.separation(near));
  }
  Candidate now{near, normal, score_of(over, dot(normal, normal)), PlaneKind::vertices};
  int rounds = 0;
  while (rounds < 100) {
    ++rounds;
    const Candidate next = best_of_five(pair, now.vertices);
    if (next.score <= now.score) break;
    now = next;
    if (next.kind == PlaneKind::vertices) break;
  }
  const double per_length = 1 / length(now.normal);
  const double gap =
      dot(now.normal, difference(b.vertices[now.vertices.b], a.vertices[now.vertices.a]));
  return {
      {scaled(now.normal, per_length), gap * per_length, now.vertices.a, now.vertices.b, now.kind},
      rounds};
}

}  // namespace abut
