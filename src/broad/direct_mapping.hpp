#pragma once

#include <abut/detector_options.hpp>
#include <cstddef>
#include <vector>

#include "broad/search_input.hpp"
#include "core/arrays.hpp"
#include "core/inflated_radii.hpp"
#include "core/input_checks.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// Direct mapping: every cell of the domain holds a list of all particles whose box meets it, so
/// whatever a particle can touch is in the cells it is in itself; no neighbouring cell is visited.
///
/// A. Munjiza, The Combined Finite-Discrete Element Method (2004), chapter 3; named by Gorokhov,
/// Kibets, Nagornykh (2025).
/// Time N for any number of cells; memory one integer a cell and three for each particle in a cell,
/// of which a particle has up to 2^D.
///
/// Different from the book: lists end with 0 and entries are numbered from 1, so that memory fresh
/// from the system is an array of empty lists; a pair that shares several cells is dealt with in
/// the lowest of them only.
template <std::size_t D>
class DirectMapping {
 public:
  static constexpr MethodInfo info{
      .method = Method::direct_mapping,
      .name = "direct_mapping",
      .demcda_number = 0,
      .paper = "Munjiza 2004",
      .time = "N",
      .memory = "4 bytes a cell + 12 N for each cell met",
      .best_for = "to teach; a full domain",
  };

  static double bytes_needed(const SearchInput<D>& task, unsigned /*threads*/) {
    const Grid<D> grid = make_grid(task);
    double heads = 1;
    for (std::size_t k = 0; k < D; ++k) heads *= grid.cell_count_real(k);
    return 4 * heads + sizeof(Entry) * (1U << D) * static_cast<double>(task.particles.size());
  }

  [[nodiscard]] std::size_t bytes() const {
    return sizeof(Link) * heads_.size() + sizeof(Entry) * entries_.capacity();
  }

  static constexpr bool is_persistent = false;  // a search empties the lists
  static constexpr bool supports_any_extent = false;

  template <class Counter>
  void prepare(const SearchInput<D>& task, ThreadPool& /*pool*/, Counter& /*counter*/) {
    inflated_ = InflatedRadii<D>(task.summary, task.predicate);
    grid_ = make_grid(task);
    std::size_t count = 1;
    for (std::size_t k = 0; k < D; ++k) count *= static_cast<std::size_t>(grid_.cell_count(k));
    heads_.ensure_size(count);
    entries_.clear();
    entries_.reserve(task.particles.size() << D);  // growing would take twice as much
    for (Index i = 0; i < task.particles.size(); ++i) {
      const CellRange<D> met = cells_overlapped(task, i);
      for_each_cell(met, [&](const Cell& cell) {
        Link& head = heads_[cell_index(cell)];
        entries_.push_back({i, head, axes_starting_in(cell, met)});
        head = checked_cast<Link>(entries_.size());
      });
    }
  }

  template <class Sweep>
  void search(const SearchInput<D>& task, Sweep& sweep) {
    const ClearOnExit at_the_end{*this, task};  // also when the receiver of the pairs throws
    sweep.for_each_particle(task.particles.size(),
                            [&](Index i, unsigned, auto& judge) { check(task, i, judge); });
  }

 private:
  using Cell = typename Grid<D>::Cell;
  using Link = Index;  // number of an entry from 1, or 0 at the end of a list
  struct Entry {
    Index particle;
    Link next;
    unsigned begins;  // along which axes the particle's box begins in this cell
  };

  struct ClearOnExit {
    DirectMapping& mapping;
    const SearchInput<D>& task;
    ~ClearOnExit() {
      for (Index i = 0; i < task.particles.size(); ++i)
        for_each_cell(mapping.cells_overlapped(task, i),
                      [&](const Cell& cell) { mapping.heads_[mapping.cell_index(cell)] = 0; });
    }
  };

  // As large as the largest body, so that none meets more than two along an axis.
  static Grid<D> make_grid(const SearchInput<D>& task) {
    const InflatedRadii<D> body(task.summary, task.predicate);
    return Grid<D>(body.bounding_box(), 2 * body.max_radius());
  }

  [[nodiscard]] CellRange<D> cells_overlapped(const SearchInput<D>& task, Index i) const {
    return overlapped_cells(grid_, inflated_, task.particles, i);
  }

  template <class Visit>
  static void for_each_cell(const CellRange<D>& block, const Visit& visit) {
    for (Cell cell = block.low;;) {
      visit(cell);
      std::size_t k = 0;
      while (k < D && cell[k] == block.high[k]) {
        cell[k] = block.low[k];
        ++k;
      }
      if (k == D) return;
      ++cell[k];
    }
  }

  [[nodiscard]] std::size_t cell_index(const Cell& cell) const {
    auto at = static_cast<std::size_t>(cell[D - 1]);
    for (std::size_t k = D - 1; k-- > 0;)
      at = at * static_cast<std::size_t>(grid_.cell_count(k)) + static_cast<std::size_t>(cell[k]);
    return at;
  }

  // A particle against the older ones in the lists of its cells: younger ones are before it.
  template <class Judge>
  void check(const SearchInput<D>& task, Index i, Judge& judge) const {
    const CellRange<D> own = cells_overlapped(task, i);
    for_each_cell(own, [&](const Cell& cell) {
      const unsigned own_begins = axes_starting_in(cell, own);
      for (Link link = heads_[cell_index(cell)]; link != 0;) {
        const Entry& other = entries_[link - 1];
        if (other.particle < i && (own_begins | other.begins) == all_axes_mask<D>)
          judge(i, other.particle);
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
