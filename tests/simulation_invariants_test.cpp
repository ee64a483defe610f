// What holds for any number of particles.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <abut/simulation.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include "core/random.hpp"
#include "heap.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(SimulationBits, AreTheSameWithEveryMethod) {
  const auto with = [](Method method) {
    Model<3> model = rough_model<3>();
    model.method = method;
    return run_heap<3>(model, 300, 1500);
  };
  const auto expected = with(Method::brute_force);
  for (const Method method :
       {Method::engine, Method::binary_tree, Method::direct_mapping, Method::screening,
        Method::sorting, Method::nbs, Method::cgrid, Method::fixed_cubes, Method::mr, Method::mmr})
    EXPECT_EQ(expected, with(method)) << static_cast<int>(method);
}

TEST(SimulationBits, DoNotDependOnWhereSomebodyLooks) {
  const Heap<3> heap(300);
  const auto in_pieces = [&](std::vector<std::size_t> pieces) {
    Simulation3 run{rough_model<3>()};
    run.add({.places = heap.places()});
    add_box<3>(run, 6);
    for (const std::size_t steps : pieces) run.advance(steps);
    return all_numbers(run);
  };
  EXPECT_EQ(in_pieces({1000}), in_pieces({1, 2, 3, 494, 500}));
}

TEST(SimulationInvariants, MomentumIsKept) {
  Model<3> model = rough_model<3>();
  model.gravity = {};
  Simulation3 run{model};
  const Heap<3> heap(400);
  Random random(3);
  std::vector<Point<3>> velocity(400);
  for (auto& v : velocity)
    for (double& part : v) part = random.uniform(-1, 1);
  run.add({.places = heap.places(), .velocity = velocity});
  const auto momentum = [&] {
    Point<3> sum{};
    for (std::size_t i = 0; i < run.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        sum[k] += run.particle(i).mass * run.particle(i).velocity[k];
    return sum;
  };
  double scale = 0;  // of the momenta without their directions
  for (std::size_t i = 0; i < run.size(); ++i)
    for (const double part : run.particle(i).velocity)
      scale += run.particle(i).mass * std::abs(part) / 3;
  const Point<3> before = momentum();
  run.advance(2000);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(momentum()[k], before[k], 1e-12 * scale);
}

TEST(SimulationInvariants, AtRestTheFloorCarriesTheWeight) {
  for (const double rolling_friction : {0.0, 0.02, 0.5}) {
    Model<3> model = rough_model<3>();
    model.interactions[0].interaction.restitution = 0.1;
    model.interactions[0].interaction.rolling_friction = rolling_friction;
    Simulation3 run{model};
    const Heap<3> heap(200);
    run.add({.places = heap.places()});
    add_box<3>(run, 6);
    // Nothing resists a spin about the normal: where rolling friction is strong it dies out slowly.
    run.advance(rolling_friction > 0.1 ? 60000 : 30000);
    double weight = 0;
    for (std::size_t i = 0; i < run.size(); ++i) weight += run.particle(i).mass * 5;
    for (int k = 0; k < 4; ++k) {  // forces that swing from step to step are none of a heap at rest
      double carried = 0;
      for (std::size_t wall = 0; wall < 5; ++wall) carried += run.force_on(wall)[2];
      EXPECT_NEAR(carried / weight, -1, 1e-5) << rolling_friction;
      run.advance(1);
    }
  }
}

// Two that pass each other every tenth of a second, a thousand times.
TEST(SimulationInvariants, ParticlesMayPassEachOtherAsOftenAsTheyLike) {
  Model<2> model = rough_model<2>();
  model.gravity = {};
  model.interactions[0].interaction.friction = 0;
  model.interactions[0].interaction.rolling_friction = 0;
  model.domain = Box<2>{{0, -10}, {2, 10}};
  model.periodic = {true, false};
  Simulation2 run{model};
  const std::vector<double> x{0.5, 1.5};
  const std::vector<double> y{0, 1.02};
  const std::vector<double> r{0.5, 0.5};
  run.add({.places = {x, y, r}, .velocity = {{-10, 0}, {10, 0}}});
  run.advance(100000);
  EXPECT_NEAR(run.particle(0).velocity[0], -run.particle(1).velocity[0], 1e-9);
  EXPECT_GT(std::abs(run.particle(0).place[0] - run.particle(1).place[0]), 1500);
}

TEST(SimulationInvariants, PeriodicAxesCarryParticlesAcross) {
  Model<3> model = rough_model<3>();
  model.domain = Box<3>{{0, 0, -1}, {6, 6, 100}};
  model.periodic = {true, true, false};
  Simulation3 run{model};
  const Heap<3> heap(300);
  run.add({.places = heap.places(), .velocity = {{3, 1, 0}}});
  run.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  for (int k = 0; k < 20; ++k) {
    run.advance(200);
    run.check_pairs(1);
  }
  double farthest = 0;
  for (std::size_t i = 0; i < run.size(); ++i)
    farthest = std::max(farthest, run.particle(i).place[0]);
  EXPECT_GT(farthest, 7);
  // The same seen from a place one period away.
  EXPECT_GT(run.coordination(), 3);
}

TEST(SimulationInvariants, DiscsInTwoDimensions) {
  const auto one = run_heap<2>(rough_model<2>(), 60, 4000);
  EXPECT_EQ(one, run_heap<2>(rough_model<2>(), 60, 4000));
  for (const double number : one) EXPECT_TRUE(std::isfinite(number));
}

TEST(SimulationWalls, APlaneCutIntoPiecesIsStillAPlane) {
  const auto roll = [](const WallShape<3>& floor) {
    Model<3> model = rough_model<3>();
    Simulation3 run{model};
    run.add(Wall<3>{"floor", floor});
    const std::vector<double> x{0.3};
    const std::vector<double> y{0.1};
    const std::vector<double> z{0.5};
    const std::vector<double> r{0.5};
    run.add({.places = {x, y, z, r}, .velocity = {{1, 0.2, 0}}});
    run.advance(4000);
    return run.particle(0);
  };
  Mesh<3> mesh;
  const std::size_t side = 13;
  for (std::size_t i = 0; i <= side; ++i)
    for (std::size_t j = 0; j <= side; ++j)
      mesh.corners.push_back({static_cast<double>(i) - 2.3, static_cast<double>(j) - 3.1, 0});
  for (Index i = 0; i < side; ++i)
    for (Index j = 0; j < side; ++j) {
      const auto at = [&](Index a, Index b) { return static_cast<Index>(a * (side + 1) + b); };
      mesh.pieces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.pieces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  const auto plane = roll(Plane<3>{{0, 0, 0}, {0, 0, 1}});
  const auto cut = roll(mesh);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(plane.place[k], cut.place[k], 1e-8);
    EXPECT_NEAR(plane.velocity[k], cut.velocity[k], 1e-8);
    EXPECT_NEAR(plane.spin[k], cut.spin[k], 1e-8);
  }
  EXPECT_GT(plane.place[0], 2);
}

TEST(SimulationWalls, ABeltCarriesABall) {
  Model<3> model = rough_model<3>();
  model.interactions[0].interaction.rolling_friction = 0;
  Simulation3 run{model};
  Wall<3> belt{"belt", Plane<3>{{0, 0, 0}, {0, 0, 1}}};
  belt.motion.velocity = {1, 0, 0};
  run.add(belt);
  const std::vector<double> x{0};
  const std::vector<double> y{0};
  const std::vector<double> z{0.499};
  const std::vector<double> r{0.5};
  run.add({.places = {x, y, z, r}});
  run.advance(3000);
  // A ball at rest on a belt rolls backwards on it: 2/7 of the speed.
  EXPECT_NEAR(run.particle(0).velocity[0], 2.0 / 7, 1e-3);
}

TEST(SimulationSinks, CountWhatLeaves) {
  Model<3> model = rough_model<3>();
  Simulation3 run{model};
  const Heap<3> heap(300);
  run.add({.places = heap.places()});
  add_box<3>(run, 6);
  run.add(Sink<3>{"below", {{-10, -10, -50}, {10, 10, -3}}});
  run.advance(1000);
  EXPECT_EQ(run.population().inside, 300);
  run.open(4);  // the floor
  run.advance(5000);
  const Population all = run.population();
  EXPECT_EQ(all.released, all.left + all.inside);
  EXPECT_EQ(run.sinks()[0].count, all.left);
  EXPECT_EQ(all.left, 300);
  run.advance(100);  // nobody is left to move
}

TEST(SimulationSinks, NobodyIsLostInAnyStep) {
  Model<3> model = rough_model<3>();
  model.domain = Box<3>{{-1, -1, -4}, {7, 7, 90}};
  model.outflow = true;
  Simulation3 run{model};
  run.add({.places = Heap<3>(150).places()});
  run.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0.5, 0, 1}}});
  run.add(Sink<3>{"left", {{-10, -10, -50}, {3, 10, -1}}});
  run.open(0);
  std::uint64_t inside = 150;
  std::size_t sank = 0;
  while (inside > 0 && run.step() < 5000) {
    run.advance(1);
    const Population all = run.population();
    ASSERT_EQ(all.released - all.left - all.inside, 0U) << run.step();
    ASSERT_EQ(all.inside, run.size());
    ASSERT_LE(all.inside, inside);
    inside = all.inside;
    sank = run.sinks()[0].count;
  }
  EXPECT_EQ(inside, 0U);
  EXPECT_GT(sank, 10U);  // into the sink, and the others out of the domain
  EXPECT_LT(sank, 140U);
}

