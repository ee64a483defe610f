#pragma once

#include <abut/detector_options.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "broad/search_input.hpp"
#include "core/grid.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// Sorting: particles are sorted by the integer coordinates of their cells; the three cells of a
/// row that neighbours a particle then stand side by side and a binary search finds them.
///
/// A. Munjiza, The Combined Finite-Discrete Element Method (2004), chapter 3; named by Gorokhov,
/// Kibets, Nagornykh (2025).
/// Time N log N, for the sort and for the searches; memory D + 1 integers a particle.
///
/// Different from the book: rows are looked up instead of single cells, which takes a third of the
/// searches.
template <std::size_t D>
class Sorting {
 public:
  static constexpr MethodInfo info{
      .method = Method::sorting,
      .name = "sorting",
      .demcda_number = 0,
      .paper = "Munjiza 2004",
      .time = "N log N",
      .memory = "4 N an axis + 4 N",
      .best_for = "like sizes at any density; simple, keeps nothing",
  };

  static double bytes_needed(const SearchInput<D>& task, unsigned /*threads*/) {
    return sizeof(CellEntry) * static_cast<double>(task.particles.size());
  }

  [[nodiscard]] std::size_t bytes() const { return sizeof(CellEntry) * entries_.size(); }

  static constexpr bool is_persistent = true;
  static constexpr bool supports_any_extent = false;

  template <class Counter>
  void prepare(const SearchInput<D>& task, ThreadPool& /*pool*/, Counter& /*counter*/) {
    entries_.resize(task.particles.size());
    for (Index i = 0; i < entries_.size(); ++i)
      entries_[i] = {task.grid.cell_of(task.particles, i), i};
    // The number decides within a cell, so that the order is the same on every machine.
    std::ranges::sort(entries_, [](const CellEntry& a, const CellEntry& b) {
      return cell_precedes<D>(a.cell, b.cell) || (a.cell == b.cell && a.particle < b.particle);
    });
  }

  template <class Sweep>
  void search(const SearchInput<D>& task, Sweep& sweep) {
    sweep.for_each_particle(task.particles.size(),
                            [&](Index i, unsigned, auto& judge) { check(i, judge); });
  }

 private:
  using Cell = typename Grid<D>::Cell;
  struct CellEntry {
    Cell cell;
    Index particle;
  };

  // The particle in place i against those before it in its own row, then the rows below.
  template <class Judge>
  void check(std::size_t i, Judge& judge) const {
    const CellEntry& own = entries_[i];
    for (std::size_t j = i; j-- > 0 && in_row(entries_[j].cell, own.cell, {});)
      judge(own.particle, entries_[j].particle);
    for (const auto& row : HalfStencil<D>::rows)
      for (std::size_t j = lower_bound(own.cell, row, judge);
           j < i && in_row(entries_[j].cell, own.cell, row); ++j)
        judge(own.particle, entries_[j].particle);
  }

  using Row = std::array<int, D - 1>;

  // Whether a cell is one of the three around `centre`, moved to another row.
  static bool in_row(const Cell& cell, const Cell& centre, const Row& row) {
    for (std::size_t k = 1; k < D; ++k)
      if (cell[k] != centre[k] + row[k - 1]) return false;
    return cell[0] >= centre[0] - 1 && cell[0] <= centre[0] + 1;
  }

  template <class Judge>
  [[nodiscard]] std::size_t lower_bound(const Cell& centre, const Row& row, Judge& judge) const {
    const Cell first = offset_cell<D>(centre, row, -1);
    std::size_t low = 0;
    std::size_t high = entries_.size();
    while (low < high) {
      judge.counter().add_examinations(1);
      const std::size_t middle = low + (high - low) / 2;
      if (cell_precedes<D>(entries_[middle].cell, first))
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  std::vector<CellEntry> entries_;
};

}  // namespace abut
