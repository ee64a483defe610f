#include <fmt/core.h>

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "cli/run_output.hpp"
#include "core/message.hpp"
#include "core/periodic_domain.hpp"
#include "core/vec.hpp"
#include "io/output_file.hpp"
#include "walls/wall_mesh.hpp"

namespace abut {
namespace {

/// Half a line at the end goes, too.
std::string lines_up_to(const std::string& path, const std::string& header, std::uint64_t last) {
  std::ifstream file(path);
  std::string kept = header + "\n";
  std::string line;
  if (!std::getline(file, line) || line != header) return kept;
  while (std::getline(file, line) && !file.eof())
    if (std::strtoull(line.c_str(), nullptr, 10) <= last) kept += line + "\n";
  return kept;
}

std::string last_line_in(const std::string& lines) {
  const std::size_t end = lines.size() - 1;
  const std::size_t before = lines.rfind('\n', end - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return lines.substr(begin, end - begin);
}

}  // namespace

StepTable::StepTable(std::string path, const std::string& header, std::uint64_t continued_from)
    : path_(std::move(path)) {
  const std::string kept =
      continued_from == 0 ? header + "\n" : lines_up_to(path_, header, continued_from);
  OutputFile whole(path_);
  whole << kept;
  whole.commit();
  file_.open(path_, std::ios::app);
  last_line_ = last_line_in(kept);
}

void StepTable::add(const std::string& lines) {
  if (!(file_ << lines).flush())
    throw Error(message("cannot write ", path_, ": is the disk full?"));
}

namespace {

/// Fixed balls have the first ids: where those of each set of them end.
template <std::size_t D>
std::vector<std::uint64_t> fixed_id_ends(const Case<D>& plan) {
  std::vector<std::uint64_t> ends;
  for (const FixedParticles<D>& balls : plan.fixed_particles)
    ends.push_back((ends.empty() ? 0 : ends.back()) + balls.radii.size());
  return ends;
}

}  // namespace

template <std::size_t D>
std::vector<std::string> wall_names(const Case<D>& plan) {
  std::vector<std::string> names;
  for (const Wall<D>& wall : plan.walls) names.push_back(wall.name);
  for (const FixedParticles<D>& balls : plan.fixed_particles) names.push_back(balls.name);
  return names;
}

template <std::size_t D>
std::vector<WallContactForce<D>> wall_contact_forces(const Case<D>& plan,
                                                     std::span<const ContactState<D>> contacts) {
  const std::vector<std::uint64_t> ends = fixed_id_ends(plan);
  const std::uint64_t fixed = ends.empty() ? 0 : ends.back();
  const PeriodicDomain<D> period(plan.model.domain, plan.model.periodic);
  std::vector<WallContactForce<D>> pushed;
  for (const ContactState<D>& contact : contacts) {
    const bool a_stands = !contact.is_wall && contact.a.value() < fixed;
    if (!contact.is_wall && !a_stands && contact.b.value() >= fixed) continue;
    std::size_t wall = contact.wall.value();
    if (!contact.is_wall) {
      const std::size_t ball = (a_stands ? contact.a : contact.b).value();
      wall =
          plan.walls.size() +
          static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), ball) - ends.begin());
    }
    // A contact has the force on a, and the direction from b to a.
    const double sign = a_stands ? 1 : -1;
    Point<D> at = contact.point;
    period.wrap(at);
    pushed.push_back({wall, at, scaled(contact.normal, sign), scaled(contact.force, sign)});
  }
  return pushed;
}

template std::vector<std::string> wall_names(const Case<2>&);
template std::vector<std::string> wall_names(const Case<3>&);
template std::vector<WallContactForce<2>> wall_contact_forces(const Case<2>&,
                                                              std::span<const ContactState<2>>);
template std::vector<WallContactForce<3>> wall_contact_forces(const Case<3>&,
                                                              std::span<const ContactState<3>>);

namespace {

constexpr std::size_t slice_count = 20;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// From where to where something is, along an axis; nowhere at first.
struct HeightRange {
  double low = infinity;
  double high = -infinity;

