// Proofs that a plane is the common plane of two convex polyhedra.
//
// certify() looks at the features of the plane alone (the five candidates of Nezami et al. in 2D;
// in 3D: two vertices, a face, an edge, two edges). Both bodies must lie on their sides of the
// plane, which the neighbors of the closest vertices show, and
//   face: the vertex of the other body projects into it;
//   edge: the vertex of the other body projects into it;
//   two edges: they cross as seen along the normal.
// For a positive gap this proves that the gap is the distance. For overlapping bodies a vertex far
// enough inside the face, or edges that cross far enough from their ends, prove that the
// penetration depth is minimal (InsideMargin).
//
// check_penetration() decides the remaining cases with a partial polytope expansion.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "narrow/common_plane_3d.hpp"

#define ABUT_INLINE [[gnu::always_inline]] inline

namespace abut {
namespace {

// ---- certificate from the features of the plane

// Of the pair size: a shorter vector between features has no reliable direction.
constexpr double min_relative_gap = 1e-11;

// How far inside the edges of its face of the Minkowski difference a − b the projection of the
// origin must be, so that no plane has a smaller penetration depth d. The pyramid over that face
// with the difference of the centroids as apex is part of a − b. Let
//   d  penetration depth: distance of the origin from the face
//   h  height of the apex above the face
//   w  distance of the apex from an edge of the face, measured in the face
//   l  distance of the apex from the projection of the origin, measured in the face
//   s  distance of the projection of the origin from that edge
// The side of the pyramid at the edge is inclined by φ, tan φ = h / w, and keeps the distance d
// from the origin if s ≥ d / tan(φ/2). As w ≤ s + l, the smallest sufficient s satisfies
//   2 d s (s + l) = h (s² − d²),   s = d (l + √(l² + h² − 2 h d)) / (h − 2 d).
// With c the distance of the centroids and m its component along the normal, h = m + d and
// l² + m² = c², hence s ≤ d (l + c) / (m − d). If this holds for all edges, the sphere of radius d
// about the origin lies in a − b. For separated bodies the projection may be outside by the
// rounding tolerance.
struct InsideMargin {
  double required_squared;  // s·|s|·scale must be at least this
  double scale = 1;

  // `distance` is s times any length, whose square is `factor_squared`.
  [[nodiscard]] bool is_met(double distance, double factor_squared) const {
    return distance * std::abs(distance) * scale >= required_squared * factor_squared;
  }
};

ABUT_INLINE InsideMargin required_margin(const PolyhedronView& from, const PolyhedronView& to,
                                         const Point<3>& outward, double gap, double tolerance) {
  if (gap > 0) return {-tolerance * tolerance};
  const Point<3> line = difference(to.centroid, from.centroid);
  const double m = dot(line, outward);
  const double c_squared = dot(line, line);
  const double l_squared = std::max(c_squared - m * m, 0.0);
  const double sum_squared =
      l_squared + c_squared + 2 * std::sqrt(l_squared * c_squared);  // (l + c)²
  const double m_minus_d = m + gap;
  constexpr double never = std::numeric_limits<double>::infinity();
  return {m_minus_d > 0 ? gap * gap * sum_squared : never, m_minus_d * m_minus_d};
}

// A feature of x and a vertex of y, with the outward direction from x to y.
struct FeatureCheck {
  const PolyhedronView& x;
  const PolyhedronView& y;
  bool swapped;  // x is b
  double tolerance;

