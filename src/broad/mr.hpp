#pragma once

#include <abut/detector_options.hpp>
#include <abut/pair.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "broad/mr_list.hpp"
#include "broad/search_input.hpp"
#include "core/grid.hpp"
#include "core/search_driver.hpp"

namespace abut {

// MR-linear search (Munjiza, Rougier, John 2006, section 5): a contact mask is made of rows of
// cells, and a row is a stretch of a sorted list.

/// The rows of a mask, each with its beginning node and the one that ends it. As the central cell
/// moves on in the order of the list, these only advance.
template <std::size_t D, std::size_t Rows>
class MrStencil {
 public:
  using Cell = typename Grid<D>::Cell;
  using Offsets = std::array<std::array<int, D - 1>, Rows>;

  explicit MrStencil(const Offsets& rows) : rows_(rows) {}

  template <class List, class Counter>
  void move_to(const Cell& centre, const List& list, Counter& counter) {
    for (std::size_t row = 0; row < Rows; ++row) {
      const Cell first = offset_cell<D>(centre, rows_[row], -1);
      begin_[row] =
          is_positioned_ ? list.advance(begin_[row], first, counter) : list.find(first, counter);
      end_[row] = list.advance(is_positioned_ ? end_[row] : begin_[row],
                               offset_cell<D>(centre, rows_[row], 2), counter);
    }
    is_positioned_ = true;
  }

  [[nodiscard]] Index begin(std::size_t row) const { return begin_[row]; }
  [[nodiscard]] Index end(std::size_t row) const { return end_[row]; }

 private:
  const Offsets& rows_;
  std::array<Index, Rows> begin_{};
  std::array<Index, Rows> end_{};
  bool is_positioned_ = false;
};

/// The nodes from one mark to another; `arrive(cell)` is called before the first of each cell.
template <std::size_t D, class List, class Arrive, class Visit>
void for_each_node(const List& list, std::size_t first_mark, std::size_t last_mark,
                   const Arrive& arrive, const Visit& visit) {
  const auto marks = list.skip_pointers();
  const Index end = last_mark < marks.size() ? marks[last_mark] : List::head;
  Index node = marks[first_mark];
  if (node == end) return;
  typename List::Cell cell = list.cell(node);
  arrive(cell);
  for (; node != end; node = list.next(node)) {
    if (!same_cell<D>(list.cell(node), cell)) arrive(cell = list.cell(node));
    visit(node);
  }
}

/// Nodes of one list with each other, by half the neighbours: its own row up to the node itself,
/// and the rows of HalfMask.
template <std::size_t D, class List, class Judge>
void search_within(const List& list, const NodeSource<D>& source, std::size_t first_mark,
                   std::size_t last_mark, Judge& judge) {
  constexpr auto& rows = HalfStencil<D>::rows;
  static constexpr std::array<std::array<int, D - 1>, 1> own_row{};
  MrStencil<D, 1> own(own_row);
  MrStencil<D, rows.size()> mask(rows);
  const auto arrive = [&](const typename List::Cell& cell) {
    own.move_to(cell, list, judge.counter());
    mask.move_to(cell, list, judge.counter());
  };
  for_each_node<D>(list, first_mark, last_mark, arrive, [&](Index node) {
    const Index particle = source.particle(node);
    for (Index target = own.begin(0); target != node; target = list.next(target))
      judge(particle, source.particle(target));
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (Index target = mask.begin(row); target != mask.end(row); target = list.next(target))
        judge(particle, source.particle(target));
  });
}

/// Nodes of one list with those of another, by the rows of a mask.
template <class Mask, std::size_t D, class List, class Judge>
void search_across(const List& contactors, const NodeSource<D>& contactor, const List& targets,
                   const NodeSource<D>& target, std::size_t first_mark, std::size_t last_mark,
                   Judge& judge) {
  constexpr auto& rows = Mask::rows;
  MrStencil<D, rows.size()> mask(rows);
  const auto arrive = [&](const typename List::Cell& cell) {
    mask.move_to(cell, targets, judge.counter());
  };
  for_each_node<D>(contactors, first_mark, last_mark, arrive, [&](Index node) {
    const Index particle = contactor.particle(node);
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (Index at = mask.begin(row); at != mask.end(row); at = targets.next(at))
        judge(particle, target.particle(at));
  });
}

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
  static constexpr bool stores_cells = Variant != Method::mr_recomputed;
  static constexpr bool linear_sort = Variant == Method::mr || !stores_cells;
  static constexpr bool linear_search = Variant != Method::mr_binary;

