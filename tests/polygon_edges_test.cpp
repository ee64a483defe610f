// Intersections of the edges of an outline, compared with the comparison of all pairs of edges.
#include "narrow/polygon_edges.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "polygon_fixtures.hpp"
#include "sanitized.hpp"

namespace abut::testing {
namespace {

using Outline = std::vector<Point<2>>;
using EdgePair = std::optional<std::array<std::size_t, 2>>;

EdgePair first_intersection_of_all_pairs(const Outline& outline) {
  const std::size_t n = outline.size();
  for (std::size_t i = 0; i + 2 < n; ++i)
    for (std::size_t j = i + 2; j < n; ++j)
      if (!(i == 0 && j + 1 == n) &&
          segments_intersect(outline[i], outline[i + 1], outline[j], outline[(j + 1) % n]))
        return std::array{i, j};
  return std::nullopt;
}

bool has_distinct_vertices(Outline outline) {
  std::ranges::sort(outline);
  return std::ranges::adjacent_find(outline) == outline.end();
}

double angle_of(std::size_t k, std::size_t count) {
  return 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(count);
}

Outline star(std::size_t count, double inner, double outer, Random& random) {
  Outline outline;
  for (std::size_t k = 0; k < count; ++k) {
    const double radius = random.uniform(inner, outer);
    outline.push_back(
        {radius * std::cos(angle_of(k, count)), radius * std::sin(angle_of(k, count))});
  }
  return outline;
}

Outline rounded_to_grid(Outline outline, double spacing) {
  for (Point<2>& vertex : outline)
    for (double& x : vertex) x = spacing * std::round(x / spacing);
  return outline;
}

Outline random_points(std::size_t count, Random& random) {
  Outline outline;
  for (std::size_t k = 0; k < count; ++k)
    outline.push_back({random.uniform(-8, 8), random.uniform(-8, 8)});
  return outline;
}

// Moves a vertex onto another edge or its extension, exactly or up to rounding.
Outline with_vertex_on_line(Outline outline, Random& random) {
  const std::size_t edge = random.below(outline.size());
  const Point<2>& from = outline[edge];
  const Point<2>& to = outline[(edge + 1) % outline.size()];
  const double t = 0.125 * static_cast<double>(random.below(11)) - 0.125;
  outline[random.below(outline.size())] = {from[0] + t * (to[0] - from[0]),
                                           from[1] + t * (to[1] - from[1])};
  return outline;
}

// Nearly or exactly collinear vertices in random order.
Outline along_line(std::size_t count, Random& random) {
  Outline outline;
  for (std::size_t k = 0; k < count; ++k) {
    const double x = 0.1 * static_cast<double>(random.below(4 * count));
    const double offset = 1e-17 * static_cast<double>(random.below(3));
    outline.push_back({x, random.below(2) == 0 ? 0.3 * x : 3 * x * 0.1 + offset});
  }
  return outline;
}

// Long teeth side by side, rotated.
Outline comb(std::size_t teeth, double angle) {
  Outline outline{{-1, -2}};
  for (std::size_t k = 0; k < teeth; ++k) {
    const auto x = static_cast<double>(k);
    outline.push_back({x, 1000});
    outline.push_back({x + 0.5, 0});
  }
  outline.push_back({static_cast<double>(teeth), -2});
  for (Point<2>& p : outline)
    p = {std::cos(angle) * p[0] - std::sin(angle) * p[1],
         std::sin(angle) * p[0] + std::cos(angle) * p[1]};
  return outline;
}

Outline random_outline(Random& random) {
  const std::size_t count = 4 + random.below(random.below(4) == 0 ? 120 : 12);
  switch (random.below(8)) {
    case 0:
      return random_points(count, random);
    case 1:
      return rounded_to_grid(random_points(count, random), 1);
    case 2:
      return rounded_to_grid(random_points(4 + count % 5, random), 4);
    case 3:
      return star(count, 1, 8, random);
    case 4:
      return rounded_to_grid(star(count, 6, 8, random), count < 20 ? 1 : 0.1);
    case 5:
      return with_vertex_on_line(star(count, 4, 8, random), random);
    case 6:
      return with_vertex_on_line(comb(2 + count / 4, random.uniform(0, 7)), random);
    default:
      return along_line(count, random);
  }
}

TEST(PolygonEdges, IntersectAsAllPairsDo) {
  Random random(1);
  int simple = 0;
  int crossing = 0;
  for (int i = 0; i < (is_sanitized ? 10000 : 60000); ++i) {
    Outline outline = random_outline(random);
    if (!has_distinct_vertices(outline)) continue;
    if (random.below(2) == 0) std::ranges::reverse(outline);
    const EdgePair expected = first_intersection_of_all_pairs(outline);
    ++(expected ? crossing : simple);
    ASSERT_EQ(first_edge_intersection(outline), expected)
        << "outline " << i << ": " << ::testing::PrintToString(outline);
  }
  EXPECT_GT(simple, 800);
  EXPECT_GT(crossing, 800);
}

TEST(PolygonEdges, IntersectWhereVertexTouchesEdge) {
  EXPECT_EQ(first_edge_intersection(Outline{{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}),
            (std::array<std::size_t, 2>{0, 2}));
  EXPECT_EQ(first_edge_intersection(Outline{{0, 0}, {1, 0}, {0, 1}}), std::nullopt);
  // Two edges on one vertical line that overlap.
  EXPECT_EQ(
      first_edge_intersection(Outline{{0, 0}, {0, 3}, {-1, 3}, {-1, 1}, {0, 1}, {0, 2}, {5, 2}}),
      (std::array<std::size_t, 2>{0, 3}));
}

// Comparing all pairs takes minutes.
TEST(PolygonEdges, AreCheckedForManyVertices) {
  constexpr std::size_t count = is_sanitized ? 20000 : 200000;
  Random random(2);
  EXPECT_EQ(first_edge_intersection(star(count, 0.5, 1, random)), std::nullopt);
  EXPECT_EQ(first_edge_intersection(comb(count / 2, 0.7)), std::nullopt);
  Outline late = star(count, 0.95, 1, random);
  std::swap(late[count - 10], late[count - 7]);
  EXPECT_TRUE(first_edge_intersection(late).has_value());
}

}  // namespace
}  // namespace abut::testing
