// Turning a plane about an edge until it lies on a face or on a second edge: the outward direction
// u goes along an arc, u·cos t + m·sin t, and every edge d that leaves the corner of y, and the
// face at the end of the arc, has an angle at which it is met. The first counts. O(degree of the
// corner).
#include "narrow/turn.hpp"

#include "narrow/topology.hpp"

namespace abut {

Turned turn(const Facing& bodies, Index half_edge, Index corner, const Point<3>& out) {
  const PolyhedronTopology& mine = *bodies.x.topology;
  const PolyhedronTopology& other = *bodies.y.topology;
  const auto* const at = bodies.x.corners.data();
  const Index second = mine.next[half_edge];
  const Point<3>& p = at[mine.origin[half_edge]];
  const Point<3> edge = difference(at[mine.origin[second]], p);
  const Point<3> side = cross(out, edge);
  const Point<3> speed = scaled(side, 1 / length(side));

  Turned result;
  TurnAngle first{-1, 0};
  TurnAngle angle{};
  const Point<3> inward = difference(at[mine.origin[mine.next[second]]], p);
  if (meets(-dot(out, inward), dot(speed, inward), bodies.slack, angle)) {
    first = angle;
    result.at_face = result.found = true;
    result.part = mine.face[half_edge];
  }
  Point<3> met{};
  const Point<3>& tip = bodies.y.corners[corner];
  for (Index k = other.hub[corner]; k < other.hub[corner + 1]; ++k) {
    const Point<3> spoke = difference(bodies.y.corners[other.tips[k]], tip);
    if (!meets(dot(out, spoke), -dot(speed, spoke), bodies.slack, angle)) continue;
    if (result.found && !angle.before(first)) continue;
    first = angle;
    result.at_face = false;
    result.found = true;
    result.part = other.spokes[k];
    met = spoke;
  }
  if (!result.found) return result;
  if (result.at_face) {
    result.out = unit(face_normal(mine, bodies.x.corners, result.part));
    return result;
  }
  const Point<3> across_both = cross(edge, met);
  const double size = length(across_both);
  if (size == 0) return {};
  const Point<3> where = sum(scaled(out, first.x), scaled(speed, first.y));
  result.out = scaled(across_both, (dot(across_both, where) < 0 ? -1 : 1) / size);
  return result;
}

}  // namespace abut
