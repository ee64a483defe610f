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

/// Seeds of attempts must not depend on each other, nor on how often a run was stopped.
std::uint64_t mix_seed(std::uint64_t seed, std::uint64_t inflow, std::uint64_t step) {
  std::uint64_t bits = seed * 0x9e3779b97f4a7c15ULL + inflow * 0xbf58476d1ce4e5b9ULL + step;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebULL;
  return bits ^ bits >> 31;
}

/// Outside it would be lost in the first step, and nobody would look for the cause in the release.
template <std::size_t D>
void check_inside_domain(const std::string& name, const Model<D>& model,
                         const InsertionResult<D>& released) {
  if (!model.domain) return;
  for (std::size_t i = 0; i < released.radii.size(); ++i)
    for (std::size_t k = 0; k < D; ++k) {
      const double at = released.coordinates[k][i];
      if (!model.periodic[k] && !(model.domain->min[k] <= at && at <= model.domain->max[k]))
        throw Error(message(name, ": particle ", i, " of it has ", axis_names[k], " = ", at,
                            ", outside the domain, which is from ", model.domain->min[k], " to ",
                            model.domain->max[k],
                            "; make its region smaller, or the domain larger"));
    }
}

}  // namespace

template <std::size_t D>
Run<D>::Run(Case<D> given)
    : case_(std::move(given)), simulation_(case_.model), inserted_(case_.insertions.size(), 0) {
  for (const FixedParticles<D>& balls : case_.fixed_particles) {
    std::array<std::span<const double>, D> axes;
    for (std::size_t k = 0; k < D; ++k) axes[k] = balls.coordinates[k];
    simulation_.add({.spheres = {axes, balls.radii}, .material = balls.material, .fixed = true});
  }
  for (const Wall<D>& wall : case_.walls) simulation_.add(wall);
  for (const Sink<D>& sink : case_.sinks) simulation_.add(sink);
  (void)simulation_.time_step();  // refuses now what would be refused later
}

template <std::size_t D>
void Run<D>::start() {
  if (started_) return;
  started_ = true;
  update_openings();
  insert_due();
}

