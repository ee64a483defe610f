#pragma once

#include <abut/mesh.hpp>
#include <algorithm>
#include <array>
#include <bit>
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
class Lookup {
 public:
  struct Sphere {
    Point<D> centre;
    double radius;
    int exponent;  ///< of its class
  };

  void clear() {
    spheres_.clear();
    next_.clear();
    classes_.clear();
    std::ranges::fill(heads_, none);
  }

  [[nodiscard]] std::size_t size() const { return spheres_.size(); }
  [[nodiscard]] const Sphere& operator[](std::size_t i) const { return spheres_[i]; }
  [[nodiscard]] double largest_radius() const { return largest_; }

  /// Its number is how many there were before.
  void add(const Point<D>& centre, double radius) {
    const auto i = static_cast<Index>(spheres_.size());
    if (2 * (spheres_.size() + 1) > heads_.size()) grow();
    spheres_.push_back({centre, radius, exponent_of(radius)});
    next_.push_back(none);
    largest_ = i == 0 ? radius : std::max(largest_, radius);
    Class& own = class_of(spheres_.back().exponent);
    own.members.push_back(i);
    own.largest = std::max(own.largest, radius);
    link(own, i);
  }

  /// Calls visit(i) for every sphere that has a point within `distance` of `centre`, and for some
  /// others, each once; stops when it returns true, and says so.
  template <class Visit>
  bool any_near(const Point<D>& centre, double distance, const Visit& visit) const {
    return std::ranges::any_of(classes_, [&](const Class& each) {
      return any_of_class(each, centre, distance + each.largest, visit);
    });
  }

 private:
  static constexpr Index none = std::numeric_limits<Index>::max();
  using Cell = std::array<double, D>;  // whole numbers

  struct Class {
    int exponent;  // cells are 2^exponent wide, diameters up to that
    double inverse;
    double largest = 0;
    std::vector<Index> members{};
  };

  static int exponent_of(double radius) {
    int exponent = 0;
    return std::frexp(2 * radius, &exponent) == 0.5 ? exponent - 1 : exponent;
  }

  Class& class_of(int exponent) {
    const auto found = std::ranges::find(classes_, exponent, &Class::exponent);
    if (found != classes_.end()) return *found;
    classes_.push_back({exponent, std::ldexp(1.0, -exponent)});
    return classes_.back();
  }

  [[nodiscard]] Cell cell_of(const Class& own, const Point<D>& point) const {
    Cell cell;
    for (std::size_t k = 0; k < D; ++k) cell[k] = std::floor(point[k] * own.inverse);
    return cell;
  }

  [[nodiscard]] std::size_t bucket(const Class& own, const Cell& cell) const {
    auto hash = static_cast<std::uint64_t>(own.exponent);
    for (const double number : cell) {  // 0.0 is added for −0.0 to be 0.0
      hash = (hash ^ std::bit_cast<std::uint64_t>(number + 0.0)) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 32U;
    }
    return hash & (heads_.size() - 1);
  }

  void link(const Class& own, Index i) {
    Index& head = heads_[bucket(own, cell_of(own, spheres_[i].centre))];
    next_[i] = head;
    head = i;
  }

  void grow() {
    heads_.assign(std::max<std::size_t>(64, 2 * heads_.size()), none);
    for (const Class& each : classes_)
      for (const Index i : each.members) link(each, i);
  }

  template <class Visit>
  bool any_of_class(const Class& own, const Point<D>& centre, double distance,
                    const Visit& visit) const {
    Cell low;
    Cell high;
    double cells = 1;
    // Rounding may put a sphere that is just within the distance into the next cell.
    for (std::size_t k = 0; k < D; ++k) {
      const double slack = 0x1p-50 * (std::abs(centre[k]) + distance);
      low[k] = std::floor((centre[k] - distance - slack) * own.inverse);
      high[k] = std::floor((centre[k] + distance + slack) * own.inverse);
      cells *= high[k] - low[k] + 1;
      constexpr double exact = 0x1p52;  // beyond, the next number is no longer one more
      if (!(std::abs(low[k]) < exact && std::abs(high[k]) < exact))
        cells = std::numeric_limits<double>::infinity();
    }
    if (!(cells <= static_cast<double>(own.members.size()) + 64))
      return std::ranges::any_of(own.members, visit);
    Cell cell = low;
    while (true) {
      if (any_in_cell(own, cell, visit)) return true;
      std::size_t k = 0;
      for (; k < D && ++cell[k] > high[k]; ++k) cell[k] = low[k];
      if (k == D) return false;
    }
  }

  // Other cells and classes may share the bucket.
  template <class Visit>
  bool any_in_cell(const Class& own, const Cell& cell, const Visit& visit) const {
    for (Index i = heads_[bucket(own, cell)]; i != none; i = next_[i])
      if (spheres_[i].exponent == own.exponent && cell_of(own, spheres_[i].centre) == cell &&
          visit(i))
        return true;
    return false;
  }

  std::vector<Sphere> spheres_;
  std::vector<Index> next_;   // in the same bucket
  std::vector<Index> heads_;  // of buckets, a power of two of them
  std::vector<Class> classes_;
  double largest_ = 0;
};

}  // namespace abut
