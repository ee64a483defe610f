#include "validation/silo_setup.hpp"

#include <abut/insertion.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/vec.hpp"

namespace abut {
namespace {

constexpr double smallest_in_silo = 0.45;
constexpr double largest_in_silo = 0.55;  // sizes that differ a little do not form crystals
constexpr double poured = 0.58;           // solid fraction at rest
constexpr double falling = 0.15;          // and on the way
constexpr double layer = 3;
constexpr double between_layers = 1.2;  // in time: the last one has then fallen out of the way
constexpr double fall_speed = 3;

std::size_t particles_per_layer(const SiloSetup& plan) {
  return static_cast<std::size_t>(falling * plan.base() * layer / sphere_volume<3>(0.5));
}

double cloud_height(const SiloSetup& plan) { return 2.2 * plan.height() + 2; }

}  // namespace

double SiloSetup::base() const { return std::numbers::pi / 4 * diameter * diameter; }

double SiloSetup::height() const {
  return static_cast<double>(count) * sphere_volume<3>(0.5) / (poured * base());
}

double SiloSetup::pouring_time() const {
  return between_layers *
         std::ceil(static_cast<double>(count) / static_cast<double>(particles_per_layer(*this)));
}

Simulation3 empty_silo(const SiloSetup& plan) {
  Simulation3 run{granular_model<3>(plan.law, smallest_in_silo)};
  const double radius = plan.diameter / 2;
  run.add(Wall<3>{"cylinder", cylinder({0, 0, -5}, {0, 0, 10 + 3 * plan.height()}, radius),
                  wall_material, plan.motion});
  run.add(Wall<3>{"lid", Plane<3>{{0, 0, 0}, {0, 0, 1}}, wall_material});
  run.add(
      Wall<3>{"floor", Annulus{{0, 0, 0}, {0, 0, 1}, radius + 1, plan.outlet / 2}, wall_material});
  constexpr double far = 1e9;
  run.add(Sink<3>{"outlet", {{-far, -far, -far}, {far, far, -2}}});
  return run;
}

void pour(Simulation3& silo, const SiloSetup& plan, SharedProgress& work) {
  for (std::size_t inside = 0; inside < plan.count;) {
    const std::size_t now = std::min(particles_per_layer(plan), plan.count - inside);
    const double filled =
        plan.height() * static_cast<double>(inside) / static_cast<double>(plan.count);
    const double low = filled + layer + 2;
    const auto grains = insert_particles<3>(
        {.count = now,
         .region = CylinderRegion{{0, 0, low}, {0, 0, low + layer}, plan.diameter / 2},
         .sizes = uniform_by_number(smallest_in_silo, largest_in_silo),
         .seed = inside + 1});
    silo.add({.spheres = grains.particles(), .velocity = {{0, 0, -fall_speed}}});
    inside += now;
    advance(silo, between_layers, work);
  }
}

double settling_time(const SiloSetup& plan) {
  constexpr double comes_to_rest = 15;
  return std::sqrt(2 * cloud_height(plan)) + comes_to_rest;
}

void settle(Simulation3& silo, const SiloSetup& plan, std::uint64_t seed, SharedProgress& work) {
  const auto grains = insert_particles<3>(
      {.count = plan.count,
       .region = CylinderRegion{{0, 0, 0}, {0, 0, cloud_height(plan)}, plan.diameter / 2},
       .sizes = uniform_by_number(smallest_in_silo, largest_in_silo),
       .seed = seed});
  silo.add({.spheres = grains.particles()});
  advance(silo, settling_time(plan), work);
}

}  // namespace abut
