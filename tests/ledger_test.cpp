#include <gtest/gtest.h>

#include <abut/simulation.hpp>
#include <algorithm>
#include <cmath>
#include <vector>

#include "few_balls.hpp"
#include "heap.hpp"

namespace abut::testing {
namespace {

double total(const Energy& energy) {
  return energy.moving + energy.turning + energy.height + energy.stored + energy.dissipated -
         energy.input;
}

TEST(Ledger, Balances) {
  for (const bool elastic : {true, false}) {
    double error[2];
    for (const int fine : {0, 1}) {
      Model<3> model = rough_model<3>();
      model.ledger = true;
      model.time_step = 1e-3 / (fine == 0 ? 1 : 4);
      if (elastic) model.interactions = {{0, 0, {.stiffness = 1e4}}};
      Simulation3 run{model};
      const Heap<3> heap(200);
      run.add({.places = heap.places()});
      add_box<3>(run, 6);
      const double scale = run.energy().height;
      double dissipated = 0;
      double worst = 0;
      for (int k = 0; k < 20; ++k) {
        run.advance(fine == 0 ? 100 : 400);
        worst = std::max(worst, std::abs(total(run.energy())) / scale);
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
    Model<3> model = rough_model<3>();
    model.ledger = true;
    model.time_step = 1e-3 / (fine == 0 ? 1 : 4);
    Simulation3 run{model};
    const Heap<3> heap(100);
    run.add({.places = heap.places()});
    Wall<3> lift{"lift", Plane<3>{{0, 0, 0}, {0, 0, 1}}};
    lift.motion.velocity = {0.2, 0, 0.5};
    run.add(lift);
    add_box<3>(run, 6);
    const double begin = total(run.energy());
    const double height = run.energy().height;
    run.advance(fine == 0 ? 2000 : 8000);
    EXPECT_GT(run.energy().input, 0.1 * height);
    error[fine] = std::abs(total(run.energy()) - begin) / height;
  }
  EXPECT_LT(error[0], 1e-2);
  EXPECT_LT(error[1], 0.5 * error[0]);
}

/// How far the ledger of a heap is off, of what was dissipated; Hertz's springs change their
/// stiffness.
double hertz_error(double step, std::size_t steps) {
  Model<3> model = rough_model<3>();
  model.law = Law::hertz;
  model.materials[0].young = 5e4;
  model.materials[0].poisson = 0.3;
  model.interactions = {{0, 0, {.restitution = 0.5, .friction = 0.4, .rolling_friction = 0.1}}};
  model.time_step = step;
  model.ledger = true;
  Simulation3 run{model};
  const Heap<3> heap(100);
  run.add({.places = heap.places()});
  add_box<3>(run, 6);
  run.advance(steps);
  EXPECT_GT(run.energy().dissipated, 0);
  return std::abs(total(run.energy())) / run.energy().dissipated;
}

TEST(Ledger, BalancesWhereStiffnessChanges) {
  const double coarse = hertz_error(4e-4, 5000);
  const double fine = hertz_error(1e-4, 20000);
  EXPECT_LT(coarse, 0.02);
  EXPECT_LT(fine, 0.5 * coarse);
}

TEST(Ledger, CountsWhatEndsWhenAWallOpensOrParticlesLeave) {
  for (const bool leaves : {false, true}) {
    Model<3> model = rough_model<3>();
    model.ledger = true;
    model.time_step = 1e-4;
    Simulation3 run{model};
    const Heap<3> heap(60);
    run.add({.places = heap.places()});
    add_box<3>(run, 4);
    run.advance(40000);
    const double before = total(run.energy());
    const double stored = run.energy().stored;
    EXPECT_GT(stored, 1e-3);
    if (leaves)
      run.add(Sink<3>{"low", {{-9, -9, -9}, {9, 9, 1}}});
    else
      run.open(run.walls().size() - 1);  // the floor
    run.advance(20);
    EXPECT_NEAR(total(run.energy()), before, 0.05 * stored) << leaves;
  }
}

/// A ball of mass 1 and radius 0.1 in free space; what it meets is to be added.
Simulation3 lone_ball(const Point<3>& place, const Point<3>& velocity, double friction) {
  Model<3> model;
  model.materials = {{"m", density_for(1, 0.1)}};
  model.interactions = {{0, 0, {.stiffness = 1e5, .restitution = 0.2, .friction = friction}}};
  model.gravity = {0, 0, -10};
  model.time_step = 1e-5;
  model.ledger = true;
  Simulation3 run{model};
  const Grain ball[] = {{place[0], place[1], place[2], 0.1}};
  add(run, ball, {velocity});
  return run;
}

TEST(Ledger, CountsWhatAWallThatClosesPressesIn) {
  Simulation3 run = lone_ball({0, 0, 0.1}, {}, 0);
  const std::size_t floor = run.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  run.advance(10000);
  run.open(floor);
  run.advance(5000);  // it falls 12.5 mm
  const double before = total(run.energy());
  run.open(floor, false);
  const double pressed = 1e5 / 2 * 0.0126 * 0.0126;
  EXPECT_NEAR(run.energy().stored, pressed, 0.1 * pressed);
  run.advance(5000);
  EXPECT_NEAR(total(run.energy()), before, 0.05 * pressed);
}

TEST(Ledger, CountsTheOverlapsParticlesComeWith) {
  Simulation3 run = lone_ball({0, 0, 1}, {}, 0);
  run.advance(10);
  const double before = total(run.energy());
  const Grain other[] = {{0.15, 0, 1, 0.1}};
  add(run, other);
  const double pressed = 1e5 / 2 * 0.05 * 0.05;
  EXPECT_NEAR(run.energy().stored, pressed, 1e-3 * pressed);
  run.advance(3000);
  EXPECT_EQ(run.energy().stored, 0);
  EXPECT_NEAR(total(run.energy()), before, 0.02 * pressed);
}

// Friction that slides takes energy, whatever its spring and dashpot would like.
TEST(Ledger, ABeltOnlyTakes) {
  Simulation3 run = lone_ball({0, 0, 0.1}, {}, 0.3);
  run.add(Wall<3>{"belt", Plane<3>{{0, 0, 0}, {0, 0, 1}}, 0, {.velocity = {5, 0, 0}}});
  double dissipated = 0;
  for (int k = 0; k < 200; ++k) {
    run.advance(100);
    ASSERT_GE(run.energy().dissipated, dissipated - 1e-9) << k;
    dissipated = run.energy().dissipated;
  }
  EXPECT_GT(dissipated, 1);
  EXPECT_LT(run.energy().stored, 0.1);  // what its weight, and friction, can press in and stretch
}

}  // namespace
}  // namespace abut::testing
