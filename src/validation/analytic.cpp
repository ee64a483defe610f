#include "validation/analytic.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numbers>

namespace abut {

// ----- Spring-dashpot contacts ------------------------------------------------------------------

namespace {

using std::numbers::pi;

constexpr double spring_radius = 0.1;
constexpr double spring_stiffness = 1e4;

struct Bounce {
  ImpactResult impact;
  double restitution;
};

// Two spheres of mass 2, that is, of reduced mass 1, collide with a relative speed of 1.
Bounce bounce(const ContactParameters& law) {
  Simulation3 simulation{{.materials = {{"sphere", density_of(2, spring_radius)}},
                          .contact_parameters = {{.parameters = law}},
                          .time_step = 2e-6}};
  add_sphere(simulation, {-spring_radius, 0, 0}, spring_radius, {0.5, 0, 0});
  add_sphere(simulation, {spring_radius, 0, 0}, spring_radius, {-0.5, 0, 0});
  const ImpactResult impact = simulate_impact(simulation, 1);
  simulation.advance(10);
  return {impact, simulation.particle(ParticleIndex{1}).velocity[0] -
                      simulation.particle(ParticleIndex{0}).velocity[0]};
}

}  // namespace

// With the decay rate β = c/(2m) and ω = √(k/m − β²): contact time π/ω, restitution e^(−βπ/ω). With
// limited damping the contact ends when the force vanishes: T. Schwager and T. Pöschel, Granular
// Matter 9 (2007) 465.
std::vector<AnalyticCheck> spring_checks() {
  const double damping = 20;
  const double rate = damping / 2;
  const double omega = std::sqrt(spring_stiffness - rate * rate);
  const double contact_time = pi / omega;
  const Bounce damped = bounce({.stiffness = spring_stiffness, .damping = damping});
  const Bounce limited =
      bounce({.stiffness = spring_stiffness, .damping = damping, .limit_damping = true});
  const double max_overlap =
      std::exp(-rate / omega * std::atan(omega / rate)) / std::sqrt(spring_stiffness);
  const double separation_phase =  // ωt when the force vanishes
      pi - std::atan2(2 * rate * omega, omega * omega - rate * rate);
  std::vector<AnalyticCheck> checks{
      {"spring-dashpot: contact time (s)", contact_time, damped.impact.time, 1e-3},
      {"spring-dashpot: restitution", std::exp(-rate * contact_time), damped.restitution, 1e-4},
      {"spring-dashpot: maximum overlap (m)", max_overlap, damped.impact.overlap, 1e-4},
      {"spring-dashpot with limited damping: restitution",
       std::exp(-rate / omega * separation_phase), limited.restitution, 1e-4}};
  for (const double e : {0.1, 0.5, 0.9})
    checks.push_back({fmt::format("prescribed restitution {}", e), e,
                      bounce({.stiffness = spring_stiffness, .restitution = e}).restitution, 1e-3});
  return checks;
}

// ----- Hertzian impacts -------------------------------------------------------------------------
// Y. C. Chung and J. Y. Ooi, Benchmark tests for verifying discrete element modelling codes at
// particle impact level, Granular Matter 13 (2011) 643.

namespace {

struct ElasticImpact {
  double mass;     // reduced: 1/m = 1/m1 + 1/m2
  double radius;   // reduced: 1/r = 1/r1 + 1/r2
  double modulus;  // effective: 1/E* = (1 − ν1²)/E1 + (1 − ν2²)/E2
  double speed;    // relative, before the impact
};

// Hertz theory: k = 4/3 E* √r, overlap (5/4 m v²/k)^(2/5), force k overlap^(3/2), contact time
// 2 √π Γ(7/5)/Γ(9/10) overlap/v.
ImpactResult hertz_impact(const ElasticImpact& e) {
  const double stiffness = 4.0 / 3 * e.modulus * std::sqrt(e.radius);
  ImpactResult impact;
  impact.overlap = std::pow(1.25 * e.mass * e.speed * e.speed / stiffness, 0.4);
  impact.force = stiffness * std::pow(impact.overlap, 1.5);
  const double factor = 2 * std::sqrt(std::numbers::pi) * std::tgamma(1.4) / std::tgamma(0.9);
  impact.time = factor * impact.overlap / e.speed;
  return impact;
}

// E/(1 − ν²).
double plane_strain_modulus(const Material& m) { return m.young / (1 - m.poisson * m.poisson); }

double mass_of(const Material& m, double radius) { return m.density / density_of(1, radius); }

void add_impact(std::vector<AnalyticCheck>& checks, const std::string& name,
                const ImpactResult& expected, const ImpactResult& measured) {
  checks.push_back({name + ": overlap (m)", expected.overlap, measured.overlap, 1e-3});
  checks.push_back({name + ": force (N)", expected.force, measured.force, 1e-3});
  checks.push_back({name + ": contact time (s)", expected.time, measured.time, 3e-3});
}

// Benchmark 1: elastic impact of two spheres.
void two_spheres(std::vector<AnalyticCheck>& checks, const Material& material) {
  const double r = 0.01;
  Simulation3 simulation{{.materials = {material},
                          .contact_parameters = {{.parameters = {}}},
                          .law = ContactLaw::hertz,
                          .time_step = 4e-9}};
  add_sphere(simulation, {-r, 0, 0}, r, {10, 0, 0});
  add_sphere(simulation, {r, 0, 0}, r, {-10, 0, 0});
  const ElasticImpact impact{mass_of(material, r) / 2, r / 2, plane_strain_modulus(material) / 2,
                             20};
  add_impact(checks, "benchmark 1, two spheres, " + material.name, hertz_impact(impact),
             simulate_impact(simulation, 10));
}

// A sphere at x = radius about to hit the rigid plane x = 0.
Simulation3 sphere_toward_plane(const Material& material, const ContactParameters& law,
                                double radius, const Point<3>& velocity, double step) {
  Simulation3 simulation{
      {.materials = {material, {"rigid", 1000, 1e30, 0}},
       .contact_parameters = {{.parameters = law}, {MaterialId{0}, MaterialId{1}, law}},
       .law = ContactLaw::hertz,
       .time_step = step}};
  simulation.add(Wall<3>{"plane", Plane<3>{{0, 0, 0}, {1, 0, 0}}, MaterialId{1}});
  add_sphere(simulation, {radius, 0, 0}, radius, velocity);
  return simulation;
}

// Benchmark 2: elastic impact of a sphere on a rigid plane.
void sphere_and_plane(std::vector<AnalyticCheck>& checks, const Material& material) {
  const double r = 0.1;
  Simulation3 simulation = sphere_toward_plane(material, {}, r, {-0.2, 0, 0}, 8e-8);
  const ElasticImpact impact{mass_of(material, r), r, plane_strain_modulus(material), 0.2};
  add_impact(checks, "benchmark 2, sphere on plane, " + material.name, hertz_impact(impact),
             simulate_impact(simulation, 10));
}

Material alumina() { return {"alumina", 4000, 380e9, 0.23}; }

// Benchmark 3: prescribed restitution.
void prescribed_restitution(std::vector<AnalyticCheck>& checks, double e) {
  Simulation3 simulation =
      sphere_toward_plane(alumina(), {.restitution = e}, 0.0025, {-3.9, 0, 0}, 2e-9);
  simulate_impact(simulation, 10);
  checks.push_back({fmt::format("benchmark 3, prescribed restitution {}", e), e,
                    simulation.particle(ParticleIndex{0}).velocity[0] / 3.9, 5e-3});
}

// Benchmark 7: opposite angular velocities, so that the surfaces do not slide and the rotation does
// not change.
void opposite_rotations(std::vector<AnalyticCheck>& checks) {
  Simulation3 simulation{
      {.materials = {{"aluminum", 2699, 70e9, 0.30}},
       .contact_parameters = {{.parameters = {.restitution = 0.5, .friction = 0.4}}},
       .law = ContactLaw::hertz,
       .time_step = 4e-8}};
  add_sphere(simulation, {-0.1, 0, 0}, 0.1, {0.2, 0, 0}, {0, 0, 3});
  add_sphere(simulation, {0.1, 0, 0}, 0.1, {-0.2, 0, 0}, {0, 0, -3});
  simulate_impact(simulation, 10);
  checks.push_back({"benchmark 7, opposite rotations: angular velocity (rad/s)", 3,
                    simulation.particle(ParticleIndex{0}).angular_velocity[2], 1e-6});
  checks.push_back({"benchmark 7, opposite rotations: speed (m/s)", 0.1,
                    simulation.particle(ParticleIndex{1}).velocity[0], 5e-3});
}

// Benchmark 4. While sliding, friction changes the tangential velocity by µ(1 + e)v_n, and the
// surface velocity by 5/2 of that.
ObliqueImpact oblique_impact(double degrees) {
  const double e = 0.98;
  const double mu = 0.092;
  const double r = 0.0025;
  const double speed = 3.9;
  const double angle = degrees * std::numbers::pi / 180;
  const double normal_speed = speed * std::cos(angle);
  const double tangential_speed = speed * std::sin(angle);
  Simulation3 simulation = sphere_toward_plane(alumina(), {.restitution = e, .friction = mu}, r,
                                               {-normal_speed, tangential_speed, 0}, 2e-9);
  simulate_impact(simulation, 10);
  const auto after = simulation.particle(ParticleIndex{0});
  const double change = mu * (1 + e) * normal_speed;
  return {degrees,
          tangential_speed > 3.6 * change,
          after.velocity[1] / speed,
          (tangential_speed - change) / speed,
          after.angular_velocity[2] * r / speed,
          2.5 * change / speed};
}

}  // namespace

std::vector<AnalyticCheck> hertz_checks() {
  std::vector<AnalyticCheck> checks;
  two_spheres(checks, {"glass", 2800, 48e9, 0.20});
  two_spheres(checks, {"limestone", 2500, 20e9, 0.25});
  sphere_and_plane(checks, {"aluminum", 2699, 70e9, 0.30});
  sphere_and_plane(checks, {"magnesium", 1800, 40e9, 0.35});
  for (const double e : {0.2, 0.6, 1.0}) prescribed_restitution(checks, e);
  opposite_rotations(checks);
  return checks;
}

std::vector<ObliqueImpact> oblique_impacts() {
  std::vector<ObliqueImpact> impacts;
  for (int degrees = 5; degrees < 90; degrees += 5) impacts.push_back(oblique_impact(degrees));
  return impacts;
}

// ----- A sphere on a floor ----------------------------------------------------------------------

namespace {

constexpr double floor_gravity = 10;
constexpr double floor_radius = 0.1;
constexpr double floor_stiffness = 1e6;

struct InitialState {
  double height;
  double speed = 0;    // along x
  double tilt = 0;     // angle between gravity and −z, rad
  double step = 1e-5;  // s
};

// A sphere of mass 1 over the floor z = 0.
Simulation3 sphere_over_floor(const ContactParameters& law, const InitialState& start) {
  Simulation3 simulation{
      {.materials = {{"sphere", density_of(1, floor_radius)}},
       .contact_parameters = {{.parameters = law}},
       .gravity = {floor_gravity * std::sin(start.tilt), 0, -floor_gravity * std::cos(start.tilt)},
       .time_step = start.step}};
  simulation.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  add_sphere(simulation, {0, 0, start.height}, floor_radius, {start.speed, 0, 0});
  return simulation;
}

// Height of the center at static equilibrium.
double resting_height(double tilt = 0) {
  return floor_radius - floor_gravity * std::cos(tilt) / floor_stiffness;
}

// Advances by a number of bounces and returns the height of the last apex above the floor.
double apex_height_after(Simulation3& simulation, int bounces) {
  double previous = 0;
  while (bounces > 0 && simulation.time() < 10) {
    simulation.advance(1);
    const double velocity = simulation.particle(ParticleIndex{0}).velocity[2];
    if (previous > 0 && velocity <= 0) --bounces;
    previous = velocity;
  }
  return simulation.particle(ParticleIndex{0}).position[2] - floor_radius;
}

void bouncing(std::vector<AnalyticCheck>& checks) {
  const double e = 0.8;
  const double drop = 0.4;
  // So stiff that the weight is negligible during the contact; the step resolves the contact.
  Simulation3 simulation = sphere_over_floor({.stiffness = 10 * floor_stiffness, .restitution = e},
                                             {.height = floor_radius + drop, .step = 2e-6});
  for (int k = 1; k <= 3; ++k)
    checks.push_back({fmt::format("bouncing, e = 0.8: height of bounce {} (m)", k),
                      drop * std::pow(e, 2 * k), apex_height_after(simulation, 1), 0.01});
}

void sliding_to_rolling(std::vector<AnalyticCheck>& checks) {
  const double mu = 0.3;
  const double initial_speed = 1;
  Simulation3 simulation =
      sphere_over_floor({.stiffness = floor_stiffness, .restitution = 0.5, .friction = mu},
                        {.height = resting_height(), .speed = initial_speed});
  const double sliding_time = 2 * initial_speed / (7 * mu * floor_gravity);
  simulation.advance(static_cast<std::size_t>(sliding_time / 2 / simulation.time_step()));
  checks.push_back({"sliding to rolling: speed at half the sliding time (m/s)",
                    initial_speed * 6 / 7, simulation.particle(ParticleIndex{0}).velocity[0],
                    2e-3});
  simulation.advance(static_cast<std::size_t>(sliding_time / simulation.time_step()));
  checks.push_back({"sliding to rolling: final speed (m/s)", initial_speed * 5 / 7,
                    simulation.particle(ParticleIndex{0}).velocity[0], 2e-3});
  checks.push_back({"sliding to rolling: final angular velocity (rad/s)",
                    initial_speed * 5 / 7 / floor_radius,
                    simulation.particle(ParticleIndex{0}).angular_velocity[1], 2e-3});
}

// A sphere rolls without sliding up to tan θ = 7µ/2. `angle_ratio` is θ over that limit.
void down_incline(std::vector<AnalyticCheck>& checks, double angle_ratio, const char* name) {
  const double mu = 0.2;
  const double duration = 0.2;
  const double tilt = angle_ratio * std::atan(3.5 * mu);
  Simulation3 simulation =
      sphere_over_floor({.stiffness = floor_stiffness, .restitution = 0.5, .friction = mu},
                        {.height = resting_height(tilt), .tilt = tilt});
  simulation.advance(static_cast<std::size_t>(std::llround(duration / simulation.time_step())));
  const double acceleration =  // in units of g
      angle_ratio < 1 ? 5.0 / 7 * std::sin(tilt) : std::sin(tilt) - mu * std::cos(tilt);
  checks.push_back({name, floor_gravity * acceleration * duration,
                    simulation.particle(ParticleIndex{0}).velocity[0], 5e-3});
}

}  // namespace

std::vector<AnalyticCheck> floor_checks() {
  std::vector<AnalyticCheck> checks;
  bouncing(checks);
  sliding_to_rolling(checks);
  down_incline(checks, 0.9, "incline at 0.9 of the sliding angle: speed (m/s)");
  down_incline(checks, 1.1, "incline at 1.1 of the sliding angle: speed (m/s)");
  return checks;
}

}  // namespace abut
