#pragma once

#include <abut/box.hpp>
#include <abut/error.hpp>
#include <abut/spheres.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace abut {

/// Uniform grid of cubic cells over a box. Two centers at most `cutoff` apart lie in the same cell
/// or in adjacent ones, despite rounding.
///
/// Proof: a cell coordinate is ⌊fl(fl(x − origin)·inverse_cell_size)⌋. Both roundings are monotonic
/// and have a relative error of at most u = 2⁻⁵³, so over n cells they shift a value by less than
/// 4·u·n cells. Cells that exceed the cutoff by the fraction 8·u·(n + 1) therefore never place a
/// pair two cells apart.
template <std::size_t D>
class Grid {
 public:
  using Cell = std::array<std::int32_t, D>;

  /// Limit at which cell coordinates, with a border of ghost cells, still fit into 32 bits.
  static constexpr double max_cells_per_axis = 2147483640.0;

  Grid() = default;

  /// Along the axes with `whole` set the cells must fit into the box: the last cell also covers the
  /// remainder, so `cell_coordinate` may return one more than the last coordinate there. All
  /// particle centers must be inside the box.
  Grid(const Box<D>& box, double cutoff, const std::array<bool, D>& whole = {}) : origin_(box.min) {
    double widest = 0;
    for (std::size_t k = 0; k < D; ++k)
      widest = std::max(widest, (box.max[k] - box.min[k]) / cutoff);
    inverse_cell_size_ = 1 / (cutoff * (1 + (widest + 4) * 0x1p-50));
    for (std::size_t k = 0; k < D; ++k) {
      const double last = (box.max[k] - box.min[k]) * inverse_cell_size_;
      fits_int32_ = fits_int32_ && last < max_cells_per_axis;  // checked before any cast
      cell_count_[k] = fits_int32_ ? static_cast<std::int32_t>(last) + 1 : 0;
      if (whole[k] && cell_count_[k] > 1) --cell_count_[k];
      cell_count_real_[k] = last + 1;
    }
  }

  /// Whether all cell coordinates fit into 32 bits; if not, only `cell_count_real` may be called.
  [[nodiscard]] bool fits_int32() const { return fits_int32_; }

  /// Number of cells along axis k, as an integer and as a double that cannot overflow.
  [[nodiscard]] std::int32_t cell_count(std::size_t k) const { return cell_count_[k]; }
  [[nodiscard]] double cell_count_real(std::size_t k) const { return cell_count_real_[k]; }

  /// Cell coordinate, from 0, along axis k of a point inside the box.
  [[nodiscard]] std::int32_t cell_coordinate(std::size_t k, double x) const {
    return static_cast<std::int32_t>((x - origin_[k]) * inverse_cell_size_);
  }

