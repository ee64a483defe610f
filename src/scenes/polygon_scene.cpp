#include "scenes/polygon_scene.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/portable_math.hpp"
#include "core/statistics.hpp"
#include "core/vec.hpp"

namespace abut {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;

Point<2> center_of(std::span<const Point<2>> vertices) { return Polygon(vertices).centroid(); }

Point<2> rotated_about(const Point<2>& point, const Point<2>& center, double angle) {
  const Point<2> arm = difference(point, center);
  const double c = portable_math::cos(angle);
  const double s = portable_math::sin(angle);
  return {center[0] + c * arm[0] - s * arm[1], center[1] + s * arm[0] + c * arm[1]};
}

// Smallest signed distance of the other polygon's vertices from side k, along its outward normal.
double min_gap(const PolygonView& own, const PolygonView& other, std::size_t k) {
  const Point<2>& start = own.vertices[k];
  const Point<2> side = difference(own.vertices[(k + 1) % own.vertices.size()], start);
  const Point<2> normal = normalized(Point<2>{side[1], -side[0]});
  double gap = std::numeric_limits<double>::infinity();
  for (const Point<2>& vertex : other.vertices)
    gap = std::min(gap, dot(normal, difference(vertex, start)));
  return gap;
}

// Creates the views when the array of vertices is complete and no longer reallocated.
void make_views(PolygonPairs& result, const std::vector<std::size_t>& counts) {
  std::size_t first = 0;
  const auto next = [&](std::size_t count) {
    const std::span<const Point<2>> vertices(result.vertices.data() + first, count);
    first += count;
    return PolygonView{vertices, center_of(vertices)};
  };
  for (std::size_t i = 0; i + 1 < counts.size(); i += 2) {
    const PolygonView a = next(counts[i]);
    result.pairs.push_back({a, next(counts[i + 1])});
  }
}

}  // namespace

std::vector<Point<2>> random_polygon(Random& random, std::size_t count, double slenderness) {
  std::vector<Point<2>> vertices;
  const double start = random.uniform(0, full_turn);
  const double rotation = random.uniform(0, full_turn);
  for (std::size_t k = 0; k < count; ++k) {
    const double angle = start + full_turn * (static_cast<double>(k) + random.uniform(0, 0.9)) /
                                     static_cast<double>(count);
    vertices.push_back(rotated_about(
        {portable_math::cos(angle), slenderness * portable_math::sin(angle)}, {0, 0}, rotation));
  }
  return vertices;
}

double gap_by_separating_axes(const PolygonView& a, const PolygonView& b) {
  double gap = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < a.vertices.size(); ++k) gap = std::max(gap, min_gap(a, b, k));
  for (std::size_t k = 0; k < b.vertices.size(); ++k) gap = std::max(gap, min_gap(b, a, k));
  return gap;
}

double distance_by_sides(const PolygonView& a, const PolygonView& b) {
  double distance = std::numeric_limits<double>::infinity();
  const auto vertices_to_sides = [&](const PolygonView& own, const PolygonView& other) {
    for (std::size_t k = 0; k < other.vertices.size(); ++k) {
      const Point<2>& start = other.vertices[k];
      const Point<2> side = difference(other.vertices[(k + 1) % other.vertices.size()], start);
      for (const Point<2>& vertex : own.vertices) {
        const Point<2> from_start = difference(vertex, start);
        const double t = std::clamp(dot(from_start, side) / dot(side, side), 0.0, 1.0);
        distance = std::min(distance, length(difference(from_start, scaled(side, t))));
      }
    }
  };
  vertices_to_sides(a, b);
  vertices_to_sides(b, a);
  return distance;
}

PolygonPairs make_polygon_pairs(const PolygonPairsOptions& options) {
  Random random(options.seed);
  PolygonPairs result;
  std::vector<std::size_t> counts;
  const auto polygon = [&] {
    return random_polygon(
        random,
        options.min_vertices + random.below(options.max_vertices - options.min_vertices + 1),
        options.slenderness);
  };
  while (counts.size() < 2 * options.count) {
    const std::vector<Point<2>> a = polygon();
    std::vector<Point<2>> b = polygon();
    const double direction = random.uniform(0, full_turn);
    const double distance = random.uniform(0, 2.1);
    for (Point<2>& vertex : b)
      vertex = add_scaled(vertex, distance,
                          Point<2>{portable_math::cos(direction), portable_math::sin(direction)});
    const double gap = gap_by_separating_axes({a, {}}, {b, {}});
    const bool overlap = counts.size() % 4 == 2;
    if (!(overlap ? gap < 0 && gap > -options.max_gap : gap > 0 && gap < options.max_gap)) continue;
    result.vertices.insert(result.vertices.end(), a.begin(), a.end());
    result.vertices.insert(result.vertices.end(), b.begin(), b.end());
    counts.push_back(a.size());
    counts.push_back(b.size());
  }
  make_views(result, counts);
  return result;
}

PolygonPairs perturbed(const PolygonPairs& pairs, double distance, std::uint64_t seed) {
  Random random(seed);
  PolygonPairs result;
  std::vector<std::size_t> counts;
  const auto offset = [&] { return random.uniform(-distance, distance); };
  for (const auto& [a, b] : pairs.pairs) {
    result.vertices.insert(result.vertices.end(), a.vertices.begin(), a.vertices.end());
    const double rotation = offset();
    const Point<2> shift{offset(), offset()};
    for (const Point<2>& vertex : b.vertices)
      result.vertices.push_back(sum(rotated_about(vertex, b.centroid, rotation), shift));
    counts.push_back(a.vertices.size());
    counts.push_back(b.vertices.size());
  }
  make_views(result, counts);
  return result;
}

std::vector<std::vector<Point<2>>> make_polygons(std::size_t count, std::uint64_t seed) {
  constexpr double spacing = 1.7;  // less than the diameter
  constexpr double max_offset = 0.15;
  Random random(seed);
  const auto columns =
      static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count) * 1.6)));
  std::vector<std::vector<Point<2>>> polygons;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = i / columns;
    const double column = static_cast<double>(i % columns) + (row % 2 == 0 ? 0 : 0.5);
    const Point<2> center{
        column * spacing + random.uniform(-max_offset, max_offset),
        static_cast<double>(row) * spacing * 0.87 + random.uniform(-max_offset, max_offset)};
    polygons.push_back(random_polygon(random, 3 + random.below(6), random.uniform(0.6, 1)));
    for (Point<2>& vertex : polygons.back()) vertex = sum(center, vertex);
  }
  return polygons;
}

}  // namespace abut
