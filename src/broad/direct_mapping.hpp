#pragma once

#include <abut/detector_options.hpp>
#include <cstddef>
#include <limits>
#include <vector>

#include "broad/search_method.hpp"
#include "core/buffers.hpp"
#include "core/inflated_radii.hpp"
#include "core/input_checks.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// Direct mapping: every cell of the domain holds a list of all particles whose bounding box
/// overlaps it. Particles that share a cell are candidates; no neighboring cell is visited.
///
/// A. Munjiza, The Combined Finite-Discrete Element Method (2004), chapter 3; cited by Gorokhov,
/// Kibets, Nagornykh (2025).
/// Time O(N) for any number of cells; memory one integer per cell and three per particle and cell,
/// of which a particle overlaps up to 2^D.
///
/// Differs from the book: lists end with 0 and entries are numbered from 1, so that zeroed memory
/// from the operating system is an array of empty lists; a pair that shares several cells is tested
/// only in the lowest of them.
template <std::size_t D>
class DirectMapping {
 public:
  static constexpr MethodInfo info{
      .method = Method::direct_mapping,
      .name = "direct_mapping",
      .demcda_number = 0,
      .paper = "Munjiza 2004",
      .time = "N",
      .memory = "4 per cell + 12 N * cells per particle",
      .best_for = "teaching; densely filled domains",
  };

  /// Cells as large as the largest box, so that no box overlaps more than two along an axis, or
  /// larger to keep the limit for the number of cells.
  static Grid<D> make_grid(const SearchInput<D>& input) {
    const InflatedRadii<D> inflated(input.summary, input.predicate);
    return Grid<D>(inflated.bounding_box(),
                   cell_size_for(inflated.bounding_box(), 2 * inflated.max_radius(),
                                 input.max_cells_per_axis));
  }

  static double bytes_needed(const SearchInput<D>& input, unsigned /*threads*/) {
    const Grid<D> grid = make_grid(input);
    if (!grid.fits_int32()) return std::numeric_limits<double>::infinity();
    double heads = 1;
    for (std::size_t k = 0; k < D; ++k) heads *= grid.cell_count_real(k);
    return 4 * heads + sizeof(Entry) * (1U << D) * static_cast<double>(input.particles.size());
  }

  [[nodiscard]] std::size_t bytes() const {
    return sizeof(Link) * heads_.size() + sizeof(Entry) * entries_.capacity();
  }

  static constexpr bool is_persistent = false;  // a search clears the lists
  static constexpr bool supports_any_extent = false;

  template <class Counter>
  void prepare(const SearchInput<D>& input, ThreadPool& /*pool*/, Counter& /*counter*/) {
    inflated_ = InflatedRadii<D>(input.summary, input.predicate);
    grid_ = make_grid(input);
    check_cell_coordinates(grid_);
    std::size_t count = 1;
    for (std::size_t k = 0; k < D; ++k) count *= static_cast<std::size_t>(grid_.cell_count(k));
    heads_.ensure_size(count);
    entries_.clear();
    entries_.reserve(input.particles.size() << D);  // growing would need twice the memory
    for (Index i = 0; i < input.particles.size(); ++i) {
      const CellRange<D> range = cells_overlapped(input, i);
      for_each_cell(range, [&](const Cell& cell) {
        Link& head = heads_[cell_index(cell)];
        entries_.push_back({i, head, axes_starting_in(cell, range)});
        head = checked_cast<Link>(entries_.size());
      });
    }
  }

  template <class Driver>
  void search(const SearchInput<D>& input, Driver& driver) {
    const ClearOnExit clear_on_exit{*this, input};  // also when a callback throws
    driver.for_each_particle(input.particles.size(),
                             [&](Index i, unsigned, auto& filter) { check(input, i, filter); });
  }

 private:
  using Cell = typename Grid<D>::Cell;
  using Link = Index;  // entry number from 1, or 0 at the end of a list
  struct Entry {
    Index particle;
    Link next;
    unsigned begins;  // bit k: along axis k the particle's box begins in this cell
  };

  struct ClearOnExit {
    DirectMapping& mapping;
    const SearchInput<D>& input;
    ~ClearOnExit() {
      for (Index i = 0; i < input.particles.size(); ++i)
        for_each_cell(mapping.cells_overlapped(input, i),
                      [&](const Cell& cell) { mapping.heads_[mapping.cell_index(cell)] = 0; });
    }
  };

  [[nodiscard]] CellRange<D> cells_overlapped(const SearchInput<D>& input, Index i) const {
    return overlapped_cells(grid_, inflated_, input.particles, i);
  }

  template <class Visit>
  static void for_each_cell(const CellRange<D>& range, const Visit& visit) {
    for (Cell cell = range.low;;) {
      visit(cell);
      std::size_t k = 0;
      while (k < D && cell[k] == range.high[k]) {
        cell[k] = range.low[k];
        ++k;
      }
      if (k == D) return;
      ++cell[k];
    }
  }

  [[nodiscard]] std::size_t cell_index(const Cell& cell) const {
    auto index = static_cast<std::size_t>(cell[D - 1]);
    for (std::size_t k = D - 1; k-- > 0;)
      index =
          index * static_cast<std::size_t>(grid_.cell_count(k)) + static_cast<std::size_t>(cell[k]);
    return index;
  }

  // Tests a particle against those with a smaller index in the lists of its cells.
  template <class Filter>
  void check(const SearchInput<D>& input, Index i, Filter& filter) const {
    const CellRange<D> own = cells_overlapped(input, i);
    for_each_cell(own, [&](const Cell& cell) {
      const unsigned own_begins = axes_starting_in(cell, own);
      for (Link link = heads_[cell_index(cell)]; link != 0;) {
        const Entry& other = entries_[link - 1];
        if (other.particle < i && (own_begins | other.begins) == all_axes_mask<D>)
          filter(i, other.particle);
        link = other.next;
      }
    });
  }

  InflatedRadii<D> inflated_;
  Grid<D> grid_;
  ZeroedArray<Link> heads_;
  std::vector<Entry> entries_;
};

}  // namespace abut
