#pragma once

#include <abut/polygon.hpp>
#include <cmath>

#include "narrow/supports.hpp"
#include "narrow/watch.hpp"

namespace abut {

/// The fast common plane of polygons that are apart: from a normal n that separates them to the one
/// with the largest gap f(n) = n·(B − A), A and B being the corners nearest to the plane.
///
/// E. G. Nezami, Y. Hashash, J. Ghaboussi, D. Zhao, A fast contact detection algorithm for discrete
/// element method. Time: a step for each side that n is turned past, at most n_a + n_b.
///
/// Different from the paper: of its five candidates, the bisector of AB and the sides at A and B,
/// the sign of n × AB rules out those on one side, and the nearer of the other two is the only one
/// that A and B belong to. It is best if what it is parallel to faces the other corner. Else A, or
/// B, moves on along it: the paper halts there, where two corners are equally near.
template <class Watch>
[[gnu::always_inline]] inline CommonPlane<2> ascended(const PolygonView& a, const PolygonView& b,
                                                      FacingCorners near, const Point<2>& normal,
                                                      Watch watch) {
  Point<2> apart = difference(b.corners[near.b], a.corners[near.a]);
  const bool left = wedge(normal, apart) > 0;  // turn n counterclockwise
  const auto next = [left](const PolygonView& polygon, Index corner) {
    return either(left, after(polygon, corner), before(polygon, corner));
  };
  for (std::size_t most = a.corners.size() + b.corners.size(); most > 0; --most) {
    const FacingCorners beyond{next(a, near.a), next(b, near.b)};
    const Point<2> along_a = difference(a.corners[beyond.a], a.corners[near.a]);
    const Point<2> along_b = difference(b.corners[near.b], b.corners[beyond.b]);
    const bool is_a = (wedge(along_a, along_b) > 0) == left;  // which n would be parallel to first
    const Point<2> edge = either(is_a, along_a, along_b);
    const double foot = dot(apart, edge);
    if (foot <= 0) break;
    const double square = dot(edge, edge);
    if (foot <= square) {
      const double per_length = (left ? 1 : -1) / std::sqrt(square);
      const Point<2> n = scaled(outwards(edge), per_length);
      if constexpr (Watch::looks) watch.took(dot(n, apart));
      const Index first_a = either(is_a && !left, beyond.a, near.a);
      const Index first_b = either(!is_a && !left, beyond.b, near.b);
      return {n, dot(n, apart), first_a, first_b, is_a ? PlaneKind::side_a : PlaneKind::side_b};
    }
    if constexpr (Watch::looks)
      watch.took((left ? 1 : -1) * dot(outwards(edge), apart) / std::sqrt(square));
    apart = difference(apart, edge);
    near.a = either(is_a, beyond.a, near.a);
    near.b = either(is_a, near.b, beyond.b);
  }
  const double gap = length(apart);
  if constexpr (Watch::looks) watch.took(gap);
  return {scaled(apart, 1 / gap), gap, near.a, near.b, PlaneKind::bisector};
}

}  // namespace abut
