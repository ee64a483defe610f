// The point of a segment, triangle or tetrahedron nearest to the origin, and which of its corners
// it needs: sides the origin is beyond are looked at, from the largest down.
#include "narrow/simplex.hpp"

namespace abut {

bool PairSimplex::holds(const CornerPair& pair) const {
  for (std::size_t k = 0; k < count_; ++k)
    if (pairs_[k].a == pair.a && pairs_[k].b == pair.b) return true;
  return false;
}

PairSimplex PairSimplex::without(std::size_t k) const {
  PairSimplex result;
  for (std::size_t i = 0; i < count_; ++i)
    if (i != k) result.add(pairs_[i]);
  return result;
}

Point<3> PairSimplex::reduce(Point<3>& direction) {
  switch (count_) {
    case 4:
      return reduce_tetrahedron(direction);
    case 3:
      return reduce_triangle(direction);
    case 2:
      return reduce_segment(direction);
    default:
      return direction = pairs_[0].way;
  }
}

Point<3> PairSimplex::reduce_segment(Point<3>& direction) {
  const Point<3>& p = pairs_[0].way;
  const Point<3>& q = pairs_[1].way;
  const Point<3> side = difference(q, p);
  const double t = -dot(p, side);
  const double whole = dot(side, side);
  if (t <= 0 || t >= whole) {
    if (t > 0) pairs_[0] = pairs_[1];
    count_ = 1;
    return direction = pairs_[0].way;
  }
  // Measured from the nearer end, less is lost.
  const Point<3> nearest =
      2 * t < whole ? along(p, t / whole, side) : along(q, (t - whole) / whole, side);
  direction = along(nearest, -dot(nearest, side) / whole, side);
  return nearest;
}

Point<3> PairSimplex::reduce_triangle(Point<3>& direction) {
  const std::array<Point<3>, 3> at{pairs_[0].way, pairs_[1].way, pairs_[2].way};
  const Point<3> normal = cross(difference(at[1], at[0]), difference(at[2], at[0]));
  const double area = dot(normal, normal);
  PairSimplex best;
  Point<3> nearest{};
  bool beyond = area == 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Point<3>& p = at[(k + 1) % 3];
    const Point<3> side = difference(at[(k + 2) % 3], p);
    if (area > 0 && dot(cross(normal, side), p) <= 0) continue;  // the origin is on the inside
    beyond = true;
    PairSimplex edge = without(k);
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

Point<3> PairSimplex::reduce_tetrahedron(Point<3>& direction) {
  constexpr double flat = 1e-14;  // then the side of the fourth corner means nothing
  PairSimplex best;
  Point<3> nearest{};
  for (std::size_t k = 0; k < 4; ++k) {
    const Point<3>& p = pairs_[(k + 1) % 4].way;
    const Point<3> first = difference(pairs_[(k + 2) % 4].way, p);
    const Point<3> second = difference(pairs_[(k + 3) % 4].way, p);
    const Point<3> normal = cross(first, second);
    const Point<3> fourth = difference(pairs_[k].way, p);
    const double inside = dot(normal, fourth);
    const double origin = -dot(normal, p);
    const bool is_flat = inside * inside <= flat * flat * dot(normal, normal) * dot(fourth, fourth);
    if (!is_flat && (inside > 0) == (origin > 0)) continue;
    PairSimplex face = without(k);
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
