#include "polyhedron_fixtures.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace abut::testing {
namespace {

double origin_to_segment(const Point<3>& p, const Point<3>& q) {  // to a segment
  const Point<3> side = difference(q, p);
  const double whole = dot(side, side);
  const double t = whole > 0 ? std::clamp(-dot(p, side) / whole, 0.0, 1.0) : 0;
  return length(add_scaled(p, t, side));
}

double point_to_segment(const Point<3>& p, const std::array<Point<3>, 2>& b) {
  return origin_to_segment(difference(b[0], p), difference(b[1], p));
}

// Within the triangle only; its sides are segments of their own.
double point_to_triangle(const Point<3>& p, const std::array<Point<3>, 3>& b) {
  const Point<3> normal = normalized(cross(difference(b[1], b[0]), difference(b[2], b[0])));
  for (std::size_t k = 0; k < 3; ++k) {
    const Point<3> side = difference(b[(k + 1) % 3], b[k]);
    if (dot(cross(side, normal), difference(p, b[k])) > 0)
      return std::numeric_limits<double>::infinity();
  }
  return std::abs(dot(normal, difference(p, b[0])));
}

// Within both only; ends are points of their own.
double segment_to_segment(const std::array<Point<3>, 2>& a, const std::array<Point<3>, 2>& b) {
  const Point<3> u = difference(a[1], a[0]);
  const Point<3> v = difference(b[1], b[0]);
  const Point<3> across = cross(u, v);
  const double square = dot(across, across);
  if (square <= 1e-28 * dot(u, u) * dot(v, v)) return std::numeric_limits<double>::infinity();
  const Point<3> way = difference(b[0], a[0]);
  const double s = dot(cross(way, v), across) / square;
  const double t = dot(cross(way, u), across) / square;
  if (s < 0 || s > 1 || t < 0 || t > 1) return std::numeric_limits<double>::infinity();
  return std::abs(dot(way, across)) / std::sqrt(square);
}

using Segments = std::vector<std::array<Point<3>, 2>>;
using Triangles = std::vector<std::array<Point<3>, 3>>;

double min_distance(std::span<const Point<3>> corners, const Segments& segments,
                    const Triangles& triangles) {
  double found = std::numeric_limits<double>::infinity();
  for (const Point<3>& p : corners) {
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

std::vector<Point<3>> supporting_points(std::span<const Point<3>> corners, const Point<3>& out,
                                        double tolerance) {
  double top = -std::numeric_limits<double>::infinity();
  const auto height = [&](const Point<3>& x) { return dot(out, difference(x, corners[0])); };
  for (const Point<3>& x : corners) top = std::max(top, height(x));
  std::vector<Point<3>> found;
  for (const Point<3>& x : corners)
    if (height(x) >= top - tolerance) found.push_back(x);
  return found;
}

}  // namespace

double separating_axis_gap(const PolyhedronView& a, const PolyhedronView& b) {
  double most = -std::numeric_limits<double>::infinity();
  const auto try_axis = [&](const Point<3>& axis, double size) {
    const double far = length(axis);
    if (far <= 1e-12 * size) return;
    for (const double sign : {-1.0, 1.0})
      most = std::max(most, gap_along(a, b, scaled(axis, sign / far)));
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
  return most;
}

double brute_force_distance(const PolyhedronView& a, const PolyhedronView& b) {
  const Segments sides_a = edges_of(a);
  const Segments sides_b = edges_of(b);
  return std::min({min_distance(a.vertices, sides_b, triangles_of(b)),
                   min_distance(b.vertices, sides_a, triangles_of(a)),
                   min_distance(sides_a, sides_b)});
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
  const Segments sides_a = segments(a);
  const Segments sides_b = segments(b);
  return std::min({min_distance(a, sides_b, triangles(b)), min_distance(b, sides_a, triangles(a)),
                   min_distance(sides_a, sides_b)});
}

std::string distance_mismatch(const PolyhedronView& a, const PolyhedronView& b,
                              const Point<3>& normal, double gap, double tolerance) {
  std::ostringstream problem;
  problem.precision(17);
  if (std::abs(length(normal) - 1) > 1e-12) problem << "a normal of length " << length(normal);
  const double from_all = gap_along(a, b, normal);
  if (!(std::abs(from_all - gap) <= tolerance))
    problem << " a gap of " << gap << ", from all corners " << from_all;
  const auto on_a = supporting_points(a.vertices, normal, tolerance);
  const auto on_b = supporting_points(b.vertices, scaled(normal, -1), tolerance);
  const double distance = brute_force_distance(on_a, on_b);
  if (!(distance <= gap + tolerance))
    problem << " a gap of " << gap << ", but what leans on it is " << distance << " apart";
  return problem.str();
}

}  // namespace abut::testing
