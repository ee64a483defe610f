// What makes a plane the common one, seen from what it is made of alone (Nezami et al.: five
// candidates in 2D; in 3D the bisector, faces, an edge, two edges):
//   it leaves the neighbours of its corners behind, and
//   bisector: that is all; face: the corner is above it; edge: the corner is beside it;
//   two edges: they cross as seen along the normal.
// Where the gap is above 0 this certifies the distance. Where it is not, a corner far enough inside
// the face, or edges that cross far enough from their ends, leave no shorter way out (Inside); for
// others ways_out.hpp goes further. O(neighbours of a corner, sides of a face).
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "narrow/common_plane_3d.hpp"
#include "narrow/polyhedron_geometry.hpp"
#include "narrow/polyhedron_topology.hpp"

#define ABUT_INLINE [[gnu::always_inline]] inline

namespace abut {
namespace {

constexpr double min_relative_gap =
    1e-11;  // of the size: then the way between corners is no direction

// How far inside the sides of its cell (cell.hpp) the foot of the origin must be. The pyramid of
// the cell and of the difference of the centroids is part of a − b. With the depth d, the height h
// of that apex above the cell and its distance w from a side along the cell, the side leans by φ,
// tan φ = h / w. It keeps the distance d from the origin if the foot is s ≥ d / tan(φ/2) inside of
// it. The apex is l away from the foot along the cell, so w ≤ s + l, and the side that would do is
//   2 d s (s + l) = h (s² − d²), or s = d (l + √(l² + h² − 2 h d)) / (h − 2 d).
// With the centroids c apart, and m of that along the normal, h = m + d and l² + m² = c², so
// s ≤ d (l + c) / (m − d). If all sides are that far the ball of radius d is inside of a − b. Where
// bodies are apart the foot may be as far outside as rounding takes it.
struct InsideMargin {
  double required_squared;  // of what it must be, with its sign, times
  double scale = 1;         // this

  // `most` is how far inside it is, times any length, of which `of_square` is the square.
  [[nodiscard]] bool is_met(double most, double of_square) const {
    return most * std::abs(most) * scale >= required_squared * of_square;
  }
};

ABUT_INLINE InsideMargin required_margin(const PolyhedronView& from, const PolyhedronView& to,
                                         const Point<3>& out, double gap, double slack) {
  if (gap > 0) return {-slack * slack};
  const Point<3> line = difference(to.centroid, from.centroid);
  const double along_out = dot(line, out);
  const double square = dot(line, line);
  const double aside = std::max(square - along_out * along_out, 0.0);
  const double most = aside + square + 2 * std::sqrt(aside * square);  // (l + c)²
  const double rest = along_out + gap;
  constexpr double none = std::numeric_limits<double>::infinity();
  return {rest > 0 ? gap * gap * most : none, rest * rest};
}

struct FeatureCheck {
  const PolyhedronView& x;
  const PolyhedronView& y;
  bool swapped;
  double tolerance;

