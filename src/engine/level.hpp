#pragma once

#include <abut/pair.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace abut {

/// A particle as the engine keeps it: its coordinates, then its radius, side by side.
template <std::size_t D>
using Centre = std::array<double, D + 1>;

/// The particles of similar size, and the cells they are sorted into. Two of them within reach are
/// in the same cell or in neighbouring ones. Cells lie in rows along the first axis of `order`; a
/// row has an empty cell at both ends, so that no search asks whether a neighbour exists.
///
/// Where particles are spread over much more space than there may be cells, an axis is folded: its
/// cells are counted modulo a power of two, and the last is a neighbour of the first. Particles
/// that only share a cell by being folded are far apart, and the predicate tells.
///
/// Why no pair is missed: truncation and clamping keep order and bring nothing further apart, and t
/// below is wrong by less than 4·u·|t| (u = 2⁻⁵³). The plan makes cells larger than the reach by
/// more than that.
template <std::size_t D>
struct Level {
  std::array<double, D> origin{};
  double inverse = 1;                   ///< of the size of a cell
  std::array<std::size_t, D> order{};   ///< axes: along a row, from row to row, layer to layer
  std::array<std::int32_t, D> cells{};  ///< how many, in that order
  std::array<bool, D> folded{};         ///< in that order
  std::size_t base = 0;                 ///< number of its first cell
  double largest_radius = 0;
  double smallest_radius = 0;  ///< not included, it belongs to the next level
  double enlarged = 1;         ///< the size of a cell in reaches of the largest
  std::int32_t blur = 0;       ///< what rounding may add to a packed distance
  /// Packed distance from a face of a cell beyond which nothing behind that face is in reach.
  std::uint32_t face = 0;
  std::int32_t skin = 0;  ///< packed distance a particle may go from where it was sorted
  Index first = 0;        ///< of its particles in their new order
  Index last = 0;

  /// Beyond this coordinate, in cells, everything is put into one cell.
  static constexpr double farthest = 0x1p46;

  /// A coordinate along axis k in cells.
  [[nodiscard]] double along(std::size_t k, double x) const { return (x - origin[k]) * inverse; }

  [[nodiscard]] bool any_folded() const {
    return std::ranges::any_of(folded, [](bool axis) { return axis; });
  }

  [[nodiscard]] std::size_t row_length() const { return static_cast<std::size_t>(cells[0]) + 2; }
  [[nodiscard]] std::size_t rows() const {
    std::size_t product = 1;
    for (std::size_t i = 1; i < D; ++i) product *= static_cast<std::size_t>(cells[i]);
    return product;
  }
  [[nodiscard]] std::size_t size() const { return rows() * row_length(); }

  /// The cell's number along the i-th of the ordered axes.
  template <bool Folded>
  [[nodiscard]] std::int32_t number(std::size_t i, double x) const {
    const double t = along(order[i], x);
    if constexpr (!Folded) return static_cast<std::int32_t>(t);
    const auto whole = static_cast<std::int64_t>(std::clamp(t, -farthest, farthest));
    return static_cast<std::int32_t>(folded[i] ? whole & (cells[i] - 1) : whole);
  }

  /// The row of a particle.
  template <bool Folded, class Position>
  [[nodiscard]] std::size_t row(const Position& position) const {
    std::int32_t number_of_row = 0;
    for (std::size_t i = D; i-- > 1;)
      number_of_row = number_of_row * cells[i] + number<Folded>(i, position(order[i]));
    return static_cast<std::size_t>(number_of_row);
  }

  /// The number of a particle's cell among the cells of all levels; position(k) is its coordinate.
  template <bool Folded, class Position>
  [[nodiscard]] std::uint32_t cell(const Position& position) const {
    const std::size_t in_row = static_cast<std::size_t>(number<Folded>(0, position(order[0]))) + 1;
    return static_cast<std::uint32_t>(base + row<Folded>(position) * row_length() + in_row);
  }
};

}  // namespace abut
