// Figures and tables of Gorokhov, Kibets, Nagornykh (2025), compared with the arrays of the
// methods.
#include <gmock/gmock.h>

#include "broad/nbs.hpp"
#include "broad/screening.hpp"
#include "conformance.hpp"

namespace abut {

// Reads the private lists of NBS. Particles are numbered from 1, as in the paper; −1 ends a list.
struct NbsTestAccess {
  explicit NbsTestAccess(const SearchInput<2>& search_input) : input(search_input) {
    nbs.reserve(input, 1);
    nbs.map(input);
  }
  void map_row(std::int32_t row) {
    nbs.split(input, 0, Nbs<2>::first_of(nbs.top_[row]), nbs.workspaces_[0].cells[0]);
  }
  [[nodiscard]] int B(std::int32_t row) const { return number(nbs.top_[row]); }
  [[nodiscard]] int Y(int particle) const { return number(nbs.after(1, particle)); }
  [[nodiscard]] int A(std::int32_t cell) const { return number(nbs.workspaces_[0].cells[0][cell]); }
  [[nodiscard]] int X(int particle) const { return number(nbs.after(0, particle)); }

  // Runs a search and returns whether every list is empty again.
  bool is_empty_after_search() {
    nbs.clear_heads(input);
    ThreadPool pool(1);
    std::vector<Pair> pairs;
    PairSink sink(pairs);
    const std::function<void(double)> no_progress;
    ChunkResults found;
    SearchDriver<2, false> driver(input.predicate, 0, pool, sink, found, no_progress);
    Counter<false> counter;
    nbs.prepare(input, pool, counter);
    nbs.search(input, driver);
    for (std::int32_t row = 0; row < input.grid.cell_count(1); ++row)
      if (nbs.top_[row] != 0) return false;
    for (std::int32_t cell = 0; cell < input.grid.cell_count(0); ++cell)
      for (const auto& cells : nbs.workspaces_[0].cells)
        if (cells[cell] != 0) return false;
    return true;
  }

