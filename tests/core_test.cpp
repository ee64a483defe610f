// The pieces every method stands on.
#include <gmock/gmock.h>

#include <limits>

#include "conformance.hpp"
#include "core/contact_predicate.hpp"
#include "core/grid.hpp"
#include "core/pair_buffer.hpp"
#include "core/statistics.hpp"
#include "core/system_info.hpp"

namespace abut::testing {
namespace {

TEST(Reach, IsTheFormulaAndSymmetric) {
  const Scene<2> scene = scene_of<2>({{0, 0, 1}, {3, 4, 3.5}, {3, 4, 3.999}, {3, 4, 4}});
  const ContactPredicate<2> exact(scene.view(), {.tolerance = 0});
  EXPECT_FALSE(exact.touches(0, 1));
  EXPECT_FALSE(exact.touches(0, 2));
  EXPECT_TRUE(exact.touches(0, 3));
  EXPECT_TRUE(exact.touches(3, 0));
  const ContactPredicate<2> near(scene.view(), {.margin = 0.5, .tolerance = 0});
  EXPECT_TRUE(near.touches(0, 1));
  const ContactPredicate<2> slack(scene.view(), {.tolerance = 0.001});
  EXPECT_TRUE(slack.touches(0, 2));
  EXPECT_FALSE(slack.touches(0, 1));
}

TEST(Reach, DecidesAlikeOneByOneAndInRows) {
  const Scene<3> scene = make_scene<3>("polydisperse", {.count = 500, .solid_fraction = 3});
  const ContactPredicate<3> reach(scene.view(), {});
  std::vector<double> excess(scene.size());
  int touching = 0;
  for (std::size_t a = 0; a < scene.size(); ++a) {
    reach.excess_row(a, 0, excess);
    for (std::size_t b = 0; b < scene.size(); ++b) {
      EXPECT_EQ(excess[b] <= 0, reach.touches(a, b));
      EXPECT_EQ(reach.touches(a, b), reach.touches(b, a));
      touching += reach.touches(a, b) ? 1 : 0;
    }
  }
  EXPECT_GT(touching, 1000);
}

// Two centres exactly a reach apart, anywhere in a box of up to 2³⁰ cells: at most one cell apart.
TEST(Grid, KeepsPairsInNeighbouringCellsWhateverTheRounding) {
  Random random(1);
  for (int i = 0; i < 200000; ++i) {
    const double reach = std::pow(10, random.uniform(-6, 6)) / 3;
    const double cells = std::pow(10, random.uniform(0, 9));
    const double origin = reach * random.uniform(-1e9, 1e9);
    const double length = reach * cells;
    const Grid<2> grid({{origin, origin}, {origin + length, origin + length}}, reach);
    const double x =
        std::min(origin + std::floor(random.uniform(0, cells)) * reach, origin + length);
    double y = x + reach;
    while (y - x > reach) y = std::nextafter(y, x);
    if (y > origin + length) continue;
    EXPECT_LE(grid.cell_coordinate(0, y) - grid.cell_coordinate(0, x), 1);
    EXPECT_GE(grid.cell_coordinate(0, x), 0);
    EXPECT_LT(grid.cell_coordinate(0, y), grid.cell_count(0));
  }
}

TEST(Grid, KnowsWhenCellNumbersDoNotFit) {
  EXPECT_TRUE(Grid<3>({{0, 0, 0}, {1e9, 1, 1}}, 1).fits_int32());
  EXPECT_FALSE(Grid<3>({{0, 0, 0}, {1, 1, 3e9}}, 1).fits_int32());
  EXPECT_FALSE(Grid<3>({{0, 0, 0}, {1e140, 1, 1}}, 1).fits_int32());
  EXPECT_NEAR(Grid<3>({{0, 0, 0}, {1e140, 1, 1}}, 1).cell_count_real(1), 1, 1);
}

TEST(HalfMask, MeetsEveryNeighbourOnceFromOneSide) {
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y) {
      const auto has = [](int dy, int dz) {
        return std::ranges::count(HalfStencil<3>::rows, std::array{dy, dz});
      };
      EXPECT_EQ(has(y, z) + has(-y, -z), y == 0 && z == 0 ? 0 : 1);
    }
}

TEST(PairSorter, SortsLikeTheStandardSort) {
  Random random(3);
  PairSorter sorter;
  PairBuffer blocks;
  std::vector<Pair> sorted;
  for (const std::size_t particles : {1UL, 2UL, 50UL, 5000UL, 100000UL})
    for (const std::size_t count : {0UL, 1UL, 30UL, 20000UL, 200000UL}) {
      std::vector<Pair> expected;
      for (std::size_t i = 0; i < count; ++i)
        expected.push_back({static_cast<Index>(random.below(particles)),
                            static_cast<Index>(random.below(particles))});
      blocks.clear();
      blocks.append(expected);
      std::ranges::sort(expected);
      sorter.sort(blocks, particles, sorted);
      EXPECT_TRUE(sorted == expected) << particles << ", " << count;
    }
}

TEST(SmallerPartners, AreThoseOfEachLargerParticle) {
  const std::vector<Pair> sorted{{0, 1}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  const ReverseNeighbors partners(sorted, 5);
  EXPECT_THAT(partners.neighbors_of(0), ::testing::IsEmpty());
  EXPECT_THAT(partners.neighbors_of(1), ::testing::ElementsAre(0));
  EXPECT_THAT(partners.neighbors_of(2), ::testing::ElementsAre(1));
  EXPECT_THAT(partners.neighbors_of(3), ::testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(partners.neighbors_of(4), ::testing::IsEmpty());
}

TEST(HumanBytes, ReadWell) {
  EXPECT_EQ(format_bytes(0), "0 bytes");
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
  EXPECT_EQ(format_bytes(3.0 * (1ULL << 40U)), "3 TiB");
}

}  // namespace
}  // namespace abut::testing
