// Point and sphere queries: which particles a sphere overlaps, and which is nearest.
#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance.hpp"
#include "core/sphere_hash_grid.hpp"
#include "core/statistics.hpp"
#include "sanitized.hpp"

namespace abut::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <std::size_t D>
struct QueryScene {
  Scene<D> scene;
  DetectorOptions<D> options;
  int max_image = 0;
};

// Visits all images of all particles.
template <std::size_t D, class Visit>
void for_each_image(const QueryScene<D>& setup, const Visit& visit) {
  std::array<std::int32_t, D> max_image{};
  for (std::size_t k = 0; k < D; ++k)
    max_image[k] = setup.options.periodic[k] ? setup.max_image : 0;
  for (Index i = 0; i < setup.scene.size(); ++i) {
    std::array<std::int32_t, D> image;
    for (std::size_t k = 0; k < D; ++k) image[k] = -max_image[k];
    for (bool more = true; more;) {
      visit(i, image);
      more = false;
      for (std::size_t k = 0; k < D && !more; ++k) {
        more = ++image[k] <= max_image[k];
        if (!more) image[k] = -max_image[k];
      }
    }
  }
}

template <std::size_t D>
double gap(const QueryScene<D>& setup, Index i, const std::array<std::int32_t, D>& image,
           const Point<D>& from, double radius) {
  double squared = 0;
  for (std::size_t k = 0; k < D; ++k) {
    const double period =
        setup.options.domain ? setup.options.domain->max[k] - setup.options.domain->min[k] : 0;
    const double distance = setup.scene.coordinates[k][i] + image[k] * period - from[k];
    squared += distance * distance;
  }
  return std::sqrt(squared) - (radius + setup.scene.radii[i]);
}

double rounded(Random& random, double low, double high) {
  return std::round(random.uniform(low, high) / coordinate_step) * coordinate_step;
}

template <std::size_t D>
QueryScene<D> random_scene(Random& random, bool periodic) {
  QueryScene<D> setup;
  const auto count = random.below(60);
  const double largest = std::array{0.1, 1.0, 6.0}[random.below(3)];
  for (std::size_t i = 0; i < count; ++i) {
    for (auto& axis : setup.scene.coordinates) axis.push_back(rounded(random, -4, 12));
    setup.scene.radii.push_back(std::max(coordinate_step, rounded(random, 0, largest)));
  }
  setup.options.margin = std::array{0.0, 0.5}[random.below(2)];
  setup.options.tolerance = 0;
  if (!periodic) return setup;
  Box<D> box;
  box.min.fill(0);
  box.max.fill(8);
  setup.options.domain = box;
  setup.options.periodic.fill(true);
  setup.max_image = 5;
  return setup;
}

template <std::size_t D>
void expect_brute_force_result(bool periodic) {
  for (std::uint64_t seed = 1; seed <= trial_count(60U); ++seed) {
    Random random(seed);
    const QueryScene<D> setup = random_scene<D>(random, periodic);
    Detector<D> detector(setup.options);
    detector.update(setup.scene.view());
    for (int query = 0; query < 20; ++query) {
      Point<D> from;
      for (double& x : from) x = rounded(random, -10, 20);
      const double radius = std::array{0.0, 0.25, 2.0}[random.below(3)];
      std::vector<Neighbor<D>> expected;
      double nearest = std::numeric_limits<double>::infinity();
      for_each_image<D>(setup, [&](Index i, const auto& image) {
        const double distance = gap<D>(setup, i, image, from, radius);
        if (distance <= setup.options.margin) expected.push_back({i, image, distance});
        nearest = std::min(nearest, gap<D>(setup, i, image, from, 0));
      });
      std::ranges::sort(expected, {},
                        [](const auto& one) { return std::tuple(one.particle, one.image); });
      EXPECT_TRUE(detector.overlaps(from, radius) == expected) << seed << " " << query;
      const auto found = detector.nearest(from);
      ASSERT_EQ(found.has_value(), setup.scene.size() > 0);
      if (found) {
        EXPECT_EQ(found->gap, nearest) << seed << " " << query;
        EXPECT_EQ(found->gap, gap<D>(setup, found->particle, found->image, from, 0));
      }
    }
  }
}