  [[nodiscard]] Index feature_x(const CommonPlane<3>& plane) const {
    return swapped ? plane.feature_b : plane.feature_a;
  }
  [[nodiscard]] Index vertex_y(const CommonPlane<3>& plane) const {
    return swapped ? plane.vertex_a : plane.vertex_b;
  }
  void update(CommonPlane<3>& plane, const Point<3>& out, double gap, Index of_x,
              Index of_y) const {
    plane.normal = swapped ? reversed(out) : out;
    plane.gap = gap;
    plane.vertex_a = swapped ? of_y : of_x;
    plane.vertex_b = swapped ? of_x : of_y;
  }
};

// Which is x is chosen without a branch, for nobody could guess it.
ABUT_INLINE FeatureCheck feature_check(const PolyhedronView& a, const PolyhedronView& b,
                                       PlaneKind kind, double slack) {
  const bool swapped = kind == PlaneKind::face_b || kind == PlaneKind::edge_b;
  return {swapped ? b : a, swapped ? a : b, swapped, slack};
}

// No neighbour of a corner is farther along `out` than the corner is. Three are looked at at once,
// some of them twice: how many there are nobody could guess.
ABUT_INLINE bool is_support_vertex(const PolyhedronView& body, Index corner, const Point<3>& out,
                                   double slack) {
  const PolyhedronTopology& topology = *body.topology;
  const auto* const at = body.vertices.data();
  const OutgoingEdge* const spokes = topology.outgoing_edges.data();
  const Point<3>& here = at[corner];
  const Index last = topology.vertex_offsets[corner + 1] - 1;
  const auto is_behind = [&](Index k) {
    const Index tip = spokes[k < last ? k : last].target;
    return static_cast<unsigned>(dot(out, difference(at[tip], here)) <= slack);
  };
  unsigned all = 1;
  for (Index k = topology.vertex_offsets[corner]; k <= last; k += 3)
    all &= is_behind(k) & is_behind(k + 1) & is_behind(k + 2);
  return all != 0;
}

// Two axes such that what lies across `out` is seen along the third as little shortened as can be,
// and turns the same way round.
struct ProjectionAxes {
  std::size_t x, y;
  // Looked up, for nobody could guess the branches.
  explicit ProjectionAxes(const Point<3>& out) {
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
ABUT_INLINE bool projects_inside_face(const PolyhedronView& body, Index face, const Point<3>& out,
                                      const Point<3>& foot, const InsideMargin& inside) {
  const PolyhedronTopology& topology = *body.topology;
  const auto* const at = body.vertices.data();
  const HalfEdge* const half_edges = topology.half_edges.data();
  const ProjectionAxes sight(out);
  const double foot_x = foot[sight.x];
  const double foot_y = foot[sight.y];
  const Index end = topology.face_offsets[face + 1];
  const Point<3>& last = at[half_edges[end - 1].origin];
  double px = last[sight.x] - foot_x;
  double py = last[sight.y] - foot_y;
  bool all = true;
  for (Index h = topology.face_offsets[face]; h < end; ++h) {
    const Point<3>& corner = at[half_edges[h].origin];
    const double qx = corner[sight.x] - foot_x;
    const double qy = corner[sight.y] - foot_y;
    const double square = (qx - px) * (qx - px) + (qy - py) * (qy - py);
    const bool is_inside = inside.is_met(px * qy - py * qx, square);
    all = all && is_inside;
    px = qx;
    py = qy;
  }
  return all;
}

// Neither of the faces at an edge rises above it.
ABUT_INLINE bool is_support_edge(const PolyhedronView& body, Index half_edge, const Point<3>& out,
                                 double slack) {
  const EdgeFan& ridge = body.topology->edge_fans[half_edge];
  const auto* const at = body.vertices.data();
  const Point<3>& p = at[ridge.origin];
  const bool left_is_behind = dot(out, difference(at[ridge.left], p)) <= slack;
  const bool right_is_behind = dot(out, difference(at[ridge.right], p)) <= slack;
  return left_is_behind && right_is_behind;
}

ABUT_INLINE Certificate certify_face(const FeatureCheck& check, CommonPlane<3>& plane) {
  const Index face = check.feature_x(plane);
  if (face >= check.x.topology->face_count() || check.vertex_y(plane) >= check.y.vertices.size())
    return Certificate::none;
  const Point<3> normal = face_normal(*check.x.topology, check.x.vertices, face);
  const Point<3> out = scaled(normal, 1 / length(normal));
  Index corner = check.vertex_y(plane);
  if (!is_support_vertex(check.y, corner, reversed(out), check.tolerance))
    corner = support_vertex(check.y, reversed(out), corner);
  const Point<3>& point = check.y.vertices[corner];
  const Index base = check.x.topology->face_frames[face][0];
  const double gap = dot(out, difference(point, check.x.vertices[base]));
  const InsideMargin inside = required_margin(check.x, check.y, out, gap, check.tolerance);
  const bool is_above =
      projects_inside_face(check.x, face, out, add_scaled(point, -gap, out), inside);
  if (!is_above && gap > 0) return Certificate::none;
  check.update(plane, out, gap, base, corner);
  return is_above ? Certificate::largest : Certificate::supported;
}

bool certify_edge(const FeatureCheck& check, CommonPlane<3>& plane) {
  const PolyhedronTopology& topology = *check.x.topology;
  const Index half_edge = check.feature_x(plane);
  const Index corner = check.vertex_y(plane);
  if (half_edge >= topology.edge_fans.size() || corner >= check.y.vertices.size()) return false;
  const Point<3>& p = check.x.vertices[topology.half_edges[half_edge].origin];
  const Point<3> edge = difference(
      check.x.vertices[topology.half_edges[topology.half_edges[half_edge].next].origin], p);
  const Point<3> way = difference(check.y.vertices[corner], p);
  const double square = dot(edge, edge);
  const double t = dot(way, edge) / square;
  if (t < 0 || t > 1) return false;
  Point<3> out = add_scaled(way, -t, edge);
  const double least =
      min_relative_gap * (check.x.topology->bounding_radius + check.y.topology->bounding_radius);
  const double gap = length(out);
  if (gap <= least) return false;
  out = scaled(out, 1 / gap);
  out = add_scaled(out, -dot(out, edge) / square, edge);
  if (!is_support_edge(check.x, half_edge, out, check.tolerance) ||
      !is_support_vertex(check.y, corner, reversed(out), check.tolerance))
    return false;
  check.update(plane, out, dot(out, way), topology.half_edges[half_edge].origin, corner);
  return true;
}

ABUT_INLINE Certificate certify_edge_pair(const PolyhedronView& a, const PolyhedronView& b,
                                          double slack, CommonPlane<3>& plane) {
  if (plane.feature_a >= a.topology->edge_fans.size() ||
      plane.feature_b >= b.topology->edge_fans.size())
    return Certificate::none;
  EdgeCrossing crossing;
  if (!cross_edges(a, b, plane.feature_a, plane.feature_b, crossing)) return Certificate::none;
  const double inside_a = -crossing.excess_a();
  const double inside_b = -crossing.excess_b();
  const double turned = dot(crossing.normal, plane.normal);
  const Point<3> out =
      scaled(crossing.normal, std::copysign(1 / std::sqrt(crossing.normal_squared), turned));
  const bool a_leads = is_support_edge(a, plane.feature_a, out, slack);
  const bool b_leads = is_support_edge(b, plane.feature_b, reversed(out), slack);
  if (std::min(inside_a, inside_b) < 0 || !a_leads || !b_leads) return Certificate::none;
  plane.normal = out;
  plane.gap = dot(out, crossing.separation);
  plane.vertex_a = a.topology->edge_fans[plane.feature_a].origin;
  plane.vertex_b = b.topology->edge_fans[plane.feature_b].origin;
  if (plane.gap > 0) return Certificate::largest;
  const InsideMargin inside = required_margin(a, b, out, plane.gap, slack);
  const bool is_inside =
      inside.is_met(inside_a, crossing.normal_squared * crossing.length_squared_b) &&
      inside.is_met(inside_b, crossing.normal_squared * crossing.length_squared_a);
  return is_inside ? Certificate::largest : Certificate::supported;
}

bool certify_vertices(const PolyhedronView& a, const PolyhedronView& b, double slack,
                      CommonPlane<3>& plane) {
  if (plane.vertex_a >= a.vertices.size() || plane.vertex_b >= b.vertices.size()) return false;
  const Point<3> way = difference(b.vertices[plane.vertex_b], a.vertices[plane.vertex_a]);
  const double gap = length(way);
  if (gap <= min_relative_gap * (a.topology->bounding_radius + b.topology->bounding_radius))
    return false;
  const Point<3> out = scaled(way, 1 / gap);
  if (!is_support_vertex(a, plane.vertex_a, out, slack) ||
      !is_support_vertex(b, plane.vertex_b, reversed(out), slack))
    return false;
  plane.normal = out;
  plane.gap = gap;
  return true;
}

}  // namespace

Certificate certify(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane) {
  const double slack = rounding_tolerance(a, b);
  const auto if_it = [](bool stands) { return stands ? Certificate::largest : Certificate::none; };
  const FeatureCheck check = feature_check(a, b, plane.kind, slack);
  switch (plane.kind) {
    case PlaneKind::face_a:
    case PlaneKind::face_b:
      return certify_face(check, plane);
    case PlaneKind::edges:
      return certify_edge_pair(a, b, slack, plane);
    case PlaneKind::edge_a:
    case PlaneKind::edge_b:
      return if_it(certify_edge(check, plane));
    case PlaneKind::vertices:
      break;
  }
  return if_it(certify_vertices(a, b, slack, plane));
}

}  // namespace abut

// Is there a shorter way out than the depth d of a known plane? None, if the ball of radius d about
// the origin is inside the difference a − b. That is shown from inside: the pyramid of the plane's
// own face of the difference (cell.hpp) and of the difference of the centroids is part of it, and
// the plane touches the ball; its sides must keep away from it. Where a side cuts into the ball, a
// corner beyond it takes its place, the next one around or else the farthest, as in the expanding
// polytopes of van den Bergen (GDC 2001), but only there and without a list of faces: triangles
// that see the same directions from the origin are enough, and they may overlap. Shallow overlaps
// need the sides of one face.
namespace abut {
namespace {

constexpr std::size_t max_triangles = 64;
constexpr int max_expansions = 100;

using Triangle = std::array<Point<3>, 3>;

struct DepthSphereCheck {
  const PolyhedronView& a;
  const PolyhedronView& b;
  CommonPlane<3>& plane;
  double depth_squared;  // a little less, so that rounding is no cut
  std::size_t count = 0;
  std::array<Triangle, max_triangles> triangles;  // not set, for there are few

