// Particles that come and leave, and those that are lost or refused.

#include <gmock/gmock.h>
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

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(SimulationSinks, CountWhatLeaves) {
  Model<3> model = frictional_model<3>();
  Simulation3 run{model};
  const LoosePacking<3> heap(300);
  run.add({.spheres = heap.view()});
  add_box<3>(run, 6);
  run.add(Sink<3>{"below", {{-10, -10, -50}, {10, 10, -3}}});
  run.advance(1000);
  EXPECT_EQ(run.particle_counts().active, 300);
  run.set_open(4);  // the floor
  run.advance(5000);
  const ParticleCounts all = run.particle_counts();
  EXPECT_EQ(all.inserted, all.removed + all.active);
  EXPECT_EQ(run.sinks()[0].count, all.removed);
  EXPECT_EQ(all.removed, 300);
  run.advance(100);  // nobody is left to move
}

TEST(SimulationSinks, NobodyIsLostInAnyStep) {
  Model<3> model = frictional_model<3>();
  model.domain = Box<3>{{-1, -1, -4}, {7, 7, 90}};
  model.allow_outflow = true;
  Simulation3 run{model};
  run.add({.spheres = LoosePacking<3>(150).view()});
  run.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0.5, 0, 1}}});
  run.add(Sink<3>{"left", {{-10, -10, -50}, {3, 10, -1}}});
  run.set_open(0);
  std::uint64_t inside = 150;
  std::size_t sank = 0;
  while (inside > 0 && run.step() < 5000) {
    run.advance(1);
    const ParticleCounts all = run.particle_counts();
    ASSERT_EQ(all.inserted - all.removed - all.active, 0U) << run.step();
    ASSERT_EQ(all.active, run.particle_count());
    ASSERT_LE(all.active, inside);
    inside = all.active;
    sank = run.sinks()[0].count;
  }
  EXPECT_EQ(inside, 0U);
  EXPECT_GT(sank, 10U);  // into the sink, and the others out of the domain
  EXPECT_LT(sank, 140U);
}

TEST(SimulationSinks, CatchThoseThatHaveGoneAroundAPeriodicDomain) {
  Model<3> model = frictional_model<3>();
  model.gravity = {};
  model.domain = Box<3>{{0, 0, 0}, {6, 6, 6}};
  model.periodic = {true, false, false};
  Simulation3 run{model};
  const std::vector<double> x{1, 1};
  const std::vector<double> y{1, 4};
  const std::vector<double> z{3, 3};
  const std::vector<double> r{0.5, 0.5};
  run.add({.spheres = {x, y, z, r}, .velocity = {{10, 0, 0}, {-10, 0, 0}}});
  run.advance(5000);  // eight times around
  run.add(Sink<3>{"slice", {{2, 0, 0}, {4, 6, 6}}});
  run.advance(1000);
  EXPECT_EQ(run.sinks()[0].count, 2U);
  EXPECT_EQ(run.particle_count(), 0U);
}

TEST(SimulationSinks, DoNotDisturbTheContactsOfOthers) {
  for (const double friction : {0.0, 0.4}) {
    Model<3> model = frictional_model<3>();
    model.contact_parameters[0].parameters = {
        .stiffness = 1e4, .restitution = 0.6, .friction = friction};
    Simulation3 run{model};
    const LoosePacking<3> heap(300);
    run.add({.spheres = heap.view()});
    add_box<3>(run, 6);
    run.advance(5000);
    const std::size_t before = run.contacts().size();
    EXPECT_GT(before, 500);
    run.add(Sink<3>{"corner", {{0, 0, 0}, {1, 1, 1}}});
    while (run.particle_counts().removed == 0) run.advance(10);
    EXPECT_GT(run.contacts().size(), before * 9 / 10);
    Simulation3 again{model};
    add_box<3>(again, 6);
    again.add(run.sinks()[0]);
    again.restore(run.save());
    const auto of_particles = [](const auto& contacts) {
      return std::ranges::count_if(contacts, [](const auto& contact) { return !contact.is_wall; });
    };
    EXPECT_EQ(of_particles(again.contacts()), of_particles(run.contacts()));
  }
}

TEST(SimulationSinks, WhoLeavesMayBeFarAwayBeforeItIsTakenOut) {
  Model<3> model = frictional_model<3>();
  model.domain = Box<3>{{0, 0, 0}, {9, 9, 9}};
  model.periodic = {true, false, false};
  model.allow_outflow = true;
  model.track_energy = true;
  Simulation3 run{model};
  const LoosePacking<3> heap(20);
  run.add({.spheres = heap.view(), .velocity = {{0, 0, 2e4}}});
  run.advance(30);
  EXPECT_EQ(run.particle_counts().removed, 20U);
}

