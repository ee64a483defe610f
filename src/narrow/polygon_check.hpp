#pragma once

#include <abut/mesh.hpp>
#include <cstddef>
#include <span>
#include <vector>

namespace abut {

/// Whether corners are on one line, as far as doubles of their size can tell.
bool is_collinear(std::span<const Point<2>> corners);

/// A closed line of corners, checked as far as convex and concave polygons have it in common.
struct PolygonOutline {
  std::vector<Point<2>> vertices;  ///< counterclockwise, none on the line between its neighbours
  std::vector<std::size_t> input_indices;  ///< where the caller has them

  /// Throws `Error` for fewer than three corners, coordinates that are no lengths, a repeated
  /// corner, no area, a side that folds back.
  explicit PolygonOutline(std::span<const Point<2>> given);

  /// Throws `Error` unless every corner turns left, and all of them once round.
  void check_convex() const;

  /// Throws `Error` if two sides meet elsewhere than at a common corner. Looks at all pairs.
  void check_simple() const;

 private:
  bool remove_redundant(double rounding);
  [[nodiscard]] const Point<2>& vertex(std::size_t k) const {
    return vertices[k % vertices.size()];
  }
};

/// 1 where p, q, r go round counterclockwise, −1 clockwise, 0 where they are on one line: exactly,
/// whatever the rounding of products, as long as these neither overflow nor vanish.
int orientation(const Point<2>& p, const Point<2>& q, const Point<2>& r);

}  // namespace abut
