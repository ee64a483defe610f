// Cundall's common plane, for comparison: the normal n is rotated by ± an angle in 2D, about two
// axes in the plane in 3D; the rotation that increases the gap d_B − d_A most is accepted; if none
// does, the angle is halved. Angles are given by their tangents k.
//
// P. A. Cundall, Formulation of a three-dimensional distinct element model, part I, Int. J. Rock
// Mech. Min. Sci. & Geomech. Abstr. 25 (1988) 107–116, in 2D as described by Nezami et al. (2004).
// TOL → CundallOptions::tolerance. The error of the gap is about the last angle times the length of
// an edge.
#include <abut/research/cundall.hpp>
#include <cmath>

#include "narrow/geometry_2d.hpp"
#include "narrow/polyhedron_geometry.hpp"

namespace abut {
namespace {

// ---- 2D: O(n_a + n_b) for each of 15 to 25 iterations

// d_A and d_B of the paper: the signed distances of the closest vertices from the plane through the
// reference point.
double gap_for_normal(const PolygonView& a, const PolygonView& b, const Point<2>& reference,
                      const Point<2>& normal) {
  double d_a = -std::numeric_limits<double>::infinity();
  for (const Point<2>& vertex : a.vertices) {
    const double d = dot(normal, difference(vertex, reference));
    d_a = d > d_a ? d : d_a;
  }
  double d_b = std::numeric_limits<double>::infinity();
  for (const Point<2>& vertex : b.vertices) {
    const double d = dot(normal, difference(vertex, reference));
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

// ---- 3D: the gap does not depend on the reference point, so only the normal is rotated; closest
// vertices are found from the previous ones, O(√vertices)

struct Trial {
  Point<3> normal;  // unit vector
  VertexPair closest;
  double gap;
};

Trial try_normal(const PolyhedronView& a, const PolyhedronView& b, const Point<3>& direction,
                 Index start_a, Index start_b) {
  const Point<3> normal = scaled(direction, 1 / length(direction));
  const VertexPair closest = support_pair(a, b, normal, start_a, start_b);
  return {normal, closest, dot(normal, closest.separation)};
}

Trial initial_trial(const PolyhedronView& a, const PolyhedronView& b,
                    const CommonPlane<3>* previous) {
  if (previous != nullptr)
    return try_normal(a, b, previous->normal, previous->vertex_a, previous->vertex_b);
  const Point<3> line = difference(b.centroid, a.centroid);
  const bool coincide =
      max_abs(line) <= 1e-11 * (a.topology->bounding_radius + b.topology->bounding_radius);
  return try_normal(a, b, coincide ? face_normal(*a.topology, a.vertices, 0) : line, 0, 0);
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
    const double inverse_length = 1 / std::sqrt(1 + k * k);
    const Point<2> forward = scaled(add_scaled(normal, k, perpendicular(normal)), inverse_length);
    const Point<2> backward = scaled(add_scaled(normal, -k, perpendicular(normal)), inverse_length);
    const double gap_forward = gap_for_normal(a, b, reference, forward);
    const double gap_backward = gap_for_normal(a, b, reference, backward);
    if (std::max(gap_forward, gap_backward) > gap) {
      normal = gap_forward > gap_backward ? forward : backward;
      gap = std::max(gap_forward, gap_backward);
    } else {
      k /= 2;
    }
  }
  const FacingVertices closest = facing_vertices(a, b, normal);
  return {{normal, gap, closest.a, closest.b, PlaneKind::vertices}, iterations};
}

IteratedPlane<3> cundall_plane(const PolyhedronView& a, const PolyhedronView& b,
                               const CundallOptions& options, const CommonPlane<3>* previous) {
  Trial best = initial_trial(a, b, previous);
  IteratedPlane<3> result;
  for (double k = options.initial_rotation; k >= options.min_rotation &&
                                            best.gap <= options.tolerance &&
                                            result.iterations < options.max_iterations;) {
    ++result.iterations;
    const Point<3> first = perpendicular(best.normal);
    const Point<3> second = cross(best.normal, first);
    Trial better = best;
    for (const Point<3>& axis : {first, second})
      for (const double tangent : {k, -k}) {
        const Trial trial = try_normal(a, b, add_scaled(best.normal, tangent, axis), best.closest.a,
                                       best.closest.b);
        if (trial.gap > better.gap) better = trial;
      }
    if (better.gap > best.gap)
      best = better;
    else
      k /= 2;
  }
  result.plane = {best.normal, best.gap, best.closest.a, best.closest.b};
  return result;
}

}  // namespace abut
