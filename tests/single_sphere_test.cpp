// One sphere on a floor or in a drum, compared with analytical solutions.

#include <gtest/gtest.h>

#include <abut/simulation.hpp>
#include <cmath>
#include <numbers>

#include "sphere_fixtures.hpp"

namespace abut::testing {
namespace {

/// A sphere of mass 1 and radius 0.1 above a floor with normal z; gravity 10.
Simulation3 sphere_on_floor(const ContactParameters& law, double height, const Point<3>& velocity,
                            const Point<3>& angular_velocity, double tilt = 0) {
  Simulation3 simulation{{.materials = {{"m", density_of_sphere(1, 0.1)}},
                          .contact_parameters = {{.parameters = law}},
                          .gravity = {10 * std::sin(tilt), 0, -10 * std::cos(tilt)},
                          .time_step = 1e-5}};
  simulation.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  const TestSphere sphere[] = {{0, 0, height, 0.1}};
  add_spheres(simulation, sphere, {velocity}, {angular_velocity});
  return simulation;
}

constexpr double floor_stiffness = 1e6;
constexpr double at_rest = 0.1 - 10 / floor_stiffness;  // height of the center in equilibrium

TEST(SphereOnFloor, ReboundHeightFollowsRestitution) {
  const double e = 0.8;
  Simulation3 simulation =
      sphere_on_floor({.stiffness = floor_stiffness, .restitution = e}, 0.5, {}, {});
  double highest = 0;
  double before = 0;
  int bounces = 0;
  for (int k = 0; k < 250000 && bounces < 4; ++k) {
    simulation.advance(1);
    const auto now = simulation.particle(ParticleId{0});
    if (before > 0 && now.velocity[2] <= 0) {
      ++bounces;
      highest = now.position[2];
      EXPECT_NEAR(highest, 0.1 + std::pow(e, 2 * bounces) * 0.4, 2e-3) << bounces;
    }
    before = now.velocity[2];
  }
  EXPECT_EQ(bounces, 4);
}

TEST(SphereOnFloor, SlidesUntilItRolls) {
  const double mu = 0.3;
  Simulation3 simulation = sphere_on_floor(
      {.stiffness = floor_stiffness, .restitution = 0.5, .friction = mu}, at_rest, {1, 0, 0}, {});
  const double rolling_time = 2 * 1.0 / (7 * mu * 10);
  simulation.advance(static_cast<std::size_t>(0.98 * rolling_time / 1e-5));
  EXPECT_GT(simulation.velocity(ParticleId{0})[0], 1.005 * 5.0 / 7);
  simulation.advance(static_cast<std::size_t>(0.2 * rolling_time / 1e-5));
  EXPECT_NEAR(simulation.velocity(ParticleId{0})[0], 5.0 / 7, 1e-3);
  EXPECT_NEAR(simulation.angular_velocity(ParticleId{0})[1], 5.0 / 7 / 0.1, 1e-2);
}

TEST(SphereOnFloor, SlidesOnSlopesSteeperThanTheLimit) {
  const double mu = 0.2;
  const double max_tilt = std::atan(3.5 * mu);
  for (const double factor : {0.9, 1.1}) {
    const double tilt = factor * max_tilt;
    Simulation3 simulation =
        sphere_on_floor({.stiffness = floor_stiffness, .restitution = 0.5, .friction = mu},
                        0.1 - 10 * std::cos(tilt) / floor_stiffness, {}, {}, tilt);
    simulation.advance(20000);  // 0.2 s
    const double slip =
        simulation.velocity(ParticleId{0})[0] - simulation.angular_velocity(ParticleId{0})[1] * 0.1;
    const double rolling = 5.0 / 7 * 10 * std::sin(tilt) * 0.2;
    const double sliding = 10 * (std::sin(tilt) - mu * std::cos(tilt)) * 0.2;
    EXPECT_NEAR(simulation.velocity(ParticleId{0})[0], factor < 1 ? rolling : sliding, 2e-3);
    EXPECT_EQ(factor < 1, std::abs(slip) < 2e-3);
  }
}

TEST(SphereOnFloor, RollingFrictionStopsRotation) {
  const double mu_r = 0.02;
  Simulation3 simulation =
      sphere_on_floor({.stiffness = floor_stiffness, .restitution = 0.5, .rolling_friction = mu_r},
                      at_rest, {}, {0, 5, 0});
  simulation.advance(20000);
  EXPECT_NEAR(simulation.angular_velocity(ParticleId{0})[1], 5 - 5 * mu_r * 10 / (2 * 0.1) * 0.2,
              1e-3);
  simulation.advance(100000);
  EXPECT_NEAR(simulation.angular_velocity(ParticleId{0})[1], 0, 1e-9);
}

TEST(SphereOnFloor, RollingFrictionHoldsSphereOnSlope) {
  const double mu_r = 0.1;
  for (const double factor : {0.8, 1.5}) {
    const double tilt = std::atan(factor * mu_r);
    Simulation3 simulation =
        sphere_on_floor({.stiffness = floor_stiffness,
                         .restitution = 0.5,
                         .friction = 0.5,
                         .rolling_friction = mu_r},
                        0.1 - 10 * std::cos(tilt) / floor_stiffness, {}, {}, tilt);
    simulation.advance(20000);  // 0.2 s
    const auto before = simulation.particle(ParticleId{0});
    simulation.advance(20000);
    const auto after = simulation.particle(ParticleId{0});
    const double acceleration =
        factor < 1 ? 0 : 50.0 / 7 * (std::sin(tilt) - mu_r * std::cos(tilt));
    EXPECT_NEAR(after.velocity[0] - before.velocity[0], 0.2 * acceleration, 1e-5) << factor;
    if (factor < 1) {
      EXPECT_NEAR(after.position[0], before.position[0], 1e-8);  // no creep
    }
  }
}

TEST(SphereInDrum, RollingFrictionRotatesSphereWithDrum) {
  Simulation3 simulation{{.materials = {{"m", density_of_sphere(1, 0.1)}},
                          .contact_parameters = {{.parameters = {.stiffness = floor_stiffness,
                                                                 .restitution = 0.5,
                                                                 .friction = 0.5,
                                                                 .rolling_friction = 0.1}}},
                          .time_step = 1e-5,
                          .track_energy = true}};
  simulation.add(Wall<3>{"drum",
                         cylinder({0, 0, -1}, {0, 0, 1}, 1),
                         {},
                         {.center = {}, .axis = {0, 0, 1}, .angular_velocity = 5}});
  const TestSphere sphere[] = {{0.9, 0, 0, 0.1}};
  add_spheres(simulation, sphere, {{0, 4.5, 0}}, {});
  const double initial_kinetic = simulation.energy().kinetic;
  simulation.advance(100000);
  const auto end = simulation.particle(ParticleId{0});
  EXPECT_NEAR(end.angular_velocity[2], 5, 0.02);
  EXPECT_NEAR(std::hypot(end.velocity[0], end.velocity[1]), 4.5, 0.02);
  const Energy energy = simulation.energy();
  EXPECT_NEAR(energy.kinetic + energy.rotational + energy.elastic + energy.dissipated, energy.input,
              3e-3 * initial_kinetic);
}

/// A sphere of mass 1 that hits a floor with tangential speed 3 and normal speed 1, for both laws.
Simulation3 sliding_impact(ContactLaw law, const ContactParameters& contact) {
  Material glass{"glass", density_of_sphere(1, 0.1)};
  glass.young = 1e8;
  glass.poisson = 0.3;
  ContactParameters given = contact;
  if (law == ContactLaw::hooke) given.stiffness = floor_stiffness;
  Simulation3 simulation{{.materials = {glass},
                          .contact_parameters = {{.parameters = given}},
                          .law = law,
                          .time_step = 1e-6}};
  simulation.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  const TestSphere sphere[] = {{0, 0, 0.1, 0.1}};
  add_spheres(simulation, sphere, {{3, 0, -1}}, {});
  return simulation;
}

/// Speed ratio at the moment when the force of a spring and dashpot with restitution e vanishes.
double speed_ratio_at_zero_force(double e) {
  const double ratio = -std::log(e) / std::hypot(std::numbers::pi, std::log(e));
  const double omega = std::sqrt(1 - ratio * ratio);
  const double angle =
      std::numbers::pi - std::atan2(2 * ratio * omega, omega * omega - ratio * ratio);
  return std::exp(-ratio / omega * angle);
}

TEST(SphereOnFloor, SlidingImpactLosesMuTimesNormalImpulse) {
  const double mu = 0.3;
  for (const ContactLaw law : {ContactLaw::hooke, ContactLaw::hertz})
    for (const bool limit_damping : {false, true})
      for (const double e : {0.98, 0.5, 0.2}) {
        Simulation3 simulation =
            sliding_impact(law, {.restitution = e, .limit_damping = limit_damping, .friction = mu});
        double before = 3;
        for (int k = 0; k < 50000 && simulation.position(ParticleId{0})[2] <= 0.1; ++k) {
          simulation.advance(1);
          const double now = simulation.velocity(ParticleId{0})[0];
          ASSERT_LE(now, before) << "friction must oppose the slip; step " << k;
          before = now;
        }
        EXPECT_NEAR(simulation.velocity(ParticleId{0})[2], e, 2e-3);
        const double normal_impulse = 1 + (limit_damping ? e : speed_ratio_at_zero_force(e));
        EXPECT_NEAR((3 - before) / (mu * normal_impulse), 1, 3e-3)
            << (law == ContactLaw::hooke ? "Hooke " : "Hertz ") << limit_damping << ' ' << e;
        EXPECT_NEAR(simulation.angular_velocity(ParticleId{0})[1] * 0.1 / (2.5 * (3 - before)), 1,
                    1e-9);
      }
}

TEST(SphereOnFloor, HertzReboundIsElasticAtCriticalTimeStep) {
  Material rubber{"rubber", density_of_sphere(1, 0.1)};
  rubber.young = 1e7;
  for (const double speed : {0.1, 1.0, 5.0, 10.0}) {
    Model<3> model{.materials = {rubber}, .contact_parameters = {{}}, .law = ContactLaw::hertz};
    model.min_radius = {0.1};
    model.time_step = 0.999 * Simulation3{model}.critical_time_step();
    for (int phase = 0; phase < 10; ++phase) {
      Simulation3 simulation{model};
      simulation.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
      const TestSphere sphere[] = {{0, 0, 0.1 + 0.1 * phase * speed * model.time_step, 0.1}};
      add_spheres(simulation, sphere, {{0, 0, -speed}}, {});
      simulation.advance(200);
      EXPECT_NEAR(simulation.velocity(ParticleId{0})[2] / speed, 1, 0.05) << speed << ' ' << phase;
    }
  }
}

TEST(SphereOnFloor, HertzHasGivenRestitutionWithLimitedDamping) {
  Material glass{"glass", density_of_sphere(1, 0.1)};
  glass.young = 1e8;
  glass.poisson = 0.3;
  for (const bool limit_damping : {false, true}) {
    Simulation3 simulation{
        {.materials = {glass},
         .contact_parameters = {{.parameters = {.restitution = 0.3,
                                                .limit_damping = limit_damping}}},
         .law = ContactLaw::hertz,
         .time_step = 1e-6}};
    simulation.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
    const TestSphere sphere[] = {{0, 0, 0.1, 0.1}};
    add_spheres(simulation, sphere, {{0, 0, -1}}, {});
    simulation.advance(20000);
    EXPECT_NEAR(simulation.velocity(ParticleId{0})[2], 0.3, 1e-3) << limit_damping;
  }
}

TEST(SphereOnFloor, DroppedRotatingSphereGainsTangentialVelocity) {
  const double mu = 0.1;
  const double e = 0.7;
  const double r = 0.1;
  // With limit_damping the normal force, and so friction, acts until the end of the contact.
  Simulation3 simulation = sphere_on_floor(
      {.stiffness = floor_stiffness, .restitution = e, .limit_damping = true, .friction = mu}, r,
      {0, 0, -2}, {0, 100, 0});
  simulation.advance(500);
  EXPECT_NEAR(simulation.velocity(ParticleId{0})[0], mu * (1 + e) * 2, 5e-3);
  EXPECT_NEAR(simulation.angular_velocity(ParticleId{0})[1], 100 - 2.5 * mu * (1 + e) * 2 / r, 0.2);
}

}  // namespace
}  // namespace abut::testing
