// The section of two convex polyhedra with their common plane: the cross section of each, found by
// walking from face to face around it, and the intersection of both, found by clipping one polygon
// by the edges of the other (Sutherland, Hodgman, CACM 17, 1974). A vertex in the plane counts as
// above it, so that the walk is always closed. O(faces that the plane intersects), times the edges
// of the other polygon for clipping.
//
// Bodies that touch or are separated are shifted toward each other until they overlap by 1e-6 of
// their size, so that the point is the centroid of the closest features. For deep penetration the
// plane can miss the intersection of the bodies (3 in 1000 random pairs); then the point is midway
// between the features that touch last.
#include <abut/polyhedron.hpp>
#include <algorithm>
#include <cmath>
#include <vector>

#include "narrow/polyhedron_geometry.hpp"

namespace abut {
namespace {

using PlanarPolygon = std::vector<Point<2>>;

// A plane through a point close to both bodies, with two axes in the plane.
struct SectionPlane {
  Point<3> origin;
  Point<3> normal;
  Point<3> axis_u;
  Point<3> axis_v;

  [[nodiscard]] double height(const Point<3>& x) const {
    return dot(normal, difference(x, origin));
  }
  [[nodiscard]] Point<2> project(const Point<3>& x) const {
    const Point<3> arm = difference(x, origin);
    return {dot(axis_u, arm), dot(axis_v, arm)};
  }
};

double doubled_triangle_area(const Point<2>& a, const Point<2>& b, const Point<2>& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Finds a half-edge from above `level` to below it, by steepest descent from a vertex. False if the
// body is above the level.
bool find_descending_edge(const PolyhedronView& body, const SectionPlane& plane, double level,
                          Index start, Index& half_edge) {
  const PolyhedronTopology& topology = *body.topology;
  Index vertex = start;
  for (;;) {
    Index lowest = topology.vertex_offsets[vertex];
    double min_height = plane.height(body.vertices[vertex]);
    bool descends = false;
    for (Index k = topology.vertex_offsets[vertex]; k < topology.vertex_offsets[vertex + 1]; ++k) {
      const double height = plane.height(body.vertices[topology.outgoing_edges[k].target]);
      if (height >= min_height) continue;
      min_height = height;
      lowest = k;
      descends = true;
    }
    if (!descends) return false;
    half_edge = topology.outgoing_edges[lowest].half_edge;
    if (min_height < level) return true;
    vertex = topology.outgoing_edges[lowest].target;
  }
}

// The cross section at a level below the vertex `top`; empty if the plane misses the body. Its
// orientation depends on that of the plane.
void cross_section(const PolyhedronView& body, const SectionPlane& plane, double level, Index top,
                   PlanarPolygon& polygon) {
  polygon.clear();
  const PolyhedronTopology& topology = *body.topology;
  const auto& half_edges = topology.half_edges;
  Index start = 0;
  if (plane.height(body.vertices[top]) < level ||
      // NOLINTNEXTLINE(readability-suspicious-call-argument): `top` is where that search starts
      !find_descending_edge(body, plane, level, top, start))
    return;
  const auto is_above = [&](Index vertex) { return plane.height(body.vertices[vertex]) >= level; };
  Index h = start;
  do {
    const Point<3>& p = body.vertices[half_edges[h].origin];
    const Point<3>& q = body.vertices[half_edges[half_edges[h].next].origin];
    const double from = plane.height(p) - level;
    const double to = plane.height(q) - level;
    polygon.push_back(plane.project(add_scaled(p, from / (from - to), difference(q, p))));
    // To the half-edge where this face rises above the level; its twin descends.
    do h = half_edges[h].next;
    while (!is_above(half_edges[half_edges[h].next].origin));
    h = half_edges[h].twin;
  } while (h != start && polygon.size() <= topology.edges.size());
}

double polygon_area(const PlanarPolygon& polygon) {
  double doubled = 0;
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k)
    doubled += doubled_triangle_area(polygon[0], polygon[k], polygon[k + 1]);
  return doubled / 2;
}

// Keeps the part of a polygon to the left of the line from p to q.
void clip_by_edge(PlanarPolygon& polygon, const Point<2>& p, const Point<2>& q,
                  PlanarPolygon& scratch) {
  scratch.clear();
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Point<2>& current = polygon[k];
    const Point<2>& next = polygon[k + 1 < polygon.size() ? k + 1 : 0];
    const double side_current = doubled_triangle_area(p, q, current);
    const double side_next = doubled_triangle_area(p, q, next);
    if (side_current >= 0) scratch.push_back(current);
    if ((side_current > 0 && side_next < 0) || (side_current < 0 && side_next > 0))
      scratch.push_back(add_scaled(current, side_current / (side_current - side_next),
                                   difference(next, current)));
  }
  polygon.swap(scratch);
}

Point<2> polygon_centroid(const PlanarPolygon& polygon, double area, double min_area) {
  Point<2> centroid{};
  if (area <= min_area) {  // degenerate to a segment: the mean of the vertices
    for (const Point<2>& vertex : polygon) centroid = sum(centroid, vertex);
    return scaled(centroid, 1 / static_cast<double>(polygon.size()));
  }
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k) {
    const double weight =
        doubled_triangle_area(polygon[0], polygon[k], polygon[k + 1]) / (6 * area);
    for (std::size_t axis = 0; axis < 2; ++axis)
      centroid[axis] += weight * (polygon[k][axis] + polygon[k + 1][axis] - 2 * polygon[0][axis]);
  }
  return sum(centroid, polygon[0]);
}

