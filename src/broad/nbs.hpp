#pragma once

#include <abut/method.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include "broad/task.hpp"
#include "core/grown_array.hpp"
#include "core/half_mask.hpp"
#include "core/sweep.hpp"

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
template <std::size_t D>
class Nbs {
 public:
  static constexpr MethodInfo info{
      .method = Method::nbs,
      .name = "nbs",
      .number = 2,
      .paper = "Munjiza, Andrews 1998; Gorokhov, Kibets, Nagornykh 2025",
      .time = "N",
      .memory = "4 N an axis + heads of rows",
      .use = "like sizes, dense or sparse",
  };

  static double bytes_needed(const Task<D>& task, unsigned threads) {
    double heads = task.grid.real_cells(top) + 2;  // and a ghost at either end
    for (std::size_t k = 0; k < top; ++k)
      heads += threads * live[k] * (task.grid.real_cells(k) + 2);
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

  static constexpr bool lasting = false;  // a search empties the lists
  static constexpr bool any_extent = false;

  template <class Counter>
  void prepare(const Task<D>& task, ThreadPool& pool, Counter& /*counter*/) {
    reserve(task, pool.threads());
    map(task);
  }

  template <class Sweep>
  void search(const Task<D>& task, Sweep& sweep) {
    const Emptying at_the_end{*this, task};
    gather_new(task);
    const std::array runs{batches(fresh_[0].size()), batches(fresh_[1].size())};
    sweep.expect(runs[0].size() + runs[1].size());
    for (std::size_t parity = 0; parity < 2; ++parity)
      sweep.chunks(runs[parity].size(), [&](std::size_t chunk, unsigned worker, auto& judge) {
        for (std::size_t i = runs[parity].first(chunk); i < runs[parity].last(chunk); ++i)
          check_top(task, fresh_[parity][i], workspaces_[worker], judge);
      });
  }

 private:
  using Link = std::int32_t;  // number of a particle from 1, 0 for none, negative if marked "old"
  static constexpr std::size_t top = D - 1;  // the axis whose lists hold all particles
  static constexpr std::size_t rows_below = HalfMask<D>::rows.size();

  // How many arrays of heads live at a time, by axis: cells of a row and the rows below it; rows
  // of a layer and the layer below it.
  static constexpr std::array<unsigned, 3> live{1 + rows_below, 2, 1};

  static bool is_new(Link head) { return head > 0; }
  static Link marked_old(Link head) { return -head; }
  static Link first_of(Link head) { return head < 0 ? -head : head; }

  // Heads of the lists along one axis, with an empty ghost at either end.
  class Heads {
   public:
    void at_least(std::int32_t lists) { links_.at_least(static_cast<std::size_t>(lists) + 2); }
    Link& operator[](std::int32_t list) { return links_[static_cast<std::size_t>(list + 1)]; }
    Link operator[](std::int32_t list) const { return links_[static_cast<std::size_t>(list + 1)]; }
    [[nodiscard]] std::size_t size() const { return links_.size(); }

   private:
    ZeroedArray<Link> links_;
  };

  struct Workspace {
    std::array<Heads, D == 3 ? live[1] : 0> rows;  // 3D: of the layer and of the one below
    std::array<Heads, live[0]> cells;              // of the row and of those below
  };

  // Empties the lists also when the receiver of the pairs throws, which may be in mid-row.
  struct Emptying {
    Nbs& nbs;
    const Task<D>& task;
    int thrown = std::uncaught_exceptions();
    ~Emptying() {
      nbs.empty(task);
      if (std::uncaught_exceptions() > thrown) nbs.workspaces_.clear();
    }
  };

  static Runs batches(std::size_t lists) { return Runs(lists, lists / 256 + 1); }

  void reserve(const Task<D>& task, unsigned workers) {
    for (auto& next : next_)
      if (next.size() < task.particles.size()) next.resize(task.particles.size());
    top_.at_least(task.grid.cells(top));
    if (workspaces_.size() < workers) workspaces_.resize(workers);
    for (Workspace& own : workspaces_) {
      for (Heads& rows : own.rows) rows.at_least(task.grid.cells(1));
      for (Heads& cells : own.cells) cells.at_least(task.grid.cells(0));
    }
  }

  static std::size_t place(Link particle) { return static_cast<std::size_t>(particle - 1); }

  [[nodiscard]] static std::int32_t along(const Task<D>& task, std::size_t axis, Link particle) {
    return task.grid.along(axis, task.particles.axis(axis)[place(particle)]);
  }

  [[nodiscard]] Link after(std::size_t axis, Link particle) const {
    return next_[axis][place(particle)];
  }

  void put(std::size_t axis, Heads& heads, std::int32_t list, Link particle) {
    next_[axis][place(particle)] = heads[list];
    heads[list] = particle;
  }

  // Stage 1: all particles, in ascending order, onto the lists of the top axis.
  void map(const Task<D>& task) {
    const auto count = static_cast<Link>(task.particles.size());
    for (Link particle = 1; particle <= count; ++particle)
      put(top, top_, along(task, top, particle), particle);
  }

  // The lists that hold particles, found by visiting particles: a list is new only once.
  void gather_new(const Task<D>& task) {
    for (auto& lists : fresh_) lists.clear();
    const auto count = static_cast<Link>(task.particles.size());
    for (Link particle = 1; particle <= count; ++particle) {
      const std::int32_t list = along(task, top, particle);
      if (!is_new(top_[list])) continue;
      top_[list] = marked_old(top_[list]);
      fresh_[static_cast<std::size_t>(list % 2)].push_back(list);
    }
  }

  // Visits the particles once more, never the rows.
  void empty(const Task<D>& task) {
    const auto count = static_cast<Link>(task.particles.size());
    for (Link particle = 1; particle <= count; ++particle) top_[along(task, top, particle)] = 0;
  }

  // Stage 2, for one list: its particles onto the finer lists of the axis below it.
  void split(const Task<D>& task, std::size_t axis, Link first, Heads& heads) {
    for (Link particle = first; particle != 0; particle = after(axis + 1, particle))
      put(axis, heads, along(task, axis, particle), particle);
  }

  void clear(const Task<D>& task, std::size_t axis, Link first, Heads& heads) {
    for (Link particle = first; particle != 0; particle = after(axis + 1, particle))
      heads[along(task, axis, particle)] = 0;
  }

  template <class Judge>
  void check_top(const Task<D>& task, std::int32_t list, Workspace& own, Judge& judge) {
    const Link here = first_of(top_[list]);
    const Link below = first_of(top_[list - 1]);
    if constexpr (D == 2) {
      check_row(task, {here, below}, own, judge);
    } else {
      check_layer(task, here, below, own, judge);
    }
  }

  template <class Judge>
  void check_layer(const Task<D>& task, Link here, Link below, Workspace& own, Judge& judge) {
    auto& [rows, rows_of_below] = own.rows;
    split(task, 1, here, rows);
    split(task, 1, below, rows_of_below);
    for (Link particle = here; particle != 0; particle = after(2, particle)) {
      const std::int32_t row = along(task, 1, particle);
      if (!is_new(rows[row])) continue;
      rows[row] = marked_old(rows[row]);
      check_row(task,
                {first_of(rows[row]), first_of(rows[row - 1]), rows_of_below[row - 1],
                 rows_of_below[row], rows_of_below[row + 1]},
                own, judge);
    }
    clear(task, 1, here, rows);
    clear(task, 1, below, rows_of_below);
  }

  // lists[0] is the row, the others are the rows below it.
  template <class Judge>
  void check_row(const Task<D>& task, const std::array<Link, live[0]>& lists, Workspace& own,
                 Judge& judge) {
    for (std::size_t i = 0; i < lists.size(); ++i) split(task, 0, lists[i], own.cells[i]);
    Heads& cells = own.cells[0];
    for (Link particle = lists[0]; particle != 0; particle = after(1, particle)) {
      const std::int32_t cell = along(task, 0, particle);
      if (!is_new(cells[cell])) continue;
      cells[cell] = marked_old(cells[cell]);
      check_cell(own.cells, cell, judge);
    }
    for (std::size_t i = 0; i < lists.size(); ++i) clear(task, 0, lists[i], own.cells[i]);
  }

  // Each particle of the cell against those after it in its list, the cell before, the rows below.
  template <class Judge>
  void check_cell(const std::array<Heads, live[0]>& cells, std::int32_t cell, Judge& judge) const {
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

  std::array<std::vector<Link>, D> next_;           // by axis: X, Y and, in 3D, their third
  Heads top_;                                       // B in 2D, the heads of the layers in 3D
  std::array<std::vector<std::int32_t>, 2> fresh_;  // non-empty lists of the top axis, by parity
  std::vector<Workspace> workspaces_;               // one for each thread

  friend struct NbsArrays;  // lets the tests lay the arrays beside the paper's figures
};

}  // namespace abut
