// Pairs as partners of each particle.
#include <gmock/gmock.h>

#include "contract.hpp"

namespace abut::testing {
namespace {

class HalfLists : public ::testing::TestWithParam<MethodInfo> {};

TEST_P(HalfLists, HoldThePairs) {
  for (const std::size_t count : {0UL, 1UL, 2UL, 3000UL}) {
    const Scene<3> scene = make_scene<3>("random", {.count = count});
    Detector<3> search({.method = GetParam().method});
    search.update(scene.particles());
    const HalfList list = search.half_list();
    ASSERT_EQ(list.first.size(), count + 1);
    std::vector<Pair> pairs;
    for (Index a = 0; a < count; ++a)
      for (const Index b : list.of(a)) pairs.push_back({a, b});
    EXPECT_TRUE(pairs == search.pairs()) << count;
  }
}

TEST_P(HalfLists, AreFoundAnewAfterAnUpdate) {
  Scene<2> scene = scene_of<2>({{0, 0, 1}, {1, 0, 1}, {9, 0, 1}});
  Detector<2> search({.method = GetParam().method});
  search.update(scene.particles());
  EXPECT_THAT(search.half_list().partners, ::testing::ElementsAre(1));
  scene.axes[0][2] = 2;
  search.update(scene.particles());
  EXPECT_THAT(search.half_list().partners, ::testing::ElementsAre(1, 2, 2));
}

TEST_P(HalfLists, AndAllElseIsEmptyAfterForgetting) {
  const Scene<3> scene = make_scene<3>("lattice", {.count = 1000});
  Detector<3> search({.method = GetParam().method});
  search.update(scene.particles());
  const std::vector<Pair> before = search.pairs();
  search.forget();
  EXPECT_TRUE(search.pairs().empty());
  EXPECT_TRUE(search.half_list().partners.empty());
  search.update(scene.particles());
  EXPECT_TRUE(search.pairs() == before);
}

INSTANTIATE_TEST_SUITE_P(Every, HalfLists, ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace abut::testing