TEST(SphereQuery, EqualsBruteForce) {
  expect_brute_force_result<2>(false);
  expect_brute_force_result<3>(false);
}

TEST(SphereQuery, EqualsBruteForceWithPeriodicImages) {
  expect_brute_force_result<2>(true);
  expect_brute_force_result<3>(true);
}

TEST(SphereQuery, AgreesWithPairs) {
  const Scene<3> scene = make_scene<3>("polydisperse", {.count = 2000, .size_ratio = 1000});
  Detector<3> detector;
  detector.update(scene.view());
  std::vector<Pair> pairs;
  for (Index a = 0; a < scene.size(); ++a)
    for (const auto& other : detector.overlaps(
             {scene.coordinates[0][a], scene.coordinates[1][a], scene.coordinates[2][a]},
             scene.radii[a]))
      if (other.particle > a) pairs.push_back({a, other.particle});
  EXPECT_TRUE(pairs == detector.pairs());
}

TEST(SphereQuery, WorksWithEveryMethodAndAfterEveryUpdate) {
  Scene<2> scene = scene_of<2>({{0, 0, 1}, {4, 0, 1}});
  for (const MethodInfo& method : methods()) {
    Detector<2> detector({.method = method.method});
    EXPECT_TRUE(detector.overlaps({0, 0}, 1).empty());
    EXPECT_FALSE(detector.nearest({0, 0}));
    scene.coordinates[0][1] = 4;
    detector.update(scene.view());
    EXPECT_EQ(detector.nearest({3.5, 0})->particle, 1);
    scene.coordinates[0][1] = 40;
    detector.update(scene.view());
    EXPECT_EQ(detector.nearest({3.5, 0}), (Neighbor<2>{0, {0, 0}, 2.5}));
    detector.reset();
    EXPECT_FALSE(detector.nearest({0, 0}));
  }
}

TEST(SphereQuery, WorksAcrossAllScales) {
  Scene<3> scene = scene_of<3>(
      {{0, 0, 0, 1e-9}, {1e9, 0, 0, 1e8}, {-1e100, 5, 0, 1}, {1e-8, 0, 0, 1e-9}, {3, 0, 0, 1}});
  Detector<3> detector;
  detector.update(scene.view());
  EXPECT_EQ(detector.nearest({1e-9, 0, 0})->particle, 0);
  EXPECT_EQ(detector.nearest({9e-9, 0, 0})->particle, 3);
  EXPECT_EQ(detector.nearest({-9e99, 0, 0})->particle, 2);
  EXPECT_EQ(detector.nearest({1e12, 0, 0})->particle, 1);
  EXPECT_EQ(detector.overlaps({0, 0, 0}, 1e101).size(), 5);
  EXPECT_EQ(detector.overlaps({1, 0, 0}, 1).size(), 3);
}

TEST(SphereQuery, RejectsInvalidPointAndRadius) {
  Scene<2> scene = scene_of<2>({{0, 0, 1}});
  Detector<2> detector({.domain = Box<2>{{0, 0}, {1, 1}}, .periodic = {true, true}});
  detector.update(scene.view());
  const auto error_of = [&](const Point<2>& at, double radius) {
    try {
      (void)detector.overlaps(at, radius);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(error_of({NAN, 0}, 1), HasSubstr("x = nan"));
  EXPECT_THAT(error_of({0, INFINITY}, 1), HasSubstr("y = inf"));
  EXPECT_THAT(error_of({0, 0}, -1), HasSubstr("radius = -1"));
  EXPECT_THAT(error_of({1e12, 0}, 1), HasSubstr("1e9 periods away"));
  EXPECT_THAT(error_of({0, 0}, 1e9), HasSubstr("reduce the distance"));
  EXPECT_THROW((void)detector.nearest({NAN, 0}), Error);
}

}  // namespace
}  // namespace abut::testing
