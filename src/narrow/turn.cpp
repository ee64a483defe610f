// Turning a plane about an edge until it lies on a face or on a second edge, or has its largest
// gap: the outward direction u goes along an arc, u·cos t + m·sin t, and every edge that leaves the
// corner of y, the face at the end of the arc, and the plane across the way from the edge to the
// corner, has an angle at which it is met. The first counts. O(degree of the corner).
#include "narrow/turn.hpp"

#include "narrow/topology.hpp"

namespace abut {
namespace {

Point<3> of_length_one(const Point<3>& a) { return scaled(a, 1 / length(a)); }

}  // namespace

Turned turn(const Facing& bodies, Index half_edge, Index corner, const Point<3>& out) {
  const PolyhedronTopology& mine = *bodies.x.topology;
  const PolyhedronTopology& other = *bodies.y.topology;
  const Point<3>* const at = bodies.x.corners.data();
  const Point<3>* const at_y = bodies.y.corners.data();
  const Index second = mine.half_edges[half_edge].next;
  const Point<3> p = at[mine.half_edges[half_edge].origin];
  const Point<3> edge = difference(at[mine.half_edges[second].origin], p);
  const Point<3> speed = cross(out, edge);  // as long as the edge; angles are in this frame
  const double square = dot(edge, edge);
  const double slow = bodies.slack * bodies.x.topology->radius;
  const Point<3> tip = at_y[corner];
  const Point<3> way = difference(tip, p);

  Turned result{TurnEnd::best};
  constexpr double tiny = 1e-250;  // never exactly a half turn: what is met at once comes before
  TurnAngle first{dot(out, way) * square, std::max(dot(speed, way), tiny)};
  TurnAngle angle{};
  const Point<3> inward = difference(at[mine.half_edges[mine.half_edges[second].next].origin], p);
  if (meets(-dot(out, inward), dot(speed, inward), bodies.slack, slow, angle) &&
      angle.before(first)) {
    first = angle;
    result = {TurnEnd::face, {}, mine.half_edges[half_edge].face};
  }
  Point<3> met{};
  for (Index k = other.hub[corner]; k < other.hub[corner + 1]; ++k) {
    const Point<3> spoke = difference(at_y[other.spokes[k].tip], tip);
    if (!meets(dot(out, spoke), -dot(speed, spoke), bodies.slack, slow, angle)) continue;
    if (!angle.before(first)) continue;
    first = angle;
    result = {TurnEnd::edge, {}, other.spokes[k].half_edge};
    met = spoke;
  }
  if (result.end == TurnEnd::face) {
    result.out = of_length_one(face_normal(mine, bodies.x.corners, result.part));
    return result;
  }
  const Point<3> where = sum(scaled(out, first.x), scaled(speed, first.y));
  if (result.end == TurnEnd::best) {
    // The part of the way across the edge, made to be so once more after it has length one.
    const Point<3> across_edge = along(way, -dot(way, edge) / square, edge);
    const double gap = length(across_edge);
    if (gap <= 100 * bodies.slack) return {};
    const Point<3> rough = scaled(across_edge, 1 / gap);
    result.out = along(rough, -dot(rough, edge) / square, edge);
    return result;
  }
  const Point<3> across_both = cross(edge, met);
  const double size = length(across_both);
  if (size == 0) return {};
  result.out = scaled(across_both, (dot(across_both, where) < 0 ? -1 : 1) / size);
  return result;
}

}  // namespace abut
