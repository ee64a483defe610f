// A step: begin (places move), search where needed, forces, end (velocities follow).

#include <abut/error.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>

#include "core/message.hpp"
#include "core/period.hpp"
#include "dem/simulation_state.hpp"

namespace abut {
namespace {

/// Every so many steps particles that left are taken out, and all are put in order again. Steps are
/// counted from the beginning, so that a run that was stopped goes on as if it had not been.
constexpr std::uint64_t house_steps = 10;
constexpr std::uint64_t order_steps = 2000;

using Clock = std::chrono::steady_clock;

class Timed {
 public:
  explicit Timed(double& seconds) : seconds_(seconds), begin_(Clock::now()) {}
  ~Timed() { seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  double& seconds_;
  Clock::time_point begin_;
};

MotionReport sum_of(const std::vector<MotionReport>& reports) {
  MotionReport all;
  for (const MotionReport& report : reports) {
    all.speed_squared = std::max(all.speed_squared, report.speed_squared);
    all.all_well = all.all_well && report.all_well;
  }
  return all;
}

bool is_finite(const Record& at) {
  return std::isfinite(at.x) && std::isfinite(at.y) && std::isfinite(at.z);
}

template <std::size_t D>
bool is_inside(const Box<D>& box, const Record& at) {
  for (std::size_t k = 0; k < D; ++k)
    if (!(at.*record_axes[k] >= box.min[k] && at.*record_axes[k] <= box.max[k])) return false;
  return true;
}

}  // namespace

template <std::size_t D>
void Simulation<D>::State::advance(std::size_t steps) {
  if (steps == 0) return;
  prepare();
  const std::uint64_t last = step + steps;
  StepPart part = StepPart::end;
  while (step < last) {
    if (part == StepPart::end) begin_step();
    ++step;
    {
      const Timed timed(times.detect);
      if (step % order_steps == 0) put_in_order();
      if (!list_is_valid) renew();
    }
    const bool stop = step == last || step % house_steps == 0;
    part = stop ? StepPart::end : StepPart::end_and_begin;
    end_step(part);
    if (step % house_steps == 0) keep_house();
  }
}

// Forces of the very first step: springs are as they are.
template <std::size_t D>
void Simulation<D>::State::prepare() {
  choose_step();
  if (has_forces) return;
  push.assign(particles.size(), {});
  twist.assign(particles.size(), {});
  if (model.integrator == Integrator::predictor_corrector) {
    acceleration.assign(particles.size(), {});
    turning.assign(particles.size(), {});
  }
  put_in_order();
  renew();
  find_touches();
  energies.assign(contacts.runs(), {});
  for (std::size_t run = 0; run < contacts.runs(); ++run) push_pairs(run, 0);
  for (std::size_t run = 0; run < contacts.runs(); ++run) push_rest(run, 0);
  has_forces = true;
}

template <std::size_t D>
void Simulation<D>::State::begin_step() {
  const Timed timed(times.integrate);
  constexpr std::size_t length = 2048;
  const std::size_t runs = (particles.size() + length - 1) / length;
  reports.assign(runs, {});
  const auto task = [&](std::size_t run, unsigned /*worker*/) {
    reports[run] =
        move(StepPart::begin, run * length, std::min(particles.size(), (run + 1) * length));
  };
  pool.run(runs, std::cref(task));
  settle(sum_of(reports), step + 1);
}

// Fixed ones only forget what pushed them.
template <std::size_t D>
MotionReport Simulation<D>::State::move(StepPart part, std::size_t first, std::size_t last) {
  const std::size_t moving = std::clamp(particles.fixed, first, last);
  if (part != StepPart::end) {
    std::fill(push.begin() + static_cast<std::ptrdiff_t>(first),
              push.begin() + static_cast<std::ptrdiff_t>(moving), Record{});
    if (rough)
      std::fill(twist.begin() + static_cast<std::ptrdiff_t>(first),
                twist.begin() + static_cast<std::ptrdiff_t>(moving), Record{});
  }
  return loops.move(model.integrator, part, motion(moving, last));
}

template <std::size_t D>
void Simulation<D>::State::find_touches() {
  const Timed timed(times.walls);
  walls.move_to(static_cast<double>(step) * time_step);
  walls.touch(particles, wall_options(reach));
}

template <std::size_t D>
void Simulation<D>::State::push_pairs(std::size_t run, double over) {
  energies[run] = loops.pairs(rules(over), records(), contacts.run(run, shifts.data()));
}

// What earlier runs have put aside for the particles of this one, then the walls.
template <std::size_t D>
void Simulation<D>::State::push_rest(std::size_t run, double over) {
  const auto hand = [&](std::vector<Record>& all) {
    const std::span<const ContactList::Handed> handed = contacts.handed(run);
    constexpr std::size_t ahead = 16;  // what another core has written takes its time to come
    for (std::size_t k = 0; k < handed.size(); ++k) {
      if (k + ahead < handed.size()) __builtin_prefetch(&all[handed[k + ahead].slot], 1);
      Record& to = all[handed[k].particle];
      Record& from = all[handed[k].slot];
      to = {to.x + from.x, to.y + from.y, to.z + from.z, 0};
      from = {};
    }
  };
  hand(push);
  if (rough) hand(twist);
  const std::size_t first = contacts.first_particle(run);
  const std::size_t last = contacts.last_particle(run);
  energies[run] += loops.rests(rules(over), records(), walls.resting(first, last));
  energies[run] += loops.walls(rules(over), records(), walls.searched(first, last));
}

template <std::size_t D>
void Simulation<D>::State::end_step(StepPart part) {
  find_touches();
  energies.assign(contacts.runs(), {});
  reports.assign(contacts.runs(), {});
  work_times.assign(pool.threads(), {});
  const auto forces = [&](std::size_t run, unsigned worker) {
    const Timed timed(work_times[worker].pairs);
    push_pairs(run, time_step);
  };
  const auto motions = [&](std::size_t run, unsigned worker) {
    const Timed timed(work_times[worker].rest);
    push_rest(run, time_step);
    reports[run] = move(part, contacts.first_particle(run), contacts.last_particle(run));
  };
  order.run(pool, contacts.after(), std::cref(forces), std::cref(motions));
  sum_up();
  settle(sum_of(reports), part == StepPart::end ? step : step + 1);
}

template <std::size_t D>
void Simulation<D>::State::sum_up() {
  for (const WorkTimes& thread : work_times) {
    times.forces += thread.pairs / static_cast<double>(work_times.size());
    times.integrate += thread.rest / static_cast<double>(work_times.size());
  }
  if (model.ledger) {
    ContactEnergy all;
    for (const ContactEnergy& energy : energies) all += energy;
    account.stored = all.stored + all.across;
    account.dissipated += all.lost - (all.across - stored_across);
    stored_across = all.across;
    for (const WallPush& touch : walls.moving())
      account.input +=
          time_step * (touch.force.x * touch.velocity.x + touch.force.y * touch.velocity.y +
                       touch.force.z * touch.velocity.z + touch.force.w);
  }
}

// Whether the list of neighbours may still be used after particles have moved to where they are in
// step `now`. No particle has gone farther than the fastest could; two that approach use up twice
// that.
template <std::size_t D>
void Simulation<D>::State::settle(const MotionReport& report, std::uint64_t now) {
  if (!report.all_well)
    for (std::size_t i = particles.fixed; i < particles.size(); ++i)
      if (is_outside(i) && !(model.outflow && is_inside(searchable(), particles.place[i])))
        lost(i, now);
  const double fastest = std::max(std::sqrt(report.speed_squared),
                                  walls.fastest(static_cast<double>(step) * time_step));
  travelled += fastest * time_step;
  ++steps_since_search;
  if (2 * travelled > skin) list_is_valid = false;
}

// No search goes farther.
template <std::size_t D>
Box<D> Simulation<D>::State::searchable() const {
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
Box<D> Simulation<D>::State::bounds() const {
  Box<D> box = searchable();
  for (std::size_t k = 0; k < D; ++k) {
    if (!model.domain || model.periodic[k]) continue;
    box.min[k] = model.domain->min[k];
    box.max[k] = model.domain->max[k];
  }
  return box;
}

template <std::size_t D>
bool Simulation<D>::State::is_outside(std::size_t particle) const {
  return !is_inside(bounds(), particles.place[particle]);
}

template <std::size_t D>
void Simulation<D>::State::lost(std::size_t particle, std::uint64_t now) const {
  const Record& at = particles.place[particle];
  const Record& speed = particles.velocity[particle];
  const auto vector = [](const Record& r) {
    return D == 2 ? message("(", r.x, ", ", r.y, ")")
                  : message("(", r.x, ", ", r.y, ", ", r.z, ")");
  };
  const double moved =
      std::sqrt(speed.x * speed.x + speed.y * speed.y + speed.z * speed.z) * time_step;
  const char* where = is_inside(searchable(), at) ? "left the domain" : "went beyond all bounds";
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
void Simulation<D>::State::keep_house() {
  if (!model.outflow && sinks.empty()) return;  // nobody may leave
  std::vector<std::size_t> leave;
  for (std::size_t i = particles.fixed; i < particles.size(); ++i)
    if (leaves(i)) leave.push_back(i);
  if (leave.empty()) return;
  left += leave.size();
  std::vector<std::uint32_t> to(particles.size());
  std::size_t gone = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const bool leaves = gone < leave.size() && leave[gone] == i;
    gone += leaves ? 1 : 0;
    to[i] = leaves ? ParticleStore::gone : static_cast<std::uint32_t>(i - gone);
  }
  put_in([&] { move_particles(to, to.size() - gone); });
  list_is_valid = false;
}

// Into a sink, which counts it, or out of the domain.
template <std::size_t D>
bool Simulation<D>::State::leaves(std::size_t particle) {
  const double mass = 1 / particles.velocity[particle].w;
  bool leaves = model.outflow && is_outside(particle);
  auto home = vector_of<D>(particles.place[particle]);
  Period<D>(model.domain, model.periodic).bring_back(home);
  for (Sink<D>& sink : sinks)
    if (!leaves && is_inside(sink.box, record_of<D>(home))) {
      leaves = true;
      ++sink.count;
      sink.mass += mass;
    }
  if (leaves) left_mass += mass;
  return leaves;
}

template <std::size_t D>
void Simulation<D>::State::move_particles(std::span<const std::uint32_t> to, std::size_t stay) {
  contacts.relabel(to);
  walls.relabel(to);
  particles.move(to, stay);
  for (auto* records : {&push, &twist, &acceleration, &turning})
    if (!records->empty()) move_in_place(*records, to, stay);
}

template <std::size_t D>
ParticleRecords Simulation<D>::State::records() {
  return {particles.place.data(),
          particles.velocity.data(),
          particles.spin.data(),
          particles.material.data(),
          push.data(),
          twist.data()};
}

template <std::size_t D>
ForceRules Simulation<D>::State::rules(double over) const {
  return {&laws, over, rough, rolls, returns, coheres};
}

template <std::size_t D>
MotionRun Simulation<D>::State::motion(std::size_t first, std::size_t last) {
  const Box<D> box = bounds();
  constexpr double endless = std::numeric_limits<double>::max();
  MotionRun run{particles.place.data(),
                particles.velocity.data(),
                particles.spin.data(),
                push.data(),
                twist.data(),
                acceleration.data(),
                turning.data(),
                first,
                last,
                record_of<D>(model.gravity),
                {-endless, -endless, -endless, 0},
                {endless, endless, endless, 0},
                time_step,
                rough};
  for (std::size_t k = 0; k < D; ++k) {
    run.low.*record_axes[k] = box.min[k];
    run.high.*record_axes[k] = box.max[k];
  }
  return run;
}

template class Simulation<2>::State;
template class Simulation<3>::State;

}  // namespace abut
