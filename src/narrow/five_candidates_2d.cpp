// The fast common plane as published, for comparison. With A and B the vertices closest to a plane,
// the next plane is the best of five candidates: normal to AB, and parallel to the edges at A and
// at B. The search ends when no candidate is better. Overlapping polygons are first separated along
// the previous normal, and the plane of the separated polygons is returned. One to three rounds of
// up to five candidates.
//
// E. G. Nezami, Y. Hashash, J. Ghaboussi, D. Zhao, A fast contact detection algorithm for discrete
// element method (2004).
//
// Not specified in the paper: a pair that overlaps and has no previous plane is separated along the
// line of centroids; pairs are separated by 1e-4 of their size. When an edge is parallel to the
// plane both its ends are closest, and the paper uses one of them: there it stops too early.
#include <abut/research/cundall.hpp>
#include <cmath>

#include "narrow/geometry_2d.hpp"

namespace abut {
namespace {

struct SeparatedPair {
  const PolygonView& a;
  const PolygonView& b;
  Point<2> translation{};  // of b

  [[nodiscard]] Point<2> separation(const FacingVertices& vertices) const {
    return sum(difference(b.vertices[vertices.b], a.vertices[vertices.a]), translation);
  }
};

struct Candidate {
  FacingVertices vertices;
  Point<2> normal;  // of any length
  double score;     // gap·|gap|
  PlaneKind kind;
};

double score_of(double scaled_gap, double normal_squared) {
  return scaled_gap / normal_squared * std::abs(scaled_gap);
}

// Whether both polygons are behind planes normal to AB through A and B.
bool is_bisector(const SeparatedPair& pair, const FacingVertices& vertices, const Point<2>& line) {
  const auto along_line = [&](const PolygonView& polygon, Index from, Index to) {
    return dot(line, difference(polygon.vertices[to], polygon.vertices[from]));
  };
  return along_line(pair.a, vertices.a, next_vertex(pair.a, vertices.a)) <= 0 &&
         along_line(pair.a, vertices.a, previous_vertex(pair.a, vertices.a)) <= 0 &&
         along_line(pair.b, vertices.b, next_vertex(pair.b, vertices.b)) >= 0 &&
         along_line(pair.b, vertices.b, previous_vertex(pair.b, vertices.b)) >= 0;
}

// Parallel to the edge of a, or of b, that starts at a vertex, with the actual gap.
Candidate edge_candidate_a(const SeparatedPair& pair, const FacingVertices& vertices, Index start) {
  const Point<2> normal = outward_normal(edge_vector(pair.a, start));
  const FacingVertices closest{vertices.a,
                               support_vertex_from(pair.b, scaled(normal, -1), vertices.b)};
  const double scaled_gap = dot(normal, pair.separation(closest));
  return {{start, closest.b}, normal, score_of(scaled_gap, dot(normal, normal)), PlaneKind::face_a};
}

Candidate edge_candidate_b(const SeparatedPair& pair, const FacingVertices& vertices, Index start) {
  const Point<2> normal = scaled(outward_normal(edge_vector(pair.b, start)), -1);
  const FacingVertices closest{support_vertex_from(pair.a, normal, vertices.a), vertices.b};
  const double scaled_gap = dot(normal, pair.separation(closest));
  return {{closest.a, start}, normal, score_of(scaled_gap, dot(normal, normal)), PlaneKind::face_b};
}

Candidate best_of_five(const SeparatedPair& pair, const FacingVertices& vertices) {
  const Point<2> line = pair.separation(vertices);
  if (is_bisector(pair, vertices, line))
    return {vertices, line, dot(line, line), PlaneKind::vertices};
  Candidate best = edge_candidate_a(pair, vertices, vertices.a);
  const auto take_better = [&](const Candidate& other) {
    if (other.score > best.score) best = other;
  };
  take_better(edge_candidate_a(pair, vertices, previous_vertex(pair.a, vertices.a)));
  take_better(edge_candidate_b(pair, vertices, vertices.b));
  take_better(edge_candidate_b(pair, vertices, previous_vertex(pair.b, vertices.b)));
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
  const FacingVertices vertices = facing_vertices(a, b, normal);
  double scaled_gap = dot(normal, pair.separation(vertices));
  if (scaled_gap <= 0) {
    const double inverse_length = 1 / length(normal);
    const double distance = 1e-4 * (extent_of(a) + extent_of(b)) - scaled_gap * inverse_length;
    pair.translation = scaled(normal, distance * inverse_length);
    scaled_gap = dot(normal, pair.separation(vertices));
  }
  Candidate current{vertices, normal, score_of(scaled_gap, dot(normal, normal)),
                    PlaneKind::vertices};
  int rounds = 0;
  while (rounds < 100) {
    ++rounds;
    const Candidate next = best_of_five(pair, current.vertices);
    if (next.score <= current.score) break;
    current = next;
    if (next.kind == PlaneKind::vertices) break;
  }
  const double inverse_length = 1 / length(current.normal);
  const double gap = dot(
      current.normal, difference(b.vertices[current.vertices.b], a.vertices[current.vertices.a]));
  return {{scaled(current.normal, inverse_length), gap * inverse_length, current.vertices.a,
           current.vertices.b, current.kind},
          rounds};
}

}  // namespace abut
