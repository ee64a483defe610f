#pragma once

#include <abut/detector_options.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include "broad/search_method.hpp"
#include "core/buffers.hpp"
#include "core/grid.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// Munjiza-NBS ("no binary search"): particles are linked into one list per row of cells; one row
/// at a time is split into lists of cells, which are tested against their neighbors. In 3D, lists
/// of layers come first. No loop visits all cells.
///
/// A. Munjiza, K. R. F. Andrews, Int. J. Numer. Meth. Engng 43 (1998) 131–149; here after
/// V. A. Gorokhov, A. I. Kibets, E. V. Nagornykh (2025), section 2.
/// B → heads of the y axis, Y → next_[1]; A → heads of the x axis, X → next_[0]; in 3D a third
/// pair for the z axis. A head is "new" until its list has been processed, "old" afterward.
/// Time O(N); memory D integers per particle, and the heads of the current rows and layers.
///
/// Differs from the paper: a list ends with 0 instead of −1 and particles are numbered from 1, so
/// that zeroed memory from the operating system is an array of empty lists. The printed list of
/// cells to test omits (ix, iy−1) and finds 6 of 12 contacts in the paper's own test; the sentence
/// before it, followed here, includes that cell. Even rows (layers in 3D) are processed before odd
/// ones, so that a row and the one below it belong to one thread and no locks are needed.
///
/// Periodic boundaries: the neighbors of a cell at a boundary are the cells at the opposite one,
/// whose particles are shifted by a period. In a domain of one or two rows a row can be its own
/// neighbor; it is linked in the same order each time, so its lists may share the links.
template <std::size_t D>
class Nbs {
 public:
  static constexpr MethodInfo info{
      .method = Method::nbs,
      .name = "nbs",
      .demcda_number = 2,
      .paper = "Munjiza, Andrews 1998; Gorokhov, Kibets, Nagornykh 2025",
      .time = "N",
      .memory = "4 N per axis + heads of rows",
      .best_for = "similar sizes, dense or sparse",
  };

  static double bytes_needed(const SearchInput<D>& input, unsigned threads) {
    double heads = input.grid.cell_count_real(top) + 2;  // with a ghost at either end
    for (std::size_t k = 0; k < top; ++k)
      heads += threads * live_head_arrays[k] * (input.grid.cell_count_real(k) + 2);
    return 4 * (static_cast<double>(D * input.particles.size()) + heads);
  }

  [[nodiscard]] std::size_t bytes() const {
    std::size_t links = top_.size();
    for (const auto& next : next_) links += next.size();
    for (const Workspace& own : workspaces_) {
      for (const Heads& rows : own.rows) links += rows.size();
      for (const Heads& cells : own.cells) links += cells.size();
    }
    return links * sizeof(Link);
  }

  static constexpr bool is_persistent = false;  // a search clears the lists
  static constexpr bool supports_any_extent = false;
  static constexpr bool handles_periodic = true;

  template <class Counter>
  void prepare(const SearchInput<D>& input, ThreadPool& pool, Counter& /*counter*/) {
    periodic_ = input.periodic_domain.any_periodic();
    reserve(input, pool.threads());
    map(input);
  }

  template <class Driver>
  void search(const SearchInput<D>& input, Driver& driver) {
    const ClearOnExit clear_on_exit{*this, input};
    collect_new(input);
    std::size_t total = 0;
    for (const auto& lists : new_lists_) total += chunks_of(lists.size()).size();
    driver.set_total_chunks(total);
    for (const auto& lists : new_lists_) {
      const Chunks chunks = chunks_of(lists.size());
      driver.run_chunks(chunks.size(), [&](std::size_t chunk, unsigned worker, auto& filter) {
        for (std::size_t i = chunks.first(chunk); i < chunks.last(chunk); ++i)
          check_top(input, lists[i], workspaces_[worker], filter);
      });
    }
  }