  DepthSphereCheck(const PolyhedronView& of_a, const PolyhedronView& of_b, CommonPlane<3>& known,
                   double square)
      : a(of_a), b(of_b), plane(known), depth_squared(square) {}

  bool push_triangle(const Triangle& triangle) {
    if (count == max_triangles) return false;
    triangles[count++] = triangle;
    return true;
  }

  // The side of the pyramid at q → r, which runs counterclockwise seen from outside the base. Where
  // it cuts into the ball, what is next to the base beyond it is tried first: it is at hand.
  bool add_pyramid_side(const Point<3>& q, const Point<3>& r, const Point<3>& apex,
                        const Point<3>& next) {
    const Point<3> normal = cross(difference(apex, q), difference(r, q));
    const double height = dot(normal, q);
    if (height <= 0) return enclose_origin({q, apex, r});
    if (height * height >= depth_squared * dot(normal, normal)) return true;
    return dot(normal, next) > height ? expand_triangle({q, apex, r}, next)
                                      : push_triangle({q, apex, r});
  }

  // The origin is beyond a side: the three triangles of a farther corner take its place, and of
  // those the origin is beyond once more, until it is inside of all. Then the surface they close
  // with the other sides goes around the origin, for each is seen from it in the same turn.
  bool enclose_origin(const Triangle& side) {
    constexpr std::size_t most_corners = 16;
    std::array<Triangle, 2 * most_corners + 1> sides;
    std::size_t left = 0;
    sides[left++] = side;
    for (std::size_t tries = 0; left > 0; ++tries) {
      if (tries == most_corners) return false;
      const Triangle next = sides[--left];
      const Point<3> normal = cross(difference(next[1], next[0]), difference(next[2], next[0]));
      const VertexPair far = support_pair(a, b, normal);
      const Point<3> out = reversed(far.separation);
      if (dot(normal, out) <= 0) return false;  // apart
      for (std::size_t k = 0; k < 3; ++k) {
        const Triangle part{next[k], next[(k + 1) % 3], out};
        bool is_seen = true;
        if (!keep_if_intersecting(part, is_seen)) return false;
        if (!is_seen) sides[left++] = part;
      }
    }
    return true;
  }

