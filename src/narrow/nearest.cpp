// The distance of two convex bodies: Gilbert, Johnson and Keerthi's walk towards the origin of the
// difference b − a (IEEE J. Robotics and Automation 4, 1988).
//   v  nearest point of a simplex of corner pairs, no nearer than the bodies are: |v| ≥ distance
//   n  across that simplex; the gap along it is no larger than the distance
// It ends when the two meet, so that the answer is certified from both sides. A few steps of
// O(√corners) each. Unlike in the original, n is taken from the sides of the simplex and not from
// v, which rounding spoils where the bodies almost touch.
#include "narrow/nearest.hpp"

#include <cmath>
#include <limits>

#include "narrow/simplex.hpp"

namespace abut {
namespace {

constexpr double certain = 1e-12;  // of the size: bounds this close are one
constexpr double reached = 1e-11;  // of the size
constexpr int most_steps = 200;

}  // namespace

Nearest nearest(const PolyhedronView& a, const PolyhedronView& b, const CornerPair& start) {
  const double size = a.topology->radius + b.topology->radius;
  PairSimplex simplex;
  simplex.add(start);
  Nearest best;
  best.gap = -std::numeric_limits<double>::infinity();
  CornerPair pair = start;
  double last = std::numeric_limits<double>::infinity();
  for (int step = 0; step < most_steps; ++step) {
    Point<3> normal{};
    const Point<3> point = simplex.reduce(normal);
    const double square = dot(point, point);
    if (simplex.size() == 4 || square <= reached * reached * size * size) {
      best.meeting = Meeting::touch;
      break;
    }
    if (square >= last) break;
    last = square;
    pair = supports(a, b, normal, pair.a, pair.b);
    const double per_length = 1 / length(normal);
    const double gap = dot(normal, pair.way) * per_length;
    best.steps = step + 1;
    if (gap > best.gap) {
      best.normal = scaled(normal, per_length);
      best.gap = gap;
      best.a = pair.a;
      best.b = pair.b;
    }
    if (std::sqrt(square) - best.gap <= certain * size) {
      best.meeting = Meeting::apart;
      break;
    }
    if (simplex.holds(pair)) break;
    simplex.add(pair);
  }
  return best;
}

}  // namespace abut
