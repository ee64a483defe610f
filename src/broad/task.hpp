#pragma once

#include <abut/spheres.hpp>

#include "core/grid.hpp"

namespace abut {

/// What a method gets to work on: particles that have been checked, and cells that fit the
/// largest of them.
template <std::size_t D>
struct Task {
  Spheres<D> particles;
  Grid<D> grid;
};

}  // namespace abut
