#include "bench/settled_packing.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>

#include "core/portable_math.hpp"
#include "core/statistics.hpp"
#include "io/checkpoint_file.hpp"

namespace abut {
namespace {

// Parameters of a phase of the settling.
struct SettlingPhase {
  double damping_rate = PackingParameters::damping_rate;
  double time_step = PackingParameters::time_step;
  unsigned threads = 1;
};

// More damping and longer time steps than in the benchmark: the motion need not be accurate, only
// come to rest soon.
constexpr SettlingPhase falling{.damping_rate = 100, .time_step = 2e-3, .threads = 0};
constexpr SettlingPhase resting{.threads = 0};
constexpr std::size_t resting_steps = 1000;

// A large packing oscillates for long: it is stopped several times, with some steps between.
constexpr std::size_t stop_count = 4;
constexpr std::size_t steps_between_stops = 300;

Simulation3 simulation_of(const SettledPacking& packing, const SettlingPhase& phase) {
  const ContactParameters law{
      .stiffness = PackingParameters::stiffness,
      .damping_rate = phase.damping_rate,
      .friction = packing.has_friction ? PackingParameters::friction : 0,
      .tangential_stiffness_ratio = PackingParameters::tangential_stiffness_ratio};
  Simulation3 simulation{{.materials = {{"grain", PackingParameters::density}},
                          .contact_parameters = {{.parameters = law}},
                          .gravity = {0, 0, -PackingParameters::gravity},
                          .time_step = phase.time_step,
                          .threads = phase.threads}};
  simulation.add({.spheres = packing.spheres(),
                  .velocity = packing.velocity,
                  .angular_velocity = packing.angular_velocity});
  for (const double position : {0.0, packing.width}) {
    simulation.add(Wall<3>{"", Plane<3>{{position, 0, 0}, {1, 0, 0}}});
    simulation.add(Wall<3>{"", Plane<3>{{0, position, 0}, {0, 1, 0}}});
  }
  simulation.add(Wall<3>{"", Plane<3>{{0, 0, 0}, {0, 0, 1}}});
  return simulation;
}

// About as wide as high after settling. Small random displacements make the lattice collapse.
SettledPacking lattice(const PackingOptions& options) {
  constexpr double spacing = 1.08;
  constexpr double disorder = 0.005;
  Random random(options.seed);
  SettledPacking packing;
  packing.has_friction = options.has_friction;
  packing.width = std::max(2.0, std::ceil(portable_math::cbrt(static_cast<double>(options.count))));
  const auto cells = static_cast<std::size_t>(packing.width / spacing);
  const double horizontal_spacing = packing.width / static_cast<double>(cells);
  const auto coordinate = [&](std::size_t cell, double size) {
    return (static_cast<double>(cell) + 0.5) * size + random.uniform(-disorder, disorder);
  };
  for (std::size_t i = 0; i < options.count; ++i) {
    packing.coordinates[0].push_back(coordinate(i % cells, horizontal_spacing));
    packing.coordinates[1].push_back(coordinate(i / cells % cells, horizontal_spacing));
    packing.coordinates[2].push_back(coordinate(i / cells / cells, spacing));
    packing.radius.push_back(random.uniform(1, PackingParameters::max_diameter) / 2);
  }
  packing.velocity.resize(options.count);
  packing.angular_velocity.resize(options.count);
  return packing;
}

void copy_state(const Simulation3& simulation, SettledPacking& packing) {
  for (std::size_t i = 0; i < simulation.particle_count(); ++i) {
    const ParticleState<3> state = simulation.particle(ParticleIndex{i});
    for (std::size_t k = 0; k < 3; ++k)
      packing.coordinates[k][state.id.value()] = state.position[k];
    packing.velocity[state.id.value()] = state.velocity;
    packing.angular_velocity[state.id.value()] = state.angular_velocity;
  }
}

// 1.5 times the free-fall time from the top, because spheres obstruct each other.
std::size_t falling_steps(const SettledPacking& packing) {
  const double highest = *std::ranges::max_element(packing.coordinates[2]);
  const double seconds = 1.5 * std::sqrt(2 * highest / PackingParameters::gravity);
  return static_cast<std::size_t>(seconds / falling.time_step);
}

}  // namespace

SettledPacking settle_packing(const PackingOptions& options,
                              const std::function<void(double)>& progress) {
  SettledPacking packing = lattice(options);
  const std::size_t fall = falling_steps(packing);
  const std::size_t total = fall + stop_count * steps_between_stops + resting_steps;
  std::size_t previous_steps = 0;
  const auto advance = [&](const SettlingPhase& phase, std::size_t steps) {
    constexpr std::size_t progress_interval = 100;
    Simulation3 simulation = simulation_of(packing, phase);
    for (std::size_t done = 0; done < steps; done += progress_interval) {
      simulation.advance(std::min(progress_interval, steps - done));
      progress(static_cast<double>(previous_steps + done) / static_cast<double>(total));
    }
    copy_state(simulation, packing);
    previous_steps += steps;
  };
  advance(falling, fall);
  for (std::size_t stop = 0; stop < stop_count; ++stop) {
    std::ranges::fill(packing.velocity, Point<3>{});
    std::ranges::fill(packing.angular_velocity, Point<3>{});
    advance(falling, steps_between_stops);
  }
  advance(resting, resting_steps);
  return packing;
}

Simulation3 simulation_of(const SettledPacking& packing, unsigned threads) {
  return simulation_of(packing, SettlingPhase{.threads = threads});
}

void write_packing(const std::string& path, const SettledPacking& packing) {
  const std::array<double, 1> width{packing.width};
  const std::array<std::uint8_t, 1> has_friction{
      static_cast<std::uint8_t>(packing.has_friction ? 1 : 0)};
  std::vector<double> velocity;
  std::vector<double> angular_velocity;
  for (const Point<3>& v : packing.velocity) velocity.insert(velocity.end(), v.begin(), v.end());
  for (const Point<3>& w : packing.angular_velocity)
    angular_velocity.insert(angular_velocity.end(), w.begin(), w.end());
  CheckpointSections sections;
  sections.add("width", width);
  sections.add("has_friction", has_friction);
  sections.add("x", packing.coordinates[0]);
  sections.add("y", packing.coordinates[1]);
  sections.add("z", packing.coordinates[2]);
  sections.add("radius", packing.radius);
  sections.add("velocity", velocity);
  sections.add("angular_velocity", angular_velocity);
  write_checkpoint_file(path, 0, sections);
}

SettledPacking read_packing(const std::string& path, const PackingOptions& options) {
  const Checkpoint file(path);
  const auto numbers = [&](const char* name) {
    const auto saved = file.get<double>(name, options.count);
    return std::vector<double>(saved.begin(), saved.end());
  };
  const auto vectors = [&](const char* name) {
    const auto saved = file.get<double>(name, 3 * options.count);
    std::vector<Point<3>> all(options.count);
    for (std::size_t i = 0; i < saved.size(); ++i) all[i / 3][i % 3] = saved[i];
    return all;
  };
  if ((file.value<std::uint8_t>("has_friction") != 0) != options.has_friction)
    throw Error(path + ": holds a different packing; delete the file");
  return {.has_friction = options.has_friction,
          .width = file.value<double>("width"),
          .coordinates = {numbers("x"), numbers("y"), numbers("z")},
          .radius = numbers("radius"),
          .velocity = vectors("velocity"),
          .angular_velocity = vectors("angular_velocity")};
}

}  // namespace abut
