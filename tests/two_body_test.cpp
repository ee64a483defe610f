// Two-body problems with analytical solutions.

#include <gtest/gtest.h>

#include <abut/simulation.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "sphere_fixtures.hpp"

namespace abut::testing {
namespace {

using std::numbers::pi;

constexpr double unit_radius = 0.1;

struct Impact {
  double contact_time = 0;
  double restitution = 0;
  double overlap = 0;
};

/// Two spheres of mass 2 (reduced mass 1) in contact that approach with a relative speed of 1.
Simulation3 about_to_collide(const ContactParameters& law, double step, Integrator integrator) {
  Simulation3 simulation{{.materials = {{"m", density_of_sphere(2, unit_radius)}},
                          .contact_parameters = {{.parameters = law}},
                          .integrator = integrator,
                          .time_step = step}};
  const TestSphere pair[] = {{-unit_radius, 0, 0, unit_radius}, {unit_radius, 0, 0, unit_radius}};
  add_spheres(simulation, pair, {{0.5, 0, 0}, {-0.5, 0, 0}});
  return simulation;
}

Impact collide(const ContactParameters& law, double step, Integrator integrator) {
  Simulation3 simulation = about_to_collide(law, step, integrator);
  Impact impact;
  std::size_t contact_steps = 0;
  for (int k = 0; k < 100000; ++k) {
    simulation.advance(1);
    const double overlap = 2 * unit_radius - std::abs(simulation.position(ParticleId{0})[0] -
                                                      simulation.position(ParticleId{1})[0]);
    if (overlap <= 0) break;
    ++contact_steps;
    impact.overlap = std::max(impact.overlap, overlap);
  }
  impact.contact_time = static_cast<double>(contact_steps) * step;
  simulation.advance(10);
  impact.restitution =
      std::abs(simulation.velocity(ParticleId{0})[0] - simulation.velocity(ParticleId{1})[0]);
  return impact;
}

class TwoBodyImpact : public ::testing::TestWithParam<Integrator> {};

TEST_P(TwoBodyImpact, MatchesSpringAndDashpot) {
  const Impact impact = collide({.stiffness = 1e4, .damping = 20}, 2e-6, GetParam());
  EXPECT_NEAR(impact.contact_time, 0.0315741942, 1e-5);
  EXPECT_NEAR(impact.restitution, 0.7292476143, 3e-5);
  EXPECT_NEAR(impact.overlap, 0.0086260037, 1e-6);
}

TEST_P(TwoBodyImpact, MatchesRestitutionWithLimitedDamping) {
  const Impact impact =
      collide({.stiffness = 1e4, .damping = 20, .limit_damping = true}, 2e-6, GetParam());
  EXPECT_NEAR(impact.restitution, 0.7440793977, 2e-5);
}

TEST_P(TwoBodyImpact, EndsEarlierWithLimitedDamping) {
  const double step = 1e-5;
  Simulation3 simulation =
      about_to_collide({.stiffness = 1e4, .damping = 20, .limit_damping = true}, step, GetParam());
  double end_of_contact = 0;
  for (int k = 0; k < 4000; ++k) {
    simulation.advance(1);
    const auto contacts = simulation.contacts();
    if (!contacts.empty() && std::abs(contacts[0].force[0]) > 0) end_of_contact = simulation.time();
  }
  EXPECT_NEAR(end_of_contact, 0.0295607532, 2 * step);
}

TEST_P(TwoBodyImpact, DefaultTimeStepIsAFractionOfTheLimitOfCentralDifferences) {
  Simulation3 simulation = about_to_collide({.stiffness = 1e4, .damping = 20}, 0, GetParam());
  const double ratio = 20 / (2 * std::sqrt(1e4));
  const double bound = 2 / 100.0 * (std::sqrt(1 + ratio * ratio) - ratio);
  const double factor = GetParam() == Integrator::predictor_corrector ? 0.6 : 1;
  EXPECT_NEAR(simulation.time_step(), 0.1 * factor * bound, 1e-12);
}

TEST_P(TwoBodyImpact, HasGivenRestitution) {
  for (const bool limit_damping : {false, true})
    for (const double e : {0.1, 0.3, 0.5, 0.9, 1.0})
      EXPECT_NEAR(collide({.stiffness = 1e4, .restitution = e, .limit_damping = limit_damping},
                          2e-6, GetParam())
                      .restitution,
                  e, 1e-4)
          << e << ' ' << limit_damping;
}

INSTANTIATE_TEST_SUITE_P(Every, TwoBodyImpact,
                         ::testing::Values(Integrator::central_difference,
                                           Integrator::velocity_verlet,
                                           Integrator::predictor_corrector));

TEST(SimulationContacts, NormalPointsFromAToBAndToTheWall) {
  Simulation3 simulation{{.materials = {{"m", 1000}},
                          .contact_parameters = {{.parameters = {.stiffness = 1e4}}},
                          .time_step = 1e-5}};
  simulation.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}, MaterialId{0}});
  const TestSphere spheres[] = {{0, 0, 0.09, 0.1}, {0.114, 0, 0.242, 0.1}};  // 0.19 apart
  add_spheres(simulation, spheres);
  const auto contacts = simulation.contacts();
  ASSERT_EQ(contacts.size(), 2U);
  const double sign = contacts[0].a == ParticleId{0} ? 1 : -1;
  EXPECT_NEAR(contacts[0].normal[0], sign * 0.6, 1e-12);
  EXPECT_NEAR(contacts[0].normal[2], sign * 0.8, 1e-12);
  EXPECT_NEAR(contacts[0].point[0], 0.057, 1e-12);
  EXPECT_NEAR(contacts[0].point[2], 0.166, 1e-12);
  EXPECT_NEAR(contacts[0].force[0], -sign * 60, 1e-9);  // repulsive: against the normal
  EXPECT_TRUE(contacts[1].is_wall);
  EXPECT_EQ(contacts[1].normal[2], -1);
  EXPECT_NEAR(contacts[1].point[2], 0, 1e-12);
  EXPECT_NEAR(contacts[1].force[2], 100, 1e-9);
}