 public:
  static constexpr MethodInfo info = [] {
    MethodInfo text{.method = Variant,
                    .name = "mr",
                    .demcda_number = 0,
                    .paper = "Munjiza, Rougier, John 2006",
                    .time = "N",
                    .memory = "8 N + 4 N an axis",
                    .best_for = "like sizes that move little between searches, any density"};
    if constexpr (!stores_cells) {
      text.name = "mr_recomputed";
      text.memory = "8 N";
      text.best_for = "the same with less memory, slower";
    } else if constexpr (!linear_search) {
      text.name = "mr_binary";
      text.time = "N log N";
      text.memory = "12 N + 4 N an axis";
      text.best_for = "to compare: quick sort, binary search";
    } else if constexpr (!linear_sort) {
      text.name = "mr_quicksort";
      text.time = "N log N";
      text.best_for = "to compare: quick sort every time";
    }
    return text;
  }();

  static double bytes_needed(const SearchInput<D>& task, unsigned /*threads*/) {
    constexpr double integers = 2 + (stores_cells ? D : 0) + (linear_search ? 0 : 1);
    return 4 * integers * static_cast<double>(task.particles.size() + 1) + (1U << 15U);
  }

  [[nodiscard]] std::size_t bytes() const {
    return list_.bytes() + sizeof(Index) * sorted_.capacity();
  }

  static constexpr bool is_persistent = true;
  static constexpr bool supports_any_extent = false;

  template <class Counter>
  void prepare(const SearchInput<D>& task, ThreadPool& /*pool*/, Counter& counter) {
    sort(task, counter);
    if constexpr (!linear_search) {
      sorted_.clear();
      sorted_.reserve(list_.size());
      for (Index node = list_.next(0); node != 0; node = list_.next(node)) sorted_.push_back(node);
    }
  }

  template <class Sweep>
  void search(const SearchInput<D>& task, Sweep& sweep) {
    const NodeSource<D> source{.particles = task.particles, .grid = persistent_grid_.grid()};
    const std::size_t places = linear_search ? list_.skip_pointers().size() : list_.size();
    const Chunks runs(places, linear_search ? 8 : 16384);
    sweep.set_total_chunks(runs.size());
    sweep.run_chunks(runs.size(), [&](std::size_t chunk, unsigned, auto& judge) {
      if constexpr (linear_search)
        search_within(list_, source, runs.first(chunk), runs.last(chunk), judge);
      else
        for (std::size_t i = runs.first(chunk); i < runs.last(chunk); ++i)
          search_by_bisection(i, judge);
    });
  }

 private:
  using Cell = typename Grid<D>::Cell;
  using List = MrList<D, std::conditional_t<stores_cells, StoredCells<D>, RecomputedCells<D>>>;
  using Row = std::array<int, D - 1>;

  template <class Counter>
  void sort(const SearchInput<D>& task, Counter& counter) {
    const double largest = task.summary.max_radius;
    const bool new_cells =
        persistent_grid_.update(task.summary.center_box, task.predicate.cutoff(largest, largest));
    const NodeSource<D> source{.particles = task.particles, .grid = persistent_grid_.grid()};
    const bool others = list_.size() != task.particles.size();
    if (others) list_.link(task.particles.size());
    if (others || new_cells || !update_order(source, counter)) list_.quick_sort(source, counter);
  }

  // Returns whether the order of the last time could be mended.
  template <class Counter>
  bool update_order(const NodeSource<D>& source, Counter& counter) {
    if constexpr (!linear_sort)
      return false;
    else if constexpr (stores_cells)
      return list_.linear_sort(source, counter);
    else
      return list_.linear_sort_without_cells(source, counter);
  }

  // The binary variant: the first node of every row is looked up in an array of the sorted nodes.
  template <class Judge>
  void search_by_bisection(std::size_t i, Judge& judge) const {
    const Index node = sorted_[i];
    const Cell cell = list_.cell(node);
    const auto first_of = [&](const Row& row) {
      const auto first = offset_cell<D>(cell, row, -1);
      return std::ranges::partition_point(sorted_, [&](Index other) {
        judge.counter().add_examinations(1);
        return cell_precedes<D>(list_.cell(other), first);
      });
    };
    for (auto at = first_of({}); *at != node; ++at) judge(node - 1, *at - 1);
    for (const Row& row : HalfStencil<D>::rows) {
      const auto beyond = offset_cell<D>(cell, row, 2);
      for (auto at = first_of(row);
           at != sorted_.end() && cell_precedes<D>(list_.cell(*at), beyond); ++at)
        judge(node - 1, *at - 1);
    }
  }

  PersistentGrid<D> persistent_grid_;
  List list_;
  std::vector<Index> sorted_;  // nodes in order, for the binary variant
};

}  // namespace abut
