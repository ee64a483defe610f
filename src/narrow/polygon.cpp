#include <abut/error.hpp>
#include <abut/polygon.hpp>
#include <algorithm>

#include "core/message.hpp"
#include "narrow/flat.hpp"
#include "narrow/outline.hpp"

namespace abut {
namespace {

Point<2> at(const Placement<2>& where, const Point<2>& point) {
  return {dot(where.rotation[0], point) + where.shift[0],
          dot(where.rotation[1], point) + where.shift[1]};
}

// Arms from a point near by: far from the origin, products of coordinates would lose all digits.
template <class Work>
void each_triangle(std::span<const Point<2>> corners, const Point<2>& near, const Work& work) {
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Point<2> p = difference(corners[k], near);
    const Point<2> q = difference(corners[(k + 1) % corners.size()], near);
    work(wedge(p, q), p, q);
  }
}

}  // namespace

Polygon::Polygon(std::span<const Point<2>> corners) {
  Outline outline(corners);
  outline.check_convex();
  corners_ = std::move(outline.corners);
  const Point<2> near = corners_[0];
  double doubled = 0;
  Point<2> moment{};
  each_triangle(corners_, near, [&](double area, const Point<2>& p, const Point<2>& q) {
    doubled += area;
    moment = along(moment, area, sum(p, q));
  });
  area_ = doubled / 2;
  centroid_ = along(near, 1 / (3 * doubled), moment);
  each_triangle(corners_, centroid_, [&](double area, const Point<2>& p, const Point<2>& q) {
    inertia_ += area * (dot(p, p) + dot(p, q) + dot(q, q)) / 12;
  });
  for (const Point<2>& corner : corners_)
    radius_ = std::max(radius_, length(difference(corner, centroid_)));
}

PolygonView Polygon::placed(const Placement<2>& where, std::span<Point<2>> into) const {
  if (into.size() < corners_.size())
    throw Error(
        message("room for ", into.size(), " corners, and the polygon has ", corners_.size()));
  std::ranges::transform(corners_, into.begin(),
                         [&](const Point<2>& corner) { return at(where, corner); });
  return {into.first(corners_.size()), at(where, centroid_)};
}

}  // namespace abut
