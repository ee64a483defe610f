#include "walls/facets.hpp"

namespace abut {
namespace {

// The corner of a triangle with the widest angle: from there both sides are shortest, and so is the
// error of their cross product.
std::size_t widest_corner(const std::array<Point<3>, 3>& corners) {
  std::array<double, 3> across_from{};
  for (std::size_t k = 0; k < 3; ++k) {
    const Point<3> side = difference(corners[(k + 2) % 3], corners[(k + 1) % 3]);
    across_from[k] = dot(side, side);
  }
  if (across_from[0] >= across_from[1] && across_from[0] >= across_from[2]) return 0;
  return across_from[1] >= across_from[2] ? 1 : 2;
}

struct OnEdge {
  Point<3> point;
  Feature feature;
};

OnEdge nearest_on(const Point<3>& from, const Point<3>& to, const Point<3>& centre) {
  const Point<3> side = difference(to, from);
  const double t = dot(difference(centre, from), side);
  const double whole = dot(side, side);
  if (!(t > 0)) return {from, Feature::corner};
  if (t >= whole) return {to, Feature::corner};
  return {along(from, t / whole, side), Feature::edge};
}

}  // namespace

void Facets<3>::add(const std::array<Point<3>, 3>& corners, Index number) {
  const std::size_t first = widest_corner(corners);
  const std::array<Point<3>, 3> turned{corners[first], corners[(first + 1) % 3],
                                       corners[(first + 2) % 3]};
  const auto& [a, b, c] = turned;
  const Point<3> ab = unit(difference(b, a));
  const Point<3> ac = unit(difference(c, a));
  const Point<3> bc = unit(difference(c, b));
  const Point<3> rough = unit(cross(ab, ac));
  const Point<3> normal = unit(along(rough, -dot(rough, bc), bc));  // of slivers too, end to end
  const Point<3> beyond = cross(normal, bc);
  const double width = dot(beyond, difference(a, b));
  const double longest = dot(difference(c, b), bc);
  const bool is_thin = !(width >= thin * longest);
  const Plate plate{a,     normal, {cross(normal, ab), beyond, cross(ac, normal)},
                    width, number, false};
  plates_.push_back(is_thin ? Plate{a, {}, {}, 0, number, true} : plate);
  unsigned backward = 0;
  for (unsigned k = 0; k < 3; ++k)
    if (turned[(k + 1) % 3] < turned[k]) backward |= 1U << k;
  rims_.push_back({turned, static_cast<std::uint8_t>(backward)});
}

bool Facets<3>::near_edge(std::size_t i, const Point<3>& centre, const Point<3>& inside,
                          double reach, Touch<3>& found) const {
  const Rim& rim = rims_[i];
  OnEdge best{};
  double least = reach * reach;
  bool any = false;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(inside[k] < 0)) continue;
    const Point<3>& first = rim.corners[k];
    const Point<3>& second = rim.corners[k == 2 ? 0 : k + 1];
    const bool swapped = ((rim.backward >> k) & 1U) != 0;
    const OnEdge on = nearest_on(swapped ? second : first, swapped ? first : second, centre);
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
  const Point<3> face = plates_[i].thin ? across(unit(difference(rim.corners[2], rim.corners[1])))
                                        : plates_[i].normal;
  found = {distance, distance > 0 ? scaled(apart, 1 / distance) : face, best.point,
           plates_[i].number, best.feature};
  return true;
}

}  // namespace abut
