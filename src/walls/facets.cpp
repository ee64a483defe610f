#include "walls/facets.hpp"

namespace abut {
namespace {

// The corner of a triangle with the widest angle: from there both sides are shortest, and so is the
// error of their cross product.
std::size_t widest_angle_vertex(const std::array<Point<3>, 3>& corners) {
  std::array<double, 3> across_from{};
  for (std::size_t k = 0; k < 3; ++k) {
    const Point<3> side = difference(corners[(k + 2) % 3], corners[(k + 1) % 3]);
    across_from[k] = dot(side, side);
  }
  if (across_from[0] >= across_from[1] && across_from[0] >= across_from[2]) return 0;
  return across_from[1] >= across_from[2] ? 1 : 2;
}

struct EdgePoint {
  Point<3> point;
  Feature feature;
};

EdgePoint closest_on_segment(const Point<3>& from, const Point<3>& to, const Point<3>& centre) {
  const Point<3> side = difference(to, from);
  const double t = dot(difference(centre, from), side);
  const double whole = dot(side, side);
  if (!(t > 0)) return {from, Feature::vertex};
  if (t >= whole) return {to, Feature::vertex};
  return {add_scaled(from, t / whole, side), Feature::edge};
}

}  // namespace

void Facets<3>::add(const std::array<Point<3>, 3>& corners, Index number) {
  const std::size_t first = widest_angle_vertex(corners);
  const std::array<Point<3>, 3> turned{corners[first], corners[(first + 1) % 3],
                                       corners[(first + 2) % 3]};
  const auto& [a, b, c] = turned;
  const Point<3> ab = normalized(difference(b, a));
  const Point<3> ac = normalized(difference(c, a));
  const Point<3> bc = normalized(difference(c, b));
  const Point<3> rough = normalized(cross(ab, ac));
  const Point<3> normal =
      normalized(add_scaled(rough, -dot(rough, bc), bc));  // of slivers too, end to end
  const Point<3> beyond = cross(normal, bc);
  const double width = dot(beyond, difference(a, b));
  const double longest = dot(difference(c, b), bc);
  const bool is_thin = !(width >= sliver_ratio * longest);
  const FaceRecord plate{a,     normal, {cross(normal, ab), beyond, cross(ac, normal)},
                         width, number, false};
  faces_.push_back(is_thin ? FaceRecord{a, {}, {}, 0, number, true} : plate);
  unsigned backward = 0;
  for (unsigned k = 0; k < 3; ++k)
    if (turned[(k + 1) % 3] < turned[k]) backward |= 1U << k;
  edges_.push_back({turned, static_cast<std::uint8_t>(backward)});
}

bool Facets<3>::find_closest_on_edges(std::size_t i, const Point<3>& centre, const Point<3>& inside,
                                      double reach, ClosestPoint<3>& found) const {
  const EdgeRecord& rim = edges_[i];
  EdgePoint best{};
  double least = reach * reach;
  bool any = false;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(inside[k] < 0)) continue;
    const Point<3>& first = rim.vertices[k];
    const Point<3>& second = rim.vertices[k == 2 ? 0 : k + 1];
    const bool swapped = ((rim.reversed_edges >> k) & 1U) != 0;
    const EdgePoint on =
        closest_on_segment(swapped ? second : first, swapped ? first : second, centre);
    const Point<3> apart = difference(centre, on.point);
    const double squared = dot(apart, apart);
    if (squared > least || (any && squared == least)) continue;
    least = squared;
    best = on;
    any = true;
  }
  if (!any) return false;
  const double distance = std::sqrt(least);
  const Point<3> apart = difference(centre, best.point);
  const Point<3> face =
      faces_[i].is_sliver ? perpendicular(normalized(difference(rim.vertices[2], rim.vertices[1])))
                          : faces_[i].normal;
  found = {distance, distance > 0 ? scaled(apart, 1 / distance) : face, best.point,
           faces_[i].element, best.feature};
  return true;
}

}  // namespace abut
