#include "validation/silo_plan.hpp"

#include <abut/release.hpp>
#include <cmath>
#include <numbers>

#include "core/ball_volume.hpp"

namespace abut {
namespace {

constexpr double smallest_in_silo = 0.45;
constexpr double largest_in_silo = 0.55;  // sizes that differ a little do not form crystals
constexpr double poured = 0.58;           // solid fraction at rest
constexpr double falling = 0.3;           // and at the beginning

}  // namespace

double SiloPlan::base() const { return std::numbers::pi / 4 * diameter * diameter; }

double SiloPlan::height() const {
  return static_cast<double>(count) * ball_volume<3>(0.5) / (poured * base());
}

double SiloPlan::settling_time() const {
  return 15 + 2 * std::sqrt(2 * height() * poured / falling);
}

Simulation3 empty_silo(const SiloPlan& plan) {
  Simulation3 run{grain_model<3>(plan.law, smallest_in_silo)};
  const double radius = plan.diameter / 2;
  run.add(Wall<3>{"cylinder", cylinder({0, 0, -5}, {0, 0, 10 + 3 * plan.height()}, radius),
                  wall_material, plan.motion});
  run.add(Wall<3>{"lid", Plane<3>{{0, 0, 0}, {0, 0, 1}}, wall_material});
  run.add(Wall<3>{"floor", Ring{{0, 0, 0}, {0, 0, 1}, radius + 1, plan.outlet / 2}, wall_material});
  constexpr double far = 1e9;
  run.add(Sink<3>{"outlet", {{-far, -far, -far}, {far, far, -2}}});
  return run;
}

Simulation3 filled_silo(const SiloPlan& plan) {
  Simulation3 run = empty_silo(plan);
  const double top = 1.05 * plan.height() * poured / falling + 1;
  const auto grains = release<3>({.count = plan.count,
                                  .region = Barrel{{0, 0, 0}, {0, 0, top}, plan.diameter / 2},
                                  .sizes = uniform_by_number(smallest_in_silo, largest_in_silo)});
  run.add({.places = grains.particles()});
  return run;
}

}  // namespace abut
