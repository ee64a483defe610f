#pragma once

#include <abut/pair.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/contact_predicate.hpp"
#include "core/input_checks.hpp"

namespace abut {

/// A particle as the engine keeps it: its coordinates, then its radius, side by side.
template <std::size_t D>
using SphereRecord = std::array<double, D + 1>;

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
  double inverse_cell_size = 1;             ///< of the size of a cell
  std::array<std::size_t, D> axis_order{};  ///< axes: along a row, from row to row, layer to layer
  std::array<std::int32_t, D> cells{};      ///< how many, in that order
  std::array<bool, D> modular{};            ///< in that order
  std::size_t first_cell = 0;               ///< number of its first cell
  double max_radius = 0;
  double min_radius = 0;            ///< not included, it belongs to the next level
  double cell_cutoff_ratio = 1;     ///< the size of a cell in reaches of the largest
  std::int32_t rounding_slack = 0;  ///< what rounding may add to a packed distance
  /// Packed distance from a face of a cell beyond which nothing behind that face is in reach.
  std::uint32_t face_distance = 0;
  std::int32_t skin = 0;  ///< packed distance a particle may go from where it was sorted
  Index first = 0;        ///< of its particles in their new order
  Index last = 0;

  /// Beyond this coordinate, in cells, everything is put into one cell.
  static constexpr double max_cell_coordinate = 0x1p46;

  /// A coordinate along axis k in cells.
  [[nodiscard]] double cell_coordinate(std::size_t k, double x) const {
    return (x - origin[k]) * inverse_cell_size;
  }

  [[nodiscard]] bool is_modular() const {
    return std::ranges::any_of(modular, [](bool axis) { return axis; });
  }

  [[nodiscard]] std::size_t row_length() const { return static_cast<std::size_t>(cells[0]) + 2; }
  [[nodiscard]] std::size_t row_count() const {
    std::size_t product = 1;
    for (std::size_t i = 1; i < D; ++i) product *= static_cast<std::size_t>(cells[i]);
    return product;
  }
  [[nodiscard]] std::size_t cell_count() const { return row_count() * row_length(); }

  /// The cell's number along the i-th of the ordered axes.
  template <bool Folded>
  [[nodiscard]] std::int32_t axis_cell(std::size_t i, double x) const {
    const double t = cell_coordinate(axis_order[i], x);
    if constexpr (!Folded) return static_cast<std::int32_t>(t);
    const auto whole =
        static_cast<std::int64_t>(std::clamp(t, -max_cell_coordinate, max_cell_coordinate));
    return static_cast<std::int32_t>(modular[i] ? whole & (cells[i] - 1) : whole);
  }

  /// The row of a particle.
  template <bool Folded, class Position>
  [[nodiscard]] std::size_t row_index(const Position& position) const {
    std::int32_t number_of_row = 0;
    for (std::size_t i = D; i-- > 1;)
      number_of_row = number_of_row * cells[i] + axis_cell<Folded>(i, position(axis_order[i]));
    return static_cast<std::size_t>(number_of_row);
  }

  /// The number of a particle's cell among the cells of all levels; position(k) is its coordinate.
  template <bool Folded, class Position>
  [[nodiscard]] std::uint32_t cell_index(const Position& position) const {
    const std::size_t in_row =
        static_cast<std::size_t>(axis_cell<Folded>(0, position(axis_order[0]))) + 1;
    return static_cast<std::uint32_t>(first_cell + row_index<Folded>(position) * row_length() +
                                      in_row);
  }
};

/// How particles will be sorted: levels from the largest particles to the smallest, each with cells
/// of its own. Made from what is measured of the input.
template <std::size_t D>
struct Plan {
  std::vector<Level<D>> levels;
  std::size_t cells = 0;  ///< of all levels
  double size_ratio = 1;  ///< of the largest particle to the smallest

  [[nodiscard]] bool is_modular() const {
    return std::ranges::any_of(levels, [](const Level<D>& level) { return level.is_modular(); });
  }

  /// Whether particles may move a little without being sorted again.
  [[nodiscard]] bool supports_skin() const { return levels.size() == 1 && !is_modular(); }
  [[nodiscard]] bool has_skin() const { return supports_skin() && levels[0].skin > 0; }

  /// The level of a radius.
  [[nodiscard]] std::size_t level_for_radius(double radius) const {
    std::size_t level = 0;
    while (radius <= levels[level].min_radius) ++level;
    return level;
  }
};

/// What was measured, and what follows; for people.
template <std::size_t D>
std::string describe(const Plan<D>& plan);

/// `skin` is how far particles may move before they are sorted again, as a part of the reach of the
/// largest; it is granted only where all share one level over the whole box.
template <std::size_t D>
Plan<D> make_plan(const Spheres<D>& particles, const InputSummary<D>& survey,
                  const ContactPredicate<D>& reach, double skin);

extern template std::string describe(const Plan<2>&);
extern template std::string describe(const Plan<3>&);
extern template Plan<2> make_plan(const Spheres<2>&, const InputSummary<2>&,
                                  const ContactPredicate<2>&, double);
extern template Plan<3> make_plan(const Spheres<3>&, const InputSummary<3>&,
                                  const ContactPredicate<3>&, double);

}  // namespace abut
