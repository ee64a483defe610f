// The distance of two convex bodies by the algorithm of Gilbert, Johnson and Keerthi (IEEE J.
// Robotics and Automation 4, 1988): a walk toward the origin in the Minkowski difference b − a.
//   v  closest point of a simplex of vertex pairs to the origin: |v| ≥ distance
//   n  normal of the simplex at v: gap along n ≤ distance
// It ends when both bounds agree, so the result is certified from both sides. A few iterations of
// O(√vertices) each. Unlike in the original, n is taken from the edges of the simplex and not from
// v, which loses its digits when the bodies almost touch.
#include <array>
#include <cmath>
#include <limits>

#include "narrow/common_plane_3d.hpp"

namespace abut {
namespace {

constexpr double relative_gap_tolerance = 1e-12;      // of the size: bounds this close are equal
constexpr double relative_contact_tolerance = 1e-11;  // of the size: the origin is reached
constexpr int max_gjk_iterations = 200;

// Up to four vertices of the Minkowski difference.
class GjkSimplex {
 public:
  void add(const VertexPair& pair) { pairs_[count_++] = pair; }

  [[nodiscard]] bool contains(const VertexPair& pair) const {
    for (std::size_t k = 0; k < count_; ++k)
      if (pairs_[k].a == pair.a && pairs_[k].b == pair.b) return true;
    return false;
  }

  // Returns the point of the simplex closest to the origin and drops the vertices it does not
  // depend on; four remain if the origin is inside. `direction` is normal to the remaining triangle
  // or edge, more accurate than the point itself when that is close to the origin.
  Point<3> reduce(Point<3>& direction) {
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

  [[nodiscard]] std::size_t size() const { return count_; }

 private:
  [[nodiscard]] GjkSimplex without(std::size_t k) const {
    GjkSimplex result;
    for (std::size_t i = 0; i < count_; ++i)
      if (i != k) result.add(pairs_[i]);
    return result;
  }

  Point<3> reduce_segment(Point<3>& direction);
  Point<3> reduce_triangle(Point<3>& direction);
  Point<3> reduce_tetrahedron(Point<3>& direction);

  std::array<VertexPair, 4> pairs_;
  std::size_t count_ = 0;
};

Point<3> GjkSimplex::reduce_segment(Point<3>& direction) {
  const Point<3>& p = pairs_[0].separation;
  const Point<3>& q = pairs_[1].separation;
  const Point<3> edge = difference(q, p);
  const double t = -dot(p, edge);
  const double edge_squared = dot(edge, edge);
  if (t <= 0 || t >= edge_squared) {
    if (t > 0) pairs_[0] = pairs_[1];
    count_ = 1;
    return direction = pairs_[0].separation;
  }
  // From the closer end, for accuracy.
  const Point<3> closest = 2 * t < edge_squared
                               ? add_scaled(p, t / edge_squared, edge)
                               : add_scaled(q, (t - edge_squared) / edge_squared, edge);
  direction = add_scaled(closest, -dot(closest, edge) / edge_squared, edge);
  return closest;
}

Point<3> GjkSimplex::reduce_triangle(Point<3>& direction) {
  const std::array<Point<3>, 3> vertices{pairs_[0].separation, pairs_[1].separation,
                                         pairs_[2].separation};
  const Point<3> normal =
      cross(difference(vertices[1], vertices[0]), difference(vertices[2], vertices[0]));
  const double normal_squared = dot(normal, normal);
  GjkSimplex best;
  Point<3> closest{};
  bool is_outside = normal_squared == 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Point<3>& p = vertices[(k + 1) % 3];
    const Point<3> edge = difference(vertices[(k + 2) % 3], p);
    if (normal_squared > 0 && dot(cross(normal, edge), p) <= 0) continue;  // origin inside the edge
    is_outside = true;
    GjkSimplex segment = without(k);
    Point<3> segment_direction{};
    const Point<3> point = segment.reduce_segment(segment_direction);
    if (best.count_ > 0 && dot(point, point) >= dot(closest, closest)) continue;
    best = segment;
    closest = point;
    direction = segment_direction;
  }
  if (is_outside) {
    *this = best;
    return closest;
  }
  const double height = dot(normal, vertices[0]);
  direction = height < 0 ? reversed(normal) : normal;
  return scaled(normal, height / normal_squared);
}

Point<3> GjkSimplex::reduce_tetrahedron(Point<3>& direction) {
  constexpr double flat = 1e-14;  // the side of the fourth vertex is then undetermined
  GjkSimplex best;
  Point<3> closest{};
  for (std::size_t k = 0; k < 4; ++k) {
    const Point<3>& p = pairs_[(k + 1) % 4].separation;
    const Point<3> first = difference(pairs_[(k + 2) % 4].separation, p);
    const Point<3> second = difference(pairs_[(k + 3) % 4].separation, p);
    const Point<3> normal = cross(first, second);
    const Point<3> fourth = difference(pairs_[k].separation, p);
    const double fourth_side = dot(normal, fourth);
    const double origin_side = -dot(normal, p);
    const bool is_flat =
        fourth_side * fourth_side <= flat * flat * dot(normal, normal) * dot(fourth, fourth);
    if (!is_flat && (fourth_side > 0) == (origin_side > 0)) continue;
    GjkSimplex face = without(k);
    Point<3> face_direction{};
    const Point<3> point = face.reduce_triangle(face_direction);
    if (best.count_ > 0 && dot(point, point) >= dot(closest, closest)) continue;
    best = face;
    closest = point;
    direction = face_direction;
  }
  if (best.count_ == 0) return direction = {};
  *this = best;
  return closest;
}

}  // namespace

GjkResult gjk_distance(const PolyhedronView& a, const PolyhedronView& b, const VertexPair& start) {
  const double size = a.topology->bounding_radius + b.topology->bounding_radius;
  GjkSimplex simplex;
  simplex.add(start);
  GjkResult best;
  best.gap = -std::numeric_limits<double>::infinity();
  VertexPair pair = start;
  double previous_squared = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < max_gjk_iterations; ++iteration) {
    Point<3> normal{};
    const Point<3> point = simplex.reduce(normal);
    const double distance_squared = dot(point, point);
    if (simplex.size() == 4 ||
        distance_squared <= relative_contact_tolerance * relative_contact_tolerance * size * size) {
      best.proximity = Proximity::touching;
      break;
    }
    if (distance_squared >= previous_squared) break;
    previous_squared = distance_squared;
    pair = support_pair(a, b, normal, pair.a, pair.b);
    const double inverse_length = 1 / length(normal);
    const double gap = dot(normal, pair.separation) * inverse_length;
    best.iterations = iteration + 1;
    if (gap > best.gap) {
      best.normal = scaled(normal, inverse_length);
      best.gap = gap;
      best.vertex_a = pair.a;
      best.vertex_b = pair.b;
    }
    if (std::sqrt(distance_squared) - best.gap <= relative_gap_tolerance * size) {
      best.proximity = Proximity::separated;
      break;
    }
    if (simplex.contains(pair)) break;
    simplex.add(pair);
  }
  return best;
}

}  // namespace abut
