#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/grid.hpp"

namespace abut {

// Cells in a row, rows in a layer, layers in space: the order in which sorted lists of particles
// have a spatial meaning.

/// Munjiza, Rougier, John (2006), ordering (7): the last axis weighs most.
template <std::size_t D>
bool before(const typename Grid<D>::Cell& a, const typename Grid<D>::Cell& b) {
  for (std::size_t k = D - 1; k > 0; --k)
    if (a[k] != b[k]) return a[k] < b[k];
  return a[0] < b[0];
}

/// Written out: std::array would call memcmp for a few bytes.
template <std::size_t D>
bool same(const typename Grid<D>::Cell& a, const typename Grid<D>::Cell& b) {
  for (std::size_t k = 0; k < D; ++k)
    if (a[k] != b[k]) return false;
  return true;
}

/// The cell in another row, `column` cells further.
template <std::size_t D>
typename Grid<D>::Cell moved(typename Grid<D>::Cell cell, const std::array<int, D - 1>& row,
                             int column) {
  cell[0] += column;
  for (std::size_t k = 1; k < D; ++k) cell[k] += row[k - 1];
  return cell;
}

/// The cell half way between two in this order, with n[k] cells along axis k: (13) adds the two as
/// numbers with a digit for each axis, (14) halves the sum.
template <std::size_t D>
typename Grid<D>::Cell middle_cell(const typename Grid<D>::Cell& low,
                                   const typename Grid<D>::Cell& high,
                                   const std::array<std::int32_t, D>& n) {
  std::array<std::int64_t, D> sum;
  std::int64_t carry = 0;
  for (std::size_t k = 0; k < D; ++k) {
    sum[k] = std::int64_t{low[k]} + high[k] + carry;
    if (k + 1 == D) break;  // the first digit has no limit
    carry = sum[k] / n[k];
    sum[k] %= n[k];
  }
  typename Grid<D>::Cell middle;
  std::int64_t rest = 0;
  for (std::size_t k = D; k-- > 0;) {
    const std::int64_t digit = sum[k] + rest * n[k];
    middle[k] = static_cast<std::int32_t>(digit / 2);
    rest = digit % 2;
  }
  return middle;
}

}  // namespace abut
