#pragma once

#include <abut/polygon.hpp>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <vector>

#include "core/statistics.hpp"
#include "core/vec.hpp"
#include "scenes/polygon_scene.hpp"

namespace abut::testing {

inline Polygon polygon(std::initializer_list<Point<2>> vertices) {
  return Polygon(std::vector<Point<2>>(vertices));
}

inline Polygon rectangle(double x, double y, double width, double height) {
  return polygon({{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}});
}

/// The gap of the common plane by brute force.
inline double exact_gap(const PolygonView& a, const PolygonView& b) {
  const double by_axes = gap_by_separating_axes(a, b);
  return by_axes > 0 ? distance_by_sides(a, b) : by_axes;
}

/// The gap along a normal, over all vertices.
inline double gap_along(const PolygonView& a, const PolygonView& b, const Point<2>& normal) {
  double max_a = -std::numeric_limits<double>::infinity();
  double min_b = std::numeric_limits<double>::infinity();
  for (const Point<2>& vertex : a.vertices)
    max_a = std::max(max_a, dot(normal, difference(vertex, a.centroid)));
  for (const Point<2>& vertex : b.vertices)
    min_b = std::min(min_b, dot(normal, difference(vertex, a.centroid)));
  return min_b - max_a;
}

/// Random polygons with an extent of about `size`, at `offset` from the origin.
struct ShapeKind {
  const char* name;
  double slenderness;
  double size;
  double offset;
};

inline constexpr ShapeKind shape_kinds[] = {
    {"compact", 0.8, 1, 0},    {"slender", 0.03, 1, 0},         {"tiny", 0.8, 1e-6, 0},
    {"far", 0.8, 1, 1e6},      {"tiny slender", 0.03, 1e-6, 0}, {"far slender", 0.1, 1, -1e6},
    {"minute", 0.5, 1e-60, 0}, {"vast", 0.5, 1e60, 0},
};

/// Two random polygons, the second of which can be moved.
struct RandomPair {
  RandomPair(Random& random, const ShapeKind& kind)
      : a_(make(random, kind)), b_(make(random, kind)), buffer_(b_.vertices().size()) {
    a = a_.view();
    move_randomly(random, kind);
  }

  void move_randomly(Random& random, const ShapeKind& kind) {
    const double distance = random.uniform(0, 3) * kind.size;
    const double direction = random.uniform(0, 2 * std::numbers::pi);
    set_transform({distance * std::cos(direction), distance * std::sin(direction)},
                  random.uniform(0, 6.3));
  }

  /// Rotates b about its centroid, then translates it; relative to its initial position.
  void set_transform(const Point<2>& translation, double angle) {
    RigidTransform<2> transform = rotation_about(b_.centroid(), angle);
    transform.translation = sum(transform.translation, translation);
    b = b_.transformed(transform, buffer_);
  }

  PolygonView a;
  PolygonView b;

  RandomPair(const RandomPair&) = delete;
  RandomPair& operator=(const RandomPair&) = delete;
  ~RandomPair() = default;

 private:
  static Polygon make(Random& random, const ShapeKind& kind) {
    auto vertices = random_polygon(random, 3 + random.below(8), kind.slenderness);
    for (Point<2>& vertex : vertices)
      vertex = {kind.offset + kind.size * vertex[0], kind.offset + kind.size * vertex[1]};
    return Polygon(vertices);
  }

  Polygon a_;
  Polygon b_;
  std::vector<Point<2>> buffer_;
};

}  // namespace abut::testing
