// Added and removed particles, access by id, and errors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <abut/case.hpp>
#include <abut/error.hpp>
#include <abut/simulation.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>
#include <vector>

#include "core/statistics.hpp"
#include "sphere_fixtures.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(SimulationSinks, CountRemovedParticles) {
  Model<3> model = frictional_model<3>();
  Simulation3 simulation{model};
  const LoosePacking<3> packing(300);
  simulation.add({.spheres = packing.view()});
  add_box<3>(simulation, 6);
  simulation.add(Sink<3>{"below", {{-10, -10, -50}, {10, 10, -3}}});
  simulation.advance(1000);
  EXPECT_EQ(simulation.particle_counts().active, 300);
  simulation.set_open(WallId{4});  // the floor
  simulation.advance(5000);
  const ParticleCounts all = simulation.particle_counts();
  EXPECT_EQ(all.inserted, all.removed + all.active);
  EXPECT_EQ(simulation.sinks()[0].count, all.removed);
  EXPECT_EQ(all.removed, 300);
  simulation.advance(100);  // without any particle
}

TEST(SimulationSinks, InsertedEqualsRemovedPlusActiveInEveryStep) {
  Model<3> model = frictional_model<3>();
  model.domain = Box<3>{{-1, -1, -4}, {7, 7, 90}};
  model.allow_outflow = true;
  Simulation3 simulation{model};
  simulation.add({.spheres = LoosePacking<3>(150).view()});
  simulation.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0.5, 0, 1}}});
  simulation.add(Sink<3>{"left", {{-10, -10, -50}, {3, 10, -1}}});
  simulation.set_open(WallId{0});
  std::uint64_t active = 150;
  std::size_t in_sink = 0;
  while (active > 0 && simulation.step() < 5000) {
    simulation.advance(1);
    const ParticleCounts all = simulation.particle_counts();
    ASSERT_EQ(all.inserted - all.removed - all.active, 0U) << simulation.step();
    ASSERT_EQ(all.active, simulation.particle_count());
    ASSERT_LE(all.active, active);
    active = all.active;
    in_sink = simulation.sinks()[0].count;
  }
  EXPECT_EQ(active, 0U);
  EXPECT_GT(in_sink, 10U);  // the others leave the domain
  EXPECT_LT(in_sink, 140U);
}

TEST(SimulationSinks, CatchParticlesThatCrossedPeriodicFaces) {
  Model<3> model = frictional_model<3>();
  model.gravity = {};
  model.domain = Box<3>{{0, 0, 0}, {6, 6, 6}};
  model.periodic = {true, false, false};
  Simulation3 simulation{model};
  const std::vector<double> x{1, 1};
  const std::vector<double> y{1, 4};
  const std::vector<double> z{3, 3};
  const std::vector<double> r{0.5, 0.5};
  simulation.add({.spheres = {x, y, z, r}, .velocity = {{10, 0, 0}, {-10, 0, 0}}});
  simulation.advance(5000);  // about eight periods
  simulation.add(Sink<3>{"slice", {{2, 0, 0}, {4, 6, 6}}});
  simulation.advance(1000);
  EXPECT_EQ(simulation.sinks()[0].count, 2U);
  EXPECT_EQ(simulation.particle_count(), 0U);
}

TEST(SimulationSinks, KeepContactsOfRemainingParticles) {
  for (const double friction : {0.0, 0.4}) {
    Model<3> model = frictional_model<3>();
    model.contact_parameters[0].parameters = {
        .stiffness = 1e4, .restitution = 0.6, .friction = friction};
    Simulation3 simulation{model};
    const LoosePacking<3> packing(300);
    simulation.add({.spheres = packing.view()});
    add_box<3>(simulation, 6);
    simulation.advance(5000);
    const std::size_t before = simulation.contacts().size();
    EXPECT_GT(before, 500);
    simulation.add(Sink<3>{"corner", {{0, 0, 0}, {1, 1, 1}}});
    while (simulation.particle_counts().removed == 0) simulation.advance(10);
    EXPECT_GT(simulation.contacts().size(), before * 9 / 10);
    Simulation3 again{model};
    add_box<3>(again, 6);
    again.add(simulation.sinks()[0]);
    again.restore(simulation.save());
    const auto count_pairs = [](const auto& contacts) {
      return std::ranges::count_if(contacts, [](const auto& contact) { return !contact.is_wall; });
    };
    EXPECT_EQ(count_pairs(again.contacts()), count_pairs(simulation.contacts()));
  }
}

