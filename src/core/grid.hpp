#pragma once

#include <abut/box.hpp>
#include <abut/spheres.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace abut {

/// Equal cubic cells over a box. Two centres at most `reach` apart lie in the same cell or in
/// neighbouring ones, whatever the rounding.
///
/// Why that holds: a cell number is ⌊fl(fl(x − origin)·inverse)⌋. Both roundings keep order and
/// are relative, so over n cells they move a value by less than 4·u·n cells (u = 2⁻⁵³). Cells
/// larger than the reach by 8·u·(n + 1) of itself therefore never put a pair two cells apart.
template <std::size_t D>
class Grid {
 public:
  using Cell = std::array<std::int32_t, D>;

  /// More cells along an axis than this have no 32-bit number (with room for a border of ghosts).
  static constexpr double max_cells_per_axis = 2147483640.0;

  Grid() = default;

  /// Along the axes marked `whole` cells have to fit into the box: what is left over belongs to the
  /// last, whose number `along` may exceed by one.
  Grid(const Box<D>& box, double reach, const std::array<bool, D>& whole = {}) : origin_(box.min) {
    double widest = 0;
    for (std::size_t k = 0; k < D; ++k)
      widest = std::max(widest, (box.max[k] - box.min[k]) / reach);
    inverse_cell_size_ = 1 / (reach * (1 + (widest + 4) * 0x1p-50));
    for (std::size_t k = 0; k < D; ++k) {
      const double last = (box.max[k] - box.min[k]) * inverse_cell_size_;
      fits_int32_ = fits_int32_ && last < max_cells_per_axis;  // checked before any cast
      cell_count_[k] = fits_int32_ ? static_cast<std::int32_t>(last) + 1 : 0;
      if (whole[k] && cell_count_[k] > 1) --cell_count_[k];
      cell_count_real_[k] = last + 1;
    }
  }

  /// Whether every cell coordinate is a 32-bit number; if not, only `cell_count_real` may be asked
  /// for.
  [[nodiscard]] bool fits_int32() const { return fits_int32_; }

  /// Number of cells along axis k, and the same as a real number that cannot overflow.
  [[nodiscard]] std::int32_t cell_count(std::size_t k) const { return cell_count_[k]; }
  [[nodiscard]] double cell_count_real(std::size_t k) const { return cell_count_real_[k]; }

  /// Cell coordinate along axis k of a centre inside the box; the numbers start at 0.
  [[nodiscard]] std::int32_t cell_coordinate(std::size_t k, double x) const {
    return static_cast<std::int32_t>((x - origin_[k]) * inverse_cell_size_);
  }

  /// The same for a point `shift` away from x. It is added where numbers are small: far from the
  /// origin of the coordinates, x + shift would lose digits that x has.
  [[nodiscard]] std::int32_t cell_coordinate(std::size_t k, double x, double shift) const {
    return static_cast<std::int32_t>((x - origin_[k] + shift) * inverse_cell_size_);
  }

  /// The cell of particle i.
  [[nodiscard]] Cell cell_of(const Spheres<D>& particles, std::size_t i) const {
    Cell cell;
    for (std::size_t k = 0; k < D; ++k) cell[k] = cell_coordinate(k, particles.coordinates(k)[i]);
    return cell;
  }

  [[nodiscard]] double cell_size() const { return 1 / inverse_cell_size_; }
  [[nodiscard]] double origin(std::size_t k) const { return origin_[k]; }

 private:
  std::array<double, D> origin_{};
  double inverse_cell_size_ = 0;
  std::array<std::int32_t, D> cell_count_{};
  std::array<double, D> cell_count_real_{};
  bool fits_int32_ = true;
};

/// The neighbours with which a cell is checked so that every two neighbouring cells meet once:
/// the one before it in its own row, and all of the three columns in each of these rows.
///
///     2D:  (−1)                 3D:  (−1, 0) (−1, −1) (0, −1) (+1, −1)      as (Δy) or (Δy, Δz)
template <std::size_t D>
struct HalfStencil;

template <>
struct HalfStencil<2> {
  static constexpr std::array<std::array<int, 1>, 1> rows{{{-1}}};
};

template <>
struct HalfStencil<3> {
  static constexpr std::array<std::array<int, 2>, 4> rows{{{-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
};

/// All rows of neighbours, the cell's own among them.
template <std::size_t D>
struct FullStencil;

template <>
struct FullStencil<2> {
  static constexpr std::array<std::array<int, 1>, 3> rows{{{-1}, {0}, {1}}};
};

template <>
struct FullStencil<3> {
  static constexpr std::array<std::array<int, 2>, 9> rows{
      {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {0, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
};

/// Cells that stay where they are while the particles move, for methods that keep what they know
/// from one search to the next. They are laid out anew only when a particle leaves them or the
/// reach no longer suits them.
///
/// There is room for motion on every side, in whole cells and a half: a lattice of touching
/// particles then has its centres far from the faces, where a small motion changes no cell.
template <std::size_t D>
class PersistentGrid {
 public:
  /// Makes the cells suit; returns whether they are new.
  bool update(const Box<D>& box, double reach) {
    if (covers(box, reach)) return false;
    // What is added to the reach for rounding grows with the box; that alone is no reason.
    reach *= 1 + 0x1p-30;
    box_ = box;
    for (std::size_t k = 0; k < D; ++k) {
      const double room = (std::floor((box.max[k] - box.min[k]) / (32 * reach)) + 1.5) * reach;
      box_.min[k] -= room;
      box_.max[k] += room;
    }
    grid_ = Grid<D>(box_, reach);
    if (!grid_.fits_int32()) grid_ = Grid<D>(box_ = box, reach);
    cutoff_ = reach;
    return true;
  }

  [[nodiscard]] const Grid<D>& grid() const { return grid_; }

  /// At most this many times the cells of a grid without room, and a few.
  static double padded_cell_count(double cells) { return cells * (1 + 1.0 / 16) + 4; }

 private:
  [[nodiscard]] bool covers(const Box<D>& box, double reach) const {
    if (reach > cutoff_ || reach < 0.9 * cutoff_) return false;
    for (std::size_t k = 0; k < D; ++k)
      if (box.min[k] < box_.min[k] || box.max[k] > box_.max[k]) return false;
    return true;
  }

  Grid<D> grid_;
  Box<D> box_{};
  double cutoff_ = 0;  // 0: no cells yet
};

// Cells in a row, rows in a layer, layers in space: the order in which sorted lists of particles
// have a spatial meaning.

/// Munjiza, Rougier, John (2006), ordering (7): the last axis weighs most.
template <std::size_t D>
bool cell_precedes(const typename Grid<D>::Cell& a, const typename Grid<D>::Cell& b) {
  for (std::size_t k = D - 1; k > 0; --k)
    if (a[k] != b[k]) return a[k] < b[k];
  return a[0] < b[0];
}

/// Written out: std::array would call memcmp for a few bytes.
template <std::size_t D>
bool same_cell(const typename Grid<D>::Cell& a, const typename Grid<D>::Cell& b) {
  for (std::size_t k = 0; k < D; ++k)
    if (a[k] != b[k]) return false;
  return true;
}

/// The cell in another row, `column` cells further.
template <std::size_t D>
typename Grid<D>::Cell offset_cell(typename Grid<D>::Cell cell, const std::array<int, D - 1>& row,
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
