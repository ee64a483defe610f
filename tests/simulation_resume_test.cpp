#include <gmock/gmock.h>

#include <abut/error.hpp>
#include <abut/simulation.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "core/simd.hpp"
#include "sphere_fixtures.hpp"

namespace abut::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

TEST(SimulationResume, IsBitwiseIdenticalAtAnyStep) {
  // A rebuilt neighbor list has other pairs in addition to those in contact.
  const LoosePacking<3> packing(200);
  const auto start = [&](Integrator integrator) {
    Model<3> model = frictional_model<3>();
    model.integrator = integrator;
    Simulation3 simulation{model};
    simulation.add({.spheres = packing.view()});
    add_box<3>(simulation, 6);
    return simulation;
  };
  for (const Integrator integrator : {Integrator::central_difference, Integrator::velocity_verlet,
                                      Integrator::predictor_corrector}) {
    Simulation3 continuous = start(integrator);
    Simulation3 restarted = start(integrator);
    for (std::size_t steps = 1; continuous.step() < 2500; steps = steps % 97 + 1) {
      continuous.advance(steps);
      restarted.advance(steps);
      ASSERT_EQ(state_by_id(continuous), state_by_id(restarted)) << continuous.step();
      Simulation3 next = start(integrator);
      next.restore(restarted.save());
      // Querying contacts must not change the state, nor list wall contacts twice.
      if (steps % 2 == 0) {
        ASSERT_EQ(next.contacts().size(), restarted.contacts().size()) << continuous.step();
      }
      restarted = std::move(next);
    }
  }
}

/// A floor that rises, a tilting side wall, and a rotating drum around them.
Simulation3 moving_simulation(Integrator integrator) {
  Model<3> model = frictional_model<3>();
  model.integrator = integrator;
  Simulation3 simulation{model};
  simulation.add(Wall<3>{"floor",
                         Plane<3>{{0, 0, 0}, {0, 0, 1}},
                         {},
                         {.velocity = {0, 0, 2}, .start_time = 0.2, .end_time = 1.2}});
  simulation.add(Wall<3>{
      "side",
      Plane<3>{{0, 0, 0}, {1, 0, 0}},
      {},
      {.center = {0, 0, 0}, .axis = {0, 1, 0}, .angular_velocity = 0.1, .start_time = 0.1}});
  simulation.add(Wall<3>{"drum",
                         cylinder({3, 3, -9}, {3, 3, 90}, 4),
                         {},
                         {.center = {3, 3, 0}, .axis = {0, 0, 1}, .angular_velocity = 1}});
  return simulation;
}

/// Contacts as numbers, for bitwise comparison.
std::vector<double> contact_numbers(const Simulation3& simulation) {
  std::vector<double> numbers;
  for (const ContactState<3>& contact : simulation.contacts()) {
    numbers.insert(numbers.end(),
                   {static_cast<double>(contact.a.value()),
                    static_cast<double>(contact.is_wall ? contact.wall.value() : contact.b.value()),
                    contact.overlap});
    for (const Point<3>& vector : {contact.point, contact.normal, contact.force})
      numbers.insert(numbers.end(), vector.begin(), vector.end());
  }
  return numbers;
}

TEST(SimulationResume, KeepsForcesOnWallsBitwise) {
  const LoosePacking<3> packing(150);
  const std::vector<double> x{1, 3, 5};
  const std::vector<double> r{0.5, 0.4, 0.5};
  for (const bool with_drum : {false, true}) {
    const auto start = [&] {
      Simulation3 simulation{frictional_model<3>()};
      simulation.add({.spheres = {x, x, r, r}, .fixed = true});
      add_box<3>(simulation, 6);
      if (with_drum)
        simulation.add(Wall<3>{"drum",
                               cylinder({3, 3, -9}, {3, 3, 90}, 2.9),
                               {},
                               {.center = {3, 3, 0}, .axis = {0, 0, 1}, .angular_velocity = 1}});
      return simulation;
    };
    Simulation3 simulation = start();
    simulation.add({.spheres = packing.view(), .velocity = {{0, 0, -2}}});
    simulation.advance(1234);
    Simulation3 restored = start();
    restored.restore(simulation.save());
    double sum = 0;
    const std::size_t walls = with_drum ? 6 : 5;
    for (std::size_t wall = 0; wall < walls; ++wall) {
      EXPECT_EQ(restored.wall_force(WallId{wall}), simulation.wall_force(WallId{wall})) << wall;
      for (const double component : simulation.wall_force(WallId{wall})) sum += std::abs(component);
    }
    EXPECT_GT(sum, 0);
    EXPECT_EQ(contact_numbers(restored), contact_numbers(simulation)) << with_drum;
  }
}

