#pragma once

#include <abut/box.hpp>
#include <cstdint>
#include <vector>

#include "walls/facets.hpp"
#include "walls/wall_body.hpp"

namespace abut {

/// How far it is to the nearest piece from the middle of every cell of a coarse grid, rounded down
/// to sixteenths of a cell. It tells at a glance that a particle is far from every wall.
///
/// Near pieces the distance is measured; elsewhere it follows from the number of free cells around.
/// A particle outside the grid is moved onto it: that brings it no farther from anything inside.
template <std::size_t D>
class Clearance {
 public:
  Clearance() = default;
  static constexpr int most_away = 16;  ///< cells, farther is not told apart

  /// For pieces in these boxes, all of them in a cube; with at most so many cells, and not able to
  /// tell what is farther than some cells.
  Clearance(const Facets<D>& facets, const std::vector<Box<D>>& boxes, const Box<D>& around,
            double side, double most_cells, int farthest = most_away);

  /// Whether no piece can be within `reach` of the point.
  [[nodiscard]] bool free(const Point<D>& point, double reach) const {
    std::int32_t cell = 0;
    double off = 0;
    for (std::size_t k = 0; k < D; ++k) step(k, point[k], cell, off);
    return free(cell, off, reach);
  }

  /// The same for many, some of which are picked: those that may not be free. An axis at a time,
  /// so that the compiler can do several at once.
  void pick(const Block<D>& block, Picked& picked) const {
    std::array<std::int32_t, Block<D>::most> cells{};
    std::array<double, Block<D>::most> off{};
    for (std::size_t k = 0; k < D; ++k)
      for (std::size_t i = 0; i < block.size; ++i) step(k, block.axes[k][i], cells[i], off[i]);
    for (std::size_t i = 0; i < block.size; ++i)
      picked.offer(i, !free(cells[i], off[i], block.reach[i]));
  }

  [[nodiscard]] std::size_t bytes() const { return steps_.size(); }

 private:
  // Adds to the number of the cell and to the square of the distance from its middle.
  void step(std::size_t axis, double x, std::int32_t& cell, double& off) const {
    const double at = std::min(std::max((x - min_[axis]) * per_cell_, 0.0), last_[axis]);
    const auto whole = static_cast<std::int32_t>(at);
    const double from_middle = at - whole - 0.5;
    off += from_middle * from_middle;
    cell += whole * stride_[axis];
  }

  [[nodiscard]] bool free(std::int32_t cell, double off, double reach) const {
    const double left =
        steps_[static_cast<std::size_t>(cell)] * (1.0 / fineness) - reach * per_cell_;
    return left * std::abs(left) > off;  // off is not below 0, so left is above
  }

  static constexpr int fineness = 16;
  static constexpr int most = 255;

  // The cells along each axis that a span of coordinates meets, widened by `more` cells.
  struct Range {
    std::int32_t first;
    std::int32_t last;
  };
  [[nodiscard]] Range range(std::size_t axis, double low, double high, double more) const;

  void choose_cells(const std::vector<Box<D>>& boxes, const Box<D>& around, double side,
                    double most_cells);
  [[nodiscard]] double work(const std::vector<Box<D>>& boxes) const;
  void measure(const Facets<D>& facets, const std::vector<Box<D>>& boxes);
  void measure_row(const Facets<D>& facets, std::size_t piece, Point<D> middle, Range row,
                   std::size_t first);
  void spread();
  [[nodiscard]] std::vector<std::uint8_t> count_cells(int through) const;

  Point<D> min_{};
  Point<D> last_{};  // the largest place along each axis
  std::array<std::int32_t, D> count_{};
  std::array<std::int32_t, D> stride_{};
  double cell_ = 0;
  double per_cell_ = 0;
  int farthest_ = most_away;
  std::vector<std::uint8_t> steps_;
};

extern template class Clearance<2>;
extern template class Clearance<3>;

}  // namespace abut
