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

/// Spheres that can be looked up around a point, and added to one by one.
///
/// Each size class, within a factor of two, has cubic cells that just hold its largest. Cells are
/// kept in one table by a hash of class and place, so neither empty space nor wide distributions of
/// sizes cost memory. A look goes through all cells around, of every class; where that would be
/// more cells than the class has spheres, through the spheres.
template <std::size_t D>
class SphereHashGrid {
 public:
  struct Sphere {
    Point<D> center;
    double radius;
    std::uint64_t key;  ///< of its cell
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

  /// Its number is how many there were before.
  void add(const Point<D>& centre, double radius) {
    const auto i = static_cast<Index>(spheres_.size());
    if (2 * (spheres_.size() + 1) > heads_.size()) grow();
    RadiusClass& own = class_of(exponent_of(radius));
    spheres_.push_back({centre, radius, cell_key(own, cell_of(own, centre))});
    next_.push_back(no_index);
    max_radius_ = i == 0 ? radius : std::max(max_radius_, radius);
    own.members.push_back(i);
    own.max_radius = std::max(own.max_radius, radius);
    link(i);
  }

  /// Calls visit(i) for every sphere that has a point within `distance` of `centre`, and for some
  /// others, the cell of the centre first; stops when it returns true, and says so.
  template <class Visit>
  [[nodiscard]] bool any_near(const Point<D>& centre, double distance, const Visit& visit) const {
    return std::ranges::any_of(classes_, [&](const RadiusClass& each) {
      return any_in_class(each, centre, distance + each.max_radius, visit);
    });
  }

 private:
  static constexpr Index no_index = std::numeric_limits<Index>::max();
  using Cell = std::array<std::int64_t, D>;

  struct RadiusClass {
    int exponent;  // cells are 2^exponent wide, diameters up to that
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

  // Cells that are too far away to have a number share the last; whoever looks there looks at all.
  static constexpr double max_cell_coordinate = 0x1p52;
  static std::int64_t floor_to_int(double x) {
    const auto whole =
        static_cast<std::int64_t>(std::clamp(x, -max_cell_coordinate, max_cell_coordinate));
    return whole - static_cast<std::int64_t>(x < static_cast<double>(whole));
  }

  static Cell cell_of(const RadiusClass& own, const Point<D>& point) {
    Cell cell;
    for (std::size_t k = 0; k < D; ++k) cell[k] = floor_to_int(point[k] * own.inverse_cell_size);
    return cell;
  }

  static std::uint64_t cell_key(const RadiusClass& own, const Cell& cell) {
    constexpr std::array<std::uint64_t, 3> primes{0x9e3779b97f4a7c15U, 0xc2b2ae3d27d4eb4fU,
                                                  0x165667b19e3779f9U};
    auto key = static_cast<std::uint64_t>(own.exponent) * 0xd6e8feb86659fd93U;
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
  [[nodiscard]] bool any_in_class(const RadiusClass& own, const Point<D>& centre, double distance,
                                  const Visit& visit) const {
    Cell low;
    Cell high;
    double cells = 1;
    // Rounding may put a sphere that is just within the distance into the next cell.
    for (std::size_t k = 0; k < D; ++k) {
      const double slack = 0x1p-50 * (std::abs(centre[k]) + distance);
      const double from = (centre[k] - distance - slack) * own.inverse_cell_size;
      const double to = (centre[k] + distance + slack) * own.inverse_cell_size;
      if (!(from > -max_cell_coordinate && to < max_cell_coordinate))
        cells = std::numeric_limits<double>::infinity();
      low[k] = floor_to_int(from);
      high[k] = floor_to_int(to);
      cells *= static_cast<double>(high[k] - low[k] + 1);
    }
    if (!(cells <= static_cast<double>(own.members.size()) + 64))
      return std::ranges::any_of(own.members, visit);
    const Cell middle = cell_of(own, centre);
    if (any_in_cell(own, middle, visit)) return true;
    Cell cell = low;
    while (true) {
      if (cell != middle && any_in_cell(own, cell, visit)) return true;
      std::size_t k = 0;
      for (; k < D && ++cell[k] > high[k]; ++k) cell[k] = low[k];
      if (k == D) return false;
    }
  }

  // Other cells and classes may share the bucket, and, once in an age, the key: then a sphere is
  // seen twice.
  template <class Visit>
  [[nodiscard]] bool any_in_cell(const RadiusClass& own, const Cell& cell,
                                 const Visit& visit) const {
    const std::uint64_t key = cell_key(own, cell);
    for (Index i = heads_[bucket(key)]; i != no_index; i = next_[i])
      if (spheres_[i].key == key && visit(i)) return true;
    return false;
  }

  std::vector<Sphere> spheres_;
  std::vector<Index> next_;   // in the same bucket
  std::vector<Index> heads_;  // of buckets, a power of two of them
  std::vector<RadiusClass> classes_;
  double max_radius_ = 0;
};

}  // namespace abut
