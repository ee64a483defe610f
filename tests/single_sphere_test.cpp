// One ball and a floor, or a drum, against closed forms.

#include <gtest/gtest.h>

#include <abut/simulation.hpp>
#include <cmath>
#include <numbers>

#include "sphere_fixtures.hpp"

namespace abut::testing {
namespace {

/// A ball of radius 0.1 on a floor that z points away from; gravity 10.
Simulation3 sphere_on_floor(const ContactParameters& law, double height, const Point<3>& velocity,
                            const Point<3>& spin, double tilt = 0) {
  Simulation3 run{{.materials = {{"m", density_of_sphere(1, 0.1)}},
                   .contact_parameters = {{0, 0, law}},
                   .gravity = {10 * std::sin(tilt), 0, -10 * std::cos(tilt)},
                   .time_step = 1e-5}};
  run.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  const TestSphere ball[] = {{0, 0, height, 0.1}};
  add_spheres(run, ball, {velocity}, {spin});
  return run;
}

constexpr double stiff_contact = 1e6;
constexpr double at_rest = 0.1 - 10 / stiff_contact;  // its weight presses it in so far

TEST(OnAFloor, BouncesLowerEachTime) {
  const double e = 0.8;
  Simulation3 run = sphere_on_floor({.stiffness = stiff_contact, .restitution = e}, 0.5, {}, {});
  double highest = 0;
  double before = 0;
  int bounces = 0;
  for (int k = 0; k < 250000 && bounces < 4; ++k) {
    run.advance(1);
    const auto now = run.particle(0);
    if (before > 0 && now.velocity[2] <= 0) {
      ++bounces;
      highest = now.position[2];
      EXPECT_NEAR(highest, 0.1 + std::pow(e, 2 * bounces) * 0.4, 2e-3) << bounces;
    }
    before = now.velocity[2];
  }
  EXPECT_EQ(bounces, 4);
}

TEST(OnAFloor, SlipsUntilItRolls) {
  const double mu = 0.3;
  Simulation3 run = sphere_on_floor(
      {.stiffness = stiff_contact, .restitution = 0.5, .friction = mu}, at_rest, {1, 0, 0}, {});
  const double rolls_after = 2 * 1.0 / (7 * mu * 10);
  run.advance(static_cast<std::size_t>(0.98 * rolls_after / 1e-5));
  EXPECT_GT(run.particle(0).velocity[0], 1.005 * 5.0 / 7);
  run.advance(static_cast<std::size_t>(0.2 * rolls_after / 1e-5));
  EXPECT_NEAR(run.particle(0).velocity[0], 5.0 / 7, 1e-3);
  EXPECT_NEAR(run.particle(0).angular_velocity[1], 5.0 / 7 / 0.1, 1e-2);
}

TEST(OnAFloor, SlidesDownWhereItIsSteepEnough) {
  const double mu = 0.2;
  const double steepest = std::atan(3.5 * mu);
  for (const double factor : {0.9, 1.1}) {
    const double tilt = factor * steepest;
    Simulation3 run =
        sphere_on_floor({.stiffness = stiff_contact, .restitution = 0.5, .friction = mu},
                        0.1 - 10 * std::cos(tilt) / stiff_contact, {}, {}, tilt);
    run.advance(20000);  // 0.2 s
    const double slip = run.particle(0).velocity[0] - run.particle(0).angular_velocity[1] * 0.1;
    const double rolling = 5.0 / 7 * 10 * std::sin(tilt) * 0.2;
    const double sliding = 10 * (std::sin(tilt) - mu * std::cos(tilt)) * 0.2;
    EXPECT_NEAR(run.particle(0).velocity[0], factor < 1 ? rolling : sliding, 2e-3);
    EXPECT_EQ(factor < 1, std::abs(slip) < 2e-3);
  }
}

TEST(OnAFloor, RollingFrictionStopsASpin) {
  const double mu_r = 0.02;
  Simulation3 run =
      sphere_on_floor({.stiffness = stiff_contact, .restitution = 0.5, .rolling_friction = mu_r},
                      at_rest, {}, {0, 5, 0});
  run.advance(20000);
  EXPECT_NEAR(run.particle(0).angular_velocity[1], 5 - 5 * mu_r * 10 / (2 * 0.1) * 0.2, 1e-3);
  run.advance(100000);
  EXPECT_NEAR(run.particle(0).angular_velocity[1], 0, 1e-9);
}

TEST(OnAFloor, RollingFrictionHoldsABallOnASlope) {
  const double mu_r = 0.1;
  for (const double factor : {0.8, 1.5}) {
    const double tilt = std::atan(factor * mu_r);
    Simulation3 run = sphere_on_floor(
        {.stiffness = stiff_contact, .restitution = 0.5, .friction = 0.5, .rolling_friction = mu_r},
        0.1 - 10 * std::cos(tilt) / stiff_contact, {}, {}, tilt);
    run.advance(20000);  // 0.2 s
    const auto before = run.particle(0);
    run.advance(20000);
    const auto after = run.particle(0);
    const double rolls = factor < 1 ? 0 : 50.0 / 7 * (std::sin(tilt) - mu_r * std::cos(tilt));
    EXPECT_NEAR(after.velocity[0] - before.velocity[0], 0.2 * rolls, 1e-5) << factor;
    if (factor < 1) {
      EXPECT_NEAR(after.position[0], before.position[0], 1e-8);  // nor does it creep
    }
  }
}

TEST(OnAFloor, RollingFrictionMakesABallTurnWithADrum) {
  Simulation3 run{{.materials = {{"m", density_of_sphere(1, 0.1)}},
                   .contact_parameters = {{0,
                                           0,
                                           {.stiffness = stiff_contact,
                                            .restitution = 0.5,
                                            .friction = 0.5,
                                            .rolling_friction = 0.1}}},
                   .time_step = 1e-5,
                   .track_energy = true}};
  run.add(Wall<3>{"drum",
                  cylinder({0, 0, -1}, {0, 0, 1}, 1),
                  0,
                  {.center = {}, .axis = {0, 0, 1}, .angular_velocity = 5}});
  const TestSphere ball[] = {{0.9, 0, 0, 0.1}};
  add_spheres(run, ball, {{0, 4.5, 0}}, {});
  const double begin = run.energy().kinetic;
  run.advance(100000);
  const auto end = run.particle(0);
  EXPECT_NEAR(end.angular_velocity[2], 5, 0.02);
  EXPECT_NEAR(std::hypot(end.velocity[0], end.velocity[1]), 4.5, 0.02);
  const Energy energy = run.energy();
  EXPECT_NEAR(energy.kinetic + energy.rotational + energy.elastic + energy.dissipated, energy.input,
              3e-3 * begin);
}

/// A ball of mass 1 that slides at 3 as it hits a floor with 1; what it is made of suits both laws.
Simulation3 sliding_impact(ContactLaw law, const ContactParameters& contact) {
  Material glass{"glass", density_of_sphere(1, 0.1)};
  glass.young = 1e8;
  glass.poisson = 0.3;
  ContactParameters given = contact;
  if (law == ContactLaw::hooke) given.stiffness = stiff_contact;
  Simulation3 run{
      {.materials = {glass}, .contact_parameters = {{0, 0, given}}, .law = law, .time_step = 1e-6}};
  run.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  const TestSphere ball[] = {{0, 0, 0.1, 0.1}};
  add_spheres(run, ball, {{3, 0, -1}}, {});
  return run;
}

/// What is left of the speed when a spring and dashpot that would return e begin to pull.
double removed_before_tension(double e) {
  const double ratio = -std::log(e) / std::hypot(std::numbers::pi, std::log(e));
  const double omega = std::sqrt(1 - ratio * ratio);
  const double angle =
      std::numbers::pi - std::atan2(2 * ratio * omega, omega * omega - ratio * ratio);
  return std::exp(-ratio / omega * angle);
}

TEST(OnAFloor, AnImpactThatSlidesIsHeldUpByWhatPresses) {
  const double mu = 0.3;
  for (const ContactLaw law : {ContactLaw::hooke, ContactLaw::hertz})
    for (const bool limit_damping : {false, true})
      for (const double e : {0.98, 0.5, 0.2}) {
        Simulation3 run =
            sliding_impact(law, {.restitution = e, .limit_damping = limit_damping, .friction = mu});
        double before = 3;
        for (int k = 0; k < 50000 && run.particle(0).position[2] <= 0.1; ++k) {
          run.advance(1);
          const double now = run.particle(0).velocity[0];
          ASSERT_LE(now, before) << "friction never pulls along the slip, step " << k;
          before = now;
        }
        EXPECT_NEAR(run.particle(0).velocity[2], e, 2e-3);
        const double pressed = 1 + (limit_damping ? e : removed_before_tension(e));
        EXPECT_NEAR((3 - before) / (mu * pressed), 1, 3e-3)
            << (law == ContactLaw::hooke ? "Hooke " : "Hertz ") << limit_damping << ' ' << e;
        EXPECT_NEAR(run.particle(0).angular_velocity[1] * 0.1 / (2.5 * (3 - before)), 1, 1e-9);
      }
}

TEST(OnAFloor, TheLargestStepOfHertzStillReturnsWhatCame) {
  Material rubber{"rubber", density_of_sphere(1, 0.1)};
  rubber.young = 1e7;
  for (const double speed : {0.1, 1.0, 5.0, 10.0}) {
    Model<3> model{
        .materials = {rubber}, .contact_parameters = {{0, 0, {}}}, .law = ContactLaw::hertz};
    model.min_radius = {0.1};
    model.time_step = 0.999 * Simulation3{model}.critical_time_step();
    for (int phase = 0; phase < 10; ++phase) {
      Simulation3 run{model};
      run.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
      const TestSphere ball[] = {{0, 0, 0.1 + 0.1 * phase * speed * model.time_step, 0.1}};
      add_spheres(run, ball, {{0, 0, -speed}}, {});
      run.advance(200);
      EXPECT_NEAR(run.particle(0).velocity[2] / speed, 1, 0.05) << speed << ' ' << phase;
    }
  }
}

TEST(OnAFloor, HertzReturnsWhatIsAskedForWithoutTension) {
  Material glass{"glass", density_of_sphere(1, 0.1)};
  glass.young = 1e8;
  glass.poisson = 0.3;
  for (const bool limit_damping : {false, true}) {
    Simulation3 run{{.materials = {glass},
                     .contact_parameters = {{0, 0, {.restitution = 0.3, .limit_damping = limit_damping}}},
                     .law = ContactLaw::hertz,
                     .time_step = 1e-6}};
    run.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
    const TestSphere ball[] = {{0, 0, 0.1, 0.1}};
    add_spheres(run, ball, {{0, 0, -1}}, {});
    run.advance(20000);
    EXPECT_NEAR(run.particle(0).velocity[2], 0.3, 1e-3) << limit_damping;
  }
}

TEST(OnAFloor, ASpinningBallDroppedIsThrownAside) {
  const double mu = 0.1;
  const double e = 0.7;
  const double r = 0.1;
  // While a dashpot pulls, nothing rubs.
  Simulation3 run = sphere_on_floor(
      {.stiffness = stiff_contact, .restitution = e, .limit_damping = true, .friction = mu}, r,
      {0, 0, -2}, {0, 100, 0});
  run.advance(500);
  EXPECT_NEAR(run.particle(0).velocity[0], mu * (1 + e) * 2, 5e-3);
  EXPECT_NEAR(run.particle(0).angular_velocity[1], 100 - 2.5 * mu * (1 + e) * 2 / r, 0.2);
}

}  // namespace
}  // namespace abut::testing