TEST(SimulationOutflow, RemovesFastParticlesFarOutsideDomain) {
  Model<3> model = frictional_model<3>();
  model.domain = Box<3>{{0, 0, 0}, {9, 9, 9}};
  model.periodic = {true, false, false};
  model.allow_outflow = true;
  model.track_energy = true;
  model.max_displacement_ratio = 0;
  Simulation3 simulation{model};
  const LoosePacking<3> packing(20);
  simulation.add({.spheres = packing.view(), .velocity = {{0, 0, 2e4}}});
  simulation.advance(30);
  EXPECT_EQ(simulation.particle_counts().removed, 20U);
}

// Predictor-corrector has arrays that the other integrators do not need.
TEST(SimulationSinks, HandleZeroParticlesBeforeAndAfter) {
  Model<3> model = frictional_model<3>();
  model.integrator = Integrator::predictor_corrector;
  Simulation3 simulation{model};
  simulation.advance(10);
  const LoosePacking<3> packing(20);
  simulation.add({.spheres = packing.view()});
  simulation.advance(10);
  simulation.add(Sink<3>{"all", {{-99, -99, -99}, {99, 99, 99}}});
  simulation.advance(10);
  EXPECT_EQ(simulation.particle_counts().removed, 20U);
  EXPECT_EQ(simulation.save().acceleration.size(), 0U);
  Simulation3 again{model};
  again.add(Sink<3>{"all", {{-99, -99, -99}, {99, 99, 99}}});
  again.restore(simulation.save());
  again.advance(10);
}

TEST(SimulationErrors, ReportParticleOutsideSearchableRange) {
  for (const bool allow_outflow : {false, true}) {
    Model<3> model = frictional_model<3>();
    model.gravity = {0, 0, -1e152};
    model.max_displacement_ratio = 0;
    model.allow_outflow = allow_outflow;
    Simulation3 simulation{model};
    const LoosePacking<3> packing(2);
    simulation.add({.spheres = packing.view()});
    EXPECT_THAT([&] { simulation.advance(1000); },
                ThrowsMessage<Error>(AllOf(HasSubstr("particle "), HasSubstr(" with velocity "),
                                           HasSubstr(" left the searchable range in step "),
                                           HasSubstr("it moves "))));
  }
}

/// A sphere of radius 0.1 at height 2.03, which moves down with 1e4 m/s: 5 m per time step.
Simulation3 falling_sphere(double max_displacement_ratio, double time_step = 5e-4) {
  Model<3> model = frictional_model<3>();
  model.gravity = {};
  model.time_step = time_step;
  model.max_displacement_ratio = max_displacement_ratio;
  Simulation3 simulation{model};
  const std::vector<double> zero{0};
  const std::vector<double> z{2.03};
  const std::vector<double> r{0.1};
  simulation.add({.spheres = {zero, zero, z, r}, .velocity = {{0, 0, -1e4}}});
  return simulation;
}

TEST(SimulationErrors, ReportParticleThatMayPassAFloorInOneStep) {
  Simulation3 simulation = falling_sphere(0.5);
  simulation.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  EXPECT_THAT([&] { simulation.advance(3); },
              ThrowsMessage<Error>(AllOf(
                  HasSubstr("step 1: particle 0 at (0, 0, "), HasSubstr("moves 50 radii"),
                  HasSubstr("velocity (0, 0, -1"), HasSubstr("the largest time step is 5e-06 s"))));
}

TEST(SimulationErrors, ReportNoLargeDisplacementWithoutALimit) {
  Simulation3 simulation = falling_sphere(0);
  simulation.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  simulation.advance(3);
  EXPECT_LT(simulation.position(ParticleId{0})[2], -5);  // it has passed the floor
}