TEST(SimulationResume, KeepsTheMassOfRemovedParticles) {
  const auto start = [] {
    Simulation3 simulation{frictional_model<3>()};
    simulation.add(Sink<3>{"low", {{-9, -9, -9}, {9, 9, 1}}});
    return simulation;
  };
  const LoosePacking<3> packing(60);
  Simulation3 simulation = start();
  simulation.add({.spheres = packing.view()});
  simulation.advance(50);
  EXPECT_GT(simulation.particle_counts().removed_mass, 0);
  Simulation3 restored = start();
  restored.restore(simulation.save());
  EXPECT_EQ(restored.particle_counts().removed_mass, simulation.particle_counts().removed_mass);
  EXPECT_EQ(restored.sinks()[0].mass, simulation.sinks()[0].mass);
}

TEST(SimulationResume, IsBitwiseIdenticalWithMovingWalls) {
  const LoosePacking<3> packing(150);
  for (const Integrator integrator :
       {Integrator::velocity_verlet, Integrator::predictor_corrector}) {
    Simulation3 continuous = moving_simulation(integrator);
    continuous.add({.spheres = packing.view()});
    Simulation3 restarted = moving_simulation(integrator);
    restarted.add({.spheres = packing.view()});
    for (std::size_t steps = 1; continuous.step() < 2500; steps = steps % 97 + 1) {
      continuous.advance(steps);
      restarted.advance(steps);
      ASSERT_EQ(state_by_id(continuous), state_by_id(restarted)) << continuous.step();
      Simulation3 next = moving_simulation(integrator);
      next.restore(restarted.save());
      restarted = std::move(next);
    }
  }
}

// Which particles are close to static planes only depends on the skin of the last search, which a
// restart changes.
TEST(SimulationResume, KeepsEnergiesBitwise) {
  const LoosePacking<3> packing(200);
  const auto start = [](bool pillar) {
    Model<3> model = frictional_model<3>();
    model.track_energy = true;
    Simulation3 simulation{model};
    add_box<3>(simulation, 6);
    if (pillar) simulation.add(Wall<3>{"pillar", cylinder({3, 3, -1}, {3, 3, 20}, 1)});
    return simulation;
  };
  for (const bool pillar : {false, true}) {
    Simulation3 continuous = start(pillar);
    continuous.add({.spheres = packing.view()});
    Simulation3 restarted = start(pillar);
    restarted.add({.spheres = packing.view()});
    for (std::size_t steps = 1; continuous.step() < 2500; steps = steps % 97 + 1) {
      continuous.advance(steps);
      restarted.advance(steps);
      ASSERT_EQ(continuous.energy().elastic, restarted.energy().elastic) << continuous.step();
      ASSERT_EQ(continuous.energy().dissipated, restarted.energy().dissipated) << continuous.step();
      Simulation3 next = start(pillar);
      next.restore(restarted.save());
      restarted = std::move(next);
    }
  }
}

/// Two spheres in contact that move along each other.
Simulation3 shearing_spheres() {
  Model<3> model = frictional_model<3>();
  model.gravity = {};
  // Without sliding, which would shorten the spring to 0 before the contact ends.
  model.contact_parameters.front().parameters.friction = 1e4;
  model.contact_parameters.front().parameters.restitution = 1;
  Simulation3 simulation{model};
  const std::vector<double> x{0, 0.999};
  const std::vector<double> zero{0, 0};
  const std::vector<double> r{0.5, 0.5};
  simulation.add({.spheres = {x, zero, zero, r}, .velocity = {{0, 0.02, 0}, {0, -0.02, 0}}});
  return simulation;
}

void set_distance_speed(Simulation3& simulation, double speed) {
  simulation.set_velocity(ParticleId{0}, {-speed / 2, 0.02, 0});
  simulation.set_velocity(ParticleId{1}, {speed / 2, -0.02, 0});
}

// The neighbor list keeps the pair while the spheres are separated; a restored list has no springs.
TEST(ContactHistory, IsLostWhenParticlesSeparate) {
  const std::string target = simd_target_name();
  for (const char* simd : {"avx512", "avx2", "none"}) {
    select_simd_target(simd);
    Simulation3 continuous = shearing_spheres();
    continuous.advance(5);
    const std::vector<double> spring = continuous.save().friction_spring;
    ASSERT_THAT(spring, SizeIs(3)) << simd;
    EXPECT_NE(spring[1], 0) << simd;
    set_distance_speed(continuous, 0.5);
    while (!continuous.contacts().empty()) continuous.advance(1);
    continuous.advance(3);
    Simulation3 restored = shearing_spheres();
    restored.restore(continuous.save());
    set_distance_speed(continuous, -0.5);
    set_distance_speed(restored, -0.5);
    continuous.advance(8);
    restored.advance(8);
    ASSERT_EQ(continuous.contacts().size(), 1U) << simd;
    EXPECT_EQ(continuous.timings().neighbor_builds, 1U) << simd;
    EXPECT_EQ(state_by_id(continuous), state_by_id(restored)) << simd;
    EXPECT_EQ(continuous.save().friction_spring, restored.save().friction_spring) << simd;
  }
  select_simd_target(target);
}

