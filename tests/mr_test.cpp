// Statements of Munjiza, Rougier and John (2006) about MR and MMR, and what is lost as published.
#include "broad/mr.hpp"

#include <gmock/gmock.h>

#include <abut/research/search_counts.hpp>

#include "broad/mmr.hpp"
#include "conformance.hpp"
#include "core/statistics.hpp"
#include "published_methods.hpp"
#include "sanitized.hpp"

namespace abut {

namespace testing {
namespace {

// Figure 7: m = 022 and M = 321 as z, y, x with 5 columns and 6 rows.
TEST(MrPaper, FindsMiddleCellOfExample) {
  using Cell = Grid<3>::Cell;
  const Cell low{2, 2, 0};
  const Cell high{1, 2, 3};
  const auto number = [](const Cell& cell) { return cell[0] + 5 * (cell[1] + 6 * cell[2]); };
  EXPECT_EQ(middle_cell<3>(low, high, {5, 6, 4}), (Cell{1, 5, 1}));
  EXPECT_EQ(number(high) - number(low) - 1, 88);       // cells in between
  EXPECT_EQ(number(Cell{1, 5, 1}) - number(low), 44);  // the 44th from the smallest
}

TEST(MrPaper, FindsMiddleCellOfRandomCells) {
  Random random(2);
  for (int i = 0; i < 20000; ++i) {
    const std::array<std::int32_t, 3> n{1 + static_cast<std::int32_t>(random.below(50)),
                                        1 + static_cast<std::int32_t>(random.below(50)), 50};
    const auto any = [&] {
      Grid<3>::Cell cell;
      for (std::size_t k = 0; k < 3; ++k)
        cell[k] = static_cast<std::int32_t>(random.below(static_cast<unsigned>(n[k])));
      return cell;
    };
    const auto number = [&](const Grid<3>::Cell& c) { return c[0] + n[0] * (c[1] + n[1] * c[2]); };
    const auto a = any();
    const auto b = any();
    ASSERT_EQ(number(middle_cell<3>(a, b, n)), (number(a) + number(b)) / 2);
  }
}

TEST(MrPaper, StencilHasTwoRowsIn2DAndThirteenNeighborsInFiveRowsIn3D) {
  EXPECT_EQ(HalfStencil<2>::rows.size() + 1, 2);
  EXPECT_EQ(3 * HalfStencil<2>::rows.size() + 1, 4);
  EXPECT_EQ(HalfStencil<3>::rows.size() + 1, 5);
  EXPECT_EQ(3 * HalfStencil<3>::rows.size() + 1, 13);
}

TEST(MrPaper, OrdersByLayerThenRowThenColumn) {
  using Cell = Grid<3>::Cell;
  EXPECT_TRUE(cell_precedes<3>(Cell{9, 9, 0}, Cell{0, 0, 1}));
  EXPECT_TRUE(cell_precedes<3>(Cell{9, 0, 1}, Cell{0, 1, 1}));
  EXPECT_TRUE(cell_precedes<3>(Cell{0, 1, 1}, Cell{1, 1, 1}));
  EXPECT_FALSE(cell_precedes<3>(Cell{1, 1, 1}, Cell{1, 1, 1}));
}

template <std::size_t D>
void search_all(Detector<D>& detector, const Scene<D>& scene) {
  detector.update(scene.view());
  detector.for_each_pair([](Pair) {});
}

SearchCounts counts_of(Detector<3>& detector, const Scene<3>& scene) {
  search_all(detector, scene);
  return search_counts(detector);
}

template <std::size_t D>
std::size_t structure_bytes(Detector<D>& detector, const Scene<D>& scene) {
  search_all(detector, scene);
  return detector.statistics().structure_bytes;
}

// (25) and (26): two pointers and D coordinates, or two pointers, plus a constant.
TEST(MrPaper, UsesFiveIntegersPerParticleOrTwo) {
  constexpr std::size_t constant = 1UL << 15U;
  for (const std::size_t count : {8000UL, 125000UL}) {
    const Scene<3> scene = make_scene<3>("packing-a", {.count = count});
    const Scene<2> scene_2d = make_scene<2>("packing-a", {.count = count});
    Detector<3> stored({.method = Method::mr});
    Detector<3> recomputed({.method = Method::mr_recomputed});
    EXPECT_LE(structure_bytes(stored, scene), 20UL * count + constant);
    EXPECT_LE(structure_bytes(recomputed, scene), 8UL * count + constant);
    Detector<2> in_2d({.method = Method::mr});
    EXPECT_LE(structure_bytes(in_2d, scene_2d), 16UL * count + constant);
  }
}

TEST(MrPaper, FindsPairsOfPackings) {
  const auto pairs = [](const char* name, std::size_t count, double spacing) {
    const Scene<3> scene = make_scene<3>(name, {.count = count, .spacing = spacing});
    std::size_t number = 0;
    Detector<3> detector({.method = Method::mr});
    detector.update(scene.view());
    detector.for_each_pair([&](Pair) { ++number; });
    return number;
  };
  EXPECT_EQ(pairs("packing-a", 8000, 1), 22800);
  EXPECT_EQ(pairs("packing-a", 125000, 1), 367500);
  if (!is_sanitized) {
    EXPECT_EQ(pairs("packing-a", 5000211, 1), 14912910);  // 171³
  }
  EXPECT_EQ(pairs("packing-b", 125000, 1), 122500);
  EXPECT_EQ(pairs("packing-c", 125000, 1), 245000);
  EXPECT_EQ(pairs("packing-d", 125000, 1), 367500);
  EXPECT_EQ(pairs("packing-b", 125000, 2), 0);
  EXPECT_EQ(pairs("packing-c", 125000, 200), 0);
  EXPECT_EQ(pairs("packing-d", 125000, 200), 0);
}

// The order is updated, not sorted again, while no particle moves by more than a cell.
TEST(MrList, IsUpdatedAfterSmallMotion) {
  Scene<3> scene = make_scene<3>("random", {.count = 20000});
  for (const Method method : {Method::mr, Method::mr_recomputed}) {
    Detector<3> detector({.method = method, .collect_counts = true});
    const auto sorted = counts_of(detector, scene);
    const auto unmoved = counts_of(detector, scene);
    EXPECT_EQ(unmoved.list_relinks, 0);
    EXPECT_LT(unmoved.examinations, sorted.examinations);
    perturb(scene, 0.01, 1);
    const auto updated = counts_of(detector, scene);
    EXPECT_GT(updated.list_relinks, 20000 / 100);  // 3 % have changed cells
    EXPECT_LT(updated.list_relinks, 20000 / 10);
    EXPECT_LT(updated.examinations, sorted.examinations);
  }
}

template <class List>
std::vector<Index> particles_in_order(const List& list) {
  std::vector<Index> order;
  for (Index node = list.next(0); node != 0 && order.size() <= list.size(); node = list.next(node))
    order.push_back(node - 1);
  return order;
}

Scene<2> strip(double width, Random& random) {
  Scene<2> scene;
  for (int i = 0; i < 300; ++i) {
    scene.coordinates[0].push_back(random.uniform(0, width));
    scene.coordinates[1].push_back(random.uniform(0, 100 / width));
    scene.radii.push_back(0.5);
  }
  return scene;
}

// Particles swap positions with others near them in the list.
void swap_positions(Scene<2>& scene, const std::vector<Index>& order, std::size_t distance,
                    Random& random) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t other = i / distance * distance + random.below(distance);
    if (other >= order.size()) continue;
    for (auto& axis : scene.coordinates) std::swap(axis[order[i]], axis[order[other]]);
  }
}

// From any previous order, the updated list has all nodes in order. Few skip pointers, so that the
// pointers of the matrix are used.
template <class Cells, class Update>
void expect_complete_and_sorted(const Update& update) {
  Random random(11);
  const Grid<2> grid(Box<2>{{0, 0}, {100, 100}}, 1);
  for (int round = 0; round < trial_count(1000); ++round) {
    Scene<2> scene = strip(1 + static_cast<double>(random.below(8)), random);
    MrList<2, Cells, 3> list;
    Counter<false> counter;
    list.link(scene.size());
    list.quick_sort({.particles = scene.view(), .grid = grid}, counter);
    for (int step = 0; step < 5; ++step) {
      swap_positions(scene, particles_in_order(list), 2 + random.below(round % 2 == 0 ? 40 : 300),
                     random);
      const NodeSource<2> source{.particles = scene.view(), .grid = grid};
      if (!update(list, source, counter)) list.quick_sort(source, counter);
      const std::vector<Index> order = particles_in_order(list);
      ASSERT_EQ(order.size(), scene.size()) << "round " << round << ", step " << step;
      ASSERT_TRUE(std::ranges::is_sorted(order, cell_precedes<2>,
                                         [&](Index i) { return grid.cell_of(scene.view(), i); }))
          << "round " << round << ", step " << step;
    }
  }
}

TEST(MrList, IsCompleteAndSortedAfterUpdateFromAnyOrder) {
  expect_complete_and_sorted<StoredCells<2>>([](auto& list, const auto& source, auto& counter) {
    return list.linear_sort(source, counter);
  });
  expect_complete_and_sorted<RecomputedCells<2>>([](auto& list, const auto& source, auto& counter) {
    return list.linear_sort_without_cells(source, counter);
  });
}

// As published, a node that moved forward stays and all nodes up to its new position are relocated.
// Here the first particle of a row moves into the next row.
TEST(MrList, RelocatesOnlyNodesThatMovedForward) {
  Scene<2> scene;
  for (int i = 0; i < 400; ++i) {
    scene.coordinates[0].push_back(1.5 * (i % 20));
    const int row = i / 20;
    scene.coordinates[1].push_back(1.5 * row);
    scene.radii.push_back(0.5);
  }
  Detector<2> detector({.method = Method::mr, .collect_counts = true});
  const auto relinks = [&] {
    detector.update(scene.view());
    detector.for_each_pair([](Pair) {});
    return search_counts(detector).list_relinks;
  };
  relinks();
  scene.coordinates[1][0] += 1;  // all other nodes of its row now precede it
  EXPECT_EQ(relinks(), 1);
}

// "No element moves more than one cell in a step" does not hold for particles that are inserted,
// removed or cross a periodic boundary. The old order is then useless.
TEST(MrAsPublished, DetectsJumpAndLosesNothing) {
  Scene<3> scene = make_scene<3>("random", {.count = 3000});
  Detector<3> detector({.method = Method::mr});
  detector.update(scene.view());
  for (auto& axis : scene.coordinates) std::ranges::reverse(axis);  // everything jumps
  detector.update(scene.view());
  EXPECT_EQ(detector.pairs(), find_contacts(scene.view(), {.method = Method::brute_force}));
}

// The matrix of pointers has an element for every neighbor cell, and none for a jump.
TEST(MrAsPublished, MatrixOfPointersHasNoElementForJump) {
  const Scene<3> scene = scene_of<3>({{0.5, 0.5, 0.5, 0.5}, {5.5, 5.5, 5.5, 0.5}});
  Scene<3> jumped = scene;
  for (auto& axis : jumped.coordinates) std::swap(axis[0], axis[1]);
  MrList<3, StoredCells<3>> list;
  const Grid<3> grid(Box<3>{{0, 0, 0}, {8, 8, 8}}, 1);
  Counter<false> counter;
  list.link(2);
  list.quick_sort({.particles = scene.view(), .grid = grid}, counter);
  EXPECT_EQ(list.next(0), 1);
  EXPECT_FALSE(list.linear_sort({.particles = jumped.view(), .grid = grid}, counter));
  list.quick_sort({.particles = jumped.view(), .grid = grid}, counter);
  EXPECT_EQ(list.next(0), 2);
}

// ---- MMR

// The half stencil, sufficient within a group: the own row and four of the rows around it.
struct HalfOfRows {
  static constexpr std::array<std::array<int, 2>, 5> rows{
      {{0, 0}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
};

TEST(MmrAsPublished, HalfStencilAcrossGroupsLosesContacts) {
  const Scene<3> scene = make_scene<3>("polydisperse", {.count = 20000, .size_ratio = 8});
  const auto all = static_cast<double>(find_contacts(scene.view()).size());
  EXPECT_EQ(count_pairs<Mmr<3>>(scene), all);
  const auto kept = static_cast<double>(count_pairs<Mmr<3, HalfOfRows>>(scene));
  EXPECT_NEAR(1 - kept / all, 0.13, 0.03);
}

TEST(MmrPaper, HandlesSizeRatioOf1024InTenStepsAndAMillionInTwenty) {
  for (const auto& [ratio, steps] : {std::pair(1024.0, 10), std::pair(1048576.0, 20)}) {
    Scene<3> scene;
    for (int n = 0; n <= steps;
         ++n) {  // a chain of touching particles, each half the size of the last
      const double radius = std::exp2(-n);
      const double x = n == 0 ? 0 : scene.coordinates[0].back() + scene.radii.back() + radius;
      scene.push_back({x, 0, 0}, radius);
    }
    EXPECT_EQ(scene.radii.front() / scene.radii.back(), ratio);
    EXPECT_EQ(find_contacts(scene.view(), {.method = Method::mmr}),
              find_contacts(scene.view(), {.method = Method::brute_force}));
    EXPECT_EQ(find_contacts(scene.view(), {.method = Method::mmr}).size(), steps);
  }
}

TEST(MmrPaper, FindsSamePairsForAnyGroupRatio) {
  const Scene<3> scene = make_scene<3>("polydisperse-mass", {.count = 5000, .size_ratio = 50});
  const auto expected = find_contacts(scene.view(), {.method = Method::brute_force});
  for (const double ratio : {1.01, 1.5, 2.0, 3.7, 1e6})
    EXPECT_EQ(find_contacts(scene.view(), {.method = Method::mmr, .group_ratio = ratio}), expected)
        << ratio;
  for (const double ratio : {1.0, 0.5, -2.0, std::nan("")})
    EXPECT_THROW((void)find_contacts(scene.view(), {.method = Method::mmr, .group_ratio = ratio}),
                 Error);
}

// The number of groups, each of which costs a sort, is limited for any sizes and group ratio.
TEST(MmrPaper, UsesAtMost64Groups) {
  Scene<3> scene = make_scene<3>("random", {.count = 2000});
  Random random(4);
  for (double& r : scene.radii) r = 0.05 * std::pow(10, -140 * random.uniform());
  Detector<3> detector({.method = Method::mmr, .group_ratio = 1.01, .collect_counts = true});
  EXPECT_LT(counts_of(detector, scene).list_relinks, 3UL * 2000 * 64);
  EXPECT_EQ(detector.pairs(), find_contacts(scene.view(), {.method = Method::brute_force}));
}

TEST(MmrPaper, UsesMemoryIndependentOfSizes) {
  const auto bytes = [](double ratio) {
    const Scene<3> scene =
        make_scene<3>("polydisperse-mass", {.count = 20000, .size_ratio = ratio});
    Detector<3> detector({.method = Method::mmr});
    return structure_bytes(detector, scene);
  };
  for (const double ratio : {1.0, 32.0, 1e4}) {
    EXPECT_LE(bytes(ratio), 20000 * 50 + (1 << 16)) << ratio;
    EXPECT_GE(bytes(ratio), 20000 * 20) << ratio;
  }
}

}  // namespace
}  // namespace testing
}  // namespace abut
