// The candidates of Nezami, Hashash, Ghaboussi and Zhao in 3D, one leading to the next. With the
// two nearest corners fixed the gap is n·(b − a) over the directions that keep them nearest, so it
// grows towards the bisector until an edge is met, then along the arc of directions across that
// edge (turn.hpp) until a face or a second edge is met; there the corner must be above the face, or
// the edges cross, or the plane turns on about the side beyond which it is not. Each step gains,
// and looks at the neighbours of one or two corners only. Ties do not halt it: steps that turn
// nothing go on. Bodies that overlap need not be moved apart.
#include "narrow/climb.hpp"

#include "narrow/cell.hpp"
#include "narrow/turn.hpp"

namespace abut {
namespace {

constexpr int most_climbs = 60;

// The plane in terms of x.
Point<3> out_of(const Facing& role, const CommonPlane<3>& plane) {
  return role.swapped ? reversed(plane.normal) : plane.normal;
}

Point<3> edge_of(const PolyhedronView& body, Index h) {
  const Ridge& ridge = body.topology->ridges[h];
  return difference(body.corners[ridge.tip], body.corners[ridge.origin]);
}

// Turns about a half-edge of x, with a corner of y; false if rounding does not let it.
bool turn_about(const Facing& role, CommonPlane<3>& plane, Index half_edge, Index corner) {
  const Turned turned = turn(role, half_edge, corner, out_of(role, plane));
  if (turned.end == TurnEnd::nowhere) return false;
  const Index of_x = role.x.topology->half_edges[half_edge].origin;
  const bool on_face = turned.end == TurnEnd::face;
  (role.swapped ? plane.b : plane.a) = of_x;
  (role.swapped ? plane.a : plane.b) = corner;
  (role.swapped ? plane.part_b : plane.part_a) = on_face ? turned.part : half_edge;
  if (turned.end == TurnEnd::edge) (role.swapped ? plane.part_a : plane.part_b) = turned.part;
  plane.kind = turned.end == TurnEnd::edge ? PlaneKind::edges
               : on_face                   ? (role.swapped ? PlaneKind::side_b : PlaneKind::side_a)
                                           : (role.swapped ? PlaneKind::edge_b : PlaneKind::edge_a);
  plane.normal = role.swapped ? reversed(turned.out) : turned.out;
  plane.gap = dot(turned.out, difference(role.y.corners[corner], role.x.corners[of_x]));
  return true;
}

bool leave_face(const Facing& role, CommonPlane<3>& plane, bool& settled) {
  const Index face = role.swapped ? plane.part_b : plane.part_a;
  const Index corner = role.swapped ? plane.a : plane.b;
  const Index h =
      side_beyond(role.x, face, out_of(role, plane), role.y.corners[corner], role.slack);
  settled = h == no_half_edge;
  return !settled && turn_about(role, plane, h, corner);
}

Index end_of(const PolyhedronView& body, Index h, bool far) {
  return far ? body.topology->ridges[h].tip : body.topology->ridges[h].origin;
}

bool leave_edges(const Facing& role, const Facing& other, CommonPlane<3>& plane, bool& settled) {
  Crossing crossing;
  if (!cross_edges(role.x, role.y, plane.part_a, plane.part_b, crossing)) return false;
  const auto square_beyond = [](double beyond, double square) {
    return beyond > 0 ? beyond * beyond * square : 0;
  };
  const double a = square_beyond(crossing.beyond_a(), crossing.square_a);
  const double b = square_beyond(crossing.beyond_b(), crossing.square_b);
  const double allowed = role.slack * crossing.square;
  settled = std::max(a, b) <= allowed * allowed;
  if (settled) return false;
  if (a > b)
    return turn_about(other, plane, plane.part_b,
                      end_of(role.x, plane.part_a, crossing.s > crossing.square));
  return turn_about(role, plane, plane.part_a,
                    end_of(role.y, plane.part_b, crossing.t > crossing.square));
}

// The first edge of either body that a plane meets when it is turned towards the bisector.
struct FirstMet {
  double at;  // as met_at
  Index half_edge = no_half_edge;
  bool of_b = false;
};

void meet_spokes(const Facing& role, Index corner, const Point<3>& out, const Point<3>& speed,
                 double slow, FirstMet& first) {
  const PolyhedronTopology& topology = *role.x.topology;
  const Point<3>* const at = role.x.corners.data();
  const Point<3>& here = at[corner];
  const Index begin = topology.hub[corner];
  const Index none = topology.hub[corner + 1];
  double most = first.at;
  Index met = none;
  for (Index k = begin; k < none; ++k) {
    const Point<3> spoke = difference(at[topology.spokes[k].tip], here);
    const double spoke_at = met_at(-dot(out, spoke), dot(speed, spoke), role.slack, slow);
    met = spoke_at > most ? k : met;
    most = std::max(most, spoke_at);
  }
  const Index half_edge = topology.spokes[met == none ? begin : met].half_edge;
  first.at = most;
  first.half_edge = met == none ? first.half_edge : half_edge;
  first.of_b = met == none ? first.of_b : role.swapped;
}

// From a plane with nothing but its nearest corners, towards their bisector.
bool leave_corners(const Facing& role, const Facing& other, CommonPlane<3>& plane, bool& settled) {
  const CornerPair pair = corner_pair(role.x, role.y, plane.a, plane.b);
  const double gap = dot(plane.normal, pair.way);
  Point<3> speed = along(pair.way, -gap, plane.normal);
  double aside = largest_part(speed);
  FirstMet first{gap};  // the bisector: gap·normal + speed is the way
  if (aside <= role.slack) {
    settled = gap > 100 * role.slack;  // it is the bisector
    if (settled) return false;
    first = {-1e9};  // anything within half a turn
    speed = across(plane.normal);
    aside = 1;
  }
  const double slow = aside * role.slack;
  meet_spokes(role, pair.a, plane.normal, speed, slow, first);
  meet_spokes(other, pair.b, reversed(plane.normal), reversed(speed), slow, first);
  if (first.half_edge == no_half_edge) {
    plane.gap = length(pair.way);
    settled = plane.gap > 100 * role.slack;
    if (settled) plane.normal = scaled(pair.way, 1 / plane.gap);
    return false;
  }
  const Facing& met = first.of_b ? other : role;
  const Point<3> edge = edge_of(met.x, first.half_edge);
  const double sign = first.of_b ? -1 : 1;
  const double short_of = std::max(-sign * dot(plane.normal, edge), 0.0);
  const Point<3> rough = along(scaled(plane.normal, sign * dot(speed, edge)), short_of, speed);
  plane.normal = along(rough, -dot(rough, edge) / dot(edge, edge), edge);  // of any length
  return turn_about(met, plane, first.half_edge, first.of_b ? pair.a : pair.b);
}

// The plane has its largest gap about an edge of x; the corner of y must be beside that.
bool leave_edge(const Facing& role, CommonPlane<3>& plane, bool& settled) {
  const Index half_edge = role.swapped ? plane.part_b : plane.part_a;
  const Point<3> edge = edge_of(role.x, half_edge);
  const Index start = role.x.topology->half_edges[half_edge].origin;
  const Index corner = role.swapped ? plane.a : plane.b;
  const double t = dot(edge, difference(role.y.corners[corner], role.x.corners[start]));
  const double square = dot(edge, edge);
  const double beyond = std::max(-t, t - square);
  settled = beyond <= 0 || beyond * beyond <= role.slack * role.slack * square;
  if (settled) return false;
  (role.swapped ? plane.b : plane.a) = end_of(role.x, half_edge, t > 0);
  plane.kind = PlaneKind::bisector;
  return true;
}

}  // namespace

bool climb_step(const PolyhedronView& a, const PolyhedronView& b, double slack,
                CommonPlane<3>& plane, bool& settled) {
  const Facing role{a, b, false, slack};
  const Facing other{b, a, true, slack};
  settled = false;
  switch (plane.kind) {
    case PlaneKind::side_a:
      return leave_face(role, plane, settled);
    case PlaneKind::side_b:
      return leave_face(other, plane, settled);
    case PlaneKind::edges:
      return leave_edges(role, other, plane, settled);
    case PlaneKind::edge_a:
      return leave_edge(role, plane, settled);
    case PlaneKind::edge_b:
      return leave_edge(other, plane, settled);
    case PlaneKind::bisector:
      break;
  }
  return leave_corners(role, other, plane, settled);
}

bool climb(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane) {
  const double slack = slack_of(a, b);
  bool settled = false;
  CommonPlane<3> before = plane;
  double least = plane.gap - slack;
  const auto goes_on = [&](bool stepped) {
    if (!stepped && settled) return false;
    const bool is_higher = stepped && plane.gap >= least;  // or it is rounding
    if (!is_higher) plane = before;
    return is_higher;
  };
  if (plane.kind == PlaneKind::bisector &&  // as every search begins: no need to guess where to go
      !goes_on(leave_corners({a, b, false, slack}, {b, a, true, slack}, plane, settled)))
    return settled;
  for (int steps = 1; steps < most_climbs; ++steps) {
    before = plane;
    least = plane.gap - slack;
    if (!goes_on(climb_step(a, b, slack, plane, settled))) break;
  }
  return settled;
}

}  // namespace abut