// The predictor and corrector keeps what others do not.
TEST(SimulationSinks, ParticlesComeWhenNoneIsThere) {
  Model<3> model = frictional_model<3>();
  model.integrator = Integrator::predictor_corrector;
  Simulation3 run{model};
  run.advance(10);
  const LoosePacking<3> heap(20);
  run.add({.spheres = heap.view()});
  run.advance(10);
  run.add(Sink<3>{"all", {{-99, -99, -99}, {99, 99, 99}}});
  run.advance(10);
  EXPECT_EQ(run.particle_counts().removed, 20U);
  EXPECT_EQ(run.save().acceleration.size(), 0U);
  Simulation3 again{model};
  again.add(Sink<3>{"all", {{-99, -99, -99}, {99, 99, 99}}});
  again.restore(run.save());
  again.advance(10);
}

TEST(SimulationErrors, NameWhoWentBeyondAllBounds) {
  for (const bool outflow : {false, true}) {
    Model<3> model = frictional_model<3>();
    model.gravity = {0, 0, -1e152};
    model.allow_outflow = outflow;
    Simulation3 run{model};
    const LoosePacking<3> heap(2);
    run.add({.spheres = heap.view()});
    EXPECT_THAT([&] { run.advance(1000); },
                ThrowsMessage<Error>(AllOf(HasSubstr("particle "), HasSubstr(" with velocity "),
                                           HasSubstr(" went beyond all bounds in step "),
                                           HasSubstr("it moves "))));
  }
}

TEST(SimulationErrors, NameTheStepThatLedOut) {
  Model<3> model = frictional_model<3>();
  model.domain = Box<3>{{0, 0, 0}, {9, 9, 9}};
  Simulation3 run{model};
  const std::vector<double> middle{4};
  const std::vector<double> r{0.5};
  run.add({.spheres = {middle, middle, middle, r}, .velocity = {{0, 0, 1e5}}});
  EXPECT_THAT([&] { run.advance(1); },
              ThrowsMessage<Error>(HasSubstr("left the domain in step 1, time 0.001;")));
}

TEST(SimulationErrors, NameTheParticleThatLeaves) {
  Model<3> model = frictional_model<3>();
  model.domain = Box<3>{{-1, -1, -2}, {7, 7, 200}};
  Simulation3 run{model};
  const LoosePacking<3> heap(30);
  run.add({.spheres = heap.view()});
  EXPECT_THAT(
      [&] { run.advance(10000); },
      ThrowsMessage<Error>(AllOf(HasSubstr("particle "), HasSubstr("left the domain in step"),
                                 HasSubstr("outflow"))));
}

TEST(SimulationErrors, TwoCentresInOnePlaceAreNamed) {
  Simulation3 run{frictional_model<3>()};
  const std::vector<double> x{0, 1.5, 1.5};
  const std::vector<double> y{0, 2, 2};
  const std::vector<double> r{0.5, 0.5, 0.4};
  const Spheres3 places{x, y, y, r};
  EXPECT_THAT(
      [&] { run.add({.spheres = places}); },
      ThrowsMessage<Error>(HasSubstr("particles 1 and 2 are at the same place, (1.5, 2, 2)")));
  EXPECT_EQ(run.particle_count(), 0U);
  run.add({.spheres = places, .fixed = true});  // they have no need to go apart
  EXPECT_THAT(
      [&] {
        run.add({.spheres = Spheres3{std::span(x).first(1), std::span(y).first(1),
                                     std::span(y).first(1), std::span(r).first(1)}});
      },
      ThrowsMessage<Error>(HasSubstr("particles 0 and 3")));
}

TEST(SimulationErrors, RefuseAStepThatIsNotStable) {
  Model<3> model = frictional_model<3>();
  model.time_step = 1;
  Simulation3 run{model};
  run.add({.spheres = LoosePacking<3>(3).view()});
  EXPECT_THAT([&] { run.advance(1); }, ThrowsMessage<Error>(HasSubstr("is not stable; at most")));
}

TEST(SimulationErrors, NameWhatMakesNoSense) {
  const auto refuse = [](Model<3> model, const char* text) {
    EXPECT_THAT([&] { Simulation3 run{model}; }, ThrowsMessage<Error>(HasSubstr(text)));
  };
  Model<3> model = frictional_model<3>();
  model.materials[0].density = -1;
  refuse(model, "density = -1");
  model = frictional_model<3>();
  model.contact_parameters[0].parameters.restitution = 1.5;
  refuse(model, "restitution = 1.5");
  model = frictional_model<3>();
  model.contact_parameters[0].parameters.stiffness = -3;
  refuse(model, "stiffness = -3, must be above 0");
  model.law = ContactLaw::hertz;
  model.materials[0].young = 1e6;
  refuse(model, "stiffness = -3 belongs to Hooke's law");
  model.contact_parameters[0].parameters.stiffness = 0;
  model.contact_parameters[0].parameters.damping = {};
  model.contact_parameters[0].parameters.tangential_stiffness_ratio = 0.5;
  refuse(model, "tangential_stiffness_ratio = 0.5 belongs to Hooke's law");
  model = frictional_model<3>();
  model.contact_parameters[0].parameters.damping = 4;
  refuse(model, "not several");
  model = frictional_model<3>();
  model.time_step = -1;
  refuse(model, "time_step = -1");
  model = frictional_model<3>();
  model.periodic = {true, false, false};
  refuse(model, "needs a domain");
}

}  // namespace
}  // namespace abut::testing
