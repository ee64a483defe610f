// A time step: first half of the integration (positions), neighbor search if needed, forces, second
// half of the integration (velocities).

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

/// Numbers of steps between removals of departed particles and between spatial sorts. Both are done
/// at multiples of these numbers, so that a restart does not change results.
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

bool is_finite(const Vec4& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

template <std::size_t D>
bool is_inside(const Box<D>& box, const Vec4& v) {
  for (std::size_t k = 0; k < D; ++k)
    if (!(v.*vec4_axes[k] >= box.min[k] && v.*vec4_axes[k] <= box.max[k])) return false;
  return true;
}

}  // namespace

template <std::size_t D>
void Simulation<D>::State::advance(std::size_t steps) {
  if (steps == 0) return;
  initialize();
  const std::uint64_t last = step + steps;
  StepPhase phase = StepPhase::end;
  while (step < last) {
    if (phase == StepPhase::end) begin_step();
    ++step;
    {
      const ScopedTimer timer(timings.neighbor_search);
      if (step % reorder_interval == 0) sort_spatially();
      if (!neighbor_list_valid) rebuild_neighbor_list();
    }
    const bool stop = step == last || step % removal_interval == 0;
    phase = stop ? StepPhase::end : StepPhase::end_and_begin;
    end_step(phase);
    if (step % removal_interval == 0) remove_departed();
  }
}

// Computes the forces before the first step, without advancing springs.
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
  neighbor_list.begin_evaluation();
  chunk_energies.assign(neighbor_list.chunk_count(), {});
  for (std::size_t chunk = 0; chunk < neighbor_list.chunk_count(); ++chunk)
    compute_pair_forces(chunk, 0);
  for (std::size_t chunk = 0; chunk < neighbor_list.chunk_count(); ++chunk) finish_forces(chunk, 0);
  has_forces = true;
}

template <std::size_t D>
void Simulation<D>::State::begin_step() {
  const ScopedTimer timer(timings.integration);
  constexpr std::size_t length = 2048;
  const std::size_t chunk_count = (particles.size() + length - 1) / length;
  chunk_is_valid.assign(chunk_count, 0);
  displacements.resize(block_count());
  const auto task = [&](std::size_t chunk, unsigned /*worker*/) {
    chunk_is_valid[chunk] = integrate(StepPhase::begin, chunk * length,
                                      std::min(particles.size(), (chunk + 1) * length));
  };
  pool.run(chunk_count, std::cref(task));
  check_neighbor_list(step + 1);
}

// Integrates the moving ones of particles first … last − 1; forces on fixed particles are reset.
// Returns whether all positions are finite and inside the domain.
template <std::size_t D>
bool Simulation<D>::State::integrate(StepPhase phase, std::size_t first, std::size_t last) {
  const std::size_t moving = std::clamp(particles.fixed_count, first, last);
  if (phase != StepPhase::end) {
    std::fill(force_sum.begin() + static_cast<std::ptrdiff_t>(first),
              force_sum.begin() + static_cast<std::ptrdiff_t>(moving), Vec4{});
    if (has_friction)
      std::fill(torque_sum.begin() + static_cast<std::ptrdiff_t>(first),
                torque_sum.begin() + static_cast<std::ptrdiff_t>(moving), Vec4{});
  }
  return kernels.integrate(model.integrator, phase, integration_chunk(moving, last));
}

template <std::size_t D>
void Simulation<D>::State::update_wall_contacts() {
  const ScopedTimer timer(timings.walls);
  wall_contacts.move_to(static_cast<double>(step) * time_step);
  wall_contacts.update_contacts(particles, wall_options(cohesion_range));
}

template <std::size_t D>
void Simulation<D>::State::compute_pair_forces(std::size_t chunk, double spring_time_step) {
  chunk_energies[chunk] = kernels.pairs(force_parameters(spring_time_step), particle_arrays(),
                                        neighbor_list.chunk(chunk, image_shifts.data()));
}

