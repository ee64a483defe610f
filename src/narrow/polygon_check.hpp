#pragma once

#include <abut/mesh.hpp>
#include <cstddef>
#include <span>
#include <vector>

namespace abut {

/// 1 if p, q, r are counterclockwise, −1 if clockwise, 0 if collinear. Exact, unless products of
/// coordinates overflow or underflow.
int orientation(const Point<2>& p, const Point<2>& q, const Point<2>& r);

/// Whether points are collinear up to the rounding errors of their coordinates.
bool is_collinear(std::span<const Point<2>> points);

/// The outline of a polygon, with the checks that convex and concave polygons have in common.
struct PolygonOutline {
  std::vector<Point<2>> vertices;          ///< counterclockwise, none collinear with its neighbors
  std::vector<std::size_t> input_indices;  ///< of the vertices, for error messages

  /// Throws `Error` for fewer than three vertices, invalid coordinates, repeated vertices, zero
  /// area, and edges that fold back.
  explicit PolygonOutline(std::span<const Point<2>> input);

  /// Throws `Error` unless the outline turns left at every vertex and winds around once. O(n).
  void check_convex() const;

  /// Throws `Error` if two edges intersect other than at a shared vertex.
  /// O(n log n), see `first_edge_intersection`.
  void check_simple() const;

 private:
  bool remove_redundant(double tolerance);
  [[nodiscard]] const Point<2>& vertex(std::size_t k) const {
    return vertices[k % vertices.size()];
  }
};

}  // namespace abut
