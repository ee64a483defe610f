#include "scenes/scene.hpp"

#include <gmock/gmock.h>

#include <abut/detector.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace abut::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::size_t contacts(const char* name, const SceneOptions& options) {
  return find_contacts(make_scene<3>(name, options).view()).size();
}

TEST(Scenes, LatticesHaveAnalyticalNumberOfPairs) {
  // 2n(n−1) in 2D, 3n²(n−1) in 3D.
  EXPECT_EQ(contacts("lattice", {.count = 8000}), 22800);
  EXPECT_EQ(contacts("packing-a", {.count = 125000}), 367500);
  EXPECT_EQ(contacts("lattice-shuffled", {.count = 125000}), 367500);
  EXPECT_EQ(find_contacts(make_scene<2>("lattice", {.count = 10000}).view()).size(), 2 * 100 * 99);
}

TEST(Scenes, PackingsHavePairsOfMrPaper) {
  EXPECT_EQ(contacts("packing-b", {.count = 125000, .spacing = 1}), 122500);
  EXPECT_EQ(contacts("packing-b", {.count = 125000, .spacing = 1.01}), 0);
  EXPECT_EQ(contacts("packing-c", {.count = 125000, .spacing = 1}), 245000);
  EXPECT_EQ(contacts("packing-d", {.count = 125000, .spacing = 1}), 367500);
  EXPECT_EQ(contacts("packing-d", {.count = 125000, .spacing = 200}), 0);
  EXPECT_EQ(contacts("sparse", {.count = 1000}), 0);
}

TEST(Scenes, AreReproducible) {
  for (const SceneInfo& info : scenes()) {
    const Scene<2> first = make_scene<2>(info.name, {.count = 300, .seed = 5});
    const Scene<2> again = make_scene<2>(info.name, {.count = 300, .seed = 5});
    EXPECT_EQ(first.coordinates, again.coordinates) << info.name;
    EXPECT_EQ(first.radii, again.radii) << info.name;
  }
  // Fixed values, which no other compiler or library may change.
  const Scene<3> scene = make_scene<3>("random", {.count = 1000, .seed = 1});
  EXPECT_NEAR(scene.bounds.max[0], std::cbrt(1000 * std::numbers::pi / 6 / 0.5), 1e-9);
  EXPECT_DOUBLE_EQ(scene.coordinates[0][0] / scene.bounds.max[0], 0.13387664401253274);
}

TEST(Scenes, StayWithinTheirBounds) {
  for (const SceneInfo& info : scenes())
    for (const std::size_t count : {0UL, 1UL, 2UL, 777UL}) {
      const Scene<3> scene = make_scene<3>(info.name, {.count = count});
      EXPECT_EQ(scene.size(), count);
      EXPECT_LT(scene.bounds.min[0], scene.bounds.max[0]) << info.name << ", " << count;
      for (std::size_t k = 0; k < 3; ++k)
        for (const double x : scene.coordinates[k]) {
          EXPECT_GE(x, scene.bounds.min[k]) << info.name;
          EXPECT_LE(x, scene.bounds.max[k]) << info.name;
        }
    }
}

TEST(Scenes, RandomHasExpectedNumberOfPairs) {
  // 2N pairs are expected at a solid fraction of 0.5, fewer near the boundary; the noise is √(2N).
  const double pairs = static_cast<double>(contacts("random", {.count = 100000}));
  EXPECT_NEAR(pairs, 195000, 2000);
}

// Fraction of the particles, by number or by volume, with a diameter below 1/√32: one half if ln d
// is uniformly distributed.
template <std::size_t D>
double fraction_below_median(const Scene<D>& scene, int power) {
  double below = 0;
  double all = 0;
  for (const double r : scene.radii) {
    const double weight = std::pow(r, power);
    all += weight;
    if (2 * r < 1 / std::sqrt(32)) below += weight;
  }
  return below / all;
}

TEST(Scenes, PolydisperseIsLogUniformByNumberOrByMass) {
  const SceneOptions options{.count = 200000};
  EXPECT_NEAR(fraction_below_median(make_scene<3>("polydisperse", options), 0), 0.5, 0.01);
  EXPECT_NEAR(fraction_below_median(make_scene<3>("polydisperse-mass", options), 3), 0.5, 0.05);
  EXPECT_NEAR(fraction_below_median(make_scene<2>("polydisperse-mass", options), 2), 0.5, 0.02);
  for (const char* name : {"polydisperse", "polydisperse-mass"}) {
    const Scene<3> scene = make_scene<3>(name, {.count = 10000, .size_ratio = 1000});
    EXPECT_LE(std::ranges::max(scene.radii), 0.5);
    EXPECT_GE(std::ranges::min(scene.radii), 0.5 / 1000 * (1 - 1e-12));
  }
}

TEST(Scenes, RejectInvalidNameAndOptions) {
  EXPECT_THAT(
      [] { (void)make_scene<2>("marbles", {}); },
      ThrowsMessage<Error>(HasSubstr("no scene is called 'marbles'; must be one of lattice")));
  EXPECT_THAT([] { (void)make_scene<2>("random", {.solid_fraction = -1}); },
              ThrowsMessage<Error>(HasSubstr("solid_fraction = -1: must be from")));
  EXPECT_THAT([] { (void)make_scene<3>("lattice", {.count = 1UL << 40U}); },
              ThrowsMessage<Error>(HasSubstr("32 TiB of particles exceed the memory")));
}

TEST(Scenes, SpatialOrderSortsSameParticlesByRow) {
  const Scene<2> unordered = make_scene<2>("random", {.count = 900});
  Scene<2> in_rows = make_scene<2>("random", {.count = 900, .spatial_order = true});
  const double row = in_rows.bounds.max[1] / 30;
  for (std::size_t i = 1; i < 900; ++i)
    EXPECT_LE(std::floor(in_rows.coordinates[1][i - 1] / row),
              std::floor(in_rows.coordinates[1][i] / row));
  EXPECT_NE(in_rows.coordinates[0], unordered.coordinates[0]);
  std::vector<double> expected = unordered.coordinates[0];
  std::ranges::sort(expected);
  std::ranges::sort(in_rows.coordinates[0]);
  EXPECT_EQ(in_rows.coordinates[0], expected);
}

TEST(Scenes, SiloHasPublishedRadiiAndSolidFraction) {
  const Scene<3> silo = make_scene<3>("silo", {.count = 8000, .diameter = 0.45});
  const auto [min, max] = std::ranges::minmax(silo.radii);
  EXPECT_GE(min, 0.215);
  EXPECT_LE(max, 0.225);
  double solid = 0;
  for (const double r : silo.radii) solid += 4.18879 * r * r * r;
  double volume = 1;
  for (const auto& axis : silo.coordinates) {
    const auto [low, high] = std::ranges::minmax(axis);
    volume *= high - low + 0.45;
  }
  EXPECT_NEAR(solid / volume, 0.6, 0.05);
}

}  // namespace
}  // namespace abut::testing
