#pragma once

#include <abut/polyhedron.hpp>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/statistics.hpp"
#include "core/vec.hpp"

namespace abut::testing {

/// With sides 2·half, about the origin.
inline Polyhedron box_polyhedron(const Point<3>& half) {
  std::vector<Point<3>> corners;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      for (const double z : {-1.0, 1.0}) corners.push_back({x * half[0], y * half[1], z * half[2]});
  return Polyhedron(corners);
}

inline Polyhedron cube_polyhedron() { return box_polyhedron({0.5, 0.5, 0.5}); }

/// Corners (±a, 0, 0), (0, ±b, 0), (0, 0, ±c).
inline Polyhedron octahedron_polyhedron(const Point<3>& half) {
  std::vector<Point<3>> corners;
  for (std::size_t k = 0; k < 3; ++k)
    for (const double sign : {-1.0, 1.0}) {
      Point<3> corner{};
      corner[k] = sign * half[k];
      corners.push_back(corner);
    }
  return Polyhedron(corners);
}

inline Point<3> random_direction(Random& random) {
  for (;;) {
    const Point<3> at{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const double square = dot(at, at);
    if (square > 1e-4 && square < 1) return scaled(at, 1 / std::sqrt(square));
  }
}

/// Points on an ellipsoid: all of them are corners.
inline Polyhedron random_hull(Random& random, std::size_t points, const Point<3>& half) {
  std::vector<Point<3>> corners;
  while (corners.size() < points) {
    const Point<3> at = random_direction(random);
    corners.push_back({at[0] * half[0], at[1] * half[1], at[2] * half[2]});
  }
  return Polyhedron(corners);
}

inline RigidTransform<3> random_transform(Random& random, const Point<3>& shift) {
  RigidTransform<3> where =
      rotation_about({0, 0, 0}, random_direction(random), random.uniform(0, 2 * 3.14159265358979));
  where.translation = shift;
  return where;
}

/// Placed, with the room it stands in.
class PlacedPolyhedron {
 public:
  PlacedPolyhedron(const Polyhedron& shape, const RigidTransform<3>& where)
      : buffer_(shape.vertices().size()), view_(shape.transformed(where, buffer_)) {}
  PlacedPolyhedron(const Polyhedron& shape, const Point<3>& shift)
      : PlacedPolyhedron(shape, RigidTransform<3>{.translation = shift}) {}
  PlacedPolyhedron(const PlacedPolyhedron&) = delete;
  PlacedPolyhedron& operator=(const PlacedPolyhedron&) = delete;
  operator const PolyhedronView&() const { return view_; }  // NOLINT: it stands for the view
  [[nodiscard]] const PolyhedronView& view() const { return view_; }

 private:
  std::vector<Point<3>> buffer_;
  PolyhedronView view_;
};

/// The gap along a normal, from all corners.
inline double gap_along(const PolyhedronView& a, const PolyhedronView& b, const Point<3>& normal) {
  const Point<3>& origin = a.vertices[0];
  double top = -std::numeric_limits<double>::infinity();
  double bottom = std::numeric_limits<double>::infinity();
  for (const Point<3>& x : a.vertices) top = std::max(top, dot(normal, difference(x, origin)));
  for (const Point<3>& x : b.vertices)
    bottom = std::min(bottom, dot(normal, difference(x, origin)));
  return bottom - top;
}

/// The largest gap along all normals of faces and products of edges, both ways: above 0 just if the
/// bodies are apart.
double separating_axis_gap(const PolyhedronView& a, const PolyhedronView& b);

/// The distance of bodies that are apart, over all pairs of corners, edges and triangles of faces.
double brute_force_distance(const PolyhedronView& a, const PolyhedronView& b);

/// The same for the hulls of two handfuls of points that do not meet.
double brute_force_distance(std::span<const Point<3>> a, std::span<const Point<3>> b);

/// Checks that bodies are apart by `gap`, without looking for it: no plane is needed but the one
/// that is given, and what leans on it must be as near as that. Empty if so.
std::string distance_mismatch(const PolyhedronView& a, const PolyhedronView& b,
                              const Point<3>& normal, double gap, double tolerance);

/// Size of a pair, to which tolerances are relative.
inline double pair_size(const PolyhedronView& a, const PolyhedronView& b) {
  return a.topology->bounding_radius + b.topology->bounding_radius;
}

}  // namespace abut::testing
