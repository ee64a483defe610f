// What holds for the common plane of any two polyhedra, against oracles that look at everything.
#include <gtest/gtest.h>

#include <abut/cundall.hpp>
#include <algorithm>
#include <functional>

#include "polyhedron_samples.hpp"

namespace abut::testing {
namespace {

constexpr std::uint64_t seed = 20240607;

struct Kind {
  const char* name;
  std::function<Polyhedron(Random&)> make;
  double offset = 0;  // of both bodies from the origin, in their size
};

Polyhedron compact(Random& random) { return random_hull(random, 4 + random.below(9), {1, 1, 1}); }

std::vector<Kind> kinds() {
  return {
      {"compact", compact},
      {"cubes", [](Random&) { return cube_polyhedron(); }},
      {"tetrahedra",
       [](Random& random) {
         return random_hull(random, 4, {1, 1, 1});
       }},
      {"slender",
       [](Random& random) {
         return random_hull(random, 8, {1, 0.05, 0.05});
       }},
      {"plates",
       [](Random& random) {
         return random_hull(random, 8, {1, 1, 0.02});
       }},
      {"boxes",
       [](Random& random) {
         return box_polyhedron(
             {random.uniform(0.05, 1), random.uniform(0.05, 1), random.uniform(0.05, 1)});
       }},
      {"tiny",
       [](Random& random) {
         return random_hull(random, 7, {1e-6, 1e-6, 1e-6});
       }},
      {"far away", compact, 1e6},
      {"many corners",
       [](Random& random) {
         return random_hull(random, 30, {1, 1, 1});
       }},
  };
}

// Two bodies of a kind whose centres are `apart` times the sum of their radii away from each other.
struct RandomPair {
  Polyhedron shape_a;
  Polyhedron shape_b;
  Stood a;
  Stood b;
  double size;
  double tolerance;

  RandomPair(const Kind& kind, Random& random, double apart)
      : shape_a(kind.make(random)),
        shape_b(kind.make(random)),
        a(shape_a,
          random_placement(random, scaled(Point<3>{1, -0.7, 0.4}, kind.offset * shape_a.radius()))),
        b(shape_b, random_placement(
                       random, along(a.view().centre, apart * (shape_a.radius() + shape_b.radius()),
                                     random_direction(random)))),
        size(shape_a.radius() + shape_b.radius()),
        tolerance(1e-9 * size + 1e-14 * kind.offset * size) {}
};

class CommonPlane3DProperties : public ::testing::Test {
 protected:
  // Calls `check` with pairs of every kind; the seed is shown with what fails.
  template <class Check>
  void for_pairs(std::size_t count, double nearest, double farthest, const Check& check) {
    for (const Kind& kind : kinds())
      for (std::size_t i = 0; i < count; ++i) {
        Random random(seed + i);
        const RandomPair pair(kind, random, random.uniform(nearest, farthest));
        SCOPED_TRACE(::testing::Message() << kind.name << ", seed " << seed << " + " << i);
        check(pair, random);
        if (HasFailure()) return;
      }
  }
};

TEST_F(CommonPlane3DProperties, SeparatedGapIsTheDistance) {
  std::size_t separated = 0;
  for_pairs(300, 0.2, 1.1, [&](const RandomPair& pair, Random&) {
    if (separating_axis_gap(pair.a, pair.b) <= pair.tolerance) return;
    ++separated;
    const CommonPlane<3> plane = common_plane(pair.a, pair.b);
    EXPECT_NEAR(plane.gap, brute_force_distance(pair.a, pair.b), pair.tolerance);
  });
  EXPECT_GT(separated, 900U);
}

TEST_F(CommonPlane3DProperties, OverlappingGapIsTheLargestOfAllAxes) {
  std::size_t overlapping = 0;
  for_pairs(150, 0, 0.7, [&](const RandomPair& pair, Random&) {
    const double most = separating_axis_gap(pair.a, pair.b);
    if (most > 0) return;
    ++overlapping;
    const CommonPlane<3> plane = common_plane(pair.a, pair.b);
    EXPECT_NEAR(plane.gap, most, pair.tolerance);
    EXPECT_NEAR(plane.gap, gap_along(pair.a, pair.b, plane.normal), pair.tolerance);
  });
  EXPECT_GT(overlapping, 400U);
}

TEST_F(CommonPlane3DProperties, NoWrongGapInAHundredThousandSeparatedPairs) {
  std::size_t separated = 0;
  const std::vector<Kind> all = kinds();
  Random random(seed);
  std::vector<Point<3>> room(200);
  for (std::size_t i = 0; separated < 100'000; ++i) {
    const Kind& kind = all[i % all.size()];
    const RandomPair shapes(kind, random, 0.5);
    for (int turn = 0; turn < 64; ++turn) {
      const double apart = random.uniform(0.3, 1.05) * shapes.size;
      const PolyhedronView b = shapes.shape_b.placed(
          random_placement(random, along(shapes.a.view().centre, apart, random_direction(random))),
          room);
      const CommonPlane<3> plane = common_plane(shapes.a, b);
      if (plane.gap <= shapes.tolerance) continue;
      ++separated;
      ASSERT_EQ(not_the_distance(shapes.a, b, plane.normal, plane.gap, shapes.tolerance), "")
          << kind.name << ", seed " << seed << ", pair " << i << ", turn " << turn;
    }
  }
}

}  // namespace
}  // namespace abut::testing
