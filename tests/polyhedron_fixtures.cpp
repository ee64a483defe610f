#include "polyhedron_fixtures.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace abut::testing {
namespace {

// From the origin to the segment pq.
double origin_to_segment(const Point<3>& p, const Point<3>& q) {
  const Point<3> edge = difference(q, p);
  const double edge_squared = dot(edge, edge);
  const double t = edge_squared > 0 ? std::clamp(-dot(p, edge) / edge_squared, 0.0, 1.0) : 0;
  return length(add_scaled(p, t, edge));
}

double point_to_segment(const Point<3>& p, const std::array<Point<3>, 2>& b) {
  return origin_to_segment(difference(b[0], p), difference(b[1], p));
}

// Infinite unless the point projects into the triangle; edges are tested separately.
double point_to_triangle(const Point<3>& p, const std::array<Point<3>, 3>& b) {
  const Point<3> normal = normalized(cross(difference(b[1], b[0]), difference(b[2], b[0])));
  for (std::size_t k = 0; k < 3; ++k) {
    const Point<3> edge = difference(b[(k + 1) % 3], b[k]);
    if (dot(cross(edge, normal), difference(p, b[k])) > 0)
      return std::numeric_limits<double>::infinity();
  }
  return std::abs(dot(normal, difference(p, b[0])));
}

// Infinite unless the closest points lie inside both segments; ends are tested separately.
double segment_to_segment(const std::array<Point<3>, 2>& a, const std::array<Point<3>, 2>& b) {
  const Point<3> u = difference(a[1], a[0]);
  const Point<3> v = difference(b[1], b[0]);
  const Point<3> normal = cross(u, v);
  const double normal_squared = dot(normal, normal);
  if (normal_squared <= 1e-28 * dot(u, u) * dot(v, v))
    return std::numeric_limits<double>::infinity();
  const Point<3> separation = difference(b[0], a[0]);
  const double s = dot(cross(separation, v), normal) / normal_squared;
  const double t = dot(cross(separation, u), normal) / normal_squared;
  if (s < 0 || s > 1 || t < 0 || t > 1) return std::numeric_limits<double>::infinity();
  return std::abs(dot(separation, normal)) / std::sqrt(normal_squared);
}

using Segments = std::vector<std::array<Point<3>, 2>>;
using Triangles = std::vector<std::array<Point<3>, 3>>;

double min_distance(std::span<const Point<3>> vertices, const Segments& segments,
                    const Triangles& triangles) {
  double found = std::numeric_limits<double>::infinity();
  for (const Point<3>& p : vertices) {
    for (const auto& segment : segments) found = std::min(found, point_to_segment(p, segment));
    for (const auto& triangle : triangles) found = std::min(found, point_to_triangle(p, triangle));
  }
  return found;
}

double min_distance(const Segments& a, const Segments& b) {
  double found = std::numeric_limits<double>::infinity();
  for (const auto& x : a)
    for (const auto& y : b) found = std::min(found, segment_to_segment(x, y));
  return found;
}

Segments edges_of(const PolyhedronView& body) {
  Segments all;
  for (const Index h : body.topology->edges)
    all.push_back(
        {body.vertices[body.topology->half_edges[h].origin],
         body.vertices[body.topology->half_edges[body.topology->half_edges[h].next].origin]});
  return all;
}

Triangles triangles_of(const PolyhedronView& body) {
  Triangles all;
  const auto at = [&](Index h) { return body.vertices[body.topology->half_edges[h].origin]; };
  for (Index face = 0; face < body.topology->face_count(); ++face)
    for (Index h = body.topology->face_offsets[face] + 1;
         h + 1 < body.topology->face_offsets[face + 1]; ++h)
      all.push_back({at(body.topology->face_offsets[face]), at(h), at(h + 1)});
  return all;
}

std::vector<Point<3>> supporting_points(std::span<const Point<3>> vertices, const Point<3>& out,
                                        double tolerance) {
  double top = -std::numeric_limits<double>::infinity();
  const auto height = [&](const Point<3>& x) { return dot(out, difference(x, vertices[0])); };
  for (const Point<3>& x : vertices) top = std::max(top, height(x));
  std::vector<Point<3>> found;
  for (const Point<3>& x : vertices)
    if (height(x) >= top - tolerance) found.push_back(x);
  return found;
}

}  // namespace

double separating_axis_gap(const PolyhedronView& a, const PolyhedronView& b) {
  double max_gap = -std::numeric_limits<double>::infinity();
  const auto try_axis = [&](const Point<3>& axis, double size) {
    const double axis_length = length(axis);
    if (axis_length <= 1e-12 * size) return;
    for (const double sign : {-1.0, 1.0})
      max_gap = std::max(max_gap, gap_along(a, b, scaled(axis, sign / axis_length)));
  };
  for (const PolyhedronView* body : {&a, &b})
    for (const auto& [p, q, r] : triangles_of(*body)) {
      const Point<3> u = difference(q, p);
      const Point<3> v = difference(r, p);
      try_axis(cross(u, v), length(u) * length(v));
    }
  for (const auto& x : edges_of(a))
    for (const auto& y : edges_of(b)) {
      const Point<3> u = difference(x[1], x[0]);
      const Point<3> v = difference(y[1], y[0]);
      try_axis(cross(u, v), length(u) * length(v));
    }
  return max_gap;
}

double brute_force_distance(const PolyhedronView& a, const PolyhedronView& b) {
  const Segments edges_a = edges_of(a);
  const Segments edges_b = edges_of(b);
  return std::min({min_distance(a.vertices, edges_b, triangles_of(b)),
                   min_distance(b.vertices, edges_a, triangles_of(a)),
                   min_distance(edges_a, edges_b)});
}

double brute_force_distance(std::span<const Point<3>> a, std::span<const Point<3>> b) {
  const auto segments = [](std::span<const Point<3>> points) {
    Segments all;
    for (const Point<3>& p : points)
      for (const Point<3>& q : points) all.push_back({p, q});
    return all;
  };
  const auto triangles = [](std::span<const Point<3>> points) {
    Triangles all;
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        for (std::size_t k = 0; k < j; ++k) all.push_back({points[i], points[j], points[k]});
    return all;
  };
  const Segments edges_a = segments(a);
  const Segments edges_b = segments(b);
  return std::min({min_distance(a, edges_b, triangles(b)), min_distance(b, edges_a, triangles(a)),
                   min_distance(edges_a, edges_b)});
}

std::string distance_mismatch(const PolyhedronView& a, const PolyhedronView& b,
                              const Point<3>& normal, double gap, double tolerance) {
  std::ostringstream problem;
  problem.precision(17);
  if (std::abs(length(normal) - 1) > 1e-12) problem << "normal of length " << length(normal);
  const double from_all = gap_along(a, b, normal);
  if (!(std::abs(from_all - gap) <= tolerance))
    problem << " gap " << gap << ", over all vertices " << from_all;
  const auto on_a = supporting_points(a.vertices, normal, tolerance);
  const auto on_b = supporting_points(b.vertices, scaled(normal, -1), tolerance);
  const double distance = brute_force_distance(on_a, on_b);
  if (!(distance <= gap + tolerance))
    problem << " gap " << gap << ", but the closest features have a distance of " << distance;
  return problem.str();
}

}  // namespace abut::testing
