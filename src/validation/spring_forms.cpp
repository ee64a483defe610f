#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "validation/closed_forms.hpp"

namespace abut {
namespace {

using std::numbers::pi;

constexpr double spring_radius = 0.1;
constexpr double spring_stiffness = 1e4;

struct Bounce {
  ImpactSeen seen;
  double restitution;
};

// Two of mass 2, so that the reduced mass is 1, that meet with a relative speed of 1.
Bounce bounce(const Interaction& law) {
  Simulation3 run{{.materials = {{"ball", density_of(2, spring_radius)}},
                   .interactions = {{0, 0, law}},
                   .time_step = 2e-6}};
  put(run, {-spring_radius, 0, 0}, spring_radius, {0.5, 0, 0});
  put(run, {spring_radius, 0, 0}, spring_radius, {-0.5, 0, 0});
  const ImpactSeen seen = watch_impact(run, 1);
  run.advance(10);
  return {seen, run.particle(1).velocity[0] - run.particle(0).velocity[0]};
}

}  // namespace

// The clamped one after Schwager and Pöschel, Granular Matter 9 (2007) 465.
std::vector<ClosedForm> spring_forms() {
  const double damping = 20;
  const double rate = damping / 2;
  const double omega = std::sqrt(spring_stiffness - rate * rate);
  const double lasts = pi / omega;
  const Bounce free = bounce({.stiffness = spring_stiffness, .damping = damping});
  const Bounce clamped =
      bounce({.stiffness = spring_stiffness, .damping = damping, .tension = false});
  const double deepest =
      std::exp(-rate / omega * std::atan(omega / rate)) / std::sqrt(spring_stiffness);
  const double lets_go =
      pi - std::atan2(2 * rate * omega, omega * omega - rate * rate);  // ω t at that moment
  std::vector<ClosedForm> forms{
      {"spring and dashpot: contact time, s", lasts, free.seen.time, 1e-3},
      {"spring and dashpot: restitution", std::exp(-rate * lasts), free.restitution, 1e-4},
      {"spring and dashpot: deepest overlap, m", deepest, free.seen.overlap, 1e-4},
      {"dashpot that only pushes: restitution", std::exp(-rate / omega * lets_go),
       clamped.restitution, 1e-4}};
  for (const double e : {0.1, 0.5, 0.9})
    forms.push_back({fmt::format("restitution {} asked for", e), e,
                     bounce({.stiffness = spring_stiffness, .restitution = e}).restitution, 1e-3});
  return forms;
}

}  // namespace abut
