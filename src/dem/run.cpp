#include <abut/case.hpp>
#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/message.hpp"
#include "core/survey.hpp"
#include "core/widened.hpp"

namespace abut {
namespace {

/// Seeds of attempts must not depend on each other, nor on how often a run was stopped.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t inflow, std::uint64_t step) {
  std::uint64_t bits = seed * 0x9e3779b97f4a7c15ULL + inflow * 0xbf58476d1ce4e5b9ULL + step;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebULL;
  return bits ^ bits >> 31;
}

/// Outside it would be lost in the first step, and nobody would look for the cause in the release.
template <std::size_t D>
void check_inside(const std::string& name, const Model<D>& model, const Released<D>& released) {
  if (!model.domain) return;
  for (std::size_t i = 0; i < released.radius.size(); ++i)
    for (std::size_t k = 0; k < D; ++k) {
      const double at = released.axes[k][i];
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
    : case_(std::move(given)), simulation_(case_.model), placed_(case_.inflows.size(), 0) {
  for (const FixedBalls<D>& balls : case_.fixed) {
    std::array<std::span<const double>, D> axes;
    for (std::size_t k = 0; k < D; ++k) axes[k] = balls.axes[k];
    simulation_.add({.places = {axes, balls.radius}, .material = balls.material, .fixed = true});
  }
  for (const Wall<D>& wall : case_.walls) simulation_.add(wall);
  for (const Sink<D>& sink : case_.sinks) simulation_.add(sink);
  (void)simulation_.time_step();  // refuses now what would be refused later
}

template <std::size_t D>
void Run<D>::begin() {
  if (begun_) return;
  begun_ = true;
  open_outlets();
  let_in();
}

template <std::size_t D>
Due Run<D>::advance(std::size_t most) {
  begin();
  const std::uint64_t before = simulation_.step();
  simulation_.advance(next_stop(most) - before);
  if (simulation_.step() > before) {
    open_outlets();
    let_in();
  }
  return {is_due(case_.output.frames), is_due(case_.output.probes),
          is_due(case_.output.checkpoints), simulation_.step() >= last_step()};
}

template <std::size_t D>
std::uint64_t Run<D>::step_of(double time) const {
  constexpr double never = 1e18;
  return static_cast<std::uint64_t>(
      std::clamp(std::round(time / simulation_.time_step()), 0.0, never));
}

template <std::size_t D>
std::uint64_t Run<D>::steps_between(double seconds) const {
  return std::max<std::uint64_t>(1, step_of(seconds));
}

template <std::size_t D>
std::uint64_t Run<D>::last_step() const {
  return std::max<std::uint64_t>(1, step_of(case_.end));
}

template <std::size_t D>
bool Run<D>::is_due(double seconds) const {
  return seconds > 0 && simulation_.step() % steps_between(seconds) == 0;
}

template <std::size_t D>
std::uint64_t Run<D>::next_stop(std::size_t most) const {
  const std::uint64_t now = simulation_.step();
  std::uint64_t stop = std::min(now + most, std::max(last_step(), now + 1));
  const auto before = [&](std::uint64_t step) {
    if (step > now) stop = std::min(stop, step);
  };
  const auto next_multiple = [&](std::uint64_t from, std::uint64_t every) {
    return now < from ? from : from + ((now - from) / every + 1) * every;
  };
  for (const double seconds : {case_.output.frames, case_.output.probes, case_.output.checkpoints})
    if (seconds > 0) before(next_multiple(0, steps_between(seconds)));
  for (const Outlet& outlet : case_.outlets) {
    before(step_of(outlet.opens));
    if (std::isfinite(outlet.closes)) before(step_of(outlet.closes));
  }
  for (std::size_t k = 0; k < case_.inflows.size(); ++k) {
    const Inflow<D>& inflow = case_.inflows[k];
    if (placed_[k] >= inflow.count) continue;
    const std::uint64_t from = step_of(inflow.from);
    if (inflow.every > 0)
      before(next_multiple(from, steps_between(inflow.every)));
    else
      before(from);
  }
  return stop;
}

template <std::size_t D>
void Run<D>::open_outlets() {
  const std::uint64_t now = simulation_.step();
  for (const Outlet& outlet : case_.outlets)
    simulation_.open(outlet.wall, now >= step_of(outlet.opens) && (!std::isfinite(outlet.closes) ||
                                                                   now < step_of(outlet.closes)));
}

template <std::size_t D>
void Run<D>::let_in() {
  const std::uint64_t now = simulation_.step();
  for (std::size_t k = 0; k < case_.inflows.size(); ++k) {
    const Inflow<D>& inflow = case_.inflows[k];
    const std::uint64_t from = step_of(inflow.from);
    if (now < from || placed_[k] >= inflow.count) continue;
    if (inflow.every > 0 ? (now - from) % steps_between(inflow.every) == 0 : now == from) let_in(k);
  }
}

template <std::size_t D>
std::uint64_t Run<D>::due(std::size_t number) const {
  const Inflow<D>& inflow = case_.inflows[number];
  const std::uint64_t from = step_of(inflow.from);
  if (simulation_.step() < from) return 0;
  if (inflow.every == 0 || inflow.batch == 0) return inflow.count;
  const std::uint64_t attempts = (simulation_.step() - from) / steps_between(inflow.every) + 1;
  // Without a product, which may be too large.
  return attempts > inflow.count / inflow.batch ? inflow.count : attempts * inflow.batch;
}

template <std::size_t D>
void Run<D>::let_in(std::size_t number) {
  const Inflow<D>& inflow = case_.inflows[number];
  if (inflow.listed) {
    add(inflow, inflow.listed->particles());
    placed_[number] = inflow.count;
    return;
  }
  Places<D> there;
  for (std::size_t i = 0; i < simulation_.size(); ++i) {
    const ParticleState<D> particle = simulation_.particle(i);
    for (std::size_t k = 0; k < D; ++k) there.axes[k].push_back(particle.place[k]);
    there.radius.push_back(particle.radius);
  }
  ReleaseOptions<D> options;
  options.count = inflow.count - placed_[number];
  if (inflow.batch > 0) options.count = std::min(options.count, inflow.batch);
  options.region = inflow.region;
  options.sizes = inflow.sizes;
  options.max_overlap = inflow.max_overlap;
  options.attempts = inflow.every > 0 ? 30 : 10000;  // who finds no room now may find some later
  options.seed = mixed(case_.seed, number, simulation_.step());
  options.among = there.particles();
  options.walls = &simulation_.walls();
  if (case_.model.domain)
    options.domain = widened(*case_.model.domain, case_.model.periodic, options.among);
  options.periodic = case_.model.periodic;
  options.progress = placing_;
  const Released<D> released = release(options);
  if (inflow.every == 0 && !released.report.is_complete())
    throw Error(message(inflow.name, ": ", released.report.text()));
  check_inside(inflow.name, case_.model, released);
  add(inflow, released.particles());
  placed_[number] += released.report.placed;
}

template <std::size_t D>
void Run<D>::add(const Inflow<D>& inflow, const Spheres<D>& places) {
  simulation_.add({.places = places,
                   .material = inflow.material,
                   .velocity = {inflow.velocity},
                   .spin = {inflow.spin}});
}

template <std::size_t D>
void Run<D>::restore(const SavedState& saved, std::span<const std::uint64_t> placed) {
  if (placed.size() != placed_.size())
    throw Error("the saved state does not fit: it has other releases than the case");
  simulation_.restore(saved);
  placed_.assign(placed.begin(), placed.end());
  begun_ = true;
  open_outlets();
}

template class Run<2>;
template class Run<3>;

}  // namespace abut