  [[nodiscard]] Index feature_x(const CommonPlane<3>& plane) const {
    return swapped ? plane.feature_b : plane.feature_a;
  }
  [[nodiscard]] Index vertex_y(const CommonPlane<3>& plane) const {
    return swapped ? plane.vertex_a : plane.vertex_b;
  }
  void update(CommonPlane<3>& plane, const Point<3>& outward, double gap, Index closest_x,
              Index closest_y) const {
    plane.normal = swapped ? reversed(outward) : outward;
    plane.gap = gap;
    plane.vertex_a = swapped ? closest_y : closest_x;
    plane.vertex_b = swapped ? closest_x : closest_y;
  }
};

// Selects x without a branch, which would be unpredictable.
ABUT_INLINE FeatureCheck feature_check(const PolyhedronView& a, const PolyhedronView& b,
                                       PlaneKind kind, double tolerance) {
  const bool swapped = kind == PlaneKind::face_b || kind == PlaneKind::edge_b;
  return {swapped ? b : a, swapped ? a : b, swapped, tolerance};
}

// Whether no neighbor of a vertex is farther along `outward`. Tests three neighbors at a time, some
// of them twice, because their number is unpredictable for branches.
ABUT_INLINE bool is_support_vertex(const PolyhedronView& body, Index vertex,
                                   const Point<3>& outward, double tolerance) {
  const PolyhedronTopology& topology = *body.topology;
  const auto* const vertices = body.vertices.data();
  const OutgoingEdge* const edges = topology.outgoing_edges.data();
  const Point<3>& position = vertices[vertex];
  const Index last = topology.vertex_offsets[vertex + 1] - 1;
  const auto is_behind = [&](Index k) {
    const Index neighbor = edges[k < last ? k : last].target;
    return static_cast<unsigned>(dot(outward, difference(vertices[neighbor], position)) <=
                                 tolerance);
  };
  unsigned all = 1;
  for (Index k = topology.vertex_offsets[vertex]; k <= last; k += 3)
    all &= is_behind(k) & is_behind(k + 1) & is_behind(k + 2);
  return all != 0;
}

// The two coordinates that remain when a face normal to `outward` is projected along the coordinate
// axis closest to it, ordered so that the orientation is preserved.
struct ProjectionAxes {
  std::size_t x, y;
  // By table lookup, because branches would be unpredictable.
  explicit ProjectionAxes(const Point<3>& outward) {
    constexpr std::array<std::array<std::uint8_t, 2>, 6> axes{
        {{1, 2}, {2, 1}, {2, 0}, {0, 2}, {0, 1}, {1, 0}}};
    const double abs_x = std::abs(outward[0]);
    const double abs_y = std::abs(outward[1]);
    const auto is_y = static_cast<std::size_t>(abs_y > abs_x);
    const auto is_z = static_cast<std::size_t>(std::abs(outward[2]) > std::max(abs_x, abs_y));
    const std::size_t dropped = (is_y | (is_z << 1U)) - (is_y & is_z);
    const auto& kept = axes[2 * dropped + static_cast<std::size_t>(std::signbit(outward[dropped]))];
    x = kept[0];
    y = kept[1];
  }
};

// Whether a point of a face's plane is far enough inside all edges of the face. Evaluated in the
// projection along a coordinate axis: areas shrink by a cosine and edges by no more, so the test is
// conservative.
ABUT_INLINE bool projects_inside_face(const PolyhedronView& body, Index face,
                                      const Point<3>& outward, const Point<3>& point,
                                      const InsideMargin& margin) {
  const PolyhedronTopology& topology = *body.topology;
  const auto* const vertices = body.vertices.data();
  const HalfEdge* const half_edges = topology.half_edges.data();
  const ProjectionAxes axes(outward);
  const double point_x = point[axes.x];
  const double point_y = point[axes.y];
  const Index end = topology.face_offsets[face + 1];
  const Point<3>& last = vertices[half_edges[end - 1].origin];
  double px = last[axes.x] - point_x;
  double py = last[axes.y] - point_y;
  bool all = true;
  for (Index h = topology.face_offsets[face]; h < end; ++h) {
    const Point<3>& vertex = vertices[half_edges[h].origin];
    const double qx = vertex[axes.x] - point_x;
    const double qy = vertex[axes.y] - point_y;
    const double length_squared = (qx - px) * (qx - px) + (qy - py) * (qy - py);
    const bool is_inside = margin.is_met(px * qy - py * qx, length_squared);
    all = all && is_inside;
    px = qx;
    py = qy;
  }
  return all;
}

// Whether neither face next to an edge rises above it along `outward`.
ABUT_INLINE bool is_support_edge(const PolyhedronView& body, Index half_edge,
                                 const Point<3>& outward, double tolerance) {
  const EdgeFan& fan = body.topology->edge_fans[half_edge];
  const auto* const vertices = body.vertices.data();
  const Point<3>& origin = vertices[fan.origin];
  const bool left_is_behind = dot(outward, difference(vertices[fan.left], origin)) <= tolerance;
  const bool right_is_behind = dot(outward, difference(vertices[fan.right], origin)) <= tolerance;
  return left_is_behind && right_is_behind;
}

ABUT_INLINE Certificate certify_face(const FeatureCheck& check, CommonPlane<3>& plane) {
  const Index face = check.feature_x(plane);
  if (face >= check.x.topology->face_count() || check.vertex_y(plane) >= check.y.vertices.size())
    return Certificate::none;
  const Point<3> normal = face_normal(*check.x.topology, check.x.vertices, face);
  const Point<3> outward = scaled(normal, 1 / length(normal));
  Index vertex = check.vertex_y(plane);
  if (!is_support_vertex(check.y, vertex, reversed(outward), check.tolerance))
    vertex = support_vertex(check.y, reversed(outward), vertex);
  const Point<3>& point = check.y.vertices[vertex];
  const Index base = check.x.topology->face_frames[face][0];
  const double gap = dot(outward, difference(point, check.x.vertices[base]));
  const InsideMargin margin = required_margin(check.x, check.y, outward, gap, check.tolerance);
  const bool is_inside =
      projects_inside_face(check.x, face, outward, add_scaled(point, -gap, outward), margin);
  if (!is_inside && gap > 0) return Certificate::none;
  check.update(plane, outward, gap, base, vertex);
  return is_inside ? Certificate::largest : Certificate::supported;
}

bool certify_edge(const FeatureCheck& check, CommonPlane<3>& plane) {
  const PolyhedronTopology& topology = *check.x.topology;
  const Index half_edge = check.feature_x(plane);
  const Index vertex = check.vertex_y(plane);
  if (half_edge >= topology.edge_fans.size() || vertex >= check.y.vertices.size()) return false;
  const Point<3>& origin = check.x.vertices[topology.half_edges[half_edge].origin];
  const Point<3> edge = difference(
      check.x.vertices[topology.half_edges[topology.half_edges[half_edge].next].origin], origin);
  const Point<3> separation = difference(check.y.vertices[vertex], origin);
  const double edge_squared = dot(edge, edge);
  const double t = dot(separation, edge) / edge_squared;
  if (t < 0 || t > 1) return false;
  Point<3> outward = add_scaled(separation, -t, edge);
  const double min_gap =
      min_relative_gap * (check.x.topology->bounding_radius + check.y.topology->bounding_radius);
  const double gap = length(outward);
  if (gap <= min_gap) return false;
  outward = scaled(outward, 1 / gap);
  outward = add_scaled(outward, -dot(outward, edge) / edge_squared, edge);  // orthogonalized again
  if (!is_support_edge(check.x, half_edge, outward, check.tolerance) ||
      !is_support_vertex(check.y, vertex, reversed(outward), check.tolerance))
    return false;
  check.update(plane, outward, dot(outward, separation), topology.half_edges[half_edge].origin,
               vertex);
  return true;
}

ABUT_INLINE Certificate certify_edge_pair(const PolyhedronView& a, const PolyhedronView& b,
                                          double tolerance, CommonPlane<3>& plane) {
  if (plane.feature_a >= a.topology->edge_fans.size() ||
      plane.feature_b >= b.topology->edge_fans.size())
    return Certificate::none;
  EdgeCrossing crossing;
  if (!cross_edges(a, b, plane.feature_a, plane.feature_b, crossing)) return Certificate::none;
  const double inside_a = -crossing.excess_a();
  const double inside_b = -crossing.excess_b();
  const double orientation = dot(crossing.normal, plane.normal);
  const Point<3> outward =
      scaled(crossing.normal, std::copysign(1 / std::sqrt(crossing.normal_squared), orientation));
  const bool supports_a = is_support_edge(a, plane.feature_a, outward, tolerance);
  const bool supports_b = is_support_edge(b, plane.feature_b, reversed(outward), tolerance);
  if (std::min(inside_a, inside_b) < 0 || !supports_a || !supports_b) return Certificate::none;
  plane.normal = outward;
  plane.gap = dot(outward, crossing.separation);
  plane.vertex_a = a.topology->edge_fans[plane.feature_a].origin;
  plane.vertex_b = b.topology->edge_fans[plane.feature_b].origin;
  if (plane.gap > 0) return Certificate::largest;
  const InsideMargin margin = required_margin(a, b, outward, plane.gap, tolerance);
  const bool is_inside =
      margin.is_met(inside_a, crossing.normal_squared * crossing.length_squared_b) &&
      margin.is_met(inside_b, crossing.normal_squared * crossing.length_squared_a);
  return is_inside ? Certificate::largest : Certificate::supported;
}

bool certify_vertices(const PolyhedronView& a, const PolyhedronView& b, double tolerance,
                      CommonPlane<3>& plane) {
  if (plane.vertex_a >= a.vertices.size() || plane.vertex_b >= b.vertices.size()) return false;
  const Point<3> separation = difference(b.vertices[plane.vertex_b], a.vertices[plane.vertex_a]);
  const double gap = length(separation);
  if (gap <= min_relative_gap * (a.topology->bounding_radius + b.topology->bounding_radius))
    return false;
  const Point<3> outward = scaled(separation, 1 / gap);
  if (!is_support_vertex(a, plane.vertex_a, outward, tolerance) ||
      !is_support_vertex(b, plane.vertex_b, reversed(outward), tolerance))
    return false;
  plane.normal = outward;
  plane.gap = gap;
  return true;
}

}  // namespace

Certificate certify(const PolyhedronView& a, const PolyhedronView& b, CommonPlane<3>& plane) {
  const double tolerance = rounding_tolerance(a, b);
  const auto largest_if = [](bool certified) {
    return certified ? Certificate::largest : Certificate::none;
  };
  const FeatureCheck check = feature_check(a, b, plane.kind, tolerance);
  switch (plane.kind) {
    case PlaneKind::face_a:
    case PlaneKind::face_b:
      return certify_face(check, plane);
    case PlaneKind::edges:
      return certify_edge_pair(a, b, tolerance, plane);
    case PlaneKind::edge_a:
    case PlaneKind::edge_b:
      return largest_if(certify_edge(check, plane));
    case PlaneKind::vertices:
      break;
  }
  return largest_if(certify_vertices(a, b, tolerance, plane));
}

// ---- certificate by polytope expansion
//
// No plane has a smaller penetration depth than d if the sphere of radius d about the origin lies
// in the Minkowski difference a − b. This is proved from inside. The pyramid over the plane's own
// face of the difference, with the difference of the centroids as apex, is part of a − b, and its
// base touches the sphere. Its sides must not intersect the sphere. A side that does is replaced by
// the three triangles to a vertex of the difference beyond it: the next one around the base or the
// support vertex, as in the expanding polytope algorithm (EPA) of van den Bergen (GDC 2001). Unlike
// EPA, this expands only where needed and keeps no list of faces: the triangles only have to cover
// all directions as seen from the origin, and they may overlap. For shallow penetrations the sides
// of one pyramid suffice.
namespace {

constexpr std::size_t max_triangles = 64;
constexpr int max_expansions = 100;

// Vertices of the Minkowski difference a − b, counterclockwise seen from outside.
using Triangle = std::array<Point<3>, 3>;

struct DepthSphereCheck {
  const PolyhedronView& a;
  const PolyhedronView& b;
  CommonPlane<3>& plane;
  double depth_squared;  // slightly reduced, so that rounding errors are no intersections
  std::size_t count = 0;
  std::array<Triangle, max_triangles> triangles;  // a stack, uninitialized: few are used

