// Disks in two dimensions, compared with analytical solutions. A disk has thickness 1: its mass is
// ρ π r² and its moment of inertia m r²/2.

#include <gtest/gtest.h>

#include <abut/simulation.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "sphere_fixtures.hpp"

namespace abut::testing {
namespace {

using std::numbers::pi;

constexpr double disk_density = 800;
constexpr double disk_radius = 0.1;
constexpr double disk_mass = disk_density * pi * disk_radius * disk_radius;
constexpr double disk_inertia = disk_mass * disk_radius * disk_radius / 2;

/// A disk at rest on a floor with normal y, or at another height; gravity 10, possibly tilted.
Simulation2 disk_on_floor(const ContactParameters& parameters, double height,
                          const Vec<2>& velocity, double angular_velocity, double tilt = 0) {
  Simulation2 simulation{{.materials = {{"m", disk_density}},
                          .contact_parameters = {{.parameters = parameters}},
                          .gravity = {10 * std::sin(tilt), -10 * std::cos(tilt)},
                          .time_step = 1e-5}};
  simulation.add(Wall<2>{"floor", Plane<2>{{0, 0}, {0, 1}}});
  const std::vector<double> x{0};
  const std::vector<double> y{height};
  const std::vector<double> r{disk_radius};
  simulation.add({.spheres = {x, y, r},
                  .velocity = {velocity},
                  .angular_velocity = {{0, 0, angular_velocity}}});
  return simulation;
}

constexpr double stiffness_under_disk = 1e7;
const double height_at_rest = disk_radius - 10 * disk_mass / stiffness_under_disk;

TEST(Disks, HaveTheMassAndInertiaOfThickness1) {
  Simulation2 simulation = disk_on_floor({.stiffness = 1e4}, 1, {3, 0}, 7);
  EXPECT_NEAR(simulation.particle(ParticleId{0}).mass / disk_mass, 1, 1e-12);
  EXPECT_NEAR(simulation.energy().kinetic / (disk_mass * 9 / 2), 1, 1e-12);
  EXPECT_NEAR(simulation.energy().rotational / (disk_inertia * 49 / 2), 1, 1e-12);
  EXPECT_NEAR(simulation.energy().potential / (disk_mass * 10), 1, 1e-12);
}

// Half a period of the oscillation about the equilibrium under gravity, and the time above it.
TEST(Disks, ReboundAfterTheContactTimeOfTheirMass) {
  const double stiffness = 1e5;
  const double omega = std::sqrt(stiffness / disk_mass);
  Simulation2 simulation = disk_on_floor({.stiffness = stiffness}, disk_radius, {0, -1}, 0);
  std::size_t steps = 0;
  do {
    simulation.advance(1);
    ++steps;
  } while (simulation.position(ParticleId{0})[1] < disk_radius);
  const double contact_time = (pi + 2 * std::atan(10 / (omega * 1))) / omega;
  EXPECT_NEAR(static_cast<double>(steps) * 1e-5 / contact_time, 1, 1e-3);
}

TEST(Disks, RollWithTwoThirdsOfTheirSlidingSpeed) {
  const double mu = 0.3;
  Simulation2 simulation =
      disk_on_floor({.stiffness = stiffness_under_disk, .restitution = 0.5, .friction = mu},
                    height_at_rest, {1, 0}, 0);
  const double rolling_time = 1.0 / (3 * mu * 10);
  simulation.advance(static_cast<std::size_t>(0.97 * rolling_time / 1e-5));
  EXPECT_GT(simulation.velocity(ParticleId{0})[0], 1.005 * 2 / 3);
  simulation.advance(static_cast<std::size_t>(0.2 * rolling_time / 1e-5));
  EXPECT_NEAR(simulation.velocity(ParticleId{0})[0], 2.0 / 3, 1e-3);
  EXPECT_NEAR(simulation.angular_velocity(ParticleId{0})[2], -2.0 / 3 / disk_radius, 1e-2);
}

TEST(Disks, RollDownSlopesWithTwoThirdsOfGravity) {
  const double tilt = 0.2;
  Simulation2 simulation = disk_on_floor(
      {.stiffness = stiffness_under_disk, .restitution = 0.5, .friction = 0.5},
      disk_radius - 10 * std::cos(tilt) * disk_mass / stiffness_under_disk, {}, 0, tilt);
  simulation.advance(20000);  // 0.2 s
  EXPECT_NEAR(simulation.velocity(ParticleId{0})[0], 2.0 / 3 * 10 * std::sin(tilt) * 0.2, 1e-3);
}

TEST(Disks, RollingFrictionSlowsRotationByItsTorque) {
  const double mu_r = 0.02;
  Simulation2 simulation = disk_on_floor(
      {.stiffness = stiffness_under_disk, .restitution = 0.5, .rolling_friction = mu_r},
      height_at_rest, {}, 5);
  simulation.advance(10000);  // 0.1 s
  const double torque = mu_r * disk_radius * disk_mass * 10;
  EXPECT_NEAR(simulation.angular_velocity(ParticleId{0})[2], 5 - torque / disk_inertia * 0.1, 1e-3);
}

TEST(Disks, ExchangeVelocitiesInElasticImpacts) {
  Simulation2 simulation{
      {.materials = {{"light", disk_density}, {"heavy", 3 * disk_density}},
       .contact_parameters = {{MaterialId{0}, MaterialId{1}, {.stiffness = 1e6}}},
       .time_step = 1e-6}};
  const std::vector<double> zero{0};
  const std::vector<double> x{0.201};
  const std::vector<double> r{disk_radius};
  simulation.add({.spheres = {zero, zero, r}, .velocity = {{1, 0}}});
  simulation.add({.spheres = {x, zero, r}, .material = MaterialId{1}});
  simulation.advance(50000);
  EXPECT_NEAR(simulation.velocity(ParticleId{0})[0], -0.5, 1e-4);  // masses 1 and 3
  EXPECT_NEAR(simulation.velocity(ParticleId{1})[0], 0.5, 1e-4);
}

}  // namespace
}  // namespace abut::testing