  bool add_face_sides(const PolyhedronView& body, Index face, const Point<3>& corner, bool swapped,
                      const Point<3>& apex) {
    const PolyhedronTopology& topology = *body.topology;
    const auto from_corner = [&](Index k) {
      return swapped ? difference(corner, body.vertices[k]) : difference(body.vertices[k], corner);
    };
    for (Index h = topology.face_offsets[face]; h < topology.face_offsets[face + 1]; ++h) {
      const EdgeFan& side = topology.edge_fans[h];
      const Point<3> p = from_corner(swapped ? side.target : side.origin);
      const Point<3> q = from_corner(swapped ? side.origin : side.target);
      if (!add_pyramid_side(p, q, apex, from_corner(side.right))) return false;
    }
    return true;
  }

  bool add_edge_pair_sides(const Point<3>& apex) {
    const EdgeFan& of_a = a.topology->edge_fans[plane.feature_a];
    EdgeFan of_b = b.topology->edge_fans[plane.feature_b];
    const auto between = [&](Index i, Index j) { return difference(a.vertices[i], b.vertices[j]); };
    const Point<3> turn = cross(difference(a.vertices[of_a.target], a.vertices[of_a.origin]),
                                difference(b.vertices[of_b.origin], b.vertices[of_b.target]));
    if (dot(turn, plane.normal) < 0) of_b = {of_b.target, of_b.origin, of_b.right, of_b.left};
    const std::array<Point<3>, 4> base{
        between(of_a.origin, of_b.origin), between(of_a.target, of_b.origin),
        between(of_a.target, of_b.target), between(of_a.origin, of_b.target)};
    return add_pyramid_side(base[0], base[1], apex, between(of_a.right, of_b.origin)) &&
           add_pyramid_side(base[1], base[2], apex, between(of_a.target, of_b.left)) &&
           add_pyramid_side(base[2], base[3], apex, between(of_a.left, of_b.target)) &&
           add_pyramid_side(base[3], base[0], apex, between(of_a.origin, of_b.right));
  }

