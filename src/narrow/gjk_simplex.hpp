#pragma once

#include <array>

#include "narrow/polyhedron_geometry.hpp"

namespace abut {

/// Up to four corner pairs; their ways are corners of the difference b − a.
class GjkSimplex {
 public:
  void add(const VertexPair& pair) { pairs_[count_++] = pair; }
  [[nodiscard]] bool contains(const VertexPair& pair) const;

  /// The point of it nearest to the origin; pairs that point does not need are dropped. Four remain
  /// if the origin is inside. Of three, `direction` is across their plane, of two across their
  /// line, better than the point itself where that is close to the origin.
  Point<3> reduce(Point<3>& direction);

  [[nodiscard]] std::size_t size() const { return count_; }

 private:
  Point<3> reduce_segment(Point<3>& direction);
  Point<3> reduce_triangle(Point<3>& direction);
  Point<3> reduce_tetrahedron(Point<3>& direction);
  [[nodiscard]] GjkSimplex without(std::size_t k) const;

  std::array<VertexPair, 4> pairs_;
  std::size_t count_ = 0;
};

}  // namespace abut
