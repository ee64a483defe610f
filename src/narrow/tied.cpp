// What a plane leans on: of the spokes of its nearest corner those that lie in it. Two in a row are
// a face, one an edge. Where faces or edges of both lie in it, a plane made of one corner may not
// be certified (certificate.hpp), because that corner is beside the face of the other: the pairs of
// corners, edges and faces that are tied are tried until one is.
#include "narrow/tied.hpp"

#include <array>
#include <cmath>

#include "narrow/certificate.hpp"
#include "narrow/climb.hpp"

namespace abut {
namespace {

struct Lean {
  Index half_edge = 0;
  int corners = 1;  // 1, 2, or 3 for a face
};

Lean lean_of(const PolyhedronView& body, Index corner, const Point<3>& out, double slack) {
  const PolyhedronTopology& topology = *body.topology;
  const Index begin = topology.hub[corner];
  const Index end = topology.hub[corner + 1];
  const auto is_tied = [&](Index k) {
    const Point<3> spoke = difference(body.corners[topology.spokes[k].tip], body.corners[corner]);
    return std::abs(dot(out, spoke)) <= slack;
  };
  Lean lean;
  bool before = is_tied(end - 1);
  for (Index k = begin; k < end; ++k) {
    const bool tied = is_tied(k);
    if (tied && before) return {topology.spokes[k == begin ? end - 1 : k - 1].half_edge, 3};
    if (tied) lean = {topology.spokes[k].half_edge, 2};
    before = tied;
  }
  return lean;
}

// Parallel edges: each end of one beside the other.
void beside(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane) {
  const auto end = [](const PolyhedronView& body, Index h, bool far) {
    return body.topology->half_edges[far ? body.topology->half_edges[h].next : h].origin;
  };
  for (const bool far : {false, true})
    for (const PlaneKind kind : {PlaneKind::edge_a, PlaneKind::edge_b}) {
      CommonPlane<3> candidate = plane;
      candidate.kind = kind;
      if (kind == PlaneKind::edge_a)
        candidate.b = end(b, plane.part_b, far);
      else
        candidate.a = end(a, plane.part_a, far);
      if (certified(a, b, candidate) == Certificate::none || candidate.gap < plane.gap) continue;
      plane = candidate;
      return;
    }
}

// Along faces that lie in one plane, to where the one is above the other; the plane stays.
void slide(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane) {
  constexpr int most_steps = 30;
  const double slack = slack_of(a, b);
  CommonPlane<3> next = plane;
  bool settled = false;
  for (int step = 0; step < most_steps; ++step) {
    if (!climb_step(a, b, slack, next, settled)) break;
    if (next.gap < plane.gap - slack || dot(next.normal, plane.normal) < 1 - 1e-9) return;
  }
  if (settled) plane = next;
}

}  // namespace

void name_parts(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane) {
  const double slack = 8 * slack_of(a, b);
  const Lean on_a = lean_of(a, plane.a, plane.normal, slack);
  const Lean on_b = lean_of(b, plane.b, reversed(plane.normal), slack);
  plane.part_a = on_a.corners == 3 ? a.topology->half_edges[on_a.half_edge].face : on_a.half_edge;
  plane.part_b = on_b.corners == 3 ? b.topology->half_edges[on_b.half_edge].face : on_b.half_edge;
  if (on_a.corners == 3 || on_b.corners == 3) {
    plane.kind = on_a.corners == 3 ? PlaneKind::side_a : PlaneKind::side_b;
    if (on_a.corners > 1 && on_b.corners > 1) slide(a, b, plane);
  } else if (on_a.corners == 2 && on_b.corners == 2) {
    plane.kind = PlaneKind::edges;
    CommonPlane<3> crossed = plane;
    if (certified(a, b, crossed) == Certificate::none)
      beside(a, b, plane);
    else
      plane = crossed;
  } else {
    plane.kind = on_a.corners == 2   ? PlaneKind::edge_a
                 : on_b.corners == 2 ? PlaneKind::edge_b
                                     : PlaneKind::bisector;
  }
}

}  // namespace abut
