// Properties of common planes of random polyhedra, checked against brute force.
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
  double offset = 0;  // of both bodies from the origin, relative to their size
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
      {"minuscule",
       [](Random& random) {
         return random_hull(random, 7, {1e-25, 1e-25, 1e-25});
       }},
      {"huge",
       [](Random& random) {
         return random_hull(random, 7, {1e25, 1e25, 1e25});
       }},
      {"far from origin", compact, 1e6},
      {"many vertices",
       [](Random& random) {
         return random_hull(random, 30, {1, 1, 1});
       }},
  };
}

// Two bodies whose centroids have a distance of `distance` times the sum of their bounding radii.
struct RandomPair {
  Polyhedron shape_a;
  Polyhedron shape_b;
  TransformedPolyhedron a;
  TransformedPolyhedron b;
  double size;
  double tolerance;

  RandomPair(const Kind& kind, Random& random, double distance)
      : shape_a(kind.make(random)),
        shape_b(kind.make(random)),
        a(shape_a, random_transform(random, scaled(Point<3>{1, -0.7, 0.4},
                                                   kind.offset * shape_a.bounding_radius()))),
        b(shape_b, random_transform(random, add_scaled(a.view().centroid,
                                                       distance * (shape_a.bounding_radius() +
                                                                   shape_b.bounding_radius()),
                                                       random_direction(random)))),
        size(shape_a.bounding_radius() + shape_b.bounding_radius()),
        tolerance(1e-9 * size + 1e-14 * kind.offset * size) {}
};

class CommonPlane3DProperties : public ::testing::Test {
 protected:
  // Calls check(pair, random) for pairs of every kind; a failure prints the seed.
  template <class Check>
  void for_pairs(std::size_t count, double min_distance, double max_distance, const Check& check) {
    for (const Kind& kind : kinds())
      for (std::size_t i = 0; i < count; ++i) {
        Random random(seed + i);
        const RandomPair pair(kind, random, random.uniform(min_distance, max_distance));
        SCOPED_TRACE(::testing::Message() << kind.name << ", seed " << seed << " + " << i);
        check(pair, random);
        if (HasFailure()) return;
      }
  }
};

TEST_F(CommonPlane3DProperties, GapOfSeparatedBodiesIsDistance) {
  std::size_t separated = 0;
  for_pairs(trial_count(200U), 0.2, 1.1, [&](const RandomPair& pair, Random&) {
    if (separating_axis_gap(pair.a, pair.b) <= pair.tolerance) return;
    ++separated;
    const CommonPlane<3> plane = common_plane(pair.a, pair.b);
    EXPECT_NEAR(plane.gap, brute_force_distance(pair.a, pair.b), pair.tolerance);
  });
  EXPECT_GT(separated, trial_count(800U));
}

TEST_F(CommonPlane3DProperties, GapOfOverlappingBodiesIsLargestOfAllAxes) {
  std::size_t overlapping = 0;
  for_pairs(trial_count(120U), 0, 0.7, [&](const RandomPair& pair, Random&) {
    const double max_gap = separating_axis_gap(pair.a, pair.b);
    if (max_gap > 0) return;
    ++overlapping;
    const CommonPlane<3> plane = common_plane(pair.a, pair.b);
    EXPECT_NEAR(plane.gap, max_gap, pair.tolerance);
    EXPECT_NEAR(plane.gap, gap_along(pair.a, pair.b, plane.normal), pair.tolerance);
  });
  EXPECT_GT(overlapping, trial_count(400U));
}

