#pragma once

#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/contact_predicate.hpp"
#include "core/input_checks.hpp"

namespace abut {

/// Particles of similar size, with min_radius < r ≤ max_radius.
struct SizeClass {
  double max_radius = 0;
  double min_radius = 0;
  std::size_t count = 0;
};

/// Parameters of the estimated search cost that do not depend on the size classes. Lengths are in
/// units of the cutoff of the largest particle; radii are in the units of the caller.
struct SizeCostModel {
  std::size_t dimension = 3;
  double volume = 1;             ///< of the space that contains the particles
  double cutoff_per_radius = 1;  ///< of two equal particles, without the margin
  double margin = 0;

  /// Cutoff of two particles with this sum of radii.
  [[nodiscard]] double cutoff(double radius_sum) const {
    return radius_sum / 2 * cutoff_per_radius + margin;
  }
};

/// Divides the particles into size classes, from the largest to the smallest, that minimize the
/// estimated search cost; a single class if division is not worthwhile. O(N).
std::vector<SizeClass> make_size_classes(std::span<const double> radii, double max_radius,
                                         double min_radius, const SizeCostModel& cost);

/// A particle as stored by the engine: its coordinates followed by its radius.
template <std::size_t D>
using SphereRecord = std::array<double, D + 1>;

/// Particles of similar size and the grid they are sorted into. Two of them within the cutoff are
/// in the same cell or in adjacent ones. Cells form rows along the first axis of `axis_order`; a
/// row has an empty cell at both ends, so that searches need not check whether a neighbor exists.
///
/// If the particles extend over far more cells than the memory bound allows, axes are modular: cell
/// coordinates are taken modulo a power of two, and the last cell is adjacent to the first.
/// Particles that share a cell only because of this are far apart and rejected by the predicate.
///
/// No pair is missed: truncation and clamping are monotonic and never increase a distance, and the
/// error of a cell coordinate t is less than 4·u·|t| (u = 2⁻⁵³). Cells exceed the cutoff by more
/// than that.
template <std::size_t D>
struct Level {
  std::array<double, D> origin{};
  double inverse_cell_size = 1;             ///< 1 / cell size
  std::array<std::size_t, D> axis_order{};  ///< axis along rows, across rows, across layers
  std::array<std::int32_t, D> cells{};      ///< number of cells, in axis order
  std::array<bool, D> modular{};            ///< in axis order
  std::size_t first_cell = 0;               ///< index of its first cell among those of all levels
  double max_radius = 0;
  double min_radius = 0;            ///< exclusive; such a particle belongs to the next level
  double cell_cutoff_ratio = 1;     ///< cell size / cutoff of the largest particles
  std::int32_t rounding_slack = 0;  ///< bound of rounding in a quantized distance
  /// Quantized distance from a cell face beyond which nothing behind the face is within the cutoff.
  std::uint32_t face_distance = 0;
  std::int32_t skin = 0;  ///< quantized distance a particle may move before it is sorted again
  Index first = 0;        ///< its particles in sorted order are first … last−1
  Index last = 0;

  /// Cell coordinates are clamped to ± this value.
  static constexpr double max_cell_coordinate = 0x1p46;

  /// Coordinate along axis k in units of cells, relative to the origin.
  [[nodiscard]] double cell_coordinate(std::size_t k, double x) const {
    return (x - origin[k]) * inverse_cell_size;
  }

  [[nodiscard]] bool is_modular() const {
    return std::ranges::any_of(modular, [](bool axis) { return axis; });
  }

  /// Including the empty cells at both ends.
  [[nodiscard]] std::size_t row_length() const { return static_cast<std::size_t>(cells[0]) + 2; }
  [[nodiscard]] std::size_t row_count() const {
    std::size_t product = 1;
    for (std::size_t i = 1; i < D; ++i) product *= static_cast<std::size_t>(cells[i]);
    return product;
  }
  [[nodiscard]] std::size_t cell_count() const { return row_count() * row_length(); }

  /// Integer cell coordinate along the i-th axis in axis order.
  template <bool Modular>
  [[nodiscard]] std::int32_t axis_cell(std::size_t i, double x) const {
    const double t = cell_coordinate(axis_order[i], x);
    if constexpr (!Modular) return static_cast<std::int32_t>(t);
    const auto whole =
        static_cast<std::int64_t>(std::clamp(t, -max_cell_coordinate, max_cell_coordinate));
    return static_cast<std::int32_t>(modular[i] ? whole & (cells[i] - 1) : whole);
  }

  /// Row of a particle; position(k) is its coordinate along axis k.
  template <bool Modular, class Position>
  [[nodiscard]] std::size_t row_index(const Position& position) const {
    std::int32_t row = 0;
    for (std::size_t i = D; i-- > 1;)
      row = row * cells[i] + axis_cell<Modular>(i, position(axis_order[i]));
    return static_cast<std::size_t>(row);
  }

  /// Index of a particle's cell among the cells of all levels.
  template <bool Modular, class Position>
  [[nodiscard]] std::uint32_t cell_index(const Position& position) const {
    const std::size_t in_row =
        static_cast<std::size_t>(axis_cell<Modular>(0, position(axis_order[0]))) + 1;
    return static_cast<std::uint32_t>(first_cell + row_index<Modular>(position) * row_length() +
                                      in_row);
  }
};

/// The grids the engine sorts particles into: levels from the largest particles to the smallest,
/// each with its own cells.
template <std::size_t D>
struct Plan {
  std::vector<Level<D>> levels;
  std::size_t cells = 0;  ///< total over all levels
  double size_ratio = 1;  ///< largest radius / smallest radius

  [[nodiscard]] bool is_modular() const {
    return std::ranges::any_of(levels, [](const Level<D>& level) { return level.is_modular(); });
  }

  /// Whether a neighbor list with a skin is possible: one level without modular axes.
  [[nodiscard]] bool supports_skin() const { return levels.size() == 1 && !is_modular(); }
  [[nodiscard]] bool has_skin() const { return supports_skin() && levels[0].skin > 0; }

  /// Index of the level that contains particles of this radius.
  [[nodiscard]] std::size_t level_for_radius(double radius) const {
    std::size_t level = 0;
    while (radius <= levels[level].min_radius) ++level;
    return level;
  }
};

/// The plan as one line of text.
template <std::size_t D>
std::string describe(const Plan<D>& plan);

/// Chooses levels and cells for the particles. `skin` is the distance a particle may move before it
/// is sorted again, as a fraction of the cutoff of the largest particle; it is ignored unless the
/// plan supports it. O(N), without allocation proportional to N.
template <std::size_t D>
Plan<D> make_plan(const Spheres<D>& particles, const InputSummary<D>& summary,
                  const ContactPredicate<D>& predicate, double skin);

extern template std::string describe(const Plan<2>&);
extern template std::string describe(const Plan<3>&);
extern template Plan<2> make_plan(const Spheres<2>&, const InputSummary<2>&,
                                  const ContactPredicate<2>&, double);
extern template Plan<3> make_plan(const Spheres<3>&, const InputSummary<3>&,
                                  const ContactPredicate<3>&, double);

}  // namespace abut
