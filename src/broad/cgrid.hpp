#pragma once

#include <abut/detector_options.hpp>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "broad/search_method.hpp"
#include "core/buffers.hpp"
#include "core/inflated_radii.hpp"
#include "core/input_checks.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// Williams C-grid: NBS for particles of different sizes. A particle belongs to every cell that its
/// bounding box overlaps, so cells may be smaller than the largest particle. One divider per axis
/// makes lists: all particles into layers, one layer into rows, one row into cells. Particles that
/// share a cell are candidates; no neighboring cell is visited.
///
/// J. R. Williams, E. Perkins, B. Cook, Eng. Comput. 21 (2004) 235–248; E. Perkins, J. R. Williams,
/// ICADD-4 (2001) 427–438; cited by Gorokhov, Kibets, Nagornykh (2025).
/// Time O(N) for similar sizes or few large particles; memory three integers per particle and layer
/// it overlaps, and the lists of the current layer and row.
///
/// Differs from the paper: a pair that shares several cells is tested only in the lowest of them,
/// which replaces the mask of bins. The cell size is not an input but the smallest one with which
/// particles still overlap few cells on average.
template <std::size_t D>
class CGrid {
 public:
  static constexpr MethodInfo info{
      .method = Method::cgrid,
      .name = "cgrid",
      .demcda_number = 0,
      .paper = "Perkins, Williams 2001; Williams, Perkins, Cook 2004",
      .time = "N",
      .memory = "12 N * layers per particle + heads of layers",
      .best_for = "size ratios of about ten, dense or sparse",
  };

  /// Halves the cell size while the boxes overlap at most twice as many cells in total as boxes of
  /// equal size would. The cells do not follow the largest particle, so there is no limit for their
  /// number.
  static Grid<D> make_grid(const SearchInput<D>& input) {
    const InflatedRadii<D> inflated(input.summary, input.predicate);
    const auto counts = count_by_octave(input, inflated);
    double cell = 2 * inflated.max_radius();
    while (Grid<D>(inflated.bounding_box(), cell / 2).fits_int32() &&
           total_cells_overlapped(counts, inflated, cell / 2) <=
               (2U << D) * static_cast<double>(input.particles.size()))
      cell /= 2;
    return Grid<D>(inflated.bounding_box(), cell);
  }