// Midway between the points of both features that are closest along the normal.
Point<3> contact_midpoint(const PolyhedronView& a, const PolyhedronView& b,
                          const CommonPlane<3>& plane) {
  const Point<3>& vertex_a = a.vertices[plane.vertex_a];
  const Point<3>& vertex_b = b.vertices[plane.vertex_b];
  if (plane.kind == PlaneKind::face_a || plane.kind == PlaneKind::edge_a)
    return add_scaled(vertex_b, -plane.gap / 2, plane.normal);
  if (plane.kind == PlaneKind::face_b || plane.kind == PlaneKind::edge_b)
    return add_scaled(vertex_a, plane.gap / 2, plane.normal);
  EdgeCrossing crossing;
  if (plane.kind == PlaneKind::edges &&
      cross_edges(a, b, plane.feature_a, plane.feature_b, crossing)) {
    const Point<3>& origin = a.vertices[a.topology->edge_fans[plane.feature_a].origin];
    return add_scaled(add_scaled(origin, crossing.s / crossing.normal_squared, crossing.edge_a),
                      plane.gap / 2, plane.normal);
  }
  return add_scaled(vertex_a, 0.5, difference(vertex_b, vertex_a));
}

}  // namespace

PlaneContact<3> plane_contact(const PolyhedronView& a, const PolyhedronView& b,
                              const CommonPlane<3>& plane) {
  thread_local PlanarPolygon section_a;
  thread_local PlanarPolygon section_b;
  thread_local PlanarPolygon scratch;
  constexpr double min_overlap = 1e-6;  // of the size
  const double size = a.topology->bounding_radius + b.topology->bounding_radius;
  const Point<3> origin = contact_midpoint(a, b, plane);
  const Point<3> axis_u = perpendicular(plane.normal);
  const SectionPlane plane_a{origin, plane.normal, axis_u, cross(plane.normal, axis_u)};
  const SectionPlane plane_b{origin, reversed(plane.normal), plane_a.axis_u, plane_a.axis_v};
  // Half the overlap below the top of each.
  const double depth = std::max(-plane.gap, min_overlap * size) / 2;
  const double level_a = plane_a.height(a.vertices[plane.vertex_a]) - depth;
  const double level_b = plane_b.height(b.vertices[plane.vertex_b]) - depth;
  cross_section(a, plane_a, level_a, plane.vertex_a, section_a);
  cross_section(b, plane_b, level_b, plane.vertex_b, section_b);
  if (polygon_area(section_a) < 0) std::reverse(section_a.begin(), section_a.end());
  if (polygon_area(section_b) < 0) std::reverse(section_b.begin(), section_b.end());
  for (std::size_t k = 0; k < section_b.size() && !section_a.empty(); ++k)
    clip_by_edge(section_a, section_b[k], section_b[k + 1 < section_b.size() ? k + 1 : 0], scratch);

  PlaneContact<3> contact{origin, 0};
  if (section_a.empty() || section_b.empty()) return contact;
  const double area = polygon_area(section_a);
  constexpr double rounding = 1e-28;
  const Point<2> centroid = polygon_centroid(section_a, area, rounding * size * size);
  contact.point =
      add_scaled(add_scaled(origin, centroid[0], plane_a.axis_u), centroid[1], plane_a.axis_v);
  if (plane.gap < 0) contact.area = std::max(area, 0.0);
  return contact;
}

}  // namespace abut