TEST(SimulationResume, StateCanBeSavedAfterASearchThatNeedsTooMuchMemory) {
  Model<3> model = frictional_model<3>();
  model.search_method = Method::direct_mapping;
  model.max_displacement_ratio = 0;
  Simulation3 simulation{model};
  const LoosePacking<3> packing(20);
  std::vector<Vec<3>> velocity(20);
  velocity.back() = {1e9, 1e9, 1e9};
  simulation.add({.spheres = packing.view(), .velocity = velocity});
  EXPECT_THROW(simulation.advance(100), MemoryLimitError);
  const SavedState saved = simulation.save();
  EXPECT_EQ(saved.force.size(), saved.position.size());
  Model<3> other_method = model;
  other_method.search_method = Method::automatic;
  Simulation3 resumed{other_method};
  resumed.restore(saved);
  resumed.advance(10);
  EXPECT_EQ(resumed.particle_count(), 20U);
}

TEST(SimulationResume, IgnoresAccelerationsThatTheSchemeDoesNotNeed) {
  Model<3> model = frictional_model<3>();
  model.integrator = Integrator::predictor_corrector;
  Simulation3 simulation{model};
  const LoosePacking<3> packing(60);
  simulation.add({.spheres = packing.view()});
  simulation.advance(50);
  model.integrator = Integrator::velocity_verlet;
  Simulation3 other{model};
  other.restore(simulation.save());
  const std::vector<double> coordinate{50};
  const std::vector<double> radius{0.5};
  other.add({.spheres = {coordinate, coordinate, coordinate, radius}});
  other.advance(2000);  // sorts the particles
  EXPECT_EQ(other.particle_count(), 61U);
  EXPECT_TRUE(other.save().acceleration.empty());
}

TEST(SimulationResume, RejectsContactsThatAreNotSorted) {
  Simulation3 simulation{frictional_model<3>()};
  const LoosePacking<3> packing(200);
  simulation.add({.spheres = packing.view(), .velocity = {{0, 0, -1}}});
  add_box<3>(simulation, 6);
  simulation.advance(1500);
  SavedState saved = simulation.save();
  ASSERT_GT(saved.contact.size(), 20U);
  std::swap(saved.contact[0], saved.contact[saved.contact.size() - 2]);
  std::swap(saved.contact[1], saved.contact[saved.contact.size() - 1]);
  EXPECT_THAT([&] { simulation.restore(saved); },
              ThrowsMessage<Error>(HasSubstr("its contacts are not sorted")));
}

TEST(SimulationResume, ReportsWhatSavedStateLacks) {
  Model<3> frictionless = frictional_model<3>();
  frictionless.contact_parameters[0].parameters = {.stiffness = 1e4, .restitution = 0.6};
  const LoosePacking<3> packing(20);
  Simulation3 simulation{frictionless};
  simulation.add({.spheres = packing.view()});
  simulation.advance(50);
  const SavedState saved = simulation.save();
  const auto expect_error = [&](const Model<3>& model, const std::string& problem) {
    Simulation3 other{model};
    EXPECT_THAT([&] { other.restore(saved); },
                ThrowsMessage<Error>(HasSubstr("the saved state does not fit: " + problem)));
  };
  Model<3> predictor_corrector = frictionless;
  predictor_corrector.integrator = Integrator::predictor_corrector;
  expect_error(predictor_corrector, "accelerations");
  Model<3> frictional = frictionless;
  frictional.contact_parameters[0].parameters.friction = 0.3;
  expect_error(frictional,
               "torques, which friction requires, are missing; resume with the case that wrote it");
  Model<3> other_step = frictionless;
  other_step.time_step = 2e-3;
  Simulation3 other{other_step};
  EXPECT_THAT([&] { other.restore(saved); },
              ThrowsMessage<Error>(HasSubstr("time_step = 0.002: must be 0.001, with which")));
  Simulation3 same{frictionless};
  same.restore(saved);
  same.advance(10);
  EXPECT_EQ(same.step(), 60U);
}

}  // namespace
}  // namespace abut::testing
