// Where two polygons touch their common plane. The plane is midway between the corners nearest to
// it; what it cuts out of each is an interval, found by going from that corner along the sides, to
// the left and to the right, until they come through the plane.
#include <algorithm>
#include <cmath>

#include "narrow/flat.hpp"

namespace abut {
namespace {

struct Interval {
  double low;
  double high;
};

// Along the plane from the origin, which is on it. Both ends of a polygon whose corner `tip` is
// beyond the plane, `beyond` pointing there.
Interval cut(const PolygonView& polygon, Index tip, const Point<2>& origin, const Point<2>& beyond,
             const Point<2>& tangent) {
  const auto end = [&](bool forth) {
    Index from = tip;
    double height = dot(beyond, difference(polygon.corners[from], origin));
    for (Index left = count(polygon); left > 0; --left) {
      const Index to = forth ? after(polygon, from) : before(polygon, from);
      const double next = dot(beyond, difference(polygon.corners[to], origin));
      if (next < 0) {
        const double part = height / (height - next);
        const Point<2> side = difference(polygon.corners[to], polygon.corners[from]);
        return dot(tangent, difference(along(polygon.corners[from], part, side), origin));
      }
      from = to;
      height = next;
    }
    return dot(tangent, difference(polygon.corners[from], origin));
  };
  const double one = end(true);
  const double other = end(false);
  return {std::min(one, other), std::max(one, other)};
}

// What of a polygon is nearest to the plane: a corner, or a side as parallel to it as can be told.
Interval nearest_part(const PolygonView& polygon, Index corner, const Point<2>& normal,
                      const Point<2>& origin, const Point<2>& tangent) {
  const auto at = [&](Index k) { return dot(tangent, difference(polygon.corners[k], origin)); };
  Interval part{at(corner), at(corner)};
  for (const Index next : {after(polygon, corner), before(polygon, corner)}) {
    const Point<2> side = difference(polygon.corners[next], polygon.corners[corner]);
    if (std::abs(dot(normal, side)) > 1e-9 * length(side)) continue;
    part = {std::min(part.low, at(next)), std::max(part.high, at(next))};
  }
  return part;
}

}  // namespace

PlaneContact<2> plane_contact(const PolygonView& a, const PolygonView& b,
                              const CommonPlane<2>& plane) {
  const Point<2> tangent = across(plane.normal);
  const Point<2> back = scaled(plane.normal, -1);
  // Midway by its normal; along it, anywhere.
  const Point<2> origin = along(a.corners[plane.a], plane.gap / 2, plane.normal);
  const bool overlap = plane.gap < 0;
  const Interval in_a = overlap ? cut(a, plane.a, origin, plane.normal, tangent)
                                : nearest_part(a, plane.a, plane.normal, origin, tangent);
  const Interval in_b = overlap ? cut(b, plane.b, origin, back, tangent)
                                : nearest_part(b, plane.b, plane.normal, origin, tangent);
  const double low = std::max(in_a.low, in_b.low);
  const double high = std::min(in_a.high, in_b.high);
  return {along(origin, (low + high) / 2, tangent), overlap ? std::max(0.0, high - low) : 0};
}

}  // namespace abut
