#include "scenes/polygon_scene.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/statistics.hpp"
#include "core/vec.hpp"

namespace abut {
namespace {

constexpr double circle = 2 * std::numbers::pi;

Point<2> center_of(std::span<const Point<2>> corners) { return Polygon(corners).centroid(); }

Point<2> rotated_about(const Point<2>& point, const Point<2>& centre, double angle) {
  const Point<2> arm = difference(point, centre);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {centre[0] + c * arm[0] - s * arm[1], centre[1] + s * arm[0] + c * arm[1]};
}

double min_gap(const PolygonView& own, const PolygonView& other, std::size_t k) {
  const Point<2>& start = own.vertices[k];
  const Point<2> along = difference(own.vertices[(k + 1) % own.vertices.size()], start);
  const Point<2> outwards = normalized(Point<2>{along[1], -along[0]});
  double least = std::numeric_limits<double>::infinity();
  for (const Point<2>& corner : other.vertices)
    least = std::min(least, dot(outwards, difference(corner, start)));
  return least;
}

// Views are made when the array of corners no longer moves.
void make_views(PolygonPairs& made, const std::vector<std::size_t>& counts) {
  std::size_t first = 0;
  const auto next = [&](std::size_t count) {
    const std::span<const Point<2>> corners(made.vertices.data() + first, count);
    first += count;
    return PolygonView{corners, center_of(corners)};
  };
  for (std::size_t i = 0; i + 1 < counts.size(); i += 2) {
    const PolygonView a = next(counts[i]);
    made.pairs.push_back({a, next(counts[i + 1])});
  }
}

}  // namespace

std::vector<Point<2>> random_polygon(Random& random, std::size_t count, double slenderness) {
  std::vector<Point<2>> corners;
  const double start = random.uniform(0, circle);
  const double turn = random.uniform(0, circle);
  for (std::size_t k = 0; k < count; ++k) {
    const double angle = start + circle * (static_cast<double>(k) + random.uniform(0, 0.9)) /
                                     static_cast<double>(count);
    corners.push_back(
        rotated_about({std::cos(angle), slenderness * std::sin(angle)}, {0, 0}, turn));
  }
  return corners;
}

double gap_by_separating_axes(const PolygonView& a, const PolygonView& b) {
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < a.vertices.size(); ++k) most = std::max(most, min_gap(a, b, k));
  for (std::size_t k = 0; k < b.vertices.size(); ++k) most = std::max(most, min_gap(b, a, k));
  return most;
}

double distance_by_sides(const PolygonView& a, const PolygonView& b) {
  double least = std::numeric_limits<double>::infinity();
  const auto from_corners_to_sides = [&](const PolygonView& corners, const PolygonView& sides) {
    for (std::size_t k = 0; k < sides.vertices.size(); ++k) {
      const Point<2>& start = sides.vertices[k];
      const Point<2> side = difference(sides.vertices[(k + 1) % sides.vertices.size()], start);
      for (const Point<2>& corner : corners.vertices) {
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

PolygonPairs make_polygon_pairs(const PolygonPairsOptions& recipe) {
  Random random(recipe.seed);
  PolygonPairs made;
  std::vector<std::size_t> counts;
  const auto corners = [&] {
    return random_polygon(
        random, recipe.min_vertices + random.below(recipe.max_vertices - recipe.min_vertices + 1),
        recipe.slenderness);
  };
  while (counts.size() < 2 * recipe.count) {
    const std::vector<Point<2>> a = corners();
    std::vector<Point<2>> b = corners();
    const double direction = random.uniform(0, circle);
    const double distance = random.uniform(0, 2.1);
    for (Point<2>& corner : b)
      corner = add_scaled(corner, distance, Point<2>{std::cos(direction), std::sin(direction)});
    const double gap = gap_by_separating_axes({a, {}}, {b, {}});
    const bool overlap = counts.size() % 4 == 2;
    if (!(overlap ? gap < 0 && gap > -recipe.max_gap : gap > 0 && gap < recipe.max_gap)) continue;
    made.vertices.insert(made.vertices.end(), a.begin(), a.end());
    made.vertices.insert(made.vertices.end(), b.begin(), b.end());
    counts.push_back(a.size());
    counts.push_back(b.size());
  }
  make_views(made, counts);
  return made;
}

PolygonPairs perturbed(const PolygonPairs& pairs, double distance, std::uint64_t seed) {
  Random random(seed);
  PolygonPairs made;
  std::vector<std::size_t> counts;
  const auto little = [&] { return random.uniform(-distance, distance); };
  for (const auto& [a, b] : pairs.pairs) {
    made.vertices.insert(made.vertices.end(), a.vertices.begin(), a.vertices.end());
    const double turn = little();
    const Point<2> shift{little(), little()};
    for (const Point<2>& corner : b.vertices)
      made.vertices.push_back(sum(rotated_about(corner, b.centroid, turn), shift));
    counts.push_back(a.vertices.size());
    counts.push_back(b.vertices.size());
  }
  make_views(made, counts);
  return made;
}

std::vector<std::vector<Point<2>>> make_polygons(std::size_t count, std::uint64_t seed) {
  constexpr double apart = 1.7;  // less than they are across
  constexpr double shaken = 0.15;
  Random random(seed);
  const auto columns =
      static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count) * 1.6)));
  std::vector<std::vector<Point<2>>> polygons;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = i / columns;
    const double place = static_cast<double>(i % columns) + (row % 2 == 0 ? 0 : 0.5);
    const Point<2> at{place * apart + random.uniform(-shaken, shaken),
                      static_cast<double>(row) * apart * 0.87 + random.uniform(-shaken, shaken)};
    polygons.push_back(random_polygon(random, 3 + random.below(6), random.uniform(0.6, 1)));
    for (Point<2>& corner : polygons.back()) corner = sum(at, corner);
  }
  return polygons;
}

}  // namespace abut
