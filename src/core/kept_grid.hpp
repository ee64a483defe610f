#pragma once

#include <cmath>
#include <cstddef>

#include "core/grid.hpp"

namespace abut {

/// Cells that stay where they are while the particles move, for methods that keep what they know
/// from one search to the next. They are laid out anew only when a particle leaves them or the
/// reach no longer suits them.
///
/// There is room for motion on every side, in whole cells and a half: a lattice of touching
/// particles then has its centres far from the faces, where a small motion changes no cell.
template <std::size_t D>
class KeptGrid {
 public:
  /// Makes the cells suit; returns whether they are new.
  bool cover(const Box<D>& box, double reach) {
    if (suits(box, reach)) return false;
    // What is added to the reach for rounding grows with the box; that alone is no reason.
    reach *= 1 + 0x1p-30;
    box_ = box;
    for (std::size_t k = 0; k < D; ++k) {
      const double room = (std::floor((box.max[k] - box.min[k]) / (32 * reach)) + 1.5) * reach;
      box_.min[k] -= room;
      box_.max[k] += room;
    }
    grid_ = Grid<D>(box_, reach);
    if (!grid_.fits()) grid_ = Grid<D>(box_ = box, reach);
    reach_ = reach;
    return true;
  }

  [[nodiscard]] const Grid<D>& grid() const { return grid_; }

  /// At most this many times the cells of a grid without room, and a few.
  static double cells_along(double cells) { return cells * (1 + 1.0 / 16) + 4; }

 private:
  [[nodiscard]] bool suits(const Box<D>& box, double reach) const {
    if (reach > reach_ || reach < 0.9 * reach_) return false;
    for (std::size_t k = 0; k < D; ++k)
      if (box.min[k] < box_.min[k] || box.max[k] > box_.max[k]) return false;
    return true;
  }

  Grid<D> grid_;
  Box<D> box_{};
  double reach_ = 0;  // 0: no cells yet
};

}  // namespace abut
