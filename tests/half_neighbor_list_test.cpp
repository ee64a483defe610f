// Pairs as neighbors of each particle.
#include <gmock/gmock.h>

#include "conformance.hpp"

namespace abut::testing {
namespace {

class HalfNeighborLists : public ::testing::TestWithParam<MethodInfo> {};

TEST_P(HalfNeighborLists, HoldAllPairs) {
  for (const std::size_t count : {0UL, 1UL, 2UL, 3000UL}) {
    const Scene<3> scene = make_scene<3>("random", {.count = count});
    Detector<3> detector({.method = GetParam().method});
    detector.update(scene.view());
    const HalfNeighborList list = detector.half_neighbor_list();
    ASSERT_EQ(list.offsets.size(), count + 1);
    std::vector<Pair> pairs;
    for (Index a = 0; a < count; ++a)
      for (const Index b : list.neighbors_of(a)) pairs.push_back({a, b});
    EXPECT_TRUE(pairs == detector.pairs()) << count;
  }
}

TEST_P(HalfNeighborLists, FollowAnUpdate) {
  Scene<2> scene = scene_of<2>({{0, 0, 1}, {1, 0, 1}, {9, 0, 1}});
  Detector<2> detector({.method = GetParam().method});
  detector.update(scene.view());
  EXPECT_THAT(detector.half_neighbor_list().neighbors, ::testing::ElementsAre(1));
  scene.coordinates[0][2] = 2;
  detector.update(scene.view());
  EXPECT_THAT(detector.half_neighbor_list().neighbors, ::testing::ElementsAre(1, 2, 2));
}

TEST_P(HalfNeighborLists, AreEmptyAfterReset) {
  const Scene<3> scene = make_scene<3>("lattice", {.count = 1000});
  Detector<3> detector({.method = GetParam().method});
  detector.update(scene.view());
  const std::vector<Pair> before = detector.pairs();
  detector.reset();
  EXPECT_TRUE(detector.pairs().empty());
  EXPECT_TRUE(detector.half_neighbor_list().neighbors.empty());
  detector.update(scene.view());
  EXPECT_TRUE(detector.pairs() == before);
}

TEST(HalfNeighborList, RejectsIndexOutOfRange) {
  const Scene<2> scene = scene_of<2>({{0, 0, 1}, {1, 0, 1}});
  Detector<2> detector;
  EXPECT_THROW((void)HalfNeighborList{}.neighbors_of(0), Error);
  detector.update(scene.view());
  EXPECT_EQ(detector.half_neighbor_list().neighbors_of(1).size(), 0);
  EXPECT_THROW((void)detector.half_neighbor_list().neighbors_of(2), Error);
}

INSTANTIATE_TEST_SUITE_P(Methods, HalfNeighborLists,
                         ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace abut::testing
