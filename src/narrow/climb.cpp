// Climbing to the largest gap of bodies that overlap, from face to face of the difference b − a:
// its support function is −gap, and while that is above 0, each step across the side beyond which
// the origin is seen makes it smaller. So planes lean on a face or two edges, each step turns the
// plane about an edge until it leans on the next (turn.hpp), and no step needs more than the
// neighbours of one corner. This is the extension to 3D of the climb over edge normals that mends
// the stale planes of Nezami, Hashash, Ghaboussi and Zhao's method when particles slide in contact.
#include "narrow/climb.hpp"

#include <array>

#include "narrow/cell.hpp"

namespace abut {
namespace {

constexpr int most_steps = 100;

// The plane in terms of one of the bodies, and back.
struct Role {
  const PolyhedronView& x;
  const PolyhedronView& y;
  bool swapped;
  double slack;

  [[nodiscard]] Facing facing() const { return {x, y, slack}; }
  [[nodiscard]] Point<3> out(const CommonPlane<3>& plane) const {
    return swapped ? reversed(plane.normal) : plane.normal;
  }

  // What a turn about a half-edge of x, with a corner of y, has come to.
  void take(CommonPlane<3>& plane, const Turned& turned, Index half_edge, Index corner) const {
    (swapped ? plane.b : plane.a) = x.topology->origin[half_edge];
    (swapped ? plane.a : plane.b) = corner;
    (swapped ? plane.part_b : plane.part_a) = turned.at_face ? turned.part : half_edge;
    if (!turned.at_face) (swapped ? plane.part_a : plane.part_b) = turned.part;
    plane.kind = !turned.at_face ? PlaneKind::edges
                 : swapped       ? PlaneKind::side_b
                                 : PlaneKind::side_a;
    plane.normal = swapped ? reversed(turned.out) : turned.out;
    const Point<3> way = difference(y.corners[corner], x.corners[x.topology->origin[half_edge]]);
    plane.gap = dot(turned.out, way);
  }
};

bool leave_face(const Role& role, CommonPlane<3>& plane, bool& settled) {
  const Index face = role.swapped ? plane.part_b : plane.part_a;
  const Index corner = role.swapped ? plane.a : plane.b;
  const Point<3> out = role.out(plane);
  const Index h = side_beyond(role.x, face, out, role.y.corners[corner], role.slack);
  settled = h == no_half_edge;
  if (settled) return false;
  const Index other = role.x.topology->twin[h];
  const Turned turned = turn(role.facing(), other, corner, out);
  if (turned.found) role.take(plane, turned, other, corner);
  return turned.found;
}

// The plane leans on an edge of each; the origin is beyond the end of that of y, so it turns about
// that of x.
bool leave_edge(const Role& role, CommonPlane<3>& plane, Index half_edge, Index corner) {
  const PolyhedronTopology& topology = *role.x.topology;
  const Point<3>& p = role.x.corners[topology.origin[half_edge]];
  const Point<3> edge = difference(role.x.corners[topology.origin[topology.next[half_edge]]], p);
  const Point<3> out = role.out(plane);
  const double gain = dot(cross(out, edge), difference(role.y.corners[corner], p));
  const Index h = gain > 0 ? half_edge : topology.twin[half_edge];
  const Turned turned = turn(role.facing(), h, corner, out);
  if (turned.found) role.take(plane, turned, h, corner);
  return turned.found;
}

bool leave_edges(const Role& role, const Role& other, CommonPlane<3>& plane, bool& settled) {
  Crossing crossing;
  settled = false;
  if (!cross_edges(role.x, role.y, plane.part_a, plane.part_b, crossing)) return false;
  const auto square_beyond = [](double beyond, double square) {
    return beyond > 0 ? beyond * beyond * square : 0;
  };
  const double a = square_beyond(crossing.beyond_a(), crossing.square_a);
  const double b = square_beyond(crossing.beyond_b(), crossing.square_b);
  const double allowed = role.slack * role.slack;
  settled = a <= allowed && b <= allowed;
  if (settled) return false;
  const auto end = [](const PolyhedronView& body, Index h, bool far) {
    return body.topology->origin[far ? body.topology->next[h] : h];
  };
  if (a > b)
    return leave_edge(other, plane, plane.part_b, end(role.x, plane.part_a, crossing.s > 1));
  return leave_edge(role, plane, plane.part_a, end(role.y, plane.part_b, crossing.t > 1));
}

// The first edge of either body that a plane meets when it is turned towards the way between two
// corners.
struct FirstMet {
  TurnAngle angle{-1, 0};
  Index half_edge = no_half_edge;
  bool of_b = false;
};

FirstMet first_met(const Role& role, const CornerPair& pair, const Point<3>& out,
                   const Point<3>& speed, FirstMet first) {
  const PolyhedronTopology& topology = *role.x.topology;
  const Index corner = role.swapped ? pair.b : pair.a;
  TurnAngle angle{};
  for (Index k = topology.hub[corner]; k < topology.hub[corner + 1]; ++k) {
    const Point<3> spoke = difference(role.x.corners[topology.tips[k]], role.x.corners[corner]);
    if (!meets(-dot(out, spoke), dot(speed, spoke), role.slack, angle)) continue;
    if (!angle.before(first.angle)) continue;
    first = {angle, topology.spokes[k], role.swapped};
  }
  return first;
}

}  // namespace

bool climb_step(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane,
                bool& settled) {
  const double slack = slack_of(a, b);
  const Role role{a, b, false, slack};
  const Role other{b, a, true, slack};
  if (plane.kind == PlaneKind::side_a) return leave_face(role, plane, settled);
  if (plane.kind == PlaneKind::side_b) return leave_face(other, plane, settled);
  return leave_edges(role, other, plane, settled);
}

Climbed climb(const PolyhedronView& a, const PolyhedronView& b, const CommonPlane<3>& plane) {
  const double slack = slack_of(a, b);
  Climbed result{plane};
  CommonPlane<3> next = plane;
  while (result.steps < most_steps && climb_step(a, b, next, result.settled)) {
    if (next.gap < result.plane.gap - slack) break;  // rounding
    ++result.steps;
    result.plane = next;
    if (next.gap > 0) break;
  }
  return result;
}

Climbed climb_from(const PolyhedronView& a, const PolyhedronView& b, const Point<3>& normal,
                   const CornerPair& pair) {
  const double slack = slack_of(a, b);
  const Role role{a, b, false, slack};
  const Role other{b, a, true, slack};
  Climbed result{{normal, dot(normal, pair.way), pair.a, pair.b, PlaneKind::bisector}};
  Point<3> speed = along(pair.way, -result.plane.gap, normal);
  const double aside = length(speed);
  FirstMet first{{result.plane.gap, aside}};  // the way itself
  if (aside <= slack) {
    speed = across(normal);
    first = {{-1, 1e-9}};  // anything within half a turn
  } else {
    speed = scaled(speed, 1 / aside);
  }
  first = first_met(role, pair, normal, speed, first);
  first = first_met(other, pair, reversed(normal), reversed(speed), first);
  if (first.half_edge == no_half_edge) {  // the bisector of the corners is free
    result.plane.normal = unit(pair.way);
    result.plane.gap = length(pair.way);
    return result;
  }
  const Role& met = first.of_b ? other : role;
  const PolyhedronTopology& topology = *met.x.topology;
  const Point<3> edge = difference(met.x.corners[topology.origin[topology.next[first.half_edge]]],
                                   met.x.corners[topology.origin[first.half_edge]]);
  Point<3> on_edge = sum(scaled(normal, first.angle.x), scaled(speed, first.angle.y));
  on_edge = unit(along(on_edge, -dot(on_edge, edge) / dot(edge, edge), edge));
  CommonPlane<3> plane = result.plane;
  plane.normal = on_edge;
  if (!leave_edge(met, plane, first.half_edge, first.of_b ? pair.a : pair.b)) return result;
  return climb(a, b, plane);
}

}  // namespace abut
