// Turning a plane about an edge until it lies on a face or on a second edge, or has its largest
// gap: the outward direction u goes along an arc, u·cos t + m·sin t, and every edge that leaves the
// corner of y, the face at the end of the arc, and the plane across the way from the edge to the
// corner, has an angle at which it is met. The first counts. O(degree of the corner).
#include "narrow/common_plane_3d.hpp"
#include "narrow/polyhedron_geometry.hpp"
#include "narrow/polyhedron_topology.hpp"

namespace abut {
namespace {

Point<3> unit_vector(const Point<3>& a) { return scaled(a, 1 / length(a)); }

}  // namespace

RotationResult rotate_about_edge(const OrientedPair& bodies, Index half_edge, Index corner,
                                 const Point<3>& out) {
  const PolyhedronTopology& mine = *bodies.x.topology;
  const PolyhedronTopology& other = *bodies.y.topology;
  const Point<3>* const at = bodies.x.vertices.data();
  const Point<3>* const at_y = bodies.y.vertices.data();
  const EdgeFan& ridge = mine.edge_fans[half_edge];
  const Point<3>& p = at[ridge.origin];
  const Point<3> edge = difference(at[ridge.target], p);
  const double square = dot(edge, edge);
  const Point<3>& tip = at_y[corner];
  const Point<3> way = difference(tip, p);
  // Uphill is to the left or to the right. Angles are in the frame of u and m, both of any length.
  const Point<3> left = cross(out, edge);
  const bool is_left = dot(left, way) > 0;
  const Point<3> speed = scaled(left, is_left ? 1 : -1);
  const double slack = bodies.tolerance * max_abs(out);
  const double slow = slack * mine.bounding_radius;

  constexpr double tiny = 1e-250;  // never exactly a half turn: what is met at once comes before
  double most = dot(out, way) * square / std::max(dot(speed, way), tiny);
  const Point<3> inward = difference(at[is_left ? ridge.left : ridge.right], p);
  const double face_at = hit_cotangent(-dot(out, inward), dot(speed, inward), slack, slow);
  const bool at_face = face_at > most;
  most = std::max(most, face_at);
  const Index none = other.vertex_offsets[corner + 1];
  Index met = none;
  for (Index k = other.vertex_offsets[corner]; k < none; ++k) {
    const Point<3> spoke = difference(at_y[other.outgoing_edges[k].target], tip);
    const double spoke_at = hit_cotangent(dot(out, spoke), -dot(speed, spoke), slack, slow);
    met = spoke_at > most ? k : met;
    most = std::max(most, spoke_at);
  }
  const Index twin = mine.half_edges[half_edge].twin;
  RotationResult result;
  if (met != none)
    result = {RotationStop::edge, {}, other.outgoing_edges[met].half_edge};
  else if (at_face)
    result = {RotationStop::face, {}, mine.half_edges[is_left ? half_edge : twin].face};
  else
    result.stop = RotationStop::maximum;
  if (result.stop == RotationStop::face) {
    result.outward = unit_vector(face_normal(mine, bodies.x.vertices, result.feature));
    return result;
  }
  if (result.stop == RotationStop::maximum) {
    // The part of the way across the edge, made to be so once more after it has length one.
    const Point<3> across_edge = add_scaled(way, -dot(way, edge) / square, edge);
    const double gap = length(across_edge);
    if (gap <= 100 * bodies.tolerance) return {};
    const Point<3> rough = scaled(across_edge, 1 / gap);
    result.outward = add_scaled(rough, -dot(rough, edge) / square, edge);
    return result;
  }
  const Point<3> spoke = difference(at_y[other.outgoing_edges[met].target], tip);
  const Point<3> across_both = cross(edge, spoke);
  const Point<3> where =
      add_scaled(scaled(out, -dot(speed, spoke)), std::max(dot(out, spoke), 0.0), speed);
  const double size = length(across_both);
  if (size == 0) return {};
  result.outward = scaled(across_both, (dot(across_both, where) < 0 ? -1 : 1) / size);
  return result;
}

}  // namespace abut

