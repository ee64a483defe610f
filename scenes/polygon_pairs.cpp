#include "scenes/polygon_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/vec.hpp"

namespace abut {
namespace {

constexpr double circle = 2 * std::numbers::pi;

Point<2> middle_of(std::span<const Point<2>> corners) { return Polygon(corners).centroid(); }

Point<2> turned_about(const Point<2>& point, const Point<2>& centre, double angle) {
  const Point<2> arm = difference(point, centre);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {centre[0] + c * arm[0] - s * arm[1], centre[1] + s * arm[0] + c * arm[1]};
}

double least_gap(const PolygonView& own, const PolygonView& other, std::size_t k) {
  const Point<2>& start = own.corners[k];
  const Point<2> along = difference(own.corners[(k + 1) % own.corners.size()], start);
  const Point<2> outwards = unit(Point<2>{along[1], -along[0]});
  double least = std::numeric_limits<double>::infinity();
  for (const Point<2>& corner : other.corners)
    least = std::min(least, dot(outwards, difference(corner, start)));
  return least;
}

// Views are made when the array of corners no longer moves.
void cut_views(PolygonPairs& made, const std::vector<std::size_t>& counts) {
  std::size_t first = 0;
  const auto next = [&](std::size_t count) {
    const std::span<const Point<2>> corners(made.corners.data() + first, count);
    first += count;
    return PolygonView{corners, middle_of(corners)};
  };
  for (std::size_t i = 0; i + 1 < counts.size(); i += 2) {
    const PolygonView a = next(counts[i]);
    made.pairs.push_back({a, next(counts[i + 1])});
  }
}

}  // namespace

std::vector<Point<2>> random_corners(Random& random, std::size_t count, double slenderness) {
  std::vector<Point<2>> corners;
  const double start = random.uniform(0, circle);
  const double turn = random.uniform(0, circle);
  for (std::size_t k = 0; k < count; ++k) {
    const double angle = start + circle * (static_cast<double>(k) + random.uniform(0, 0.9)) /
                                     static_cast<double>(count);
    corners.push_back(turned_about({std::cos(angle), slenderness * std::sin(angle)}, {0, 0}, turn));
  }
  return corners;
}

double gap_by_axes(const PolygonView& a, const PolygonView& b) {
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < a.corners.size(); ++k) most = std::max(most, least_gap(a, b, k));
  for (std::size_t k = 0; k < b.corners.size(); ++k) most = std::max(most, least_gap(b, a, k));
  return most;
}

double distance_by_sides(const PolygonView& a, const PolygonView& b) {
  double least = std::numeric_limits<double>::infinity();
  const auto from_corners_to_sides = [&](const PolygonView& corners, const PolygonView& sides) {
    for (std::size_t k = 0; k < sides.corners.size(); ++k) {
      const Point<2>& start = sides.corners[k];
      const Point<2> side = difference(sides.corners[(k + 1) % sides.corners.size()], start);
      for (const Point<2>& corner : corners.corners) {
        const Point<2> way = difference(corner, start);
        const double t = std::clamp(dot(way, side) / dot(side, side), 0.0, 1.0);
        least = std::min(least, length(difference(way, scaled(side, t))));
      }
    }
  };
  from_corners_to_sides(a, b);
  from_corners_to_sides(b, a);
  return least;
}

PolygonPairs make_polygon_pairs(const PolygonPairsRecipe& recipe) {
  Random random(recipe.seed);
  PolygonPairs made;
  std::vector<std::size_t> counts;
  const auto corners = [&] {
    return random_corners(random, recipe.fewest + random.below(recipe.most - recipe.fewest + 1),
                          recipe.slenderness);
  };
  while (counts.size() < 2 * recipe.count) {
    const std::vector<Point<2>> a = corners();
    std::vector<Point<2>> b = corners();
    const double direction = random.uniform(0, circle);
    const double distance = random.uniform(0, 2.1);
    for (Point<2>& corner : b)
      corner = along(corner, distance, Point<2>{std::cos(direction), std::sin(direction)});
    const double gap = gap_by_axes({a, {}}, {b, {}});
    const bool overlap = counts.size() % 4 == 2;
    if (!(overlap ? gap < 0 && gap > -recipe.nearness : gap > 0 && gap < recipe.nearness)) continue;
    made.corners.insert(made.corners.end(), a.begin(), a.end());
    made.corners.insert(made.corners.end(), b.begin(), b.end());
    counts.push_back(a.size());
    counts.push_back(b.size());
  }
  cut_views(made, counts);
  return made;
}

PolygonPairs moved(const PolygonPairs& pairs, double distance, std::uint64_t seed) {
  Random random(seed);
  PolygonPairs made;
  std::vector<std::size_t> counts;
  const auto little = [&] { return random.uniform(-distance, distance); };
  for (const auto& [a, b] : pairs.pairs) {
    made.corners.insert(made.corners.end(), a.corners.begin(), a.corners.end());
    const double turn = little();
    const Point<2> shift{little(), little()};
    for (const Point<2>& corner : b.corners)
      made.corners.push_back(sum(turned_about(corner, b.centre, turn), shift));
    counts.push_back(a.corners.size());
    counts.push_back(b.corners.size());
  }
  cut_views(made, counts);
  return made;
}

}  // namespace abut
