#include "narrow/common_plane_2d.hpp"

#include <algorithm>
#include <cmath>

#include "narrow/geometry_2d.hpp"

namespace abut {

CommonPlane<2> common_plane(const PolygonView& a, const PolygonView& b) {
  return cold_start_plane(a, b, NoObserver{});
}

CommonPlane<2> common_plane(const PolygonView& a, const PolygonView& b,
                            const CommonPlane<2>& previous) {
  return warm_start_plane(a, b, previous, NoObserver{});
}

}  // namespace abut

// Where two polygons touch their common plane. The plane is midway between the corners nearest to
// it; what it cuts out of each is an interval, found by going from that corner along the sides, to
// the left and to the right, until they come through the plane.
namespace abut {
namespace {

struct Interval {
  double min;
  double max;
};

// Along the plane from the origin, which is on it. Both ends of a polygon whose corner `tip` is
// beyond the plane, `beyond` pointing there.
Interval section_interval(const PolygonView& polygon, Index tip, const Point<2>& origin,
                          const Point<2>& beyond, const Point<2>& tangent) {
  const auto end = [&](bool forth) {
    Index from = tip;
    double height = dot(beyond, difference(polygon.vertices[from], origin));
    for (Index left = vertex_count(polygon); left > 0; --left) {
      const Index to = forth ? next_vertex(polygon, from) : previous_vertex(polygon, from);
      const double next = dot(beyond, difference(polygon.vertices[to], origin));
      if (next < 0) {
        const double part = height / (height - next);
        const Point<2> side = difference(polygon.vertices[to], polygon.vertices[from]);
        return dot(tangent, difference(add_scaled(polygon.vertices[from], part, side), origin));
      }
      from = to;
      height = next;
    }
    return dot(tangent, difference(polygon.vertices[from], origin));
  };
  const double one = end(true);
  const double other = end(false);
  return {std::min(one, other), std::max(one, other)};
}

// What of a polygon is nearest to the plane: a corner, or a side as parallel to it as can be told.
Interval nearest_interval(const PolygonView& polygon, Index corner, const Point<2>& normal,
                          const Point<2>& origin, const Point<2>& tangent) {
  const auto at = [&](Index k) { return dot(tangent, difference(polygon.vertices[k], origin)); };
  Interval part{at(corner), at(corner)};
  for (const Index next : {next_vertex(polygon, corner), previous_vertex(polygon, corner)}) {
    const Point<2> side = difference(polygon.vertices[next], polygon.vertices[corner]);
    if (std::abs(dot(normal, side)) > 1e-9 * length(side)) continue;
    part = {std::min(part.min, at(next)), std::max(part.max, at(next))};
  }
  return part;
}

}  // namespace

PlaneContact<2> plane_contact(const PolygonView& a, const PolygonView& b,
                              const CommonPlane<2>& plane) {
  const Point<2> tangent = perpendicular(plane.normal);
  const Point<2> back = scaled(plane.normal, -1);
  // Midway by its normal; along it, anywhere.
  const Point<2> origin = add_scaled(a.vertices[plane.vertex_a], plane.gap / 2, plane.normal);
  const bool overlap = plane.gap < 0;
  const Interval in_a = overlap
                            ? section_interval(a, plane.vertex_a, origin, plane.normal, tangent)
                            : nearest_interval(a, plane.vertex_a, plane.normal, origin, tangent);
  const Interval in_b = overlap
                            ? section_interval(b, plane.vertex_b, origin, back, tangent)
                            : nearest_interval(b, plane.vertex_b, plane.normal, origin, tangent);
  const double low = std::max(in_a.min, in_b.min);
  const double high = std::min(in_a.max, in_b.max);
  return {add_scaled(origin, (low + high) / 2, tangent), overlap ? std::max(0.0, high - low) : 0};
}

}  // namespace abut