 private:
  using Link = std::int32_t;  // particle number from 1, 0 for none, negative if marked "old"
  static constexpr std::size_t top = D - 1;  // the axis whose lists hold all particles
  static constexpr std::size_t rows_below = HalfStencil<D>::rows.size();

  // Number of head arrays in use at a time, per axis: cells of a row and of the rows below it; rows
  // of a layer and of the layer below it.
  static constexpr std::array<unsigned, 3> live_head_arrays{1 + rows_below, 2, 1};

  static bool is_new(Link head) { return head > 0; }
  static Link marked_old(Link head) { return -head; }
  static Link first_of(Link head) { return head < 0 ? -head : head; }

  // Heads of the lists along one axis, with an empty ghost at either end.
  class Heads {
   public:
    void ensure_size(std::int32_t lists) {
      links_.ensure_size(static_cast<std::size_t>(lists) + 2);
    }
    Link& operator[](std::int32_t list) { return links_[static_cast<std::size_t>(list + 1)]; }
    Link operator[](std::int32_t list) const { return links_[static_cast<std::size_t>(list + 1)]; }
    [[nodiscard]] std::size_t size() const { return links_.size(); }

   private:
    ZeroedArray<Link> links_;
  };

  struct Workspace {
    std::array<Heads, D == 3 ? live_head_arrays[1] : 0>
        rows;                                      // 3D: of a layer and of the one below
    std::array<Heads, live_head_arrays[0]> cells;  // of a row and of those below
  };

  // Clears the lists also when a callback throws, possibly in the middle of a row.
  struct ClearOnExit {
    Nbs& nbs;
    const SearchInput<D>& input;
    int exceptions_before = std::uncaught_exceptions();
    ~ClearOnExit() {
      nbs.clear_heads(input);
      if (std::uncaught_exceptions() > exceptions_before) nbs.workspaces_.clear();
    }
  };

  static Chunks chunks_of(std::size_t lists) { return Chunks(lists, lists / 256 + 1); }

  void reserve(const SearchInput<D>& input, unsigned workers) {
    for (auto& next : next_)
      if (next.size() < input.particles.size()) next.resize(input.particles.size());
    top_.ensure_size(input.grid.cell_count(top));
    if (workspaces_.size() < workers) workspaces_.resize(workers);
    for (Workspace& own : workspaces_) {
      for (Heads& rows : own.rows) rows.ensure_size(input.grid.cell_count(1));
      for (Heads& cells : own.cells) cells.ensure_size(input.grid.cell_count(0));
    }
  }

  static std::size_t particle_index(Link particle) {
    return static_cast<std::size_t>(particle - 1);
  }

  [[nodiscard]] static std::int32_t cell_coordinate(const SearchInput<D>& input, std::size_t axis,
                                                    Link particle) {
    const std::int32_t cell = input.grid.cell_coordinate(
        axis, input.particles.coordinates(axis)[particle_index(particle)]);
    return std::min(cell, input.grid.cell_count(axis) - 1);
  }

  // A neighboring list along an axis, and the number of periods by which it is shifted.
  struct AdjacentList {
    std::int32_t list;
    std::int32_t shift;
  };
  [[nodiscard]] static AdjacentList adjacent(const SearchInput<D>& input, std::size_t axis,
                                             std::int32_t list) {
    const std::int32_t lists = input.grid.cell_count(axis);
    if (!input.periodic_domain.is_periodic[axis]) return {list, 0};
    return list < 0        ? AdjacentList{lists - 1, -1}
           : list == lists ? AdjacentList{0, 1}
                           : AdjacentList{list, 0};
  }

  // The particles of a row of cells, shifted by whole periods.
  struct Row {
    Link first;
    ImageOffset<D> shift{};

    [[nodiscard]] bool is_shifted() const { return shift != ImageOffset<D>{}; }
    [[nodiscard]] ImageOffset<D> shift_with_x(std::int32_t x_shift) const {
      ImageOffset<D> with_x = shift;
      with_x[0] = x_shift;
      return with_x;
    }
  };

