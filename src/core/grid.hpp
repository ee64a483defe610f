#pragma once

#include <abut/box.hpp>
#include <abut/spheres.hpp>
#include <algorithm>
#include <array>
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
  static constexpr double most_cells = 2147483640.0;

  Grid() = default;

  /// Along the axes marked `whole` cells have to fit into the box: what is left over belongs to the
  /// last, whose number `along` may exceed by one.
  Grid(const Box<D>& box, double reach, const std::array<bool, D>& whole = {}) : origin_(box.min) {
    double widest = 0;
    for (std::size_t k = 0; k < D; ++k)
      widest = std::max(widest, (box.max[k] - box.min[k]) / reach);
    inverse_ = 1 / (reach * (1 + (widest + 4) * 0x1p-50));
    for (std::size_t k = 0; k < D; ++k) {
      const double last = (box.max[k] - box.min[k]) * inverse_;
      fits_ = fits_ && last < most_cells;  // checked before any cast
      cells_[k] = fits_ ? static_cast<std::int32_t>(last) + 1 : 0;
      if (whole[k] && cells_[k] > 1) --cells_[k];
      real_cells_[k] = last + 1;
    }
  }

  /// Whether every cell coordinate is a 32-bit number; if not, only `real_cells` may be asked for.
  [[nodiscard]] bool fits() const { return fits_; }

  /// Number of cells along axis k, and the same as a real number that cannot overflow.
  [[nodiscard]] std::int32_t cells(std::size_t k) const { return cells_[k]; }
  [[nodiscard]] double real_cells(std::size_t k) const { return real_cells_[k]; }

  /// Cell coordinate along axis k of a centre inside the box; the numbers start at 0.
  [[nodiscard]] std::int32_t along(std::size_t k, double x) const {
    return static_cast<std::int32_t>((x - origin_[k]) * inverse_);
  }

  /// The same for a point `shift` away from x. It is added where numbers are small: far from the
  /// origin of the coordinates, x + shift would lose digits that x has.
  [[nodiscard]] std::int32_t along(std::size_t k, double x, double shift) const {
    return static_cast<std::int32_t>((x - origin_[k] + shift) * inverse_);
  }

  /// The cell of particle i.
  [[nodiscard]] Cell cell_of(const Spheres<D>& particles, std::size_t i) const {
    Cell cell;
    for (std::size_t k = 0; k < D; ++k) cell[k] = along(k, particles.axis(k)[i]);
    return cell;
  }

  [[nodiscard]] double cell_size() const { return 1 / inverse_; }
  [[nodiscard]] double origin(std::size_t k) const { return origin_[k]; }

 private:
  std::array<double, D> origin_{};
  double inverse_ = 0;
  std::array<std::int32_t, D> cells_{};
  std::array<double, D> real_cells_{};
  bool fits_ = true;
};

}  // namespace abut
