#pragma once

#include <abut/detector_options.hpp>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "broad/search_input.hpp"
#include "core/arrays.hpp"
#include "core/inflated_radii.hpp"
#include "core/input_checks.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// Williams C-grid: NBS for particles of any size. A particle belongs to every cell its box
/// meets, so cells may be smaller than the largest particle. One divider for each axis makes
/// lists: all particles into layers, one layer into rows, one row into cells, and what shares a
/// cell is checked; no neighbouring cell is visited.
///
/// J. R. Williams, E. Perkins, B. Cook, Eng. Comput. 21 (2004) 235–248; E. Perkins, J. R. Williams,
/// ICADD-4 (2001) 427–438; named by Gorokhov, Kibets, Nagornykh (2025).
/// Time N as long as sizes are alike, or few particles are large; memory three integers for each
/// layer a particle meets, and the lists of the layer and row at hand.
///
/// Different from the paper: its mask of bins to look at is replaced by the rule that a pair is
/// dealt with in the lowest cell it shares. The size of the cells is not given but found: the
/// smallest with which a particle still meets few of them on average.
template <std::size_t D>
class CGrid {
 public:
  static constexpr MethodInfo info{
      .method = Method::cgrid,
      .name = "cgrid",
      .demcda_number = 0,
      .paper = "Perkins, Williams 2001; Williams, Perkins, Cook 2004",
      .time = "N",
      .memory = "12 N for each layer met + heads of layers",
      .best_for = "sizes in a ratio of some ten, dense or sparse",
  };

  static double bytes_needed(const SearchInput<D>& task, unsigned threads) {
    const Grid<D> grid = make_grid(task);
    double heads = grid.cell_count_real(top);
    for (std::size_t k = 0; k < top; ++k) heads += threads * grid.cell_count_real(k);
    const double lists = 8.0 + 8.0 * threads;  // as if one layer and one row held all of them
    return 4 * heads + sizeof(Entry) * lists * static_cast<double>(task.particles.size());
  }

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = layers_.bytes();
    for (const Dividers& own : workspaces_)
      for (const Divider& divider : own) sum += divider.bytes();
    return sum;
  }

  static constexpr bool is_persistent = false;  // a search empties the lists
  static constexpr bool supports_any_extent = false;

  template <class Counter>
  void prepare(const SearchInput<D>& task, ThreadPool& pool, Counter& /*counter*/) {
    inflated_ = InflatedRadii<D>(task.summary, task.predicate);
    grid_ = make_grid(task);
    layers_.resize(grid_.cell_count(top));
    if (workspaces_.size() < pool.threads()) workspaces_.resize(pool.threads());
    for (Dividers& own : workspaces_)
      for (std::size_t axis = 0; axis < top; ++axis) own[axis].resize(grid_.cell_count(axis));
    for (Index i = 0; i < task.particles.size(); ++i) divide(task, top, i, 0, layers_);
  }

  template <class Sweep>
  void search(const SearchInput<D>& task, Sweep& sweep) {
    const ClearOnExit at_the_end{*this};
    const Chunks runs(layers_.nonempty().size(), layers_.nonempty().size() / 256 + 1);
    sweep.set_total_chunks(runs.size());
    sweep.run_chunks(runs.size(), [&](std::size_t chunk, unsigned worker, auto& judge) {
      for (std::size_t i = runs.first(chunk); i < runs.last(chunk); ++i)
        check_list(task, top, layers_, layers_.nonempty()[i], workspaces_[worker], judge);
    });
  }

 private:
  static constexpr std::size_t top = D - 1;
  using Link = Index;  // number of an entry from 1, or 0 at the end of a list
  struct Entry {
    Index particle;
    Link next;
    unsigned begins;  // along which of the axes divided so far its box begins in this list
  };

  // The paper's sub-divider: lists along one axis. It knows which are filled, and so never has to
  // look at those that are not.
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
  using Dividers = std::array<Divider, top>;  // by axis, for one layer and one row at a time

  struct ClearOnExit {
    CGrid& cgrid;
    ~ClearOnExit() {
      cgrid.layers_.clear();
      for (Dividers& own : cgrid.workspaces_)
        for (Divider& divider : own) divider.clear();
    }
  };

  // Cells half as large as before as long as the boxes meet at most twice as many of them as boxes
  // of one size would.
  static Grid<D> make_grid(const SearchInput<D>& task) {
    const InflatedRadii<D> body(task.summary, task.predicate);
    const auto counts = count_by_octave(task, body);
    double cell = 2 * body.max_radius();
    while (Grid<D>(body.bounding_box(), cell / 2).fits_int32() &&
           total_cells_overlapped(counts, body, cell / 2) <=
               (2U << D) * static_cast<double>(task.particles.size()))
      cell /= 2;
    return Grid<D>(body.bounding_box(), cell);
  }

  // How many bodies are smaller than the largest by 1, 1/2, 1/4 …, but not by the next.
  using OctaveCounts = std::array<double, 64>;
  static OctaveCounts count_by_octave(const SearchInput<D>& task, const InflatedRadii<D>& body) {
    OctaveCounts counts{};
    for (const double radius : task.particles.radii()) {
      const int halves = std::ilogb(body.max_radius() / body.radius(radius));
      ++counts[static_cast<std::size_t>(std::min(halves, 63))];
    }
    return counts;
  }

  static double total_cells_overlapped(const OctaveCounts& counts, const InflatedRadii<D>& body,
                                       double cell) {
    double sum = 0;
    for (std::size_t halves = 0; halves < counts.size(); ++halves)
      sum += counts[halves] *
             std::pow(1 + std::ldexp(2 * body.max_radius() / cell, -static_cast<int>(halves)),
                      static_cast<double>(D));
    return sum;
  }

  void divide(const SearchInput<D>& task, std::size_t axis, Index particle, unsigned begun,
              Divider& divider) const {
    const double x = task.particles.coordinates(axis)[particle];
    const double radius = inflated_.radius(task.particles.radii()[particle]);
    const std::int32_t low = grid_.cell_coordinate(axis, x, -radius);
    const std::int32_t high = grid_.cell_coordinate(axis, x, radius);
    divider.add(low, particle, begun | 1U << axis);
    for (std::int32_t list = low + 1; list <= high; ++list) divider.add(list, particle, begun);
  }

  // One list of an axis: divided along the next axis, and those lists in turn.
  template <class Judge>
  void check_list(const SearchInput<D>& task, std::size_t axis, const Divider& lists,
                  std::int32_t list, Dividers& own, Judge& judge) const {
    if (axis == 0) return check_cell(lists, list, judge);
    Divider& finer = own[axis - 1];
    for (const Entry* at = lists.first(list); at != nullptr; at = lists.after(*at))
      divide(task, axis - 1, at->particle, at->begins, finer);
    for (const std::int32_t filled : finer.nonempty())
      check_list(task, axis - 1, finer, filled, own, judge);
    finer.clear();
  }

  template <class Judge>
  static void check_cell(const Divider& cells, std::int32_t cell, Judge& judge) {
    for (const Entry* a = cells.first(cell); a != nullptr; a = cells.after(*a))
      for (const Entry* b = cells.after(*a); b != nullptr; b = cells.after(*b))
        if ((a->begins | b->begins) == all_axes_mask<D>) judge(a->particle, b->particle);
  }

  InflatedRadii<D> inflated_;
  Grid<D> grid_;
  Divider layers_;  // of all particles; rows in 2D
  std::vector<Dividers> workspaces_;
};

}  // namespace abut