  DepthSphereCheck(const PolyhedronView& view_a, const PolyhedronView& view_b,
                   CommonPlane<3>& candidate, double squared)
      : a(view_a), b(view_b), plane(candidate), depth_squared(squared) {}

  // The functions below return false if the check cannot be completed.

  bool push_triangle(const Triangle& triangle) {
    if (count == max_triangles) return false;
    triangles[count++] = triangle;
    return true;
  }

  // Adds the side of the pyramid at the edge q → r, counterclockwise seen from outside the base. If
  // it intersects the sphere, `next`, the vertex beyond the edge, is tried first.
  bool add_pyramid_side(const Point<3>& q, const Point<3>& r, const Point<3>& apex,
                        const Point<3>& next) {
    const Point<3> normal = cross(difference(apex, q), difference(r, q));
    const double height = dot(normal, q);
    if (height <= 0) return enclose_origin({q, apex, r});
    if (height * height >= depth_squared * dot(normal, normal)) return true;
    return dot(normal, next) > height ? expand_triangle({q, apex, r}, next)
                                      : push_triangle({q, apex, r});
  }

  // The origin is beyond a side. Replaces the side by the triangles to its support vertex,
  // repeatedly, until the origin is inside all of them. The surface that they form with the other
  // sides then encloses the origin, because all are seen from it in the same orientation.
  bool enclose_origin(const Triangle& side) {
    constexpr std::size_t max_vertices = 16;
    std::array<Triangle, 2 * max_vertices + 1> sides;
    std::size_t remaining = 0;
    sides[remaining++] = side;
    for (std::size_t used = 0; remaining > 0; ++used) {
      if (used == max_vertices) return false;
      const Triangle next = sides[--remaining];
      const Point<3> normal = cross(difference(next[1], next[0]), difference(next[2], next[0]));
      const VertexPair support = support_pair(a, b, normal);
      const Point<3> vertex = reversed(support.separation);
      if (dot(normal, vertex) <= 0) return false;  // the bodies are separated
      for (std::size_t k = 0; k < 3; ++k) {
        const Triangle part{next[k], next[(k + 1) % 3], vertex};
        bool is_origin_inside = true;
        if (!keep_if_intersecting(part, is_origin_inside)) return false;
        if (!is_origin_inside) sides[remaining++] = part;
      }
    }
    return true;
  }

