// A sphere moved in small steps along tessellated walls: the force is continuous and conservative.
#include <gtest/gtest.h>

#include <functional>

#include "wall_cases.hpp"

namespace abut::testing {
namespace {

// A square in the plane through the origin with the given normal, randomly tessellated: triangles
// are split repeatedly at random interior points. Some of the points are close to a vertex, which
// yields slivers.
Mesh<3> fragmented(const Point<3>& normal, std::size_t facets, double size, std::uint64_t seed) {
  const Point<3> n = normalized(normal);
  const Point<3> u = perpendicular(n);
  const Point<3> v = cross(n, u);
  const auto at = [&](double x, double y) { return add_scaled(scaled(u, x), y, v); };
  Random random(seed);
  Mesh<3> mesh{{at(-size, -size), at(size, -size), at(size, size), at(-size, size)},
               {{0, 1, 2}, {0, 2, 3}}};
  std::vector<Point<2>> planar{{-size, -size}, {size, -size}, {size, size}, {-size, size}};
  while (mesh.facets.size() < facets) {
    const std::size_t i = random.below(mesh.facets.size());
    const std::array<Index, 3> facet = mesh.facets[i];
    const double skew = random.uniform() < 0.2 ? 1e-5 : 1;
    double a = random.uniform() * skew;
    double b = random.uniform() * (1 - a);
    Point<2> inside{};
    for (std::size_t k = 0; k < 2; ++k)
      inside[k] =
          planar[facet[0]][k] * (1 - a - b) + planar[facet[1]][k] * a + planar[facet[2]][k] * b;
    const auto vertex = static_cast<Index>(mesh.vertices.size());
    planar.push_back(inside);
    mesh.vertices.push_back(at(inside[0], inside[1]));
    mesh.facets[i] = {facet[0], facet[1], vertex};
    mesh.facets.push_back({facet[1], facet[2], vertex});
    mesh.facets.push_back({facet[2], facet[0], vertex});
  }
  return mesh;
}

TEST(WallRolling, ForceOnFlatSheetDoesNotDependOnTessellation) {
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
        const Point<3> error = difference(spring_force(found), scaled(normal, overlap));
        ASSERT_LT(length(error), 1e-9 * overlap + 1e-14) << "sheet " << sheet;
      }
    }
  }
}

// The largest change of the force in one step.
double max_force_jump(const Walls3& walls, double radius, int steps, double step,
                      const std::function<Point<3>(double)>& path) {
  Point<3> previous = spring_force(contacts_at(walls, path(0), radius));
  double max_jump = 0;
  for (int i = 1; i <= steps; ++i) {
    const Point<3> force = spring_force(contacts_at(walls, path(i * step), radius));
    max_jump = std::max(max_jump, length(difference(force, previous)));
    previous = force;
  }
  return max_jump;
}

// The projection onto a convex set is a contraction, which limits the change of the force per step.
// At convex edges the direction changes faster, by overlap / distance; the factor accounts for
// that.
TEST(WallRolling, ForceIsContinuousInsideAndOutsideDrum) {
  for (const std::size_t facets : {12U, 60U, 500U}) {
    const Walls3 walls = walls_of(pipe_mesh(facets, 5, 10, 20));
    const double sag = 10 * (1 - std::cos(std::numbers::pi / static_cast<double>(facets)));
    for (const double overlap : {1e-6, 1e-3, 0.05, 0.2})
      for (const bool inside : {true, false}) {
        const double distance = inside ? 10 - sag - 1 + overlap : 10 + 1 - overlap;
        const double step = std::min(1e-3, overlap);
        const double jump = max_force_jump(walls, 1, 1500, step, [&](double s) {
          const double angle = 0.1 + s / distance;
          return Point<3>{distance * std::cos(angle), distance * std::sin(angle), 9.3 + s * 0.7};
        });
        EXPECT_LT(jump, 2 * 1.3 * step) << facets << " " << overlap << " " << inside;
      }
  }
}

TEST(WallRolling, ForceIsContinuousAcrossFolds) {
  for (const double fold :
       {1e-9, 1e-6, 1e-4, 0.01, 1.0, 10.0, 45.0, 80.0, 89.9, 90.0, 90.1, 120.0, 170.0})
    for (const double sign : {1.0, -1.0}) {
      const Walls3 walls = walls_of(folded_sheet(sign * fold * degree, 50));
      for (const double overlap : {1e-6, 1e-3, 0.1, 0.2}) {
        const double step = std::max(overlap / 100, 1e-6);
        const double start = sign * fold > 0 ? -std::tan(fold / 2 * degree) * 1.0 : 0;
        const double jump = max_force_jump(walls, 1, 600, step, [&](double s) {
          return Point<3>{start - 300 * step + s, 0.3, 1 - overlap};
        });
        EXPECT_LT(jump, 2 * step + 1e-5 * overlap) << sign * fold << " " << overlap;
      }
    }
}

TEST(WallRolling, ForceIsContinuousOnPathsThroughHopper) {
  const Walls3 walls = walls_of(hopper_mesh(3000, 2, 6, 5, 12));
  Random random(23);
  for (int path = 0; path < 60; ++path) {
    const double radius = random.uniform(0.3, 1.5);
    const double height = random.uniform(0.5, 11);
    const double wall = height < 5 ? 2 + 4 * height / 5 : 6;
    const double angle = random.uniform(0, 6);
    const double distance = wall - radius * random.uniform(0.9, 1.1);
    const Point<3> start{distance * std::cos(angle), distance * std::sin(angle), height};
    const Point<3> direction =
        normalized(Point<3>{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    const double step = 2e-4;
    const auto at = [&](double s) { return add_scaled(start, s, direction); };
    if (walls.overlap(at(0.05), radius) > 0.25 * radius) continue;
    EXPECT_LT(max_force_jump(walls, radius, 400, step, at), 3 * step) << "path " << path;
  }
}

// The force is a gradient, so a closed path does no work.
TEST(WallRolling, DoesNoWorkOnClosedPathInGroove) {
  const Walls3 walls = walls_of(folded_sheet(50 * degree, 50));
  const int steps = 4000;
  double work = 0;
  double total = 0;
  const auto at = [&](int i) {
    const double angle = 2 * std::numbers::pi * i / steps;
    return Point<3>{-0.4 + 0.3 * std::cos(angle), 0.2, 0.95 + 0.1 * std::sin(angle)};
  };
  for (int i = 0; i < steps; ++i) {
    const Point<3> direction = difference(at(i + 1), at(i));
    const Point<3> middle = scaled(sum(at(i), at(i + 1)), 0.5);
    const double increment = dot(spring_force(contacts_at(walls, middle, 1.0)), direction);
    work += increment;
    total += std::abs(increment);
  }
  EXPECT_GT(total, 0.01);
  EXPECT_LT(std::abs(work), 1e-6 * total);
}

}  // namespace
}  // namespace abut::testing
