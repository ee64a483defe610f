#include "validation/analytic.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numbers>

namespace abut {
namespace {

using std::numbers::pi;

constexpr double spring_radius = 0.1;
constexpr double spring_stiffness = 1e4;

struct Bounce {
  ImpactResult impact;
  double restitution;
};

// Two of mass 2, so that the reduced mass is 1, that meet with a relative speed of 1.
Bounce bounce(const ContactParameters& law) {
  Simulation3 run{{.materials = {{"ball", density_of(2, spring_radius)}},
                   .contact_parameters = {{.parameters = law}},
                   .time_step = 2e-6}};
  add_sphere(run, {-spring_radius, 0, 0}, spring_radius, {0.5, 0, 0});
  add_sphere(run, {spring_radius, 0, 0}, spring_radius, {-0.5, 0, 0});
  const ImpactResult seen = simulate_impact(run, 1);
  run.advance(10);
  return {seen,
          run.particle(ParticleIndex{1}).velocity[0] - run.particle(ParticleIndex{0}).velocity[0]};
}

}  // namespace

// The clamped one after Schwager and Pöschel, Granular Matter 9 (2007) 465.
std::vector<AnalyticCheck> spring_checks() {
  const double damping = 20;
  const double rate = damping / 2;
  const double omega = std::sqrt(spring_stiffness - rate * rate);
  const double lasts = pi / omega;
  const Bounce free = bounce({.stiffness = spring_stiffness, .damping = damping});
  const Bounce clamped =
      bounce({.stiffness = spring_stiffness, .damping = damping, .limit_damping = true});
  const double deepest =
      std::exp(-rate / omega * std::atan(omega / rate)) / std::sqrt(spring_stiffness);
  const double lets_go =
      pi - std::atan2(2 * rate * omega, omega * omega - rate * rate);  // ω t at that moment
  std::vector<AnalyticCheck> forms{
      {"spring and dashpot: contact time, s", lasts, free.impact.time, 1e-3},
      {"spring and dashpot: restitution", std::exp(-rate * lasts), free.restitution, 1e-4},
      {"spring and dashpot: deepest overlap, m", deepest, free.impact.overlap, 1e-4},
      {"dashpot that only pushes: restitution", std::exp(-rate / omega * lets_go),
       clamped.restitution, 1e-4}};
  for (const double e : {0.1, 0.5, 0.9})
    forms.push_back({fmt::format("restitution {} asked for", e), e,
                     bounce({.stiffness = spring_stiffness, .restitution = e}).restitution, 1e-3});
  return forms;
}

}  // namespace abut

