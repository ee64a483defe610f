#pragma once

#include <abut/detector_options.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "broad/search_method.hpp"
#include "core/grid.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// Sorting: particles are sorted by the integer coordinates of their cells; the three cells of a
/// neighboring row are then contiguous and found by binary search.
///
/// A. Munjiza, The Combined Finite-Discrete Element Method (2004), chapter 3; cited by Gorokhov,
/// Kibets, Nagornykh (2025).
/// Time O(N log N) for sort and searches; memory D + 1 integers per particle.
///
/// Differs from the book: searches rows instead of single cells, which takes a third of the
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
      .memory = "4 N per axis + 4 N",
      .best_for = "similar sizes at any density; simple, without history",
  };

  static double bytes_needed(const SearchInput<D>& input, unsigned /*threads*/) {
    return sizeof(CellEntry) * static_cast<double>(input.particles.size());
  }

  [[nodiscard]] std::size_t bytes() const { return sizeof(CellEntry) * entries_.size(); }

  static constexpr bool is_persistent = true;
  static constexpr bool supports_any_extent = false;

  template <class Counter>
  void prepare(const SearchInput<D>& input, ThreadPool& /*pool*/, Counter& /*counter*/) {
    entries_.resize(input.particles.size());
    for (Index i = 0; i < entries_.size(); ++i)
      entries_[i] = {input.grid.cell_of(input.particles, i), i};
    // Sorted by index within a cell, so that the order does not depend on the sort algorithm.
    std::ranges::sort(entries_, [](const CellEntry& a, const CellEntry& b) {
      return cell_precedes<D>(a.cell, b.cell) || (a.cell == b.cell && a.particle < b.particle);
    });
  }

  template <class Driver>
  void search(const SearchInput<D>& input, Driver& driver) {
    driver.for_each_particle(input.particles.size(),
                             [&](Index i, unsigned, auto& filter) { check(i, filter); });
  }

 private:
  using Cell = typename Grid<D>::Cell;
  struct CellEntry {
    Cell cell;
    Index particle;
  };

  // Tests the particle of entry i against those before it in its own row, then in the rows below.
  template <class Filter>
  void check(std::size_t i, Filter& filter) const {
    const CellEntry& own = entries_[i];
    for (std::size_t j = i; j-- > 0 && in_row(entries_[j].cell, own.cell, {});)
      filter(own.particle, entries_[j].particle);
    for (const auto& row : HalfStencil<D>::rows)
      for (std::size_t j = lower_bound(own.cell, row, filter);
           j < i && in_row(entries_[j].cell, own.cell, row); ++j)
        filter(own.particle, entries_[j].particle);
  }

  using Row = std::array<int, D - 1>;

  // Whether a cell is one of the three of the row `row` relative to `center`.
  static bool in_row(const Cell& cell, const Cell& center, const Row& row) {
    for (std::size_t k = 1; k < D; ++k)
      if (cell[k] != center[k] + row[k - 1]) return false;
    return cell[0] >= center[0] - 1 && cell[0] <= center[0] + 1;
  }

  template <class Filter>
  [[nodiscard]] std::size_t lower_bound(const Cell& center, const Row& row, Filter& filter) const {
    const Cell first = offset_cell<D>(center, row, -1);
    std::size_t low = 0;
    std::size_t high = entries_.size();
    while (low < high) {
      filter.counter().add_examinations(1);
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
