#pragma once

#include <abut/detector_options.hpp>
#include <abut/pair.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "broad/mr_list.hpp"
#include "broad/search_method.hpp"
#include "core/grid.hpp"
#include "core/search_driver.hpp"

namespace abut {

// MR-linear search (Munjiza, Rougier, John 2006, section 5): a contact mask, here a stencil,
// consists of rows of cells, and each row is a contiguous part of a sorted list.

/// The rows of a stencil, each with its first node and the node after its last. As the central cell
/// moves through the list, these only advance.
template <std::size_t D, std::size_t Rows>
class MrStencil {
 public:
  using Cell = typename Grid<D>::Cell;
  using Offsets = std::array<std::array<int, D - 1>, Rows>;

  explicit MrStencil(const Offsets& rows) : rows_(rows) {}

  template <class List, class Counter>
  void move_to(const Cell& center, const List& list, Counter& counter) {
    for (std::size_t row = 0; row < Rows; ++row) {
      const Cell first = offset_cell<D>(center, rows_[row], -1);
      begin_[row] =
          is_positioned_ ? list.advance(begin_[row], first, counter) : list.find(first, counter);
      end_[row] = list.advance(is_positioned_ ? end_[row] : begin_[row],
                               offset_cell<D>(center, rows_[row], 2), counter);
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

/// Calls visit(node) for the nodes between two skip pointers, and enter_cell(cell) before the first
/// node of each cell.
template <std::size_t D, class List, class EnterCell, class Visit>
void for_each_node(const List& list, std::size_t first_skip, std::size_t last_skip,
                   const EnterCell& enter_cell, const Visit& visit) {
  const auto skip_pointers = list.skip_pointers();
  const Index end = last_skip < skip_pointers.size() ? skip_pointers[last_skip] : List::head;
  Index node = skip_pointers[first_skip];
  if (node == end) return;
  typename List::Cell cell = list.cell(node);
  enter_cell(cell);
  for (; node != end; node = list.next(node)) {
    if (!same_cell<D>(list.cell(node), cell)) enter_cell(cell = list.cell(node));
    visit(node);
  }
}

/// Tests nodes of one list against each other with a half stencil: the node's own row up to the
/// node itself, and the rows of `HalfStencil`.
template <std::size_t D, class List, class Filter>
void search_within(const List& list, const NodeSource<D>& source, std::size_t first_skip,
                   std::size_t last_skip, Filter& filter) {
  constexpr auto& rows = HalfStencil<D>::rows;
  static constexpr std::array<std::array<int, D - 1>, 1> own_row{};
  MrStencil<D, 1> own(own_row);
  MrStencil<D, rows.size()> stencil(rows);
  const auto enter_cell = [&](const typename List::Cell& cell) {
    own.move_to(cell, list, filter.counter());
    stencil.move_to(cell, list, filter.counter());
  };
  for_each_node<D>(list, first_skip, last_skip, enter_cell, [&](Index node) {
    const Index particle = source.particle(node);
    for (Index target = own.begin(0); target != node; target = list.next(target))
      filter(particle, source.particle(target));
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (Index target = stencil.begin(row); target != stencil.end(row);
           target = list.next(target))
        filter(particle, source.particle(target));
  });
}

/// Tests nodes of one list against those of another with a stencil.
template <class Stencil, std::size_t D, class List, class Filter>
void search_across(const List& contactors, const NodeSource<D>& contactor, const List& targets,
                   const NodeSource<D>& target, std::size_t first_skip, std::size_t last_skip,
                   Filter& filter) {
  constexpr auto& rows = Stencil::rows;
  MrStencil<D, rows.size()> stencil(rows);
  const auto enter_cell = [&](const typename List::Cell& cell) {
    stencil.move_to(cell, targets, filter.counter());
  };
  for_each_node<D>(contactors, first_skip, last_skip, enter_cell, [&](Index node) {
    const Index particle = contactor.particle(node);
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (Index at = stencil.begin(row); at != stencil.end(row); at = targets.next(at))
        filter(particle, target.particle(at));
  });
}

/// MR (Munjiza–Rougier): one list of all particles, sorted by cell. From one search to the next the
/// order is updated in linear time; the rows of cells that a particle is tested against are parts
/// of the list between pointers that only advance.
///
/// A. Munjiza, E. Rougier, N. W. M. John, Int. J. Numer. Meth. Engng 66 (2006) 46–71.
/// Bounding box → node, LH → node 0, ordering (7) → `cell_precedes`, matrix A →
/// `MrList::linear_sort`, contact mask of 2 (3D: 5) rows → the node's own row and `HalfStencil`,
/// integerized coordinates → `StoredCells`. Time O(N) at any density; O(N log N) for the first
/// search and after a jump. Memory 2 + D integers per particle, or 2 if coordinates are recomputed
/// (mr_recomputed), plus a constant.
///
/// Differs from the paper: its assumption that no particle moves by more than a cell is checked;
/// where it does not hold, or particles were added or removed, the list is sorted by quicksort
/// (mr_recomputed, which has no old cells, moves a particle that jumped to its new position). The
/// grid stays in place and has a border for motion. Skip pointers, at most a constant number of
/// nodes, shorten long advances and let threads start anywhere. Figures 21 and 22 of the paper
/// compare with mr_quicksort (quicksort at every search) and mr_binary (binary search as well).
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
                    .memory = "8 N + 4 N per axis",
                    .best_for = "similar sizes, small motion between searches, any density"};
    if constexpr (!stores_cells) {
      text.name = "mr_recomputed";
      text.memory = "8 N";
      text.best_for = "as mr with less memory, slower";
    } else if constexpr (!linear_search) {
      text.name = "mr_binary";
      text.time = "N log N";
      text.memory = "12 N + 4 N per axis";
      text.best_for = "comparison: quicksort and binary search";
    } else if constexpr (!linear_sort) {
      text.name = "mr_quicksort";
      text.time = "N log N";
      text.best_for = "comparison: quicksort at every search";
    }
    return text;
  }();

