// Properties of common planes of random polygons: compact, slender, tiny, huge and far from the
// origin. A failure prints the seed of its trial.
#include <gmock/gmock.h>

#include <abut/research/cundall.hpp>

#include "narrow/common_plane_2d.hpp"
#include "polygon_fixtures.hpp"
#include "sanitized.hpp"

namespace abut::testing {
namespace {

// Calls check(pair, random, kind, tolerance) for each kind of shape and each trial.
template <class Check>
void for_all_shapes(int trials, const Check& check) {
  for (const ShapeKind& kind : shape_kinds)
    for (int trial = 0; trial < trial_count(trials); ++trial) {
      const auto seed = static_cast<std::uint64_t>(trial);
      SCOPED_TRACE(::testing::Message() << kind.name << ", seed " << seed);
      Random random(seed);
      RandomPair pair(random, kind);
      check(pair, random, kind, 1e-9 * kind.size);
      if (::testing::Test::HasFailure()) return;
    }
}

CommonPlane<2> random_plane(Random& random, const RandomPair& pair) {
  const double angle = random.uniform(0, 2 * std::numbers::pi);
  return {{std::cos(angle), std::sin(angle)},
          random.uniform(-1, 1),
          static_cast<Index>(random.below(pair.a.vertices.size())),
          static_cast<Index>(random.below(pair.b.vertices.size())),
          static_cast<PlaneKind>(random.below(3))};
}

TEST(CommonPlane2DProperties, GapIsDistanceOrThatOfBestAxis) {
  for_all_shapes(5000, [](RandomPair& pair, Random&, const ShapeKind&, double tolerance) {
    EXPECT_NEAR(common_plane(pair.a, pair.b).gap, exact_gap(pair.a, pair.b), tolerance);
  });
}

TEST(CommonPlane2DProperties, GapIsExactForHundredThousandSeparatedPairs) {
  Random random(2024);
  int separated = 0;
  int wrong = 0;
  while (separated < trial_count(100000)) {
    RandomPair pair(random, shape_kinds[random.below(2)]);
    for (int placement = 0; placement < 10; ++placement) {
      pair.move_randomly(random, shape_kinds[0]);
      if (gap_by_separating_axes(pair.a, pair.b) <= 0) continue;
      ++separated;
      const double exact = distance_by_sides(pair.a, pair.b);
      if (std::abs(common_plane(pair.a, pair.b).gap - exact) > 1e-12) ++wrong;
    }
  }
  EXPECT_EQ(wrong, 0) << "seed 2024";
}

TEST(CommonPlane2DProperties, FiveCandidatesUnderestimateSomeSeparatedGaps) {
  Random random(7);
  int wrong = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const RandomPair pair(random, shape_kinds[random.below(2)]);
    if (gap_by_separating_axes(pair.a, pair.b) <= 0) continue;
    const double gap = five_candidate_plane(pair.a, pair.b).plane.gap;
    const double exact = distance_by_sides(pair.a, pair.b);
    EXPECT_LE(gap, exact + 1e-12) << "seed 7, trial " << trial;
    if (gap < exact - 1e-9) ++wrong;
  }
  EXPECT_GT(wrong, 0);
  RecordProperty("wrong", wrong);
}

TEST(CommonPlane2DProperties, GapIsThatOfAllVerticesAndOfClosestOnes) {
  for_all_shapes(2000, [](RandomPair& pair, Random& random, const ShapeKind&, double tolerance) {
    for (const CommonPlane<2>& plane :
         {common_plane(pair.a, pair.b), common_plane(pair.a, pair.b, random_plane(random, pair))}) {
      EXPECT_NEAR(length(plane.normal), 1, 1e-14);
      EXPECT_NEAR(gap_along(pair.a, pair.b, plane.normal), plane.gap, tolerance);
      const Point<2> from = pair.a.vertices[plane.vertex_a];
      const Point<2> to = pair.b.vertices[plane.vertex_b];
      EXPECT_NEAR(dot(plane.normal, difference(to, from)), plane.gap, tolerance);
    }
  });
}

TEST(CommonPlane2DProperties, SwappingReversesNormal) {
  for_all_shapes(2000, [](RandomPair& pair, Random&, const ShapeKind&, double tolerance) {
    const CommonPlane<2> plane = common_plane(pair.a, pair.b);
    const CommonPlane<2> swapped = common_plane(pair.b, pair.a);
    EXPECT_NEAR(swapped.gap, plane.gap, tolerance);
    if (plane.gap > tolerance * 1e3) {  // for overlaps two axes may be equally good
      EXPECT_LT(length(sum(plane.normal, swapped.normal)), 1e-6);
    }
  });
}

TEST(CommonPlane2DProperties, IsInvariantUnderRigidMotionAndScaling) {
  for_all_shapes(
      1000, [](RandomPair& pair, Random& random, const ShapeKind& kind, double tolerance) {
        const CommonPlane<2> plane = common_plane(pair.a, pair.b);
        const double scale = random.uniform(0.5, 2);
        const double angle = random.uniform(-4, 4);
        const Point<2> translation{kind.size * random.uniform(-9, 9),
                                   kind.size * random.uniform(-9, 9)};
        const auto map = [&](const Point<2>& p) {
          const double c = scale * std::cos(angle);
          const double s = scale * std::sin(angle);
          return sum(Point<2>{c * p[0] - s * p[1], s * p[0] + c * p[1]}, translation);
        };
        std::vector<Point<2>> buffer;
        buffer.reserve(pair.a.vertices.size() + pair.b.vertices.size());
        const auto moved = [&](const PolygonView& view) {
          const std::size_t first = buffer.size();
          for (const Point<2>& vertex : view.vertices) buffer.push_back(map(vertex));
          return PolygonView{{buffer.data() + first, view.vertices.size()}, map(view.centroid)};
        };
        const PolygonView a = moved(pair.a);
        const CommonPlane<2> other = common_plane(a, moved(pair.b));
        EXPECT_NEAR(other.gap, scale * plane.gap, 3 * tolerance);
      });
}

TEST(CommonPlane2DProperties, IsInvariantUnderRenumbering) {
  for_all_shapes(1000, [](RandomPair& pair, Random& random, const ShapeKind&, double tolerance) {
    const auto renumbered = [&](const PolygonView& view) {
      std::vector<Point<2>> vertices(view.vertices.begin(), view.vertices.end());
      const auto by = static_cast<std::ptrdiff_t>(random.below(vertices.size()));
      std::rotate(vertices.begin(), vertices.begin() + by, vertices.end());
      return vertices;
    };
    const auto a = renumbered(pair.a);
    const auto b = renumbered(pair.b);
    const CommonPlane<2> plane = common_plane(pair.a, pair.b);
    const CommonPlane<2> other = common_plane({a, pair.a.centroid}, {b, pair.b.centroid});
    EXPECT_NEAR(other.gap, plane.gap, tolerance);
    EXPECT_LT(length(difference(other.normal, plane.normal)), 1e-6);
  });
}

struct GapRecorder {
  static constexpr bool is_enabled = true;
  std::vector<double>* gaps;
  void on_plane(double gap) const { gaps->push_back(gap); }
};

void expect_ascent(const std::vector<double>& gaps, const RandomPair& pair, double tolerance) {
  EXPECT_TRUE(std::is_sorted(gaps.begin(), gaps.end(), [&](double x, double y) {
    return x < y - tolerance * 1e-3;
  })) << ::testing::PrintToString(gaps);
  // Plus the initial and the final plane.
  EXPECT_LE(gaps.size(), pair.a.vertices.size() + pair.b.vertices.size() + 2);
}

TEST(CommonPlane2DProperties, GapIncreasesMonotonicallyInFewSteps) {
  for_all_shapes(2000, [](RandomPair& pair, Random& random, const ShapeKind&, double tolerance) {
    std::vector<double> cold;
    (void)cold_start_plane(pair.a, pair.b, GapRecorder{&cold});
    expect_ascent(cold, pair, tolerance);
    std::vector<double> warm;
    (void)warm_start_plane(pair.a, pair.b, random_plane(random, pair), GapRecorder{&warm});
    expect_ascent(warm, pair, tolerance);
  });
}

TEST(CommonPlane2DProperties, WarmStartIsExactIfSeparatedAndNeverExceedsMaximum) {
  for_all_shapes(5000, [](RandomPair& pair, Random& random, const ShapeKind&, double tolerance) {
    const double exact = exact_gap(pair.a, pair.b);
    const double warm = common_plane(pair.a, pair.b, random_plane(random, pair)).gap;
    EXPECT_LE(warm, exact + tolerance);
    if (exact > 0) {
      EXPECT_NEAR(warm, exact, tolerance);
    }
  });
}

TEST(CommonPlane2DProperties, CundallGapNeverExceedsMaximum) {
  for_all_shapes(300, [](RandomPair& pair, Random&, const ShapeKind&, double tolerance) {
    EXPECT_LE(cundall_plane(pair.a, pair.b).plane.gap,
              common_plane(pair.a, pair.b).gap + tolerance);
  });
}

// ---- sliding around a polygon

// How far b must be moved along a direction so that it penetrates a by `depth`.
double distance_with_gap(RandomPair& pair, const Point<2>& origin, const Point<2>& direction,
                         double angle, double depth) {
  double min = 0;
  double max = 10;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (min + max) / 2;
    pair.set_transform(add_scaled(origin, middle, direction), angle);
    (gap_by_separating_axes(pair.a, pair.b) < -depth ? min : max) = middle;
  }
  return max;
}

