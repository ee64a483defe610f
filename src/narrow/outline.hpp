#pragma once

#include <abut/mesh.hpp>
#include <cstddef>
#include <span>
#include <vector>

namespace abut {

/// Whether corners are on one line, as far as doubles of their size can tell.
bool is_flat(std::span<const Point<2>> corners);

/// A closed line of corners, checked as far as convex and concave polygons have it in common.
struct Outline {
  std::vector<Point<2>> corners;    ///< counterclockwise, none on the line between its neighbours
  std::vector<std::size_t> places;  ///< where the caller has them

  /// Throws `Error` for fewer than three corners, coordinates that are no lengths, a repeated
  /// corner, no area, a side that folds back.
  explicit Outline(std::span<const Point<2>> given);

  /// Throws `Error` unless every corner turns left, and all of them once round.
  void check_convex() const;

  /// Throws `Error` if two sides meet elsewhere than at a common corner. Looks at all pairs.
  void check_simple() const;

 private:
  bool drop_idle(double rounding);
  [[nodiscard]] const Point<2>& corner(std::size_t k) const { return corners[k % corners.size()]; }
};

}  // namespace abut