  bool add_face_sides(const PolyhedronView& body, Index face, const Point<3>& vertex, bool swapped,
                      const Point<3>& apex) {
    const PolyhedronTopology& topology = *body.topology;
    const auto from_vertex = [&](Index k) {
      return swapped ? difference(vertex, body.vertices[k]) : difference(body.vertices[k], vertex);
    };
    for (Index h = topology.face_offsets[face]; h < topology.face_offsets[face + 1]; ++h) {
      const EdgeFan& fan = topology.edge_fans[h];
      const Point<3> q = from_vertex(swapped ? fan.target : fan.origin);
      const Point<3> r = from_vertex(swapped ? fan.origin : fan.target);
      if (!add_pyramid_side(q, r, apex, from_vertex(fan.right))) return false;
    }
    return true;
  }

  bool add_edge_pair_sides(const Point<3>& apex) {
    const EdgeFan& fan_a = a.topology->edge_fans[plane.feature_a];
    EdgeFan fan_b = b.topology->edge_fans[plane.feature_b];
    const auto vertex = [&](Index i, Index j) { return difference(a.vertices[i], b.vertices[j]); };
    const Point<3> normal = cross(difference(a.vertices[fan_a.target], a.vertices[fan_a.origin]),
                                  difference(b.vertices[fan_b.origin], b.vertices[fan_b.target]));
    if (dot(normal, plane.normal) < 0)
      fan_b = {fan_b.target, fan_b.origin, fan_b.right, fan_b.left};
    const std::array<Point<3>, 4> base{
        vertex(fan_a.origin, fan_b.origin), vertex(fan_a.target, fan_b.origin),
        vertex(fan_a.target, fan_b.target), vertex(fan_a.origin, fan_b.target)};
    return add_pyramid_side(base[0], base[1], apex, vertex(fan_a.right, fan_b.origin)) &&
           add_pyramid_side(base[1], base[2], apex, vertex(fan_a.target, fan_b.left)) &&
           add_pyramid_side(base[2], base[3], apex, vertex(fan_a.left, fan_b.target)) &&
           add_pyramid_side(base[3], base[0], apex, vertex(fan_a.origin, fan_b.right));
  }

