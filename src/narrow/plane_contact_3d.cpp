// What a plane cuts out of two convex polyhedra: walk around each where the plane meets it, from
// face to face, and clip the one polygon by the sides of the other (Sutherland, Hodgman, CACM 17,
// 1974). A corner in the plane counts as above it, so that the walk is always closed.
//   heights are along the normal, places in the plane along two axes in it
// O(faces that the plane meets), times the sides of the smaller polygon for clipping. Bodies that
// only touch, or are apart, are moved together until they overlap by a millionth of their size: so
// the point is the middle of what touches. Of bodies deep in each other the plane can miss what
// they share (3 in 1000); then the point is midway between those they would touch at last.
#include <abut/polyhedron.hpp>
#include <algorithm>
#include <cmath>
#include <vector>

#include "narrow/polyhedron_geometry.hpp"

namespace abut {
namespace {

using PlanarPolygon = std::vector<Point<2>>;

// The plane, with axes in it, and a place near both bodies from which all is measured.
struct SectionPlane {
  Point<3> origin;
  Point<3> normal;
  Point<3> axis_u;
  Point<3> axis_v;

  [[nodiscard]] double height(const Point<3>& x) const {
    return dot(normal, difference(x, origin));
  }
  [[nodiscard]] Point<2> project(const Point<3>& x) const {
    const Point<3> way = difference(x, origin);
    return {dot(axis_u, way), dot(axis_v, way)};
  }
};

double doubled_triangle_area(const Point<2>& a, const Point<2>& b, const Point<2>& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// A half-edge that begins above the plane, at `level`, and ends below it, downhill from a corner.
// None if the body is all above.
bool find_descending_edge(const PolyhedronView& body, const SectionPlane& cut, double level,
                          Index from, Index& crossing) {
  const PolyhedronTopology& topology = *body.topology;
  for (;;) {
    Index lowest = topology.vertex_offsets[from];
    double least = cut.height(body.vertices[from]);
    bool lower = false;
    for (Index k = topology.vertex_offsets[from]; k < topology.vertex_offsets[from + 1]; ++k) {
      const double height = cut.height(body.vertices[topology.outgoing_edges[k].target]);
      if (height >= least) continue;
      least = height;
      lowest = k;
      lower = true;
    }
    if (!lower) return false;
    crossing = topology.outgoing_edges[lowest].half_edge;
    if (least < level) return true;
    from = topology.outgoing_edges[lowest].target;
  }
}

// Counterclockwise or clockwise, depending on the side of the plane the start is on.
void cross_section(const PolyhedronView& body, const SectionPlane& cut, double level, Index top,
                   PlanarPolygon& polygon) {
  polygon.clear();
  const PolyhedronTopology& topology = *body.topology;
  Index start = 0;
  if (cut.height(body.vertices[top]) < level || !find_descending_edge(body, cut, level, top, start))
    return;
  const auto above = [&](Index corner) { return cut.height(body.vertices[corner]) >= level; };
  Index h = start;
  do {
    const Point<3>& p = body.vertices[topology.half_edges[h].origin];
    const Point<3>& q = body.vertices[topology.half_edges[topology.half_edges[h].next].origin];
    const double from = cut.height(p) - level;
    const double to = cut.height(q) - level;
    polygon.push_back(cut.project(add_scaled(p, from / (from - to), difference(q, p))));
    // On to where this face comes up again; the next one goes down there.
    do h = topology.half_edges[h].next;
    while (!above(topology.half_edges[topology.half_edges[h].next].origin));
    h = topology.half_edges[h].twin;
  } while (h != start && polygon.size() <= topology.edges.size());
}

double polygon_area(const PlanarPolygon& polygon) {
  double twice = 0;
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k)
    twice += doubled_triangle_area(polygon[0], polygon[k], polygon[k + 1]);
  return twice / 2;
}

void clip_by_edge(PlanarPolygon& polygon, const Point<2>& p, const Point<2>& q,
                  PlanarPolygon& room) {
  room.clear();
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Point<2>& here = polygon[k];
    const Point<2>& next = polygon[k + 1 < polygon.size() ? k + 1 : 0];
    const double in_here = doubled_triangle_area(p, q, here);
    const double in_next = doubled_triangle_area(p, q, next);
    if (in_here >= 0) room.push_back(here);
    if ((in_here > 0 && in_next < 0) || (in_here < 0 && in_next > 0))
      room.push_back(add_scaled(here, in_here / (in_here - in_next), difference(next, here)));
  }
  polygon.swap(room);
}

Point<2> polygon_centroid(const PlanarPolygon& polygon, double area, double smallest) {
  Point<2> middle{};
  if (area <= smallest) {  // no more than a segment: midway
    for (const Point<2>& x : polygon) middle = sum(middle, x);
    return scaled(middle, 1 / static_cast<double>(polygon.size()));
  }
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k) {
    const double part = doubled_triangle_area(polygon[0], polygon[k], polygon[k + 1]) / (6 * area);
    for (std::size_t axis = 0; axis < 2; ++axis)
      middle[axis] += part * (polygon[k][axis] + polygon[k + 1][axis] - 2 * polygon[0][axis]);
  }
  return sum(middle, polygon[0]);
}

