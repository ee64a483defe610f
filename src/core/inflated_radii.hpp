#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/contact_predicate.hpp"
#include "core/grid.hpp"
#include "core/input_checks.hpp"

namespace abut {

/// Radii enlarged so that the bodies of every pair meet: by half the margin, and by more than all
/// rounding. Methods that put a particle into every cell its body meets need no more.
///
/// Why that holds: a pair's centres are at most the reach apart, up to a few u of it (u = 2⁻⁵³).
/// Measured from a corner of the box they are wrong by u times its width at most, and so are the
/// ends of the bodies; both are far less than what is added here.
template <std::size_t D>
class InflatedRadii {
 public:
  InflatedRadii() = default;
  InflatedRadii(const InputSummary<D>& survey, const ContactPredicate<D>& reach)
      : predicate_(reach) {
    double width = 0;
    for (std::size_t k = 0; k < D; ++k)
      width = std::max(width, survey.center_box.max[k] - survey.center_box.min[k]);
    rounding_slack_ = 0x1p-49 * (width + reach.cutoff(survey.max_radius, survey.max_radius));
    max_radius_ = radius(survey.max_radius);
    for (std::size_t k = 0; k < D; ++k) {
      bounding_box_.min[k] = survey.center_box.min[k] - padding(survey.center_box.min[k]);
      bounding_box_.max[k] = survey.center_box.max[k] + padding(survey.center_box.max[k]);
    }
  }

  [[nodiscard]] double radius(double bare) const {
    return predicate_.cutoff(bare, bare) * (0.5 + 0x1p-49) + rounding_slack_;
  }
  [[nodiscard]] double max_radius() const { return max_radius_; }

  /// A box around all bodies.
  [[nodiscard]] const Box<D>& bounding_box() const { return bounding_box_; }

 private:
  // Enough for a body, also where the digits of x are coarser than bodies.
  [[nodiscard]] double padding(double x) const { return 2 * max_radius_ + 0x1p-50 * std::abs(x); }

  ContactPredicate<D> predicate_;
  double rounding_slack_ = 0;
  double max_radius_ = 0;
  Box<D> bounding_box_{};
};

/// The cells a body's box meets: from `low` to `high` along every axis.
template <std::size_t D>
struct CellRange {
  typename Grid<D>::Cell low;
  typename Grid<D>::Cell high;
};

template <std::size_t D>
CellRange<D> overlapped_cells(const Grid<D>& grid, const InflatedRadii<D>& body,
                              const Spheres<D>& particles, std::size_t i) {
  const double radius = body.radius(particles.radii()[i]);
  CellRange<D> block;
  for (std::size_t k = 0; k < D; ++k) {
    const double x = particles.coordinates(k)[i];
    block.low[k] = grid.cell_coordinate(k, x, -radius);
    block.high[k] = grid.cell_coordinate(k, x, radius);
  }
  return block;
}

/// Of all cells two bodies share, their pair is dealt with in the lowest along every axis, and so
/// once. That is the cell in which, along each axis, one or the other begins: these are the axes,
/// as bits, along which a body begins in a cell.
template <std::size_t D>
unsigned axes_starting_in(const typename Grid<D>::Cell& cell, const CellRange<D>& block) {
  unsigned axes = 0;
  for (std::size_t k = 0; k < D; ++k) axes |= static_cast<unsigned>(cell[k] == block.low[k]) << k;
  return axes;
}

template <std::size_t D>
constexpr unsigned all_axes_mask = (1U << D) - 1;

}  // namespace abut
