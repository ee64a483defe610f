#include "cli/settled_box.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "io/checkpoint_file.hpp"

namespace abut {
namespace {

/// How a part of the settling goes on.
struct Settling {
  double damping_rate = BoxLaw::damping_rate;
  double time_step = BoxLaw::time_step;
  unsigned threads = 1;
};

// More damping and longer steps than in what is measured: it need not be right, only soon at rest.
constexpr Settling falling{.damping_rate = 100, .time_step = 2e-3, .threads = 0};
constexpr Settling resting{.threads = 0};
constexpr std::size_t resting_steps = 1000;

// A large heap sways for long: all are held still so often, and let go for so many steps.
constexpr std::size_t halts = 4;
constexpr std::size_t halted_steps = 300;

Simulation3 simulation_of(const SettledBox& box, const Settling& how) {
  const Interaction law{.stiffness = BoxLaw::stiffness,
                        .damping_rate = how.damping_rate,
                        .friction = box.rough ? BoxLaw::friction : 0,
                        .tangential_stiffness = BoxLaw::tangential_stiffness};
  Simulation3 run{{.materials = {{"grain", BoxLaw::density}},
                   .interactions = {{0, 0, law}},
                   .gravity = {0, 0, -BoxLaw::gravity},
                   .time_step = how.time_step,
                   .threads = how.threads}};
  run.add({.places = box.places(), .velocity = box.velocity, .spin = box.spin});
  for (const double at : {0.0, box.side}) {
    run.add(Wall<3>{"", Plane<3>{{at, 0, 0}, {1, 0, 0}}});
    run.add(Wall<3>{"", Plane<3>{{0, at, 0}, {0, 1, 0}}});
  }
  run.add(Wall<3>{"", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  return run;
}

// As wide as high once it has settled. A little disorder lets the lattice collapse.
SettledBox lattice(const BoxPlan& plan) {
  constexpr double spacing = 1.08;
  constexpr double disorder = 0.005;
  Random random(plan.seed);
  SettledBox box;
  box.rough = plan.rough;
  box.side = std::max(2.0, std::ceil(std::cbrt(static_cast<double>(plan.count))));
  const auto across = static_cast<std::size_t>(box.side / spacing);
  const double apart = box.side / static_cast<double>(across);
  const auto place = [&](std::size_t cell, double size) {
    return (static_cast<double>(cell) + 0.5) * size + random.uniform(-disorder, disorder);
  };
  for (std::size_t i = 0; i < plan.count; ++i) {
    box.axes[0].push_back(place(i % across, apart));
    box.axes[1].push_back(place(i / across % across, apart));
    box.axes[2].push_back(place(i / across / across, spacing));
    box.radius.push_back(random.uniform(1, BoxLaw::largest_diameter) / 2);
  }
  box.velocity.resize(plan.count);
  box.spin.resize(plan.count);
  return box;
}

void take_from(const Simulation3& run, SettledBox& box) {
  for (std::size_t i = 0; i < run.size(); ++i) {
    const ParticleState<3> now = run.particle(i);
    for (std::size_t k = 0; k < 3; ++k) box.axes[k][now.id] = now.place[k];
    box.velocity[now.id] = now.velocity;
    box.spin[now.id] = now.spin;
  }
}

// Longer than a sphere can fall from the top, because others are in its way.
std::size_t falling_steps(const SettledBox& box) {
  const double highest = *std::ranges::max_element(box.axes[2]);
  const double seconds = 1.5 * std::sqrt(2 * highest / BoxLaw::gravity);
  return static_cast<std::size_t>(seconds / falling.time_step);
}

}  // namespace

SettledBox settle(const BoxPlan& plan, const std::function<void(double)>& progress) {
  SettledBox box = lattice(plan);
  const std::size_t fall = falling_steps(box);
  const std::size_t all = fall + halts * halted_steps + resting_steps;
  std::size_t done_before = 0;
  const auto advance = [&](const Settling& how, std::size_t steps) {
    constexpr std::size_t at_once = 100;
    Simulation3 run = simulation_of(box, how);
    for (std::size_t done = 0; done < steps; done += at_once) {
      run.advance(std::min(at_once, steps - done));
      progress(static_cast<double>(done_before + done) / static_cast<double>(all));
    }
    take_from(run, box);
    done_before += steps;
  };
  advance(falling, fall);
  for (std::size_t halt = 0; halt < halts; ++halt) {
    std::ranges::fill(box.velocity, Point<3>{});
    std::ranges::fill(box.spin, Point<3>{});
    advance(falling, halted_steps);
  }
  advance(resting, resting_steps);
  return box;
}

Simulation3 simulation_of(const SettledBox& box, unsigned threads) {
  return simulation_of(box, Settling{.threads = threads});
}

void write_settled(const std::string& path, const SettledBox& box) {
  const std::array<double, 1> side{box.side};
  const std::array<std::uint8_t, 1> rough{static_cast<std::uint8_t>(box.rough ? 1 : 0)};
  std::vector<double> velocity;
  std::vector<double> spin;
  for (const Point<3>& one : box.velocity) velocity.insert(velocity.end(), one.begin(), one.end());
  for (const Point<3>& one : box.spin) spin.insert(spin.end(), one.begin(), one.end());
  CheckpointSections sections;
  sections.add("side", side);
  sections.add("rough", rough);
  sections.add("x", box.axes[0]);
  sections.add("y", box.axes[1]);
  sections.add("z", box.axes[2]);
  sections.add("radius", box.radius);
  sections.add("velocity", velocity);
  sections.add("spin", spin);
  write_checkpoint_file(path, 0, sections);
}

SettledBox read_settled(const std::string& path, const BoxPlan& plan) {
  const Checkpoint file(path);
  const auto numbers = [&](const char* name) {
    const auto saved = file.get<double>(name, plan.count);
    return std::vector<double>(saved.begin(), saved.end());
  };
  const auto vectors = [&](const char* name) {
    const auto saved = file.get<double>(name, 3 * plan.count);
    std::vector<Point<3>> all(plan.count);
    for (std::size_t i = 0; i < saved.size(); ++i) all[i / 3][i % 3] = saved[i];
    return all;
  };
  if ((file.value<std::uint8_t>("rough") != 0) != plan.rough)
    throw Error(path + ": is of another box; remove it");
  return {.rough = plan.rough,
          .side = file.value<double>("side"),
          .axes = {numbers("x"), numbers("y"), numbers("z")},
          .radius = numbers("radius"),
          .velocity = vectors("velocity"),
          .spin = vectors("spin")};
}

}  // namespace abut