template <std::size_t D>
DueOutputs Run<D>::advance(std::size_t most) {
  start();
  const std::uint64_t before = simulation_.step();
  simulation_.advance(next_event_step(most) - before);
  if (simulation_.step() > before) {
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
std::uint64_t Run<D>::interval_steps(double seconds) const {
  return std::max<std::uint64_t>(1, step_of(seconds));
}

template <std::size_t D>
std::uint64_t Run<D>::last_step() const {
  return std::max<std::uint64_t>(1, step_of(case_.end_time));
}

template <std::size_t D>
bool Run<D>::is_due(double seconds) const {
  return seconds > 0 && simulation_.step() % interval_steps(seconds) == 0;
}

template <std::size_t D>
std::uint64_t Run<D>::next_event_step(std::size_t most) const {
  const std::uint64_t now = simulation_.step();
  std::uint64_t stop = std::min(now + most, std::max(last_step(), now + 1));
  const auto before = [&](std::uint64_t step) {
    if (step > now) stop = std::min(stop, step);
  };
  const auto next_multiple = [&](std::uint64_t from, std::uint64_t every) {
    return now < from ? from : from + ((now - from) / every + 1) * every;
  };
  for (const double seconds :
       {case_.output.frame_interval, case_.output.probe_interval, case_.output.checkpoint_interval})
    if (seconds > 0) before(next_multiple(0, interval_steps(seconds)));
  for (const WallOpening& outlet : case_.openings) {
    before(step_of(outlet.open_time));
    if (std::isfinite(outlet.close_time)) before(step_of(outlet.close_time));
  }
  for (std::size_t k = 0; k < case_.insertions.size(); ++k) {
    const Insertion<D>& inflow = case_.insertions[k];
    if (inserted_[k] >= inflow.count) continue;
    const std::uint64_t from = step_of(inflow.start_time);
    if (inflow.interval > 0)
      before(next_multiple(from, interval_steps(inflow.interval)));
    else
      before(from);
  }
  return stop;
}

template <std::size_t D>
void Run<D>::update_openings() {
  const std::uint64_t now = simulation_.step();
  for (const WallOpening& outlet : case_.openings)
    simulation_.set_open(
        outlet.wall, now >= step_of(outlet.open_time) &&
                         (!std::isfinite(outlet.close_time) || now < step_of(outlet.close_time)));
}

template <std::size_t D>
void Run<D>::insert_due() {
  const std::uint64_t now = simulation_.step();
  for (std::size_t k = 0; k < case_.insertions.size(); ++k) {
    const Insertion<D>& inflow = case_.insertions[k];
    const std::uint64_t from = step_of(inflow.start_time);
    if (now < from || inserted_[k] >= inflow.count) continue;
    if (inflow.interval > 0 ? (now - from) % interval_steps(inflow.interval) == 0 : now == from)
      insert(k);
  }
}

template <std::size_t D>
std::uint64_t Run<D>::scheduled(std::size_t number) const {
  const Insertion<D>& inflow = case_.insertions[number];
  const std::uint64_t from = step_of(inflow.start_time);
  if (simulation_.step() < from) return 0;
  if (inflow.interval == 0 || inflow.batch_size == 0) return inflow.count;
  const std::uint64_t attempts = (simulation_.step() - from) / interval_steps(inflow.interval) + 1;
  // Without a product, which may be too large.
  return attempts > inflow.count / inflow.batch_size ? inflow.count : attempts * inflow.batch_size;
}

template <std::size_t D>
void Run<D>::insert(std::size_t number) {
  const Insertion<D>& inflow = case_.insertions[number];
  if (inflow.particles) {
    add(inflow, inflow.particles->view());
    inserted_[number] = inflow.count;
    return;
  }
  SphereArrays<D> there;
  for (std::size_t i = 0; i < simulation_.particle_count(); ++i) {
    const ParticleState<D> particle = simulation_.particle(i);
    for (std::size_t k = 0; k < D; ++k) there.coordinates[k].push_back(particle.position[k]);
    there.radii.push_back(particle.radius);
  }
  InsertionOptions<D> options;
  options.count = inflow.count - inserted_[number];
  if (inflow.batch_size > 0) options.count = std::min(options.count, inflow.batch_size);
  options.region = inflow.region;
  options.sizes = inflow.sizes;
  options.max_overlap = inflow.max_overlap;
  options.max_attempts =
      inflow.interval > 0 ? 30 : 10000;  // who finds no room now may find some later
  options.seed = mix_seed(case_.seed, number, simulation_.step());
  options.existing = there.view();
  options.walls = &simulation_.walls();
  if (case_.model.domain)
    options.domain = enclosing_domain(*case_.model.domain, case_.model.periodic, options.existing);
  options.periodic = case_.model.periodic;
  options.progress = on_progress_;
  const InsertionResult<D> released = insert_particles(options);
  if (inflow.interval == 0 && !released.report.is_complete())
    throw Error(message(inflow.name, ": ", released.report.summary()));
  check_inside_domain(inflow.name, case_.model, released);
  add(inflow, released.particles());
  inserted_[number] += released.report.inserted;
}

template <std::size_t D>
void Run<D>::add(const Insertion<D>& inflow, const Spheres<D>& places) {
  simulation_.add({.spheres = places,
                   .material = inflow.material,
                   .velocity = {inflow.velocity},
                   .angular_velocity = {inflow.angular_velocity}});
}

template <std::size_t D>
void Run<D>::restore(const SavedState& saved, std::span<const std::uint64_t> placed) {
  if (placed.size() != inserted_.size())
    throw Error("the saved state does not fit: it has other releases than the case");
  simulation_.restore(saved);
  inserted_.assign(placed.begin(), placed.end());
  started_ = true;
  update_openings();
}

template class Run<2>;
template class Run<3>;

}  // namespace abut
