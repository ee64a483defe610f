// What holds for any number of particles.

#include <gtest/gtest.h>

#include <abut/simulation.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include "core/statistics.hpp"
#include "sphere_fixtures.hpp"

namespace abut::testing {
namespace {

TEST(SimulationBits, AreTheSameWithEveryMethod) {
  const auto with = [](Method method) {
    Model<3> model = frictional_model<3>();
    model.search_method = method;
    return run_packing<3>(model, 300, 1500);
  };
  const auto expected = with(Method::brute_force);
  for (const Method method :
       {Method::engine, Method::binary_tree, Method::direct_mapping, Method::screening,
        Method::sorting, Method::nbs, Method::cgrid, Method::fixed_cubes, Method::mr, Method::mmr})
    EXPECT_EQ(expected, with(method)) << static_cast<int>(method);
}

TEST(SimulationBits, DoNotDependOnWhereSomebodyLooks) {
  const LoosePacking<3> heap(300);
  const auto in_pieces = [&](std::vector<std::size_t> pieces) {
    Simulation3 run{frictional_model<3>()};
    run.add({.spheres = heap.view()});
    add_box<3>(run, 6);
    for (const std::size_t steps : pieces) run.advance(steps);
    return state_by_id(run);
  };
  EXPECT_EQ(in_pieces({1000}), in_pieces({1, 2, 3, 494, 500}));
}

TEST(SimulationInvariants, MomentumIsKept) {
  Model<3> model = frictional_model<3>();
  model.gravity = {};
  Simulation3 run{model};
  const LoosePacking<3> heap(400);
  Random random(3);
  std::vector<Point<3>> velocity(400);
  for (auto& v : velocity)
    for (double& part : v) part = random.uniform(-1, 1);
  run.add({.spheres = heap.view(), .velocity = velocity});
  const auto momentum = [&] {
    Point<3> sum{};
    for (std::size_t i = 0; i < run.particle_count(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        sum[k] += run.particle(i).mass * run.particle(i).velocity[k];
    return sum;
  };
  double scale = 0;  // of the momenta without their directions
  for (std::size_t i = 0; i < run.particle_count(); ++i)
    for (const double part : run.particle(i).velocity)
      scale += run.particle(i).mass * std::abs(part) / 3;
  const Point<3> before = momentum();
  run.advance(2000);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(momentum()[k], before[k], 1e-12 * scale);
}

TEST(SimulationInvariants, AtRestTheFloorCarriesTheWeight) {
  for (const double rolling_friction : {0.0, 0.02, 0.5}) {
    Model<3> model = frictional_model<3>();
    model.contact_parameters[0].parameters.restitution = 0.1;
    model.contact_parameters[0].parameters.rolling_friction = rolling_friction;
    Simulation3 run{model};
    const LoosePacking<3> heap(200);
    run.add({.spheres = heap.view()});
    add_box<3>(run, 6);
    // Nothing resists a spin about the normal: where rolling friction is strong it dies out slowly.
    run.advance(rolling_friction > 0.1 ? 60000 : 30000);
    double weight = 0;
    for (std::size_t i = 0; i < run.particle_count(); ++i) weight += run.particle(i).mass * 5;
    for (int k = 0; k < 4; ++k) {  // forces that swing from step to step are none of a heap at rest
      double carried = 0;
      for (std::size_t wall = 0; wall < 5; ++wall) carried += run.wall_force(wall)[2];
      EXPECT_NEAR(carried / weight, -1, 1e-5) << rolling_friction;
      run.advance(1);
    }
  }
}

// Two that pass each other every tenth of a second, a thousand times.
TEST(SimulationInvariants, ParticlesMayPassEachOtherAsOftenAsTheyLike) {
  Model<2> model = frictional_model<2>();
  model.gravity = {};
  model.contact_parameters[0].parameters.friction = 0;
  model.contact_parameters[0].parameters.rolling_friction = 0;
  model.domain = Box<2>{{0, -10}, {2, 10}};
  model.periodic = {true, false};
  Simulation2 run{model};
  const std::vector<double> x{0.5, 1.5};
  const std::vector<double> y{0, 1.02};
  const std::vector<double> r{0.5, 0.5};
  run.add({.spheres = {x, y, r}, .velocity = {{-10, 0}, {10, 0}}});
  run.advance(100000);
  EXPECT_NEAR(run.particle(0).velocity[0], -run.particle(1).velocity[0], 1e-9);
  EXPECT_GT(std::abs(run.particle(0).position[0] - run.particle(1).position[0]), 1500);
}

TEST(SimulationInvariants, PeriodicAxesCarryParticlesAcross) {
  Model<3> model = frictional_model<3>();
  model.domain = Box<3>{{0, 0, -1}, {6, 6, 100}};
  model.periodic = {true, true, false};
  Simulation3 run{model};
  const LoosePacking<3> heap(300);
  run.add({.spheres = heap.view(), .velocity = {{3, 1, 0}}});
  run.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  for (int k = 0; k < 20; ++k) {
    run.advance(200);
    run.verify_neighbors(1);
  }
  double farthest = 0;
  for (std::size_t i = 0; i < run.particle_count(); ++i)
    farthest = std::max(farthest, run.particle(i).position[0]);
  EXPECT_GT(farthest, 7);
  // The same seen from a place one period away.
  EXPECT_GT(run.coordination_number(), 3);
}

TEST(SimulationInvariants, DiscsInTwoDimensions) {
  const auto one = run_packing<2>(frictional_model<2>(), 60, 4000);
  EXPECT_EQ(one, run_packing<2>(frictional_model<2>(), 60, 4000));
  for (const double number : one) EXPECT_TRUE(std::isfinite(number));
}

TEST(SimulationWalls, APlaneCutIntoPiecesIsStillAPlane) {
  const auto roll = [](const WallShape<3>& floor) {
    Model<3> model = frictional_model<3>();
    Simulation3 run{model};
    run.add(Wall<3>{"floor", floor});
    const std::vector<double> x{0.3};
    const std::vector<double> y{0.1};
    const std::vector<double> z{0.5};
    const std::vector<double> r{0.5};
    run.add({.spheres = {x, y, z, r}, .velocity = {{1, 0.2, 0}}});
    run.advance(4000);
    return run.particle(0);
  };
  Mesh<3> mesh;
  const std::size_t side = 13;
  for (std::size_t i = 0; i <= side; ++i)
    for (std::size_t j = 0; j <= side; ++j)
      mesh.vertices.push_back({static_cast<double>(i) - 2.3, static_cast<double>(j) - 3.1, 0});
  for (Index i = 0; i < side; ++i)
    for (Index j = 0; j < side; ++j) {
      const auto at = [&](Index a, Index b) { return static_cast<Index>(a * (side + 1) + b); };
      mesh.facets.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.facets.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  const auto plane = roll(Plane<3>{{0, 0, 0}, {0, 0, 1}});
  const auto cut = roll(mesh);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(plane.position[k], cut.position[k], 1e-8);
    EXPECT_NEAR(plane.velocity[k], cut.velocity[k], 1e-8);
    EXPECT_NEAR(plane.angular_velocity[k], cut.angular_velocity[k], 1e-8);
  }
  EXPECT_GT(plane.position[0], 2);
}

TEST(SimulationWalls, ABeltCarriesABall) {
  Model<3> model = frictional_model<3>();
  model.contact_parameters[0].parameters.rolling_friction = 0;
  Simulation3 run{model};
  Wall<3> belt{"belt", Plane<3>{{0, 0, 0}, {0, 0, 1}}};
  belt.motion.velocity = {1, 0, 0};
  run.add(belt);
  const std::vector<double> x{0};
  const std::vector<double> y{0};
  const std::vector<double> z{0.499};
  const std::vector<double> r{0.5};
  run.add({.spheres = {x, y, z, r}});
  run.advance(3000);
  // A ball at rest on a belt rolls backwards on it: 2/7 of the speed.
  EXPECT_NEAR(run.particle(0).velocity[0], 2.0 / 7, 1e-3);
}

}  // namespace
}  // namespace abut::testing
