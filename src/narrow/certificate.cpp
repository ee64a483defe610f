// What makes a plane the common one, seen from what it is made of alone (Nezami et al.: five
// candidates in 2D; in 3D the bisector, faces, an edge, two edges):
//   it leaves the neighbours of its corners behind, and
//   bisector: that is all; face: the corner is above it; edge: the corner is beside it;
//   two edges: they cross as seen along the normal.
// Where the gap is above 0 this certifies the distance. Where it is not, ways_out.hpp goes further,
// and looks at the sides of a face itself. O(neighbours of a corner, sides of a face).
#include "narrow/certificate.hpp"

#include <cmath>

#include "narrow/cell.hpp"
#include "narrow/topology.hpp"

namespace abut {
namespace {

constexpr double touching = 1e-11;  // of the size: then the way between corners is no direction

struct Check {
  const PolyhedronView& x;
  const PolyhedronView& y;
  bool swapped;
  double slack;

  [[nodiscard]] Index part_x(const CommonPlane<3>& plane) const {
    return swapped ? plane.part_b : plane.part_a;
  }
  [[nodiscard]] Index corner_y(const CommonPlane<3>& plane) const {
    return swapped ? plane.a : plane.b;
  }
  void give(CommonPlane<3>& plane, const Point<3>& out, double gap, Index of_x, Index of_y) const {
    plane.normal = swapped ? reversed(out) : out;
    plane.gap = gap;
    plane.a = swapped ? of_y : of_x;
    plane.b = swapped ? of_x : of_y;
  }
};

// No neighbour of a corner is farther along `out` than the corner is.
bool leads(const PolyhedronView& body, Index corner, const Point<3>& out, double slack) {
  const PolyhedronTopology& topology = *body.topology;
  const auto* const at = body.corners.data();
  const Point<3>& here = at[corner];
  for (Index k = topology.hub[corner]; k < topology.hub[corner + 1]; ++k)
    if (dot(out, difference(at[topology.spokes[k].tip], here)) > slack) return false;
  return true;
}

// Neither of the faces at an edge rises above it.
bool edge_leads(const PolyhedronView& body, Index half_edge, const Point<3>& out, double slack) {
  const PolyhedronTopology& topology = *body.topology;
  const auto* const at = body.corners.data();
  const Point<3>& p = at[topology.half_edges[half_edge].origin];
  const auto rise = [&](Index h) {
    const Index third =
        topology.half_edges[topology.half_edges[topology.half_edges[h].next].next].origin;
    return dot(out, difference(at[third], p));
  };
  return rise(half_edge) <= slack && rise(topology.half_edges[half_edge].twin) <= slack;
}

bool on_face(const Check& check, CommonPlane<3>& plane) {
  const Index face = check.part_x(plane);
  const Point<3> normal = face_normal(*check.x.topology, check.x.corners, face);
  const Point<3> out = scaled(normal, 1 / length(normal));
  Index corner = check.corner_y(plane);
  if (!leads(check.y, corner, reversed(out), check.slack))
    corner = support(check.y, reversed(out), corner);
  const Point<3>& point = check.y.corners[corner];
  const Index base = check.x.topology->frame[face][0];
  const double gap = dot(out, difference(point, check.x.corners[base]));
  if (gap > 0 && side_beyond(check.x, face, out, point, check.slack) != no_half_edge) return false;
  check.give(plane, out, gap, base, corner);
  return true;
}

bool on_edge(const Check& check, CommonPlane<3>& plane) {
  const PolyhedronTopology& topology = *check.x.topology;
  const Index half_edge = check.part_x(plane);
  const Index corner = check.corner_y(plane);
  const Point<3>& p = check.x.corners[topology.half_edges[half_edge].origin];
  const Point<3> edge = difference(
      check.x.corners[topology.half_edges[topology.half_edges[half_edge].next].origin], p);
  const Point<3> way = difference(check.y.corners[corner], p);
  const double square = dot(edge, edge);
  const double t = dot(way, edge) / square;
  if (t < 0 || t > 1) return false;
  Point<3> out = along(way, -t, edge);
  const double least = touching * (check.x.topology->radius + check.y.topology->radius);
  const double gap = length(out);
  if (gap <= least) return false;
  out = scaled(out, 1 / gap);
  out = along(out, -dot(out, edge) / square, edge);
  if (!edge_leads(check.x, half_edge, out, check.slack) ||
      !leads(check.y, corner, reversed(out), check.slack))
    return false;
  check.give(plane, out, dot(out, way), topology.half_edges[half_edge].origin, corner);
  return true;
}

bool on_edges(const PolyhedronView& a, const PolyhedronView& b, double slack,
              CommonPlane<3>& plane) {
  Crossing crossing;
  if (!cross_edges(a, b, plane.part_a, plane.part_b, crossing)) return false;
  if (crossing.beyond_a() > 0 || crossing.beyond_b() > 0) return false;
  const double turned = dot(crossing.across, plane.normal) < 0 ? -1 : 1;
  const Point<3> out = scaled(crossing.across, turned / std::sqrt(crossing.square));
  if (!edge_leads(a, plane.part_a, out, slack) ||
      !edge_leads(b, plane.part_b, reversed(out), slack))
    return false;
  plane.normal = out;
  plane.gap = dot(out, difference(crossing.p_b, crossing.p_a));
  plane.a = a.topology->half_edges[plane.part_a].origin;
  plane.b = b.topology->half_edges[plane.part_b].origin;
  return true;
}

bool on_corners(const PolyhedronView& a, const PolyhedronView& b, double slack,
                CommonPlane<3>& plane) {
  const Point<3> way = difference(b.corners[plane.b], a.corners[plane.a]);
  const double gap = length(way);
  if (gap <= touching * (a.topology->radius + b.topology->radius)) return false;
  const Point<3> out = scaled(way, 1 / gap);
  if (!leads(a, plane.a, out, slack) || !leads(b, plane.b, reversed(out), slack)) return false;
  plane.normal = out;
  plane.gap = gap;
  return true;
}

bool still_stands(const PolyhedronView& a, const PolyhedronView& b, double slack,
                  CommonPlane<3>& plane) {
  switch (plane.kind) {
    case PlaneKind::side_a:
      return on_face({a, b, false, slack}, plane);
    case PlaneKind::side_b:
      return on_face({b, a, true, slack}, plane);
    case PlaneKind::edges:
      return on_edges(a, b, slack, plane);
    case PlaneKind::edge_a:
      return on_edge({a, b, false, slack}, plane);
    case PlaneKind::edge_b:
      return on_edge({b, a, true, slack}, plane);
    case PlaneKind::bisector:
      break;
  }
  return on_corners(a, b, slack, plane);
}

}  // namespace

bool certified(const PolyhedronView& a, const PolyhedronView& b, const CommonPlane<3>& previous,
               CommonPlane<3>& plane) {
  plane = previous;
  return still_stands(a, b, slack_of(a, b), plane);
}

}  // namespace abut