  [[nodiscard]] Link after(std::size_t axis, Link particle) const {
    return next_[axis][particle_index(particle)];
  }

  void link(std::size_t axis, Heads& heads, std::int32_t list, Link particle) {
    next_[axis][particle_index(particle)] = heads[list];
    heads[list] = particle;
  }

  // Stage 1: links all particles, in ascending order, into the lists of the top axis.
  void map(const SearchInput<D>& input) {
    const auto count = static_cast<Link>(input.particles.size());
    for (Link particle = 1; particle <= count; ++particle)
      link(top, top_, cell_coordinate(input, top, particle), particle);
  }

  // Collects the nonempty lists by visiting particles: a list is new only once.
  void collect_new(const SearchInput<D>& input) {
    for (auto& lists : new_lists_) lists.clear();
    const auto count = static_cast<Link>(input.particles.size());
    for (Link particle = 1; particle <= count; ++particle) {
      const std::int32_t list = cell_coordinate(input, top, particle);
      if (!is_new(top_[list])) continue;
      top_[list] = marked_old(top_[list]);
      new_lists_[phase_of(input, list)].push_back(list);
    }
  }

  // Phase 0: even lists; 1: odd lists; 2: list 0 of a periodic axis, whose lower neighbor is the
  // topmost list, which may be even or odd.
  [[nodiscard]] static std::size_t phase_of(const SearchInput<D>& input, std::int32_t list) {
    return list == 0 && input.periodic_domain.is_periodic[top] ? 2
                                                               : static_cast<std::size_t>(list % 2);
  }

  // Visits the particles, never all rows.
  void clear_heads(const SearchInput<D>& input) {
    const auto count = static_cast<Link>(input.particles.size());
    for (Link particle = 1; particle <= count; ++particle)
      top_[cell_coordinate(input, top, particle)] = 0;
  }

  // Stage 2: splits one list into finer lists along the next lower axis.
  void split(const SearchInput<D>& input, std::size_t axis, Link first, Heads& heads) {
    for (Link particle = first; particle != 0; particle = after(axis + 1, particle))
      link(axis, heads, cell_coordinate(input, axis, particle), particle);
  }

  void clear(const SearchInput<D>& input, std::size_t axis, Link first, Heads& heads) {
    for (Link particle = first; particle != 0; particle = after(axis + 1, particle))
      heads[cell_coordinate(input, axis, particle)] = 0;
  }

  template <class Filter>
  void check_top(const SearchInput<D>& input, std::int32_t list, Workspace& own, Filter& filter) {
    const Link here = first_of(top_[list]);
    const auto [below, shift] = adjacent(input, top, list - 1);
    if constexpr (D == 2) {
      check_row(input, {Row{here}, Row{first_of(top_[below]), {0, shift}}}, own, filter);
    } else {
      check_layer(input, here, {first_of(top_[below]), {0, 0, shift}}, own, filter);
    }
  }

  template <class Filter>
  void check_layer(const SearchInput<D>& input, Link here, const Row& below, Workspace& own,
                   Filter& filter) {
    auto& [rows, lower_rows] = own.rows;
    split(input, 1, here, rows);
    split(input, 1, below.first, lower_rows);
    const auto row_of = [&](const Heads& heads, std::int32_t row, std::int32_t layer) {
      const auto [list, shift] = adjacent(input, 1, row);
      return Row{first_of(heads[list]), {0, shift, layer}};
    };
    for (Link particle = here; particle != 0; particle = after(2, particle)) {
      const std::int32_t row = cell_coordinate(input, 1, particle);
      if (!is_new(rows[row])) continue;
      rows[row] = marked_old(rows[row]);
      const std::int32_t layer = below.shift[2];
      check_row(input,
                {row_of(rows, row, 0), row_of(rows, row - 1, 0), row_of(lower_rows, row - 1, layer),
                 row_of(lower_rows, row, layer), row_of(lower_rows, row + 1, layer)},
                own, filter);
    }
    clear(input, 1, here, rows);
    clear(input, 1, below.first, lower_rows);
  }

