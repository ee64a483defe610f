#include <abut/case.hpp>
#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "core/periodic_domain.hpp"

namespace abut {
namespace {

/// A seed for each insertion attempt. It depends on the step, not on earlier attempts, so that a
/// restart does not change results.
std::uint64_t mix_seed(std::uint64_t seed, std::uint64_t insertion, std::uint64_t step) {
  std::uint64_t bits = seed * 0x9e3779b97f4a7c15ULL + insertion * 0xbf58476d1ce4e5b9ULL + step;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebULL;
  return bits ^ bits >> 31;
}

/// Throws `Error` if a particle was inserted outside the domain: the next step would lose it, with
/// a misleading message.
template <std::size_t D>
void check_inside_domain(const std::string& name, const Model<D>& model,
                         const InsertionResult<D>& inserted) {
  if (!model.domain) return;
  for (std::size_t i = 0; i < inserted.radii.size(); ++i)
    for (std::size_t k = 0; k < D; ++k) {
      const double value = inserted.coordinates[k][i];
      if (!model.periodic[k] && !(model.domain->min[k] <= value && value <= model.domain->max[k]))
        throw Error(message(name, ": ", axis_names[k], " = ", value, " of particle ", i,
                            ": must be inside the domain, from ", model.domain->min[k], " to ",
                            model.domain->max[k], "; shrink the region or enlarge the domain"));
    }
}

}  // namespace

template <std::size_t D>
Run<D>::Run(Case<D> setup)
    : case_(std::move(setup)), simulation_(case_.model), inserted_(case_.insertions.size(), 0) {
  for (const FixedParticles<D>& particles : case_.fixed_particles)
    simulation_.add({.spheres = particles.view(), .material = particles.material, .fixed = true});
  for (const Wall<D>& wall : case_.walls) simulation_.add(wall);
  for (const Sink<D>& sink : case_.sinks) simulation_.add(sink);
  (void)simulation_.time_step();  // throws now if the time step is invalid
}

template <std::size_t D>
void Run<D>::check_not_moved_from() const {
  (void)simulation_.step();
}

template <std::size_t D>
const Case<D>& Run<D>::setup() const {
  check_not_moved_from();
  return case_;
}

template <std::size_t D>
std::span<const std::uint64_t> Run<D>::inserted() const {
  check_not_moved_from();
  return inserted_;
}

template <std::size_t D>
void Run<D>::set_progress_callback(std::function<void(double)> on_progress) {
  check_not_moved_from();
  on_progress_ = std::move(on_progress);
}

template <std::size_t D>
void Run<D>::start() {
  if (started_) return;
  started_ = true;
  update_openings();
  insert_due();
}

template <std::size_t D>
DueOutputs Run<D>::advance(std::size_t max_steps) {
  check_not_moved_from();
  start();
  const std::uint64_t first_step = simulation_.step();
  simulation_.advance(next_event_step(max_steps) - first_step);
  if (simulation_.step() > first_step) {
    update_openings();
    insert_due();
  }
  return {is_due(case_.output.frame_interval), is_due(case_.output.probe_interval),
          is_due(case_.output.checkpoint_interval), simulation_.step() >= last_step()};
}

template <std::size_t D>
std::uint64_t Run<D>::step_of(double time) const {
  constexpr double never = 1e18;
  return static_cast<std::uint64_t>(
      std::clamp(std::round(time / simulation_.time_step()), 0.0, never));
}

template <std::size_t D>
std::uint64_t Run<D>::interval_steps(double interval) const {
  return std::max<std::uint64_t>(1, step_of(interval));
}

template <std::size_t D>
std::uint64_t Run<D>::last_step() const {
  return std::max<std::uint64_t>(1, step_of(case_.end_time));
}

template <std::size_t D>
bool Run<D>::is_due(double interval) const {
  return interval > 0 && simulation_.step() % interval_steps(interval) == 0;
}

template <std::size_t D>
std::uint64_t Run<D>::next_event_step(std::size_t max_steps) const {
  const std::uint64_t now = simulation_.step();
  std::uint64_t next = std::min(now + max_steps, std::max(last_step(), now + 1));
  const auto stop_at = [&](std::uint64_t step) {
    if (step > now) next = std::min(next, step);
  };
  const auto next_multiple = [&](std::uint64_t first, std::uint64_t interval) {
    return now < first ? first : first + ((now - first) / interval + 1) * interval;
  };
  for (const double interval :
       {case_.output.frame_interval, case_.output.probe_interval, case_.output.checkpoint_interval})
    if (interval > 0) stop_at(next_multiple(0, interval_steps(interval)));
  for (const WallOpening& opening : case_.openings) {
    stop_at(step_of(opening.open_time));
    if (std::isfinite(opening.close_time)) stop_at(step_of(opening.close_time));
  }
  for (std::size_t k = 0; k < case_.insertions.size(); ++k) {
    const Insertion<D>& insertion = case_.insertions[k];
    if (inserted_[k] >= insertion.count) continue;
    const std::uint64_t first = step_of(insertion.start_time);
    if (insertion.interval > 0)
      stop_at(next_multiple(first, interval_steps(insertion.interval)));
    else
      stop_at(first);
  }
  return next;
}

template <std::size_t D>
void Run<D>::update_openings() {
  const std::uint64_t now = simulation_.step();
  for (const WallOpening& opening : case_.openings)
    simulation_.set_open(opening.wall,
                         now >= step_of(opening.open_time) && (!std::isfinite(opening.close_time) ||
                                                               now < step_of(opening.close_time)));
}

template <std::size_t D>
void Run<D>::insert_due() {
  const std::uint64_t now = simulation_.step();
  for (std::size_t k = 0; k < case_.insertions.size(); ++k) {
    const Insertion<D>& insertion = case_.insertions[k];
    const std::uint64_t first = step_of(insertion.start_time);
    if (now < first || inserted_[k] >= insertion.count) continue;
    if (insertion.interval > 0 ? (now - first) % interval_steps(insertion.interval) == 0
                               : now == first)
      insert(k);
  }
}

template <std::size_t D>
std::uint64_t Run<D>::scheduled(InsertionId insertion_id) const {
  check_not_moved_from();
  if (insertion_id.value() >= case_.insertions.size())
    throw Error(message("insertion ", insertion_id.value(), " does not exist; there are ",
                        case_.insertions.size()),
                ErrorCode::out_of_range);
  const Insertion<D>& insertion = case_.insertions[insertion_id.value()];
  const std::uint64_t first = step_of(insertion.start_time);
  if (simulation_.step() < first) return 0;
  if (insertion.interval == 0 || insertion.batch_size == 0) return insertion.count;
  const std::uint64_t attempts =
      (simulation_.step() - first) / interval_steps(insertion.interval) + 1;
  // min(count, attempts · batch_size) without overflow.
  return attempts > insertion.count / insertion.batch_size ? insertion.count
                                                           : attempts * insertion.batch_size;
}

template <std::size_t D>
void Run<D>::insert(std::size_t number) {
  const Insertion<D>& insertion = case_.insertions[number];
  if (insertion.particles) {
    add(insertion, insertion.particles->view());
    inserted_[number] = insertion.count;
    return;
  }
  SphereArrays<D> existing;
  for (ParticleIndex i; i.value() < simulation_.particle_count(); ++i) {
    const ParticleState<D> particle = simulation_.particle(i);
    for (std::size_t k = 0; k < D; ++k) existing.coordinates[k].push_back(particle.position[k]);
    existing.radii.push_back(particle.radius);
  }
  InsertionOptions<D> options;
  options.count = insertion.count - inserted_[number];
  if (insertion.batch_size > 0) options.count = std::min(options.count, insertion.batch_size);
  options.region = insertion.region;
  options.sizes = insertion.sizes;
  options.max_overlap = insertion.max_overlap;
  // A particle that does not fit now is tried again after the interval.
  options.max_attempts = insertion.interval > 0 ? 30 : 10000;
  options.seed = mix_seed(case_.seed, number, simulation_.step());
  options.existing = existing.view();
  options.walls = &simulation_.walls();
  if (case_.model.domain)
    options.domain = enclosing_domain(*case_.model.domain, case_.model.periodic, options.existing);
  options.periodic = case_.model.periodic;
  options.progress = on_progress_;
  const InsertionResult<D> result = insert_particles(options);
  if (insertion.interval == 0 && !result.report.is_complete())
    throw Error(message(insertion.name, ": ", result.report.summary()));
  check_inside_domain(insertion.name, case_.model, result);
  add(insertion, result.view());
  inserted_[number] += result.report.inserted;
}

template <std::size_t D>
void Run<D>::add(const Insertion<D>& insertion, const Spheres<D>& spheres) {
  NewParticles<D> added{.spheres = spheres,
                        .material = insertion.material,
                        .velocity = {insertion.velocity},
                        .angular_velocity = {insertion.angular_velocity}};
  if (insertion.particles) {
    added.materials = insertion.materials;
    if (!insertion.velocities.empty()) added.velocity = insertion.velocities;
    if (!insertion.angular_velocities.empty())
      added.angular_velocity = insertion.angular_velocities;
  }
  simulation_.add(added);
}

template <std::size_t D>
void Run<D>::restore(const SavedState& saved, std::span<const std::uint64_t> inserted) {
  check_not_moved_from();
  if (inserted.size() != inserted_.size())
    throw Error("the saved state does not fit: its insertions differ from those of the case");
  simulation_.restore(saved);
  inserted_.assign(inserted.begin(), inserted.end());
  started_ = true;
  update_openings();
}

template class Run<2>;
template class Run<3>;

}  // namespace abut
