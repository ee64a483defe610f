#include <fmt/core.h>

#include <cmath>

#include "validation/closed_forms.hpp"

namespace abut {
namespace {

constexpr double floor_gravity = 10;
constexpr double floor_radius = 0.1;
constexpr double floor_stiffness = 1e6;

struct Start {
  double height;
  double speed = 0;  // along x
  double tilt = 0;
  double step = 1e-5;
};

// A ball of mass 1 over a floor that z points away from.
Simulation3 over_floor(const Interaction& law, const Start& start) {
  Simulation3 run{
      {.materials = {{"ball", density_of(1, floor_radius)}},
       .interactions = {{0, 0, law}},
       .gravity = {floor_gravity * std::sin(start.tilt), 0, -floor_gravity * std::cos(start.tilt)},
       .time_step = start.step}};
  run.add(Wall<3>{"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  put(run, {0, 0, start.height}, floor_radius, {start.speed, 0, 0});
  return run;
}

// Where its weight has pressed it in.
double resting_height(double tilt = 0) {
  return floor_radius - floor_gravity * std::cos(tilt) / floor_stiffness;
}

double highest_after(Simulation3& run, int bounces) {
  double before = 0;
  while (bounces > 0 && run.time() < 10) {
    run.advance(1);
    const double now = run.particle(0).velocity[2];
    if (before > 0 && now <= 0) --bounces;
    before = now;
  }
  return run.particle(0).place[2] - floor_radius;
}

void bouncing(std::vector<ClosedForm>& forms) {
  const double e = 0.8;
  const double drop = 0.4;
  // So stiff that its weight does not matter while it touches, and steps that see it touch.
  Simulation3 run = over_floor({.stiffness = 10 * floor_stiffness, .restitution = e},
                               {.height = floor_radius + drop, .step = 2e-6});
  for (int k = 1; k <= 3; ++k)
    forms.push_back({fmt::format("bouncing, e = 0.8: height of bounce {}, m", k),
                     drop * std::pow(e, 2 * k), highest_after(run, 1), 0.01});
}

void from_slip_to_rolling(std::vector<ClosedForm>& forms) {
  const double mu = 0.3;
  const double began = 1;
  Simulation3 run = over_floor({.stiffness = floor_stiffness, .restitution = 0.5, .friction = mu},
                               {.height = resting_height(), .speed = began});
  const double rolls_after = 2 * began / (7 * mu * floor_gravity);
  run.advance(static_cast<std::size_t>(rolls_after / 2 / run.time_step()));
  forms.push_back(
      {"slipping: speed half way, m/s", began * 6 / 7, run.particle(0).velocity[0], 2e-3});
  run.advance(static_cast<std::size_t>(rolls_after / run.time_step()));
  forms.push_back({"rolling: speed, m/s", began * 5 / 7, run.particle(0).velocity[0], 2e-3});
  forms.push_back(
      {"rolling: spin, 1/s", began * 5 / 7 / floor_radius, run.particle(0).spin[1], 2e-3});
}

// Up to a slope of 7µ/2 a ball rolls, beyond it slides.
void down_a_slope(std::vector<ClosedForm>& forms, double part, const char* name) {
  const double mu = 0.2;
  const double lasts = 0.2;
  const double tilt = part * std::atan(3.5 * mu);
  Simulation3 run = over_floor({.stiffness = floor_stiffness, .restitution = 0.5, .friction = mu},
                               {.height = resting_height(tilt), .tilt = tilt});
  run.advance(static_cast<std::size_t>(std::llround(lasts / run.time_step())));
  const double pull = part < 1 ? 5.0 / 7 * std::sin(tilt) : std::sin(tilt) - mu * std::cos(tilt);
  forms.push_back({name, floor_gravity * pull * lasts, run.particle(0).velocity[0], 5e-3});
}

}  // namespace

std::vector<ClosedForm> floor_forms() {
  std::vector<ClosedForm> forms;
  bouncing(forms);
  from_slip_to_rolling(forms);
  down_a_slope(forms, 0.9, "slope of 0.9 of where it slides: speed, m/s");
  down_a_slope(forms, 1.1, "slope of 1.1 of where it slides: speed, m/s");
  return forms;
}

}  // namespace abut