TEST(SimulationContacts, OpenedWallHasNoContacts) {
  Simulation3 simulation{{.materials = {{"m", 1000}},
                          .contact_parameters = {{.parameters = {.stiffness = 1e4}}},
                          .time_step = 1e-5}};
  const WallId floor =
      simulation.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}, MaterialId{0}});
  const TestSphere spheres[] = {{0, 0, 0.09, 0.1}};
  add_spheres(simulation, spheres);
  simulation.advance(1);
  ASSERT_EQ(simulation.contacts().size(), 1U);
  simulation.set_open(floor);
  EXPECT_EQ(simulation.contacts().size(), 0U);
  EXPECT_EQ(simulation.wall_force(floor)[2], 0);
}

struct HertzCase {
  Material material;
  double overlap, force, time;
};

/// Maximum overlap and force of an impact along x, and its duration.
HertzCase hertz_impact(Simulation3& simulation, double step) {
  HertzCase result{};
  for (int k = 0; k < 100000; ++k) {
    simulation.advance(10);
    const auto contacts = simulation.contacts();
    if (contacts.empty()) break;
    result.time += 10 * step;
    result.overlap = std::max(result.overlap, contacts[0].overlap);
    result.force = std::max(result.force, std::abs(contacts[0].force[0]));
  }
  return result;
}

void expect_equal_impacts(const HertzCase& result, const HertzCase& expected) {
  EXPECT_NEAR(result.overlap / expected.overlap, 1, 1e-4) << expected.material.name;
  EXPECT_NEAR(result.force / expected.force, 1, 1e-4) << expected.material.name;
  EXPECT_NEAR(result.time / expected.time, 1, 2e-3) << expected.material.name;
}

TEST(ChungAndOoi, Test1TwoSpheresCollideElastically) {
  for (const HertzCase& expected :
       {HertzCase{{"glass", 2800, 48e9, 0.20}, 274.11e-6, 10697, 40.34e-6},
        HertzCase{{"limestone", 2500, 20e9, 0.25}, 368.30e-6, 7108, 54.20e-6}}) {
    const double step = 2e-9;
    Simulation3 simulation{{.materials = {expected.material},
                            .contact_parameters = {{}},
                            .law = ContactLaw::hertz,
                            .time_step = step}};
    const TestSphere pair[] = {{-0.01, 0, 0, 0.01}, {0.01, 0, 0, 0.01}};
    add_spheres(simulation, pair, {{10, 0, 0}, {-10, 0, 0}});
    expect_equal_impacts(hertz_impact(simulation, step), expected);
  }
}

