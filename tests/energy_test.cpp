#include <gtest/gtest.h>

#include <abut/simulation.hpp>
#include <algorithm>
#include <cmath>
#include <vector>

#include "sphere_fixtures.hpp"

namespace abut::testing {
namespace {

double total_energy(const Energy& energy) {
  return energy.kinetic + energy.rotational + energy.potential + energy.elastic +
         energy.dissipated - energy.input;
}

TEST(Ledger, Balances) {
  for (const bool elastic : {true, false}) {
    double error[2];
    for (const int fine : {0, 1}) {
      Model<3> model = frictional_model<3>();
      model.track_energy = true;
      model.time_step = 1e-3 / (fine == 0 ? 1 : 4);
      if (elastic) model.contact_parameters = {{0, 0, {.stiffness = 1e4}}};
      Simulation3 run{model};
      const LoosePacking<3> heap(200);
      run.add({.spheres = heap.view()});
      add_box<3>(run, 6);
      const double scale = run.energy().potential;
      double dissipated = 0;
      double worst = 0;
      for (int k = 0; k < 20; ++k) {
        run.advance(fine == 0 ? 100 : 400);
        worst = std::max(worst, std::abs(total_energy(run.energy())) / scale);
        EXPECT_GE(run.energy().dissipated, dissipated - 1e-9 * scale);
        dissipated = run.energy().dissipated;
      }
      error[fine] = worst;
    }
    EXPECT_LT(error[0], elastic ? 5e-4 : 1e-2) << elastic;
    EXPECT_LT(error[1], error[0] * (elastic ? 0.15 : 0.4)) << elastic;
  }
}

TEST(Ledger, CountsTheWorkOfWallsThatMove) {
  double error[2];
  for (const int fine : {0, 1}) {
    Model<3> model = frictional_model<3>();
    model.track_energy = true;
    model.time_step = 1e-3 / (fine == 0 ? 1 : 4);
    Simulation3 run{model};
    const LoosePacking<3> heap(100);
    run.add({.spheres = heap.view()});
    Wall<3> lift{"lift", Plane<3>{{0, 0, 0}, {0, 0, 1}}};
    lift.motion.velocity = {0.2, 0, 0.5};
    run.add(lift);
    add_box<3>(run, 6);
    const double begin = total_energy(run.energy());
    const double height = run.energy().potential;
    run.advance(fine == 0 ? 2000 : 8000);
    EXPECT_GT(run.energy().input, 0.1 * height);
    error[fine] = std::abs(total_energy(run.energy()) - begin) / height;
  }
  EXPECT_LT(error[0], 1e-2);
  EXPECT_LT(error[1], 0.5 * error[0]);
}

/// How far the ledger of a heap is off, of what was dissipated; Hertz's springs change their
/// stiffness.
double hertz_energy_error(double step, std::size_t steps) {
  Model<3> model = frictional_model<3>();
  model.law = ContactLaw::hertz;
  model.materials[0].young = 5e4;
  model.materials[0].poisson = 0.3;
  model.contact_parameters = {
      {0, 0, {.restitution = 0.5, .friction = 0.4, .rolling_friction = 0.1}}};
  model.time_step = step;
  model.track_energy = true;
  Simulation3 run{model};
  const LoosePacking<3> heap(100);
  run.add({.spheres = heap.view()});
  add_box<3>(run, 6);
  run.advance(steps);
  EXPECT_GT(run.energy().dissipated, 0);
  return std::abs(total_energy(run.energy())) / run.energy().dissipated;
}

TEST(Ledger, BalancesWhereStiffnessChanges) {
  const double coarse = hertz_energy_error(4e-4, 5000);
  const double fine = hertz_energy_error(1e-4, 20000);
  EXPECT_LT(coarse, 0.02);
  EXPECT_LT(fine, 0.5 * coarse);
}

TEST(Ledger, CountsWhatEndsWhenAWallOpensOrParticlesLeave) {
  for (const bool leaves : {false, true}) {
    Model<3> model = frictional_model<3>();
    model.track_energy = true;
    model.time_step = 1e-4;
    Simulation3 run{model};
    const LoosePacking<3> heap(60);
    run.add({.spheres = heap.view()});
    add_box<3>(run, 4);
    run.advance(40000);
    const double before = total_energy(run.energy());
    const double stored = run.energy().elastic;
    EXPECT_GT(stored, 1e-3);
    if (leaves)
      run.add(Sink<3>{"low", {{-9, -9, -9}, {9, 9, 1}}});
    else
      run.set_open(run.walls().element_count() - 1);  // the floor
    run.advance(20);
    EXPECT_NEAR(total_energy(run.energy()), before, 0.05 * stored) << leaves;
  }
}

/// A ball of mass 1 and radius 0.1 in free space; what it meets is to be added.
Simulation3 single_sphere(const Point<3>& place, const Point<3>& velocity, double friction) {
  Model<3> model;
  model.materials = {{"m", density_of_sphere(1, 0.1)}};
  model.contact_parameters = {{0, 0, {.stiffness = 1e5, .restitution = 0.2, .friction = friction}}};
  model.gravity = {0, 0, -10};
  model.time_step = 1e-5;
  model.track_energy = true;
  Simulation3 run{model};
  const TestSphere ball[] = {{place[0], place[1], place[2], 0.1}};
  add_spheres(run, ball, {velocity});
  return run;
}

TEST(Ledger, CountsWhatAWallThatClosesPressesIn) {
  Simulation3 run = single_sphere({0, 0, 0.1}, {}, 0);
  const std::size_t floor = run.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  run.advance(10000);
  run.set_open(floor);
  run.advance(5000);  // it falls 12.5 mm
  const double before = total_energy(run.energy());
  run.set_open(floor, false);
  const double pressed = 1e5 / 2 * 0.0126 * 0.0126;
  EXPECT_NEAR(run.energy().elastic, pressed, 0.1 * pressed);
  run.advance(5000);
  EXPECT_NEAR(total_energy(run.energy()), before, 0.05 * pressed);
}

TEST(Ledger, CountsTheOverlapsParticlesComeWith) {
  Simulation3 run = single_sphere({0, 0, 1}, {}, 0);
  run.advance(10);
  const double before = total_energy(run.energy());
  const TestSphere other[] = {{0.15, 0, 1, 0.1}};
  add_spheres(run, other);
  const double pressed = 1e5 / 2 * 0.05 * 0.05;
  EXPECT_NEAR(run.energy().elastic, pressed, 1e-3 * pressed);
  run.advance(3000);
  EXPECT_EQ(run.energy().elastic, 0);
  EXPECT_NEAR(total_energy(run.energy()), before, 0.02 * pressed);
}

// Friction that slides takes energy, whatever its spring and dashpot would like.
TEST(Ledger, ABeltOnlyTakes) {
  Simulation3 run = single_sphere({0, 0, 0.1}, {}, 0.3);
  run.add(Wall<3>{"belt", Plane<3>{{0, 0, 0}, {0, 0, 1}}, 0, {.velocity = {5, 0, 0}}});
  double dissipated = 0;
  for (int k = 0; k < 200; ++k) {
    run.advance(100);
    ASSERT_GE(run.energy().dissipated, dissipated - 1e-9) << k;
    dissipated = run.energy().dissipated;
  }
  EXPECT_GT(dissipated, 1);
  EXPECT_LT(run.energy().elastic, 0.1);  // what its weight, and friction, can press in and stretch
}

}  // namespace
}  // namespace abut::testing
