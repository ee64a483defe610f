// Conservation laws, equilibrium and reproducibility of many-particle simulations.

#include <gtest/gtest.h>

#include <abut/simulation.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

#include "core/simd.hpp"
#include "core/statistics.hpp"
#include "sanitized.hpp"
#include "sphere_fixtures.hpp"

namespace abut::testing {
namespace {

TEST(SimulationReproducibility, IsIndependentOfSearchMethod) {
  const auto result_with = [](Method method) {
    Model<3> model = frictional_model<3>();
    model.search_method = method;
    return run_packing<3>(model, 300, 1500);
  };
  const auto expected = result_with(Method::brute_force);
  for (const Method method :
       {Method::engine, Method::binary_tree, Method::direct_mapping, Method::screening,
        Method::sorting, Method::nbs, Method::cgrid, Method::fixed_cubes, Method::mr, Method::mmr})
    EXPECT_EQ(expected, result_with(method)) << static_cast<int>(method);
}

TEST(SimulationReproducibility, IsIndependentOfPausesBetweenSteps) {
  const LoosePacking<3> packing(300);
  const auto advanced_by = [&](std::vector<std::size_t> step_counts) {
    Simulation3 simulation{frictional_model<3>()};
    simulation.add({.spheres = packing.view()});
    add_box<3>(simulation, 6);
    for (const std::size_t steps : step_counts) simulation.advance(steps);
    return state_by_id(simulation);
  };
  EXPECT_EQ(advanced_by({1000}), advanced_by({1, 2, 3, 494, 500}));
}

// Two grains of sand that slide along each other: roots of numbers far below 1.
std::vector<double> sliding_grains(ContactLaw law) {
  ContactParameters parameters{.restitution = 0.5, .friction = 0.3, .rolling_friction = 0.1};
  if (law == ContactLaw::hooke) parameters.stiffness = 1e3;
  Simulation3 simulation{{.materials = {{"sand", 2500, 1e7, 0.3}},
                          .contact_parameters = {{.parameters = parameters}},
                          .law = law}};
  const std::vector<double> x{0, 0.999e-3};
  const std::vector<double> zero{0, 0};
  const std::vector<double> r{0.5e-3, 0.5e-3};
  simulation.add({.spheres = {x, zero, zero, r},
                  .velocity = {{0, 0.02, 0}, {-0.01, -0.02, 0}},
                  .angular_velocity = {{0, 3, 0}, {0, 0, -5}}});
  simulation.advance(10);
  return state_by_id(simulation);
}

TEST(SimulationReproducibility, IsIndependentOfInstructionSet) {
  const std::string selected = simd_target_name();
  for (const ContactLaw law : {ContactLaw::hooke, ContactLaw::hertz}) {
    select_simd_target("none");
    const std::vector<double> expected = sliding_grains(law);
    for (const char* simd : {"avx512", "avx2", "neon"}) {
      select_simd_target(simd);
      EXPECT_EQ(sliding_grains(law), expected) << simd;
    }
  }
  select_simd_target(selected);
}

TEST(SimulationInvariants, ConservesMomentum) {
  Model<3> model = frictional_model<3>();
  model.gravity = {};
  Simulation3 simulation{model};
  const LoosePacking<3> packing(400);
  Random random(3);
  std::vector<Point<3>> velocity(400);
  for (auto& v : velocity)
    for (double& component : v) component = random.uniform(-1, 1);
  simulation.add({.spheres = packing.view(), .velocity = velocity});
  const auto momentum = [&] {
    Point<3> sum{};
    for (std::size_t i = 0; i < simulation.particle_count(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        sum[k] += simulation.particle(ParticleIndex{i}).mass *
                  simulation.particle(ParticleIndex{i}).velocity[k];
    return sum;
  };
  double scale = 0;  // mean over the axes of Σ m |v|
  for (std::size_t i = 0; i < simulation.particle_count(); ++i)
    for (const double component : simulation.particle(ParticleIndex{i}).velocity)
      scale += simulation.particle(ParticleIndex{i}).mass * std::abs(component) / 3;
  const Point<3> before = momentum();
  simulation.advance(2000);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(momentum()[k], before[k], 1e-12 * scale);
}

TEST(SimulationInvariants, WallsCarryTheWeightAtRest) {
  for (const double rolling_friction : {0.0, 0.02, 0.5}) {
    if (is_sanitized && rolling_friction > 0) continue;  // slow
    Model<3> model = frictional_model<3>();
    model.contact_parameters[0].parameters.restitution = 0.1;
    model.contact_parameters[0].parameters.rolling_friction = rolling_friction;
    Simulation3 simulation{model};
    const LoosePacking<3> packing(200);
    simulation.add({.spheres = packing.view()});
    add_box<3>(simulation, 6);
    // Rotation about the contact normal is not resisted; with strong rolling friction it decays
    // slowly.
    simulation.advance(rolling_friction > 0.1 ? 60000 : 30000);
    double weight = 0;
    for (std::size_t i = 0; i < simulation.particle_count(); ++i)
      weight += simulation.particle(ParticleIndex{i}).mass * 5;
    for (int k = 0; k < 4; ++k) {  // at rest forces must not alternate from step to step
      double load = 0;
      for (std::size_t wall = 0; wall < 5; ++wall) load += simulation.wall_force(WallId{wall})[2];
      EXPECT_NEAR(load / weight, -1, 1e-5) << rolling_friction;
      simulation.advance(1);
    }
  }
}

// Two disks pass each other every 0.1 s, a thousand times.
TEST(SimulationInvariants, HandlesManyCrossingsOfPeriodicFaces) {
  Model<2> model = frictional_model<2>();
  model.gravity = {};
  model.contact_parameters[0].parameters.friction = 0;
  model.contact_parameters[0].parameters.rolling_friction = 0;
  model.domain = Box<2>{{0, -10}, {2, 10}};
  model.periodic = {true, false};
  Simulation2 simulation{model};
  const std::vector<double> x{0.5, 1.5};
  const std::vector<double> y{0, 1.02};
  const std::vector<double> r{0.5, 0.5};
  simulation.add({.spheres = {x, y, r}, .velocity = {{-10, 0}, {10, 0}}});
  simulation.advance(100000);
  EXPECT_NEAR(simulation.velocity(ParticleId{0})[0], -simulation.velocity(ParticleId{1})[0], 1e-9);
  EXPECT_GT(std::abs(simulation.unwrapped_position(ParticleId{0})[0] -
                     simulation.unwrapped_position(ParticleId{1})[0]),
            1500);
}

TEST(SimulationInvariants, PositionsAreWrappedIntoThePeriodicDomainAndCarryTheirImage) {
  Model<2> model = frictional_model<2>();
  model.gravity = {};
  model.domain = Box<2>{{1, -10}, {4, 10}};
  model.periodic = {true, false};
  model.time_step = 1e-3;
  Simulation2 simulation{model};
  const std::vector<double> x{2};
  const std::vector<double> y{0};
  const std::vector<double> r{0.5};
  simulation.add({.spheres = {x, y, r}, .velocity = {{-2.5, 0}}});
  const ParticleId id{0};
  for (int k = 1; k <= 10; ++k) {
    simulation.advance(1000);  // the memory is sorted, and positions wrapped, every 2000 steps
    const Point<2> position = simulation.position(id);
    EXPECT_GE(position[0], 1);
    EXPECT_LE(position[0], 4);
    EXPECT_NEAR(simulation.unwrapped_position(id)[0], 2 - 2.5 * k, 1e-9);
    EXPECT_EQ(simulation.image(id)[0], static_cast<int>(std::floor((1 - 2.5 * k) / 3)));
    EXPECT_EQ(simulation.image(id)[1], 0);
    EXPECT_EQ(simulation.particle(id).image, simulation.image(id));
    EXPECT_EQ(simulation.positions()[0], position);
  }
}

TEST(SimulationInvariants, FindsContactsAcrossPeriodicFaces) {
  Model<3> model = frictional_model<3>();
  model.domain = Box<3>{{0, 0, -1}, {6, 6, 100}};
  model.periodic = {true, true, false};
  Simulation3 simulation{model};
  const LoosePacking<3> packing(300);
  simulation.add({.spheres = packing.view(), .velocity = {{3, 1, 0}}});
  simulation.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  for (int k = 0; k < 20; ++k) {
    simulation.advance(200);
    simulation.verify_neighbors(1);
  }
  double max_x = 0;
  for (std::size_t i = 0; i < simulation.particle_count(); ++i)
    max_x = std::max(max_x, simulation.unwrapped_position(ParticleId{i})[0]);
  EXPECT_GT(max_x, 7);
  EXPECT_GT(simulation.coordination_number(), 3);
}

TEST(SimulationInvariants, DisksIn2DAreReproducible) {
  const auto state = run_packing<2>(frictional_model<2>(), 60, 4000);
  EXPECT_EQ(state, run_packing<2>(frictional_model<2>(), 60, 4000));
  for (const double value : state) EXPECT_TRUE(std::isfinite(value));
}

TEST(SimulationWalls, TessellatedPlaneActsLikePlane) {
  const auto roll = [](const WallShape<3>& floor) {
    Model<3> model = frictional_model<3>();
    Simulation3 simulation{model};
    simulation.add(Wall<3>{"floor", floor});
    const std::vector<double> x{0.3};
    const std::vector<double> y{0.1};
    const std::vector<double> z{0.5};
    const std::vector<double> r{0.5};
    simulation.add({.spheres = {x, y, z, r}, .velocity = {{1, 0.2, 0}}});
    simulation.advance(4000);
    return simulation.particle(ParticleId{0});
  };
  Mesh<3> mesh;
  const std::size_t side = 13;
  for (std::size_t i = 0; i <= side; ++i)
    for (std::size_t j = 0; j <= side; ++j)
      mesh.vertices.push_back({static_cast<double>(i) - 2.3, static_cast<double>(j) - 3.1, 0});
  for (Index i = 0; i < side; ++i)
    for (Index j = 0; j < side; ++j) {
      const auto vertex = [&](Index a, Index b) { return static_cast<Index>(a * (side + 1) + b); };
      mesh.facets.push_back({vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)});
      mesh.facets.push_back({vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)});
    }
  const auto plane = roll(Plane<3>{{0, 0, 0}, {0, 0, 1}});
  const auto tessellated = roll(mesh);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(plane.position[k], tessellated.position[k], 1e-8);
    EXPECT_NEAR(plane.velocity[k], tessellated.velocity[k], 1e-8);
    EXPECT_NEAR(plane.angular_velocity[k], tessellated.angular_velocity[k], 1e-8);
  }
  EXPECT_GT(plane.position[0], 2);
}

TEST(SimulationWalls, BeltAcceleratesSphere) {
  Model<3> model = frictional_model<3>();
  model.contact_parameters[0].parameters.rolling_friction = 0;
  Simulation3 simulation{model};
  Wall<3> belt{"belt", Plane<3>{{0, 0, 0}, {0, 0, 1}}};
  belt.motion.velocity = {1, 0, 0};
  simulation.add(belt);
  const std::vector<double> x{0};
  const std::vector<double> y{0};
  const std::vector<double> z{0.499};
  const std::vector<double> r{0.5};
  simulation.add({.spheres = {x, y, z, r}});
  simulation.advance(3000);
  // A sphere initially at rest ends up rolling on the belt with 2/7 of the belt speed.
  EXPECT_NEAR(simulation.velocity(ParticleId{0})[0], 2.0 / 7, 1e-3);
}

}  // namespace
}  // namespace abut::testing
