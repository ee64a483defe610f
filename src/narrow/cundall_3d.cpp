// Cundall's common plane (Int. J. Rock Mech. Min. Sci. 25, 1988): in two stages. First a point of
// it, midway between the centroids; then its normal, by trial: the plane is turned about two axes
// in it, both ways, and the turn that gains most is kept; if none gains, the angle is halved. The
// gap does not depend on the point, so only directions are turned. Each trial looks for the nearest
// corners from where they were, O(√corners).
#include <abut/cundall.hpp>
#include <cmath>

#include "narrow/support.hpp"
#include "narrow/topology.hpp"

namespace abut {
namespace {

struct Trial {
  Point<3> normal;
  CornerPair pair;
  double gap;
};

Trial try_normal(const PolyhedronView& a, const PolyhedronView& b, const Point<3>& normal, Index i,
                 Index j) {
  const Point<3> of_length_one = scaled(normal, 1 / length(normal));
  const CornerPair pair = supports(a, b, of_length_one, i, j);
  return {of_length_one, pair, dot(of_length_one, pair.way)};
}

Trial first_trial(const PolyhedronView& a, const PolyhedronView& b,
                  const CommonPlane<3>* previous) {
  if (previous != nullptr) return try_normal(a, b, previous->normal, previous->a, previous->b);
  const Point<3> line = difference(b.centre, a.centre);
  const bool same_place = largest_part(line) <= 1e-11 * (a.topology->radius + b.topology->radius);
  return try_normal(a, b, same_place ? face_normal(*a.topology, a.corners, 0) : line, 0, 0);
}

}  // namespace

IteratedPlane<3> cundall_plane(const PolyhedronView& a, const PolyhedronView& b,
                               const CundallOptions& options, const CommonPlane<3>* previous) {
  Trial best = first_trial(a, b, previous);
  IteratedPlane<3> result;
  for (double turn = options.first_turn; turn >= options.last_turn &&
                                         best.gap <= options.tolerance &&
                                         result.iterations < options.most_iterations;) {
    ++result.iterations;
    const Point<3> first = across(best.normal);
    const Point<3> second = cross(best.normal, first);
    Trial better = best;
    for (const Point<3>& axis : {first, second})
      for (const double tangent : {turn, -turn}) {
        const Trial trial =
            try_normal(a, b, along(best.normal, tangent, axis), best.pair.a, best.pair.b);
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
