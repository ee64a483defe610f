// Building blocks that all search methods share.
#include <gmock/gmock.h>

#include <limits>

#include "conformance.hpp"
#include "core/buffers.hpp"
#include "core/contact_predicate.hpp"
#include "core/grid.hpp"
#include "core/machine.hpp"
#include "core/statistics.hpp"

namespace abut::testing {
namespace {

TEST(ContactPredicate, FollowsDefinitionAndIsSymmetric) {
  const Scene<2> scene = scene_of<2>({{0, 0, 1}, {3, 4, 3.5}, {3, 4, 3.999}, {3, 4, 4}});
  const ContactPredicate<2> exact(scene.view(), {.tolerance = 0});
  EXPECT_FALSE(exact.touches(0, 1));
  EXPECT_FALSE(exact.touches(0, 2));
  EXPECT_TRUE(exact.touches(0, 3));
  EXPECT_TRUE(exact.touches(3, 0));
  const ContactPredicate<2> with_margin(scene.view(), {.margin = 0.5, .tolerance = 0});
  EXPECT_TRUE(with_margin.touches(0, 1));
  const ContactPredicate<2> tolerant(scene.view(), {.tolerance = 0.001});
  EXPECT_TRUE(tolerant.touches(0, 2));
  EXPECT_FALSE(tolerant.touches(0, 1));
}

TEST(ContactPredicate, AgreesForSinglePairsAndRows) {
  const Scene<3> scene = make_scene<3>("polydisperse", {.count = 500, .solid_fraction = 3});
  const ContactPredicate<3> predicate(scene.view(), {});
  std::vector<double> excess(scene.size());
  int contacts = 0;
  for (std::size_t a = 0; a < scene.size(); ++a) {
    predicate.excess_row(a, 0, excess);
    for (std::size_t b = 0; b < scene.size(); ++b) {
      EXPECT_EQ(excess[b] <= 0, predicate.touches(a, b));
      EXPECT_EQ(predicate.touches(a, b), predicate.touches(b, a));
      contacts += predicate.touches(a, b) ? 1 : 0;
    }
  }
  EXPECT_GT(contacts, 1000);
}

// Two centers exactly a cutoff apart, anywhere in a box of up to 2³⁰ cells, are in the same cell or
// in adjacent ones.
TEST(Grid, KeepsPairsInAdjacentCellsDespiteRounding) {
  Random random(1);
  for (int i = 0; i < 200000; ++i) {
    const double cutoff = std::pow(10, random.uniform(-6, 6)) / 3;
    const double cells = std::pow(10, random.uniform(0, 9));
    const double origin = cutoff * random.uniform(-1e9, 1e9);
    const double length = cutoff * cells;
    const Grid<2> grid({{origin, origin}, {origin + length, origin + length}}, cutoff);
    const double x =
        std::min(origin + std::floor(random.uniform(0, cells)) * cutoff, origin + length);
    double y = x + cutoff;
    while (y - x > cutoff) y = std::nextafter(y, x);
    if (y > origin + length) continue;
    EXPECT_LE(grid.cell_coordinate(0, y) - grid.cell_coordinate(0, x), 1);
    EXPECT_GE(grid.cell_coordinate(0, x), 0);
    EXPECT_LT(grid.cell_coordinate(0, y), grid.cell_count(0));
  }
}

TEST(Grid, ReportsCellCoordinatesThatDoNotFitInt32) {
  EXPECT_TRUE(Grid<3>({{0, 0, 0}, {1e9, 1, 1}}, 1).fits_int32());
  EXPECT_FALSE(Grid<3>({{0, 0, 0}, {1, 1, 3e9}}, 1).fits_int32());
  EXPECT_FALSE(Grid<3>({{0, 0, 0}, {1e140, 1, 1}}, 1).fits_int32());
  EXPECT_NEAR(Grid<3>({{0, 0, 0}, {1e140, 1, 1}}, 1).cell_count_real(1), 1, 1);
}

TEST(HalfStencil, ContainsEveryNeighborRowFromOneSideOnly) {
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y) {
      const auto has = [](int dy, int dz) {
        return std::ranges::count(HalfStencil<3>::rows, std::array{dy, dz});
      };
      EXPECT_EQ(has(y, z) + has(-y, -z), y == 0 && z == 0 ? 0 : 1);
    }
}

TEST(PairSorter, AgreesWithStandardSort) {
  Random random(3);
  PairSorter sorter;
  PairBuffer buffer;
  std::vector<Pair> sorted;
  for (const std::size_t particles : {1UL, 2UL, 50UL, 5000UL, 100000UL})
    for (const std::size_t count : {0UL, 1UL, 30UL, 20000UL, 200000UL}) {
      std::vector<Pair> expected;
      for (std::size_t i = 0; i < count; ++i)
        expected.push_back({static_cast<Index>(random.below(particles)),
                            static_cast<Index>(random.below(particles))});
      buffer.clear();
      buffer.append(expected);
      std::ranges::sort(expected);
      sorter.sort(buffer, particles, sorted);
      EXPECT_TRUE(sorted == expected) << particles << ", " << count;
    }
}

TEST(ReverseNeighbors, ListsLowerNeighborsOfEachParticle) {
  const std::vector<Pair> sorted{{0, 1}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  const ReverseNeighbors reverse(sorted, 5);
  EXPECT_THAT(reverse.neighbors_of(0), ::testing::IsEmpty());
  EXPECT_THAT(reverse.neighbors_of(1), ::testing::ElementsAre(0));
  EXPECT_THAT(reverse.neighbors_of(2), ::testing::ElementsAre(1));
  EXPECT_THAT(reverse.neighbors_of(3), ::testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(reverse.neighbors_of(4), ::testing::IsEmpty());
}

TEST(FormatBytes, UsesBinaryUnits) {
  EXPECT_EQ(format_bytes(0), "0 bytes");
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
  EXPECT_EQ(format_bytes(3.0 * (1ULL << 40U)), "3 TiB");
}

}  // namespace
}  // namespace abut::testing