TEST(CommonPlane2DProperties, GapIsContinuousWhileSlidingAround) {
  int steps = 0;
  for (std::uint64_t seed = 1; seed <= trial_count(40U); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random(seed);
    RandomPair pair(random, {"", seed % 2 == 0 ? 0.8 : 0.3, 1, 0});
    pair.set_transform({0, 0}, 0);
    const Point<2> origin = difference(pair.a.centroid, pair.b.centroid);
    const double depth = seed % 4 < 2 ? 0.01 : -0.01;  // overlapping slightly, or just separated
    CommonPlane<2> plane;
    double previous_gap = 0;
    std::vector<Point<2>> previous_vertices;
    for (int step = 0; step <= 300; ++step, ++steps) {
      const double azimuth = 2 * std::numbers::pi * step / 300;
      const Point<2> direction{std::cos(azimuth), std::sin(azimuth)};
      const double rotation = 0.2 * std::sin(3 * azimuth);
      const double distance = distance_with_gap(pair, origin, direction, rotation, depth);
      pair.set_transform(add_scaled(origin, distance, direction), rotation);
      const double exact = exact_gap(pair.a, pair.b);
      plane = step == 0 ? common_plane(pair.a, pair.b) : common_plane(pair.a, pair.b, plane);
      ASSERT_NEAR(plane.gap, exact, 1e-9) << "step " << step;
      double motion = 0;
      for (std::size_t k = 0; k < previous_vertices.size(); ++k)
        motion = std::max(motion, length(difference(pair.b.vertices[k], previous_vertices[k])));
      if (step > 0) {
        ASSERT_LE(std::abs(plane.gap - previous_gap), motion + 1e-12) << "step " << step;
      }
      previous_vertices.assign(pair.b.vertices.begin(), pair.b.vertices.end());
      previous_gap = plane.gap;
    }
  }
  EXPECT_EQ(steps, trial_count(40) * 301);
}

// ---- contact points

TEST(CommonPlane2DProperties, ContactPointWithPositiveLengthLiesInBothPolygons) {
  for_all_shapes(1000, [](RandomPair& pair, Random&, const ShapeKind&, double tolerance) {
    const CommonPlane<2> plane = common_plane(pair.a, pair.b);
    const PlaneContact<2> contact = plane_contact(pair.a, pair.b, plane);
    if (plane.gap >= 0) {
      EXPECT_EQ(contact.area, 0);
      return;
    }
    if (contact.area == 0) return;
    const double depth_a =
        dot(plane.normal, difference(contact.point, pair.a.vertices[plane.vertex_a]));
    EXPECT_NEAR(depth_a, plane.gap / 2, tolerance);  // midway
    for (const PolygonView& view : {pair.a, pair.b})
      for (Index k = 0; k < vertex_count(view); ++k)
        EXPECT_LE(dot(normalized(outward_normal(edge_vector(view, k))),
                      difference(contact.point, view.vertices[k])),
                  tolerance);
  });
}

}  // namespace
}  // namespace abut::testing
