#pragma once

#include <abut/detector_options.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include "broad/search_input.hpp"
#include "core/arrays.hpp"
#include "core/grid.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// Munjiza-NBS ("no binary search"): particles are linked into lists of rows of cells; one row at
/// a time is linked further into lists of cells and checked with its neighbours. In 3D the lists
/// of layers come first. No loop ever runs over cells.
///
/// A. Munjiza, K. R. F. Andrews, Int. J. Numer. Meth. Engng 43 (1998) 131–149; here after
/// V. A. Gorokhov, A. I. Kibets, E. V. Nagornykh (2025), section 2.
/// B → heads of the y axis, Y → next_[1]; A → heads of the x axis, X → next_[0]; in 3D a third
/// pair for the z axis. A head is "new" until its list has been dealt with, "old" after.
/// Time N; memory D integers a particle, and the heads of the rows and layers that are live.
///
/// Different from the paper: a list ends with 0 instead of −1 and particles are linked by their
/// number from 1, so that memory fresh from the system is an array of empty lists. The printed list
/// of cells to check leaves out (ix, iy−1) and finds 6 of 12 contacts in its own test; the sentence
/// before it, followed here, has it. Even rows (layers in 3D) are taken before odd ones: a row and
/// the one below it then belong to one thread, which makes threads safe without locks.
///
/// Periodic faces: the neighbours of a cell at a face are those at the opposite one, and whatever
/// is found there has been moved by a period. Rows that are their own neighbours, because the
/// domain has but one or two, are linked alike each time they are linked, so lists may share
/// particles.
template <std::size_t D>
class Nbs {
 public:
  static constexpr MethodInfo info{
      .method = Method::nbs,
      .name = "nbs",
      .demcda_number = 2,
      .paper = "Munjiza, Andrews 1998; Gorokhov, Kibets, Nagornykh 2025",
      .time = "N",
      .memory = "4 N an axis + heads of rows",
      .best_for = "like sizes, dense or sparse",
  };

