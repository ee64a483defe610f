// What makes a plane the common one, seen from what it is made of alone (Nezami et al.: five
// candidates in 2D; in 3D the bisector, faces, an edge, two edges):
//   it leaves the neighbours of its corners behind, and
//   bisector: that is all; face: the corner is above it; edge: the corner is beside it;
//   two edges: they cross as seen along the normal.
// Where the gap is above 0 this certifies the distance. Where it is not, a corner far enough inside
// the face, or edges that cross far enough from their ends, leave no shorter way out (Inside); for
// others ways_out.hpp goes further. O(neighbours of a corner, sides of a face).
#include "narrow/certificate.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "narrow/cell.hpp"
#include "narrow/topology.hpp"

#define ABUT_INLINE [[gnu::always_inline]] inline

namespace abut {
namespace {

constexpr double touching = 1e-11;  // of the size: then the way between corners is no direction

// How far inside the sides of its cell (cell.hpp) the foot of the origin must be. The pyramid of
// the cell and of the difference of the centroids is part of a − b. With the depth d, the height h
// of that apex above the cell and its distance w from a side along the cell, the side leans by φ,
// tan φ = h / w. It keeps the distance d from the origin if the foot is s ≥ d / tan(φ/2) inside of
// it. The apex is l away from the foot along the cell, so w ≤ s + l, and the side that would do is
//   2 d s (s + l) = h (s² − d²), or s = d (l + √(l² + h² − 2 h d)) / (h − 2 d).
// With the centroids c apart, and m of that along the normal, h = m + d and l² + m² = c², so
// s ≤ d (l + c) / (m − d). If all sides are that far the ball of radius d is inside of a − b. Where
// bodies are apart the foot may be as far outside as rounding takes it.
struct Inside {
  double square;     // of what it must be, with its sign, times
  double scale = 1;  // this