// Adds the forces that other chunks have stored in slots, then those of walls.
template <std::size_t D>
void Simulation<D>::State::finish_forces(std::size_t chunk, double spring_time_step) {
  const auto add_slots = [&](std::vector<Vec4>& sums) {
    const std::span<const NeighborList::Transfer> transfers = neighbor_list.transfers(chunk);
    constexpr std::size_t distance = 16;  // slots are often in the cache of another core
    for (std::size_t k = 0; k < transfers.size(); ++k) {
      if (k + distance < transfers.size())
        __builtin_prefetch(&sums[transfers[k + distance].slot], 1);
      Vec4& sum = sums[transfers[k].particle];
      Vec4& slot = sums[transfers[k].slot];
      sum = {sum.x + slot.x, sum.y + slot.y, sum.z + slot.z, 0};
      slot = {};
    }
  };
  add_slots(force_sum);
  if (has_friction) add_slots(torque_sum);
  const std::size_t first = neighbor_list.first_particle(chunk);
  const std::size_t last = neighbor_list.last_particle(chunk);
  chunk_energies[chunk] +=
      kernels.static_planes(force_parameters(spring_time_step), particle_arrays(),
                            wall_contacts.static_plane_chunk(first, last));
  chunk_energies[chunk] += kernels.walls(force_parameters(spring_time_step), particle_arrays(),
                                         wall_contacts.searched_chunk(first, last));
}

template <std::size_t D>
void Simulation<D>::State::end_step(StepPhase phase) {
  update_wall_contacts();
  neighbor_list.begin_evaluation();
  chunk_energies.assign(neighbor_list.chunk_count(), {});
  chunk_is_valid.assign(neighbor_list.chunk_count(), 0);
  worker_times.assign(pool.threads(), {});
  const auto forces = [&](std::size_t chunk, unsigned worker) {
    const ScopedTimer timer(worker_times[worker].forces);
    compute_pair_forces(chunk, time_step);
  };
  const auto motion = [&](std::size_t chunk, unsigned worker) {
    const ScopedTimer timer(worker_times[worker].integration);
    finish_forces(chunk, time_step);
    chunk_is_valid[chunk] =
        integrate(phase, neighbor_list.first_particle(chunk), neighbor_list.last_particle(chunk));
  };
  chunk_schedule.run(pool, neighbor_list.dependencies(), std::cref(forces), std::cref(motion));
  accumulate();
  check_neighbor_list(phase == StepPhase::end ? step : step + 1);
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
    for (const WallContactState& contact : wall_contacts.searched_contacts())
      energy_totals.input +=
          time_step * (contact.force.x * contact.velocity.x + contact.force.y * contact.velocity.y +
                       contact.force.z * contact.velocity.z + contact.force.w);
  }
}

// Called after particles have moved to their positions of step `at_step`: throws if one is lost,
// and invalidates the neighbor list if two particles, or a particle and a wall, may have approached
// by more than the skin.
template <std::size_t D>
void Simulation<D>::State::check_neighbor_list(std::uint64_t at_step) {
  if (std::find(chunk_is_valid.begin(), chunk_is_valid.end(), 0) != chunk_is_valid.end())
    for (std::size_t i = particles.fixed_count; i < particles.size(); ++i)
      if (is_outside(i) &&
          !(model.allow_outflow && is_inside(search_bounds(), particles.position[i])))
        throw_lost_particle(i, at_step);
  wall_travel += time_step * wall_contacts.max_speed(static_cast<double>(step) * time_step);
  ++steps_since_rebuild;
  constexpr double rounding_slack = 1e-9;
  const double travel = (1 + rounding_slack) * max_travel();
  if (2 * travel > skin || travel + wall_travel > skin) neighbor_list_valid = false;
}

// Upper bound (m) of the displacement of any particle since the last rebuild.
template <std::size_t D>
double Simulation<D>::State::max_travel() const {
  double max_squared = 0;
  for (const DisplacementBounds& bounds : displacements) {
    const double x = std::max(-bounds.low.x, bounds.high.x);
    const double y = std::max(-bounds.low.y, bounds.high.y);
    const double z = std::max(-bounds.low.z, bounds.high.z);
    max_squared = std::max(max_squared, x * x + y * y + z * z);
  }
  return std::sqrt(max_squared);
}

// Coordinates beyond these bounds are not searched.
template <std::size_t D>
Box<D> Simulation<D>::State::search_bounds() const {
  constexpr double max_coordinate = 1e149;
  constexpr double max_periods = 1e8;
  Box<D> box;
  for (std::size_t k = 0; k < D; ++k) {
    const double half = model.periodic[k]
                            ? max_periods * (model.domain->max[k] - model.domain->min[k])
                            : max_coordinate;
    const double middle = model.periodic[k] ? model.domain->min[k] : 0;
    box.min[k] = middle - half;
    box.max[k] = middle + half;
  }
  return box;
}

