#pragma once

#include <abut/simulation.hpp>
#include <algorithm>
#include <array>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "core/statistics.hpp"

namespace abut::testing {

/// Separated spheres of slightly different sizes on a grid from z = 0 upward, `width` wide along
/// the other axes.
template <std::size_t D>
struct LoosePacking : SphereArrays<D> {
  explicit LoosePacking(std::size_t count, double width = 6) {
    Random random(7);
    const auto side = static_cast<std::size_t>(width / 1.1);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t remainder = i;
      Point<D> center;
      for (std::size_t k = 0; k < D; ++k) {
        const std::size_t cell = k + 1 < D ? remainder % side : remainder;
        remainder /= side;
        center[k] = 0.55 + 1.1 * static_cast<double>(cell) + random.uniform(-0.02, 0.02);
      }
      this->push_back(center, random.uniform(0.45, 0.525));
    }
  }
};

/// A model with damping, friction and rolling friction.
template <std::size_t D>
Model<D> frictional_model() {
  Model<D> model;
  model.materials = {{"grain", 1.5}};
  model.contact_parameters = {
      {.parameters = {
           .stiffness = 1e4, .restitution = 0.6, .friction = 0.4, .rolling_friction = 0.02}}};
  model.gravity[D - 1] = -5;
  model.time_step = 1e-3;
  return model;
}

/// Adds a floor and side walls: wall 0 at x = 0, 1 at x = width and so on; the floor is the last.
template <std::size_t D>
void add_box(Simulation<D>& simulation, double width) {
  for (std::size_t k = 0; k < D; ++k) {
    Plane<D> low{};
    low.normal[k] = 1;
    simulation.add(Wall<D>{"low", low});
    if (k + 1 == D) break;
    Plane<D> high = low;
    high.point[k] = width;
    simulation.add(Wall<D>{"high", high});
  }
}

/// Positions, velocities and angular velocities by id, for bitwise comparison.
template <std::size_t D>
std::vector<double> state_by_id(const Simulation<D>& simulation) {
  std::vector<double> values(simulation.particle_counts().inserted * (2 * D + 3));
  for (std::size_t i = 0; i < simulation.particle_count(); ++i) {
    const auto p = simulation.particle(ParticleIndex{i});
    double* to = values.data() + p.id.value() * (2 * D + 3);
    to = std::copy(p.position.begin(), p.position.end(), to);
    to = std::copy(p.velocity.begin(), p.velocity.end(), to);
    std::copy(p.angular_velocity.begin(), p.angular_velocity.end(), to);
  }
  return values;
}

/// The state of `count` particles in a box of width 6 after a number of steps.
template <std::size_t D>
std::vector<double> run_packing(Model<D> model, std::size_t count, std::size_t steps) {
  Simulation<D> simulation{std::move(model)};
  const LoosePacking<D> packing(count);
  simulation.add({.spheres = packing.view()});
  add_box<D>(simulation, 6);
  simulation.advance(steps);
  return state_by_id(simulation);
}

/// The density of a sphere with a mass and radius.
inline double density_of_sphere(double mass, double radius) {
  return mass / (4.0 / 3 * std::numbers::pi * radius * radius * radius);
}

/// Center and radius.
struct TestSphere {
  double x, y, z, radius;
};

inline void add_spheres(Simulation3& simulation, std::span<const TestSphere> spheres,
                        const std::vector<Point<3>>& velocity = {},
                        const std::vector<Point<3>>& angular_velocity = {},
                        MaterialId material = {}) {
  SphereArrays<3> arrays;
  for (const auto& [x, y, z, radius] : spheres) arrays.push_back({x, y, z}, radius);
  simulation.add({.spheres = arrays.view(),
                  .material = material,
                  .velocity = velocity,
                  .angular_velocity = angular_velocity});
}

}  // namespace abut::testing