  void include(double from, double to) {
    low = std::min(low, from);
    high = std::max(high, to);
  }
};

/// The axis gravity is along, or the last.
template <std::size_t D>
std::size_t vertical_axis(const Point<D>& gravity) {
  std::size_t axis = D - 1;
  for (std::size_t k = 0; k < D; ++k)
    if (std::abs(gravity[k]) > std::abs(gravity[axis])) axis = k;
  return axis;
}

/// Whether it goes on without end along an axis: all planes but those across it.
template <std::size_t D>
bool is_unbounded(const Wall<D>& wall, std::size_t up) {
  const auto* plane = std::get_if<Plane<D>>(&wall.shape);
  if (plane == nullptr) return false;
  for (std::size_t k = 0; k < D; ++k)
    if (k != up && plane->normal[k] != 0) return true;
  return false;
}

/// Of a wall that has an end, as it stands before the start and at the end.
template <std::size_t D>
HeightRange height_range_of(const Wall<D>& wall, std::size_t up, double end) {
  HeightRange stretch;
  for (const double time : {0.0, end})
    for (const Point<D>& corner : wall_mesh(wall, time, Box<D>{}).vertices)
      stretch.include(corner[up], corner[up]);
  return stretch;
}

/// From centre to centre: a wall of balls is as high as what it stands for.
template <std::size_t D>
HeightRange height_range_of(const FixedParticles<D>& balls, std::size_t up) {
  HeightRange stretch;
  for (const double height : balls.coordinates[up]) stretch.include(height, height);
  return stretch;
}

template <std::size_t D>
HeightRange height_range_of(const SphereArrays<D>& listed, std::size_t up) {
  HeightRange stretch;
  for (std::size_t i = 0; i < listed.radii.size(); ++i)
    stretch.include(listed.coordinates[up][i] - listed.radii[i],
                    listed.coordinates[up][i] + listed.radii[i]);
  return stretch;
}

template <std::size_t D>
HeightRange height_range_of(const Insertion<D>& inflow, std::size_t up) {
  if (inflow.particles) return height_range_of(*inflow.particles, up);
  const Box<D> box = bounding_box<D>(inflow.region);
  return {box.min[up], box.max[up]};
}

/// Of each wall; without end are those that have none.
template <std::size_t D>
std::vector<HeightRange> wall_height_ranges(const Case<D>& plan, std::size_t up) {
  std::vector<HeightRange> all;
  for (const Wall<D>& wall : plan.walls)
    all.push_back(is_unbounded(wall, up) ? HeightRange{-infinity, infinity}
                                         : height_range_of(wall, up, plan.end_time));
  for (const FixedParticles<D>& balls : plan.fixed_particles)
    all.push_back(height_range_of(balls, up));
  return all;
}

/// What slices are cut from: all that has an end, and where a wall has none, the releases too, as
/// particles do not rise.
template <std::size_t D>
HeightRange total_height_range(const Case<D>& plan, const std::vector<HeightRange>& walls,
                               std::size_t up) {
  HeightRange whole;
  bool any_endless = false;
  for (const HeightRange& one : walls) {
    if (std::isfinite(one.low))
      whole.include(one.low, one.high);
    else
      any_endless = true;
  }
  for (const Insertion<D>& inflow : plan.insertions) {
    if (!any_endless) break;
    const HeightRange released = height_range_of(inflow, up);
    whole.include(released.low, released.high);
  }
  return whole.low <= whole.high ? whole : HeightRange{0, 0};
}

/// Of the force across the upright axis, the part towards the wall. A floor has none: what there is
/// of its normal across the axis is rounding.
template <std::size_t D>
double outward_component(const WallContactForce<D>& push, std::size_t up) {
  constexpr double nothing = 1e-9;
  double along = 0;
  double square = 0;
  for (std::size_t k = 0; k < D; ++k) {
    if (k == up) continue;
    along += push.force[k] * push.normal[k];
    square += push.normal[k] * push.normal[k];
  }
  return square > nothing * nothing ? along / std::sqrt(square) : 0;
}

}  // namespace

template <std::size_t D>
RunProfile<D>::RunProfile(const std::string& folder, const Case<D>& plan,
                          std::uint64_t continued_from)
    : table_(folder + "/profile.csv", "step,time,wall,height,outward_force,downward_force",
             continued_from),
      wall_names_(wall_names(plan)),
      vertical_axis_(vertical_axis(plan.model.gravity)),
      down_sign_(plan.model.gravity[vertical_axis_] > 0 ? 1 : -1) {
  const std::vector<HeightRange> stretches = wall_height_ranges(plan, vertical_axis_);
  const HeightRange whole = total_height_range(plan, stretches, vertical_axis_);
  bottom_ = whole.low;
  thickness_ = (whole.high - whole.low) / slice_count;
  for (const HeightRange& one : stretches)
    slice_ranges_.push_back({slice_at(one.low), slice_at(one.high)});
}

template <std::size_t D>
std::size_t RunProfile<D>::slice_at(double height) const {
  if (!(thickness_ > 0)) return 0;
  return static_cast<std::size_t>(
      std::clamp((height - bottom_) / thickness_, 0.0, static_cast<double>(slice_count - 1)));
}

template <std::size_t D>
void RunProfile<D>::write(const Simulation<D>& now, std::span<const WallContactForce<D>> pushed) {
  std::vector<SliceForce> sums(wall_names_.size() * slice_count);
  for (const WallContactForce<D>& push : pushed) {
    const SliceRange& reach = slice_ranges_[push.wall];
    const std::size_t slice =
        std::clamp(slice_at(push.point[vertical_axis_]), reach.first, reach.last);
    SliceForce& sum = sums[push.wall * slice_count + slice];
    sum.outward += outward_component(push, vertical_axis_);
    sum.downward += down_sign_ * push.force[vertical_axis_];
  }
  std::string lines;
  for (std::size_t wall = 0; wall < wall_names_.size(); ++wall)
    for (std::size_t k = slice_ranges_[wall].first; k <= slice_ranges_[wall].last; ++k) {
      const SliceForce& sum = sums[wall * slice_count + k];
      lines += fmt::format("{},{},{},{},{},{}\n", now.step(), now.time(), wall_names_[wall],
                           bottom_ + (static_cast<double>(k) + 0.5) * thickness_, sum.outward,
                           sum.downward);
    }
  table_.add(lines);
}

