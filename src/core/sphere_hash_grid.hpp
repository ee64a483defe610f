#pragma once

#include <abut/mesh.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace abut {

/// Hierarchical spatial hash grid: spheres can be added one by one and queried around a point.
///
/// Spheres whose radii agree within a factor of two form a class, with cubic cells as wide as the
/// upper bound of its diameters. All cells are stored in one hash table, keyed by class and cell
/// coordinates, so memory is O(N) for any extent and size distribution. A query visits the cells
/// around the point in every class, or all spheres of a class if these are fewer.
template <std::size_t D>
class SphereHashGrid {
 public:
  struct Sphere {
    Point<D> center;
    double radius;
    std::uint64_t key;  ///< hash of its cell
  };

  void clear() {
    spheres_.clear();
    next_.clear();
    classes_.clear();
    std::ranges::fill(heads_, no_index);
  }

  [[nodiscard]] std::size_t size() const { return spheres_.size(); }
  [[nodiscard]] const Sphere& operator[](std::size_t i) const { return spheres_[i]; }
  [[nodiscard]] double max_radius() const { return max_radius_; }

  /// Adds a sphere; its index is the previous `size()`. Amortized O(1).
  void add(const Point<D>& center, double radius) {
    const auto i = static_cast<Index>(spheres_.size());
    if (2 * (spheres_.size() + 1) > heads_.size()) grow();
    RadiusClass& radius_class = class_of(exponent_of(radius));
    spheres_.push_back({center, radius, cell_key(radius_class, cell_of(radius_class, center))});
    next_.push_back(no_index);
    max_radius_ = i == 0 ? radius : std::max(max_radius_, radius);
    radius_class.members.push_back(i);
    radius_class.max_radius = std::max(radius_class.max_radius, radius);
    link(i);
  }

  /// Calls visit(i) for every sphere that has a point within `distance` of `center`, and for some
  /// others, beginning with the cell of the center; a sphere may be visited twice. Stops and
  /// returns true as soon as visit returns true.
  template <class Visit>
  [[nodiscard]] bool any_near(const Point<D>& center, double distance, const Visit& visit) const {
    return std::ranges::any_of(classes_, [&](const RadiusClass& radius_class) {
      return any_in_class(radius_class, center, distance + radius_class.max_radius, visit);
    });
  }

 private:
  static constexpr Index no_index = std::numeric_limits<Index>::max();
  using Cell = std::array<std::int64_t, D>;

  struct RadiusClass {
    int exponent;  // cell size and upper bound of the diameters: 2^exponent
    double inverse_cell_size;
    double max_radius = 0;
    std::vector<Index> members{};
  };

  static int exponent_of(double radius) {
    int exponent = 0;
    return std::frexp(2 * radius, &exponent) == 0.5 ? exponent - 1 : exponent;
  }

  RadiusClass& class_of(int exponent) {
    const auto found = std::ranges::find(classes_, exponent, &RadiusClass::exponent);
    if (found != classes_.end()) return *found;
    classes_.push_back({exponent, std::ldexp(1.0, -exponent)});
    return classes_.back();
  }

  // Coordinates are clamped to this; a query that reaches it visits all spheres of the class.
  static constexpr double max_cell_coordinate = 0x1p52;
  static std::int64_t floor_to_int(double x) {
    const auto whole =
        static_cast<std::int64_t>(std::clamp(x, -max_cell_coordinate, max_cell_coordinate));
    return whole - static_cast<std::int64_t>(x < static_cast<double>(whole));
  }

  static Cell cell_of(const RadiusClass& radius_class, const Point<D>& point) {
    Cell cell;
    for (std::size_t k = 0; k < D; ++k)
      cell[k] = floor_to_int(point[k] * radius_class.inverse_cell_size);
    return cell;
  }

  static std::uint64_t cell_key(const RadiusClass& radius_class, const Cell& cell) {
    constexpr std::array<std::uint64_t, 3> primes{0x9e3779b97f4a7c15U, 0xc2b2ae3d27d4eb4fU,
                                                  0x165667b19e3779f9U};
    auto key = static_cast<std::uint64_t>(radius_class.exponent) * 0xd6e8feb86659fd93U;
    for (std::size_t k = 0; k < D; ++k) key += static_cast<std::uint64_t>(cell[k]) * primes[k];
    key = (key ^ (key >> 32U)) * 0xd6e8feb86659fd93U;
    return key ^ (key >> 32U);
  }

  [[nodiscard]] std::size_t bucket(std::uint64_t key) const { return key & (heads_.size() - 1); }

  void link(Index i) {
    Index& head = heads_[bucket(spheres_[i].key)];
    next_[i] = head;
    head = i;
  }

  void grow() {
    heads_.assign(std::max<std::size_t>(64, 2 * heads_.size()), no_index);
    for (std::size_t i = 0; i < spheres_.size(); ++i) link(static_cast<Index>(i));
  }

  template <class Visit>
  [[nodiscard]] bool any_in_class(const RadiusClass& radius_class, const Point<D>& center,
                                  double distance, const Visit& visit) const {
    Cell low;
    Cell high;
    double cells = 1;
    // The slack covers rounding, which may place a sphere just within the distance one cell off.
    for (std::size_t k = 0; k < D; ++k) {
      const double slack = 0x1p-50 * (std::abs(center[k]) + distance);
      const double from = (center[k] - distance - slack) * radius_class.inverse_cell_size;
      const double to = (center[k] + distance + slack) * radius_class.inverse_cell_size;
      if (!(from > -max_cell_coordinate && to < max_cell_coordinate))
        cells = std::numeric_limits<double>::infinity();
      low[k] = floor_to_int(from);
      high[k] = floor_to_int(to);
      cells *= static_cast<double>(high[k] - low[k] + 1);
    }
    if (!(cells <= static_cast<double>(radius_class.members.size()) + 64))
      return std::ranges::any_of(radius_class.members, visit);
    const Cell middle = cell_of(radius_class, center);
    if (any_in_cell(radius_class, middle, visit)) return true;
    Cell cell = low;
    while (true) {
      if (cell != middle && any_in_cell(radius_class, cell, visit)) return true;
      std::size_t k = 0;
      for (; k < D && ++cell[k] > high[k]; ++k) cell[k] = low[k];
      if (k == D) return false;
    }
  }

  // Other cells and classes may share the bucket, and in rare cases the key: then a sphere is
  // visited twice.
  template <class Visit>
  [[nodiscard]] bool any_in_cell(const RadiusClass& radius_class, const Cell& cell,
                                 const Visit& visit) const {
    const std::uint64_t key = cell_key(radius_class, cell);
    for (Index i = heads_[bucket(key)]; i != no_index; i = next_[i])
      if (spheres_[i].key == key && visit(i)) return true;
    return false;
  }

  std::vector<Sphere> spheres_;
  std::vector<Index> next_;   // next sphere in the same bucket
  std::vector<Index> heads_;  // first sphere of each bucket; a power of two of them
  std::vector<RadiusClass> classes_;
  double max_radius_ = 0;
};

}  // namespace abut
