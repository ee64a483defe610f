#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/contact_predicate.hpp"
#include "core/grid.hpp"
#include "core/input_checks.hpp"

namespace abut {

/// Radii inflated to half the cutoff plus a bound on all rounding errors, so that the inflated
/// spheres of every pair overlap. A method that inserts each particle into all cells its inflated
/// sphere overlaps therefore finds every pair.
///
/// Rounding: the centers of a pair are at most the cutoff apart, up to a relative error of a few
/// u = 2⁻⁵³. Coordinates relative to a corner of the box have an absolute error of at most u times
/// the box width, and so have the ends of the inflated spheres. The slack added here is far larger
/// than both.
template <std::size_t D>
class InflatedRadii {
 public:
  InflatedRadii() = default;
  InflatedRadii(const InputSummary<D>& input, const ContactPredicate<D>& predicate)
      : predicate_(predicate) {
    double width = 0;
    for (std::size_t k = 0; k < D; ++k)
      width = std::max(width, input.center_box.max[k] - input.center_box.min[k]);
    rounding_slack_ = 0x1p-49 * (width + predicate.cutoff(input.max_radius, input.max_radius));
    max_radius_ = radius(input.max_radius);
    for (std::size_t k = 0; k < D; ++k) {
      bounding_box_.min[k] = input.center_box.min[k] - padding(input.center_box.min[k]);
      bounding_box_.max[k] = input.center_box.max[k] + padding(input.center_box.max[k]);
    }
  }

  /// Inflated radius of a particle.
  [[nodiscard]] double radius(double particle_radius) const {
    return predicate_.cutoff(particle_radius, particle_radius) * (0.5 + 0x1p-49) + rounding_slack_;
  }
  [[nodiscard]] double max_radius() const { return max_radius_; }

  /// Contains all inflated spheres.
  [[nodiscard]] const Box<D>& bounding_box() const { return bounding_box_; }

 private:
  // At least an inflated radius, also where the spacing of doubles at x exceeds it.
  [[nodiscard]] double padding(double x) const { return 2 * max_radius_ + 0x1p-50 * std::abs(x); }

  ContactPredicate<D> predicate_;
  double rounding_slack_ = 0;
  double max_radius_ = 0;
  Box<D> bounding_box_{};
};

/// A block of cells, from `low` to `high` inclusive along every axis.
template <std::size_t D>
struct CellRange {
  typename Grid<D>::Cell low;
  typename Grid<D>::Cell high;
};

/// The cells that the bounding box of particle i's inflated sphere overlaps.
template <std::size_t D>
CellRange<D> overlapped_cells(const Grid<D>& grid, const InflatedRadii<D>& radii,
                              const Spheres<D>& particles, std::size_t i) {
  const double radius = radii.radius(particles.radii()[i]);
  CellRange<D> range;
  for (std::size_t k = 0; k < D; ++k) {
    const double x = particles.coordinates(k)[i];
    range.low[k] = grid.cell_coordinate(k, x, -radius);
    range.high[k] = grid.cell_coordinate(k, x, radius);
  }
  return range;
}

/// Bit mask of the axes along which `range` starts in `cell`. Two particles that share several
/// cells are tested once, in their lowest common cell along every axis: the cell in which, along
/// each axis, at least one of the two ranges starts.
template <std::size_t D>
unsigned axes_starting_in(const typename Grid<D>::Cell& cell, const CellRange<D>& range) {
  unsigned axes = 0;
  for (std::size_t k = 0; k < D; ++k) axes |= static_cast<unsigned>(cell[k] == range.low[k]) << k;
  return axes;
}

/// The mask with the bits of all axes set.
template <std::size_t D>
constexpr unsigned all_axes_mask = (1U << D) - 1;

}  // namespace abut