  // rows[0] is the row itself, the others are the rows below it.
  template <class Filter>
  void check_row(const SearchInput<D>& input, const std::array<Row, live_head_arrays[0]>& rows,
                 Workspace& own, Filter& filter) {
    for (std::size_t i = 0; i < rows.size(); ++i) split(input, 0, rows[i].first, own.cells[i]);
    Heads& cells = own.cells[0];
    for (Link particle = rows[0].first; particle != 0; particle = after(1, particle)) {
      const std::int32_t cell = cell_coordinate(input, 0, particle);
      if (!is_new(cells[cell])) continue;
      cells[cell] = marked_old(cells[cell]);
      check_cell(input, rows, own.cells, cell, filter);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) clear(input, 0, rows[i].first, own.cells[i]);
  }

  // Tests each particle of the cell against the rest of its list, the cell before it and the rows
  // below.
  template <class Filter>
  void check_cell(const SearchInput<D>& input, const std::array<Row, live_head_arrays[0]>& rows,
                  const std::array<Heads, live_head_arrays[0]>& cells, std::int32_t cell,
                  Filter& filter) const {
    const bool at_boundary = periodic_ && (cell == 0 || cell == input.grid.cell_count(0) - 1 ||
                                           std::ranges::any_of(rows, &Row::is_shifted));
    if (at_boundary) return check_cell_at_boundary(input, rows, cells, cell, filter);
    for (Link particle = first_of(cells[0][cell]); particle != 0; particle = after(0, particle)) {
      const auto test_list = [&](Link other) {
        for (; other != 0; other = after(0, other))
          filter(static_cast<Index>(particle - 1), static_cast<Index>(other - 1));
      };
      test_list(after(0, particle));
      test_list(first_of(cells[0][cell - 1]));
      for (std::size_t row = 1; row < cells.size(); ++row)
        for (std::int32_t column = cell - 1; column <= cell + 1; ++column)
          test_list(cells[row][column]);
    }
  }

  // The same for a cell with neighbors across a periodic boundary.
  template <class Filter>
  [[gnu::noinline]] void check_cell_at_boundary(const SearchInput<D>& input,
                                                const std::array<Row, live_head_arrays[0]>& rows,
                                                const std::array<Heads, live_head_arrays[0]>& cells,
                                                std::int32_t cell, Filter& filter) const {
    for (Link particle = first_of(cells[0][cell]); particle != 0; particle = after(0, particle)) {
      const auto a = static_cast<Index>(particle - 1);
      for (Link other = after(0, particle); other != 0; other = after(0, other))
        filter(a, static_cast<Index>(other - 1));
      for (std::size_t row = 0; row < cells.size(); ++row)
        for (std::int32_t column = cell - 1; column <= (row == 0 ? cell - 1 : cell + 1); ++column) {
          const auto [list, shift] = adjacent(input, 0, column);
          test_list_across(input, a, first_of(cells[row][list]), rows[row].shift_with_x(shift),
                           filter);
        }
    }
  }

  template <class Filter>
  void test_list_across(const SearchInput<D>& input, Index a, Link other,
                        const ImageOffset<D>& shift, Filter& filter) const {
    for (; other != 0; other = after(0, other)) {
      const auto b = static_cast<Index>(other - 1);
      if (shift == ImageOffset<D>{})
        filter(a, b);
      else
        filter.test_across_boundary(a, b, shift, input.periodic_domain, input.particles.size());
    }
  }

  std::array<std::vector<Link>, D> next_;               // per axis: X, Y and, in 3D, a third
  Heads top_;                                           // B in 2D, the heads of the layers in 3D
  std::array<std::vector<std::int32_t>, 3> new_lists_;  // nonempty lists of the top axis, per phase
  std::vector<Workspace> workspaces_;                   // one per thread
  bool periodic_ = false;

  friend struct NbsTestAccess;  // lets tests compare the arrays with the paper's figures
};

}  // namespace abut
