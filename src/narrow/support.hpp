#pragma once

#include <abut/polyhedron.hpp>
#include <algorithm>
#include <limits>

#include "core/vec.hpp"

namespace abut {

/// The corner farthest along a direction: from corner to corner uphill, for on a convex body the
/// only top is the highest. Differences of corners, not corners, are measured, so that nothing is
/// lost far from the origin. Gains as small as rounding count for none: around a face that lies
/// across the direction they could lead in circles.
inline Index support(const PolyhedronView& body, const Point<3>& direction, Index from) {
  const PolyhedronTopology& topology = *body.topology;
  const Spoke* const spokes = topology.spokes.data();
  const Index* const hub = topology.hub.data();
  const Point<3>* const at = body.corners.data();
  constexpr double rounding = 2e-15;
  const double least = rounding * topology.radius * largest_part(direction);
  for (;;) {
    const Point<3> here = at[from];
    double most = least;
    Index best = from;
    for (Index k = hub[from]; k < hub[from + 1]; ++k) {
      const double gain = dot(direction, difference(at[spokes[k].tip], here));
      if (gain > most) {
        most = gain;
        best = spokes[k].tip;
      }
    }
    if (best == from) return from;
    from = best;
  }
}

/// The same with nothing to begin from: small bodies are looked through, for that has no branches
/// to guess.
inline Index support(const PolyhedronView& body, const Point<3>& direction) {
  constexpr std::size_t small = 40;
  if (body.corners.size() > small) return support(body, direction, 0);
  const Point<3>* const at = body.corners.data();
  const auto [x, y, z] = direction;
  const auto [cx, cy, cz] = body.centre;
  double most = -std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  const std::size_t corners = body.corners.size();
  for (std::size_t i = 0; i < corners; ++i) {
    const double reach = x * (at[i][0] - cx) + y * (at[i][1] - cy) + z * (at[i][2] - cz);
    best = reach > most ? i : best;
    most = std::max(most, reach);
  }
  return static_cast<Index>(best);
}

inline Point<3> reversed(const Point<3>& a) { return {-a[0], -a[1], -a[2]}; }

/// How far a corner may stand out of a plane through others and still count as in it: the rounding
/// of two bodies of this size at this place.
inline double slack_of(const PolyhedronView& a, const PolyhedronView& b) {
  constexpr double relative = 1e-13;
  constexpr double rounding = 4e-16;
  const auto farthest = [](const Point<3>& at) {  // as largest_part, without a branch
    return std::max(std::max(std::abs(at[0]), std::abs(at[1])), std::abs(at[2]));
  };
  return relative * (a.topology->radius + b.topology->radius) +
         rounding * (farthest(a.centre) + farthest(b.centre));
}

/// Two corners and the way from that of a to that of b.
struct CornerPair {
  Index a;
  Index b;
  Point<3> way;
};

inline CornerPair corner_pair(const PolyhedronView& a, const PolyhedronView& b, Index i, Index j) {
  return {i, j, difference(b.corners[j], a.corners[i])};
}

inline CornerPair supports(const PolyhedronView& a, const PolyhedronView& b,
                           const Point<3>& normal) {
  return corner_pair(a, b, support(a, normal), support(b, reversed(normal)));
}

/// The corners nearest to a plane with this normal, sought from two others.
inline CornerPair supports(const PolyhedronView& a, const PolyhedronView& b, const Point<3>& normal,
                           Index i, Index j) {
  return corner_pair(a, b, support(a, normal, i), support(b, reversed(normal), j));
}

}  // namespace abut