  static double bytes_needed(const SearchInput<D>& input, unsigned /*threads*/) {
    constexpr double integers = 2 + (stores_cells ? D : 0) + (linear_search ? 0 : 1);
    return 4 * integers * static_cast<double>(input.particles.size() + 1) + (1U << 15U);
  }

  [[nodiscard]] std::size_t bytes() const {
    return list_.bytes() + sizeof(Index) * sorted_.capacity();
  }

  static constexpr bool is_persistent = true;
  static constexpr bool supports_any_extent = false;

  template <class Counter>
  void prepare(const SearchInput<D>& input, ThreadPool& /*pool*/, Counter& counter) {
    sort(input, counter);
    if constexpr (!linear_search) {
      sorted_.clear();
      sorted_.reserve(list_.size());
      for (Index node = list_.next(0); node != 0; node = list_.next(node)) sorted_.push_back(node);
    }
  }

  template <class Driver>
  void search(const SearchInput<D>& input, Driver& driver) {
    const NodeSource<D> source{.particles = input.particles, .grid = persistent_grid_.grid()};
    const std::size_t starts = linear_search ? list_.skip_pointers().size() : list_.size();
    const Chunks chunks(starts, linear_search ? 8 : 16384);
    driver.set_total_chunks(chunks.size());
    driver.run_chunks(chunks.size(), [&](std::size_t chunk, unsigned, auto& filter) {
      if constexpr (linear_search)
        search_within(list_, source, chunks.first(chunk), chunks.last(chunk), filter);
      else
        for (std::size_t i = chunks.first(chunk); i < chunks.last(chunk); ++i)
          search_by_bisection(i, filter);
    });
  }

 private:
  using Cell = typename Grid<D>::Cell;
  using List = MrList<D, std::conditional_t<stores_cells, StoredCells<D>, RecomputedCells<D>>>;
  using Row = std::array<int, D - 1>;

  template <class Counter>
  void sort(const SearchInput<D>& input, Counter& counter) {
    const double max_radius = input.summary.max_radius;
    const bool new_grid = persistent_grid_.update(input.summary.center_box,
                                                  input.predicate.cutoff(max_radius, max_radius),
                                                  input.max_cells_per_axis);
    const NodeSource<D> source{.particles = input.particles, .grid = persistent_grid_.grid()};
    const bool new_count = list_.size() != input.particles.size();
    if (new_count) list_.link(input.particles.size());
    if (new_count || new_grid || !update_order(source, counter)) list_.quick_sort(source, counter);
  }

  // Returns whether the order of the last search could be updated.
  template <class Counter>
  bool update_order(const NodeSource<D>& source, Counter& counter) {
    if constexpr (!linear_sort)
      return false;
    else if constexpr (stores_cells)
      return list_.linear_sort(source, counter);
    else
      return list_.linear_sort_without_cells(source, counter);
  }

  // mr_binary: finds the first node of every row by binary search in an array of the sorted nodes.
  template <class Filter>
  void search_by_bisection(std::size_t i, Filter& filter) const {
    const Index node = sorted_[i];
    const Cell cell = list_.cell(node);
    const auto first_of = [&](const Row& row) {
      const auto first = offset_cell<D>(cell, row, -1);
      return std::ranges::partition_point(sorted_, [&](Index other) {
        filter.counter().add_examinations(1);
        return cell_precedes<D>(list_.cell(other), first);
      });
    };
    for (auto at = first_of({}); *at != node; ++at) filter(node - 1, *at - 1);
    for (const Row& row : HalfStencil<D>::rows) {
      const auto beyond = offset_cell<D>(cell, row, 2);
      for (auto at = first_of(row);
           at != sorted_.end() && cell_precedes<D>(list_.cell(*at), beyond); ++at)
        filter(node - 1, *at - 1);
    }
  }

  PersistentGrid<D> persistent_grid_;
  List list_;
  std::vector<Index> sorted_;  // nodes in order, for mr_binary
};

}  // namespace abut