TEST_F(CommonPlane3DProperties, GapIsExactForHundredThousandSeparatedPairs) {
  std::size_t separated = 0;
  const std::vector<Kind> all = kinds();
  Random random(seed);
  std::vector<Point<3>> buffer(200);
  for (std::size_t i = 0; separated < trial_count(100'000U); ++i) {
    const Kind& kind = all[i % all.size()];
    const RandomPair shapes(kind, random, 0.5);
    for (int placement = 0; placement < 64; ++placement) {
      const double distance = random.uniform(0.3, 1.05) * shapes.size;
      const PolyhedronView b = shapes.shape_b.transformed(
          random_transform(
              random, add_scaled(shapes.a.view().centroid, distance, random_direction(random))),
          buffer);
      const CommonPlane<3> plane = common_plane(shapes.a, b);
      if (plane.gap <= shapes.tolerance) continue;
      ++separated;
      ASSERT_EQ(distance_mismatch(shapes.a, b, plane.normal, plane.gap, shapes.tolerance), "")
          << kind.name << ", seed " << seed << ", pair " << i << ", placement " << placement;
    }
  }
}

TEST_F(CommonPlane3DProperties, PlaneIsMidwayBetweenAllVertices) {
  for_pairs(100, 0, 1.1, [](const RandomPair& pair, Random&) {
    const CommonPlane<3> plane = common_plane(pair.a, pair.b);
    const PolyhedronView& a = pair.a;
    const PolyhedronView& b = pair.b;
    const Point<3> middle =
        add_scaled(a.vertices[plane.vertex_a], 0.5,
                   difference(b.vertices[plane.vertex_b], a.vertices[plane.vertex_a]));
    double max_a = -std::numeric_limits<double>::infinity();
    double min_b = std::numeric_limits<double>::infinity();
    for (const Point<3>& x : a.vertices)
      max_a = std::max(max_a, dot(plane.normal, difference(x, middle)));
    for (const Point<3>& x : b.vertices)
      min_b = std::min(min_b, dot(plane.normal, difference(x, middle)));
    EXPECT_NEAR(max_a, -plane.gap / 2, pair.tolerance);
    EXPECT_NEAR(min_b, plane.gap / 2, pair.tolerance);
  });
}

TEST_F(CommonPlane3DProperties, SwappingReversesNormalExactly) {
  for_pairs(150, 0, 1.1, [](const RandomPair& pair, Random&) {
    const CommonPlane<3> plane = common_plane(pair.a, pair.b);
    const CommonPlane<3> swapped = common_plane(pair.b, pair.a);
    EXPECT_EQ(plane.gap, swapped.gap);
    EXPECT_EQ(plane.normal, scaled(swapped.normal, -1));
    EXPECT_EQ(plane.vertex_a, swapped.vertex_b);
    EXPECT_EQ(plane.vertex_b, swapped.vertex_a);
  });
}

TEST_F(CommonPlane3DProperties, IsInvariantUnderRigidMotionAndScaling) {
  for_pairs(80, 0, 1.1, [](const RandomPair& pair, Random& random) {
    const CommonPlane<3> plane = common_plane(pair.a, pair.b);
    const double factor = random.uniform(0.1, 10);
    const RigidTransform<3> motion = random_transform(random, scaled(Point<3>{3, 4, 5}, pair.size));
    const auto moved = [&](const PolyhedronView& body) {
      std::vector<Point<3>> vertices(body.vertices.begin(), body.vertices.end());
      const PolyhedronView& a = pair.a;
      for (Point<3>& vertex : vertices) {
        const Point<3> arm = difference(vertex, a.centroid);
        for (std::size_t k = 0; k < 3; ++k)
          vertex[k] = factor * (dot(motion.rotation[k], arm) + motion.translation[k]);
      }
      return Polyhedron(vertices);
    };
    const Polyhedron a = moved(pair.a);
    const Polyhedron b = moved(pair.b);
    EXPECT_NEAR(common_plane(a.view(), b.view()).gap, factor * plane.gap,
                10 * factor * pair.tolerance);
  });
}

TEST_F(CommonPlane3DProperties, IsInvariantUnderRenumbering) {
  for_pairs(80, 0, 1.1, [](const RandomPair& pair, Random& random) {
    const auto renumbered = [&](const PolyhedronView& body) {
      std::vector<Point<3>> vertices(body.vertices.begin(), body.vertices.end());
      std::rotate(vertices.begin(),
                  vertices.begin() + static_cast<std::ptrdiff_t>(random.below(vertices.size())),
                  vertices.end());
      return Polyhedron(vertices);
    };
    const Polyhedron a = renumbered(pair.a);
    const Polyhedron b = renumbered(pair.b);
    EXPECT_NEAR(common_plane(a.view(), b.view()).gap, common_plane(pair.a, pair.b).gap,
                pair.tolerance);
  });
}

// A warm start may begin with the plane of a previous position or with any other.
TEST_F(CommonPlane3DProperties, WarmStartEqualsColdStartIfSeparated) {
  std::vector<Point<3>> buffer(100);
  std::size_t separated = 0;
  for_pairs(200, 0.3, 1.1, [&](const RandomPair& pair, Random& random) {
    CommonPlane<3> plane = common_plane(pair.a, pair.b);
    const PolyhedronView& b = pair.b;
    for (const double step : {0.0, 1e-6, 1e-3, 0.1, 1.0}) {
      const Point<3> translation =
          add_scaled(b.centroid, step * pair.size, random_direction(random));
      RigidTransform<3> transform = rotation_about({0, 0, 0}, random_direction(random), step);
      transform.translation = translation;
      const PolyhedronView moved = pair.shape_b.transformed(transform, buffer);
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

// A warm start never yields a larger penetration depth.
TEST_F(CommonPlane3DProperties, WarmStartEqualsColdStartIfOverlapping) {
  std::vector<Point<3>> buffer(100);
  std::size_t overlapping = 0;
  for_pairs(60, 0.1, 0.8, [&](const RandomPair& pair, Random& random) {
    // Moved along the normal until they overlap, then in small steps.
    CommonPlane<3> plane = common_plane(pair.a, pair.b);
    const PolyhedronView& b = pair.b;
    const double depth = std::max(1e-3 * pair.size, -plane.gap);
    std::vector<Point<3>> vertices(b.vertices.begin(), b.vertices.end());
    for (Point<3>& vertex : vertices) vertex = add_scaled(vertex, -plane.gap - depth, plane.normal);
    const Polyhedron shape(vertices);
    plane = common_plane(pair.a, shape.view());
    for (int step = 0; step < 10; ++step) {
      RigidTransform<3> transform =
          rotation_about(shape.centroid(), random_direction(random), 1e-3);
      transform.translation =
          add_scaled(transform.translation, 3e-4 * pair.size, random_direction(random));
      const PolyhedronView moved = shape.transformed(transform, buffer);
      plane = common_plane(pair.a, moved, plane);
      const CommonPlane<3> cold = common_plane(pair.a, moved);
      EXPECT_NEAR(plane.gap, cold.gap, pair.tolerance);
      EXPECT_NEAR(plane.gap, gap_along(pair.a, moved, plane.normal), pair.tolerance);
      if (cold.gap < 0) ++overlapping;
    }
  });
  EXPECT_GT(overlapping, 3000U);
}

// A body moves around another, in contact with it or close: the gap changes by no more than the
// motion, and warm starts agree with cold starts.
TEST_F(CommonPlane3DProperties, GapIsContinuousWhileSlidingAround) {
  std::vector<Point<3>> buffer(100);
  for_pairs(6, 0.5, 0.5, [&](const RandomPair& pair, Random& random) {
    const Point<3> axis = random_direction(random);
    const Point<3> rotation_axis = random_direction(random);
    const PolyhedronView& a = pair.a;
    const Point<3> arm = perpendicular(axis);
    const Point<3> side = cross(axis, arm);
    const double radius = random.uniform(0.3, 0.8) * pair.size;
    CommonPlane<3> plane;
    std::vector<Point<3>> previous_vertices;
    constexpr int steps = 500;
    for (int step = 0; step <= steps; ++step) {
      const double angle = 6.3 * step / steps;
      RigidTransform<3> transform = rotation_about({0, 0, 0}, rotation_axis, 3 * angle);
      transform.translation = add_scaled(add_scaled(a.centroid, radius * std::cos(angle), arm),
                                         radius * std::sin(angle), side);
      const PolyhedronView b = pair.shape_b.transformed(transform, buffer);
      const double previous_gap = plane.gap;
      plane = step == 0 ? common_plane(a, b) : common_plane(a, b, plane);
      ASSERT_NEAR(plane.gap, common_plane(a, b).gap, pair.tolerance) << "step " << step;
      double motion = 0;
      for (std::size_t i = 0; i < previous_vertices.size(); ++i)
        motion = std::max(motion, length(difference(previous_vertices[i], b.vertices[i])));
      if (step > 0) {
        ASSERT_LE(std::abs(plane.gap - previous_gap), motion + pair.tolerance) << "step " << step;
      }
      previous_vertices.assign(b.vertices.begin(), b.vertices.end());
    }
  });
}

TEST_F(CommonPlane3DProperties, HillClimbingIncreasesGapInFewSteps) {
  for_pairs(100, 0, 1.1, [](const RandomPair& pair, Random& random) {
    const PolyhedronView& a = pair.a;
    const PolyhedronView& b = pair.b;
    const Point<3> normal = random_direction(random);
    const VertexPair start = support_pair(a, b, normal, 0, 0);
    CommonPlane<3> plane{normal, dot(normal, start.separation), start.a, start.b};
    double previous_gap = plane.gap;
    bool converged = false;
    std::size_t steps = 0;
    while (hill_climb_step(a, b, rounding_tolerance(a, b), plane, converged)) {
      EXPECT_GE(plane.gap, previous_gap - 1e-12 * pair.size - 1e-15 * max_abs(a.centroid));
      previous_gap = plane.gap;
      ASSERT_LE(++steps, a.vertices.size() + b.vertices.size());
    }
    EXPECT_TRUE(converged);
    EXPECT_NEAR(plane.gap, gap_along(a, b, plane.normal), pair.tolerance);
  });
}

// These fallbacks are rarely reached by common_plane, so they are called directly.
TEST_F(CommonPlane3DProperties, GjkAndSeparatingAxesAreExactFromAnyStart) {
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

TEST_F(CommonPlane3DProperties, CundallGapNeverExceedsMaximum) {
  for_pairs(30, 0, 1.1, [](const RandomPair& pair, Random&) {
    const CommonPlane<3> plane = common_plane(pair.a, pair.b);
    const IteratedPlane<3> iterated = cundall_plane(pair.a, pair.b);
    EXPECT_LE(iterated.plane.gap, plane.gap + pair.tolerance);
    EXPECT_NEAR(iterated.plane.gap, gap_along(pair.a, pair.b, iterated.plane.normal),
                pair.tolerance);
    EXPECT_GT(iterated.iterations, 0);
    EXPECT_LE(cundall_plane(pair.a, pair.b, {}, &plane).plane.gap, plane.gap + pair.tolerance);
  });
}

}  // namespace
}  // namespace abut::testing
