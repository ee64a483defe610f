#include "scenes/vessel_scene.hpp"

#include <cmath>
#include <numbers>

#include "core/random.hpp"
#include "scenes/mesh_scene.hpp"

namespace abut {
namespace {

// A cone from the outlet up to where it is as wide as the cylinder above it; as high as wide.
struct Shape {
  double outlet;
  double radius;
  double height;

  explicit Shape(double volume)
      : outlet(0.05 * std::cbrt(volume)), radius(0.5 * std::cbrt(volume)) {
    const double cone =
        std::numbers::pi / 3 * radius * (radius * radius + radius * outlet + outlet * outlet);
    height = radius + (volume - cone) / (std::numbers::pi * radius * radius);
  }

  [[nodiscard]] double radius_at(double z) const {
    return z >= radius ? radius : outlet + (radius - outlet) * z / radius;
  }

  /// So far from the axis is this far from the wall.
  [[nodiscard]] double inside_by(double distance, double z) const {
    return radius_at(z) - distance * per_distance(z);
  }

  /// From the wall at this height to a point so far from the axis.
  [[nodiscard]] double distance(double from_axis, double z) const {
    return (radius_at(z) - from_axis) / per_distance(z);
  }

 private:
  [[nodiscard]] double per_distance(double z) const {
    return z >= radius ? 1 : std::hypot(1, (radius - outlet) / radius);
  }
};

}  // namespace

Vessel make_vessel(std::size_t particles, std::size_t triangles, double near, std::uint64_t seed) {
  constexpr double solid = 0.5;
  constexpr double touching = 0.5;  // of those near the wall
  constexpr double deepest = 0.02;  // of a radius
  const Shape shape(static_cast<double>(particles) * std::numbers::pi / 6 / solid);
  Random random(seed);
  Vessel vessel{
      .mesh = hopper_mesh(triangles, shape.outlet, shape.radius, shape.radius, shape.height),
      .particles = {}};
  Scene<3>& scene = vessel.particles;
  constexpr double radius = 0.5;
  while (scene.size() < particles) {
    const bool wanted_near = random.uniform() < near;
    double x = 0;
    double y = 0;
    double z = 0;
    double distance = -1;
    while (!(wanted_near ? distance > 0 && distance <= 1 : distance > 1)) {
      x = random.uniform(-shape.radius, shape.radius);
      y = random.uniform(-shape.radius, shape.radius);
      z = random.uniform(0, shape.height);
      distance = shape.distance(std::hypot(x, y), z);
    }
    if (wanted_near) {
      const double part = random.uniform();
      const double wanted =
          random.uniform() < touching ? radius * (1 - deepest * part) : radius * (1 + part);
      const double scale = shape.inside_by(wanted, z) / std::hypot(x, y);
      x *= scale;
      y *= scale;
    }
    scene.axes[0].push_back(x);
    scene.axes[1].push_back(y);
    scene.axes[2].push_back(z);
    scene.radius.push_back(radius);
  }
  scene.bounds = {{-shape.radius, -shape.radius, 0}, {shape.radius, shape.radius, shape.height}};
  return vessel;
}

}  // namespace abut