TEST(SimulationErrors, ReportNoLargeDisplacementWithTheTimeStepOfTheMessage) {
  Simulation3 simulation = falling_sphere(0.5, 4.99e-6);
  simulation.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  double overlap = 0;
  for (int step = 0; step < 42 && overlap == 0; ++step) {
    simulation.advance(1);
    for (const ContactState<3>& contact : simulation.contacts()) overlap = contact.overlap;
  }
  EXPECT_GT(overlap, 0);
}

TEST(SimulationErrors, ReportWallThatMayPassAParticleInOneStep) {
  Simulation3 simulation = falling_sphere(0.5);
  simulation.set_velocity(ParticleId{0}, {0, 0, 0});
  simulation.add(Wall<3>{"piston",
                         Plane<3>{{0, 0, -5}, {0, 0, 1}},
                         {},
                         {.velocity = {0, 0, 1e4}, .start_time = 0.001}});
  simulation.advance(2);
  EXPECT_THAT([&] { simulation.advance(1); },
              ThrowsMessage<Error>(AllOf(HasSubstr("step 3: wall piston moves 5 m"),
                                         HasSubstr("the largest time step is 5e-06 s"))));
}

TEST(SimulationErrors, RejectNegativeMaxDisplacementRatio) {
  Model<3> model = frictional_model<3>();
  model.max_displacement_ratio = -1;
  EXPECT_THAT([&] { Simulation3 simulation{model}; },
              ThrowsMessage<Error>(HasSubstr("max_displacement_ratio = -1: must be positive")));
}

TEST(SimulationErrors, ReportStepInWhichParticleLeft) {
  Model<3> model = frictional_model<3>();
  model.domain = Box<3>{{0, 0, 0}, {9, 9, 9}};
  Simulation3 simulation{model};
  const std::vector<double> middle{4};
  const std::vector<double> r{0.5};
  simulation.add({.spheres = {middle, middle, middle, r}, .velocity = {{0, 0, 1e5}}});
  EXPECT_THAT([&] { simulation.advance(1); },
              ThrowsMessage<Error>(HasSubstr("left the domain in step 1, time 0.001;")));
}

TEST(SimulationErrors, ReportParticleThatLeavesDomain) {
  Model<3> model = frictional_model<3>();
  model.domain = Box<3>{{-1, -1, -2}, {7, 7, 200}};
  Simulation3 simulation{model};
  const LoosePacking<3> packing(30);
  simulation.add({.spheres = packing.view()});
  EXPECT_THAT(
      [&] { simulation.advance(10000); },
      ThrowsMessage<Error>(AllOf(HasSubstr("particle "), HasSubstr("left the domain in step"),
                                 HasSubstr("outflow"))));
}

TEST(SimulationErrors, RejectCoincidentCenters) {
  Simulation3 simulation{frictional_model<3>()};
  const std::vector<double> x{0, 1.5, 1.5};
  const std::vector<double> y{0, 2, 2};
  const std::vector<double> r{0.5, 0.5, 0.4};
  const Spheres3 spheres{x, y, y, r};
  EXPECT_THAT(
      [&] { simulation.add({.spheres = spheres}); },
      ThrowsMessage<Error>(HasSubstr("particles 1 and 2 have the same center (1.5, 2, 2)")));
  EXPECT_EQ(simulation.particle_count(), 0U);
  simulation.add({.spheres = spheres, .fixed = true});  // fixed particles may coincide
  EXPECT_THAT(
      [&] {
        simulation.add({.spheres = Spheres3{std::span(x).first(1), std::span(y).first(1),
                                            std::span(y).first(1), std::span(r).first(1)}});
      },
      ThrowsMessage<Error>(HasSubstr("particles 0 and 3")));
}

TEST(SimulationErrors, RejectUnstableTimeStep) {
  Model<3> model = frictional_model<3>();
  model.time_step = 1;
  Simulation3 simulation{model};
  simulation.add({.spheres = LoosePacking<3>(3).view()});
  EXPECT_THAT([&] { simulation.advance(1); },
              ThrowsMessage<Error>(
                  AllOf(HasSubstr("time_step = 1: must be at most "), HasSubstr("stable"))));
}

