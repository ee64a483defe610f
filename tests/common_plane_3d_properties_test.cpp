// What holds for the common plane of any two polyhedra, against oracles that look at everything.
#include <gtest/gtest.h>

#include <abut/research/cundall.hpp>
#include <algorithm>
#include <functional>

#include "narrow/common_plane_3d.hpp"
#include "polyhedron_fixtures.hpp"
#include "sanitized.hpp"

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
      {"minute",
       [](Random& random) {
         return random_hull(random, 7, {1e-25, 1e-25, 1e-25});
       }},
      {"huge",
       [](Random& random) {
         return random_hull(random, 7, {1e25, 1e25, 1e25});
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
  PlacedPolyhedron a;
  PlacedPolyhedron b;
  double size;
  double tolerance;

  RandomPair(const Kind& kind, Random& random, double apart)
      : shape_a(kind.make(random)),
        shape_b(kind.make(random)),
        a(shape_a, random_transform(random, scaled(Point<3>{1, -0.7, 0.4},
                                                   kind.offset * shape_a.bounding_radius()))),
        b(shape_b, random_transform(random, add_scaled(a.view().centroid,
                                                       apart * (shape_a.bounding_radius() +
                                                                shape_b.bounding_radius()),
                                                       random_direction(random)))),
        size(shape_a.bounding_radius() + shape_b.bounding_radius()),
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
  for_pairs(trial_count(200U), 0.2, 1.1, [&](const RandomPair& pair, Random&) {
    if (separating_axis_gap(pair.a, pair.b) <= pair.tolerance) return;
    ++separated;
    const CommonPlane<3> plane = common_plane(pair.a, pair.b);
    EXPECT_NEAR(plane.gap, brute_force_distance(pair.a, pair.b), pair.tolerance);
  });
  EXPECT_GT(separated, trial_count(800U));
}

TEST_F(CommonPlane3DProperties, OverlappingGapIsTheLargestOfAllAxes) {
  std::size_t overlapping = 0;
  for_pairs(trial_count(120U), 0, 0.7, [&](const RandomPair& pair, Random&) {
    const double most = separating_axis_gap(pair.a, pair.b);
    if (most > 0) return;
    ++overlapping;
    const CommonPlane<3> plane = common_plane(pair.a, pair.b);
    EXPECT_NEAR(plane.gap, most, pair.tolerance);
    EXPECT_NEAR(plane.gap, gap_along(pair.a, pair.b, plane.normal), pair.tolerance);
  });
  EXPECT_GT(overlapping, trial_count(400U));
}

TEST_F(CommonPlane3DProperties, NoWrongGapInAHundredThousandSeparatedPairs) {
  std::size_t separated = 0;
  const std::vector<Kind> all = kinds();
  Random random(seed);
  std::vector<Point<3>> room(200);
  for (std::size_t i = 0; separated < trial_count(100'000U); ++i) {
    const Kind& kind = all[i % all.size()];
    const RandomPair shapes(kind, random, 0.5);
    for (int turn = 0; turn < 64; ++turn) {
      const double apart = random.uniform(0.3, 1.05) * shapes.size;
      const PolyhedronView b = shapes.shape_b.transformed(
          random_transform(random,
                           add_scaled(shapes.a.view().centroid, apart, random_direction(random))),
          room);
      const CommonPlane<3> plane = common_plane(shapes.a, b);
      if (plane.gap <= shapes.tolerance) continue;
      ++separated;
      ASSERT_EQ(distance_mismatch(shapes.a, b, plane.normal, plane.gap, shapes.tolerance), "")
          << kind.name << ", seed " << seed << ", pair " << i << ", turn " << turn;
    }
  }
}

TEST_F(CommonPlane3DProperties, ThePlaneIsMidwayBetweenAllCorners) {
  for_pairs(100, 0, 1.1, [](const RandomPair& pair, Random&) {
    const CommonPlane<3> plane = common_plane(pair.a, pair.b);
    const PolyhedronView& a = pair.a;
    const PolyhedronView& b = pair.b;
    const Point<3> middle =
        add_scaled(a.vertices[plane.vertex_a], 0.5,
                   difference(b.vertices[plane.vertex_b], a.vertices[plane.vertex_a]));
    double of_a = -std::numeric_limits<double>::infinity();
    double of_b = std::numeric_limits<double>::infinity();
    for (const Point<3>& x : a.vertices)
      of_a = std::max(of_a, dot(plane.normal, difference(x, middle)));
    for (const Point<3>& x : b.vertices)
      of_b = std::min(of_b, dot(plane.normal, difference(x, middle)));
    EXPECT_NEAR(of_a, -plane.gap / 2, pair.tolerance);
    EXPECT_NEAR(of_b, plane.gap / 2, pair.tolerance);
  });
}

TEST_F(CommonPlane3DProperties, SwappingTurnsTheNormal) {
  for_pairs(150, 0, 1.1, [](const RandomPair& pair, Random&) {
    const CommonPlane<3> plane = common_plane(pair.a, pair.b);
    const CommonPlane<3> back = common_plane(pair.b, pair.a);
    EXPECT_EQ(plane.gap, back.gap);
    EXPECT_EQ(plane.normal, scaled(back.normal, -1));
    EXPECT_EQ(plane.vertex_a, back.vertex_b);
    EXPECT_EQ(plane.vertex_b, back.vertex_a);
  });
}

TEST_F(CommonPlane3DProperties, RigidMotionAndScalingCarryThrough) {
  for_pairs(80, 0, 1.1, [](const RandomPair& pair, Random& random) {
    const CommonPlane<3> plane = common_plane(pair.a, pair.b);
    const double factor = random.uniform(0.1, 10);
    const RigidTransform<3> motion = random_transform(random, scaled(Point<3>{3, 4, 5}, pair.size));
    const auto moved = [&](const PolyhedronView& body) {
      std::vector<Point<3>> corners(body.vertices.begin(), body.vertices.end());
      const PolyhedronView& a = pair.a;
      for (Point<3>& corner : corners) {
        const Point<3> before = difference(corner, a.centroid);
        for (std::size_t k = 0; k < 3; ++k)
          corner[k] = factor * (dot(motion.rotation[k], before) + motion.translation[k]);
      }
      return Polyhedron(corners);
    };
    const Polyhedron a = moved(pair.a);
    const Polyhedron b = moved(pair.b);
    EXPECT_NEAR(common_plane(a.view(), b.view()).gap, factor * plane.gap,
                10 * factor * pair.tolerance);
  });
}

TEST_F(CommonPlane3DProperties, RelabellingChangesNothing) {
  for_pairs(80, 0, 1.1, [](const RandomPair& pair, Random& random) {
    const auto relabelled = [&](const PolyhedronView& body) {
      std::vector<Point<3>> corners(body.vertices.begin(), body.vertices.end());
      std::rotate(corners.begin(),
                  corners.begin() + static_cast<std::ptrdiff_t>(random.below(corners.size())),
                  corners.end());
      return Polyhedron(corners);
    };
    const Polyhedron a = relabelled(pair.a);
    const Polyhedron b = relabelled(pair.b);
    EXPECT_NEAR(common_plane(a.view(), b.view()).gap, common_plane(pair.a, pair.b).gap,
                pair.tolerance);
  });
}

// Any plane may be the one to begin with: that of the pair before it moved, and any other.
TEST_F(CommonPlane3DProperties, WarmIsColdWhenSeparated) {
  std::vector<Point<3>> room(100);
  std::size_t separated = 0;
  for_pairs(200, 0.3, 1.1, [&](const RandomPair& pair, Random& random) {
    CommonPlane<3> plane = common_plane(pair.a, pair.b);
    const PolyhedronView& b = pair.b;
    for (const double step : {0.0, 1e-6, 1e-3, 0.1, 1.0}) {
      const Point<3> shift = add_scaled(b.centroid, step * pair.size, random_direction(random));
      RigidTransform<3> where = rotation_about({0, 0, 0}, random_direction(random), step);
      where.translation = shift;
      const PolyhedronView moved = pair.shape_b.transformed(where, room);
      const CommonPlane<3> cold = common_plane(pair.a, moved);
      plane = common_plane(pair.a, moved, plane);
      EXPECT_LE(plane.gap, cold.gap + pair.tolerance) << step;
      if (cold.gap <= pair.tolerance) continue;
      ++separated;
      EXPECT_NEAR(plane.gap, cold.gap, pair.tolerance) << step;
      EXPECT_EQ(distance_mismatch(pair.a, moved, plane.normal, plane.gap, pair.tolerance), "");
    }
  });
  EXPECT_GT(separated, 4000U);
}

// Following what was found before never leads to a longer way out.
TEST_F(CommonPlane3DProperties, WarmIsColdInOverlap) {
  std::vector<Point<3>> room(100);
  std::size_t overlapping = 0;
  for_pairs(60, 0.1, 0.8, [&](const RandomPair& pair, Random& random) {
    // Pushed along the normal until they overlap, then moved a little at a time.
    CommonPlane<3> plane = common_plane(pair.a, pair.b);
    const PolyhedronView& b = pair.b;
    const double depth = std::max(1e-3 * pair.size, -plane.gap);
    std::vector<Point<3>> corners(b.vertices.begin(), b.vertices.end());
    for (Point<3>& corner : corners) corner = add_scaled(corner, -plane.gap - depth, plane.normal);
    const Polyhedron shape(corners);
    plane = common_plane(pair.a, shape.view());
    for (int step = 0; step < 10; ++step) {
      RigidTransform<3> where = rotation_about(shape.centroid(), random_direction(random), 1e-3);
      where.translation = add_scaled(where.translation, 3e-4 * pair.size, random_direction(random));
      const PolyhedronView moved = shape.transformed(where, room);
      plane = common_plane(pair.a, moved, plane);
      const CommonPlane<3> cold = common_plane(pair.a, moved);
      EXPECT_NEAR(plane.gap, cold.gap, pair.tolerance);
      EXPECT_NEAR(plane.gap, gap_along(pair.a, moved, plane.normal), pair.tolerance);
      if (cold.gap < 0) ++overlapping;
    }
  });
  EXPECT_GT(overlapping, 3000U);
}

// Around a body, in contact with it or close: the gap changes by no more than the motion, and what
// follows it step by step sees what a look from nothing sees.
TEST_F(CommonPlane3DProperties, SlidingAroundTheGapNeverJumps) {
  std::vector<Point<3>> room(100);
  for_pairs(6, 0.5, 0.5, [&](const RandomPair& pair, Random& random) {
    const Point<3> axis = random_direction(random);
    const Point<3> spin = random_direction(random);
    const PolyhedronView& a = pair.a;
    const Point<3> arm = perpendicular(axis);
    const Point<3> side = cross(axis, arm);
    const double radius = random.uniform(0.3, 0.8) * pair.size;
    CommonPlane<3> plane;
    std::vector<Point<3>> before;
    constexpr int steps = 500;
    for (int step = 0; step <= steps; ++step) {
      const double angle = 6.3 * step / steps;
      RigidTransform<3> where = rotation_about({0, 0, 0}, spin, 3 * angle);
      where.translation = add_scaled(add_scaled(a.centroid, radius * std::cos(angle), arm),
                                     radius * std::sin(angle), side);
      const PolyhedronView b = pair.shape_b.transformed(where, room);
      const double last = plane.gap;
      plane = step == 0 ? common_plane(a, b) : common_plane(a, b, plane);
      ASSERT_NEAR(plane.gap, common_plane(a, b).gap, pair.tolerance) << "step " << step;
      double motion = 0;
      for (std::size_t i = 0; i < before.size(); ++i)
        motion = std::max(motion, length(difference(before[i], b.vertices[i])));
      if (step > 0) {
        ASSERT_LE(std::abs(plane.gap - last), motion + pair.tolerance) << "step " << step;
      }
      before.assign(b.vertices.begin(), b.vertices.end());
    }
  });
}

TEST_F(CommonPlane3DProperties, EachStepGainsAndTheyAreFew) {
  for_pairs(100, 0, 1.1, [](const RandomPair& pair, Random& random) {
    const PolyhedronView& a = pair.a;
    const PolyhedronView& b = pair.b;
    const Point<3> normal = random_direction(random);
    const VertexPair start = support_pair(a, b, normal, 0, 0);
    CommonPlane<3> plane{normal, dot(normal, start.separation), start.a, start.b};
    double last = plane.gap;
    bool settled = false;
    std::size_t steps = 0;
    while (hill_climb_step(a, b, rounding_tolerance(a, b), plane, settled)) {
      EXPECT_GE(plane.gap, last - 1e-12 * pair.size - 1e-15 * max_abs(a.centroid));
      last = plane.gap;
      ASSERT_LE(++steps, a.vertices.size() + b.vertices.size());
    }
    EXPECT_TRUE(settled);
    EXPECT_NEAR(plane.gap, gap_along(a, b, plane.normal), pair.tolerance);
  });
}

// What decides where rounding leaves a doubt is seldom asked, so it is asked here.
TEST_F(CommonPlane3DProperties, DistanceAndAxesAreExactFromAnyStart) {
  for_pairs(80, 0, 1.1, [](const RandomPair& pair, Random& random) {
    const PolyhedronView& a = pair.a;
    const PolyhedronView& b = pair.b;
    const double exact = common_plane(a, b).gap;
    const Point<3> normal = random_direction(random);
    const VertexPair start = support_pair(a, b, normal, 0, 0);
    const GjkResult found = gjk_distance(a, b, start);
    EXPECT_EQ(found.proximity, exact > 0 ? Proximity::separated : Proximity::touching);
    if (exact > 0) {
      EXPECT_NEAR(found.gap, exact, pair.tolerance);
      CommonPlane<3> plane{found.normal, found.gap, found.vertex_a, found.vertex_b};
      identify_features(a, b, plane);
      EXPECT_NEAR(common_plane(a, b, plane).gap, exact, pair.tolerance);
    } else {
      const CommonPlane<3> any{normal, dot(normal, start.separation), start.a, start.b};
      EXPECT_NEAR(search_separating_axes(a, b, any).gap, exact, pair.tolerance);
    }
  });
}

TEST_F(CommonPlane3DProperties, CundallsGapIsNoLarger) {
  for_pairs(30, 0, 1.1, [](const RandomPair& pair, Random&) {
    const CommonPlane<3> plane = common_plane(pair.a, pair.b);
    const IteratedPlane<3> tried = cundall_plane(pair.a, pair.b);
    EXPECT_LE(tried.plane.gap, plane.gap + pair.tolerance);
    EXPECT_NEAR(tried.plane.gap, gap_along(pair.a, pair.b, tried.plane.normal), pair.tolerance);
    EXPECT_GT(tried.iterations, 0);
    EXPECT_LE(cundall_plane(pair.a, pair.b, {}, &plane).plane.gap, plane.gap + pair.tolerance);
  });
}

}  // namespace
}  // namespace abut::testing
