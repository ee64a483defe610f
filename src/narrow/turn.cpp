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
  const Ridge& ridge = mine.ridges[half_edge];
  const Point<3>& p = at[ridge.origin];
  const Point<3> edge = difference(at[ridge.tip], p);
  const double square = dot(edge, edge);
  const Point<3>& tip = at_y[corner];
  const Point<3> way = difference(tip, p);
  // Uphill is to the left or to the right. Angles are in the frame of u and m, both of any length.
  const Point<3> left = cross(out, edge);
  const bool is_left = dot(left, way) > 0;
  const Point<3> speed = scaled(left, is_left ? 1 : -1);
  const double slack = bodies.slack * largest_part(out);
  const double slow = slack * mine.radius;

  constexpr double tiny = 1e-250;  // never exactly a half turn: what is met at once comes before
  double most = dot(out, way) * square / std::max(dot(speed, way), tiny);
  const Point<3> inward = difference(at[is_left ? ridge.left : ridge.right], p);
  const double face_at = met_at(-dot(out, inward), dot(speed, inward), slack, slow);
  const bool at_face = face_at > most;
  most = std::max(most, face_at);
  const Index none = other.hub[corner + 1];
  Index met = none;
  for (Index k = other.hub[corner]; k < none; ++k) {
    const Point<3> spoke = difference(at_y[other.spokes[k].tip], tip);
    const double spoke_at = met_at(dot(out, spoke), -dot(speed, spoke), slack, slow);
    met = spoke_at > most ? k : met;
    most = std::max(most, spoke_at);
  }
  const Index twin = mine.half_edges[half_edge].twin;
  Turned result;
  if (met != none)
    result = {TurnEnd::edge, {}, other.spokes[met].half_edge};
  else if (at_face)
    result = {TurnEnd::face, {}, mine.half_edges[is_left ? half_edge : twin].face};
  else
    result.end = TurnEnd::best;
  if (result.end == TurnEnd::face) {
    result.out = of_length_one(face_normal(mine, bodies.x.corners, result.part));
    return result;
  }
  if (result.end == TurnEnd::best) {
    // The part of the way across the edge, made to be so once more after it has length one.
    const Point<3> across_edge = along(way, -dot(way, edge) / square, edge);
    const double gap = length(across_edge);
    if (gap <= 100 * bodies.slack) return {};
    const Point<3> rough = scaled(across_edge, 1 / gap);
    result.out = along(rough, -dot(rough, edge) / square, edge);
    return result;
  }
  const Point<3> spoke = difference(at_y[other.spokes[met].tip], tip);
  const Point<3> across_both = cross(edge, spoke);
  const Point<3> where =
      along(scaled(out, -dot(speed, spoke)), std::max(dot(out, spoke), 0.0), speed);
  const double size = length(across_both);
  if (size == 0) return {};
  result.out = scaled(across_both, (dot(across_both, where) < 0 ? -1 : 1) / size);
  return result;
}

}  // namespace abut