TEST(SimulationErrors, ReportInvalidParameter) {
  const auto expect_error = [](Model<3> model, const char* text) {
    EXPECT_THAT([&] { Simulation3 simulation{model}; }, ThrowsMessage<Error>(HasSubstr(text)));
  };
  Model<3> model = frictional_model<3>();
  model.materials[0].density = -1;
  expect_error(model, "density = -1");
  model = frictional_model<3>();
  model.contact_parameters[0].parameters.restitution = 1.5;
  expect_error(model, "restitution = 1.5");
  model = frictional_model<3>();
  model.contact_parameters[0].parameters.stiffness = -3;
  expect_error(model, "stiffness = -3: must be positive");
  model.law = ContactLaw::hertz;
  model.materials[0].young = 1e6;
  expect_error(model, "stiffness = -3: is not used by Hertz's law");
  model.contact_parameters[0].parameters.stiffness = 0;
  model.contact_parameters[0].parameters.damping = {};
  model.contact_parameters[0].parameters.tangential_stiffness_ratio = 0.5;
  expect_error(model, "tangential_stiffness_ratio = 0.5: is not used by Hertz's law");
  model = frictional_model<3>();
  model.contact_parameters[0].parameters.damping = 4;
  expect_error(model, "give only one of restitution, damping and damping_rate");
  model = frictional_model<3>();
  model.time_step = -1;
  expect_error(model, "time_step = -1");
  model = frictional_model<3>();
  model.periodic = {true, false, false};
  expect_error(model, "needs a domain");
}

TEST(SimulationById, ArraysFollowIdsInAnyMemoryOrder) {
  Simulation3 simulation{frictional_model<3>()};
  const LoosePacking<3> packing(300);
  simulation.add({.spheres = packing.view(), .velocity = {{0.1, 0.2, 0}}});
  add_box<3>(simulation, 6);
  simulation.add(Sink<3>{"corner", {{0, 0, 0}, {1, 1, 1}}});
  simulation.advance(2100);  // beyond the first spatial sort
  ASSERT_GT(simulation.particle_counts().removed, 0U);
  const auto ids = simulation.ids();
  const auto positions = simulation.positions();
  const auto velocities = simulation.velocities();
  const auto angular_velocities = simulation.angular_velocities();
  const auto radii = simulation.radii();
  ASSERT_EQ(ids.size(), simulation.particle_count());
  EXPECT_TRUE(std::ranges::is_sorted(ids));
  bool is_memory_order = true;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    EXPECT_EQ(simulation.position(ids[k]), positions[k]);
    EXPECT_EQ(simulation.velocity(ids[k]), velocities[k]);
    EXPECT_EQ(simulation.angular_velocity(ids[k]), angular_velocities[k]);
    EXPECT_EQ(simulation.particle(ids[k]).radius, radii[k]);
    const auto p = simulation.particle(ParticleIndex{k});
    EXPECT_EQ(simulation.position(p.id), p.position);
    is_memory_order = is_memory_order && p.id == ids[k];
  }
  EXPECT_FALSE(is_memory_order);
}

TEST(SimulationById, RejectsIdsThatDoNotExist) {
  Simulation3 simulation{frictional_model<3>()};
  const LoosePacking<3> packing(20);
  simulation.add({.spheres = packing.view()});
  EXPECT_TRUE(simulation.contains(ParticleId{19}));
  EXPECT_FALSE(simulation.contains(ParticleId{20}));
  EXPECT_THAT([&] { (void)simulation.position(ParticleId{20}); },
              ThrowsMessage<Error>(HasSubstr("particle 20 does not exist")));
  simulation.add(Sink<3>{"all", {{-99, -99, -99}, {99, 99, 99}}});
  simulation.advance(10);
  EXPECT_FALSE(simulation.contains(ParticleId{0}));
  EXPECT_THAT([&] { (void)simulation.velocity(ParticleId{0}); },
              ThrowsMessage<Error>(HasSubstr("particle 0 has been removed")));
}

