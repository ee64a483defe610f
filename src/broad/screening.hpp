#pragma once

#include <abut/detector_options.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "broad/search_input.hpp"
#include "core/arrays.hpp"
#include "core/grid.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// Screening: an array with one integer for every cell holds the head of the list of the
/// particles in it; a second array links each particle to the next in its list.
///
/// V. A. Gorokhov, A. I. Kibets, E. V. Nagornykh, Problems of Strength and Plasticity 87 (2025)
/// 54–69, section 1, after A. Munjiza, The Combined Finite-Discrete Element Method (2004).
/// C → heads_, E → next_, d → cell size, i^int x_k → Grid::along.
/// Time N, for any number of cells; memory one integer a cell and one a particle.
///
/// Different from the paper: a list ends with 0 instead of −1 and particles are linked by their
/// number from 1, so that memory fresh from the system is an array of empty lists and step 0
/// costs nothing; a border of ghost cells is always empty and saves the tests at the faces; each
/// particle is checked with half of the neighbouring cells (figures 8 and 9), the row below
/// complete, where the printed list leaves out one cell and loses half the contacts.
template <std::size_t D>
class Screening {
 public:
  static constexpr MethodInfo info{
      .method = Method::screening,
      .name = "screening",
      .demcda_number = 1,
      .paper = "Munjiza 2004; Gorokhov, Kibets, Nagornykh 2025",
      .time = "N",
      .memory = "4 bytes a cell + 4 N",
      .best_for = "dense packings of like sizes in a full domain",
  };

  static double bytes_needed(const SearchInput<D>& task, unsigned /*threads*/) {
    double cells = 1;
    for (std::size_t k = 0; k < D; ++k) cells *= task.grid.cell_count_real(k) + 2;
    return 4 * (cells + static_cast<double>(task.particles.size()));
  }

  [[nodiscard]] std::size_t bytes() const { return 4 * (heads_.size() + next_.size()); }

  static constexpr bool is_persistent = false;  // a search empties the lists
  static constexpr bool supports_any_extent = false;

  template <class Counter>
  void prepare(const SearchInput<D>& task, ThreadPool& /*pool*/, Counter& /*counter*/) {
    map(task);
  }

  template <class Sweep>
  void search(const SearchInput<D>& task, Sweep& sweep) {
    const ClearOnExit at_the_end{*this, task};  // also when the receiver of the pairs throws
    sweep.for_each_particle(task.particles.size(),
                            [&](Index i, unsigned, auto& judge) { check(task, i, judge); });
  }

  /// Step 1: every particle becomes the head of its cell's list.
  void map(const SearchInput<D>& task) {
    resize(task.grid);
    const std::size_t count = task.particles.size();
    if (next_.size() < count) next_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      Link& head = heads_[cell_of(task, i)];
      next_[i] = head;
      head = static_cast<Link>(i + 1);
    }
  }

  /// Empties the lists by visiting the particles, never the cells.
  void clear_heads(const SearchInput<D>& task) {
    for (std::size_t i = 0; i < task.particles.size(); ++i) heads_[cell_of(task, i)] = 0;
  }

  /// The lists as the paper draws them: the particles of the cell with these coordinates, from 1.
  [[nodiscard]] std::vector<Index> list(const typename Grid<D>::Cell& cell) const {
    std::vector<Index> members;
    for (Link link = heads_[cell_index(cell)]; link != 0; link = next_[link - 1])
      members.push_back(link);
    return members;
  }

 private:
  using Link = Index;  // number of a particle from 1, or 0 at the end of a list

  struct ClearOnExit {
    Screening& screening;
    const SearchInput<D>& task;
    ~ClearOnExit() { screening.clear_heads(task); }
  };

  void resize(const Grid<D>& grid) {
    std::size_t cells = 1;
    for (std::size_t k = 0; k < D; ++k) {
      stride_[k] = cells;
      cells *= static_cast<std::size_t>(grid.cell_count(k)) + 2;
    }
    heads_.ensure_size(cells);
    for (std::size_t row = 0; row < rows_below_.size(); ++row) {
      rows_below_[row] = 0;
      for (std::size_t k = 1; k < D; ++k)
        rows_below_[row] +=
            HalfStencil<D>::rows[row][k - 1] * static_cast<std::ptrdiff_t>(stride_[k]);
    }
  }

  [[nodiscard]] std::size_t cell_index(const typename Grid<D>::Cell& cell) const {
    std::size_t at = 0;
    for (std::size_t k = 0; k < D; ++k) at += (static_cast<std::size_t>(cell[k]) + 1) * stride_[k];
    return at;
  }

  [[nodiscard]] std::size_t cell_of(const SearchInput<D>& task, std::size_t i) const {
    typename Grid<D>::Cell cell;
    for (std::size_t k = 0; k < D; ++k)
      cell[k] = task.grid.cell_coordinate(k, task.particles.coordinates(k)[i]);
    return cell_index(cell);
  }

  // A particle against the rest of its own list, the cell before it and the rows below.
  template <class Judge>
  void check(const SearchInput<D>& task, Index i, Judge& judge) const {
    const auto with = [&](Link link) {
      for (; link != 0; link = next_[link - 1]) judge(i, link - 1);
    };
    const std::size_t cell = cell_of(task, i);
    with(next_[i]);
    with(heads_[cell - 1]);
    for (const std::ptrdiff_t row : rows_below_)
      for (std::ptrdiff_t column = -1; column <= 1; ++column)
        with(heads_[cell + static_cast<std::size_t>(row + column)]);
  }

  ZeroedArray<Link> heads_;
  std::vector<Link> next_;
  std::array<std::size_t, D> stride_{};
  std::array<std::ptrdiff_t, HalfStencil<D>::rows.size()> rows_below_{};
};

}  // namespace abut
