// Pairs as partners of each particle.
#include <gmock/gmock.h>

#include "conformance.hpp"

namespace abut::testing {
namespace {

class HalfLists : public ::testing::TestWithParam<MethodInfo> {};

TEST_P(HalfLists, HoldThePairs) {
  for (const std::size_t count : {0UL, 1UL, 2UL, 3000UL}) {
    const Scene<3> scene = make_scene<3>("random", {.count = count});
    Detector<3> search({.method = GetParam().method});
    search.update(scene.view());
    const HalfNeighborList list = search.half_neighbor_list();
    ASSERT_EQ(list.offsets.size(), count + 1);
    std::vector<Pair> pairs;
    for (Index a = 0; a < count; ++a)
      for (const Index b : list.neighbors_of(a)) pairs.push_back({a, b});
    EXPECT_TRUE(pairs == search.pairs()) << count;
  }
}

TEST_P(HalfLists, AreFoundAnewAfterAnUpdate) {
  Scene<2> scene = scene_of<2>({{0, 0, 1}, {1, 0, 1}, {9, 0, 1}});
  Detector<2> search({.method = GetParam().method});
  search.update(scene.view());
  EXPECT_THAT(search.half_neighbor_list().neighbors, ::testing::ElementsAre(1));
  scene.coordinates[0][2] = 2;
  search.update(scene.view());
  EXPECT_THAT(search.half_neighbor_list().neighbors, ::testing::ElementsAre(1, 2, 2));
}

TEST_P(HalfLists, AndAllElseIsEmptyAfterForgetting) {
  const Scene<3> scene = make_scene<3>("lattice", {.count = 1000});
  Detector<3> search({.method = GetParam().method});
  search.update(scene.view());
  const std::vector<Pair> before = search.pairs();
  search.reset();
  EXPECT_TRUE(search.pairs().empty());
  EXPECT_TRUE(search.half_neighbor_list().neighbors.empty());
  search.update(scene.view());
  EXPECT_TRUE(search.pairs() == before);
}

INSTANTIATE_TEST_SUITE_P(Every, HalfLists, ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace abut::testing
