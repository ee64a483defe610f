#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/grid.hpp"
#include "core/reach.hpp"
#include "core/survey.hpp"

namespace abut {

/// Radii enlarged so that the bodies of every pair meet: by half the margin, and by more than all
/// rounding. Methods that put a particle into every cell its body meets need no more.
///
/// Why that holds: a pair's centres are at most the reach apart, up to a few u of it (u = 2⁻⁵³).
/// Measured from a corner of the box they are wrong by u times its width at most, and so are the
/// ends of the bodies; both are far less than what is added here.
template <std::size_t D>
class Body {
 public:
  Body() = default;
  Body(const Survey<D>& survey, const Reach<D>& reach) : reach_(reach) {
    double width = 0;
    for (std::size_t k = 0; k < D; ++k)
      width = std::max(width, survey.box.max[k] - survey.box.min[k]);
    slack_ = 0x1p-49 * (width + reach.of(survey.largest_radius, survey.largest_radius));
    largest_ = radius(survey.largest_radius);
    for (std::size_t k = 0; k < D; ++k) {
      box_.min[k] = survey.box.min[k] - room(survey.box.min[k]);
      box_.max[k] = survey.box.max[k] + room(survey.box.max[k]);
    }
  }

  [[nodiscard]] double radius(double bare) const {
    return reach_.of(bare, bare) * (0.5 + 0x1p-49) + slack_;
  }
  [[nodiscard]] double largest() const { return largest_; }

  /// A box around all bodies.
  [[nodiscard]] const Box<D>& box() const { return box_; }

 private:
  // Enough for a body, also where the digits of x are coarser than bodies.
  [[nodiscard]] double room(double x) const { return 2 * largest_ + 0x1p-50 * std::abs(x); }

  Reach<D> reach_;
  double slack_ = 0;
  double largest_ = 0;
  Box<D> box_{};
};

/// The cells a body's box meets: from `low` to `high` along every axis.
template <std::size_t D>
struct CellBlock {
  typename Grid<D>::Cell low;
  typename Grid<D>::Cell high;
};

template <std::size_t D>
CellBlock<D> cells_met(const Grid<D>& grid, const Body<D>& body, const Spheres<D>& particles,
                       std::size_t i) {
  const double radius = body.radius(particles.radius()[i]);
  CellBlock<D> block;
  for (std::size_t k = 0; k < D; ++k) {
    const double x = particles.axis(k)[i];
    block.low[k] = grid.along(k, x, -radius);
    block.high[k] = grid.along(k, x, radius);
  }
  return block;
}

/// Of all cells two bodies share, their pair is dealt with in the lowest along every axis, and so
/// once. That is the cell in which, along each axis, one or the other begins: these are the axes,
/// as bits, along which a body begins in a cell.
template <std::size_t D>
unsigned begins(const typename Grid<D>::Cell& cell, const CellBlock<D>& block) {
  unsigned axes = 0;
  for (std::size_t k = 0; k < D; ++k) axes |= static_cast<unsigned>(cell[k] == block.low[k]) << k;
  return axes;
}

template <std::size_t D>
constexpr unsigned all_axes = (1U << D) - 1;

}  // namespace abut