  // `most` is how far inside it is, times any length, of which `of_square` is the square.
  [[nodiscard]] bool holds(double most, double of_square) const {
    return most * std::abs(most) * scale >= square * of_square;
  }
};

ABUT_INLINE Inside inside_of(const PolyhedronView& from, const PolyhedronView& to,
                             const Point<3>& out, double gap, double slack) {
  if (gap > 0) return {-slack * slack};
  const Point<3> line = difference(to.centre, from.centre);
  const double along_out = dot(line, out);
  const double square = dot(line, line);
  const double aside = std::max(square - along_out * along_out, 0.0);
  const double most = aside + square + 2 * std::sqrt(aside * square);  // (l + c)²
  const double rest = along_out + gap;
  constexpr double none = std::numeric_limits<double>::infinity();
  return {rest > 0 ? gap * gap * most : none, rest * rest};
}

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

// Which is x is chosen without a branch, for nobody could guess it.
ABUT_INLINE Check check_of(const PolyhedronView& a, const PolyhedronView& b, PlaneKind kind,
                           double slack) {
  const bool swapped = kind == PlaneKind::side_b || kind == PlaneKind::edge_b;
  return {swapped ? b : a, swapped ? a : b, swapped, slack};
}

// No neighbour of a corner is farther along `out` than the corner is. Three are looked at at once,
// some of them twice: how many there are nobody could guess.
ABUT_INLINE bool leads(const PolyhedronView& body, Index corner, const Point<3>& out,
                       double slack) {
  const PolyhedronTopology& topology = *body.topology;
  const auto* const at = body.corners.data();
  const Spoke* const spokes = topology.spokes.data();
  const Point<3>& here = at[corner];
  const Index last = topology.hub[corner + 1] - 1;
  const auto is_behind = [&](Index k) {
    const Index tip = spokes[k < last ? k : last].tip;
    return static_cast<unsigned>(dot(out, difference(at[tip], here)) <= slack);
  };
  unsigned all = 1;
  for (Index k = topology.hub[corner]; k <= last; k += 3)
    all &= is_behind(k) & is_behind(k + 1) & is_behind(k + 2);
  return all != 0;
}

// Two axes such that what lies across `out` is seen along the third as little shortened as can be,
// and turns the same way round.
struct Sight {
  std::size_t x, y;
  // Looked up, for nobody could guess the branches.
  explicit Sight(const Point<3>& out) {
    constexpr std::array<std::array<std::uint8_t, 2>, 6> axes{
        {{1, 2}, {2, 1}, {2, 0}, {0, 2}, {0, 1}, {1, 0}}};
    const double size_x = std::abs(out[0]);
    const double size_y = std::abs(out[1]);
    const auto is_y = static_cast<std::size_t>(size_y > size_x);
    const auto is_z = static_cast<std::size_t>(std::abs(out[2]) > std::max(size_x, size_y));
    const std::size_t third = (is_y | (is_z << 1U)) - (is_y & is_z);
    const auto& seen = axes[2 * third + static_cast<std::size_t>(std::signbit(out[third]))];
    x = seen[0];
    y = seen[1];
  }
};

// The foot of a point on a face is far enough inside of all its sides. It is seen along an axis:
// areas shrink by a cosine, sides by no more, so what is far enough there is.
ABUT_INLINE bool above(const PolyhedronView& body, Index face, const Point<3>& out,
                       const Point<3>& foot, const Inside& inside) {
  const PolyhedronTopology& topology = *body.topology;
  const auto* const at = body.corners.data();
  const HalfEdge* const half_edges = topology.half_edges.data();
  const Sight sight(out);
  const double foot_x = foot[sight.x];
  const double foot_y = foot[sight.y];
  const Index end = topology.first[face + 1];
  const Point<3>& last = at[half_edges[end - 1].origin];
  double px = last[sight.x] - foot_x;
  double py = last[sight.y] - foot_y;
  bool all = true;
  for (Index h = topology.first[face]; h < end; ++h) {
    const Point<3>& corner = at[half_edges[h].origin];
    const double qx = corner[sight.x] - foot_x;
    const double qy = corner[sight.y] - foot_y;
    const double square = (qx - px) * (qx - px) + (qy - py) * (qy - py);
    const bool is_inside = inside.holds(px * qy - py * qx, square);
    all = all && is_inside;
    px = qx;
    py = qy;
  }
  return all;
}

// Neither of the faces at an edge rises above it.
ABUT_INLINE bool edge_leads(const PolyhedronView& body, Index half_edge, const Point<3>& out,
                            double slack) {
  const Ridge& ridge = body.topology->ridges[half_edge];
  const auto* const at = body.corners.data();
  const Point<3>& p = at[ridge.origin];
  const bool left_is_behind = dot(out, difference(at[ridge.left], p)) <= slack;
  const bool right_is_behind = dot(out, difference(at[ridge.right], p)) <= slack;
  return left_is_behind && right_is_behind;
}

ABUT_INLINE Certificate on_face(const Check& check, CommonPlane<3>& plane) {
  const Index face = check.part_x(plane);
  if (face >= check.x.topology->faces() || check.corner_y(plane) >= check.y.corners.size())
    return Certificate::none;
  const Point<3> normal = face_normal(*check.x.topology, check.x.corners, face);
  const Point<3> out = scaled(normal, 1 / length(normal));
  Index corner = check.corner_y(plane);
  if (!leads(check.y, corner, reversed(out), check.slack))
    corner = support(check.y, reversed(out), corner);
  const Point<3>& point = check.y.corners[corner];
  const Index base = check.x.topology->frame[face][0];
  const double gap = dot(out, difference(point, check.x.corners[base]));
  const Inside inside = inside_of(check.x, check.y, out, gap, check.slack);
  const bool is_above = above(check.x, face, out, along(point, -gap, out), inside);
  if (!is_above && gap > 0) return Certificate::none;
  check.give(plane, out, gap, base, corner);
  return is_above ? Certificate::largest : Certificate::leans;
}

bool on_edge(const Check& check, CommonPlane<3>& plane) {
  const PolyhedronTopology& topology = *check.x.topology;
  const Index half_edge = check.part_x(plane);
  const Index corner = check.corner_y(plane);
  if (half_edge >= topology.ridges.size() || corner >= check.y.corners.size()) return false;
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

ABUT_INLINE Certificate on_edges(const PolyhedronView& a, const PolyhedronView& b, double slack,
                                 CommonPlane<3>& plane) {
  if (plane.part_a >= a.topology->ridges.size() || plane.part_b >= b.topology->ridges.size())
    return Certificate::none;
  Crossing crossing;
  if (!cross_edges(a, b, plane.part_a, plane.part_b, crossing)) return Certificate::none;
  const double inside_a = -crossing.beyond_a();
  const double inside_b = -crossing.beyond_b();
  const double turned = dot(crossing.across, plane.normal);
  const Point<3> out =
      scaled(crossing.across, std::copysign(1 / std::sqrt(crossing.square), turned));
  const bool a_leads = edge_leads(a, plane.part_a, out, slack);
  const bool b_leads = edge_leads(b, plane.part_b, reversed(out), slack);
  if (std::min(inside_a, inside_b) < 0 || !a_leads || !b_leads) return Certificate::none;
  plane.normal = out;
  plane.gap = dot(out, crossing.way);
  plane.a = a.topology->ridges[plane.part_a].origin;
  plane.b = b.topology->ridges[plane.part_b].origin;
  if (plane.gap > 0) return Certificate::largest;
  const Inside inside = inside_of(a, b, out, plane.gap, slack);
  const bool is_inside = inside.holds(inside_a, crossing.square * crossing.square_b) &&
                         inside.holds(inside_b, crossing.square * crossing.square_a);
  return is_inside ? Certificate::largest : Certificate::leans;
}

bool on_corners(const PolyhedronView& a, const PolyhedronView& b, double slack,
                CommonPlane<3>& plane) {
  if (plane.a >= a.corners.size() || plane.b >= b.corners.size()) return false;
  const Point<3> way = difference(b.corners[plane.b], a.corners[plane.a]);
  const double gap = length(way);
  if (gap <= touching * (a.topology->radius + b.topology->radius)) return false;
  const Point<3> out = scaled(way, 1 / gap);
  if (!leads(a, plane.a, out, slack) || !leads(b, plane.b, reversed(out), slack)) return false;
  plane.normal = out;
  plane.gap = gap;
  return true;
}

}  // namespace

Certificate certified(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane) {
  const double slack = slack_of(a, b);
  const auto if_it = [](bool stands) { return stands ? Certificate::largest : Certificate::none; };
  const Check check = check_of(a, b, plane.kind, slack);
  switch (plane.kind) {
    case PlaneKind::side_a:
    case PlaneKind::side_b:
      return on_face(check, plane);
    case PlaneKind::edges:
      return on_edges(a, b, slack, plane);
    case PlaneKind::edge_a:
    case PlaneKind::edge_b:
      return if_it(on_edge(check, plane));
    case PlaneKind::bisector:
      break;
  }
  return if_it(on_corners(a, b, slack, plane));
}

}  // namespace abut
