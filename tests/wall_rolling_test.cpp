// A ball that is moved in small steps along walls cut into pieces: what it feels has no jumps.
#include <gtest/gtest.h>

#include <functional>

#include "wall_cases.hpp"

namespace abut::testing {
namespace {

// A sheet of the plane through the origin across `normal`, cut by random lines: corners of a
// rectangle, then triangle after triangle split at a point of one of its edges or inside. Slivers
// come by themselves, and some points are put near corners to have more of them.
Mesh<3> fragmented(const Point<3>& normal, std::size_t pieces, double size, std::uint64_t seed) {
  const Point<3> n = normalized(normal);
  const Point<3> u = perpendicular(n);
  const Point<3> v = cross(n, u);
  const auto at = [&](double x, double y) { return add_scaled(scaled(u, x), y, v); };
  Random random(seed);
  Mesh<3> mesh{{at(-size, -size), at(size, -size), at(size, size), at(-size, size)},
               {{0, 1, 2}, {0, 2, 3}}};
  std::vector<Point<2>> flat{{-size, -size}, {size, -size}, {size, size}, {-size, size}};
  while (mesh.facets.size() < pieces) {
    const std::size_t i = random.below(mesh.facets.size());
    const std::array<Index, 3> piece = mesh.facets[i];
    const double skew = random.uniform() < 0.2 ? 1e-5 : 1;
    double a = random.uniform() * skew;
    double b = random.uniform() * (1 - a);
    Point<2> inside{};
    for (std::size_t k = 0; k < 2; ++k)
      inside[k] = flat[piece[0]][k] * (1 - a - b) + flat[piece[1]][k] * a + flat[piece[2]][k] * b;
    const auto fresh = static_cast<Index>(mesh.vertices.size());
    flat.push_back(inside);
    mesh.vertices.push_back(at(inside[0], inside[1]));
    mesh.facets[i] = {piece[0], piece[1], fresh};
    mesh.facets.push_back({piece[1], piece[2], fresh});
    mesh.facets.push_back({piece[2], piece[0], fresh});
  }
  return mesh;
}

TEST(WallRolling, ASheetFeelsLikeAPlaneHoweverItIsCut) {
  Random random(17);
  for (int sheet = 0; sheet < 40; ++sheet) {
    const Point<3> normal =
        normalized(Point<3>{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    const Walls3 walls =
        walls_of(fragmented(normal, 10 + random.below(400), 3, static_cast<std::uint64_t>(sheet)));
    const Point<3> u = perpendicular(normal);
    const Point<3> v = cross(normal, u);
    for (const double overlap : {1e-6, 1e-3, 0.2}) {
      Point<2> at{random.uniform(-1, 1), random.uniform(-1, 1)};
      const Point<2> step{random.uniform(-1, 1) * 0.02, random.uniform(-1, 1) * 0.02};
      for (int i = 0; i < 40; ++i, at = sum(at, step)) {
        const Point<3> foot = add_scaled(scaled(u, at[0]), at[1], v);
        const auto found = contacts_at(walls, add_scaled(foot, 1 - overlap, normal), 1.0);
        ASSERT_EQ(found.size(), 1U) << "sheet " << sheet << " overlap " << overlap;
        const Point<3> off = difference(spring_force(found), scaled(normal, overlap));
        ASSERT_LT(length(off), 1e-9 * overlap + 1e-14) << "sheet " << sheet;
      }
    }
  }
}

// The largest change of force over a step, beyond what the steps themselves account for.
double max_force_jump(const Walls3& walls, double radius, int steps, double step,
                      const std::function<Point<3>(double)>& path) {
  Point<3> before = spring_force(contacts_at(walls, path(0), radius));
  double largest = 0;
  for (int i = 1; i <= steps; ++i) {
    const Point<3> now = spring_force(contacts_at(walls, path(i * step), radius));
    largest = std::max(largest, length(difference(now, before)));
    before = now;
  }
  return largest;
}

// A projection on a convex set moves no farther than the point, and so does the way to it. At edges
// that stick out the direction turns faster, by overlap over distance; the factor covers that.
TEST(WallRolling, NoJumpsInsideOrOutsideADrum) {
  for (const std::size_t facets : {12U, 60U, 500U}) {
    const Walls3 walls = walls_of(pipe_mesh(facets, 5, 10, 20));
    const double sag = 10 * (1 - std::cos(std::numbers::pi / static_cast<double>(facets)));
    for (const double overlap : {1e-6, 1e-3, 0.05, 0.2})
      for (const bool inside : {true, false}) {
        const double away = inside ? 10 - sag - 1 + overlap : 10 + 1 - overlap;
        const double step = std::min(1e-3, overlap);
        const double jump = max_force_jump(walls, 1, 1500, step, [&](double s) {
          const double turn = 0.1 + s / away;
          return Point<3>{away * std::cos(turn), away * std::sin(turn), 9.3 + s * 0.7};
        });
        EXPECT_LT(jump, 2 * 1.3 * step) << facets << " " << overlap << " " << inside;
      }
  }
}

TEST(WallRolling, NoJumpsAcrossAnyFold) {
  for (const double fold :
       {1e-9, 1e-6, 1e-4, 0.01, 1.0, 10.0, 45.0, 80.0, 89.9, 90.0, 90.1, 120.0, 170.0})
    for (const double sign : {1.0, -1.0}) {
      const Walls3 walls = walls_of(folded_sheet(sign * fold * degree, 50));
      for (const double overlap : {1e-6, 1e-3, 0.1, 0.2}) {
        const double step = std::max(overlap / 100, 1e-6);
        const double from = sign * fold > 0 ? -std::tan(fold / 2 * degree) * 1.0 : 0;
        const double jump = max_force_jump(walls, 1, 600, step, [&](double s) {
          return Point<3>{from - 300 * step + s, 0.3, 1 - overlap};
        });
        EXPECT_LT(jump, 2 * step + 1e-5 * overlap) << sign * fold << " " << overlap;
      }
    }
}

TEST(WallRolling, NoJumpsOnAnyPathThroughAHopper) {
  const Walls3 walls = walls_of(hopper_mesh(3000, 2, 6, 5, 12));
  Random random(23);
  for (int path = 0; path < 60; ++path) {
    const double radius = random.uniform(0.3, 1.5);
    const double height = random.uniform(0.5, 11);
    const double wall = height < 5 ? 2 + 4 * height / 5 : 6;
    const double turn = random.uniform(0, 6);
    const double away = wall - radius * random.uniform(0.9, 1.1);
    const Point<3> from{away * std::cos(turn), away * std::sin(turn), height};
    const Point<3> way =
        normalized(Point<3>{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    const double step = 2e-4;
    const auto at = [&](double s) { return add_scaled(from, s, way); };
    if (walls.overlap(at(0.05), radius) > 0.25 * radius) continue;
    EXPECT_LT(max_force_jump(walls, radius, 400, step, at), 3 * step) << "path " << path;
  }
}

// Round trips do no work: the force is a gradient.
TEST(WallRolling, ARoundTripInAGrooveDoesNoWork) {
  const Walls3 walls = walls_of(folded_sheet(50 * degree, 50));
  const int steps = 4000;
  double work = 0;
  double moved = 0;
  const auto at = [&](int i) {
    const double turn = 2 * std::numbers::pi * i / steps;
    return Point<3>{-0.4 + 0.3 * std::cos(turn), 0.2, 0.95 + 0.1 * std::sin(turn)};
  };
  for (int i = 0; i < steps; ++i) {
    const Point<3> way = difference(at(i + 1), at(i));
    const Point<3> middle = scaled(sum(at(i), at(i + 1)), 0.5);
    const double done = dot(spring_force(contacts_at(walls, middle, 1.0)), way);
    work += done;
    moved += std::abs(done);
  }
  EXPECT_GT(moved, 0.01);
  EXPECT_LT(std::abs(work), 1e-6 * moved);
}

}  // namespace
}  // namespace abut::testing
