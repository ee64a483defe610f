#pragma once

#include <abut/spheres.hpp>

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

}  // namespace abut
