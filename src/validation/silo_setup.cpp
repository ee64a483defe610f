#include "validation/silo_setup.hpp"

#include <abut/insertion.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/vec.hpp"

namespace abut {
namespace {

constexpr double min_radius = 0.45;  // slightly polydisperse, to prevent crystallization
constexpr double max_radius = 0.55;
constexpr double solid_fraction_at_rest = 0.58;
constexpr double solid_fraction_inserted = 0.15;
constexpr double layer_height = 3;
constexpr double layer_interval = 1.2;  // time in which a layer falls out of the insertion region
constexpr double initial_speed = 3;     // downward

std::size_t particles_per_layer(const SiloSetup& setup) {
  return static_cast<std::size_t>(solid_fraction_inserted * setup.base() * layer_height /
                                  sphere_volume<3>(0.5));
}

double insertion_height(const SiloSetup& setup) { return 2.2 * setup.height() + 2; }

}  // namespace

double SiloSetup::base() const { return std::numbers::pi / 4 * diameter * diameter; }

double SiloSetup::height() const {
  return static_cast<double>(count) * sphere_volume<3>(0.5) / (solid_fraction_at_rest * base());
}

double SiloSetup::pouring_time() const {
  return layer_interval *
         std::ceil(static_cast<double>(count) / static_cast<double>(particles_per_layer(*this)));
}

Simulation3 empty_silo(const SiloSetup& setup) {
  Simulation3 simulation{granular_model<3>(setup.law, min_radius)};
  const double radius = setup.diameter / 2;
  simulation.add(Wall<3>{"cylinder", cylinder({0, 0, -5}, {0, 0, 10 + 3 * setup.height()}, radius),
                         wall_material, setup.motion});
  simulation.add(Wall<3>{"lid", Plane<3>{{0, 0, 0}, {0, 0, 1}}, wall_material});
  simulation.add(
      Wall<3>{"floor", Annulus{{0, 0, 0}, {0, 0, 1}, radius + 1, setup.outlet / 2}, wall_material});
  constexpr double far = 1e9;  // beyond any particle
  simulation.add(Sink<3>{"outlet", {{-far, -far, -far}, {far, far, -2}}});
  return simulation;
}

void pour(Simulation3& silo, const SiloSetup& setup, SharedProgress& progress) {
  for (std::size_t inserted = 0; inserted < setup.count;) {
    const std::size_t count = std::min(particles_per_layer(setup), setup.count - inserted);
    const double filled =
        setup.height() * static_cast<double>(inserted) / static_cast<double>(setup.count);
    const double low = filled + layer_height + 2;
    const auto grains = insert_particles<3>(
        {.count = count,
         .region = CylinderRegion{{0, 0, low}, {0, 0, low + layer_height}, setup.diameter / 2},
         .sizes = uniform_by_number(min_radius, max_radius),
         .seed = inserted + 1});
    silo.add({.spheres = grains.view(), .velocity = {{0, 0, -initial_speed}}});
    inserted += count;
    advance(silo, layer_interval, progress);
  }
}

double settling_time(const SiloSetup& setup) {
  constexpr double relaxation_time = 15;
  return std::sqrt(2 * insertion_height(setup)) + relaxation_time;
}

void settle(Simulation3& silo, const SiloSetup& setup, std::uint64_t seed,
            SharedProgress& progress) {
  const auto grains = insert_particles<3>(
      {.count = setup.count,
       .region = CylinderRegion{{0, 0, 0}, {0, 0, insertion_height(setup)}, setup.diameter / 2},
       .sizes = uniform_by_number(min_radius, max_radius),
       .seed = seed});
  silo.add({.spheres = grains.view()});
  advance(silo, settling_time(setup), progress);
}

}  // namespace abut
