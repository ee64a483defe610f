#include "cli/run_probes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "cli/pushed_walls.hpp"
#include "core/ball_volume.hpp"
#include "core/period.hpp"
#include "core/vec.hpp"

namespace abut {
namespace {

constexpr std::array axis_letters{"x", "y", "z"};
constexpr std::size_t time_column = 1;
constexpr std::size_t left_mass_column = 6;

template <std::size_t D>
std::string header_of(const Case<D>& plan) {
  std::string header =
      "step,time,particles,released,left,mass,left_mass,discharge_rate,contacts,coordination,"
      "largest_overlap,solid_fraction,kinetic,rotational,potential,stored,dissipated,input";
  for (const Sink<D>& sink : plan.sinks)
    header += fmt::format(",sink_{}_count,sink_{}_mass", sink.name, sink.name);
  for (const std::string& wall : wall_names(plan))
    for (std::size_t k = 0; k < D; ++k)
      header += fmt::format(",force_{}_{}", wall, axis_letters.at(k));
  return header;
}

double field_of(const std::string& line, std::size_t number) {
  std::size_t at = 0;
  for (; number > 0 && at != std::string::npos; --number) at = line.find(',', at) + 1;
  return std::strtod(line.c_str() + at, nullptr);
}

template <std::size_t D>
bool is_inside(const Box<D>& box, const Point<D>& place) {
  for (std::size_t k = 0; k < D; ++k)
    if (!(place[k] >= box.min[k] && place[k] < box.max[k])) return false;
  return true;
}

/// Of particles that move.
struct Moving {
  std::size_t count = 0;
  double mass = 0;
  double measured = 0;  ///< volume of those in the box of the solid fraction
};

template <std::size_t D>
Moving moving_ones_of(const Run<D>& run) {
  const Simulation<D>& now = run.simulation();
  const auto& box = run.plan().output.measured;
  const Period<D> period(run.plan().model.domain, run.plan().model.periodic);
  Moving moving;
  for (std::size_t i = 0; i < now.size(); ++i) {
    ParticleState<D> p = now.particle(i);
    if (p.fixed) continue;
    ++moving.count;
    moving.mass += p.mass;
    period.bring_back(p.place);
    if (box && is_inside(*box, p.place)) moving.measured += ball_volume<D>(p.radius);
  }
  return moving;
}

template <std::size_t D>
double volume_of(const Box<D>& box) {
  double volume = 1;
  for (std::size_t k = 0; k < D; ++k) volume *= box.max[k] - box.min[k];
  return volume;
}

/// Nothing where it is not measured: 0 would be a result.
std::string if_measured(bool measured, double value) {
  return measured ? fmt::format("{}", value) : std::string();
}

template <std::size_t D>
std::string energies_of(const Run<D>& run) {
  const Energy energy = run.simulation().energy();
  const bool ledger = run.plan().model.ledger;
  return fmt::format("{},{},{},{},{},{}", energy.moving, energy.turning, energy.height,
                     if_measured(ledger, energy.stored), if_measured(ledger, energy.dissipated),
                     if_measured(ledger, energy.input));
}

template <std::size_t D>
std::string sinks_of(const Simulation<D>& now) {
  std::string fields;
  for (const Sink<D>& sink : now.sinks()) fields += fmt::format(",{},{}", sink.count, sink.mass);
  return fields;
}

/// On walls, and on balls that stand for walls.
template <std::size_t D>
std::string forces_of(const Run<D>& run, std::span<const PushedWall<D>> pushed) {
  const std::size_t walls = run.plan().walls.size();
  std::vector<Point<D>> forces;
  for (std::size_t wall = 0; wall < walls; ++wall)
    forces.push_back(run.simulation().force_on(wall));
  forces.resize(walls + run.plan().fixed.size());
  for (const PushedWall<D>& push : pushed)
    if (push.wall >= walls) forces[push.wall] = sum(forces[push.wall], push.force);
  std::string fields;
  for (const Point<D>& force : forces)
    for (const double part : force) fields += fmt::format(",{}", part);
  return fields;
}

}  // namespace

template <std::size_t D>
RunProbes<D>::RunProbes(const std::string& folder, const Case<D>& plan,
                        std::uint64_t continued_from)
    : table_(folder + "/probes.csv", header_of(plan), continued_from),
      profile_(folder, plan, continued_from),
      mass_before_(field_of(table_.last_line(), left_mass_column)),  // 0 of the header
      time_before_(field_of(table_.last_line(), time_column)) {}

template <std::size_t D>
void RunProbes<D>::write(const Run<D>& run) {
  const Simulation<D>& now = run.simulation();
  const std::vector<ContactState<D>> contacts = now.contacts();
  const std::vector<PushedWall<D>> pushed = pushed_walls<D>(run.plan(), contacts);
  const Population all = now.population();
  const Moving moving = moving_ones_of(run);
  double deepest = 0;
  for (const auto& contact : contacts) deepest = std::max(deepest, contact.overlap);
  const auto& box = run.plan().output.measured;
  const std::string solid =
      if_measured(box.has_value(), box ? moving.measured / volume_of(*box) : 0);
  table_.add(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}{}{}\n", now.step(), now.time(),
                         moving.count, all.released, all.left, moving.mass, all.left_mass,
                         rate_since_before(now.time(), all.left_mass), contacts.size(),
                         now.coordination(), deepest, solid, energies_of(run), sinks_of(now),
                         forces_of<D>(run, pushed)));
  profile_.write(now, pushed);
}

template <std::size_t D>
double RunProbes<D>::rate_since_before(double time, double left_mass) {
  const double rate = time > time_before_ ? (left_mass - mass_before_) / (time - time_before_) : 0;
  mass_before_ = left_mass;
  time_before_ = time;
  return rate;
}

template class RunProbes<2>;
template class RunProbes<3>;

}  // namespace abut
