#pragma once

#include <array>
#include <cstddef>

#include "core/grid.hpp"

namespace abut {

// Cells in a row, rows in a layer, layers in space: the order in which sorted lists of particles
// have a spatial meaning.

/// Munjiza, Rougier, John (2005), ordering (7): the last axis weighs most.
template <std::size_t D>
bool before(const typename Grid<D>::Cell& a, const typename Grid<D>::Cell& b) {
  for (std::size_t k = D - 1; k > 0; --k)
    if (a[k] != b[k]) return a[k] < b[k];
  return a[0] < b[0];
}

/// The cell in the same column of another row.
template <std::size_t D>
typename Grid<D>::Cell moved(typename Grid<D>::Cell cell, const std::array<int, D - 1>& row) {
  for (std::size_t k = 1; k < D; ++k) cell[k] += row[k - 1];
  return cell;
}

}  // namespace abut
