#pragma once

#include <abut/simulation.hpp>
#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "core/random.hpp"

namespace abut::testing {

/// A loose heap of N balls over a floor, between four planes or periodic.
template <std::size_t D>
class Heap {
 public:
  explicit Heap(std::size_t count, double width = 6) {
    Random random(7);
    const auto side = static_cast<std::size_t>(width / 1.1);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t rest = i;
      for (std::size_t k = 0; k < D; ++k) {
        const std::size_t at = k + 1 < D ? rest % side : rest;
        rest /= side;
        axes_[k].push_back(0.55 + 1.1 * static_cast<double>(at) + random.uniform(-0.02, 0.02));
      }
      radius_.push_back(random.uniform(0.45, 0.525));
    }
  }

  [[nodiscard]] Spheres<D> places() const {
    std::array<std::span<const double>, D> views;
    for (std::size_t k = 0; k < D; ++k) views[k] = axes_[k];
    return {views, radius_};
  }

 private:
  std::array<std::vector<double>, D> axes_;
  std::vector<double> radius_;
};

/// Balls with friction and rolling resistance that lose speed in every impact.
template <std::size_t D>
Model<D> rough_model() {
  Model<D> model;
  model.materials = {{"grain", 1.5}};
  model.interactions = {
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
std::vector<double> all_numbers(const Simulation<D>& run) {
  std::vector<double> all(run.population().released * (2 * D + 3));
  for (std::size_t i = 0; i < run.size(); ++i) {
    const auto p = run.particle(i);
    double* to = all.data() + p.id * (2 * D + 3);
    to = std::copy(p.place.begin(), p.place.end(), to);
    to = std::copy(p.velocity.begin(), p.velocity.end(), to);
    std::copy(p.spin.begin(), p.spin.end(), to);
  }
  return all;
}

/// What has become of a heap after so many steps.
template <std::size_t D>
std::vector<double> run_heap(Model<D> model, std::size_t count, std::size_t steps) {
  Simulation<D> run{std::move(model)};
  const Heap<D> heap(count);
  run.add({.places = heap.places()});
  add_box<D>(run, 6);
  run.advance(steps);
  return all_numbers(run);
}

}  // namespace abut::testing
