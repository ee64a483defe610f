// The point of a segment, triangle or tetrahedron nearest to the origin, and which of its corners
// it needs: sides the origin is beyond are looked at, from the largest down.
#include <cmath>
#include <limits>

#include "narrow/common_plane_3d.hpp"
#include "narrow/gjk_simplex.hpp"

namespace abut {

bool GjkSimplex::contains(const VertexPair& pair) const {
  for (std::size_t k = 0; k < count_; ++k)
    if (pairs_[k].a == pair.a && pairs_[k].b == pair.b) return true;
  return false;
}

GjkSimplex GjkSimplex::without(std::size_t k) const {
  GjkSimplex result;
  for (std::size_t i = 0; i < count_; ++i)
    if (i != k) result.add(pairs_[i]);
  return result;
}

Point<3> GjkSimplex::reduce(Point<3>& direction) {
  switch (count_) {
    case 4:
      return reduce_tetrahedron(direction);
    case 3:
      return reduce_triangle(direction);
    case 2:
      return reduce_segment(direction);
    default:
      return direction = pairs_[0].separation;
  }
}

Point<3> GjkSimplex::reduce_segment(Point<3>& direction) {
  const Point<3>& p = pairs_[0].separation;
  const Point<3>& q = pairs_[1].separation;
  const Point<3> side = difference(q, p);
  const double t = -dot(p, side);
  const double whole = dot(side, side);
  if (t <= 0 || t >= whole) {
    if (t > 0) pairs_[0] = pairs_[1];
    count_ = 1;
    return direction = pairs_[0].separation;
  }
  // Measured from the nearer end, less is lost.
  const Point<3> nearest =
      2 * t < whole ? add_scaled(p, t / whole, side) : add_scaled(q, (t - whole) / whole, side);
  direction = add_scaled(nearest, -dot(nearest, side) / whole, side);
  return nearest;
}

Point<3> GjkSimplex::reduce_triangle(Point<3>& direction) {
  const std::array<Point<3>, 3> at{pairs_[0].separation, pairs_[1].separation,
                                   pairs_[2].separation};
  const Point<3> normal = cross(difference(at[1], at[0]), difference(at[2], at[0]));
  const double area = dot(normal, normal);
  GjkSimplex best;
  Point<3> nearest{};
  bool beyond = area == 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Point<3>& p = at[(k + 1) % 3];
    const Point<3> side = difference(at[(k + 2) % 3], p);
    if (area > 0 && dot(cross(normal, side), p) <= 0) continue;  // the origin is on the inside
    beyond = true;
    GjkSimplex edge = without(k);
    Point<3> across_edge{};
    const Point<3> found = edge.reduce_segment(across_edge);
    if (best.count_ > 0 && dot(found, found) >= dot(nearest, nearest)) continue;
    best = edge;
    nearest = found;
    direction = across_edge;
  }
  if (beyond) {
    *this = best;
    return nearest;
  }
  const double height = dot(normal, at[0]);
  direction = height < 0 ? reversed(normal) : normal;
  return scaled(normal, height / area);
}

Point<3> GjkSimplex::reduce_tetrahedron(Point<3>& direction) {
  constexpr double flat = 1e-14;  // then the side of the fourth corner means nothing
  GjkSimplex best;
  Point<3> nearest{};
  for (std::size_t k = 0; k < 4; ++k) {
    const Point<3>& p = pairs_[(k + 1) % 4].separation;
    const Point<3> first = difference(pairs_[(k + 2) % 4].separation, p);
    const Point<3> second = difference(pairs_[(k + 3) % 4].separation, p);
    const Point<3> normal = cross(first, second);
    const Point<3> fourth = difference(pairs_[k].separation, p);
    const double inside = dot(normal, fourth);
    const double origin = -dot(normal, p);
    const bool is_flat = inside * inside <= flat * flat * dot(normal, normal) * dot(fourth, fourth);
    if (!is_flat && (inside > 0) == (origin > 0)) continue;
    GjkSimplex face = without(k);
    Point<3> across_face{};
    const Point<3> found = face.reduce_triangle(across_face);
    if (best.count_ > 0 && dot(found, found) >= dot(nearest, nearest)) continue;
    best = face;
    nearest = found;
    direction = across_face;
  }
  if (best.count_ == 0) return direction = {};
  *this = best;
  return nearest;
}

}  // namespace abut

// The distance of two convex bodies: Gilbert, Johnson and Keerthi's walk towards the origin of the
// difference b − a (IEEE J. Robotics and Automation 4, 1988).
//   v  nearest point of a simplex of corner pairs, no nearer than the bodies are: |v| ≥ distance
//   n  across that simplex; the gap along it is no larger than the distance
// It ends when the two meet, so that the answer is certified from both sides. A few steps of
// O(√corners) each. Unlike in the original, n is taken from the sides of the simplex and not from
// v, which rounding spoils where the bodies almost touch.
namespace abut {
namespace {

constexpr double relative_gap_tolerance = 1e-12;      // of the size: bounds this close are one
constexpr double relative_contact_tolerance = 1e-11;  // of the size
constexpr int max_gjk_iterations = 200;

}  // namespace

GjkResult gjk_distance(const PolyhedronView& a, const PolyhedronView& b, const VertexPair& start) {
  const double size = a.topology->bounding_radius + b.topology->bounding_radius;
  GjkSimplex simplex;
  simplex.add(start);
  GjkResult best;
  best.gap = -std::numeric_limits<double>::infinity();
  VertexPair pair = start;
  double last = std::numeric_limits<double>::infinity();
  for (int step = 0; step < max_gjk_iterations; ++step) {
    Point<3> normal{};
    const Point<3> point = simplex.reduce(normal);
    const double square = dot(point, point);
    if (simplex.size() == 4 ||
        square <= relative_contact_tolerance * relative_contact_tolerance * size * size) {
      best.proximity = Proximity::touching;
      break;
    }
    if (square >= last) break;
    last = square;
    pair = support_pair(a, b, normal, pair.a, pair.b);
    const double per_length = 1 / length(normal);
    const double gap = dot(normal, pair.separation) * per_length;
    best.iterations = step + 1;
    if (gap > best.gap) {
      best.normal = scaled(normal, per_length);
      best.gap = gap;
      best.vertex_a = pair.a;
      best.vertex_b = pair.b;
    }
    if (std::sqrt(square) - best.gap <= relative_gap_tolerance * size) {
      best.proximity = Proximity::separated;
      break;
    }
    if (simplex.contains(pair)) break;
    simplex.add(pair);
  }
  return best;
}

}  // namespace abut
