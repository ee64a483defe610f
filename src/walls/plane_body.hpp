#pragma once

#include "walls/wall_body.hpp"

namespace abut {

/// An endless plane.
template <std::size_t D>
class PlaneBody : public WallBody<D> {
 public:
  PlaneBody(const Plane<D>& plane, Index number)
      : point_(plane.point), normal_(unit(plane.normal)), number_(number) {}

  void pick(const Block<D>& block, Picked& picked) const override {
    picked.size = 0;
    for (std::size_t i = 0; i < block.size; ++i)
      picked.offer(i, std::abs(height(block.centre(i))) <= block.reach[i]);
  }

  void touches(const Point<D>& centre, double reach, Seen& /*seen*/,
               std::vector<Touch<D>>& found) const override {
    const double at = height(centre);
    if (std::abs(at) > reach) return;
    found.push_back({std::abs(at), at < 0 ? scaled(normal_, -1) : normal_,
                     along(centre, -at, normal_), number_, Feature::face});
  }

  [[nodiscard]] double distance(const Point<D>& centre) const override {
    return std::abs(height(centre));
  }

  // Endless along every axis but the one it stands across, if it does.
  [[nodiscard]] Box<D> box(const Placement<D>& where) const override {
    constexpr double endless = std::numeric_limits<double>::infinity();
    Box<D> result;
    result.min.fill(-endless);
    result.max.fill(endless);
    const Point<D> normal = rotated(where, normal_);
    const Point<D> point = sum(rotated(where, point_), where.shift);
    for (std::size_t k = 0; k < D; ++k)
      if (std::abs(normal[k]) == 1) result.min[k] = result.max[k] = point[k];
    return result;
  }

  [[nodiscard]] bool unchanged_along(std::size_t axis, const Placement<D>& where) const override {
    return std::abs(rotated(where, normal_)[axis]) < 1e-15;
  }

 private:
  [[nodiscard]] double height(const Point<D>& centre) const {
    return dot(normal_, difference(centre, point_));
  }

  Point<D> point_;
  Point<D> normal_;
  Index number_;
};

}  // namespace abut
