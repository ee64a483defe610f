// Cundall's common plane: a normal n through the middle between the centres is turned to and fro by
// an angle, taken where the gap d_B − d_A grows, and the angle halved where it does not.
//
// P. A. Cundall, Formulation of a three-dimensional distinct element model, part I, Int. J. Rock
// Mech. Min. Sci. & Geomech. Abstr. 25 (1988) 107–116, as far as Nezami and others retell it. There
// is one axis to turn about in the plane; k is the tangent of the angle. TOL → tolerance.
// Time (n_a + n_b) for each of some 15 to 25 iterations. What it leaves is in error by about the
// last angle times the length of a side.
#include <abut/research/cundall.hpp>
#include <cmath>

#include "narrow/geometry_2d.hpp"
#include "narrow/polyhedron_geometry.hpp"
#include "narrow/polyhedron_topology.hpp"

namespace abut {
namespace {

// The paper's d_A and d_B: those of the corner nearest to the plane through the reference point.
double gap_for_normal(const PolygonView& a, const PolygonView& b, const Point<2>& reference,
                      const Point<2>& normal) {
  double d_a = -std::numeric_limits<double>::infinity();
  for (const Point<2>& corner : a.vertices) {
    const double d = dot(normal, difference(corner, reference));
    d_a = d > d_a ? d : d_a;
  }
  double d_b = std::numeric_limits<double>::infinity();
  for (const Point<2>& corner : b.vertices) {
    const double d = dot(normal, difference(corner, reference));
    d_b = d < d_b ? d : d_b;
  }
  return d_b - d_a;
}

Point<2> initial_normal(const PolygonView& a, const PolygonView& b,
                        const CommonPlane<2>* previous) {
  if (previous != nullptr) return previous->normal;
  const Point<2> line = normalized(difference(b.centroid, a.centroid));
  return line == Point<2>{} ? Point<2>{1, 0} : line;
}

}  // namespace

IteratedPlane<2> cundall_plane(const PolygonView& a, const PolygonView& b,
                               const CundallOptions& options, const CommonPlane<2>* previous) {
  const Point<2> reference = scaled(sum(a.centroid, b.centroid), 0.5);
  Point<2> normal = initial_normal(a, b, previous);
  double gap = gap_for_normal(a, b, reference, normal);
  int iterations = 0;
  for (double k = options.initial_rotation;
       k >= options.min_rotation && gap <= options.tolerance && iterations < options.max_iterations;
       ++iterations) {
    const double per_length = 1 / std::sqrt(1 + k * k);
    const Point<2> forth = scaled(add_scaled(normal, k, perpendicular(normal)), per_length);
    const Point<2> back = scaled(add_scaled(normal, -k, perpendicular(normal)), per_length);
    const double gap_forth = gap_for_normal(a, b, reference, forth);
    const double gap_back = gap_for_normal(a, b, reference, back);
    if (std::max(gap_forth, gap_back) > gap) {
      normal = gap_forth > gap_back ? forth : back;
      gap = std::max(gap_forth, gap_back);
    } else {
      k /= 2;
    }
  }
  const FacingVertices near = facing_vertices(a, b, normal);
  return {{normal, gap, near.a, near.b, PlaneKind::vertices}, iterations};
}

}  // namespace abut

// Cundall's common plane (Int. J. Rock Mech. Min. Sci. 25, 1988): in two stages. First a point of
// it, midway between the centroids; then its normal, by trial: the plane is turned about two axes
// in it, both ways, and the turn that gains most is kept; if none gains, the angle is halved. The
// gap does not depend on the point, so only directions are turned. Each trial looks for the nearest
// corners from where they were, O(√corners).
namespace abut {
namespace {

struct Trial {
  Point<3> normal;
  VertexPair pair;
  double gap;
};

Trial try_normal(const PolyhedronView& a, const PolyhedronView& b, const Point<3>& normal, Index i,
                 Index j) {
  const Point<3> of_length_one = scaled(normal, 1 / length(normal));
  const VertexPair pair = support_pair(a, b, of_length_one, i, j);
  return {of_length_one, pair, dot(of_length_one, pair.separation)};
}

Trial initial_trial(const PolyhedronView& a, const PolyhedronView& b,
                    const CommonPlane<3>* previous) {
  if (previous != nullptr)
    return try_normal(a, b, previous->normal, previous->vertex_a, previous->vertex_b);
  const Point<3> line = difference(b.centroid, a.centroid);
  const bool same_place =
      max_abs(line) <= 1e-11 * (a.topology->bounding_radius + b.topology->bounding_radius);
  return try_normal(a, b, same_place ? face_normal(*a.topology, a.vertices, 0) : line, 0, 0);
}

}  // namespace

IteratedPlane<3> cundall_plane(const PolyhedronView& a, const PolyhedronView& b,
                               const CundallOptions& options, const CommonPlane<3>* previous) {
  Trial best = initial_trial(a, b, previous);
  IteratedPlane<3> result;
  for (double turn = options.initial_rotation; turn >= options.min_rotation &&
                                               best.gap <= options.tolerance &&
                                               result.iterations < options.max_iterations;) {
    ++result.iterations;
    const Point<3> first = perpendicular(best.normal);
    const Point<3> second = cross(best.normal, first);
    Trial better = best;
    for (const Point<3>& axis : {first, second})
      for (const double tangent : {turn, -turn}) {
        const Trial trial =
            try_normal(a, b, add_scaled(best.normal, tangent, axis), best.pair.a, best.pair.b);
        if (trial.gap > better.gap) better = trial;
      }
    if (better.gap > best.gap)
      best = better;
    else
      turn /= 2;
  }
  result.plane = {best.normal, best.gap, best.pair.a, best.pair.b};
  return result;
}

}  // namespace abut