/// With a second, practically rigid material for a plane.
Model<3> on_rigid_plane(const Material& material, const ContactParameters& law, double step) {
  return {.materials = {material, {"rigid", 1000, 1e30, 0}},
          .contact_parameters = {{.parameters = law}, {MaterialId{0}, MaterialId{1}, law}},
          .law = ContactLaw::hertz,
          .time_step = step};
}

TEST(ChungAndOoi, Test2SphereHitsRigidPlane) {
  for (const HertzCase& expected :
       {HertzCase{{"Al", 2699, 70e9, 0.30}, 49.72e-6, 11370, 731.7e-6},
        HertzCase{{"Mg", 1800, 40e9, 0.35}, 52.12e-6, 7233, 767.1e-6}}) {
    const double step = 4e-8;
    Simulation3 simulation{on_rigid_plane(expected.material, {}, step)};
    simulation.add(Wall<3>{"plane", Plane<3>{{0, 0, 0}, {1, 0, 0}}, MaterialId{1}});
    const TestSphere sphere[] = {{0.1, 0, 0, 0.1}};
    add_spheres(simulation, sphere, {{-0.2, 0, 0}});
    expect_equal_impacts(hertz_impact(simulation, step), expected);
  }
}

TEST(ChungAndOoi, Test3ImpactHasGivenRestitution) {
  for (const Material& material :
       {Material{"Al2O3", 4000, 380e9, 0.23}, Material{"iron", 7000, 100e9, 0.25}})
    for (const double e : {0.2, 0.4, 0.6, 0.8, 1.0}) {
      Simulation3 simulation{on_rigid_plane(material, {.restitution = e}, 2e-9)};
      simulation.add(Wall<3>{"plane", Plane<3>{{0, 0, 0}, {1, 0, 0}}, MaterialId{1}});
      const TestSphere sphere[] = {{0.0025, 0, 0, 0.0025}};
      add_spheres(simulation, sphere, {{-3.9, 0, 0}});
      hertz_impact(simulation, 2e-9);
      EXPECT_NEAR(simulation.velocity(ParticleId{0})[0], e * 3.9, 0.002 * 3.9)
          << material.name << ' ' << e;
    }
}

TEST(ChungAndOoi, Test4ObliqueImpactSlides) {
  const double e = 0.98;
  const double mu = 0.092;
  const double r = 0.0025;
  for (double degrees = 5; degrees < 90; degrees += 5) {
    Simulation3 simulation{
        on_rigid_plane({"Al2O3", 4000, 380e9, 0.23}, {.restitution = e, .friction = mu}, 2e-9)};
    simulation.add(Wall<3>{"plane", Plane<3>{{0, 0, 0}, {1, 0, 0}}, MaterialId{1}});
    const double angle = degrees * pi / 180;  // from the plane's normal
    const double vn = 3.9 * std::cos(angle);
    const double vt = 3.9 * std::sin(angle);
    const TestSphere sphere[] = {{r, 0, 0, r}};
    add_spheres(simulation, sphere, {{-vn, vt, 0}});
    hertz_impact(simulation, 2e-9);
    if (vt / vn < 3.6 * mu * (1 + e)) continue;
    const auto after = simulation.particle(ParticleId{0});
    EXPECT_NEAR(after.velocity[0], e * vn, 0.002 * vn);
    EXPECT_NEAR(after.velocity[1], vt - mu * (1 + e) * vn, 1e-3 * 3.9) << degrees;
    EXPECT_NEAR(after.angular_velocity[2] * r, 2.5 * mu * (1 + e) * vn, 3e-3 * 3.9) << degrees;
  }
}

TEST(ChungAndOoi, Test7OppositeRotationsDoNotSlip) {
  Simulation3 simulation{
      {.materials = {{"Al", 2699, 70e9, 0.30}},
       .contact_parameters = {{.parameters = {.restitution = 0.5, .friction = 0.4}}},
       .law = ContactLaw::hertz,
       .time_step = 4e-8}};
  const TestSphere pair[] = {{-0.1, 0, 0, 0.1}, {0.1, 0, 0, 0.1}};
  add_spheres(simulation, pair, {{0.2, 0, 0}, {-0.2, 0, 0}}, {{0, 0, 3}, {0, 0, -3}});
  hertz_impact(simulation, 4e-8);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto after = simulation.particle(ParticleIndex{i});
    EXPECT_NEAR(std::abs(after.angular_velocity[2]), 3, 1e-9);
    EXPECT_NEAR(after.velocity[1], 0, 1e-9);
    EXPECT_NEAR(std::abs(after.velocity[0]), 0.1, 1e-3);
  }
}

