#include "narrow/common_plane_2d.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

CommonPlane<2> common_plane(const PolygonView& a, const PolygonView& b) {
  return cold_start_plane(a, b, NoObserver{});
}

CommonPlane<2> common_plane(const PolygonView& a, const PolygonView& b,
                            const CommonPlane<2>& previous) {
  return warm_start_plane(a, b, previous, NoObserver{});
}

// ---- section with the common plane

namespace {

// Coordinates along the plane, relative to an origin on it.
struct Interval {
  double min;
  double max;
};

// The section of a polygon whose vertex `tip` is beyond the plane in the direction `beyond`: walks
// from the tip along the edges to both sides, until they cross the plane.
Interval section_interval(const PolygonView& polygon, Index tip, const Point<2>& origin,
                          const Point<2>& beyond, const Point<2>& tangent) {
  const auto crossing = [&](bool forward) {
    Index from = tip;
    double height = dot(beyond, difference(polygon.vertices[from], origin));
    for (Index remaining = vertex_count(polygon); remaining > 0; --remaining) {
      const Index to = forward ? next_vertex(polygon, from) : previous_vertex(polygon, from);
      const double next_height = dot(beyond, difference(polygon.vertices[to], origin));
      if (next_height < 0) {
        const double fraction = height / (height - next_height);
        const Point<2> edge = difference(polygon.vertices[to], polygon.vertices[from]);
        return dot(tangent, difference(add_scaled(polygon.vertices[from], fraction, edge), origin));
      }
      from = to;
      height = next_height;
    }
    return dot(tangent, difference(polygon.vertices[from], origin));
  };
  const double first = crossing(true);
  const double second = crossing(false);
  return {std::min(first, second), std::max(first, second)};
}

// The feature of a polygon closest to the plane: a vertex, or an edge parallel to it up to
// rounding.
Interval nearest_interval(const PolygonView& polygon, Index vertex, const Point<2>& normal,
                          const Point<2>& origin, const Point<2>& tangent) {
  const auto coordinate = [&](Index k) {
    return dot(tangent, difference(polygon.vertices[k], origin));
  };
  Interval interval{coordinate(vertex), coordinate(vertex)};
  for (const Index neighbor : {next_vertex(polygon, vertex), previous_vertex(polygon, vertex)}) {
    const Point<2> edge = difference(polygon.vertices[neighbor], polygon.vertices[vertex]);
    if (std::abs(dot(normal, edge)) > 1e-9 * length(edge)) continue;
    interval = {std::min(interval.min, coordinate(neighbor)),
                std::max(interval.max, coordinate(neighbor))};
  }
  return interval;
}

}  // namespace

PlaneContact<2> plane_contact(const PolygonView& a, const PolygonView& b,
                              const CommonPlane<2>& plane) {
  const Point<2> tangent = perpendicular(plane.normal);
  const Point<2> reversed_normal = scaled(plane.normal, -1);
  // Midway along the normal; its position along the plane is arbitrary.
  const Point<2> origin = add_scaled(a.vertices[plane.vertex_a], plane.gap / 2, plane.normal);
  const bool overlap = plane.gap < 0;
  const Interval in_a = overlap
                            ? section_interval(a, plane.vertex_a, origin, plane.normal, tangent)
                            : nearest_interval(a, plane.vertex_a, plane.normal, origin, tangent);
  const Interval in_b = overlap
                            ? section_interval(b, plane.vertex_b, origin, reversed_normal, tangent)
                            : nearest_interval(b, plane.vertex_b, plane.normal, origin, tangent);
  const double min = std::max(in_a.min, in_b.min);
  const double max = std::min(in_a.max, in_b.max);
  return {add_scaled(origin, (min + max) / 2, tangent), overlap ? std::max(0.0, max - min) : 0};
}

}  // namespace abut