  /// Cell coordinate of x + offset. The offset is added after the grid's origin is subtracted,
  /// since far from the global origin x + offset would lose digits.
  [[nodiscard]] std::int32_t cell_coordinate(std::size_t k, double x, double offset) const {
    return static_cast<std::int32_t>((x - origin_[k] + offset) * inverse_cell_size_);
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

/// The cell size: the cutoff, or larger where the number of cells along an axis would exceed its
/// limit (0: no limit).
template <std::size_t D>
double cell_size_for(const Box<D>& box, double cutoff, std::int32_t max_cells_per_axis) {
  if (max_cells_per_axis > 0)
    for (std::size_t k = 0; k < D; ++k)
      cutoff = std::max(cutoff, (box.max[k] - box.min[k]) / max_cells_per_axis);
  return cutoff;
}

/// Throws `Error` unless all cell coordinates fit into 32 bits. A search method calls this for each
/// grid that it makes itself, before it converts a position to a cell.
template <std::size_t D>
void check_cell_coordinates(const Grid<D>& grid) {
  if (!grid.fits_int32())
    throw Error("cell numbers beyond 32 bits; use another method", ErrorCode::unsupported);
}

/// Half stencil: the neighbors against which a cell is searched so that every pair of adjacent
/// cells is visited once. These are the preceding cell in its own row and all three columns of the
/// rows
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

/// Full stencil: all neighboring rows, including the cell's own.
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

/// A grid that stays in place while particles move, for methods that keep data from one search to
/// the next. It is rebuilt only when a particle leaves it or the cutoff has changed too much.
///
/// The grid is padded on every side by a whole number of cells plus a half. The centers of a
/// lattice of touching particles then lie far from cell faces, so that small motion changes no
/// cell. The limit for the number of cells along an axis includes the padding.
template <std::size_t D>
class PersistentGrid {
 public:
  /// Rebuilds the grid if it does not suit the box, the cutoff and the limit for the number of
  /// cells along an axis (0: no limit); returns whether it did. Throws `Error` if the cell
  /// coordinates do not fit into 32 bits.
  bool update(const Box<D>& box, double cutoff, std::int32_t max_cells_per_axis) {
    if (suits(box, cutoff, max_cells_per_axis)) return false;
    // Cutoffs include a rounding slack that grows with the box; this alone must not cause a
    // rebuild.
    cutoff *= 1 + 0x1p-30;
    box_ = box;
    for (std::size_t k = 0; k < D; ++k) {
      const double padding = (std::floor((box.max[k] - box.min[k]) / (32 * cutoff)) + 1.5) * cutoff;
      box_.min[k] -= padding;
      box_.max[k] += padding;
    }
    const auto grid_over = [&](const Box<D>& covered) {
      return Grid<D>(covered, cell_size_for(covered, cutoff, max_cells_per_axis));
    };
    cutoff_ = 0;  // not built, until its cells are known to fit
    grid_ = grid_over(box_);
    if (!grid_.fits_int32()) grid_ = grid_over(box_ = box);
    check_cell_coordinates(grid_);
    cutoff_ = cutoff;
    max_cells_per_axis_ = max_cells_per_axis;
    unpadded_cell_size_ = cell_size_for(box, cutoff, max_cells_per_axis);
    return true;
  }

  [[nodiscard]] const Grid<D>& grid() const { return grid_; }

  /// Upper bound of the cells along an axis, given the number of cells of a grid without padding
  /// that has the same limit.
  static double padded_cell_count(double cells) { return cells * (1 + 1.0 / 16) + 4; }

 private:
  [[nodiscard]] bool suits(const Box<D>& box, double cutoff,
                           std::int32_t max_cells_per_axis) const {
    if (cutoff > cutoff_ || cutoff < 0.9 * cutoff_) return false;
    if (max_cells_per_axis != max_cells_per_axis_) return false;
    // Cells enlarged for a box that has shrunk since would contain too many particles.
    if (cell_size_for(box, cutoff, max_cells_per_axis) < 0.5 * unpadded_cell_size_) return false;
    for (std::size_t k = 0; k < D; ++k)
      if (box.min[k] < box_.min[k] || box.max[k] > box_.max[k]) return false;
    return true;
  }

  Grid<D> grid_;
  Box<D> box_{};
  double cutoff_ = 0;  // 0: not built yet
  std::int32_t max_cells_per_axis_ = 0;
  double unpadded_cell_size_ = 0;  // with the limit, for the box without padding
};

// Lexicographic order of cells: cells within a row, rows within a layer, layers in space.

/// Munjiza, Rougier, John (2006), equation (7): the last axis is the most significant.
template <std::size_t D>
bool cell_precedes(const typename Grid<D>::Cell& a, const typename Grid<D>::Cell& b) {
  for (std::size_t k = D - 1; k > 0; --k)
    if (a[k] != b[k]) return a[k] < b[k];
  return a[0] < b[0];
}

/// Equality by a loop, which is faster than the memcmp that std::array calls.
template <std::size_t D>
bool same_cell(const typename Grid<D>::Cell& a, const typename Grid<D>::Cell& b) {
  for (std::size_t k = 0; k < D; ++k)
    if (a[k] != b[k]) return false;
  return true;
}

/// The cell displaced by `row` along the axes 1 … D−1 and by `column` along axis 0.
template <std::size_t D>
typename Grid<D>::Cell offset_cell(typename Grid<D>::Cell cell, const std::array<int, D - 1>& row,
                                   int column) {
  cell[0] += column;
  for (std::size_t k = 1; k < D; ++k) cell[k] += row[k - 1];
  return cell;
}

/// The cell halfway between two cells in this order, with n[k] cells along axis k. Equation (13)
/// adds the two as mixed-radix numbers with one digit per axis, equation (14) halves the sum.
template <std::size_t D>
typename Grid<D>::Cell middle_cell(const typename Grid<D>::Cell& low,
                                   const typename Grid<D>::Cell& high,
                                   const std::array<std::int32_t, D>& n) {
  std::array<std::int64_t, D> sum;
  std::int64_t carry = 0;
  for (std::size_t k = 0; k < D; ++k) {
    sum[k] = std::int64_t{low[k]} + high[k] + carry;
    if (k + 1 == D) break;  // the most significant digit is unbounded
    carry = sum[k] / n[k];
    sum[k] %= n[k];
  }
  typename Grid<D>::Cell middle;
  std::int64_t remainder = 0;
  for (std::size_t k = D; k-- > 0;) {
    const std::int64_t digit = sum[k] + remainder * n[k];
    middle[k] = static_cast<std::int32_t>(digit / 2);
    remainder = digit % 2;
  }
  return middle;
}

}  // namespace abut
