#include "walls/facets.hpp"

namespace abut {
namespace {

// The vertex opposite the longest side: the two sides that meet there are the shortest, which
// minimizes the rounding error of their cross product.
std::size_t widest_angle_vertex(const std::array<Point<3>, 3>& vertices) {
  std::array<double, 3> opposite{};  // squared lengths
  for (std::size_t k = 0; k < 3; ++k) {
    const Point<3> side = difference(vertices[(k + 2) % 3], vertices[(k + 1) % 3]);
    opposite[k] = dot(side, side);
  }
  if (opposite[0] >= opposite[1] && opposite[0] >= opposite[2]) return 0;
  return opposite[1] >= opposite[2] ? 1 : 2;
}

struct EdgePoint {
  Point<3> point;
  Feature feature;
};

EdgePoint closest_on_segment(const Point<3>& from, const Point<3>& to, const Point<3>& center) {
  const Point<3> side = difference(to, from);
  const double t = dot(difference(center, from), side);
  const double squared_length = dot(side, side);
  if (!(t > 0)) return {from, Feature::vertex};
  if (t >= squared_length) return {to, Feature::vertex};
  return {add_scaled(from, t / squared_length, side), Feature::edge};
}

}  // namespace

void Facets<3>::add(const std::array<Point<3>, 3>& vertices, Index element) {
  const std::size_t first = widest_angle_vertex(vertices);
  const std::array<Point<3>, 3> ordered{vertices[first], vertices[(first + 1) % 3],
                                        vertices[(first + 2) % 3]};
  const auto& [a, b, c] = ordered;
  const Point<3> ab = normalized(difference(b, a));
  const Point<3> ac = normalized(difference(c, a));
  const Point<3> bc = normalized(difference(c, b));
  const Point<3> estimate = normalized(cross(ab, ac));
  // Made exactly normal to the longest side, which matters for slivers.
  const Point<3> normal = normalized(add_scaled(estimate, -dot(estimate, bc), bc));
  const Point<3> inward = cross(normal, bc);
  const double width = dot(inward, difference(a, b));
  const double longest = dot(difference(c, b), bc);
  const bool is_sliver = !(width >= sliver_ratio * longest);
  const FaceRecord face{a,     normal,  {cross(normal, ab), inward, cross(ac, normal)},
                        width, element, false};
  faces_.push_back(is_sliver ? FaceRecord{a, {}, {}, 0, element, true} : face);
  unsigned reversed = 0;
  for (unsigned k = 0; k < 3; ++k)
    if (ordered[(k + 1) % 3] < ordered[k]) reversed |= 1U << k;
  edges_.push_back({ordered, static_cast<std::uint8_t>(reversed)});
}

bool Facets<3>::find_closest_on_edges(std::size_t i, const Point<3>& center, const Point<3>& inside,
                                      double cutoff, ClosestPoint<3>& found) const {
  const EdgeRecord& record = edges_[i];
  EdgePoint best{};
  double min_squared = cutoff * cutoff;
  bool any = false;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(inside[k] < 0)) continue;
    const Point<3>& first = record.vertices[k];
    const Point<3>& second = record.vertices[k == 2 ? 0 : k + 1];
    const bool swapped = ((record.reversed_edges >> k) & 1U) != 0;
    const EdgePoint candidate =
        closest_on_segment(swapped ? second : first, swapped ? first : second, center);
    const Point<3> offset = difference(center, candidate.point);
    const double squared = dot(offset, offset);
    if (squared > min_squared || (any && squared == min_squared)) continue;
    min_squared = squared;
    best = candidate;
    any = true;
  }
  if (!any) return false;
  const double distance = std::sqrt(min_squared);
  const Point<3> offset = difference(center, best.point);
  const Point<3> fallback_normal =
      faces_[i].is_sliver
          ? perpendicular(normalized(difference(record.vertices[2], record.vertices[1])))
          : faces_[i].normal;
  found = {distance, distance > 0 ? scaled(offset, 1 / distance) : fallback_normal, best.point,
           faces_[i].element, best.feature};
  return true;
}

}  // namespace abut
