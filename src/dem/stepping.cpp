// A step: begin (places move), search where needed, forces, end (velocities follow).

#include <abut/error.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>

#include "core/message.hpp"
#include "core/periodic_domain.hpp"
#include "dem/simulation_state.hpp"

namespace abut {
namespace {

/// Every so many steps particles that left are taken out, and all are put in order again. Steps are
/// counted from the beginning, so that a run that was stopped goes on as if it had not been.
constexpr std::uint64_t removal_interval = 10;
constexpr std::uint64_t reorder_interval = 2000;

using Clock = std::chrono::steady_clock;

class ScopedTimer {
 public:
  explicit ScopedTimer(double& seconds) : seconds_(seconds), begin_(Clock::now()) {}
  ~ScopedTimer() { seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;

 private:
  double& seconds_;
  Clock::time_point begin_;
};

MotionSummary combined(const std::vector<MotionSummary>& reports) {
  MotionSummary all;
  for (const MotionSummary& report : reports) {
    all.max_speed_squared = std::max(all.max_speed_squared, report.max_speed_squared);
    all.all_valid = all.all_valid && report.all_valid;
  }
  return all;
}

bool is_finite(const Vec4& at) {
  return std::isfinite(at.x) && std::isfinite(at.y) && std::isfinite(at.z);
}

template <std::size_t D>
bool is_inside(const Box<D>& box, const Vec4& at) {
  for (std::size_t k = 0; k < D; ++k)
    if (!(at.*vec4_axes[k] >= box.min[k] && at.*vec4_axes[k] <= box.max[k])) return false;
  return true;
}

}  // namespace

template <std::size_t D>
void Simulation<D>::State::advance(std::size_t steps) {
  if (steps == 0) return;
  initialize();
  const std::uint64_t last = step + steps;
  StepPhase part = StepPhase::end;
  while (step < last) {
    if (part == StepPhase::end) begin_step();
    ++step;
    {
      const ScopedTimer timed(timings.neighbor_search);
      if (step % reorder_interval == 0) sort_spatially();
      if (!neighbor_list_valid) rebuild_neighbor_list();
    }
    const bool stop = step == last || step % removal_interval == 0;
    part = stop ? StepPhase::end : StepPhase::end_and_begin;
    end_step(part);
    if (step % removal_interval == 0) remove_departed();
  }
}

// Forces of the very first step: springs are as they are.
template <std::size_t D>
void Simulation<D>::State::initialize() {
  choose_time_step();
  if (has_forces) return;
  force_sum.assign(particles.size(), {});
  torque_sum.assign(particles.size(), {});
  if (model.integrator == Integrator::predictor_corrector) {
    acceleration.assign(particles.size(), {});
    angular_acceleration.assign(particles.size(), {});
  }
  sort_spatially();
  rebuild_neighbor_list();
  update_wall_contacts();
  chunk_energies.assign(neighbor_list.chunk_count(), {});
  for (std::size_t run = 0; run < neighbor_list.chunk_count(); ++run) compute_pair_forces(run, 0);
  for (std::size_t run = 0; run < neighbor_list.chunk_count(); ++run) finish_forces(run, 0);
  has_forces = true;
}

template <std::size_t D>
void Simulation<D>::State::begin_step() {
  const ScopedTimer timed(timings.integration);
  constexpr std::size_t length = 2048;
  const std::size_t runs = (particles.size() + length - 1) / length;
  motion_summaries.assign(runs, {});
  const auto task = [&](std::size_t run, unsigned /*worker*/) {
    motion_summaries[run] =
        integrate(StepPhase::begin, run * length, std::min(particles.size(), (run + 1) * length));
  };
  pool.run(runs, std::cref(task));
  check_neighbor_list(combined(motion_summaries), step + 1);
}

// Fixed ones only forget what pushed them.
template <std::size_t D>
MotionSummary Simulation<D>::State::integrate(StepPhase part, std::size_t first, std::size_t last) {
  const std::size_t moving = std::clamp(particles.fixed_count, first, last);
  if (part != StepPhase::end) {
    std::fill(force_sum.begin() + static_cast<std::ptrdiff_t>(first),
              force_sum.begin() + static_cast<std::ptrdiff_t>(moving), Vec4{});
    if (has_friction)
      std::fill(torque_sum.begin() + static_cast<std::ptrdiff_t>(first),
                torque_sum.begin() + static_cast<std::ptrdiff_t>(moving), Vec4{});
  }
  return kernels.integrate(model.integrator, part, integration_chunk(moving, last));
}

template <std::size_t D>
void Simulation<D>::State::update_wall_contacts() {
  const ScopedTimer timed(timings.walls);
  wall_contacts.move_to(static_cast<double>(step) * time_step);
  wall_contacts.update_contacts(particles, wall_options(cohesion_range));
}

template <std::size_t D>
void Simulation<D>::State::compute_pair_forces(std::size_t run, double over) {
  chunk_energies[run] = kernels.pairs(force_parameters(over), particle_arrays(),
                                      neighbor_list.chunk(run, image_shifts.data()));
}

// What earlier runs have put aside for the particles of this one, then the walls.
template <std::size_t D>
void Simulation<D>::State::finish_forces(std::size_t run, double over) {
  const auto hand = [&](std::vector<Vec4>& all) {
    const std::span<const NeighborList::Transfer> handed = neighbor_list.transfers(run);
    constexpr std::size_t ahead = 16;  // what another core has written takes its time to come
    for (std::size_t k = 0; k < handed.size(); ++k) {
      if (k + ahead < handed.size()) __builtin_prefetch(&all[handed[k + ahead].slot], 1);
      Vec4& to = all[handed[k].particle];
      Vec4& from = all[handed[k].slot];
      to = {to.x + from.x, to.y + from.y, to.z + from.z, 0};
      from = {};
    }
  };
  hand(force_sum);
  if (has_friction) hand(torque_sum);
  const std::size_t first = neighbor_list.first_particle(run);
  const std::size_t last = neighbor_list.last_particle(run);
  chunk_energies[run] += kernels.static_planes(force_parameters(over), particle_arrays(),
                                               wall_contacts.static_plane_chunk(first, last));
  chunk_energies[run] += kernels.walls(force_parameters(over), particle_arrays(),
                                       wall_contacts.searched_chunk(first, last));
}

template <std::size_t D>
void Simulation<D>::State::end_step(StepPhase part) {
  update_wall_contacts();
  chunk_energies.assign(neighbor_list.chunk_count(), {});
  motion_summaries.assign(neighbor_list.chunk_count(), {});
  worker_times.assign(pool.threads(), {});
  const auto forces = [&](std::size_t run, unsigned worker) {
    const ScopedTimer timed(worker_times[worker].forces);
    compute_pair_forces(run, time_step);
  };
  const auto motions = [&](std::size_t run, unsigned worker) {
    const ScopedTimer timed(worker_times[worker].integration);
    finish_forces(run, time_step);
    motion_summaries[run] =
        integrate(part, neighbor_list.first_particle(run), neighbor_list.last_particle(run));
  };
  chunk_schedule.run(pool, neighbor_list.dependencies(), std::cref(forces), std::cref(motions));
  accumulate();
  check_neighbor_list(combined(motion_summaries), part == StepPhase::end ? step : step + 1);
}

template <std::size_t D>
void Simulation<D>::State::accumulate() {
  for (const WorkerTimes& thread : worker_times) {
    timings.forces += thread.forces / static_cast<double>(worker_times.size());
    timings.integration += thread.integration / static_cast<double>(worker_times.size());
  }
  if (model.track_energy) {
    ContactEnergy all;
    for (const ContactEnergy& energy : chunk_energies) all += energy;
    energy_totals.elastic = all.normal_energy + all.tangential_energy;
    energy_totals.dissipated += all.dissipated - (all.tangential_energy - tangential_energy);
    tangential_energy = all.tangential_energy;
    for (const WallContactState& touch : wall_contacts.searched_contacts())
      energy_totals.input +=
          time_step * (touch.force.x * touch.velocity.x + touch.force.y * touch.velocity.y +
                       touch.force.z * touch.velocity.z + touch.force.w);
  }
}

// Whether the list of neighbours may still be used after particles have moved to where they are in
// step `now`. No particle has gone farther than the fastest could; two that approach use up twice
// that.
template <std::size_t D>
void Simulation<D>::State::check_neighbor_list(const MotionSummary& report, std::uint64_t now) {
  if (!report.all_valid)
    for (std::size_t i = particles.fixed_count; i < particles.size(); ++i)
      if (is_outside(i) &&
          !(model.allow_outflow && is_inside(search_bounds(), particles.position[i])))
        throw_lost_particle(i, now);
  const double fastest = std::max(std::sqrt(report.max_speed_squared),
                                  wall_contacts.max_speed(static_cast<double>(step) * time_step));
  max_travel += fastest * time_step;
  ++steps_since_rebuild;
  if (2 * max_travel > skin) neighbor_list_valid = false;
}

// No search goes farther.
template <std::size_t D>
Box<D> Simulation<D>::State::search_bounds() const {
  constexpr double far = 1e149;
  constexpr double periods = 1e8;
  Box<D> box;
  for (std::size_t k = 0; k < D; ++k) {
    const double way =
        model.periodic[k] ? periods * (model.domain->max[k] - model.domain->min[k]) : far;
    const double middle = model.periodic[k] ? model.domain->min[k] : 0;
    box.min[k] = middle - way;
    box.max[k] = middle + way;
  }
  return box;
}

// Where particles are to be.
template <std::size_t D>
Box<D> Simulation<D>::State::particle_bounds() const {
  Box<D> box = search_bounds();
  for (std::size_t k = 0; k < D; ++k) {
    if (!model.domain || model.periodic[k]) continue;
    box.min[k] = model.domain->min[k];
    box.max[k] = model.domain->max[k];
  }
  return box;
}

template <std::size_t D>
bool Simulation<D>::State::is_outside(std::size_t particle) const {
  return !is_inside(particle_bounds(), particles.position[particle]);
}

template <std::size_t D>
void Simulation<D>::State::throw_lost_particle(std::size_t particle, std::uint64_t now) const {
  const Vec4& at = particles.position[particle];
  const Vec4& speed = particles.velocity[particle];
  const auto vector = [](const Vec4& r) {
    return D == 2 ? message("(", r.x, ", ", r.y, ")")
                  : message("(", r.x, ", ", r.y, ", ", r.z, ")");
  };
  const double moved =
      std::sqrt(speed.x * speed.x + speed.y * speed.y + speed.z * speed.z) * time_step;
  const char* where = is_inside(search_bounds(), at) ? "left the domain" : "went beyond all bounds";
  std::string cause = "a hole in the walls? outflow = \"allowed\" lets particles leave";
  if (!is_finite(at))
    cause = "it is no number: two centres in one place, or a step too large?";
  else if (moved > 0.1 * at.w)
    cause = message("it moves ", moved / at.w,
                    " radii a step: overlapping when it was released, or a step too large?");
  throw Error(message("particle ", particles.id[particle], " at ", vector(at), " with velocity ",
                      vector(speed), " ", where, " in step ", now, ", time ",
                      static_cast<double>(now) * time_step, "; ", cause));
}

template <std::size_t D>
void Simulation<D>::State::remove_departed() {
  if (!model.allow_outflow && sinks.empty()) return;  // nobody may leave
  std::vector<std::size_t> leave;
  for (std::size_t i = particles.fixed_count; i < particles.size(); ++i)
    if (should_remove(i)) leave.push_back(i);
  if (leave.empty()) return;
  removed += leave.size();
  std::vector<std::uint32_t> to(particles.size());
  std::size_t gone = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const bool leaves = gone < leave.size() && leave[gone] == i;
    gone += leaves ? 1 : 0;
    to[i] = leaves ? ParticleStore::removed : static_cast<std::uint32_t>(i - gone);
  }
  track_input([&] { permute_particles(to, to.size() - gone); });
  neighbor_list_valid = false;
}

// Into a sink, which counts it, or out of the domain.
template <std::size_t D>
bool Simulation<D>::State::should_remove(std::size_t particle) {
  const double mass = 1 / particles.velocity[particle].w;
  bool leaves = model.allow_outflow && is_outside(particle);
  auto home = to_point<D>(particles.position[particle]);
  PeriodicDomain<D>(model.domain, model.periodic).wrap(home);
  for (Sink<D>& sink : sinks)
    if (!leaves && is_inside(sink.box, to_vec4<D>(home))) {
      leaves = true;
      ++sink.count;
      sink.mass += mass;
    }
  if (leaves) removed_mass += mass;
  return leaves;
}

template <std::size_t D>
void Simulation<D>::State::permute_particles(std::span<const std::uint32_t> to, std::size_t stay) {
  neighbor_list.renumber(to);
  wall_contacts.renumber(to);
  particles.permute(to, stay);
  for (auto* records : {&force_sum, &torque_sum, &acceleration, &angular_acceleration})
    if (!records->empty()) permute_in_place(*records, to, stay);
}

template <std::size_t D>
ParticleArrays Simulation<D>::State::particle_arrays() {
  return {particles.position.data(), particles.velocity.data(), particles.angular_velocity.data(),
          particles.material.data(), force_sum.data(),          torque_sum.data()};
}

template <std::size_t D>
ForceParameters Simulation<D>::State::force_parameters(double over) const {
  return {&coefficients, over, has_friction, has_rolling, has_restitution, has_cohesion};
}

template <std::size_t D>
IntegrationChunk Simulation<D>::State::integration_chunk(std::size_t first, std::size_t last) {
  const Box<D> box = particle_bounds();
  constexpr double endless = std::numeric_limits<double>::max();
  IntegrationChunk run{particles.position.data(),
                       particles.velocity.data(),
                       particles.angular_velocity.data(),
                       force_sum.data(),
                       torque_sum.data(),
                       acceleration.data(),
                       angular_acceleration.data(),
                       first,
                       last,
                       to_vec4<D>(model.gravity),
                       {-endless, -endless, -endless, 0},
                       {endless, endless, endless, 0},
                       time_step,
                       has_friction};
  for (std::size_t k = 0; k < D; ++k) {
    run.domain_min.*vec4_axes[k] = box.min[k];
    run.domain_max.*vec4_axes[k] = box.max[k];
  }
  return run;
}

template class Simulation<2>::State;
template class Simulation<3>::State;

}  // namespace abut
