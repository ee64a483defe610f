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

inline Polygon polygon(std::initializer_list<Point<2>> corners) {
  return Polygon(std::vector<Point<2>>(corners));
}

inline Polygon rectangle(double x, double y, double width, double height) {
  return polygon({{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}});
}

/// What the gap of a common plane must be.
inline double exact_gap(const PolygonView& a, const PolygonView& b) {
  const double by_axes = gap_by_separating_axes(a, b);
  return by_axes > 0 ? distance_by_sides(a, b) : by_axes;
}

/// The gap along a normal, from all corners.
inline double gap_along(const PolygonView& a, const PolygonView& b, const Point<2>& normal) {
  double high = -std::numeric_limits<double>::infinity();
  double low = std::numeric_limits<double>::infinity();
  for (const Point<2>& corner : a.vertices)
    high = std::max(high, dot(normal, difference(corner, a.centroid)));
  for (const Point<2>& corner : b.vertices)
    low = std::min(low, dot(normal, difference(corner, a.centroid)));
  return low - high;
}

/// Shapes of one kind, about `size` across, somewhere around a point far away or near.
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

/// Two polygons; the second view moves with `place`.
struct RandomPair {
  RandomPair(Random& random, const ShapeKind& kind)
      : a_(make(random, kind)), b_(make(random, kind)), buffer_(b_.vertices().size()) {
    a = a_.view();
    move_randomly(random, kind);
  }

  void move_randomly(Random& random, const ShapeKind& kind) {
    const double far = random.uniform(0, 3) * kind.size;
    const double direction = random.uniform(0, 2 * std::numbers::pi);
    set_transform({far * std::cos(direction), far * std::sin(direction)}, random.uniform(0, 6.3));
  }

  void set_transform(const Point<2>& shift, double angle) {
    RigidTransform<2> where = rotation_about(b_.centroid(), angle);
    where.translation = sum(where.translation, shift);
    b = b_.transformed(where, buffer_);
  }

  PolygonView a;
  PolygonView b;

  RandomPair(const RandomPair&) = delete;
  RandomPair& operator=(const RandomPair&) = delete;
  ~RandomPair() = default;

 private:
  static Polygon make(Random& random, const ShapeKind& kind) {
    auto corners = random_polygon(random, 3 + random.below(8), kind.slenderness);
    for (Point<2>& corner : corners)
      corner = {kind.offset + kind.size * corner[0], kind.offset + kind.size * corner[1]};
    return Polygon(corners);
  }

  Polygon a_;
  Polygon b_;
  std::vector<Point<2>> buffer_;
};

}  // namespace abut::testing
