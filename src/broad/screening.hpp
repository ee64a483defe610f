#pragma once

#include <abut/detector_options.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "broad/search_method.hpp"
#include "core/buffers.hpp"
#include "core/grid.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// Screening (cell lists): an array with one integer per cell holds the head of the list of its
/// particles; a second array links each particle to the next one in its list.
///
/// V. A. Gorokhov, A. I. Kibets, E. V. Nagornykh, Problems of Strength and Plasticity 87 (2025)
/// 54–69, section 1, after A. Munjiza, The Combined Finite-Discrete Element Method (2004).
/// C → heads_, E → next_, d → cell size, i^int x_k → `Grid::cell_coordinate`.
/// Time O(N) for any number of cells; memory one integer per cell and one per particle.
///
/// Differs from the paper: a list ends with 0 instead of −1 and particles are numbered from 1, so
/// that zeroed memory from the operating system is an array of empty lists and step 0 costs
/// nothing; a border of empty ghost cells replaces tests at the boundary; each particle is tested
/// against half of the neighboring cells (figures 8 and 9), with the complete row below, where the
/// printed list omits one cell and loses half the contacts.
template <std::size_t D>
class Screening {
 public:
  static constexpr MethodInfo info{
      .method = Method::screening,
      .name = "screening",
      .demcda_number = 1,
      .paper = "Munjiza 2004; Gorokhov, Kibets, Nagornykh 2025",
      .time = "N",
      .memory = "4 per cell + 4 N",
      .best_for = "dense packings of similar sizes in a full domain",
  };

  static double bytes_needed(const SearchInput<D>& input, unsigned /*threads*/) {
    double cells = 1;
    for (std::size_t k = 0; k < D; ++k) cells *= input.grid.cell_count_real(k) + 2;
    return 4 * (cells + static_cast<double>(input.particles.size()));
  }

  [[nodiscard]] std::size_t bytes() const { return 4 * (heads_.size() + next_.size()); }

  static constexpr bool is_persistent = false;  // a search clears the lists
  static constexpr bool supports_any_extent = false;

  template <class Counter>
  void prepare(const SearchInput<D>& input, ThreadPool& /*pool*/, Counter& /*counter*/) {
    map(input);
  }

  template <class Driver>
  void search(const SearchInput<D>& input, Driver& driver) {
    const ClearOnExit clear_on_exit{*this, input};  // also when a callback throws
    driver.for_each_particle(input.particles.size(),
                             [&](Index i, unsigned, auto& filter) { check(input, i, filter); });
  }

  /// Step 1: every particle becomes the head of its cell's list.
  void map(const SearchInput<D>& input) {
    resize(input.grid);
    const std::size_t count = input.particles.size();
    if (next_.size() < count) next_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      Link& head = heads_[cell_of(input, i)];
      next_[i] = head;
      head = static_cast<Link>(i + 1);
    }
  }

  /// Clears the lists by visiting the particles, never the cells.
  void clear_heads(const SearchInput<D>& input) {
    for (std::size_t i = 0; i < input.particles.size(); ++i) heads_[cell_of(input, i)] = 0;
  }

  /// The list of a cell as in the paper's figures, with particles numbered from 1.
  [[nodiscard]] std::vector<Index> list(const typename Grid<D>::Cell& cell) const {
    std::vector<Index> members;
    for (Link link = heads_[cell_index(cell)]; link != 0; link = next_[link - 1])
      members.push_back(link);
    return members;
  }

 private:
  using Link = Index;  // particle number from 1, or 0 at the end of a list

  struct ClearOnExit {
    Screening& screening;
    const SearchInput<D>& input;
    ~ClearOnExit() { screening.clear_heads(input); }
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
    std::size_t index = 0;
    for (std::size_t k = 0; k < D; ++k)
      index += (static_cast<std::size_t>(cell[k]) + 1) * stride_[k];
    return index;
  }

  [[nodiscard]] std::size_t cell_of(const SearchInput<D>& input, std::size_t i) const {
    typename Grid<D>::Cell cell;
    for (std::size_t k = 0; k < D; ++k)
      cell[k] = input.grid.cell_coordinate(k, input.particles.coordinates(k)[i]);
    return cell_index(cell);
  }

  // Tests a particle against the rest of its own list, the cell before it and the rows below.
  template <class Filter>
  void check(const SearchInput<D>& input, Index i, Filter& filter) const {
    const auto test_list = [&](Link link) {
      for (; link != 0; link = next_[link - 1]) filter(i, link - 1);
    };
    const std::size_t cell = cell_of(input, i);
    test_list(next_[i]);
    test_list(heads_[cell - 1]);
    for (const std::ptrdiff_t row : rows_below_)
      for (std::ptrdiff_t column = -1; column <= 1; ++column)
        test_list(heads_[cell + static_cast<std::size_t>(row + column)]);
  }

  ZeroedArray<Link> heads_;
  std::vector<Link> next_;
  std::array<std::size_t, D> stride_{};
  std::array<std::ptrdiff_t, HalfStencil<D>::rows.size()> rows_below_{};
};

}  // namespace abut