// The candidates of Nezami, Hashash, Ghaboussi and Zhao in 3D, one leading to the next. With the
// two nearest corners fixed the gap is n·(b − a) over the directions that keep them nearest, so it
// grows towards the bisector until an edge is met, then along the arc of directions across that
// edge (turn.hpp) until a face or a second edge is met; there the corner must be above the face, or
// the edges cross, or the plane turns on about the side beyond which it is not. Each step gains,
// and looks at the neighbours of one or two corners only. Ties do not halt it: steps that turn
// nothing go on. Bodies that overlap need not be moved apart.
namespace abut {
namespace {

constexpr int max_climb_steps = 60;

// The plane in terms of x.
Point<3> outward_direction(const OrientedPair& role, const CommonPlane<3>& plane) {
  return role.swapped ? reversed(plane.normal) : plane.normal;
}

Point<3> edge_vector(const PolyhedronView& body, Index h) {
  const EdgeFan& ridge = body.topology->edge_fans[h];
  return difference(body.vertices[ridge.target], body.vertices[ridge.origin]);
}

// Turns about a half-edge of x, with a corner of y; false if rounding does not let it.
bool rotate_plane_about_edge(const OrientedPair& role, CommonPlane<3>& plane, Index half_edge,
                             Index corner) {
  const RotationResult turned =
      rotate_about_edge(role, half_edge, corner, outward_direction(role, plane));
  if (turned.stop == RotationStop::failed) return false;
  const Index of_x = role.x.topology->half_edges[half_edge].origin;
  const bool on_face = turned.stop == RotationStop::face;
  (role.swapped ? plane.vertex_b : plane.vertex_a) = of_x;
  (role.swapped ? plane.vertex_a : plane.vertex_b) = corner;
  (role.swapped ? plane.feature_b : plane.feature_a) = on_face ? turned.feature : half_edge;
  if (turned.stop == RotationStop::edge)
    (role.swapped ? plane.feature_a : plane.feature_b) = turned.feature;
  plane.kind = turned.stop == RotationStop::edge ? PlaneKind::edges
               : on_face ? (role.swapped ? PlaneKind::face_b : PlaneKind::face_a)
                         : (role.swapped ? PlaneKind::edge_b : PlaneKind::edge_a);
  plane.normal = role.swapped ? reversed(turned.outward) : turned.outward;
  plane.gap = dot(turned.outward, difference(role.y.vertices[corner], role.x.vertices[of_x]));
  return true;
}

bool improve_from_face(const OrientedPair& role, CommonPlane<3>& plane, bool& settled) {
  const Index face = role.swapped ? plane.feature_b : plane.feature_a;
  const Index corner = role.swapped ? plane.vertex_a : plane.vertex_b;
  const Index h = most_exceeded_edge(role.x, face, outward_direction(role, plane),
                                     role.y.vertices[corner], role.tolerance);
  settled = h == no_half_edge;
  return !settled && rotate_plane_about_edge(role, plane, h, corner);
}

Index edge_end(const PolyhedronView& body, Index h, bool far) {
  return far ? body.topology->edge_fans[h].target : body.topology->edge_fans[h].origin;
}

bool improve_from_edge_pair(const OrientedPair& role, const OrientedPair& other,
                            CommonPlane<3>& plane, bool& settled) {
  EdgeCrossing crossing;
  if (!cross_edges(role.x, role.y, plane.feature_a, plane.feature_b, crossing)) return false;
  const auto square_beyond = [](double beyond, double square) {
    return beyond > 0 ? beyond * beyond * square : 0;
  };
  const double a = square_beyond(crossing.excess_a(), crossing.length_squared_a);
  const double b = square_beyond(crossing.excess_b(), crossing.length_squared_b);
  const double allowed = role.tolerance * crossing.normal_squared;
  settled = std::max(a, b) <= allowed * allowed;
  if (settled) return false;
  if (a > b)
    return rotate_plane_about_edge(
        other, plane, plane.feature_b,
        edge_end(role.x, plane.feature_a, crossing.s > crossing.normal_squared));
  return rotate_plane_about_edge(
      role, plane, plane.feature_a,
      edge_end(role.y, plane.feature_b, crossing.t > crossing.normal_squared));
}

// The first edge of either body that a plane meets when it is turned towards the bisector.
struct FirstEdgeHit {
  double cotangent;  // as met_at
  Index half_edge = no_half_edge;
  bool is_from_b = false;
};

void find_first_edge_hit(const OrientedPair& role, Index corner, const Point<3>& out,
                         const Point<3>& speed, double slow, FirstEdgeHit& first) {
  const PolyhedronTopology& topology = *role.x.topology;
  const Point<3>* const at = role.x.vertices.data();
  const Point<3>& here = at[corner];
  const Index begin = topology.vertex_offsets[corner];
  const Index none = topology.vertex_offsets[corner + 1];
  double most = first.cotangent;
  Index met = none;
  for (Index k = begin; k < none; ++k) {
    const Point<3> spoke = difference(at[topology.outgoing_edges[k].target], here);
    const double spoke_at =
        hit_cotangent(-dot(out, spoke), dot(speed, spoke), role.tolerance, slow);
    met = spoke_at > most ? k : met;
    most = std::max(most, spoke_at);
  }
  const Index half_edge = topology.outgoing_edges[met == none ? begin : met].half_edge;
  first.cotangent = most;
  first.half_edge = met == none ? first.half_edge : half_edge;
  first.is_from_b = met == none ? first.is_from_b : role.swapped;
}

// From a plane with nothing but its nearest corners, towards their bisector.
bool improve_from_vertices(const OrientedPair& role, const OrientedPair& other,
                           CommonPlane<3>& plane, bool& settled) {
  const VertexPair pair = vertex_pair(role.x, role.y, plane.vertex_a, plane.vertex_b);
  const double gap = dot(plane.normal, pair.separation);
  Point<3> speed = add_scaled(pair.separation, -gap, plane.normal);
  double aside = max_abs(speed);
  FirstEdgeHit first{gap};  // the bisector: gap·normal + speed is the way
  if (aside <= role.tolerance) {
    settled = gap > 100 * role.tolerance;  // it is the bisector
    if (settled) return false;
    first = {-1e9};  // anything within half a turn
    speed = perpendicular(plane.normal);
    aside = 1;
  }
  const double slow = aside * role.tolerance;
  find_first_edge_hit(role, pair.a, plane.normal, speed, slow, first);
  find_first_edge_hit(other, pair.b, reversed(plane.normal), reversed(speed), slow, first);
  if (first.half_edge == no_half_edge) {
    plane.gap = length(pair.separation);
    settled = plane.gap > 100 * role.tolerance;
    if (settled) plane.normal = scaled(pair.separation, 1 / plane.gap);
    return false;
  }
  const OrientedPair& met = first.is_from_b ? other : role;
  const Point<3> edge = edge_vector(met.x, first.half_edge);
  const double sign = first.is_from_b ? -1 : 1;
  const double short_of = std::max(-sign * dot(plane.normal, edge), 0.0);
  const Point<3> rough = add_scaled(scaled(plane.normal, sign * dot(speed, edge)), short_of, speed);
  plane.normal = add_scaled(rough, -dot(rough, edge) / dot(edge, edge), edge);  // of any length
  return rotate_plane_about_edge(met, plane, first.half_edge, first.is_from_b ? pair.a : pair.b);
}

// The plane has its largest gap about an edge of x; the corner of y must be beside that.
bool improve_from_edge(const OrientedPair& role, CommonPlane<3>& plane, bool& settled) {
  const Index half_edge = role.swapped ? plane.feature_b : plane.feature_a;
  const Point<3> edge = edge_vector(role.x, half_edge);
  const Index start = role.x.topology->half_edges[half_edge].origin;
  const Index corner = role.swapped ? plane.vertex_a : plane.vertex_b;
  const double t = dot(edge, difference(role.y.vertices[corner], role.x.vertices[start]));
  const double square = dot(edge, edge);
  const double beyond = std::max(-t, t - square);
  settled = beyond <= 0 || beyond * beyond <= role.tolerance * role.tolerance * square;
  if (settled) return false;
  (role.swapped ? plane.vertex_b : plane.vertex_a) = edge_end(role.x, half_edge, t > 0);
  plane.kind = PlaneKind::vertices;
  return true;
}

}  // namespace

bool hill_climb_step(const PolyhedronView& a, const PolyhedronView& b, double slack,
                     CommonPlane<3>& plane, bool& settled) {
  const OrientedPair role{a, b, false, slack};
  const OrientedPair other{b, a, true, slack};
  settled = false;
  switch (plane.kind) {
    case PlaneKind::face_a:
      return improve_from_face(role, plane, settled);
    case PlaneKind::face_b:
      return improve_from_face(other, plane, settled);
    case PlaneKind::edges:
      return improve_from_edge_pair(role, other, plane, settled);
    case PlaneKind::edge_a:
      return improve_from_edge(role, plane, settled);
    case PlaneKind::edge_b:
      return improve_from_edge(other, plane, settled);
    case PlaneKind::vertices:
      break;
  }
  return improve_from_vertices(role, other, plane, settled);
}

bool hill_climb(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane) {
  const double slack = rounding_tolerance(a, b);
  bool settled = false;
  CommonPlane<3> before = plane;
  double least = plane.gap - slack;
  const auto goes_on = [&](bool stepped) {
    if (!stepped && settled) return false;
    const bool is_higher = stepped && plane.gap >= least;  // or it is rounding
    if (!is_higher) plane = before;
    return is_higher;
  };
  if (plane.kind == PlaneKind::vertices &&  // as every search begins: no need to guess where to go
      !goes_on(improve_from_vertices({a, b, false, slack}, {b, a, true, slack}, plane, settled)))
    return settled;
  for (int steps = 1; steps < max_climb_steps; ++steps) {
    before = plane;
    least = plane.gap - slack;
    if (!goes_on(hill_climb_step(a, b, slack, plane, settled))) break;
  }
  return settled;
}

}  // namespace abut
