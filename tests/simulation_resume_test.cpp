#include <gmock/gmock.h>

#include <abut/error.hpp>
#include <abut/simulation.hpp>
#include <string>
#include <vector>

#include "heap.hpp"

namespace abut::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(SimulationBits, AreTheSameAfterAStopAtAnyStep) {
  // A list of neighbours that is made anew holds other pairs beside those that touch.
  const Heap<3> heap(200);
  const auto begin = [&](Integrator integrator) {
    Model<3> model = rough_model<3>();
    model.integrator = integrator;
    Simulation3 run{model};
    run.add({.places = heap.places()});
    add_box<3>(run, 6);
    return run;
  };
  for (const Integrator integrator : {Integrator::central_difference, Integrator::velocity_verlet,
                                      Integrator::predictor_corrector}) {
    Simulation3 whole = begin(integrator);
    Simulation3 stopped = begin(integrator);
    for (std::size_t steps = 1; whole.step() < 2500; steps = steps % 97 + 1) {
      whole.advance(steps);
      stopped.advance(steps);
      ASSERT_EQ(all_numbers(whole), all_numbers(stopped)) << whole.step();
      Simulation3 next = begin(integrator);
      next.restore(stopped.save());
      // A look at what touches what disturbs nothing, walls are touched once.
      if (steps % 2 == 0) {
        ASSERT_EQ(next.contacts().size(), stopped.contacts().size()) << whole.step();
      }
      stopped = std::move(next);
    }
  }
}

/// A floor that is lifted, a side that tips, and a drum that turns about them.
Simulation3 in_motion(Integrator integrator) {
  Model<3> model = rough_model<3>();
  model.integrator = integrator;
  Simulation3 run{model};
  run.add(Wall<3>{"floor",
                  Plane<3>{{0, 0, 0}, {0, 0, 1}},
                  0,
                  {.velocity = {0, 0, 2}, .from = 0.2, .until = 1.2}});
  run.add(Wall<3>{"side",
                  Plane<3>{{0, 0, 0}, {1, 0, 0}},
                  0,
                  {.centre = {0, 0, 0}, .axis = {0, 1, 0}, .turning = 0.1, .from = 0.1}});
  run.add(Wall<3>{"drum",
                  cylinder({3, 3, -9}, {3, 3, 90}, 4),
                  0,
                  {.centre = {3, 3, 0}, .axis = {0, 0, 1}, .turning = 1}});
  return run;
}

TEST(SimulationBits, AreTheSameAfterAStopWithWallsThatMove) {
  const Heap<3> heap(150);
  for (const Integrator integrator :
       {Integrator::velocity_verlet, Integrator::predictor_corrector}) {
    Simulation3 whole = in_motion(integrator);
    whole.add({.places = heap.places()});
    Simulation3 stopped = in_motion(integrator);
    stopped.add({.places = heap.places()});
    for (std::size_t steps = 1; whole.step() < 2500; steps = steps % 97 + 1) {
      whole.advance(steps);
      stopped.advance(steps);
      ASSERT_EQ(all_numbers(whole), all_numbers(stopped)) << whole.step();
      Simulation3 next = in_motion(integrator);
      next.restore(stopped.save());
      stopped = std::move(next);
    }
  }
}

// Whether a particle rests on planes alone depends on how far the last search looked, which a stop
// changes.
TEST(SimulationBits, EnergiesAreTheSameAfterAStop) {
  const Heap<3> heap(200);
  const auto begin = [](bool pillar) {
    Model<3> model = rough_model<3>();
    model.ledger = true;
    Simulation3 run{model};
    add_box<3>(run, 6);
    if (pillar) run.add(Wall<3>{"pillar", cylinder({3, 3, -1}, {3, 3, 20}, 1)});
    return run;
  };
  for (const bool pillar : {false, true}) {
    Simulation3 whole = begin(pillar);
    whole.add({.places = heap.places()});
    Simulation3 stopped = begin(pillar);
    stopped.add({.places = heap.places()});
    for (std::size_t steps = 1; whole.step() < 2500; steps = steps % 97 + 1) {
      whole.advance(steps);
      stopped.advance(steps);
      ASSERT_EQ(whole.energy().stored, stopped.energy().stored) << whole.step();
      ASSERT_EQ(whole.energy().dissipated, stopped.energy().dissipated) << whole.step();
      Simulation3 next = begin(pillar);
      next.restore(stopped.save());
      stopped = std::move(next);
    }
  }
}

TEST(SimulationErrors, NameWhatASavedStateLacks) {
  Model<3> smooth = rough_model<3>();
  smooth.interactions[0].interaction = {.stiffness = 1e4, .restitution = 0.6};
  const Heap<3> heap(20);
  Simulation3 run{smooth};
  run.add({.places = heap.places()});
  run.advance(50);
  const SavedState saved = run.save();
  const auto refuse = [&](const Model<3>& model, const std::string& what) {
    Simulation3 other{model};
    EXPECT_THAT([&] { other.restore(saved); },
                ThrowsMessage<Error>(HasSubstr("the saved state does not fit: " + what)));
  };
  Model<3> corrected = smooth;
  corrected.integrator = Integrator::predictor_corrector;
  refuse(corrected, "accelerations");
  Model<3> rubbing = smooth;
  rubbing.interactions[0].interaction.friction = 0.3;
  refuse(rubbing, "torques, which friction needs; resume with the case that wrote it");
  Model<3> hasty = smooth;
  hasty.time_step = 2e-3;
  Simulation3 other{hasty};
  EXPECT_THAT([&] { other.restore(saved); },
              ThrowsMessage<Error>(HasSubstr("time_step = 0.002, but the saved state was reached "
                                             "with 0.001; a run goes on")));
  Simulation3 same{smooth};
  same.restore(saved);
  same.advance(10);
  EXPECT_EQ(same.step(), 60U);
}

}  // namespace
}  // namespace abut::testing
