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

/// A loose heap of N balls over a floor, between four planes or periodic.
template <std::size_t D>
class LoosePacking {
 public:
  explicit LoosePacking(std::size_t count, double width = 6) {
    Random random(7);
    const auto side = static_cast<std::size_t>(width / 1.1);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t rest = i;
      for (std::size_t k = 0; k < D; ++k) {
        const std::size_t at = k + 1 < D ? rest % side : rest;
        rest /= side;
        coordinates_[k].push_back(0.55 + 1.1 * static_cast<double>(at) +
                                  random.uniform(-0.02, 0.02));
      }
      radii_.push_back(random.uniform(0.45, 0.525));
    }
  }

  [[nodiscard]] Spheres<D> view() const {
    std::array<std::span<const double>, D> views;
    for (std::size_t k = 0; k < D; ++k) views[k] = coordinates_[k];
    return {views, radii_};
  }

 private:
  std::array<std::vector<double>, D> coordinates_;
  std::vector<double> radii_;
};

/// Balls with friction and rolling resistance that lose speed in every impact.
template <std::size_t D>
Model<D> frictional_model() {
  Model<D> model;
  model.materials = {{"grain", 1.5}};
  model.contact_parameters = {
      {0, 0, {.stiffness = 1e4, .restitution = 0.6, .friction = 0.4, .rolling_friction = 0.02}}};
  model.gravity[D - 1] = -5;
  model.time_step = 1e-3;
  return model;
}

/// A floor and side walls.
template <std::size_t D>
void add_box(Simulation<D>& run, double width) {
  for (std::size_t k = 0; k < D; ++k) {
    Plane<D> low{};
    low.normal[k] = 1;
    run.add(Wall<D>{"low", low});
    if (k + 1 == D) break;
    Plane<D> high = low;
    high.point[k] = width;
    run.add(Wall<D>{"high", high});
  }
}

/// All numbers of all particles by id, to the last bit.
template <std::size_t D>
std::vector<double> state_by_id(const Simulation<D>& run) {
  std::vector<double> all(run.particle_counts().inserted * (2 * D + 3));
  for (std::size_t i = 0; i < run.particle_count(); ++i) {
    const auto p = run.particle(i);
    double* to = all.data() + p.id * (2 * D + 3);
    to = std::copy(p.position.begin(), p.position.end(), to);
    to = std::copy(p.velocity.begin(), p.velocity.end(), to);
    std::copy(p.angular_velocity.begin(), p.angular_velocity.end(), to);
  }
  return all;
}

/// What has become of a heap after so many steps.
template <std::size_t D>
std::vector<double> run_packing(Model<D> model, std::size_t count, std::size_t steps) {
  Simulation<D> run{std::move(model)};
  const LoosePacking<D> heap(count);
  run.add({.spheres = heap.view()});
  add_box<D>(run, 6);
  run.advance(steps);
  return state_by_id(run);
}

}  // namespace abut::testing

namespace abut::testing {

/// Of density such that a sphere of radius r has this mass.
inline double density_of_sphere(double mass, double r) {
  return mass / (4.0 / 3 * std::numbers::pi * r * r * r);
}

struct TestSphere {
  double x, y, z, radius;
};

inline void add_spheres(Simulation3& run, std::span<const TestSphere> balls,
                        const std::vector<Point<3>>& velocity = {},
                        const std::vector<Point<3>>& spin = {}, std::size_t material = 0) {
  std::array<std::vector<double>, 4> columns;
  for (const TestSphere& ball : balls) {
    columns[0].push_back(ball.x);
    columns[1].push_back(ball.y);
    columns[2].push_back(ball.z);
    columns[3].push_back(ball.radius);
  }
  run.add({.spheres = {columns[0], columns[1], columns[2], columns[3]},
           .material = material,
           .velocity = velocity,
           .angular_velocity = spin});
}

}  // namespace abut::testing