TEST(SimulationSinks, CatchThoseThatHaveGoneAroundAPeriodicDomain) {
  Model<3> model = rough_model<3>();
  model.gravity = {};
  model.domain = Box<3>{{0, 0, 0}, {6, 6, 6}};
  model.periodic = {true, false, false};
  Simulation3 run{model};
  const std::vector<double> x{1, 1};
  const std::vector<double> y{1, 4};
  const std::vector<double> z{3, 3};
  const std::vector<double> r{0.5, 0.5};
  run.add({.places = {x, y, z, r}, .velocity = {{10, 0, 0}, {-10, 0, 0}}});
  run.advance(5000);  // eight times around
  run.add(Sink<3>{"slice", {{2, 0, 0}, {4, 6, 6}}});
  run.advance(1000);
  EXPECT_EQ(run.sinks()[0].count, 2U);
  EXPECT_EQ(run.size(), 0U);
}

TEST(SimulationSinks, DoNotDisturbTheContactsOfOthers) {
  for (const double friction : {0.0, 0.4}) {
    Model<3> model = rough_model<3>();
    model.interactions[0].interaction = {
        .stiffness = 1e4, .restitution = 0.6, .friction = friction};
    Simulation3 run{model};
    const Heap<3> heap(300);
    run.add({.places = heap.places()});
    add_box<3>(run, 6);
    run.advance(5000);
    const std::size_t before = run.contacts().size();
    EXPECT_GT(before, 500);
    run.add(Sink<3>{"corner", {{0, 0, 0}, {1, 1, 1}}});
    while (run.population().left == 0) run.advance(10);
    EXPECT_GT(run.contacts().size(), before * 9 / 10);
    Simulation3 again{model};
    add_box<3>(again, 6);
    again.add(run.sinks()[0]);
    again.restore(run.save());
    const auto of_particles = [](const auto& contacts) {
      return std::ranges::count_if(contacts, [](const auto& contact) { return !contact.wall; });
    };
    EXPECT_EQ(of_particles(again.contacts()), of_particles(run.contacts()));
  }
}

