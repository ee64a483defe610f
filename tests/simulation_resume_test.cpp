#include <gmock/gmock.h>

#include <abut/error.hpp>
#include <abut/simulation.hpp>
#include <string>
#include <vector>

#include "sphere_fixtures.hpp"

namespace abut::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(SimulationBits, AreTheSameAfterAStopAtAnyStep) {
  // A list of neighbours that is made anew holds other pairs beside those that touch.
  const LoosePacking<3> heap(200);
  const auto begin = [&](Integrator integrator) {
    Model<3> model = frictional_model<3>();
    model.integrator = integrator;
    Simulation3 run{model};
    run.add({.spheres = heap.view()});
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
      ASSERT_EQ(state_by_id(whole), state_by_id(stopped)) << whole.step();
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
Simulation3 moving_simulation(Integrator integrator) {
  Model<3> model = frictional_model<3>();
  model.integrator = integrator;
  Simulation3 run{model};
  run.add(Wall<3>{"floor",
                  Plane<3>{{0, 0, 0}, {0, 0, 1}},
                  0,
                  {.velocity = {0, 0, 2}, .start_time = 0.2, .end_time = 1.2}});
  run.add(Wall<3>{
      "side",
      Plane<3>{{0, 0, 0}, {1, 0, 0}},
      0,
      {.center = {0, 0, 0}, .axis = {0, 1, 0}, .angular_velocity = 0.1, .start_time = 0.1}});
  run.add(Wall<3>{"drum",
                  cylinder({3, 3, -9}, {3, 3, 90}, 4),
                  0,
                  {.center = {3, 3, 0}, .axis = {0, 0, 1}, .angular_velocity = 1}});
  return run;
}

TEST(SimulationBits, AreTheSameAfterAStopWithWallsThatMove) {
  const LoosePacking<3> heap(150);
  for (const Integrator integrator :
       {Integrator::velocity_verlet, Integrator::predictor_corrector}) {
    Simulation3 whole = moving_simulation(integrator);
    whole.add({.spheres = heap.view()});
    Simulation3 stopped = moving_simulation(integrator);
    stopped.add({.spheres = heap.view()});
    for (std::size_t steps = 1; whole.step() < 2500; steps = steps % 97 + 1) {
      whole.advance(steps);
      stopped.advance(steps);
      ASSERT_EQ(state_by_id(whole), state_by_id(stopped)) << whole.step();
      Simulation3 next = moving_simulation(integrator);
      next.restore(stopped.save());
      stopped = std::move(next);
    }
  }
}

// Whether a particle rests on planes alone depends on how far the last search looked, which a stop
// changes.
TEST(SimulationBits, EnergiesAreTheSameAfterAStop) {
  const LoosePacking<3> heap(200);
  const auto begin = [](bool pillar) {
    Model<3> model = frictional_model<3>();
    model.track_energy = true;
    Simulation3 run{model};
    add_box<3>(run, 6);
    if (pillar) run.add(Wall<3>{"pillar", cylinder({3, 3, -1}, {3, 3, 20}, 1)});
    return run;
  };
  for (const bool pillar : {false, true}) {
    Simulation3 whole = begin(pillar);
    whole.add({.spheres = heap.view()});
    Simulation3 stopped = begin(pillar);
    stopped.add({.spheres = heap.view()});
    for (std::size_t steps = 1; whole.step() < 2500; steps = steps % 97 + 1) {
      whole.advance(steps);
      stopped.advance(steps);
      ASSERT_EQ(whole.energy().elastic, stopped.energy().elastic) << whole.step();
      ASSERT_EQ(whole.energy().dissipated, stopped.energy().dissipated) << whole.step();
      Simulation3 next = begin(pillar);
      next.restore(stopped.save());
      stopped = std::move(next);
    }
  }
}

TEST(SimulationErrors, NameWhatASavedStateLacks) {
  Model<3> smooth = frictional_model<3>();
  smooth.contact_parameters[0].parameters = {.stiffness = 1e4, .restitution = 0.6};
  const LoosePacking<3> heap(20);
  Simulation3 run{smooth};
  run.add({.spheres = heap.view()});
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
  rubbing.contact_parameters[0].parameters.friction = 0.3;
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