  static double bytes_needed(const SearchInput<D>& input, unsigned threads) {
    const Grid<D> grid = make_grid(input);
    if (!grid.fits_int32()) return std::numeric_limits<double>::infinity();
    double heads = grid.cell_count_real(top);
    for (std::size_t k = 0; k < top; ++k) heads += threads * grid.cell_count_real(k);
    const double lists =
        8.0 + 8.0 * threads;  // upper bound: one layer and one row hold all particles
    return 4 * heads + sizeof(Entry) * lists * static_cast<double>(input.particles.size());
  }

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = layers_.bytes();
    for (const Dividers& own : workspaces_)
      for (const Divider& divider : own) sum += divider.bytes();
    return sum;
  }

  static constexpr bool is_persistent = false;  // a search clears the lists
  static constexpr bool supports_any_extent = false;

  template <class Counter>
  void prepare(const SearchInput<D>& input, ThreadPool& pool, Counter& /*counter*/) {
    inflated_ = InflatedRadii<D>(input.summary, input.predicate);
    grid_ = make_grid(input);
    check_cell_coordinates(grid_);
    layers_.resize(grid_.cell_count(top));
    if (workspaces_.size() < pool.threads()) workspaces_.resize(pool.threads());
    for (Dividers& own : workspaces_)
      for (std::size_t axis = 0; axis < top; ++axis) own[axis].resize(grid_.cell_count(axis));
    for (Index i = 0; i < input.particles.size(); ++i) divide(input, top, i, 0, layers_);
  }

  template <class Driver>
  void search(const SearchInput<D>& input, Driver& driver) {
    const ClearOnExit clear_on_exit{*this};
    const Chunks chunks(layers_.nonempty().size(), layers_.nonempty().size() / 256 + 1);
    driver.set_total_chunks(chunks.size());
    driver.run_chunks(chunks.size(), [&](std::size_t chunk, unsigned worker, auto& filter) {
      for (std::size_t i = chunks.first(chunk); i < chunks.last(chunk); ++i)
        check_list(input, top, layers_, layers_.nonempty()[i], workspaces_[worker], filter);
    });
  }

 private:
  static constexpr std::size_t top = D - 1;
  using Link = Index;  // entry number from 1, or 0 at the end of a list
  struct Entry {
    Index particle;
    Link next;
    unsigned begins;  // bit k: along axis k, already divided, its box begins in this list
  };

  // The paper's sub-divider: lists along one axis. It records the nonempty ones, so that no other
  // list is ever visited.
  class Divider {
   public:
    void resize(std::int32_t lists) { heads_.ensure_size(static_cast<std::size_t>(lists)); }

    void add(std::int32_t list, Index particle, unsigned begins) {
      Link& head = heads_[static_cast<std::size_t>(list)];
      if (head == 0) nonempty_.push_back(list);
      entries_.push_back({particle, head, begins});
      head = checked_cast<Link>(entries_.size());
    }

    [[nodiscard]] const Entry* first(std::int32_t list) const {
      return entry(heads_[static_cast<std::size_t>(list)]);
    }
    [[nodiscard]] const Entry* after(const Entry& at) const { return entry(at.next); }
    [[nodiscard]] const std::vector<std::int32_t>& nonempty() const { return nonempty_; }

    void clear() {
      for (const std::int32_t list : nonempty_) heads_[static_cast<std::size_t>(list)] = 0;
      nonempty_.clear();
      entries_.clear();
    }

    [[nodiscard]] std::size_t bytes() const {
      return sizeof(Link) * heads_.size() + sizeof(Entry) * entries_.capacity() +
             sizeof(std::int32_t) * nonempty_.capacity();
    }

   private:
    [[nodiscard]] const Entry* entry(Link link) const {
      return link == 0 ? nullptr : &entries_[link - 1];
    }
    ZeroedArray<Link> heads_;
    std::vector<Entry> entries_;
    std::vector<std::int32_t> nonempty_;
  };
  using Dividers = std::array<Divider, top>;  // per axis, for one layer and one row at a time

  struct ClearOnExit {
    CGrid& cgrid;
    ~ClearOnExit() {
      cgrid.layers_.clear();
      for (Dividers& own : cgrid.workspaces_)
        for (Divider& divider : own) divider.clear();
    }
  };

  // Element n counts the particles whose inflated radius is in (2^−(n+1), 2^−n] of the largest.
  using OctaveCounts = std::array<double, 64>;
  static OctaveCounts count_by_octave(const SearchInput<D>& input,
                                      const InflatedRadii<D>& inflated) {
    OctaveCounts counts{};
    for (const double radius : input.particles.radii()) {
      const int octave = std::ilogb(inflated.max_radius() / inflated.radius(radius));
      ++counts[static_cast<std::size_t>(std::min(octave, 63))];
    }
    return counts;
  }

  static double total_cells_overlapped(const OctaveCounts& counts, const InflatedRadii<D>& inflated,
                                       double cell) {
    double sum = 0;
    for (std::size_t octave = 0; octave < counts.size(); ++octave)
      sum += counts[octave] *
             std::pow(1 + std::ldexp(2 * inflated.max_radius() / cell, -static_cast<int>(octave)),
                      static_cast<double>(D));
    return sum;
  }

  // Adds a particle to every list along the axis that its box overlaps. `begins` are the bits of
  // the axes divided before.
  void divide(const SearchInput<D>& input, std::size_t axis, Index particle, unsigned begins,
              Divider& divider) const {
    const double x = input.particles.coordinates(axis)[particle];
    const double radius = inflated_.radius(input.particles.radii()[particle]);
    const std::int32_t low = grid_.cell_coordinate(axis, x, -radius);
    const std::int32_t high = grid_.cell_coordinate(axis, x, radius);
    divider.add(low, particle, begins | 1U << axis);
    for (std::int32_t list = low + 1; list <= high; ++list) divider.add(list, particle, begins);
  }

  // Divides one list along the next axis and checks the resulting lists in turn.
  template <class Filter>
  void check_list(const SearchInput<D>& input, std::size_t axis, const Divider& lists,
                  std::int32_t list, Dividers& own, Filter& filter) const {
    if (axis == 0) return check_cell(lists, list, filter);
    Divider& finer = own[axis - 1];
    for (const Entry* at = lists.first(list); at != nullptr; at = lists.after(*at))
      divide(input, axis - 1, at->particle, at->begins, finer);
    for (const std::int32_t nonempty : finer.nonempty())
      check_list(input, axis - 1, finer, nonempty, own, filter);
    finer.clear();
  }

  template <class Filter>
  static void check_cell(const Divider& cells, std::int32_t cell, Filter& filter) {
    for (const Entry* a = cells.first(cell); a != nullptr; a = cells.after(*a))
      for (const Entry* b = cells.after(*a); b != nullptr; b = cells.after(*b))
        if ((a->begins | b->begins) == all_axes_mask<D>) filter(a->particle, b->particle);
  }

  InflatedRadii<D> inflated_;
  Grid<D> grid_;
  Divider layers_;                    // rows in 2D
  std::vector<Dividers> workspaces_;  // one per thread
};

}  // namespace abut