TEST(StackedSpheres, ReachTheoreticalEquilibriumBetweenTwoWalls) {
  const double r = 0.5e-3;
  struct Case {
    double e, lower, upper;
  };
  for (const auto& [e, lower, upper] :
       {Case{1, 4.27127963e-4, 1.38355313e-3}, Case{0.9, 4.30837641e-4, 1.37229598e-3}}) {
    const ContactParameters law{.stiffness = 1000, .restitution = e};
    Simulation3 simulation{{.materials = {{"heavy", 20000}, {"light", 10000}},
                            .contact_parameters = {{.parameters = law},
                                                   {MaterialId{0}, MaterialId{1}, law},
                                                   {MaterialId{1}, MaterialId{1}, law}},
                            .gravity = {0, -9.81, 0},
                            .time_step = 1e-8}};
    simulation.add(Wall<3>{"low", Plane<3>{{0, 0, 0}, {0, 1, 0}}});
    simulation.add(Wall<3>{"high", Plane<3>{{0, 3.6 * r, 0}, {0, -1, 0}}, MaterialId{1}});
    const TestSphere first[] = {{0, 0.45e-3, 0, r}};
    const TestSphere second[] = {{0, 1.35e-3, 0, r}};
    add_spheres(simulation, first);
    add_spheres(simulation, second, {}, {}, MaterialId{1});
    simulation.advance(100000);
    EXPECT_NEAR(simulation.position(ParticleId{0})[1] / lower, 1, 1e-5) << e;
    EXPECT_NEAR(simulation.position(ParticleId{1})[1] / upper, 1, 1e-5) << e;
  }
}

/// Two spheres in contact that separate with a speed, with a cohesion range of 1 mm. Returns the
/// gap and the relative speed after a time.
std::pair<double, double> separate(double speed, double time) {
  Simulation3 simulation{
      {.materials = {{"m", density_of_sphere(2, 0.1)}},
       .contact_parameters = {{.parameters = {.stiffness = 1e4, .cohesion_force = 10}}},
       .time_step = 1e-6}};
  const TestSphere pair[] = {{-0.1, 0, 0, 0.1}, {0.1, 0, 0, 0.1}};
  add_spheres(simulation, pair, {{-speed / 2, 0, 0}, {speed / 2, 0, 0}});
  simulation.advance(static_cast<std::size_t>(time / 1e-6));
  return {
      std::abs(simulation.position(ParticleId{0})[0] - simulation.position(ParticleId{1})[0]) - 0.2,
      std::abs(simulation.velocity(ParticleId{0})[0] - simulation.velocity(ParticleId{1})[0])};
}

TEST(Cohesion, HoldsSlowlySeparatingParticles) {
  const double omega = 100;  // √(k/m) of the reduced mass 1
  const auto [gap, speed] = separate(0.05, 0.05);
  EXPECT_NEAR(gap, 0.05 / omega, 1e-6);
  EXPECT_NEAR(speed, 0, 1e-3);
}

TEST(Cohesion, SlowsFastSeparatingParticles) {
  const double range = 1e-3;
  const auto [gap, speed] = separate(0.2, 0.05);
  EXPECT_GT(gap, range);
  EXPECT_NEAR(speed, std::sqrt(0.2 * 0.2 - 1e4 * range * range), 1e-4);
}

TEST(Cohesion, DoesNotActOnApproachingParticles) {
  Simulation3 simulation{
      {.materials = {{"m", density_of_sphere(2, 0.1)}},
       .contact_parameters = {{.parameters = {.stiffness = 1e4, .cohesion_force = 10}}},
       .time_step = 1e-6}};
  const TestSphere pair[] = {{-0.1004, 0, 0, 0.1}, {0.1004, 0, 0, 0.1}};
  add_spheres(simulation, pair, {{0.05, 0, 0}, {-0.05, 0, 0}});
  simulation.advance(1000);  // 0.1 mm
  EXPECT_NEAR(simulation.velocity(ParticleId{0})[0], 0.05, 1e-12);
}

}  // namespace
}  // namespace abut::testing
