// Brute force is the reference of all methods, so it is checked against cases counted by hand and
// against another implementation of the pair definition.
#include <gmock/gmock.h>

#include <cmath>

#include "conformance.hpp"

namespace abut::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<Pair> brute_force(const Scene<2>& scene, DetectorOptions<2> options = {}) {
  options.method = Method::brute_force;
  return find_contacts(scene.view(), options);
}

TEST(BruteForce, FindsPairsCountedByHand) {
  EXPECT_THAT(brute_force(scene_of<2>({})), IsEmpty());
  EXPECT_THAT(brute_force(scene_of<2>({{0, 0, 1}})), IsEmpty());
  // Three disks in a row that touch, and a fourth that touches the last one only.
  EXPECT_THAT(brute_force(scene_of<2>({{0, 0, 1}, {2, 0, 1}, {4, 0, 1}, {4, 1.5, 0.5}})),
              ElementsAre(Pair{0, 1}, Pair{1, 2}, Pair{2, 3}));
  // The distance is 5; the sum of the radii is 5, then slightly less.
  EXPECT_THAT(brute_force(scene_of<2>({{0, 0, 2}, {3, 4, 3}})), ElementsAre(Pair{0, 1}));
  EXPECT_THAT(brute_force(scene_of<2>({{0, 0, 2}, {3, 4, 2.9999}})), IsEmpty());
  EXPECT_THAT(brute_force(scene_of<2>({{0, 0, 2}, {3, 4, 2.9999}}), {.margin = 0.001}),
              ElementsAre(Pair{0, 1}));
  // A disk inside another one touches it; coincident disks touch.
  EXPECT_THAT(brute_force(scene_of<2>({{0, 0, 5}, {1, 1, 0.1}, {1, 1, 0.1}})),
              ElementsAre(Pair{0, 1}, Pair{0, 2}, Pair{1, 2}));
}

TEST(BruteForce, FindsPairsOfSquareLattice) {
  // Three by three disks have 2·3·2 = 12 contacts; with the margin √2 − 1 the two diagonals of each
  // of the 4 squares are pairs too.
  const Scene<2> square = make_scene<2>("lattice", {.count = 9});
  EXPECT_EQ(brute_force(square).size(), 12);
  EXPECT_EQ(brute_force(square, {.margin = 0.4142}).size(), 12);
  EXPECT_EQ(brute_force(square, {.margin = 0.4143}).size(), 12 + 2 * 4);
}

TEST(BruteForce, FollowsPairDefinition) {
  const Scene<3> scene = make_scene<3>("polydisperse", {.count = 700, .seed = 12});
  const DetectorOptions<3> options{.method = Method::brute_force, .margin = 0.01};
  std::vector<Pair> expected;
  for (Index a = 0; a < scene.size(); ++a)
    for (Index b = a + 1; b < scene.size(); ++b) {
      const double distance = std::hypot(scene.coordinates[0][a] - scene.coordinates[0][b],
                                         scene.coordinates[1][a] - scene.coordinates[1][b],
                                         scene.coordinates[2][a] - scene.coordinates[2][b]);
      if (distance <= (scene.radii[a] + scene.radii[b]) * (1 + options.tolerance) + options.margin)
        expected.push_back({a, b});
    }
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(find_contacts(scene.view(), options), expected);
}

TEST(BruteForce, FindsContactsOfTouchingLatticesOfAnyDiameter) {
  for (const double diameter : {0.1, 1.0 / 3, 1e-6, 1e6, 0.7, 123.456}) {
    const Scene<2> disks = make_scene<2>("lattice", {.count = 400, .diameter = diameter});
    EXPECT_EQ(brute_force(disks).size(), 2 * 20 * 19) << diameter;
    const Scene<3> spheres = make_scene<3>("lattice", {.count = 1000, .diameter = diameter});
    EXPECT_EQ(find_contacts(spheres.view(), {.method = Method::brute_force}).size(), 3 * 100 * 9)
        << diameter;
  }
}

}  // namespace
}  // namespace abut::testing
