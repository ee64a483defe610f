#pragma once

#include <abut/polyhedron.hpp>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/statistics.hpp"
#include "core/vec.hpp"
#include "narrow/polyhedron_topology.hpp"

namespace abut::testing {

/// A box with edges of length 2·half, centered at the origin.
inline Polyhedron box_polyhedron(const Point<3>& half) {
  std::vector<Point<3>> vertices;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      for (const double z : {-1.0, 1.0})
        vertices.push_back({x * half[0], y * half[1], z * half[2]});
  return Polyhedron(vertices);
}

inline Polyhedron cube_polyhedron() { return box_polyhedron({0.5, 0.5, 0.5}); }

/// Corners (±a, 0, 0), (0, ±b, 0), (0, 0, ±c).
inline Polyhedron octahedron_polyhedron(const Point<3>& half) {
  std::vector<Point<3>> vertices;
  for (std::size_t k = 0; k < 3; ++k)
    for (const double sign : {-1.0, 1.0}) {
      Point<3> vertex{};
      vertex[k] = sign * half[k];
      vertices.push_back(vertex);
    }
  return Polyhedron(vertices);
}

inline Point<3> random_direction(Random& random) {
  for (;;) {
    const Point<3> at{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const double square = dot(at, at);
    if (square > 1e-4 && square < 1) return scaled(at, 1 / std::sqrt(square));
  }
}

/// The hull of random points on an ellipsoid with semi-axes `half`: all of them are vertices.
inline Polyhedron random_hull(Random& random, std::size_t points, const Point<3>& half) {
  std::vector<Point<3>> vertices;
  while (vertices.size() < points) {
    const Point<3> at = random_direction(random);
    vertices.push_back({at[0] * half[0], at[1] * half[1], at[2] * half[2]});
  }
  return Polyhedron(vertices);
}

inline RigidTransform<3> random_transform(Random& random, const Point<3>& translation) {
  RigidTransform<3> transform =
      rotation_about({0, 0, 0}, random_direction(random), random.uniform(0, 2 * 3.14159265358979));
  transform.translation = translation;
  return transform;
}

/// A transformed polyhedron that owns its vertices.
class TransformedPolyhedron {
 public:
  TransformedPolyhedron(const Polyhedron& shape, const RigidTransform<3>& transform)
      : buffer_(shape.vertices().size()), view_(shape.transformed(transform, buffer_)) {}
  TransformedPolyhedron(const Polyhedron& shape, const Point<3>& translation)
      : TransformedPolyhedron(shape, RigidTransform<3>{.translation = translation}) {}
  TransformedPolyhedron(const TransformedPolyhedron&) = delete;
  TransformedPolyhedron& operator=(const TransformedPolyhedron&) = delete;
  operator const PolyhedronView&() const { return view_; }  // NOLINT: used like a view
  [[nodiscard]] const PolyhedronView& view() const { return view_; }

 private:
  std::vector<Point<3>> buffer_;
  PolyhedronView view_;
};

/// The gap along a normal, over all vertices.
inline double gap_along(const PolyhedronView& a, const PolyhedronView& b, const Point<3>& normal) {
  const Point<3>& origin = a.vertices[0];
  double max_a = -std::numeric_limits<double>::infinity();
  double min_b = std::numeric_limits<double>::infinity();
  for (const Point<3>& x : a.vertices) max_a = std::max(max_a, dot(normal, difference(x, origin)));
  for (const Point<3>& x : b.vertices) min_b = std::min(min_b, dot(normal, difference(x, origin)));
  return min_b - max_a;
}

/// The largest gap over all face normals and cross products of edges, in both directions: positive
/// if and only if the bodies are separated.
double separating_axis_gap(const PolyhedronView& a, const PolyhedronView& b);

/// The distance of separated bodies, over all pairs of vertices, edges and triangles of faces.
double brute_force_distance(const PolyhedronView& a, const PolyhedronView& b);

/// The same for the hulls of two small sets of points that do not intersect.
double brute_force_distance(std::span<const Point<3>> a, std::span<const Point<3>> b);

/// Verifies that the distance of two bodies is `gap`, given the normal of the common plane: the gap
/// along the normal must agree, and the features closest to the plane must be that close to each
/// other. Returns an empty string, or a description of the mismatch.
std::string distance_mismatch(const PolyhedronView& a, const PolyhedronView& b,
                              const Point<3>& normal, double gap, double tolerance);

/// The size of a pair, to which tolerances are relative.
inline double pair_size(const PolyhedronView& a, const PolyhedronView& b) {
  return a.topology->bounding_radius + b.topology->bounding_radius;
}

}  // namespace abut::testing
