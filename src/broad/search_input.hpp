#pragma once

#include <abut/detector_options.hpp>
#include <abut/spheres.hpp>
#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "core/contact_predicate.hpp"
#include "core/grid.hpp"
#include "core/input_checks.hpp"
#include "core/periodic_domain.hpp"

namespace abut {

/// What a method gets to work on: particles that have been checked, what they measure, and cells
/// that fit the largest of them.
template <std::size_t D>
struct SearchInput {
  Spheres<D> particles{};
  InputSummary<D> summary{};
  ContactPredicate<D> predicate{};
  Grid<D> grid{};
  Index fixed_count = 0;                ///< the first so many are walls
  double group_ratio = 2;               ///< MMR's α
  PeriodicDomain<D> periodic_domain{};  ///< for a method that looks across periodic faces itself

  /// What that takes: cells no longer than the period.
  [[nodiscard]] bool has_cells_in_every_period() const {
    for (std::size_t k = 0; k < D; ++k)
      if (periodic_domain.is_periodic[k] && !(grid.cell_count_real(k) >= 2)) return false;
    return true;
  }
};

/// How far apart two particles may be, and at least so much that `max_cells_per_axis` are enough.
template <std::size_t D>
double cell_size_for(const Box<D>& box, double reach, std::int32_t max_cells) {
  if (max_cells > 0)
    for (std::size_t k = 0; k < D; ++k)
      reach = std::max(reach, (box.max[k] - box.min[k]) / max_cells);
  return reach;
}

/// The task of these particles, of which there must be one at least. Along the axes of `period` the
/// cells divide the domain, elsewhere the box of the particles.
template <std::size_t D>
SearchInput<D> make_search_input(const Spheres<D>& particles, const InputSummary<D>& survey,
                                 const std::type_identity_t<DetectorOptions<D>>& options,
                                 const std::type_identity_t<PeriodicDomain<D>>& period = {}) {
  const ContactPredicate<D> reach(particles, options);
  Box<D> box = survey.center_box;
  for (std::size_t k = 0; k < D; ++k) {
    if (!period.is_periodic[k]) continue;
    box.min[k] = period.origin[k];
    box.max[k] = period.origin[k] + period.length[k];
  }
  const double largest = reach.cutoff(survey.max_radius, survey.max_radius);
  return {.particles = particles,
          .summary = survey,
          .predicate = reach,
          .grid = Grid<D>(box, cell_size_for(box, largest, options.max_cells_per_axis),
                          period.is_periodic),
          .fixed_count = static_cast<Index>(options.fixed_count),
          .group_ratio = options.group_ratio,
          .periodic_domain = period};
}

}  // namespace abut