  // Keeps a triangle that intersects the sphere, if the origin is inside it.
  bool keep_if_intersecting(const Triangle& triangle, bool& is_origin_inside) {
    const auto& [p, q, r] = triangle;
    const Point<3> normal = cross(difference(q, p), difference(r, p));
    const double height = dot(normal, p);
    is_origin_inside = height > 0;
    return !is_origin_inside || height * height >= depth_squared * dot(normal, normal) ||
           push_triangle(triangle);
  }

  // Replaces a triangle by those to a vertex beyond it. Those with the origin outside can be
  // dropped: the others cover their directions.
  bool expand_triangle(const Triangle& triangle, const Point<3>& vertex) {
    bool is_origin_inside = true;
    for (std::size_t k = 0; k < 3; ++k)
      if (!keep_if_intersecting({triangle[k], triangle[(k + 1) % 3], vertex}, is_origin_inside))
        return false;
    return true;
  }

  PenetrationCheck expand_polytope() {
    for (int step = 0; count > 0; ++step) {
      if (step == max_expansions) return PenetrationCheck::undecided;
      const Triangle triangle = triangles[--count];
      const auto& [p, q, r] = triangle;
      const Point<3> normal = cross(difference(q, p), difference(r, p));
      const double normal_squared = dot(normal, normal);
      const VertexPair support = support_pair(a, b, normal);
      const Point<3> vertex = reversed(support.separation);
      const double height = dot(normal, vertex);
      if (height <= 0 || height * height < depth_squared * normal_squared) {
        plane = {scaled(normal, 1 / std::sqrt(normal_squared)), -height / std::sqrt(normal_squared),
                 support.a, support.b};
        return PenetrationCheck::improved;
      }
      if (!expand_triangle(triangle, vertex)) return PenetrationCheck::undecided;
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
  bool complete = false;
  if (plane.kind == PlaneKind::face_a)
    complete = check.add_face_sides(a, plane.feature_a, b.vertices[plane.vertex_b], false, apex);
  else if (plane.kind == PlaneKind::face_b)
    complete = check.add_face_sides(b, plane.feature_b, a.vertices[plane.vertex_a], true, apex);
  else if (plane.kind == PlaneKind::edges)
    complete = check.add_edge_pair_sides(apex);
  return complete ? check.expand_polytope() : PenetrationCheck::undecided;
}

}  // namespace abut