  // Keeps a triangle if it cuts into the ball; it is not seen if the origin is beyond it.
  bool keep_if_intersecting(const Triangle& triangle, bool& is_seen) {
    const auto& [p, q, r] = triangle;
    const Point<3> normal = cross(difference(q, p), difference(r, p));
    const double height = dot(normal, p);
    is_seen = height > 0;
    return !is_seen || height * height >= depth_squared * dot(normal, normal) ||
           push_triangle(triangle);
  }

  // Puts those of a point farther out in the place of a triangle that cuts into the ball. What is
  // not seen of them shows nothing the others do not.
  bool expand_triangle(const Triangle& triangle, const Point<3>& out) {
    bool is_seen = true;
    for (std::size_t k = 0; k < 3; ++k)
      if (!keep_if_intersecting({triangle[k], triangle[(k + 1) % 3], out}, is_seen)) return false;
    return true;
  }

  PenetrationCheck expand_polytope() {
    for (int step = 0; count > 0; ++step) {
      if (step == max_expansions) return PenetrationCheck::undecided;
      const Triangle triangle = triangles[--count];
      const auto& [p, q, r] = triangle;
      const Point<3> normal = cross(difference(q, p), difference(r, p));
      const double square = dot(normal, normal);
      const VertexPair far = support_pair(a, b, normal);
      const Point<3> out = reversed(far.separation);
      const double reach = dot(normal, out);
      if (reach <= 0 || reach * reach < depth_squared * square) {
        plane = {scaled(normal, 1 / std::sqrt(square)), -reach / std::sqrt(square), far.a, far.b};
        return PenetrationCheck::improved;
      }
      if (!expand_triangle(triangle, out)) return PenetrationCheck::undecided;
    }
    return PenetrationCheck::minimal;
  }
};

}  // namespace

PenetrationCheck check_penetration(const PolyhedronView& a, const PolyhedronView& b,
                                   CommonPlane<3>& plane) {
  constexpr double rounding = 1e-12;
  const double size = a.topology->bounding_radius + b.topology->bounding_radius;
  const double depth = std::max(-plane.gap - rounding * size, 0.0);
  const Point<3> apex = difference(a.centroid, b.centroid);
  DepthSphereCheck check(a, b, plane, depth * depth);
  bool inside = false;
  if (plane.kind == PlaneKind::face_a)
    inside = check.add_face_sides(a, plane.feature_a, b.vertices[plane.vertex_b], false, apex);
  else if (plane.kind == PlaneKind::face_b)
    inside = check.add_face_sides(b, plane.feature_b, a.vertices[plane.vertex_a], true, apex);
  else if (plane.kind == PlaneKind::edges)
    inside = check.add_edge_pair_sides(apex);
  return inside ? check.expand_polytope() : PenetrationCheck::undecided;
}

}  // namespace abut
