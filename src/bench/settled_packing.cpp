#include "bench/settled_packing.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>

#include "core/statistics.hpp"
#include "io/checkpoint_file.hpp"

namespace abut {
namespace {

/// How a part of the settling goes on.
struct SettlingPhase {
  double damping_rate = PackingParameters::damping_rate;
  double time_step = PackingParameters::time_step;
  unsigned threads = 1;
};

// More damping and longer steps than in what is measured: it need not be right, only soon at rest.
constexpr SettlingPhase falling{.damping_rate = 100, .time_step = 2e-3, .threads = 0};
constexpr SettlingPhase resting{.threads = 0};
constexpr std::size_t resting_steps = 1000;

// A large heap sways for long: all are held still so often, and let go for so many steps.
constexpr std::size_t stop_count = 4;
constexpr std::size_t steps_between_stops = 300;

Simulation3 simulation_of(const SettledPacking& box, const SettlingPhase& how) {
  const ContactParameters law{
      .stiffness = PackingParameters::stiffness,
      .damping_rate = how.damping_rate,
      .friction = box.has_friction ? PackingParameters::friction : 0,
      .tangential_stiffness_ratio = PackingParameters::tangential_stiffness_ratio};
  Simulation3 run{{.materials = {{"grain", PackingParameters::density}},
                   .contact_parameters = {{.parameters = law}},
                   .gravity = {0, 0, -PackingParameters::gravity},
                   .time_step = how.time_step,
                   .threads = how.threads}};
  run.add({.spheres = box.spheres(),
           .velocity = box.velocity,
           .angular_velocity = box.angular_velocity});
  for (const double at : {0.0, box.width}) {
    run.add(Wall<3>{"", Plane<3>{{at, 0, 0}, {1, 0, 0}}});
    run.add(Wall<3>{"", Plane<3>{{0, at, 0}, {0, 1, 0}}});
  }
  run.add(Wall<3>{"", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  return run;
}

// As wide as high once it has settled. A little disorder lets the lattice collapse.
SettledPacking lattice(const PackingOptions& plan) {
  constexpr double spacing = 1.08;
  constexpr double disorder = 0.005;
  Random random(plan.seed);
  SettledPacking box;
  box.has_friction = plan.has_friction;
  box.width = std::max(2.0, std::ceil(std::cbrt(static_cast<double>(plan.count))));
  const auto across = static_cast<std::size_t>(box.width / spacing);
  const double apart = box.width / static_cast<double>(across);
  const auto place = [&](std::size_t cell, double size) {
    return (static_cast<double>(cell) + 0.5) * size + random.uniform(-disorder, disorder);
  };
  for (std::size_t i = 0; i < plan.count; ++i) {
    box.coordinates[0].push_back(place(i % across, apart));
    box.coordinates[1].push_back(place(i / across % across, apart));
    box.coordinates[2].push_back(place(i / across / across, spacing));
    box.radius.push_back(random.uniform(1, PackingParameters::max_diameter) / 2);
  }
  box.velocity.resize(plan.count);
  box.angular_velocity.resize(plan.count);
  return box;
}

void copy_state(const Simulation3& run, SettledPacking& box) {
  for (std::size_t i = 0; i < run.particle_count(); ++i) {
    const ParticleState<3> now = run.particle(ParticleIndex{i});
    for (std::size_t k = 0; k < 3; ++k) box.coordinates[k][now.id.value()] = now.position[k];
    box.velocity[now.id.value()] = now.velocity;
    box.angular_velocity[now.id.value()] = now.angular_velocity;
  }
}

// Longer than a sphere can fall from the top, because others are in its way.
std::size_t falling_steps(const SettledPacking& box) {
  const double highest = *std::ranges::max_element(box.coordinates[2]);
  const double seconds = 1.5 * std::sqrt(2 * highest / PackingParameters::gravity);
  return static_cast<std::size_t>(seconds / falling.time_step);
}

}  // namespace

SettledPacking settle_packing(const PackingOptions& plan,
                              const std::function<void(double)>& progress) {
  SettledPacking box = lattice(plan);
  const std::size_t fall = falling_steps(box);
  const std::size_t all = fall + stop_count * steps_between_stops + resting_steps;
  std::size_t done_before = 0;
  const auto advance = [&](const SettlingPhase& how, std::size_t steps) {
    constexpr std::size_t at_once = 100;
    Simulation3 run = simulation_of(box, how);
    for (std::size_t done = 0; done < steps; done += at_once) {
      run.advance(std::min(at_once, steps - done));
      progress(static_cast<double>(done_before + done) / static_cast<double>(all));
    }
    copy_state(run, box);
    done_before += steps;
  };
  advance(falling, fall);
  for (std::size_t halt = 0; halt < stop_count; ++halt) {
    std::ranges::fill(box.velocity, Point<3>{});
    std::ranges::fill(box.angular_velocity, Point<3>{});
    advance(falling, steps_between_stops);
  }
  advance(resting, resting_steps);
  return box;
}

Simulation3 simulation_of(const SettledPacking& box, unsigned threads) {
  return simulation_of(box, SettlingPhase{.threads = threads});
}

void write_packing(const std::string& path, const SettledPacking& box) {
  const std::array<double, 1> side{box.width};
  const std::array<std::uint8_t, 1> rough{static_cast<std::uint8_t>(box.has_friction ? 1 : 0)};
  std::vector<double> velocity;
  std::vector<double> spin;
  for (const Point<3>& one : box.velocity) velocity.insert(velocity.end(), one.begin(), one.end());
  for (const Point<3>& one : box.angular_velocity) spin.insert(spin.end(), one.begin(), one.end());
  CheckpointSections sections;
  sections.add("side", side);
  sections.add("rough", rough);
  sections.add("x", box.coordinates[0]);
  sections.add("y", box.coordinates[1]);
  sections.add("z", box.coordinates[2]);
  sections.add("radius", box.radius);
  sections.add("velocity", velocity);
  sections.add("spin", spin);
  write_checkpoint_file(path, 0, sections);
}

SettledPacking read_packing(const std::string& path, const PackingOptions& plan) {
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
  if ((file.value<std::uint8_t>("rough") != 0) != plan.has_friction)
    throw Error(path + ": is of another box; remove it");
  return {.has_friction = plan.has_friction,
          .width = file.value<double>("side"),
          .coordinates = {numbers("x"), numbers("y"), numbers("z")},
          .radius = numbers("radius"),
          .velocity = vectors("velocity"),
          .angular_velocity = vectors("spin")};
}

}  // namespace abut
