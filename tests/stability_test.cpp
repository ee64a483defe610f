// The stability limit of the time step, and energy that grows without a source above it.

#include <gmock/gmock.h>

#include <abut/error.hpp>
#include <abut/simulation.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sphere_fixtures.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double ball_radius = 0.1;

constexpr MaterialId of_ball{0};
constexpr MaterialId of_floor{1};

Model<3> ball_model(const ContactParameters& parameters, Integrator integrator) {
  return {.materials = {{"ball", density_of_sphere(1, ball_radius)}, {"floor", 1}},
          .contact_parameters = {{of_ball, of_floor, parameters}},
          .gravity = {0, 0, -10},
          .integrator = integrator,
          .min_radius = {ball_radius},
          .max_displacement_ratio = 0};
}

/// Growth of the kinetic energy of a ball of mass 1 at rest on a floor, after a small impulse along
/// x and z. The floor is a plane, or a plane and a fixed large sphere, both of which act on the
/// ball.
double growth_on_floor(const Model<3>& model, bool with_sphere) {
  Simulation3 simulation{model};
  if (with_sphere) {
    const std::vector<double> zero{0};
    const std::vector<double> radius{1e3};
    const std::vector<double> height{-1e3};
    simulation.add({.spheres = {zero, zero, height, radius}, .material = of_floor, .fixed = true});
  }
  simulation.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}, of_floor});
  const double stiffness = model.contact_parameters[0].parameters.stiffness * (with_sphere ? 2 : 1);
  const TestSphere ball[] = {{0, 0, ball_radius - 10 / stiffness, ball_radius}};
  const double speed = 1e-6;
  add_spheres(simulation, ball, {{speed, 0, speed}});
  double largest = 0;
  for (int k = 0; k < 60 && largest < 1e6 * speed * speed; ++k) {
    simulation.advance(10);
    const Energy energy = simulation.energy();
    largest = std::max(largest, energy.kinetic + energy.rotational);
  }
  return largest / (speed * speed);
}

TEST(StabilityLimit, BoundsTheEnergyOfABallAtRestForEveryScheme) {
  const ContactParameters parameters[] = {
      {.stiffness = 1e4, .friction = 0.5, .tangential_stiffness_ratio = 1},
      {.stiffness = 1e4, .friction = 0.5, .rolling_friction = 0.5},
      {.stiffness = 1e4, .friction = 0.5, .tangential_stiffness_ratio = 3, .rolling_friction = 0.5},
      {.stiffness = 1e4,
       .restitution = 0.3,
       .friction = 0.5,
       .tangential_stiffness_ratio = 1,
       .tangential_damping_ratio = 2,
       .rolling_friction = 0.5}};
  for (const Integrator integrator : {Integrator::central_difference, Integrator::velocity_verlet,
                                      Integrator::predictor_corrector})
    for (const ContactParameters& given : parameters) {
      Model<3> model = ball_model(given, integrator);
      model.time_step = 0.95 * Simulation3{model}.critical_time_step();
      EXPECT_LT(growth_on_floor(model, false), 100)
          << static_cast<int>(integrator) << ' ' << &given - parameters;
    }
}

// Plane and sphere of half the stiffness act like one plane, but each alone allows a larger step.
TEST(StabilityLimit, IsTheLargestStepWithoutGrowth) {
  const ContactParameters parameters[] = {
      {.stiffness = 1e4},
      {.stiffness = 1e4, .damping = 50},
      {.stiffness = 1e4, .damping = 600},
      {.stiffness = 1e4, .friction = 0.5, .tangential_stiffness_ratio = 1},
      {.stiffness = 1e4, .damping = 50, .friction = 0.5, .tangential_stiffness_ratio = 3}};
  for (const ContactParameters& full : parameters) {
    ContactParameters half = full;
    half.stiffness /= 2;
    if (half.damping) *half.damping /= 2;
    for (const Integrator integrator : {Integrator::central_difference, Integrator::velocity_verlet,
                                        Integrator::predictor_corrector}) {
      const double limit = Simulation3{ball_model(full, integrator)}.critical_time_step();
      Model<3> model = ball_model(half, integrator);
      model.time_step = 1.05 * limit;
      EXPECT_GT(growth_on_floor(model, true), 1e4)
          << &full - parameters << ' ' << static_cast<int>(integrator);
      model.time_step = 0.95 * limit;
      EXPECT_LT(growth_on_floor(model, true), 100)
          << &full - parameters << ' ' << static_cast<int>(integrator);
    }
  }
}