TEST(SimulationErrors, NameWhoWentBeyondAllBounds) {
  for (const bool outflow : {false, true}) {
    Model<3> model = rough_model<3>();
    model.gravity = {0, 0, -1e152};
    model.outflow = outflow;
    Simulation3 run{model};
    const Heap<3> heap(2);
    run.add({.places = heap.places()});
    EXPECT_THAT([&] { run.advance(1000); },
                ThrowsMessage<Error>(AllOf(HasSubstr("particle "), HasSubstr(" with velocity "),
                                           HasSubstr(" went beyond all bounds in step "),
                                           HasSubstr("it moves "))));
  }
}

TEST(SimulationErrors, NameTheStepThatLedOut) {
  Model<3> model = rough_model<3>();
  model.domain = Box<3>{{0, 0, 0}, {9, 9, 9}};
  Simulation3 run{model};
  const std::vector<double> middle{4};
  const std::vector<double> r{0.5};
  run.add({.places = {middle, middle, middle, r}, .velocity = {{0, 0, 1e5}}});
  EXPECT_THAT([&] { run.advance(1); },
              ThrowsMessage<Error>(HasSubstr("left the domain in step 1, time 0.001;")));
}

TEST(SimulationSinks, WhoLeavesMayBeFarAwayBeforeItIsTakenOut) {
  Model<3> model = rough_model<3>();
  model.domain = Box<3>{{0, 0, 0}, {9, 9, 9}};
  model.periodic = {true, false, false};
  model.outflow = true;
  model.ledger = true;
  Simulation3 run{model};
  const Heap<3> heap(20);
  run.add({.places = heap.places(), .velocity = {{0, 0, 2e4}}});
  run.advance(30);
  EXPECT_EQ(run.population().left, 20U);
}