template class RunProfile<2>;
template class RunProfile<3>;

namespace {

constexpr std::array axis_letters{"x", "y", "z"};
constexpr std::size_t time_column = 1;
constexpr std::size_t removed_mass_column = 6;

template <std::size_t D>
std::string probe_header(const Case<D>& plan) {
  std::string header =
      "step,time,particles,inserted,removed,mass,removed_mass,discharge_rate,contacts,coordination_"
      "number,"
      "max_overlap,solid_fraction,kinetic,rotational,potential,elastic,dissipated,input";
  for (const Sink<D>& sink : plan.sinks)
    header += fmt::format(",sink_{}_count,sink_{}_mass", sink.name, sink.name);
  for (const std::string& wall : wall_names(plan))
    for (std::size_t k = 0; k < D; ++k)
      header += fmt::format(",force_{}_{}", wall, axis_letters.at(k));
  return header;
}

double csv_field(const std::string& line, std::size_t number) {
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
struct MobileParticles {
  std::size_t count = 0;
  double mass = 0;
  double volume_in_box = 0;  ///< volume of those in the box of the solid fraction
};

template <std::size_t D>
MobileParticles mobile_particles(const Run<D>& run) {
  const Simulation<D>& now = run.simulation();
  const auto& box = run.setup().output.solid_fraction_box;
  const PeriodicDomain<D> period(run.setup().model.domain, run.setup().model.periodic);
  MobileParticles moving;
  for (std::size_t i = 0; i < now.particle_count(); ++i) {
    ParticleState<D> p = now.particle(ParticleIndex{i});
    if (p.fixed) continue;
    ++moving.count;
    moving.mass += p.mass;
    period.wrap(p.position);
    if (box && is_inside(*box, p.position)) moving.volume_in_box += sphere_volume<D>(p.radius);
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
std::string field_if(bool measured, double value) {
  return measured ? fmt::format("{}", value) : std::string();
}

template <std::size_t D>
std::string energy_fields(const Run<D>& run) {
  const Energy energy = run.simulation().energy();
  const bool ledger = run.setup().model.track_energy;
  return fmt::format("{},{},{},{},{},{}", energy.kinetic, energy.rotational, energy.potential,
                     field_if(ledger, energy.elastic), field_if(ledger, energy.dissipated),
                     field_if(ledger, energy.input));
}

template <std::size_t D>
std::string sink_fields(const Simulation<D>& now) {
  std::string fields;
  for (const Sink<D>& sink : now.sinks()) fields += fmt::format(",{},{}", sink.count, sink.mass);
  return fields;
}

/// On walls, and on balls that stand for walls.
template <std::size_t D>
std::string wall_force_fields(const Run<D>& run, std::span<const WallContactForce<D>> pushed) {
  const std::size_t walls = run.setup().walls.size();
  std::vector<Point<D>> forces;
  for (std::size_t wall = 0; wall < walls; ++wall)
    forces.push_back(run.simulation().wall_force(WallId{wall}));
  forces.resize(walls + run.setup().fixed_particles.size());
  for (const WallContactForce<D>& push : pushed)
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
    : table_(folder + "/probes.csv", probe_header(plan), continued_from),
      profile_(folder, plan, continued_from),
      previous_removed_mass_(
          csv_field(table_.last_line(), removed_mass_column)),  // 0 of the header
      previous_time_(csv_field(table_.last_line(), time_column)) {}

template <std::size_t D>
void RunProbes<D>::write(const Run<D>& run) {
  const Simulation<D>& now = run.simulation();
  const std::vector<ContactState<D>> contacts = now.contacts();
  const std::vector<WallContactForce<D>> pushed = wall_contact_forces<D>(run.setup(), contacts);
  const ParticleCounts all = now.particle_counts();
  const MobileParticles moving = mobile_particles(run);
  double deepest = 0;
  for (const auto& contact : contacts) deepest = std::max(deepest, contact.overlap);
  const auto& box = run.setup().output.solid_fraction_box;
  const std::string solid =
      field_if(box.has_value(), box ? moving.volume_in_box / volume_of(*box) : 0);
  table_.add(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}{}{}\n", now.step(), now.time(),
                         moving.count, all.inserted, all.removed, moving.mass, all.removed_mass,
                         discharge_rate(now.time(), all.removed_mass), contacts.size(),
                         now.coordination_number(), deepest, solid, energy_fields(run),
                         sink_fields(now), wall_force_fields<D>(run, pushed)));
  profile_.write(now, pushed);
}

template <std::size_t D>
double RunProbes<D>::discharge_rate(double time, double left_mass) {
  const double rate =
      time > previous_time_ ? (left_mass - previous_removed_mass_) / (time - previous_time_) : 0;
  previous_removed_mass_ = left_mass;
  previous_time_ = time;
  return rate;
}

template class RunProbes<2>;
template class RunProbes<3>;

}  // namespace abut