  static int number(std::int32_t link) { return link == 0 ? -1 : link; }
  SearchInput<2> input;
  Nbs<2> nbs;
};

namespace testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::vector<std::pair<int, int>> numbered_from_one(const std::vector<Pair>& pairs) {
  std::vector<std::pair<int, int>> numbered;
  numbered.reserve(pairs.size());
  for (const auto [a, b] : pairs) numbered.emplace_back(b + 1, a + 1);
  return numbered;
}

class Demcda : public ::testing::TestWithParam<Method> {};

TEST_P(Demcda, FindsContactsOfNineDisksOfTable1) {
  const Scene<2> disks = make_scene<2>("lattice", {.count = 9});
  EXPECT_THAT(
      numbered_from_one(find_contacts(disks.view(), {.method = GetParam()})),
      UnorderedElementsAre(std::pair(9, 6), std::pair(9, 8), std::pair(8, 5), std::pair(8, 7),
                           std::pair(7, 4), std::pair(6, 3), std::pair(6, 5), std::pair(5, 2),
                           std::pair(5, 4), std::pair(4, 1), std::pair(3, 2), std::pair(2, 1)));
}

TEST_P(Demcda, FindsContactsOf27SpheresOfTable2) {
  const Scene<3> spheres = make_scene<3>("lattice", {.count = 27});
  const auto pairs = numbered_from_one(find_contacts(spheres.view(), {.method = GetParam()}));
  EXPECT_EQ(pairs.size(), 54);
  EXPECT_THAT(pairs, ::testing::IsSupersetOf(
                         {std::pair(27, 26), std::pair(27, 24), std::pair(27, 18),
                          std::pair(26, 25), std::pair(26, 23), std::pair(26, 17), std::pair(5, 4),
                          std::pair(5, 2), std::pair(4, 1), std::pair(3, 2), std::pair(2, 1)}));
}

INSTANTIATE_TEST_SUITE_P(Methods, Demcda, ::testing::Values(Method::screening, Method::nbs),
                         [](const auto& instance) {
                           return std::string(abut::method_info(instance.param).name);
                         });

template <std::size_t D>
SearchInput<D> search_input_on(const Scene<D>& scene, const Box<D>& box, double cell) {
  const Spheres<D> particles = scene.view();
  return {.particles = particles,
          .predicate = ContactPredicate<D>(particles, {}),
          .grid = Grid<D>(box, cell)};
}

// Figure 3 as far as the text describes it: ten particles in ten by ten cells, 9 8 6 3 in row 6 and
// 10 7 4 1 in row 7, those at columns 4 3 5 4; row 0 is empty.
Scene<2> figure_3() {
  const auto at = [](double column, double row) {
    return std::array<double, 3>{column + 0.4, row + 0.6, 0.45};
  };
  return scene_of<2>({at(4, 7), at(2, 3), at(1, 6), at(5, 7), at(8, 1), at(2, 6), at(3, 7),
                      at(7, 6), at(8, 6), at(4, 7)});
}

const Box<2> ten_by_ten{{0, 0}, {9.99, 9.99}};

TEST(DemcdaFigures, NbsHasPublishedListsOfRows) {
  const Scene<2> scene = figure_3();
  const NbsTestAccess arrays(search_input_on(scene, ten_by_ten, 1.0));
  EXPECT_EQ(arrays.B(0), -1);
  EXPECT_EQ(arrays.B(6), 9);
  EXPECT_EQ(arrays.Y(9), 8);
  EXPECT_EQ(arrays.Y(8), 6);
  EXPECT_EQ(arrays.Y(6), 3);
  EXPECT_EQ(arrays.Y(3), -1);
  EXPECT_EQ(arrays.B(7), 10);
}

TEST(DemcdaFigures, NbsHasPublishedListsOfCellsInRow7) {
  const Scene<2> scene = figure_3();
  NbsTestAccess arrays(search_input_on(scene, ten_by_ten, 1.0));
  arrays.map_row(7);
  EXPECT_EQ(arrays.A(1), -1);
  EXPECT_EQ(arrays.A(2), -1);
  EXPECT_EQ(arrays.A(3), 7);
  EXPECT_EQ(arrays.X(7), -1);
  EXPECT_EQ(arrays.A(5), 4);
  EXPECT_EQ(arrays.X(4), -1);
  EXPECT_EQ(arrays.A(4), 1);
  EXPECT_EQ(arrays.X(1), 10);
  EXPECT_EQ(arrays.X(10), -1);
}

TEST(DemcdaFigures, NbsClearsItsLists) {
  const Scene<2> scene = figure_3();
  EXPECT_TRUE(NbsTestAccess(search_input_on(scene, ten_by_ten, 1.0)).is_empty_after_search());
}

// Figure 1: ten by ten cells are a hundred lists; particles in four of them leave 96 empty.
TEST(DemcdaFigures, ScreeningHas100ListsOfWhich96AreEmpty) {
  const Scene<2> scene = scene_of<2>({{2.5, 3.5, 0.4},
                                      {2.2, 3.8, 0.4},
                                      {7.5, 3.5, 0.4},
                                      {4.5, 8.5, 0.4},
                                      {9.5, 0.5, 0.4},
                                      {9.2, 0.1, 0.4}});
  const SearchInput<2> input = search_input_on(scene, ten_by_ten, 1.0);
  Screening<2> screening;
  const auto empty_lists = [&] {
    int empty = 0;
    for (std::int32_t y = 0; y < 10; ++y)
      for (std::int32_t x = 0; x < 10; ++x) empty += screening.list({x, y}).empty() ? 1 : 0;
    return empty;
  };
  EXPECT_EQ(input.grid.cell_count(0) * input.grid.cell_count(1), 100);
  screening.map(input);
  EXPECT_EQ(empty_lists(), 96);
  EXPECT_THAT(screening.list({2, 3}), ElementsAre(2, 1));  // the last particle added is the head
  EXPECT_THAT(screening.list({9, 0}), ElementsAre(6, 5));
  EXPECT_THAT(screening.list({7, 3}), ElementsAre(3));
  EXPECT_THAT(screening.list({5, 5}), IsEmpty());
  screening.clear_heads(input);
  EXPECT_EQ(empty_lists(), 100);
}

// The printed list of cells to test is (ix, iy), (ix−1, iy), (ix−1, iy−1), (ix+1, iy−1). In the
// paper's own test it finds 6 of the 12 contacts; the cell (ix, iy−1), which the sentence before it
// includes, has the other 6.
TEST(DemcdaAsPublished, ListOfCellsLosesHalfOfContacts) {
  const Scene<2> disks = make_scene<2>("lattice", {.count = 9});
  const auto column = [&](Index i) { return static_cast<int>(disks.coordinates[0][i]); };
  const auto row = [&](Index i) { return static_cast<int>(disks.coordinates[1][i]); };
  int found_as_printed = 0;
  for (const auto [a, b] : find_contacts(disks.view())) {
    const int dx = column(a) - column(b);  // b is in the cell, a in the one that is tested
    const int dy = row(a) - row(b);
    const bool printed = (dy == 0 && (dx == 0 || dx == -1)) || (dy == -1 && (dx == -1 || dx == 1));
    found_as_printed += printed ? 1 : 0;
  }
  EXPECT_EQ(found_as_printed, 6);
}

}  // namespace
}  // namespace testing
}  // namespace abut
