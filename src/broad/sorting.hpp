#pragma once

#include <abut/method.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "broad/cell_order.hpp"
#include "broad/task.hpp"
#include "core/half_mask.hpp"
#include "core/sweep.hpp"

namespace abut {

/// Sorting: particles are sorted by the integer coordinates of their cells; the three cells of a
/// row that neighbours a particle then stand side by side and a binary search finds them.
///
/// A. Munjiza, The Combined Finite-Discrete Element Method (2004), chapter 3; named by Gorokhov,
/// Kibets, Nagornykh (2025).
/// Time N log N, for the sort and for the searches; memory D + 1 integers a particle.
///
/// Different from the book: rows are looked up instead of single cells, which takes a third of the
/// searches.
template <std::size_t D>
class Sorting {
 public:
  static constexpr MethodInfo info{
      .method = Method::sorting,
      .name = "sorting",
      .number = 0,
      .paper = "Munjiza 2004",
      .time = "N log N",
      .memory = "4 N an axis + 4 N",
      .use = "like sizes at any density; simple, keeps nothing",
  };

  static double bytes_needed(const Task<D>& task, unsigned /*threads*/) {
    return sizeof(Placed) * static_cast<double>(task.particles.size());
  }

  [[nodiscard]] std::size_t bytes() const { return sizeof(Placed) * placed_.size(); }

  static constexpr bool lasting = true;
  static constexpr bool any_extent = false;

  template <class Counter>
  void prepare(const Task<D>& task, ThreadPool& /*pool*/, Counter& /*counter*/) {
    placed_.resize(task.particles.size());
    for (Index i = 0; i < placed_.size(); ++i)
      placed_[i] = {task.grid.cell_of(task.particles, i), i};
    // The number decides within a cell, so that the order is the same on every machine.
    std::ranges::sort(placed_, [](const Placed& a, const Placed& b) {
      return before<D>(a.cell, b.cell) || (a.cell == b.cell && a.particle < b.particle);
    });
  }

  template <class Sweep>
  void search(const Task<D>& task, Sweep& sweep) {
    sweep.each(task.particles.size(), [&](Index i, unsigned, auto& judge) { check(i, judge); });
  }

 private:
  using Cell = typename Grid<D>::Cell;
  struct Placed {
    Cell cell;
    Index particle;
  };

  // The particle in place i against those before it in its own row, then the rows below.
  template <class Judge>
  void check(std::size_t i, Judge& judge) const {
    const Placed& own = placed_[i];
    for (std::size_t j = i; j-- > 0 && in_row(placed_[j].cell, own.cell, {});)
      judge(own.particle, placed_[j].particle);
    for (const auto& row : HalfMask<D>::rows)
      for (std::size_t j = first_of(own.cell, row, judge);
           j < i && in_row(placed_[j].cell, own.cell, row); ++j)
        judge(own.particle, placed_[j].particle);
  }

  using Row = std::array<int, D - 1>;

  // Whether a cell is one of the three around `centre`, moved to another row.
  static bool in_row(const Cell& cell, const Cell& centre, const Row& row) {
    for (std::size_t k = 1; k < D; ++k)
      if (cell[k] != centre[k] + row[k - 1]) return false;
    return cell[0] >= centre[0] - 1 && cell[0] <= centre[0] + 1;
  }

  template <class Judge>
  [[nodiscard]] std::size_t first_of(const Cell& centre, const Row& row, Judge& judge) const {
    const Cell first = moved<D>(centre, row, -1);
    std::size_t low = 0;
    std::size_t high = placed_.size();
    while (low < high) {
      judge.counter().examinations(1);
      const std::size_t middle = low + (high - low) / 2;
      if (before<D>(placed_[middle].cell, first))
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  std::vector<Placed> placed_;
};

}  // namespace abut