// Y. C. Chung and J. Y. Ooi, Benchmark tests for verifying discrete element modelling codes at
// particle impact level, Granular Matter 13 (2011) 643.
namespace abut {
namespace {

struct Elastic {
  double mass;     // reduced
  double radius;   // reduced
  double modulus;  // of both together
  double speed;    // at which they meet
};

// Hertz: the deepest overlap, the largest force and the time of an elastic impact.
ImpactResult hertz_impact(const Elastic& e) {
  const double stiffness = 4.0 / 3 * e.modulus * std::sqrt(e.radius);
  ImpactResult impact;
  impact.overlap = std::pow(1.25 * e.mass * e.speed * e.speed / stiffness, 0.4);
  impact.force = stiffness * std::pow(impact.overlap, 1.5);
  const double all_of_it = 2 * std::sqrt(std::numbers::pi) * std::tgamma(1.4) / std::tgamma(0.9);
  impact.time = all_of_it * impact.overlap / e.speed;
  return impact;
}

double plane_modulus(const Material& m) { return m.young / (1 - m.poisson * m.poisson); }

double mass_of(const Material& m, double radius) { return m.density / density_of(1, radius); }

void add_impact(std::vector<AnalyticCheck>& forms, const std::string& name,
                const ImpactResult& expected, const ImpactResult& seen) {
  forms.push_back({name + ": overlap, m", expected.overlap, seen.overlap, 1e-3});
  forms.push_back({name + ": force, N", expected.force, seen.force, 1e-3});
  forms.push_back({name + ": contact time, s", expected.time, seen.time, 3e-3});
}

// Benchmark 1.
void two_spheres(std::vector<AnalyticCheck>& forms, const Material& material) {
  const double r = 0.01;
  Simulation3 run{{.materials = {material},
                   .contact_parameters = {{.parameters = {}}},
                   .law = ContactLaw::hertz,
                   .time_step = 4e-9}};
  add_sphere(run, {-r, 0, 0}, r, {10, 0, 0});
  add_sphere(run, {r, 0, 0}, r, {-10, 0, 0});
  const Elastic both{mass_of(material, r) / 2, r / 2, plane_modulus(material) / 2, 20};
  add_impact(forms, "1, two spheres of " + material.name, hertz_impact(both),
             simulate_impact(run, 10));
}

// A ball at x = radius that flies into a plane that does not give.
Simulation3 sphere_toward_plane(const Material& material, const ContactParameters& law,
                                double radius, const Point<3>& velocity, double step) {
  Simulation3 run{{.materials = {material, {"rigid", 1000, 1e30, 0}},
                   .contact_parameters = {{.parameters = law}, {MaterialId{0}, MaterialId{1}, law}},
                   .law = ContactLaw::hertz,
                   .time_step = step}};
  run.add(Wall<3>{"plane", Plane<3>{{0, 0, 0}, {1, 0, 0}}, MaterialId{1}});
  add_sphere(run, {radius, 0, 0}, radius, velocity);
  return run;
}

// Benchmark 2.
void sphere_and_plane(std::vector<AnalyticCheck>& forms, const Material& material) {
  const double r = 0.1;
  Simulation3 run = sphere_toward_plane(material, {}, r, {-0.2, 0, 0}, 8e-8);
  const Elastic both{mass_of(material, r), r, plane_modulus(material), 0.2};
  add_impact(forms, "2, sphere of " + material.name + " and plane", hertz_impact(both),
             simulate_impact(run, 10));
}

const Material alumina{"alumina", 4000, 380e9, 0.23};

// Benchmark 3.
void given_restitution(std::vector<AnalyticCheck>& forms, double e) {
  Simulation3 run = sphere_toward_plane(alumina, {.restitution = e}, 0.0025, {-3.9, 0, 0}, 2e-9);
  simulate_impact(run, 10);
  forms.push_back({fmt::format("3, restitution {} asked for", e), e,
                   run.particle(ParticleIndex{0}).velocity[0] / 3.9, 5e-3});
}

// Benchmark 7: opposite spins, so that the surfaces move alike and nothing changes them.
void opposite_spins(std::vector<AnalyticCheck>& forms) {
  Simulation3 run{{.materials = {{"aluminium", 2699, 70e9, 0.30}},
                   .contact_parameters = {{.parameters = {.restitution = 0.5, .friction = 0.4}}},
                   .law = ContactLaw::hertz,
                   .time_step = 4e-8}};
  add_sphere(run, {-0.1, 0, 0}, 0.1, {0.2, 0, 0}, {0, 0, 3});
  add_sphere(run, {0.1, 0, 0}, 0.1, {-0.2, 0, 0}, {0, 0, -3});
  simulate_impact(run, 10);
  forms.push_back({"7, opposite spins: spin after, 1/s", 3,
                   run.particle(ParticleIndex{0}).angular_velocity[2], 1e-6});
  forms.push_back({"7, opposite spins: speed after, m/s", 0.1,
                   run.particle(ParticleIndex{1}).velocity[0], 5e-3});
}

ObliqueImpact oblique_impact(double degrees) {
  const double e = 0.98;
  const double mu = 0.092;
  const double r = 0.0025;
  const double speed = 3.9;
  const double angle = degrees * std::numbers::pi / 180;
  const double across = speed * std::cos(angle);
  const double along = speed * std::sin(angle);
  Simulation3 run = sphere_toward_plane(alumina, {.restitution = e, .friction = mu}, r,
                                        {-across, along, 0}, 2e-9);
  simulate_impact(run, 10);
  const auto after = run.particle(ParticleIndex{0});
  const double kick = mu * (1 + e) * across;
  return {degrees,
          along > 3.6 * kick,
          after.velocity[1] / speed,
          (along - kick) / speed,
          after.angular_velocity[2] * r / speed,
          2.5 * kick / speed};
}

}  // namespace

std::vector<AnalyticCheck> hertz_checks() {
  std::vector<AnalyticCheck> forms;
  two_spheres(forms, {"glass", 2800, 48e9, 0.20});
  two_spheres(forms, {"limestone", 2500, 20e9, 0.25});
  sphere_and_plane(forms, {"aluminium", 2699, 70e9, 0.30});
  sphere_and_plane(forms, {"magnesium", 1800, 40e9, 0.35});
  for (const double e : {0.2, 0.6, 1.0}) given_restitution(forms, e);
  opposite_spins(forms);
  return forms;
}

std::vector<ObliqueImpact> oblique_impacts() {
  std::vector<ObliqueImpact> all;
  for (int degrees = 5; degrees < 90; degrees += 5) all.push_back(oblique_impact(degrees));
  return all;
}

namespace {

constexpr double floor_gravity = 10;
constexpr double floor_radius = 0.1;
constexpr double floor_stiffness = 1e6;

struct InitialState {
  double height;
  double speed = 0;  // along x
  double tilt = 0;
  double step = 1e-5;
};

// A ball of mass 1 over a floor that z points away from.
Simulation3 sphere_over_floor(const ContactParameters& law, const InitialState& start) {
  Simulation3 run{
      {.materials = {{"ball", density_of(1, floor_radius)}},
       .contact_parameters = {{.parameters = law}},
       .gravity = {floor_gravity * std::sin(start.tilt), 0, -floor_gravity * std::cos(start.tilt)},
       .time_step = start.step}};
  run.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  add_sphere(run, {0, 0, start.height}, floor_radius, {start.speed, 0, 0});
  return run;
}

// Where its weight has pressed it in.
double resting_height(double tilt = 0) {
  return floor_radius - floor_gravity * std::cos(tilt) / floor_stiffness;
}

double max_height_after(Simulation3& run, int bounces) {
  double before = 0;
  while (bounces > 0 && run.time() < 10) {
    run.advance(1);
    const double now = run.particle(ParticleIndex{0}).velocity[2];
    if (before > 0 && now <= 0) --bounces;
    before = now;
  }
  return run.particle(ParticleIndex{0}).position[2] - floor_radius;
}

void bouncing(std::vector<AnalyticCheck>& forms) {
  const double e = 0.8;
  const double drop = 0.4;
  // So stiff that its weight does not matter while it touches, and steps that see it touch.
  Simulation3 run = sphere_over_floor({.stiffness = 10 * floor_stiffness, .restitution = e},
                                      {.height = floor_radius + drop, .step = 2e-6});
  for (int k = 1; k <= 3; ++k)
    forms.push_back({fmt::format("bouncing, e = 0.8: height of bounce {}, m", k),
                     drop * std::pow(e, 2 * k), max_height_after(run, 1), 0.01});
}

void from_slip_to_rolling(std::vector<AnalyticCheck>& forms) {
  const double mu = 0.3;
  const double began = 1;
  Simulation3 run =
      sphere_over_floor({.stiffness = floor_stiffness, .restitution = 0.5, .friction = mu},
                        {.height = resting_height(), .speed = began});
  const double rolls_after = 2 * began / (7 * mu * floor_gravity);
  run.advance(static_cast<std::size_t>(rolls_after / 2 / run.time_step()));
  forms.push_back({"slipping: speed half way, m/s", began * 6 / 7,
                   run.particle(ParticleIndex{0}).velocity[0], 2e-3});
  run.advance(static_cast<std::size_t>(rolls_after / run.time_step()));
  forms.push_back(
      {"rolling: speed, m/s", began * 5 / 7, run.particle(ParticleIndex{0}).velocity[0], 2e-3});
  forms.push_back({"rolling: spin, 1/s", began * 5 / 7 / floor_radius,
                   run.particle(ParticleIndex{0}).angular_velocity[1], 2e-3});
}

// Up to a slope of 7µ/2 a ball rolls, beyond it slides.
void down_a_slope(std::vector<AnalyticCheck>& forms, double part, const char* name) {
  const double mu = 0.2;
  const double lasts = 0.2;
  const double tilt = part * std::atan(3.5 * mu);
  Simulation3 run =
      sphere_over_floor({.stiffness = floor_stiffness, .restitution = 0.5, .friction = mu},
                        {.height = resting_height(tilt), .tilt = tilt});
  run.advance(static_cast<std::size_t>(std::llround(lasts / run.time_step())));
  const double pull = part < 1 ? 5.0 / 7 * std::sin(tilt) : std::sin(tilt) - mu * std::cos(tilt);
  forms.push_back(
      {name, floor_gravity * pull * lasts, run.particle(ParticleIndex{0}).velocity[0], 5e-3});
}

}  // namespace

std::vector<AnalyticCheck> floor_checks() {
  std::vector<AnalyticCheck> forms;
  bouncing(forms);
  from_slip_to_rolling(forms);
  down_a_slope(forms, 0.9, "slope of 0.9 of where it slides: speed, m/s");
  down_a_slope(forms, 1.1, "slope of 1.1 of where it slides: speed, m/s");
  return forms;
}

}  // namespace abut