TEST(StabilityLimit, IsThatOfTheSmallestParticleAndTheStiffestContact) {
  Model<3> model = ball_model({.stiffness = 1e4}, Integrator::velocity_verlet);
  model.materials[1].density = 8 * model.materials[0].density;
  model.min_radius = {ball_radius, ball_radius};
  model.contact_parameters = {
      {MaterialId{0}, MaterialId{0}, {.stiffness = 1e4}},
      {MaterialId{0},
       MaterialId{1},
       {.stiffness = 2e4, .friction = 0.2, .tangential_stiffness_ratio = 1}}};
  const double reduced = 8.0 / 9;  // of masses 1 and 8
  EXPECT_NEAR(Simulation3{model}.critical_time_step(), 2 / std::sqrt(3.5 * 2e4 / reduced), 1e-9);
  model.min_radius[1] = 0;  // a wall
  EXPECT_NEAR(Simulation3{model}.critical_time_step(), 2 / std::sqrt(3.5 * 2e4), 1e-9);
}

TEST(StabilityLimit, KeepsTheDefaultStepOfNormalForcesUnlessFrictionIsStiff) {
  const auto step = [](double ratio) {
    return Simulation3{
        ball_model({.stiffness = 1e4, .friction = 0.5, .tangential_stiffness_ratio = ratio},
                   Integrator::velocity_verlet)}
        .time_step();
  };
  const double limit_of_normal_forces = 2 / std::sqrt(1e4);
  EXPECT_NEAR(step(2.0 / 7), 0.1 * limit_of_normal_forces, 1e-12);
  EXPECT_NEAR(step(1), 0.1 * limit_of_normal_forces, 1e-12);
  EXPECT_NEAR(step(20), 0.2 * 2 / std::sqrt(3.5 * 20 * 1e4), 1e-12);
}

// ---- energy that grows without a source

/// Elastic spheres in a box, with a time step as a fraction of the critical one.
Simulation3 elastic_spheres(double fraction, double max_energy_growth_ratio = 0.01) {
  Model<3> model = frictional_model<3>();
  model.contact_parameters = {{.parameters = {.stiffness = 1e4}}};
  model.track_energy = true;
  model.max_energy_growth_ratio = max_energy_growth_ratio;
  model.min_radius = {0.45};
  model.time_step = 0;
  model.time_step = fraction * Simulation3{model}.critical_time_step();
  Simulation3 simulation{model};
  const LoosePacking<3> packing(60);
  simulation.add({.spheres = packing.view(), .velocity = {{0.5, 1, 0}}});
  add_box<3>(simulation, 6);
  return simulation;
}

/// The step at which `advance` reports growth of the energy, or 0.
std::uint64_t step_of_growth(Simulation3& simulation, double time, bool restart = false) {
  try {
    while (simulation.time() < time) {
      simulation.advance(restart ? 17 : 333);
      if (!restart) continue;
      Simulation3 next = elastic_spheres(0.5);
      next.restore(simulation.save());
      simulation = std::move(next);
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::simulation);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("step "), HasSubstr("t = "),
                                    HasSubstr("the energy has grown by "), HasSubstr("reduce it")));
    return simulation.step();
  }
  return 0;
}

TEST(EnergyGrowth, EndsARunWithATimeStepThatIsTooLarge) {
  Simulation3 simulation = elastic_spheres(0.5);
  const std::uint64_t step = step_of_growth(simulation, 60);
  EXPECT_GT(step, 0U);
  EXPECT_EQ(step % 100, 0U);
}

TEST(EnergyGrowth, IsReportedAtTheSameStepAfterRestarts) {
  Simulation3 continuous = elastic_spheres(0.5);
  Simulation3 restarted = elastic_spheres(0.5);
  EXPECT_EQ(step_of_growth(continuous, 60), step_of_growth(restarted, 60, true));
}

TEST(EnergyGrowth, IsNotReportedWithoutALimit) {
  Simulation3 simulation = elastic_spheres(0.5, 0);
  EXPECT_EQ(step_of_growth(simulation, 60), 0U);
}

TEST(EnergyGrowth, IsNotReportedWithTheDefaultStep) {
  Simulation3 simulation = elastic_spheres(0.1);
  EXPECT_EQ(step_of_growth(simulation, 60), 0U);
}

}  // namespace
}  // namespace abut::testing
