#include <gtest/gtest.h>

#include <abut/simulation.hpp>
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "sphere_fixtures.hpp"

namespace abut::testing {
namespace {

double total_energy(const Energy& energy) {
  return energy.kinetic + energy.rotational + energy.potential + energy.elastic +
         energy.dissipated - energy.input;
}

TEST(EnergyBalance, ErrorVanishesWithTimeStep) {
  for (const bool is_elastic : {true, false}) {
    double error[2];
    for (const int fine : {0, 1}) {
      Model<3> model = frictional_model<3>();
      model.track_energy = true;
      model.time_step = 1e-3 / (fine == 0 ? 1 : 4);
      if (is_elastic) model.contact_parameters = {{.parameters = {.stiffness = 1e4}}};
      Simulation3 simulation{model};
      const LoosePacking<3> packing(200);
      simulation.add({.spheres = packing.view()});
      add_box<3>(simulation, 6);
      const double scale = simulation.energy().potential;
      double dissipated = 0;
      double max_error = 0;
      for (int k = 0; k < 20; ++k) {
        simulation.advance(fine == 0 ? 100 : 400);
        max_error = std::max(max_error, std::abs(total_energy(simulation.energy())) / scale);
        EXPECT_GE(simulation.energy().dissipated, dissipated - 1e-9 * scale);
        dissipated = simulation.energy().dissipated;
      }
      error[fine] = max_error;
    }
    EXPECT_LT(error[0], is_elastic ? 5e-4 : 1e-2) << is_elastic;
    EXPECT_LT(error[1], error[0] * (is_elastic ? 0.15 : 0.4)) << is_elastic;
  }
}

TEST(EnergyBalance, IncludesWorkOfMovingWalls) {
  double error[2];
  for (const int fine : {0, 1}) {
    Model<3> model = frictional_model<3>();
    model.track_energy = true;
    model.time_step = 1e-3 / (fine == 0 ? 1 : 4);
    Simulation3 simulation{model};
    const LoosePacking<3> packing(100);
    simulation.add({.spheres = packing.view()});
    Wall<3> lift{"lift", Plane<3>{{0, 0, 0}, {0, 0, 1}}};
    lift.motion.velocity = {0.2, 0, 0.5};
    simulation.add(lift);
    add_box<3>(simulation, 6);
    const double initial = total_energy(simulation.energy());
    const double potential = simulation.energy().potential;
    simulation.advance(fine == 0 ? 2000 : 8000);
    EXPECT_GT(simulation.energy().input, 0.1 * potential);
    error[fine] = std::abs(total_energy(simulation.energy()) - initial) / potential;
  }
  EXPECT_LT(error[0], 1e-2);
  EXPECT_LT(error[1], 0.5 * error[0]);
}

// The energy of particles that are added while they overlap is computed by the host, that of later
// steps by the kernels. The time step is too small to move a particle.
TEST(EnergyBalance, HostAndKernelsAgreeOnOverlapsBitForBit) {
  const std::vector<double> x{0, 0.9983, 3, 3.871, 6, 6.713};
  const std::vector<double> zero(6, 0);
  const std::vector<double> r{0.5, 0.51, 0.47, 0.43, 0.4, 0.33};
  for (const ContactLaw law : {ContactLaw::hooke, ContactLaw::hertz})
    for (std::size_t pair = 0; pair < 3; ++pair) {
      Model<3> model{.materials = {{"grain", 1500, 3e5, 0.3}},
                     .contact_parameters = {{}},
                     .law = law,
                     .time_step = 1e-30,
                     .track_energy = true};
      if (law == ContactLaw::hooke) model.contact_parameters[0].parameters.stiffness = 137;
      Simulation3 simulation{model};
      const auto two = [&](const std::vector<double>& values) {
        return std::span(values).subspan(2 * pair, 2);
      };
      simulation.add({.spheres = {two(x), two(zero), two(zero), two(r)}});
      const double by_host = simulation.energy().elastic;
      simulation.advance(1);
      EXPECT_GT(by_host, 0);
      EXPECT_EQ(by_host, simulation.energy().elastic);
    }
}

/// Error of the energy balance with Hertz's law, as a fraction of the dissipated energy.
double hertz_energy_error(double step, std::size_t steps) {
  Model<3> model = frictional_model<3>();
  model.law = ContactLaw::hertz;
  model.materials[0].young = 5e4;
  model.materials[0].poisson = 0.3;
  model.contact_parameters = {
      {.parameters = {.restitution = 0.5, .friction = 0.4, .rolling_friction = 0.1}}};
  model.time_step = step;
  model.track_energy = true;
  Simulation3 simulation{model};
  const LoosePacking<3> packing(100);
  simulation.add({.spheres = packing.view()});
  add_box<3>(simulation, 6);
  simulation.advance(steps);
  EXPECT_GT(simulation.energy().dissipated, 0);
  return std::abs(total_energy(simulation.energy())) / simulation.energy().dissipated;
}

TEST(EnergyBalance, HoldsForHertzLaw) {
  const double coarse = hertz_energy_error(4e-4, 5000);
  const double fine = hertz_energy_error(1e-4, 20000);
  EXPECT_LT(coarse, 0.02);
  EXPECT_LT(fine, 0.5 * coarse);
}

TEST(EnergyBalance, IncludesOpenedWallsAndRemovedParticles) {
  for (const bool use_sink : {false, true}) {
    Model<3> model = frictional_model<3>();
    model.track_energy = true;
    model.time_step = 1e-4;
    Simulation3 simulation{model};
    const LoosePacking<3> packing(60);
    simulation.add({.spheres = packing.view()});
    add_box<3>(simulation, 4);
    simulation.advance(40000);
    const double before = total_energy(simulation.energy());
    const double elastic = simulation.energy().elastic;
    EXPECT_GT(elastic, 1e-3);
    if (use_sink)
      simulation.add(Sink<3>{"low", {{-9, -9, -9}, {9, 9, 1}}});
    else
      simulation.set_open(WallId{simulation.walls().element_count() - 1});  // the floor
    simulation.advance(20);
    EXPECT_NEAR(total_energy(simulation.energy()), before, 0.05 * elastic) << use_sink;
  }
}

/// A sphere of mass 1 and radius 0.1.
Simulation3 single_sphere(const Point<3>& position, const Point<3>& velocity, double friction) {
  Model<3> model;
  model.materials = {{"m", density_of_sphere(1, 0.1)}};
  model.contact_parameters = {
      {.parameters = {.stiffness = 1e5, .restitution = 0.2, .friction = friction}}};
  model.gravity = {0, 0, -10};
  model.time_step = 1e-5;
  model.track_energy = true;
  Simulation3 simulation{model};
  const TestSphere sphere[] = {{position[0], position[1], position[2], 0.1}};
  add_spheres(simulation, sphere, {velocity});
  return simulation;
}

TEST(EnergyBalance, IncludesClosedWalls) {
  Simulation3 simulation = single_sphere({0, 0, 0.1}, {}, 0);
  const WallId floor = simulation.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  simulation.advance(10000);
  simulation.set_open(floor);
  simulation.advance(5000);  // falls by 12.5 mm
  const double before = total_energy(simulation.energy());
  simulation.set_open(floor, false);
  const double elastic = 1e5 / 2 * 0.0126 * 0.0126;
  EXPECT_NEAR(simulation.energy().elastic, elastic, 0.1 * elastic);
  simulation.advance(5000);
  EXPECT_NEAR(total_energy(simulation.energy()), before, 0.05 * elastic);
}

TEST(EnergyBalance, IncludesOverlapsOfAddedParticles) {
  Simulation3 simulation = single_sphere({0, 0, 1}, {}, 0);
  simulation.advance(10);
  const double before = total_energy(simulation.energy());
  const TestSphere other[] = {{0.15, 0, 1, 0.1}};
  add_spheres(simulation, other);
  const double elastic = 1e5 / 2 * 0.05 * 0.05;
  EXPECT_NEAR(simulation.energy().elastic, elastic, 1e-3 * elastic);
  simulation.advance(3000);
  EXPECT_EQ(simulation.energy().elastic, 0);
  EXPECT_NEAR(total_energy(simulation.energy()), before, 0.02 * elastic);
}

TEST(EnergyBalance, SlidingFrictionOnlyDissipates) {
  Simulation3 simulation = single_sphere({0, 0, 0.1}, {}, 0.3);
  simulation.add(Wall<3>{"belt", Plane<3>{{0, 0, 0}, {0, 0, 1}}, {}, {.velocity = {5, 0, 0}}});
  double dissipated = 0;
  for (int k = 0; k < 200; ++k) {
    simulation.advance(100);
    ASSERT_GE(simulation.energy().dissipated, dissipated - 1e-9) << k;
    dissipated = simulation.energy().dissipated;
  }
  EXPECT_GT(dissipated, 1);
  EXPECT_LT(simulation.energy().elastic,
            0.1);  // weight and friction compress and stretch the springs only a little
}

}  // namespace
}  // namespace abut::testing
