#include "scenes/polyhedron_pairs.hpp"

#include <cmath>
#include <numbers>

#include "core/portable_math.hpp"
#include "core/statistics.hpp"
#include "core/vec.hpp"

namespace abut {
namespace {

Point<3> random_direction(Random& random) {
  const double z = random.uniform(-1, 1);
  const double angle = random.uniform(0, 2 * std::numbers::pi);
  const double horizontal = std::sqrt(1 - z * z);
  return {horizontal * portable_math::cos(angle), horizontal * portable_math::sin(angle), z};
}

Polyhedron make_shape(bool cube, Random& random) {
  std::vector<Point<3>> points;
  if (cube)
    for (const double x : {-0.5, 0.5})
      for (const double y : {-0.5, 0.5})
        for (const double z : {-0.5, 0.5}) points.push_back({x, y, z});
  else
    for (std::size_t i = 8 + random.below(23); i > 0; --i)
      points.push_back(scaled(random_direction(random), 0.5));
  return Polyhedron(points);
}

RigidTransform<3> random_rotation(Random& random, double angle) {
  return rotation_about({0, 0, 0}, random_direction(random), angle);
}

}  // namespace

PolyhedronPairs::PolyhedronPairs(bool cubes, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  constexpr std::size_t shapes = 64;
  for (std::size_t i = 0; i < shapes; ++i) shapes_.push_back(make_shape(cubes, random));
  std::size_t max_vertices = 0;
  for (const Polyhedron& shape : shapes_)
    max_vertices = std::max(max_vertices, shape.vertices().size());
  vertices_.resize(3 * max_vertices * count);
  for (std::size_t i = 0; i < count; ++i) {
    const Polyhedron& a = shapes_[random.below(shapes)];
    const Polyhedron& b = shapes_[random.below(shapes)];
    const auto buffer = [&](std::size_t k) {
      return std::span(vertices_).subspan((3 * i + k) * max_vertices, max_vertices);
    };
    const double angle = 2 * std::numbers::pi * random.uniform();
    const PolyhedronView first = a.transformed(random_rotation(random, angle), buffer(0));
    const Point<3> direction = random_direction(random);
    RigidTransform<3> pose = random_rotation(random, 2 * std::numbers::pi * random.uniform());
    const double gap = i % 2 == 0 ? -0.02 * random.uniform() : 0.1 * random.uniform();
    // Bisects the distance along a line until the bodies have this gap.
    double near = 0;
    double far = 2;
    while (far - near > 1e-9) {
      pose.translation = scaled(direction, (near + far) / 2);
      const bool too_near = common_plane(first, b.transformed(pose, buffer(1))).gap < gap;
      (too_near ? near : far) = (near + far) / 2;
    }
    current_.push_back({first, b.transformed(pose, buffer(1))});

    constexpr double step = 1e-3;
    const RigidTransform<3> rotation = rotation_about({0, 0, 0}, random_direction(random), step);
    RigidTransform<3> earlier = pose;
    for (std::size_t row = 0; row < 3; ++row)
      for (std::size_t k = 0; k < 3; ++k) {
        earlier.rotation[row][k] = 0;
        for (std::size_t j = 0; j < 3; ++j)
          earlier.rotation[row][k] += rotation.rotation[row][j] * pose.rotation[j][k];
      }
    earlier.translation = add_scaled(pose.translation, step, random_direction(random));
    previous_.push_back({first, b.transformed(earlier, buffer(2))});
  }
}

}  // namespace abut