TEST(SimulationById, SetsVelocityAndAngularVelocity) {
  Model<3> model = frictional_model<3>();
  model.gravity = {};
  model.track_energy = true;
  Simulation3 simulation{model};
  const LoosePacking<3> packing(3);
  simulation.add({.spheres = packing.view()});
  simulation.advance(5);
  const ParticleId id{1};
  simulation.set_velocity(id, {0, 0, 2});
  simulation.set_angular_velocity(id, {0, 3, 0});
  const Energy energy = simulation.energy();
  EXPECT_NEAR(energy.input, energy.kinetic + energy.rotational, 1e-12 * energy.input);
  const Point<3> start = simulation.position(id);
  simulation.advance(100);
  EXPECT_NEAR(simulation.position(id)[2] - start[2], 2 * simulation.time_step() * 100, 1e-12);
  EXPECT_EQ(simulation.angular_velocity(id), (Point<3>{0, 3, 0}));
  EXPECT_THAT(
      [&] {
        simulation.set_velocity(id, {0, std::nan(""), 0});
      },
      ThrowsMessage<Error>(HasSubstr("velocity = ")));
}

TEST(SimulationById, RejectsVelocityOfFixedParticle) {
  Simulation3 simulation{frictional_model<3>()};
  const LoosePacking<3> packing(3);
  simulation.add({.spheres = packing.view(), .fixed = true});
  EXPECT_THAT(
      [&] {
        simulation.set_velocity(ParticleId{2}, {0, 0, 1});
      },
      ThrowsMessage<Error>(HasSubstr("particle 2 is fixed")));
}

TEST(SimulationErrors, RejectIndicesOutOfRange) {
  Simulation3 simulation{frictional_model<3>()};
  add_box<3>(simulation, 6);
  const auto expect_out_of_range = [](const auto& call, const char* text) {
    try {
      call();
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::out_of_range);
      EXPECT_THAT(error.what(), HasSubstr(text));
    }
  };
  const LoosePacking<3> packing(3);
  expect_out_of_range([&] { simulation.set_open(WallId{5}); }, "wall 5 does not exist");
  expect_out_of_range([&] { (void)simulation.is_open(WallId{5}); }, "wall 5 does not exist");
  expect_out_of_range([&] { (void)simulation.wall_force(WallId{5}); }, "wall 5 does not exist");
  expect_out_of_range([&] { (void)simulation.sink(SinkId{0}); }, "sink 0 does not exist");
  expect_out_of_range([&] { (void)simulation.particle(ParticleIndex{0}); },
                      "particle index 0 does not exist");
  expect_out_of_range(
      [&] { simulation.add({.spheres = packing.view(), .material = MaterialId{1}}); },
      "material 1 does not exist");
  expect_out_of_range(
      [&] {
        simulation.add(Wall<3>{"wall", Plane<3>{{0, 0, 0}, {0, 0, 1}}, MaterialId{1}});
      },
      "material 1 does not exist");
}

TEST(SimulationErrors, RejectUseOfMovedFromObjects) {
  Simulation3 simulation{frictional_model<3>()};
  const Simulation3 moved = std::move(simulation);
  // NOLINTBEGIN(bugprone-use-after-move): that is what is tested
  EXPECT_THAT([&] { simulation.advance(1); }, ThrowsMessage<Error>(HasSubstr("moved from")));
  EXPECT_THAT([&] { (void)simulation.save(); }, ThrowsMessage<Error>(HasSubstr("moved from")));
  Case<3> setup;
  setup.model = frictional_model<3>();
  setup.end_time = 1;
  abut::Run<3> run{setup};
  const abut::Run<3> other = std::move(run);
  EXPECT_THAT([&] { run.advance(1); }, ThrowsMessage<Error>(HasSubstr("moved from")));
  EXPECT_THAT([&] { (void)run.setup(); }, ThrowsMessage<Error>(HasSubstr("moved from")));
  // NOLINTEND(bugprone-use-after-move)
}

}  // namespace
}  // namespace abut::testing