// The domain along axes that are not periodic, else the search bounds.
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
void Simulation<D>::State::throw_lost_particle(std::size_t particle, std::uint64_t at_step) const {
  const Vec4& position = particles.position[particle];
  const Vec4& velocity = particles.velocity[particle];
  const auto vector = [](const Vec4& r) {
    return D == 2 ? message("(", r.x, ", ", r.y, ")")
                  : message("(", r.x, ", ", r.y, ", ", r.z, ")");
  };
  const double travel =
      std::sqrt(velocity.x * velocity.x + velocity.y * velocity.y + velocity.z * velocity.z) *
      time_step;
  const char* event =
      is_inside(search_bounds(), position) ? "left the domain" : "left the searchable range";
  std::string cause = "gap in the walls? outflow = \"allowed\" lets particles leave";
  if (!is_finite(position))
    cause = "position is not finite; coincident particles or time step too large?";
  else if (travel > 0.1 * position.w)
    cause = message("it moves ", travel / position.w,
                    " radii per step; inserted with overlap, or time step too large?");
  throw Error(message("particle ", particles.id[particle], " at ", vector(position),
                      " with velocity ", vector(velocity), " ", event, " in step ", at_step,
                      ", time ", static_cast<double>(at_step) * time_step, "; ", cause),
              ErrorCode::simulation);
}

template <std::size_t D>
void Simulation<D>::State::remove_departed() {
  if (!model.allow_outflow && sinks.empty()) return;
  std::vector<std::size_t> departed;
  for (std::size_t i = particles.fixed_count; i < particles.size(); ++i)
    if (should_remove(i)) departed.push_back(i);
  if (departed.empty()) return;
  removed += departed.size();
  std::vector<std::uint32_t> new_index(particles.size());
  std::size_t departed_before = 0;
  for (std::size_t i = 0; i < new_index.size(); ++i) {
    const bool is_departed = departed_before < departed.size() && departed[departed_before] == i;
    departed_before += is_departed ? 1 : 0;
    new_index[i] =
        is_departed ? ParticleStore::removed : static_cast<std::uint32_t>(i - departed_before);
  }
  track_input([&] { permute_particles(new_index, new_index.size() - departed_before); });
  neighbor_list_valid = false;
}

// Whether a particle is outside the domain or in a sink, which then counts it.
template <std::size_t D>
bool Simulation<D>::State::should_remove(std::size_t particle) {
  const double mass = 1 / particles.velocity[particle].w;
  bool remove = model.allow_outflow && is_outside(particle);
  auto wrapped = to_point<D>(particles.position[particle]);
  PeriodicDomain<D>(model.domain, model.periodic).wrap(wrapped);
  for (Sink<D>& sink : sinks)
    if (!remove && is_inside(sink.box, to_vec4<D>(wrapped))) {
      remove = true;
      ++sink.count;
      sink.mass += mass;
    }
  if (remove) removed_mass += mass;
  return remove;
}

template <std::size_t D>
void Simulation<D>::State::permute_particles(std::span<const std::uint32_t> new_index,
                                             std::size_t remaining) {
  index_by_id.clear();
  neighbor_list.renumber(new_index);
  wall_contacts.renumber(new_index);
  particles.permute(new_index, remaining);
  for (auto* vectors : {&force_sum, &torque_sum, &acceleration, &angular_acceleration})
    if (!vectors->empty()) permute_in_place(*vectors, new_index, remaining);
}

template <std::size_t D>
ParticleArrays Simulation<D>::State::particle_arrays() {
  return {particles.position.data(), particles.velocity.data(), particles.angular_velocity.data(),
          particles.material.data(), force_sum.data(),          torque_sum.data()};
}

template <std::size_t D>
ForceParameters Simulation<D>::State::force_parameters(double spring_time_step) const {
  return {&coefficients, spring_time_step, cohesion_range, has_friction,
          has_rolling,   has_restitution,  has_cohesion};
}

template <std::size_t D>
IntegrationChunk Simulation<D>::State::integration_chunk(std::size_t first, std::size_t last) {
  const Box<D> box = particle_bounds();
  constexpr double unbounded = std::numeric_limits<double>::max();
  IntegrationChunk chunk{particles.position.data(),
                         particles.velocity.data(),
                         particles.angular_velocity.data(),
                         force_sum.data(),
                         torque_sum.data(),
                         acceleration.data(),
                         angular_acceleration.data(),
                         displacements.data(),
                         first,
                         last,
                         to_vec4<D>(model.gravity),
                         {-unbounded, -unbounded, -unbounded, 0},
                         {unbounded, unbounded, unbounded, 0},
                         time_step,
                         has_friction};
  for (std::size_t k = 0; k < D; ++k) {
    chunk.domain_min.*vec4_axes[k] = box.min[k];
    chunk.domain_max.*vec4_axes[k] = box.max[k];
  }
  return chunk;
}

template class Simulation<2>::State;
template class Simulation<3>::State;

}  // namespace abut
