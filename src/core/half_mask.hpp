#pragma once

#include <array>

namespace abut {

/// The neighbours with which a cell is checked so that every two neighbouring cells meet once:
/// the one before it in its own row, and all of the three columns in each of these rows.
///
///     2D:  (−1)                 3D:  (−1, 0) (−1, −1) (0, −1) (+1, −1)      as (Δy) or (Δy, Δz)
template <std::size_t D>
struct HalfMask;

template <>
struct HalfMask<2> {
  static constexpr std::array<std::array<int, 1>, 1> rows{{{-1}}};
};

template <>
struct HalfMask<3> {
  static constexpr std::array<std::array<int, 2>, 4> rows{{{-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
};

/// All rows of neighbours, the cell's own among them.
template <std::size_t D>
struct FullMask;

template <>
struct FullMask<2> {
  static constexpr std::array<std::array<int, 1>, 3> rows{{{-1}, {0}, {1}}};
};

template <>
struct FullMask<3> {
  static constexpr std::array<std::array<int, 2>, 9> rows{
      {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {0, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
};

}  // namespace abut
