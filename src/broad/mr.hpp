#pragma once

#include <abut/method.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "broad/mr_list.hpp"
#include "broad/mr_search.hpp"
#include "broad/task.hpp"
#include "core/half_mask.hpp"
#include "core/kept_grid.hpp"
#include "core/sweep.hpp"

namespace abut {

/// MR (Munjiza–Rougier): all particles in one list, sorted by their cells. Between two searches
/// the list is kept and mended in linear time; the rows of cells that a particle must be checked
/// with are stretches of the list between pointers that only advance.
///
/// A. Munjiza, E. Rougier, N. W. M. John, Int. J. Numer. Meth. Engng 66 (2006) 46–71.
/// Bounding box → node, LH → node 0, ordering (7) → before, matrix A → MrList::linear_sort, contact
/// mask of 2 (3D: 5) rows → the node's own row and HalfMask, integerised coordinates → KeptCells.
/// Time N whatever the density; N log N for the first search and after a jump. Memory 2 + D
/// integers a particle, or 2 when coordinates are recomputed (mr_recomputed), plus a constant.
///
/// Different from the paper: its assumption that nothing moves by more than a cell is checked;
/// where it fails, or particles have come or gone, quick sort does the work (mr_recomputed, which
/// has no old cells, carries what jumped to its place). Cells keep their place with room around
/// them. Marks, a constant number of nodes, let pointers leap and threads begin anywhere. Its
/// figures 21 and 22 compare mr_quicksort (quick sort every time) and mr_binary (and binary
/// searches).
template <std::size_t D, Method Variant>
class Mr {
  static constexpr bool kept = Variant != Method::mr_recomputed;
  static constexpr bool linear_sort = Variant == Method::mr || !kept;
  static constexpr bool linear_search = Variant != Method::mr_binary;

 public:
  static constexpr MethodInfo info = [] {
    MethodInfo text{.method = Variant,
                    .name = "mr",
                    .number = 0,
                    .paper = "Munjiza, Rougier, John 2006",
                    .time = "N",
                    .memory = "8 N + 4 N an axis",
                    .use = "like sizes that move little between searches, any density"};
    if constexpr (!kept) {
      text.name = "mr_recomputed";
      text.memory = "8 N";
      text.use = "the same with less memory, slower";
    } else if constexpr (!linear_search) {
      text.name = "mr_binary";
      text.time = "N log N";
      text.memory = "12 N + 4 N an axis";
      text.use = "to compare: quick sort, binary search";
    } else if constexpr (!linear_sort) {
      text.name = "mr_quicksort";
      text.time = "N log N";
      text.use = "to compare: quick sort every time";
    }
    return text;
  }();

  static double bytes_needed(const Task<D>& task, unsigned /*threads*/) {
    constexpr double integers = 2 + (kept ? D : 0) + (linear_search ? 0 : 1);
    return 4 * integers * static_cast<double>(task.particles.size() + 1) + (1U << 15U);
  }

  [[nodiscard]] std::size_t bytes() const {
    return list_.bytes() + sizeof(Index) * sorted_.capacity();
  }

  static constexpr bool lasting = true;
  static constexpr bool any_extent = false;

  template <class Counter>
  void prepare(const Task<D>& task, ThreadPool& /*pool*/, Counter& counter) {
    sort(task, counter);
    if constexpr (!linear_search) {
      sorted_.clear();
      sorted_.reserve(list_.size());
      for (Index node = list_.next(0); node != 0; node = list_.next(node)) sorted_.push_back(node);
    }
  }

  template <class Sweep>
  void search(const Task<D>& task, Sweep& sweep) {
    const NodeSource<D> source{.particles = task.particles, .grid = kept_.grid()};
    const std::size_t places = linear_search ? list_.marks().size() : list_.size();
    const Runs runs(places, linear_search ? 8 : 16384);
    sweep.expect(runs.size());
    sweep.chunks(runs.size(), [&](std::size_t chunk, unsigned, auto& judge) {
      if constexpr (linear_search)
        search_within(list_, source, runs.first(chunk), runs.last(chunk), judge);
      else
        for (std::size_t i = runs.first(chunk); i < runs.last(chunk); ++i) look_up(i, judge);
    });
  }

 private:
  using Cell = typename Grid<D>::Cell;
  using List = MrList<D, std::conditional_t<kept, KeptCells<D>, RecomputedCells<D>>>;
  using Row = std::array<int, D - 1>;

  template <class Counter>
  void sort(const Task<D>& task, Counter& counter) {
    const double largest = task.survey.largest_radius;
    const bool new_cells = kept_.cover(task.survey.box, task.reach.of(largest, largest));
    const NodeSource<D> source{.particles = task.particles, .grid = kept_.grid()};
    const bool others = list_.size() != task.particles.size();
    if (others) list_.link(task.particles.size());
    if (others || new_cells || !mend(source, counter)) list_.quick_sort(source, counter);
  }

  // Returns whether the order of the last time could be mended.
  template <class Counter>
  bool mend(const NodeSource<D>& source, Counter& counter) {
    if constexpr (!linear_sort)
      return false;
    else if constexpr (kept)
      return list_.linear_sort(source, counter);
    else
      return list_.linear_sort_without_cells(source, counter);
  }

  // The binary variant: the first node of every row is looked up in an array of the sorted nodes.
  template <class Judge>
  void look_up(std::size_t i, Judge& judge) const {
    const Index node = sorted_[i];
    const Cell cell = list_.cell(node);
    const auto first_of = [&](const Row& row) {
      const auto first = moved<D>(cell, row, -1);
      return std::ranges::partition_point(sorted_, [&](Index other) {
        judge.counter().examinations(1);
        return before<D>(list_.cell(other), first);
      });
    };
    for (auto at = first_of({}); *at != node; ++at) judge(node - 1, *at - 1);
    for (const Row& row : HalfMask<D>::rows) {
      const auto beyond = moved<D>(cell, row, 2);
      for (auto at = first_of(row); at != sorted_.end() && before<D>(list_.cell(*at), beyond); ++at)
        judge(node - 1, *at - 1);
    }
  }

  KeptGrid<D> kept_;
  List list_;
  std::vector<Index> sorted_;  // nodes in order, for the binary variant
};

}  // namespace abut