// The predictor and corrector keeps what others do not.
TEST(SimulationSinks, ParticlesComeWhenNoneIsThere) {
  Model<3> model = rough_model<3>();
  model.integrator = Integrator::predictor_corrector;
  Simulation3 run{model};
  run.advance(10);
  const Heap<3> heap(20);
  run.add({.places = heap.places()});
  run.advance(10);
  run.add(Sink<3>{"all", {{-99, -99, -99}, {99, 99, 99}}});
  run.advance(10);
  EXPECT_EQ(run.population().left, 20U);
  EXPECT_EQ(run.save().acceleration.size(), 0U);
  Simulation3 again{model};
  again.add(Sink<3>{"all", {{-99, -99, -99}, {99, 99, 99}}});
  again.restore(run.save());
  again.advance(10);
}

TEST(SimulationErrors, NameTheParticleThatLeaves) {
  Model<3> model = rough_model<3>();
  model.domain = Box<3>{{-1, -1, -2}, {7, 7, 200}};
  Simulation3 run{model};
  const Heap<3> heap(30);
  run.add({.places = heap.places()});
  EXPECT_THAT(
      [&] { run.advance(10000); },
      ThrowsMessage<Error>(AllOf(HasSubstr("particle "), HasSubstr("left the domain in step"),
                                 HasSubstr("outflow"))));
}

TEST(SimulationErrors, TwoCentresInOnePlaceAreNamed) {
  Simulation3 run{rough_model<3>()};
  const std::vector<double> x{0, 1.5, 1.5};
  const std::vector<double> y{0, 2, 2};
  const std::vector<double> r{0.5, 0.5, 0.4};
  const Spheres3 places{x, y, y, r};
  EXPECT_THAT(
      [&] { run.add({.places = places}); },
      ThrowsMessage<Error>(HasSubstr("particles 1 and 2 are at the same place, (1.5, 2, 2)")));
  EXPECT_EQ(run.size(), 0U);
  run.add({.places = places, .fixed = true});  // they have no need to go apart
  EXPECT_THAT(
      [&] {
        run.add({.places = Spheres3{std::span(x).first(1), std::span(y).first(1),
                                    std::span(y).first(1), std::span(r).first(1)}});
      },
      ThrowsMessage<Error>(HasSubstr("particles 0 and 3")));
}

TEST(SimulationErrors, RefuseAStepThatIsNotStable) {
  Model<3> model = rough_model<3>();
  model.time_step = 1;
  Simulation3 run{model};
  run.add({.places = Heap<3>(3).places()});
  EXPECT_THAT([&] { run.advance(1); }, ThrowsMessage<Error>(HasSubstr("is not stable; at most")));
}

TEST(SimulationErrors, NameWhatMakesNoSense) {
  const auto refuse = [](Model<3> model, const char* text) {
    EXPECT_THAT([&] { Simulation3 run{model}; }, ThrowsMessage<Error>(HasSubstr(text)));
  };
  Model<3> model = rough_model<3>();
  model.materials[0].density = -1;
  refuse(model, "density = -1");
  model = rough_model<3>();
  model.interactions[0].interaction.restitution = 1.5;
  refuse(model, "restitution = 1.5");
  model = rough_model<3>();
  model.interactions[0].interaction.stiffness = -3;
  refuse(model, "stiffness = -3, must be above 0");
  model.law = Law::hertz;
  model.materials[0].young = 1e6;
  refuse(model, "stiffness = -3 belongs to Hooke's law");
  model.interactions[0].interaction.stiffness = 0;
  model.interactions[0].interaction.damping = {};
  model.interactions[0].interaction.tangential_stiffness = 0.5;
  refuse(model, "tangential_stiffness = 0.5 belongs to Hooke's law");
  model = rough_model<3>();
  model.interactions[0].interaction.damping = 4;
  refuse(model, "not several");
  model = rough_model<3>();
  model.time_step = -1;
  refuse(model, "time_step = -1");
  model = rough_model<3>();
  model.periodic = {true, false, false};
  refuse(model, "needs a domain");
}

}  // namespace
}  // namespace abut::testing