  static double bytes_needed(const SearchInput<D>& task, unsigned threads) {
    double heads = task.grid.cell_count_real(top) + 2;  // and a ghost at either end
    for (std::size_t k = 0; k < top; ++k)
      heads += threads * live_head_arrays[k] * (task.grid.cell_count_real(k) + 2);
    return 4 * (static_cast<double>(D * task.particles.size()) + heads);
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

  static constexpr bool is_persistent = false;  // a search empties the lists
  static constexpr bool supports_any_extent = false;
  static constexpr bool handles_periodic = true;

  template <class Counter>
  void prepare(const SearchInput<D>& task, ThreadPool& pool, Counter& /*counter*/) {
    periodic_ = task.periodic_domain.any_periodic();
    reserve(task, pool.threads());
    map(task);
  }

  template <class Sweep>
  void search(const SearchInput<D>& task, Sweep& sweep) {
    const ClearOnExit at_the_end{*this, task};
    collect_new(task);
    std::size_t expected = 0;
    for (const auto& lists : new_lists_) expected += chunks_of(lists.size()).size();
    sweep.set_total_chunks(expected);
    for (const auto& lists : new_lists_) {
      const Chunks runs = chunks_of(lists.size());
      sweep.run_chunks(runs.size(), [&](std::size_t chunk, unsigned worker, auto& judge) {
        for (std::size_t i = runs.first(chunk); i < runs.last(chunk); ++i)
          check_top(task, lists[i], workspaces_[worker], judge);
      });
    }
  }

 private:
  using Link = std::int32_t;  // number of a particle from 1, 0 for none, negative if marked "old"
  static constexpr std::size_t top = D - 1;  // the axis whose lists hold all particles
  static constexpr std::size_t rows_below = HalfStencil<D>::rows.size();

  // How many arrays of heads live at a time, by axis: cells of a row and the rows below it; rows
  // of a layer and the layer below it.
  static constexpr std::array<unsigned, 3> live_head_arrays{1 + rows_below, 2, 1};

  static bool is_new(Link head) { return head > 0; }
  static Link marked_old(Link head) { return -head; }
  static Link first_of(Link head) { return head < 0 ? -head : head; }

  // Heads of the lists along one axis, with an empty ghost at either end.
  class Heads {
   public:
    void at_least(std::int32_t lists) { links_.ensure_size(static_cast<std::size_t>(lists) + 2); }
    Link& operator[](std::int32_t list) { return links_[static_cast<std::size_t>(list + 1)]; }
    Link operator[](std::int32_t list) const { return links_[static_cast<std::size_t>(list + 1)]; }
    [[nodiscard]] std::size_t size() const { return links_.size(); }

   private:
    ZeroedArray<Link> links_;
  };

  struct Workspace {
    std::array<Heads, D == 3 ? live_head_arrays[1] : 0>
        rows;                                      // 3D: of the layer and of the one below
    std::array<Heads, live_head_arrays[0]> cells;  // of the row and of those below
  };

  // Empties the lists also when the receiver of the pairs throws, which may be in mid-row.
  struct ClearOnExit {
    Nbs& nbs;
    const SearchInput<D>& task;
    int exceptions_before = std::uncaught_exceptions();
    ~ClearOnExit() {
      nbs.clear_heads(task);
      if (std::uncaught_exceptions() > exceptions_before) nbs.workspaces_.clear();
    }
  };

  static Chunks chunks_of(std::size_t lists) { return Chunks(lists, lists / 256 + 1); }

  void reserve(const SearchInput<D>& task, unsigned workers) {
    for (auto& next : next_)
      if (next.size() < task.particles.size()) next.resize(task.particles.size());
    top_.at_least(task.grid.cell_count(top));
    if (workspaces_.size() < workers) workspaces_.resize(workers);
    for (Workspace& own : workspaces_) {
      for (Heads& rows : own.rows) rows.at_least(task.grid.cell_count(1));
      for (Heads& cells : own.cells) cells.at_least(task.grid.cell_count(0));
    }
  }

  static std::size_t particle_index(Link particle) {
    return static_cast<std::size_t>(particle - 1);
  }

  [[nodiscard]] static std::int32_t along(const SearchInput<D>& task, std::size_t axis,
                                          Link particle) {
    const std::int32_t cell =
        task.grid.cell_coordinate(axis, task.particles.coordinates(axis)[particle_index(particle)]);
    return std::min(cell, task.grid.cell_count(axis) - 1);
  }

  // A list beside another along an axis, and by how many periods its particles have been moved.
  struct AdjacentList {
    std::int32_t list;
    std::int32_t shift;
  };
  [[nodiscard]] static AdjacentList adjacent(const SearchInput<D>& task, std::size_t axis,
                                             std::int32_t list) {
    const std::int32_t lists = task.grid.cell_count(axis);
    if (!task.periodic_domain.is_periodic[axis]) return {list, 0};
    return list < 0        ? AdjacentList{lists - 1, -1}
           : list == lists ? AdjacentList{0, 1}
                           : AdjacentList{list, 0};
  }

  // The particles of a row of cells, moved by so many periods.
  struct Row {
    Link first;
    ImageOffset<D> shift{};

    [[nodiscard]] bool is_shifted() const { return shift != ImageOffset<D>{}; }
    [[nodiscard]] ImageOffset<D> shift_with_x(std::int32_t along_x) const {
      ImageOffset<D> whole = shift;
      whole[0] = along_x;
      return whole;
    }
  };

  [[nodiscard]] Link after(std::size_t axis, Link particle) const {
    return next_[axis][particle_index(particle)];
  }

  void link(std::size_t axis, Heads& heads, std::int32_t list, Link particle) {
    next_[axis][particle_index(particle)] = heads[list];
    heads[list] = particle;
  }

  // Stage 1: all particles, in ascending order, onto the lists of the top axis.
  void map(const SearchInput<D>& task) {
    const auto count = static_cast<Link>(task.particles.size());
    for (Link particle = 1; particle <= count; ++particle)
      link(top, top_, along(task, top, particle), particle);
  }

  // The lists that hold particles, found by visiting particles: a list is new only once.
  void collect_new(const SearchInput<D>& task) {
    for (auto& lists : new_lists_) lists.clear();
    const auto count = static_cast<Link>(task.particles.size());
    for (Link particle = 1; particle <= count; ++particle) {
      const std::int32_t list = along(task, top, particle);
      if (!is_new(top_[list])) continue;
      top_[list] = marked_old(top_[list]);
      new_lists_[phase_of(task, list)].push_back(list);
    }
  }

  // Even lists, odd ones, and last a list that has the topmost below it, be that even or odd.
  [[nodiscard]] static std::size_t phase_of(const SearchInput<D>& task, std::int32_t list) {
    return list == 0 && task.periodic_domain.is_periodic[top] ? 2
                                                              : static_cast<std::size_t>(list % 2);
  }

  // Visits the particles once more, never the rows.
  void clear_heads(const SearchInput<D>& task) {
    const auto count = static_cast<Link>(task.particles.size());
    for (Link particle = 1; particle <= count; ++particle) top_[along(task, top, particle)] = 0;
  }

  // Stage 2, for one list: its particles onto the finer lists of the axis below it.
  void split(const SearchInput<D>& task, std::size_t axis, Link first, Heads& heads) {
    for (Link particle = first; particle != 0; particle = after(axis + 1, particle))
      link(axis, heads, along(task, axis, particle), particle);
  }

  void clear(const SearchInput<D>& task, std::size_t axis, Link first, Heads& heads) {
    for (Link particle = first; particle != 0; particle = after(axis + 1, particle))
      heads[along(task, axis, particle)] = 0;
  }

  template <class Judge>
  void check_top(const SearchInput<D>& task, std::int32_t list, Workspace& own, Judge& judge) {
    const Link here = first_of(top_[list]);
    const auto [below, shift] = adjacent(task, top, list - 1);
    if constexpr (D == 2) {
      check_row(task, {Row{here}, Row{first_of(top_[below]), {0, shift}}}, own, judge);
    } else {
      check_layer(task, here, {first_of(top_[below]), {0, 0, shift}}, own, judge);
    }
  }

  template <class Judge>
  void check_layer(const SearchInput<D>& task, Link here, const Row& below, Workspace& own,
                   Judge& judge) {
    auto& [rows, rows_of_below] = own.rows;
    split(task, 1, here, rows);
    split(task, 1, below.first, rows_of_below);
    const auto in = [&](const Heads& heads, std::int32_t row, std::int32_t layer) {
      const auto [list, shift] = adjacent(task, 1, row);
      return Row{first_of(heads[list]), {0, shift, layer}};
    };
    for (Link particle = here; particle != 0; particle = after(2, particle)) {
      const std::int32_t row = along(task, 1, particle);
      if (!is_new(rows[row])) continue;
      rows[row] = marked_old(rows[row]);
      const std::int32_t layer = below.shift[2];
      check_row(task,
                {in(rows, row, 0), in(rows, row - 1, 0), in(rows_of_below, row - 1, layer),
                 in(rows_of_below, row, layer), in(rows_of_below, row + 1, layer)},
                own, judge);
    }
    clear(task, 1, here, rows);
    clear(task, 1, below.first, rows_of_below);
  }

  // rows[0] is the row, the others are the rows below it.
  template <class Judge>
  void check_row(const SearchInput<D>& task, const std::array<Row, live_head_arrays[0]>& rows,
                 Workspace& own, Judge& judge) {
    for (std::size_t i = 0; i < rows.size(); ++i) split(task, 0, rows[i].first, own.cells[i]);
    Heads& cells = own.cells[0];
    for (Link particle = rows[0].first; particle != 0; particle = after(1, particle)) {
      const std::int32_t cell = along(task, 0, particle);
      if (!is_new(cells[cell])) continue;
      cells[cell] = marked_old(cells[cell]);
      check_cell(task, rows, own.cells, cell, judge);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) clear(task, 0, rows[i].first, own.cells[i]);
  }

  // Each particle of the cell against those after it in its list, the cell before, the rows below.
  template <class Judge>
  void check_cell(const SearchInput<D>& task, const std::array<Row, live_head_arrays[0]>& rows,
                  const std::array<Heads, live_head_arrays[0]>& cells, std::int32_t cell,
                  Judge& judge) const {
    const bool at_a_face = periodic_ && (cell == 0 || cell == task.grid.cell_count(0) - 1 ||
                                         std::ranges::any_of(rows, &Row::is_shifted));
    if (at_a_face) return check_cell_at_face(task, rows, cells, cell, judge);
    for (Link particle = first_of(cells[0][cell]); particle != 0; particle = after(0, particle)) {
      const auto with = [&](Link other) {
        for (; other != 0; other = after(0, other))
          judge(static_cast<Index>(particle - 1), static_cast<Index>(other - 1));
      };
      with(after(0, particle));
      with(first_of(cells[0][cell - 1]));
      for (std::size_t row = 1; row < cells.size(); ++row)
        for (std::int32_t column = cell - 1; column <= cell + 1; ++column) with(cells[row][column]);
    }
  }

  // The same with cells beyond periodic faces.
  template <class Judge>
  [[gnu::noinline]] void check_cell_at_face(const SearchInput<D>& task,
                                            const std::array<Row, live_head_arrays[0]>& rows,
                                            const std::array<Heads, live_head_arrays[0]>& cells,
                                            std::int32_t cell, Judge& judge) const {
    for (Link particle = first_of(cells[0][cell]); particle != 0; particle = after(0, particle)) {
      const auto a = static_cast<Index>(particle - 1);
      for (Link other = after(0, particle); other != 0; other = after(0, other))
        judge(a, static_cast<Index>(other - 1));
      for (std::size_t row = 0; row < cells.size(); ++row)
        for (std::int32_t column = cell - 1; column <= (row == 0 ? cell - 1 : cell + 1); ++column) {
          const auto [list, shift] = adjacent(task, 0, column);
          check_list(task, a, first_of(cells[row][list]), rows[row].shift_with_x(shift), judge);
        }
    }
  }

  template <class Judge>
  void check_list(const SearchInput<D>& task, Index a, Link other, const ImageOffset<D>& shift,
                  Judge& judge) const {
    for (; other != 0; other = after(0, other)) {
      const auto b = static_cast<Index>(other - 1);
      if (shift == ImageOffset<D>{})
        judge(a, b);
      else
        judge.test_across_boundary(a, b, shift, task.periodic_domain, task.particles.size());
    }
  }

  std::array<std::vector<Link>, D> next_;               // by axis: X, Y and, in 3D, their third
  Heads top_;                                           // B in 2D, the heads of the layers in 3D
  std::array<std::vector<std::int32_t>, 3> new_lists_;  // non-empty lists of the top axis, by turn
  std::vector<Workspace> workspaces_;                   // one for each thread
  bool periodic_ = false;

  friend struct NbsTestAccess;  // lets the tests lay the arrays beside the paper's figures
};

}  // namespace abut