// Midway between the points of both that are nearest to each other along the normal.
Point<3> contact_midpoint(const PolyhedronView& a, const PolyhedronView& b,
                          const CommonPlane<3>& plane) {
  const Point<3>& of_a = a.vertices[plane.vertex_a];
  const Point<3>& of_b = b.vertices[plane.vertex_b];
  if (plane.kind == PlaneKind::face_a || plane.kind == PlaneKind::edge_a)
    return add_scaled(of_b, -plane.gap / 2, plane.normal);
  if (plane.kind == PlaneKind::face_b || plane.kind == PlaneKind::edge_b)
    return add_scaled(of_a, plane.gap / 2, plane.normal);
  EdgeCrossing crossing;
  if (plane.kind == PlaneKind::edges &&
      cross_edges(a, b, plane.feature_a, plane.feature_b, crossing)) {
    const Point<3>& p = a.vertices[a.topology->edge_fans[plane.feature_a].origin];
    return add_scaled(add_scaled(p, crossing.s / crossing.normal_squared, crossing.edge_a),
                      plane.gap / 2, plane.normal);
  }
  return add_scaled(of_a, 0.5, difference(of_b, of_a));
}

}  // namespace

PlaneContact<3> plane_contact(const PolyhedronView& a, const PolyhedronView& b,
                              const CommonPlane<3>& plane) {
  thread_local PlanarPolygon of_a;
  thread_local PlanarPolygon of_b;
  thread_local PlanarPolygon room;
  constexpr double together = 1e-6;
  const double size = a.topology->bounding_radius + b.topology->bounding_radius;
  const Point<3> origin = contact_midpoint(a, b, plane);
  const Point<3> first = perpendicular(plane.normal);
  const SectionPlane cut{origin, plane.normal, first, cross(plane.normal, first)};
  // Below their tops by half the overlap.
  const double below = std::max(-plane.gap, together * size) / 2;
  const Point<3> down = reversed(plane.normal);
  const SectionPlane mirrored{origin, down, cut.axis_u, cut.axis_v};
  const double level_a = cut.height(a.vertices[plane.vertex_a]) - below;
  const double level_b = mirrored.height(b.vertices[plane.vertex_b]) - below;
  cross_section(a, cut, level_a, plane.vertex_a, of_a);
  cross_section(b, mirrored, level_b, plane.vertex_b, of_b);
  if (polygon_area(of_a) < 0) std::reverse(of_a.begin(), of_a.end());
  if (polygon_area(of_b) < 0) std::reverse(of_b.begin(), of_b.end());
  for (std::size_t k = 0; k < of_b.size() && !of_a.empty(); ++k)
    clip_by_edge(of_a, of_b[k], of_b[k + 1 < of_b.size() ? k + 1 : 0], room);

  PlaneContact<3> contact{origin, 0};
  if (of_a.empty() || of_b.empty()) return contact;
  const double area = polygon_area(of_a);
  constexpr double rounding = 1e-28;
  const Point<2> middle = polygon_centroid(of_a, area, rounding * size * size);
  contact.point = add_scaled(add_scaled(origin, middle[0], cut.axis_u), middle[1], cut.axis_v);
  if (plane.gap < 0) contact.area = std::max(area, 0.0);
  return contact;
}

}  // namespace abut
