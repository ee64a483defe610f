// Cundall's common plane: a normal n through the middle between the centres is turned to and fro by
// an angle, taken where the gap d_B − d_A grows, and the angle halved where it does not.
//
// P. A. Cundall, Formulation of a three-dimensional distinct element model, part I, Int. J. Rock
// Mech. Min. Sci. & Geomech. Abstr. 25 (1988) 107–116, as far as Nezami and others retell it. There
// is one axis to turn about in the plane; k is the tangent of the angle. TOL → tolerance.
// Time (n_a + n_b) for each of some 15 to 25 iterations. What it leaves is in error by about the
// last angle times the length of a side.
#include <abut/cundall.hpp>
#include <cmath>

#include "narrow/supports.hpp"

namespace abut {
namespace {

// The paper's d_A and d_B: those of the corner nearest to the plane through the reference point.
double gap_along(const PolygonView& a, const PolygonView& b, const Point<2>& reference,
                 const Point<2>& normal) {
  double d_a = -std::numeric_limits<double>::infinity();
  for (const Point<2>& corner : a.corners) {
    const double d = dot(normal, difference(corner, reference));
    d_a = d > d_a ? d : d_a;
  }
  double d_b = std::numeric_limits<double>::infinity();
  for (const Point<2>& corner : b.corners) {
    const double d = dot(normal, difference(corner, reference));
    d_b = d < d_b ? d : d_b;
  }
  return d_b - d_a;
}

Point<2> first_normal(const PolygonView& a, const PolygonView& b, const CommonPlane<2>* previous) {
  if (previous != nullptr) return previous->normal;
  const Point<2> line = unit(difference(b.centre, a.centre));
  return line == Point<2>{} ? Point<2>{1, 0} : line;
}

}  // namespace

IteratedPlane<2> cundall_plane(const PolygonView& a, const PolygonView& b,
                               const CundallOptions& options, const CommonPlane<2>* previous) {
  const Point<2> reference = scaled(sum(a.centre, b.centre), 0.5);
  Point<2> normal = first_normal(a, b, previous);
  double gap = gap_along(a, b, reference, normal);
  int iterations = 0;
  for (double k = options.first_turn;
       k >= options.last_turn && gap <= options.tolerance && iterations < options.most_iterations;
       ++iterations) {
    const double per_length = 1 / std::sqrt(1 + k * k);
    const Point<2> forth = scaled(along(normal, k, across(normal)), per_length);
    const Point<2> back = scaled(along(normal, -k, across(normal)), per_length);
    const double gap_forth = gap_along(a, b, reference, forth);
    const double gap_back = gap_along(a, b, reference, back);
    if (std::max(gap_forth, gap_back) > gap) {
      normal = gap_forth > gap_back ? forth : back;
      gap = std::max(gap_forth, gap_back);
    } else {
      k /= 2;
    }
  }
  const FacingCorners near = nearest(a, b, normal);
  return {{normal, gap, near.a, near.b, PlaneKind::bisector}, iterations};
}

}  // namespace abut
