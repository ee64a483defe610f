#pragma once

#include <abut/options.hpp>
#include <abut/spheres.hpp>
#include <cstddef>
#include <type_traits>

#include "core/grid.hpp"
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
};

/// The task of these particles, of which there must be one at least.
template <std::size_t D>
Task<D> make_task(const Spheres<D>& particles, const Survey<D>& survey,
                  const std::type_identity_t<Options<D>>& options) {
  const Reach<D> reach(particles, options);
  const double largest = reach.of(survey.largest_radius, survey.largest_radius);
  return {.particles = particles,
          .survey = survey,
          .reach = reach,
          .grid = Grid<D>(survey.box, largest),
          .fixed = static_cast<Index>(options.fixed),
          .group_ratio = options.group_ratio};
}

}  // namespace abut
