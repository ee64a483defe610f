#pragma once

#include <abut/options.hpp>
#include <abut/spheres.hpp>
#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "core/grid.hpp"
#include "core/period.hpp"
#include "core/reach.hpp"
#include "core/survey.hpp"

namespace abut {

/// What a method gets to work on: particles that have been checked, what they measure, and cells
/// that fit the largest of them.
template <std::size_t D>
struct Task {
  Spheres<D> particles{};
  Survey<D> survey{};
  Reach<D> reach{};
  Grid<D> grid{};
  Index fixed = 0;         ///< the first so many are walls
  double group_ratio = 2;  ///< MMR's α
  Period<D> period{};      ///< for a method that looks across periodic faces itself

  /// What that takes: cells no longer than the period.
  [[nodiscard]] bool has_cell_in_each_period() const {
    for (std::size_t k = 0; k < D; ++k)
      if (period.along[k] && !(grid.real_cells(k) >= 2)) return false;
    return true;
  }
};

/// How far apart two particles may be, and at least so much that `max_cells` are enough.
template <std::size_t D>
double cell_for(const Box<D>& box, double reach, std::int32_t max_cells) {
  if (max_cells > 0)
    for (std::size_t k = 0; k < D; ++k)
      reach = std::max(reach, (box.max[k] - box.min[k]) / max_cells);
  return reach;
}

/// The task of these particles, of which there must be one at least. Along the axes of `period` the
/// cells divide the domain, elsewhere the box of the particles.
template <std::size_t D>
Task<D> make_task(const Spheres<D>& particles, const Survey<D>& survey,
                  const std::type_identity_t<Options<D>>& options,
                  const std::type_identity_t<Period<D>>& period = {}) {
  const Reach<D> reach(particles, options);
  Box<D> box = survey.box;
  for (std::size_t k = 0; k < D; ++k) {
    if (!period.along[k]) continue;
    box.min[k] = period.origin[k];
    box.max[k] = period.origin[k] + period.length[k];
  }
  const double largest = reach.of(survey.largest_radius, survey.largest_radius);
  return {.particles = particles,
          .survey = survey,
          .reach = reach,
          .grid = Grid<D>(box, cell_for(box, largest, options.max_cells), period.along),
          .fixed = static_cast<Index>(options.fixed),
          .group_ratio = options.group_ratio,
          .period = period};
}

}  // namespace abut
