// Hill climbing on the gap of a plane between two convex polyhedra, with the candidates of Nezami,
// Hashash, Ghaboussi and Zhao (2004) extended to 3D. While the closest vertices A and B stay the
// same, the gap is n·(B − A). So it grows
//   - toward the direction of B − A, until an edge of either body lies in the plane;
//   - then by rotating the plane about that edge, until a face or a second edge lies in the plane;
//   - there it is a local maximum if the vertex projects into the face, or if the edges cross;
//     otherwise by rotating about the edge of the face, or the other edge, that is exceeded.
// Each step increases the gap and visits the neighbors of one or two vertices. Unlike in the paper,
// ties do not end the search (steps of zero rotation continue), and overlapping bodies need not be
// separated first.
#include <array>

#include "narrow/common_plane_3d.hpp"

namespace abut {
namespace {

constexpr int max_climb_steps = 60;

// The two bodies in either order, so that each function is written for one of them only. The
// outward direction points from x to y.
struct OrientedPair {
  const PolyhedronView& x;
  const PolyhedronView& y;
  bool swapped;  // x is b
  double tolerance;
};

enum class RotationStop : std::uint8_t {
  failed,   // rounding errors left no direction
  face,     // the plane contains the face of x next to the edge
  edge,     // the plane is also parallel to an edge of y
  maximum,  // the gap has its maximum in between
};

struct RotationResult {
  RotationStop stop = RotationStop::failed;
  Point<3> outward{};  // unit vector
  Index feature = 0;   // that face of x, or that half-edge of y, which starts at the vertex
};

// The direction u·cos t + m·sin t moves from u toward m, 0 ≤ t < π. Returns cot t at which it
// becomes orthogonal to an edge: the larger, the earlier. `distance` is how far u is from there and
// `speed` how fast m approaches it. Returns −∞ or NaN if that never happens; distances up to
// `tolerance` and speeds up to `min_speed` count as zero. Without branches, which would be
// unpredictable.
inline double hit_cotangent(double distance, double speed, double tolerance, double min_speed) {
  constexpr std::array<double, 2> delay{std::numeric_limits<double>::infinity(), 0};
  const auto is_far = static_cast<unsigned>(distance > tolerance);
  const auto is_fast = static_cast<unsigned>(speed > min_speed);
  return speed / std::max(0.0, distance) - delay[is_far | is_fast];
}

Point<3> unit_vector(const Point<3>& a) { return scaled(a, 1 / length(a)); }

// Rotates a plane through an edge of x and a vertex of y about that edge, in the direction in which
// the gap grows, until it stops growing or another feature lies in the plane: an edge at the vertex
// or the face next to the edge. `outward` may have any length. O(degree of the vertex).
RotationResult rotate_about_edge(const OrientedPair& bodies, Index half_edge, Index vertex,
                                 const Point<3>& outward) {
  const PolyhedronTopology& topology_x = *bodies.x.topology;
  const PolyhedronTopology& topology_y = *bodies.y.topology;
  const Point<3>* const vertices_x = bodies.x.vertices.data();
  const Point<3>* const vertices_y = bodies.y.vertices.data();
  const EdgeFan& fan = topology_x.edge_fans[half_edge];
  const Point<3>& origin = vertices_x[fan.origin];
  const Point<3> edge = difference(vertices_x[fan.target], origin);
  const double edge_squared = dot(edge, edge);
  const Point<3>& apex = vertices_y[vertex];
  const Point<3> separation = difference(apex, origin);
  // The gap grows to the left or to the right of the edge. u = outward and m = motion may have any
  // length.
  const Point<3> left = cross(outward, edge);
  const bool is_left = dot(left, separation) > 0;
  const Point<3> motion = scaled(left, is_left ? 1 : -1);
  const double tolerance = bodies.tolerance * max_abs(outward);
  const double min_speed = tolerance * topology_x.bounding_radius;

  constexpr double tiny =
      1e-250;  // finite, so that features that already lie in the plane come first
  double first_hit =
      dot(outward, separation) * edge_squared / std::max(dot(motion, separation), tiny);
  const Point<3> inward = difference(vertices_x[is_left ? fan.left : fan.right], origin);
  const double face_hit =
      hit_cotangent(-dot(outward, inward), dot(motion, inward), tolerance, min_speed);
  const bool is_face_hit = face_hit > first_hit;
  first_hit = std::max(first_hit, face_hit);
  const Index none = topology_y.vertex_offsets[vertex + 1];
  Index hit = none;
  for (Index k = topology_y.vertex_offsets[vertex]; k < none; ++k) {
    const Point<3> other = difference(vertices_y[topology_y.outgoing_edges[k].target], apex);
    const double edge_hit =
        hit_cotangent(dot(outward, other), -dot(motion, other), tolerance, min_speed);
    hit = edge_hit > first_hit ? k : hit;
    first_hit = std::max(first_hit, edge_hit);
  }
  const Index twin = topology_x.half_edges[half_edge].twin;
  RotationResult result;
  if (hit != none)
    result = {RotationStop::edge, {}, topology_y.outgoing_edges[hit].half_edge};
  else if (is_face_hit)
    result = {RotationStop::face, {}, topology_x.half_edges[is_left ? half_edge : twin].face};
  else
    result.stop = RotationStop::maximum;
  if (result.stop == RotationStop::face) {
    result.outward = unit_vector(face_normal(topology_x, bodies.x.vertices, result.feature));
    return result;
  }
  if (result.stop == RotationStop::maximum) {
    // The component of the separation orthogonal to the edge, orthogonalized twice.
    const Point<3> orthogonal = add_scaled(separation, -dot(separation, edge) / edge_squared, edge);
    const double gap = length(orthogonal);
    if (gap <= 100 * bodies.tolerance) return {};
    const Point<3> direction = scaled(orthogonal, 1 / gap);
    result.outward = add_scaled(direction, -dot(direction, edge) / edge_squared, edge);
    return result;
  }
  const Point<3> other = difference(vertices_y[topology_y.outgoing_edges[hit].target], apex);
  const Point<3> normal = cross(edge, other);
  const Point<3> approximate =
      add_scaled(scaled(outward, -dot(motion, other)), std::max(dot(outward, other), 0.0), motion);
  const double normal_length = length(normal);
  if (normal_length == 0) return {};
  result.outward = scaled(normal, (dot(normal, approximate) < 0 ? -1 : 1) / normal_length);
  return result;
}

Point<3> outward_direction(const OrientedPair& bodies, const CommonPlane<3>& plane) {
  return bodies.swapped ? reversed(plane.normal) : plane.normal;
}

Point<3> edge_vector(const PolyhedronView& body, Index half_edge) {
  const EdgeFan& fan = body.topology->edge_fans[half_edge];
  return difference(body.vertices[fan.target], body.vertices[fan.origin]);
}

Index edge_end(const PolyhedronView& body, Index half_edge, bool at_target) {
  const EdgeFan& fan = body.topology->edge_fans[half_edge];
  return at_target ? fan.target : fan.origin;
}

// Rotates the plane about a half-edge of x; false if rounding errors prevent it.
bool rotate_plane_about_edge(const OrientedPair& bodies, CommonPlane<3>& plane, Index half_edge,
                             Index vertex_y) {
  const RotationResult rotated =
      rotate_about_edge(bodies, half_edge, vertex_y, outward_direction(bodies, plane));
  if (rotated.stop == RotationStop::failed) return false;
  const bool swapped = bodies.swapped;
  const Index vertex_x = bodies.x.topology->half_edges[half_edge].origin;
  const bool is_face = rotated.stop == RotationStop::face;
  (swapped ? plane.vertex_b : plane.vertex_a) = vertex_x;
  (swapped ? plane.vertex_a : plane.vertex_b) = vertex_y;
  (swapped ? plane.feature_b : plane.feature_a) = is_face ? rotated.feature : half_edge;
  if (rotated.stop == RotationStop::edge)
    (swapped ? plane.feature_a : plane.feature_b) = rotated.feature;
  plane.kind = rotated.stop == RotationStop::edge ? PlaneKind::edges
               : is_face ? (swapped ? PlaneKind::face_b : PlaneKind::face_a)
                         : (swapped ? PlaneKind::edge_b : PlaneKind::edge_a);
  plane.normal = swapped ? reversed(rotated.outward) : rotated.outward;
  plane.gap =
      dot(rotated.outward, difference(bodies.y.vertices[vertex_y], bodies.x.vertices[vertex_x]));
  return true;
}

// The functions improve_from_… make one step from a plane of one kind. They return false if there
// is none; `converged` is then true if the plane is a local maximum.

bool improve_from_face(const OrientedPair& bodies, CommonPlane<3>& plane, bool& converged) {
  const Index face = bodies.swapped ? plane.feature_b : plane.feature_a;
  const Index vertex = bodies.swapped ? plane.vertex_a : plane.vertex_b;
  const Index half_edge = most_exceeded_edge(bodies.x, face, outward_direction(bodies, plane),
                                             bodies.y.vertices[vertex], bodies.tolerance);
  converged = half_edge == no_half_edge;
  return !converged && rotate_plane_about_edge(bodies, plane, half_edge, vertex);
}

bool improve_from_edge_pair(const OrientedPair& bodies, const OrientedPair& swapped_bodies,
                            CommonPlane<3>& plane, bool& converged) {
  EdgeCrossing crossing;
  if (!cross_edges(bodies.x, bodies.y, plane.feature_a, plane.feature_b, crossing)) return false;
  const auto excess_squared = [](double excess, double length_squared) {
    return excess > 0 ? excess * excess * length_squared : 0;
  };
  const double excess_a = excess_squared(crossing.excess_a(), crossing.length_squared_a);
  const double excess_b = excess_squared(crossing.excess_b(), crossing.length_squared_b);
  const double allowed = bodies.tolerance * crossing.normal_squared;
  converged = std::max(excess_a, excess_b) <= allowed * allowed;
  if (converged) return false;
  if (excess_a > excess_b)
    return rotate_plane_about_edge(
        swapped_bodies, plane, plane.feature_b,
        edge_end(bodies.x, plane.feature_a, crossing.s > crossing.normal_squared));
  return rotate_plane_about_edge(
      bodies, plane, plane.feature_a,
      edge_end(bodies.y, plane.feature_b, crossing.t > crossing.normal_squared));
}

// The first edge of either body that comes to lie in the plane while its normal rotates.
struct FirstEdgeHit {
  double cotangent;  // of the angle, see hit_cotangent
  Index half_edge = no_half_edge;
  bool is_from_b = false;
};

// Updates `first` with the edges at a vertex of x, while the outward direction rotates toward
// `motion`.
void find_first_edge_hit(const OrientedPair& bodies, Index vertex, const Point<3>& outward,
                         const Point<3>& motion, double min_speed, FirstEdgeHit& first) {
  const PolyhedronTopology& topology = *bodies.x.topology;
  const Point<3>* const vertices = bodies.x.vertices.data();
  const Point<3>& position = vertices[vertex];
  const Index begin = topology.vertex_offsets[vertex];
  const Index none = topology.vertex_offsets[vertex + 1];
  double first_hit = first.cotangent;
  Index hit = none;
  for (Index k = begin; k < none; ++k) {
    const Point<3> edge = difference(vertices[topology.outgoing_edges[k].target], position);
    const double edge_hit =
        hit_cotangent(-dot(outward, edge), dot(motion, edge), bodies.tolerance, min_speed);
    hit = edge_hit > first_hit ? k : hit;
    first_hit = std::max(first_hit, edge_hit);
  }
  const Index half_edge = topology.outgoing_edges[hit == none ? begin : hit].half_edge;
  first.cotangent = first_hit;
  first.half_edge = hit == none ? first.half_edge : half_edge;
  first.is_from_b = hit == none ? first.is_from_b : bodies.swapped;
}

// Rotates the normal toward the line between the closest vertices.
bool improve_from_vertices(const OrientedPair& bodies, const OrientedPair& swapped_bodies,
                           CommonPlane<3>& plane, bool& converged) {
  const VertexPair pair = vertex_pair(bodies.x, bodies.y, plane.vertex_a, plane.vertex_b);
  const double gap = dot(plane.normal, pair.separation);
  Point<3> motion = add_scaled(pair.separation, -gap, plane.normal);
  double max_motion = max_abs(motion);
  FirstEdgeHit first{gap};  // separation = gap·normal + motion is reached at cot t = gap
  if (max_motion <= bodies.tolerance) {
    converged = gap > 100 * bodies.tolerance;  // the normal has the direction of the separation
    if (converged) return false;
    first = {-1e9};  // accept any edge within half a rotation
    motion = perpendicular(plane.normal);
    max_motion = 1;
  }
  const double min_speed = max_motion * bodies.tolerance;
  find_first_edge_hit(bodies, pair.a, plane.normal, motion, min_speed, first);
  find_first_edge_hit(swapped_bodies, pair.b, reversed(plane.normal), reversed(motion), min_speed,
                      first);
  if (first.half_edge == no_half_edge) {
    plane.gap = length(pair.separation);
    converged = plane.gap > 100 * bodies.tolerance;
    if (converged) plane.normal = scaled(pair.separation, 1 / plane.gap);
    return false;
  }
  const OrientedPair& owner = first.is_from_b ? swapped_bodies : bodies;
  const Point<3> edge = edge_vector(owner.x, first.half_edge);
  const double sign = first.is_from_b ? -1 : 1;
  const double distance = std::max(-sign * dot(plane.normal, edge), 0.0);
  const Point<3> rotated =
      add_scaled(scaled(plane.normal, sign * dot(motion, edge)), distance, motion);
  plane.normal = add_scaled(rotated, -dot(rotated, edge) / dot(edge, edge), edge);  // not unit
  return rotate_plane_about_edge(owner, plane, first.half_edge, first.is_from_b ? pair.a : pair.b);
}

// The gap is a maximum among the planes through an edge of x. It is a local maximum among all if
// the vertex of y projects into the edge; otherwise the closer end of the edge replaces the edge.
bool improve_from_edge(const OrientedPair& bodies, CommonPlane<3>& plane, bool& converged) {
  const Index half_edge = bodies.swapped ? plane.feature_b : plane.feature_a;
  const Point<3> edge = edge_vector(bodies.x, half_edge);
  const Index origin = bodies.x.topology->half_edges[half_edge].origin;
  const Index vertex = bodies.swapped ? plane.vertex_a : plane.vertex_b;
  const double t = dot(edge, difference(bodies.y.vertices[vertex], bodies.x.vertices[origin]));
  const double edge_squared = dot(edge, edge);
  const double excess = std::max(-t, t - edge_squared);
  converged = excess <= 0 || excess * excess <= bodies.tolerance * bodies.tolerance * edge_squared;
  if (converged) return false;
  (bodies.swapped ? plane.vertex_b : plane.vertex_a) = edge_end(bodies.x, half_edge, t > 0);
  plane.kind = PlaneKind::vertices;
  return true;
}

}  // namespace

bool hill_climb_step(const PolyhedronView& a, const PolyhedronView& b, double tolerance,
                     CommonPlane<3>& plane, bool& converged) {
  const OrientedPair bodies{a, b, false, tolerance};
  const OrientedPair swapped_bodies{b, a, true, tolerance};
  converged = false;
  switch (plane.kind) {
    case PlaneKind::face_a:
      return improve_from_face(bodies, plane, converged);
    case PlaneKind::face_b:
      return improve_from_face(swapped_bodies, plane, converged);
    case PlaneKind::edges:
      return improve_from_edge_pair(bodies, swapped_bodies, plane, converged);
    case PlaneKind::edge_a:
      return improve_from_edge(bodies, plane, converged);
    case PlaneKind::edge_b:
      return improve_from_edge(swapped_bodies, plane, converged);
    case PlaneKind::vertices:
      break;
  }
  return improve_from_vertices(bodies, swapped_bodies, plane, converged);
}

bool hill_climb(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane) {
  const double tolerance = rounding_tolerance(a, b);
  bool converged = false;
  CommonPlane<3> before = plane;
  double min_gap = plane.gap - tolerance;
  const auto should_continue = [&](bool stepped) {
    if (!stepped && converged) return false;
    const bool is_higher = stepped && plane.gap >= min_gap;  // a lower gap is a rounding error
    if (!is_higher) plane = before;
    return is_higher;
  };
  // Every search starts with this kind; calling it directly avoids a mispredicted branch.
  if (plane.kind == PlaneKind::vertices &&
      !should_continue(improve_from_vertices({a, b, false, tolerance}, {b, a, true, tolerance},
                                             plane, converged)))
    return converged;
  for (int steps = 1; steps < max_climb_steps; ++steps) {
    before = plane;
    min_gap = plane.gap - tolerance;
    if (!should_continue(hill_climb_step(a, b, tolerance, plane, converged))) break;
  }
  return converged;
}

}  // namespace abut
