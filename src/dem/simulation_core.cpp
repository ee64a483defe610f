#include "dem/simulation_core.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "core/message.hpp"
#include "core/vec.hpp"

namespace abut {
namespace {

/// Numbers of steps between removals of departed particles, between spatial sorts, and between
/// checks of the energy balance. All are done at multiples of these numbers, so that a restart does
/// not change results.
constexpr std::uint64_t removal_interval = 10;
constexpr std::uint64_t reorder_interval = 2000;
constexpr std::uint64_t energy_check_interval = 100;

constexpr double unbounded = std::numeric_limits<double>::infinity();

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

[[noreturn]] void reject(const std::string& key, double value, const char* requirement) {
  throw Error(ErrorCode::invalid_argument, {.key = key, .value = message(value)}, requirement);
}

template <std::size_t D>
void check_model(const Model<D>& model) {
  if (model.materials.empty()) throw Error("a simulation needs at least one material");
  if (model.materials.size() > 255) throw Error("a simulation can have at most 255 materials");
  for (const Material& material : model.materials)
    if (!(material.density > 0) || !std::isfinite(material.density))
      throw Error(message("material ", material.name, ": density = ", material.density,
                          ": must be positive"),
                  ErrorCode::invalid_argument,
                  {.key = "density", .value = message(material.density)});
  if (!(model.time_step >= 0) || !std::isfinite(model.time_step))
    reject("time_step", model.time_step, "must be positive, or 0 to choose it automatically");
  if (!(model.max_displacement_ratio >= 0))
    reject("max_displacement_ratio", model.max_displacement_ratio,
           "must be positive, or 0 for no limit");
  if (!(model.max_energy_growth_ratio >= 0))
    reject("max_energy_growth_ratio", model.max_energy_growth_ratio,
           "must be positive, or 0 for no limit");
  for (std::size_t k = 0; k < D; ++k) {
    if (!std::isfinite(model.gravity[k]))
      reject(message("gravity[", k, "]"), model.gravity[k], "must be finite");
    if (model.periodic[k] && !model.domain) throw Error("a periodic axis needs a domain");
    if (model.domain && !(model.domain->min[k] < model.domain->max[k]))
      throw Error(message("domain: min[", k, "] = ", model.domain->min[k],
                          ": must be less than max[", k, "] = ", model.domain->max[k]));
  }
}

template <std::size_t D>
Model<D> checked(Model<D> model) {
  check_model(model);
  return model;
}

template <std::size_t D>
std::string text_of(const Point<D>& p) {
  std::string text = "(";
  for (std::size_t k = 0; k < D; ++k) text += message(k == 0 ? "" : ", ", p[k]);
  return text + ")";
}

double squared_length(const Vec4& v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

}  // namespace

template <std::size_t D>
Simulation<D>::Core::Core(Model<D> model)
    : model_(checked(std::move(model))),
      pool_(model_.threads),
      contact_model_(model_.law, model_.materials, model_.contact_parameters, model_.track_energy),
      domain_(model_.domain, model_.periodic, model_.allow_outflow),
      neighbor_list_(neighbor_options()),
      contact_forces_(contact_model_),
      wall_forces_(contact_model_,
                   {model_.domain, model_.periodic, model_.threads, !model_.track_energy}),
      integration_(integration_options()),
      force_sums_(contact_model_.has_rotation()) {
  update_min_radii();
}

template <std::size_t D>
typename NeighborList<D>::Options Simulation<D>::Core::neighbor_options() const {
  return {model_.search_method, model_.domain, model_.periodic, model_.threads,
          contact_model_.range()};
}

template <std::size_t D>
TimeIntegration::Options Simulation<D>::Core::integration_options() const {
  constexpr double largest = std::numeric_limits<double>::max();
  TimeIntegration::Options options{model_.integrator,
                                   to_vec4<D>(model_.gravity),
                                   {-largest, -largest, -largest, 0},
                                   {largest, largest, largest, 0},
                                   contact_model_.has_rotation(),
                                   contact_model_.kernels().integrate};
  for (std::size_t k = 0; k < D; ++k) {
    options.domain_min.*vec4_axes[k] = domain_.bounds().min[k];
    options.domain_max.*vec4_axes[k] = domain_.bounds().max[k];
  }
  return options;
}

// ---- the time step

template <std::size_t D>
void Simulation<D>::Core::advance(std::size_t steps) {
  if (steps == 0) return;
  initialize();
  const std::uint64_t last = step_ + steps;
  StepPhase phase = StepPhase::end;
  while (step_ < last) {
    if (phase == StepPhase::end) begin_step();
    ++step_;
    if (step_ % reorder_interval == 0) sort_spatially();
    if (!neighbor_list_.is_valid()) rebuild_neighbor_list();
    if (!wall_forces_.has_valid_candidates()) update_wall_candidates();
    const bool is_removal_step = step_ % removal_interval == 0 && domain_.may_remove();
    const bool is_check_step = model_.track_energy && model_.max_energy_growth_ratio > 0 &&
                               step_ % energy_check_interval == 0;
    phase = step_ == last || is_removal_step || is_check_step ? StepPhase::end
                                                              : StepPhase::end_and_begin;
    finish_step(phase);
    if (is_check_step) check_energy();
    if (is_removal_step) remove_departed();
  }
}

// Computes the forces before the first step, without advancing springs.
template <std::size_t D>
void Simulation<D>::Core::initialize() {
  time_step_ = time_step();
  if (has_forces_) return;
  sort_spatially();
  rebuild_neighbor_list();
  wall_forces_.update_contacts(particles_, time());
  contact_forces_.begin_evaluation();
  for (std::size_t chunk = 0; chunk < contact_forces_.chunk_count(); ++chunk)
    contact_forces_.add_pair_forces(chunk, neighbor_list_.rows(), particles_, 0, force_sums_);
  chunk_energies_.assign(contact_forces_.chunk_count(), {});
  for (std::size_t chunk = 0; chunk < contact_forces_.chunk_count(); ++chunk)
    add_stored_and_wall_forces(chunk, 0);
  has_forces_ = true;
}

// First part of a step: particles move to their new positions.
template <std::size_t D>
void Simulation<D>::Core::begin_step() {
  const ScopedTimer timer(timings_.integration);
  const Chunks chunks(particles_.size(), 2048);
  integration_results_.assign(chunks.size(), {});
  neighbor_list_.motion().resize(particles_.size());
  pool_.run(chunks.size(), [&](std::size_t chunk, unsigned) {
    integration_results_[chunk] = integration_.integrate(
        StepPhase::begin, chunks.first(chunk), chunks.last(chunk), time_step_, particles_,
        force_sums_, neighbor_list_.motion().bounds());
  });
  check_motion(step_ + 1);
}

// Second part: forces at the new positions, and the end of the motion; with `end_and_begin` also
// the first part of the next step, while the data of a chunk are in the cache.
template <std::size_t D>
void Simulation<D>::Core::finish_step(StepPhase phase) {
  {
    const ScopedTimer timer(timings_.walls);
    wall_forces_.update_contacts(particles_, time());
  }
  contact_forces_.begin_evaluation();
  chunk_energies_.assign(contact_forces_.chunk_count(), {});
  integration_results_.assign(contact_forces_.chunk_count(), {});
  worker_times_.assign(pool_.threads(), {});
  const PairRows rows = neighbor_list_.rows();
  const auto forces = [&](std::size_t chunk, unsigned worker) {
    const ScopedTimer timer(worker_times_[worker].forces);
    chunk_energies_[chunk] =
        contact_forces_.add_pair_forces(chunk, rows, particles_, time_step_, force_sums_);
  };
  const auto motion = [&](std::size_t chunk, unsigned worker) {
    const ScopedTimer timer(worker_times_[worker].integration);
    add_stored_and_wall_forces(chunk, time_step_);
    integration_results_[chunk] = integration_.integrate(
        phase, contact_forces_.first_particle(chunk), contact_forces_.last_particle(chunk),
        time_step_, particles_, force_sums_, neighbor_list_.motion().bounds());
  };
  chunk_schedule_.run(pool_, contact_forces_.dependencies(), std::cref(forces), std::cref(motion));
  for (const WorkerTimes& times : worker_times_) {
    timings_.forces += times.forces / static_cast<double>(worker_times_.size());
    timings_.integration += times.integration / static_cast<double>(worker_times_.size());
  }
  if (model_.track_energy) {
    energy_.add_step(chunk_energies_);
    wall_forces_.add_work(time_step_, energy_.input());
  }
  check_motion(phase == StepPhase::end ? step_ : step_ + 1);
}

// The forces that other chunks have stored, then those of walls.
template <std::size_t D>
void Simulation<D>::Core::add_stored_and_wall_forces(std::size_t chunk, double spring_time_step) {
  contact_forces_.add_stored_forces(chunk, force_sums_);
  chunk_energies_[chunk] += wall_forces_.add_forces(contact_forces_.first_particle(chunk),
                                                    contact_forces_.last_particle(chunk),
                                                    particles_, spring_time_step, force_sums_);
}

// Called after particles have moved to their positions of step `at_step`: throws if one is lost or
// moved too far, and invalidates the lists of neighbors and of particles near walls if they may be
// incomplete.
template <std::size_t D>
void Simulation<D>::Core::check_motion(std::uint64_t at_step) {
  if (!std::ranges::all_of(integration_results_, &IntegrationResult::is_inside))
    domain_.check_positions(particles_, at_step, time_step_);
  if (model_.max_displacement_ratio > 0) check_displacements(at_step);
  neighbor_list_.check_motion();
  wall_forces_.check_motion(neighbor_list_.motion().travel_since_mark(), time(),
                            static_cast<double>(at_step) * time_step_);
}

// Throws if energy has grown without a source by more than a fraction of what was put in. Twice the
// work of moving walls in the last step is that of half a step before and after. Damping dissipates
// with the velocities of half a step before, so that the dissipated energy is uncertain by the time
// step over the critical one.
template <std::size_t D>
void Simulation<D>::Core::check_energy() {
  constexpr double rounding_slack = 1e-9;
  const Energy now = energy();
  double wall_work = 0;
  wall_forces_.add_work(time_step_, wall_work);
  const double input = now.input - wall_work / 2;
  const double put_in = energy_.update_largest_available(input - now.potential);
  const double gain = integration_.kinetic_energy(time_step_, particles_, force_sums_) +
                      now.potential + now.elastic + now.dissipated - input;
  const double ratio = time_step_ / critical_time_step();
  if (gain <= model_.max_energy_growth_ratio * put_in + ratio * now.dissipated +
                  rounding_slack * (std::abs(input) + std::abs(now.potential)))
    return;
  throw Error(message("step ", step_, ", t = ", time(), ": the energy has grown by ", gain,
                      " J although only ", put_in, " J were put in, of which ", now.dissipated,
                      " J are dissipated: the time step, ", time_step_, ", is ", ratio,
                      " of the critical one, too large for these contacts or velocities; reduce it "
                      "(see max_energy_growth_ratio)"),
              ErrorCode::simulation);
}

// Throws if a particle or wall has moved so far in one step that it may have passed a particle or
// wall unnoticed.
template <std::size_t D>
void Simulation<D>::Core::check_displacements(std::uint64_t at_step) const {
  if (min_radius_.empty()) return;
  const double min_radius = std::ranges::min(min_radius_);
  const double allowed = model_.max_displacement_ratio * min_radius;
  const auto moved_far = [&](const IntegrationResult& result) {
    return result.max_displacement > allowed;
  };
  if (std::ranges::any_of(integration_results_, moved_far))
    check_displacements_of_particles(at_step);
  const double end = static_cast<double>(at_step) * time_step_;
  for (const WallState<D>& wall : wall_forces_.wall_states()) {
    const WallMotion<D>& motion = wall.motion;
    const double speed = length(motion.velocity);
    if (!wall.is_open && end > motion.start_time && end <= motion.end_time &&
        speed * time_step_ > allowed)
      throw Error(message("step ", at_step, ": wall ", wall.name, " moves ", speed * time_step_,
                          " m in one time step, more than ", model_.max_displacement_ratio,
                          " times the smallest radius, ", min_radius,
                          " m, and may pass particles; the largest time step is ", allowed / speed,
                          " s (see max_displacement_ratio)"),
                  ErrorCode::simulation);
  }
}

template <std::size_t D>
void Simulation<D>::Core::check_displacements_of_particles(std::uint64_t at_step) const {
  constexpr double rounding_slack = 1e-9;
  for (std::size_t i = particles_.fixed_count(); i < particles_.size(); ++i) {
    const Vec4& velocity = particles_.velocity()[i];
    const double radius = particles_.position()[i].w;
    const double speed = std::sqrt(squared_length(velocity));
    const double ratio = speed * time_step_ / radius;
    if (ratio <= model_.max_displacement_ratio * (1 + rounding_slack)) continue;
    throw Error(
        message("step ", at_step, ": particle ", particles_.id()[i], " at ",
                text_of(wrapped_position(i).position), " moves ", ratio,
                " radii in one time step with velocity ", text_of(to_point<D>(velocity)),
                " and may pass other particles and walls; the largest time step is ",
                model_.max_displacement_ratio * radius / speed,
                " s; inserted with overlap, or time step too large? (see max_displacement_ratio)"),
        ErrorCode::simulation);
  }
}

// Also moves particles into a periodic domain, so that particles close in space are close in memory
// and most pairs have image 0. Sums of forces are 0 then.
template <std::size_t D>
void Simulation<D>::Core::sort_spatially() {
  const ScopedTimer timer(timings_.neighbor_search);
  const std::vector<PeriodCounts> moved_back = particles_.wrap(domain_.periodic());
  const std::vector<std::uint32_t> new_index = particles_.spatial_order();
  contact_forces_.renumber(neighbor_list_.rows(), new_index, moved_back);
  wall_forces_.renumber(new_index);
  particles_.renumber(new_index, new_index.size());
  integration_.renumber(new_index, new_index.size());
  neighbor_list_.invalidate();
}

// Sums of forces are 0 when the list is rebuilt; the search uses their memory.
template <std::size_t D>
void Simulation<D>::Core::rebuild_neighbor_list() {
  const ScopedTimer timer(timings_.neighbor_search);
  use_memory_of_forces([&] { search_neighbors(); });
  ++timings_.neighbor_builds;
}

template <std::size_t D>
void Simulation<D>::Core::search_neighbors() {
  neighbor_list_.choose_skin(particles_);
  FoundPairs<D> found(arena_, particles_.size(), neighbor_list_.expected_pairs(particles_.size()));
  const ScratchArena::Mark mark = arena_.mark();
  const Spheres<D> spheres = sphere_arrays<D>(particles_, arena_, pool_);
  wall_forces_.update_candidates(spheres, particles_.fixed_count(), neighbor_list_.skin(), time(),
                                 arena_);
  neighbor_list_.search(spheres, particles_.fixed_count(), found, arena_);
  arena_.release(mark);  // the spheres are no longer needed
  contact_forces_.begin_rebuild(neighbor_list_.rows(), arena_);
  neighbor_list_.replace(found, particles_);
  contact_forces_.end_rebuild(neighbor_list_.rows(), particles_.order(), arena_, pool_);
}

// Sums of forces are 0 before and after `search`, also if it throws.
template <std::size_t D>
void Simulation<D>::Core::use_memory_of_forces(const std::function<void()>& search) {
  constexpr std::size_t bytes_per_particle = 120;  // of a search in a dense packing
  try {
    arena_.reset(bytes_per_particle * particles_.size());
    search();
  } catch (...) {
    force_sums_.allocate(particles_.size(), contact_forces_.slot_count(), arena_);
    throw;
  }
  force_sums_.allocate(particles_.size(), contact_forces_.slot_count(), arena_);
}

// A particle approaches walls with its own velocity, and other particles with its velocity relative
// to them: the candidates of walls are often out of date before the neighbor list is.
template <std::size_t D>
void Simulation<D>::Core::update_wall_candidates() {
  const ScopedTimer timer(timings_.walls);
  use_memory_of_forces([&] {
    wall_forces_.update_candidates(sphere_arrays<D>(particles_, arena_, pool_),
                                   particles_.fixed_count(), neighbor_list_.skin(), time(), arena_);
  });
  neighbor_list_.motion().mark();
}

template <std::size_t D>
void Simulation<D>::Core::remove_departed() {
  const std::vector<std::size_t> departed = domain_.count_departed(particles_);
  if (departed.empty()) return;
  std::vector<std::uint32_t> new_index(particles_.size());
  std::size_t departed_before = 0;
  for (std::size_t i = 0; i < new_index.size(); ++i) {
    const bool is_departed = departed_before < departed.size() && departed[departed_before] == i;
    departed_before += is_departed ? 1 : 0;
    new_index[i] = is_departed ? removed_particle : static_cast<std::uint32_t>(i - departed_before);
  }
  const std::size_t remaining = new_index.size() - departed.size();
  track_input([&] {
    contact_forces_.remove(neighbor_list_.rows(), new_index);
    neighbor_list_.remove(new_index, remaining);
    wall_forces_.renumber(new_index);
    particles_.renumber(new_index, remaining);
    integration_.renumber(new_index, remaining);
    force_sums_.renumber(new_index, remaining);
  });
}

// ---- changes from outside

template <std::size_t D>
void Simulation<D>::Core::check(const NewParticles<D>& added) const {
  const auto check_material = [&](MaterialId material) {
    if (material.value() >= model_.materials.size())
      throw Error(message("material ", material.value(), " does not exist; there are ",
                          model_.materials.size()),
                  ErrorCode::out_of_range);
  };
  check_material(added.material);
  std::for_each(added.materials.begin(), added.materials.end(), check_material);
  if (added.fixed && (step_ > 0 || particles_.size() > particles_.fixed_count()))
    throw Error("fixed particles must be added before all moving particles and the first step");
  const std::size_t count = added.spheres.size();
  for (const std::size_t given : {added.velocity.size(), added.angular_velocity.size()})
    if (given > 1 && given != count)
      throw Error(message(given, " velocities or angular velocities for ", count,
                          " particles: give none, one, or one per particle"));
  if (!added.materials.empty() && added.materials.size() != count)
    throw Error(message(added.materials.size(), " materials for ", count,
                        " particles: give none, or one per particle"));
  const auto check_finite = [](const char* name, std::size_t i, double value) {
    if (!std::isfinite(value)) reject(message(name, "[", i, "]"), value, "must be finite");
  };
  for (std::size_t i = 0; i < count; ++i) {
    const double radius = added.spheres.radius(i);
    if (!(radius > 0) || !std::isfinite(radius))
      reject(message("radius[", i, "]"), radius, "must be positive");
    for (std::size_t k = 0; k < D; ++k) check_finite("position", i, added.spheres.coordinate(k, i));
  }
  for (std::size_t i = 0; i < added.velocity.size(); ++i)
    for (const double component : added.velocity[i]) check_finite("velocity", i, component);
  for (std::size_t i = 0; i < added.angular_velocity.size(); ++i)
    for (const double component : added.angular_velocity[i])
      check_finite("angular_velocity", i, component);
}

template <std::size_t D>
void Simulation<D>::Core::add(const NewParticles<D>& added) {
  check(added);
  check_coincident_centers(particles_, added);
  const auto value = [](const auto& values, std::size_t i) {
    return values.empty() ? typename std::decay_t<decltype(values)>::value_type{}
                          : values[values.size() == 1 ? 0 : i];
  };
  track_input([&] {
    particles_.reserve(particles_.size() + added.spheres.size());
    for (std::size_t i = 0; i < added.spheres.size(); ++i) {
      const std::size_t material =
          (added.materials.empty() ? added.material : added.materials[i]).value();
      const double radius = added.spheres.radius(i);
      const double mass = particle_mass<D>(model_.materials[material].density, radius);
      Point<D> position;
      for (std::size_t k = 0; k < D; ++k) position[k] = added.spheres.coordinate(k, i);
      particles_.add(
          {to_vec4(position, radius), to_vec4(value(added.velocity, i), added.fixed ? 0 : 1 / mass),
           to_vec4(value(added.angular_velocity, i),
                   added.fixed ? 0 : inverse_inertia<D>(mass, radius)),
           static_cast<std::uint8_t>(material)},
          added.fixed);
    }
    force_sums_.resize(particles_.size(), arena_);
    integration_.resize(particles_.size());
    update_min_radii();
    neighbor_list_.invalidate();
  });
}

template <std::size_t D>
void Simulation<D>::Core::add(WallState<D> wall) {
  track_input([&] { wall_forces_.add(std::move(wall)); });
}

template <std::size_t D>
void Simulation<D>::Core::set_open(std::size_t wall, bool open) {
  if (wall_forces_.wall_states()[wall].is_open == open) return;
  track_input([&] { wall_forces_.set_open(wall, open); });
}

template <std::size_t D>
void Simulation<D>::Core::set_velocity(std::size_t particle, const Vec4& velocity) {
  const Vec4& current = particles_.velocity()[particle];
  const Vec4 changed{velocity.x, velocity.y, velocity.z, current.w};
  if (model_.track_energy)
    energy_.add_input((squared_length(changed) - squared_length(current)) / (2 * current.w));
  particles_.set_velocity(particle, changed);
}

template <std::size_t D>
void Simulation<D>::Core::set_angular_velocity(std::size_t particle, const Vec4& angular_velocity) {
  const Vec4& current = particles_.angular_velocity()[particle];
  const Vec4 changed{angular_velocity.x, angular_velocity.y, angular_velocity.z, current.w};
  if (model_.track_energy)
    energy_.add_input((squared_length(changed) - squared_length(current)) / (2 * current.w));
  particles_.set_angular_velocity(particle, changed);
}

// Runs `change`, which adds or removes particles or walls. With `Model::track_energy`, the change
// of mechanical energy is counted as input.
template <std::size_t D>
void Simulation<D>::Core::track_input(const std::function<void()>& change) {
  if (!model_.track_energy) return change();
  const auto kinetic_and_potential = [&] {
    const Energy now = energy();
    return now.kinetic + now.rotational + now.potential;
  };
  const double previous = kinetic_and_potential();
  const double previous_elastic = overlap_energy();
  change();
  const double elastic_input = overlap_energy() - previous_elastic;
  energy_.add_elastic(elastic_input);
  energy_.add_input(elastic_input + kinetic_and_potential() - previous);
}

// Elastic energy (J) of all overlaps, from a search of its own.
template <std::size_t D>
double Simulation<D>::Core::overlap_energy() const {
  ScratchArena arena;
  const Spheres<D> spheres = sphere_arrays<D>(particles_, arena, pool_);
  Detector<D> detector(neighbor_list_.search_options(spheres, particles_.fixed_count(), 0));
  detector.update(spheres);
  double sum = 0;
  for (const PeriodicPair<D>& pair : detector.periodic_pairs()) {
    const Vec4& a = particles_.position()[pair.a];
    const Vec4& b = particles_.position()[pair.b];
    double distance_squared = 0;
    for (std::size_t k = 0; k < D; ++k) {
      const double difference =
          a.*vec4_axes[k] - b.*vec4_axes[k] - pair.image[k] * domain_.periodic().length[k];
      distance_squared += difference * difference;
    }
    sum += contact_model_.overlap_energy(particles_.material()[pair.a],
                                         particles_.material()[pair.b], a.w * b.w / (a.w + b.w),
                                         a.w + b.w - std::sqrt(distance_squared));
  }
  for (const WallContact<D>& contact : wall_forces_.find_contacts(spheres, 0)) {
    if (contact.particle < particles_.fixed_count()) continue;
    const std::uint8_t material =
        wall_forces_.wall_states()[wall_forces_.wall_of(contact.element)].material;
    sum += contact_model_.overlap_energy(particles_.material()[contact.particle], material,
                                         particles_.position()[contact.particle].w, -contact.gap);
  }
  return sum;
}

// ---- choice of the time step

template <std::size_t D>
void Simulation<D>::Core::update_min_radii() {
  min_radius_.assign(model_.materials.size(), unbounded);
  for (std::size_t i = particles_.fixed_count(); i < particles_.size(); ++i) {
    double& radius = min_radius_[particles_.material()[i]];
    radius = std::min(radius, particles_.position()[i].w);
  }
  for (std::size_t m = 0; m < std::min(min_radius_.size(), model_.min_radius.size()); ++m)
    if (model_.min_radius[m] > 0) min_radius_[m] = std::min(min_radius_[m], model_.min_radius[m]);
}

template <std::size_t D>
double Simulation<D>::Core::critical_time_step() const {
  return time_step_limits(model_, contact_model_, min_radius_).complete;
}

template <std::size_t D>
double Simulation<D>::Core::time_step() const {
  const TimeStepLimits limits = time_step_limits(model_, contact_model_, min_radius_);
  const double critical = limits.complete;
  double chosen = time_step_ > 0 ? time_step_ : model_.time_step;
  if (chosen == 0) chosen = default_time_step(model_.law, limits);
  if (chosen > critical)
    throw Error(ErrorCode::invalid_argument, {.key = "time_step", .value = message(chosen)},
                message("must be at most ", critical, " to be stable"));
  if (!std::isfinite(chosen))
    throw Error("time_step: must be given if no particle can touch anything");
  return chosen;
}

// ---- queries

template <std::size_t D>
double Simulation<D>::Core::mass(std::size_t particle) const {
  return particle_mass<D>(model_.materials[particles_.material()[particle]].density,
                          particles_.position()[particle].w);
}

template <std::size_t D>
typename Simulation<D>::Core::WrappedPosition Simulation<D>::Core::wrapped_position(
    std::size_t particle) const {
  WrappedPosition result{to_point<D>(particles_.position()[particle]), {}};
  if (particle < particles_.fixed_count()) return result;
  const ImageOffset<D> offset = domain_.periodic().wrap(result.position);
  for (std::size_t k = 0; k < D; ++k)
    result.image[k] =
        (particles_.image().empty() ? 0 : particles_.image()[particle][k]) - offset[k];
  return result;
}

template <std::size_t D>
Energy Simulation<D>::Core::energy() const {
  return energy_.energy(particles_, to_vec4<D>(model_.gravity),
                        to_vec4<D>(domain_.periodic().length));
}

template <std::size_t D>
std::vector<ContactState<D>> Simulation<D>::Core::contacts() const {
  std::vector<ContactState<D>> all;
  if (neighbor_list_.exists() && has_forces_) {
    append_contacts(neighbor_list_.rows(), contact_forces_, all);
    append_contacts(wall_forces_.overlapping(particles_), all);
    return all;
  }
  // Before the first step there are neither lists nor history.
  ScratchArena arena;
  FoundPairs<D> found(arena, particles_.size(), 0);
  const Spheres<D> spheres = sphere_arrays<D>(particles_, arena, pool_);
  NeighborList<D> list(neighbor_options());
  list.search(spheres, particles_.fixed_count(), found, arena);
  list.replace(found, particles_);
  append_contacts(list.rows(), ContactForces(contact_model_), all);
  append_contacts(wall_forces_.search_overlapping(particles_, spheres), all);
  return all;
}

template <std::size_t D>
void Simulation<D>::Core::append_contacts(const PairRows& rows, const ContactForces& forces,
                                          std::vector<ContactState<D>>& all) const {
  rows.for_each_pair([&](Index k, const Pair& pair) {
    const ContactForces::PairContact contact = forces.evaluate(k, pair, rows, particles_);
    if (!(contact.overlap > 0)) return;
    const Point<D> center = wrapped_position(pair.a).position;
    const double radius = particles_.position()[pair.a].w;
    ContactState<D> state{ParticleId{particles_.id()[pair.a]},
                          ParticleId{particles_.id()[pair.b]},
                          {},
                          false,
                          contact.overlap,
                          {},
                          {},
                          to_point<D>(contact.force)};
    for (std::size_t axis = 0; axis < D; ++axis) {
      state.normal[axis] = contact.normal[axis];
      state.point[axis] = center[axis] + (radius - contact.overlap / 2) * contact.normal[axis];
    }
    all.push_back(state);
  });
}

template <std::size_t D>
void Simulation<D>::Core::append_contacts(std::span<const WallContactState> contacts,
                                          std::vector<ContactState<D>>& all) const {
  for (const WallContactState& contact : contacts) {
    const Point<D> center = wrapped_position(contact.particle).position;
    const double radius = particles_.position()[contact.particle].w;
    const Point<D> normal = scaled(to_point<D>(contact.normal), -1);
    const double overlap = contact.normal.w;
    if (overlap > 0)
      all.push_back({ParticleId{particles_.id()[contact.particle]},
                     {},
                     WallId{contact.wall},
                     true,
                     overlap,
                     add_scaled(center, radius - overlap, normal),
                     normal,
                     to_point<D>(contact.force)});
  }
}

template <std::size_t D>
void Simulation<D>::Core::verify_neighbors(std::size_t stride) const {
  const auto minimum_image = [&](double difference, std::size_t k) {
    if (k >= D || !model_.periodic[k]) return difference;
    const double period = domain_.periodic().length[k];
    return difference - period * std::round(difference / period);
  };
  const PairRows rows = neighbor_list_.rows();
  // Particles added after the last search enter the list in the next step.
  const auto is_new = [&](std::size_t i) {
    return !neighbor_list_.is_valid() && particles_.id()[i] >= neighbor_list_.listed_id_end();
  };
  const std::size_t fixed_count = particles_.fixed_count();
  for (std::size_t i = step_ % stride; i < particles_.size(); i += stride)
    for (std::size_t j = 0; j < particles_.size(); ++j) {
      if (i == j || is_new(i) || is_new(j) || (i < fixed_count && j < fixed_count)) continue;
      const Vec4& p = particles_.position()[i];
      const Vec4& q = particles_.position()[j];
      const Vec4 difference{minimum_image(p.x - q.x, 0), minimum_image(p.y - q.y, 1),
                            minimum_image(p.z - q.z, 2), 0};
      const double gap = std::sqrt(squared_length(difference)) - (p.w + q.w);
      const Pair pair{static_cast<Index>(std::min(i, j)), static_cast<Index>(std::max(i, j))};
      if (gap < contact_model_.range() && !rows.contains(pair))
        throw Error(
            message("step ", step_, ": particles ", particles_.id()[i], " and ", particles_.id()[j],
                    " have a gap of ", gap, " but are not in the neighbor list"),
            ErrorCode::simulation);
    }
  if (!wall_forces_.has_candidates()) return;
  ScratchArena arena;
  const Spheres<D> spheres = sphere_arrays<D>(particles_, arena, pool_);
  for (const WallContact<D>& contact :
       wall_forces_.find_contacts(spheres, contact_model_.range())) {
    const std::size_t wall = wall_forces_.wall_of(contact.element);
    if (contact.particle >= fixed_count && contact.gap < contact_model_.range() &&
        !is_new(contact.particle) && !wall_forces_.is_candidate(contact.particle, wall))
      throw Error(
          message("step ", step_, ": particle ", particles_.id()[contact.particle], " and wall ",
                  wall, " have a gap of ", contact.gap, " but are not among the wall candidates"),
          ErrorCode::simulation);
  }
}

// ---- saved states

template <std::size_t D>
SavedState Simulation<D>::Core::save() const {
  const bool has_rolling = contact_model_.spring_count() == 2;
  SavedState saved;
  saved.step = step_;
  saved.time_step = time_step_;
  particles_.save(saved);
  saved.force = flatten(force_sums_.force(), particles_.size());
  saved.torque = flatten(force_sums_.torque(), particles_.size());
  integration_.save(saved, particles_.size());
  save_history(contact_forces_.history(neighbor_list_.rows()), has_rolling, saved);
  save_history(wall_forces_.overlapping(particles_), has_rolling, saved);
  domain_.save(saved);
  energy_.save(saved, domain_.removed_mass());
  return saved;
}

template <std::size_t D>
void Simulation<D>::Core::restore(const SavedState& saved) {
  const bool has_forces = saved.step > 0;
  abut::check(saved, {D, model_.materials.size(), wall_forces_.wall_states().size(),
                      domain_.sinks().size(), has_forces && contact_model_.has_rotation(),
                      has_forces && model_.integrator == Integrator::predictor_corrector,
                      contact_model_.spring_count() == 2});
  if (has_forces && model_.time_step > 0 && model_.time_step != saved.time_step)
    throw Error(message("time_step = ", model_.time_step, ": must be ", saved.time_step,
                        ", with which the saved state was computed"));
  step_ = saved.step;
  time_step_ = saved.time_step;
  particles_.restore(saved);
  integration_.restore(saved);
  neighbor_list_.reset();
  contact_forces_.restore(saved_pair_history(saved));
  wall_forces_.restore(saved_wall_contacts(saved));
  domain_.restore(saved);
  energy_.restore(saved);
  update_min_radii();
  has_forces_ = has_forces;
  rebuild_neighbor_list();  // for queries of contacts before the next step
  const auto copy_to = [](const std::vector<double>& from, std::span<Vec4> to) {
    if (!to.empty()) std::ranges::copy(unflatten(from), to.begin());
  };
  copy_to(saved.force, force_sums_.force());
  copy_to(saved.torque, force_sums_.torque());
}

template class Simulation<2>::Core;
template class Simulation<3>::Core;

}  // namespace abut
