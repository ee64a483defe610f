// Y. C. Chung and J. Y. Ooi, Benchmark tests for verifying discrete element modelling codes at
// particle impact level, Granular Matter 13 (2011) 643.
#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "validation/closed_forms.hpp"

namespace abut {
namespace {

struct Elastic {
  double mass;     // reduced
  double radius;   // reduced
  double modulus;  // of both together
  double speed;    // at which they meet
};

// Hertz: the deepest overlap, the largest force and the time of an elastic impact.
ImpactSeen hertz_impact(const Elastic& e) {
  const double stiffness = 4.0 / 3 * e.modulus * std::sqrt(e.radius);
  ImpactSeen impact;
  impact.overlap = std::pow(1.25 * e.mass * e.speed * e.speed / stiffness, 0.4);
  impact.force = stiffness * std::pow(impact.overlap, 1.5);
  const double all_of_it = 2 * std::sqrt(std::numbers::pi) * std::tgamma(1.4) / std::tgamma(0.9);
  impact.time = all_of_it * impact.overlap / e.speed;
  return impact;
}

double plane_modulus(const Material& m) { return m.young / (1 - m.poisson * m.poisson); }

double mass_of(const Material& m, double radius) { return m.density / density_of(1, radius); }

void add_impact(std::vector<ClosedForm>& forms, const std::string& name, const ImpactSeen& expected,
                const ImpactSeen& seen) {
  forms.push_back({name + ": overlap, m", expected.overlap, seen.overlap, 1e-3});
  forms.push_back({name + ": force, N", expected.force, seen.force, 1e-3});
  forms.push_back({name + ": contact time, s", expected.time, seen.time, 3e-3});
}

// Benchmark 1.
void two_spheres(std::vector<ClosedForm>& forms, const Material& material) {
  const double r = 0.01;
  Simulation3 run{{.materials = {material},
                   .interactions = {{0, 0, {}}},
                   .law = Law::hertz,
                   .time_step = 4e-9}};
  put(run, {-r, 0, 0}, r, {10, 0, 0});
  put(run, {r, 0, 0}, r, {-10, 0, 0});
  const Elastic both{mass_of(material, r) / 2, r / 2, plane_modulus(material) / 2, 20};
  add_impact(forms, "1, two spheres of " + material.name, hertz_impact(both),
             watch_impact(run, 10));
}

// A ball at x = radius that flies into a plane that does not give.
Simulation3 towards_plane(const Material& material, const Interaction& law, double radius,
                          const Point<3>& velocity, double step) {
  Simulation3 run{{.materials = {material, {"rigid", 1000, 1e30, 0}},
                   .interactions = {{0, 0, law}, {0, 1, law}},
                   .law = Law::hertz,
                   .time_step = step}};
  run.add(Wall<3>{"plane", Plane<3>{{0, 0, 0}, {1, 0, 0}}, 1});
  put(run, {radius, 0, 0}, radius, velocity);
  return run;
}

// Benchmark 2.
void sphere_and_plane(std::vector<ClosedForm>& forms, const Material& material) {
  const double r = 0.1;
  Simulation3 run = towards_plane(material, {}, r, {-0.2, 0, 0}, 8e-8);
  const Elastic both{mass_of(material, r), r, plane_modulus(material), 0.2};
  add_impact(forms, "2, sphere of " + material.name + " and plane", hertz_impact(both),
             watch_impact(run, 10));
}

const Material alumina{"alumina", 4000, 380e9, 0.23};

// Benchmark 3.
void given_restitution(std::vector<ClosedForm>& forms, double e) {
  Simulation3 run = towards_plane(alumina, {.restitution = e}, 0.0025, {-3.9, 0, 0}, 2e-9);
  watch_impact(run, 10);
  forms.push_back(
      {fmt::format("3, restitution {} asked for", e), e, run.particle(0).velocity[0] / 3.9, 5e-3});
}

// Benchmark 7: opposite spins, so that the surfaces move alike and nothing changes them.
void opposite_spins(std::vector<ClosedForm>& forms) {
  Simulation3 run{{.materials = {{"aluminium", 2699, 70e9, 0.30}},
                   .interactions = {{0, 0, {.restitution = 0.5, .friction = 0.4}}},
                   .law = Law::hertz,
                   .time_step = 4e-8}};
  put(run, {-0.1, 0, 0}, 0.1, {0.2, 0, 0}, {0, 0, 3});
  put(run, {0.1, 0, 0}, 0.1, {-0.2, 0, 0}, {0, 0, -3});
  watch_impact(run, 10);
  forms.push_back({"7, opposite spins: spin after, 1/s", 3, run.particle(0).spin[2], 1e-6});
  forms.push_back({"7, opposite spins: speed after, m/s", 0.1, run.particle(1).velocity[0], 5e-3});
}

ObliqueImpact oblique_impact(double degrees) {
  const double e = 0.98;
  const double mu = 0.092;
  const double r = 0.0025;
  const double speed = 3.9;
  const double angle = degrees * std::numbers::pi / 180;
  const double across = speed * std::cos(angle);
  const double along = speed * std::sin(angle);
  Simulation3 run =
      towards_plane(alumina, {.restitution = e, .friction = mu}, r, {-across, along, 0}, 2e-9);
  watch_impact(run, 10);
  const auto after = run.particle(0);
  const double kick = mu * (1 + e) * across;
  return {degrees,
          along > 3.6 * kick,
          after.velocity[1] / speed,
          (along - kick) / speed,
          after.spin[2] * r / speed,
          2.5 * kick / speed};
}

}  // namespace

std::vector<ClosedForm> hertz_forms() {
  std::vector<ClosedForm> forms;
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

}  // namespace abut
