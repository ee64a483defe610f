#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "cli/run_output.hpp"
#include "core/periodic_domain.hpp"
#include "core/vec.hpp"
#include "walls/wall_mesh.hpp"

namespace abut {
namespace {

/// Fixed particles have the first ids, set after set: the end of the id range of each set.
template <std::size_t D>
std::vector<std::uint64_t> fixed_id_ends(const Case<D>& setup) {
  std::vector<std::uint64_t> ends;
  for (const FixedParticles<D>& set : setup.fixed_particles)
    ends.push_back((ends.empty() ? 0 : ends.back()) + set.size());
  return ends;
}

/// Names of the walls, then of the sets of fixed particles.
template <std::size_t D>
std::vector<std::string> wall_names(const Case<D>& setup) {
  std::vector<std::string> names;
  for (const Wall<D>& wall : setup.walls) names.push_back(wall.name);
  for (const FixedParticles<D>& set : setup.fixed_particles) names.push_back(set.name);
  return names;
}

/// The contacts with walls and with fixed particles. `contacts` has none between two fixed ones.
template <std::size_t D>
std::vector<WallContactForce<D>> wall_contact_forces(const Case<D>& setup,
                                                     std::span<const ContactState<D>> contacts) {
  const std::vector<std::uint64_t> ends = fixed_id_ends(setup);
  const std::uint64_t fixed_count = ends.empty() ? 0 : ends.back();
  const PeriodicDomain<D> domain(setup.model.domain, setup.model.periodic);
  std::vector<WallContactForce<D>> forces;
  for (const ContactState<D>& contact : contacts) {
    const bool a_is_fixed = !contact.is_wall && contact.a.value() < fixed_count;
    if (!contact.is_wall && !a_is_fixed && contact.b.value() >= fixed_count) continue;
    std::size_t wall = contact.wall.value();
    if (!contact.is_wall) {
      const std::size_t id = (a_is_fixed ? contact.a : contact.b).value();
      wall =
          setup.walls.size() +
          static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), id) - ends.begin());
    }
    // contact.force acts on a; contact.normal points from a to b or to the wall.
    const double sign = a_is_fixed ? 1 : -1;
    Point<D> point = contact.point;
    domain.wrap(point);
    forces.push_back({wall, point, scaled(contact.normal, -sign), scaled(contact.force, sign)});
  }
  return forces;
}

constexpr std::size_t slice_count = 20;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// An interval along the vertical axis; empty at first.
struct HeightRange {
  double low = infinity;
  double high = -infinity;

  void include(double from, double to) {
    low = std::min(low, from);
    high = std::max(high, to);
  }
};

/// The axis along which gravity is strongest; the last axis without gravity.
template <std::size_t D>
std::size_t vertical_axis(const Point<D>& gravity) {
  std::size_t axis = D - 1;
  for (std::size_t k = 0; k < D; ++k)
    if (std::abs(gravity[k]) > std::abs(gravity[axis])) axis = k;
  return axis;
}

/// Whether the wall has no upper and lower end: all planes except horizontal ones.
template <std::size_t D>
bool is_unbounded(const Wall<D>& wall, std::size_t up) {
  const auto* plane = std::get_if<Plane<D>>(&wall.shape);
  if (plane == nullptr) return false;
  for (std::size_t k = 0; k < D; ++k)
    if (k != up && plane->normal[k] != 0) return true;
  return false;
}

/// Heights covered by a bounded wall at the start and at the end of the run.
template <std::size_t D>
HeightRange height_range_of(const Wall<D>& wall, std::size_t up, double end_time) {
  HeightRange range;
  for (const double time : {0.0, end_time})
    for (const Point<D>& vertex : wall_mesh(wall, time, Box<D>{}).vertices)
      range.include(vertex[up], vertex[up]);
  return range;
}

/// From the lowest to the highest center: the height of the surface that the particles form.
template <std::size_t D>
HeightRange height_range_of(const FixedParticles<D>& set, std::size_t up) {
  HeightRange range;
  for (const double height : set.coordinates[up]) range.include(height, height);
  return range;
}

template <std::size_t D>
HeightRange height_range_of(const SphereArrays<D>& spheres, std::size_t up) {
  HeightRange range;
  for (std::size_t i = 0; i < spheres.size(); ++i)
    range.include(spheres.coordinates[up][i] - spheres.radii[i],
                  spheres.coordinates[up][i] + spheres.radii[i]);
  return range;
}

template <std::size_t D>
HeightRange height_range_of(const Insertion<D>& insertion, std::size_t up) {
  if (insertion.particles) return height_range_of(*insertion.particles, up);
  const Box<D> box = bounding_box<D>(insertion.region);
  return {box.min[up], box.max[up]};
}

/// Of each wall and each set of fixed particles; infinite for unbounded walls.
template <std::size_t D>
std::vector<HeightRange> wall_height_ranges(const Case<D>& setup, std::size_t up) {
  std::vector<HeightRange> ranges;
  for (const Wall<D>& wall : setup.walls)
    ranges.push_back(is_unbounded(wall, up) ? HeightRange{-infinity, infinity}
                                            : height_range_of(wall, up, setup.end_time));
  for (const FixedParticles<D>& set : setup.fixed_particles)
    ranges.push_back(height_range_of(set, up));
  return ranges;
}

/// The heights to divide into slices: those of all bounded walls and, if a wall is unbounded, also
/// those of the insertions, because particles rarely rise above where they were inserted.
template <std::size_t D>
HeightRange total_height_range(const Case<D>& setup, const std::vector<HeightRange>& walls,
                               std::size_t up) {
  HeightRange total;
  bool any_unbounded = false;
  for (const HeightRange& wall : walls) {
    if (std::isfinite(wall.low))
      total.include(wall.low, wall.high);
    else
      any_unbounded = true;
  }
  for (const Insertion<D>& insertion : setup.insertions) {
    if (!any_unbounded) break;
    const HeightRange inserted = height_range_of(insertion, up);
    total.include(inserted.low, inserted.high);
  }
  return total.low <= total.high ? total : HeightRange{0, 0};
}

/// Component of the horizontal force along the horizontal part of the normal. Zero for a floor, the
/// normal of which has a horizontal part only by rounding.
template <std::size_t D>
double outward_component(const WallContactForce<D>& contact, std::size_t up) {
  constexpr double rounding = 1e-9;
  double product = 0;
  double square = 0;
  for (std::size_t k = 0; k < D; ++k) {
    if (k == up) continue;
    product += contact.force[k] * contact.normal[k];
    square += contact.normal[k] * contact.normal[k];
  }
  return square > rounding * rounding ? product / std::sqrt(square) : 0;
}

}  // namespace

template <std::size_t D>
RunProfile<D>::RunProfile(const std::string& folder, const Case<D>& setup,
                          std::uint64_t resumed_step)
    : table_(folder + "/profile.csv", "step,time,wall,height,outward_force,downward_force",
             resumed_step),
      wall_names_(wall_names(setup)),
      vertical_axis_(vertical_axis(setup.model.gravity)),
      down_sign_(setup.model.gravity[vertical_axis_] > 0 ? 1 : -1) {
  const std::vector<HeightRange> wall_ranges = wall_height_ranges(setup, vertical_axis_);
  const HeightRange total = total_height_range(setup, wall_ranges, vertical_axis_);
  bottom_ = total.low;
  thickness_ = (total.high - total.low) / slice_count;
  for (const HeightRange& range : wall_ranges)
    slice_ranges_.push_back({slice_at(range.low), slice_at(range.high)});
}

template <std::size_t D>
std::size_t RunProfile<D>::slice_at(double height) const {
  if (!(thickness_ > 0)) return 0;
  return static_cast<std::size_t>(
      std::clamp((height - bottom_) / thickness_, 0.0, static_cast<double>(slice_count - 1)));
}

template <std::size_t D>
void RunProfile<D>::write(const Simulation<D>& simulation,
                          std::span<const WallContactForce<D>> forces) {
  std::vector<SliceForce> sums(wall_names_.size() * slice_count);
  for (const WallContactForce<D>& contact : forces) {
    const SliceRange& range = slice_ranges_[contact.wall];
    const std::size_t slice =
        std::clamp(slice_at(contact.point[vertical_axis_]), range.first, range.last);
    SliceForce& sum = sums[contact.wall * slice_count + slice];
    sum.outward += outward_component(contact, vertical_axis_);
    sum.downward += down_sign_ * contact.force[vertical_axis_];
  }
  std::string lines;
  for (std::size_t wall = 0; wall < wall_names_.size(); ++wall)
    for (std::size_t k = slice_ranges_[wall].first; k <= slice_ranges_[wall].last; ++k) {
      const SliceForce& sum = sums[wall * slice_count + k];
      lines += fmt::format("{},{},{},{},{},{}\n", simulation.step(), simulation.time(),
                           wall_names_[wall], bottom_ + (static_cast<double>(k) + 0.5) * thickness_,
                           sum.outward, sum.downward);
    }
  table_.add(lines);
}

template class RunProfile<2>;
template class RunProfile<3>;

namespace {

constexpr std::array axis_letters{"x", "y", "z"};

template <std::size_t D>
bool is_inside(const Box<D>& box, const Point<D>& point) {
  for (std::size_t k = 0; k < D; ++k)
    if (!(point[k] >= box.min[k] && point[k] < box.max[k])) return false;
  return true;
}

/// Totals over particles that are not fixed.
struct MobileParticles {
  std::size_t count = 0;
  double mass = 0;
  double volume_in_box = 0;  ///< of particles centered in the solid fraction box (area in 2D)
};

template <std::size_t D>
MobileParticles mobile_particles(const Run<D>& run) {
  const Simulation<D>& simulation = run.simulation();
  const auto& box = run.setup().output.solid_fraction_box;
  const PeriodicDomain<D> domain(run.setup().model.domain, run.setup().model.periodic);
  MobileParticles mobile;
  for (std::size_t i = 0; i < simulation.particle_count(); ++i) {
    ParticleState<D> p = simulation.particle(ParticleIndex{i});
    if (p.fixed) continue;
    ++mobile.count;
    mobile.mass += p.mass;
    domain.wrap(p.position);
    if (box && is_inside(*box, p.position)) mobile.volume_in_box += sphere_volume<D>(p.radius);
  }
  return mobile;
}

template <std::size_t D>
double volume_of(const Box<D>& box) {
  double volume = 1;
  for (std::size_t k = 0; k < D; ++k) volume *= box.max[k] - box.min[k];
  return volume;
}

/// What the columns of a row are computed from.
template <std::size_t D>
struct ProbeSample {
  const Run<D>& run;
  std::span<const ContactState<D>> contacts;
  ParticleCounts counts;
  MobileParticles mobile;
  Energy energy;
  std::vector<Point<D>> wall_forces;  ///< on each wall, then on each set of fixed particles
  double discharge_rate;              ///< removed mass per time since the previous row, kg/s
};

/// A column of probes.csv.
template <std::size_t D>
struct ProbeColumn {
  ProbeInfo info;
  std::function<std::string(const ProbeSample<D>&)> field;
};

template <class Number>
std::string field_of(Number value) {
  return fmt::format("{}", value);
}

/// An empty field for a quantity that is not measured; 0 would be a result.
std::string field_if(bool measured, double value) { return measured ? field_of(value) : ""; }

template <std::size_t D>
double max_overlap(std::span<const ContactState<D>> contacts) {
  double overlap = 0;
  for (const ContactState<D>& contact : contacts) overlap = std::max(overlap, contact.overlap);
  return overlap;
}

template <std::size_t D>
std::string solid_fraction_field(const ProbeSample<D>& sample) {
  const auto& box = sample.run.setup().output.solid_fraction_box;
  return box ? field_of(sample.mobile.volume_in_box / volume_of(*box)) : "";
}

/// The columns that every run has.
template <std::size_t D>
std::vector<ProbeColumn<D>> common_columns() {
  using Sample = ProbeSample<D>;
  const auto is_tracked = [](const Sample& s) { return s.run.setup().model.track_energy; };
  return {
      {{"step", "", "number of the time step"},
       [](const Sample& s) { return field_of(s.run.simulation().step()); }},
      {{"time", "s", "simulated time"},
       [](const Sample& s) { return field_of(s.run.simulation().time()); }},
      {{"particles", "", "moving particles present"},
       [](const Sample& s) { return field_of(s.mobile.count); }},
      {{"inserted", "", "particles inserted so far"},
       [](const Sample& s) { return field_of(s.counts.inserted); }},
      {{"removed", "", "particles removed so far"},
       [](const Sample& s) { return field_of(s.counts.removed); }},
      {{"mass", "kg", "mass of the moving particles"},
       [](const Sample& s) { return field_of(s.mobile.mass); }},
      {{"removed_mass", "kg", "mass removed so far"},
       [](const Sample& s) { return field_of(s.counts.removed_mass); }},
      {{"discharge_rate", "kg/s", "mass removed per time since the previous row"},
       [](const Sample& s) { return field_of(s.discharge_rate); }},
      {{"contacts", "", "contacts with positive overlap, those with walls included"},
       [](const Sample& s) { return field_of(s.contacts.size()); }},
      {{"coordination_number", "", "mean number of contacts per moving particle"},
       [](const Sample& s) { return field_of(s.run.simulation().coordination_number()); }},
      {{"max_overlap", "m", "largest overlap"},
       [](const Sample& s) { return field_of(max_overlap(s.contacts)); }},
      {{"solid_fraction", "",
        "volume of the particles centered in `solid_fraction_box` over its "
        "volume; empty without it"},
       [](const Sample& s) { return solid_fraction_field(s); }},
      {{"kinetic", "J", "kinetic energy of translation"},
       [](const Sample& s) { return field_of(s.energy.kinetic); }},
      {{"rotational", "J", "kinetic energy of rotation"},
       [](const Sample& s) { return field_of(s.energy.rotational); }},
      {{"potential", "J", "energy in gravity, relative to the origin"},
       [](const Sample& s) { return field_of(s.energy.potential); }},
      {{"elastic", "J", "energy of contact springs; empty without `track_energy`"},
       [=](const Sample& s) { return field_if(is_tracked(s), s.energy.elastic); }},
      {{"dissipated", "J", "energy lost since the start; empty without `track_energy`"},
       [=](const Sample& s) { return field_if(is_tracked(s), s.energy.dissipated); }},
      {{"input", "J", "by moving walls, added and removed particles; empty without `track_energy`"},
       [=](const Sample& s) { return field_if(is_tracked(s), s.energy.input); }},
  };
}

/// The columns of a run with these sinks and walls.
template <std::size_t D>
std::vector<ProbeColumn<D>> probe_columns(std::span<const std::string> sinks,
                                          std::span<const std::string> walls) {
  using Sample = ProbeSample<D>;
  std::vector<ProbeColumn<D>> columns = common_columns<D>();
  for (std::size_t k = 0; k < sinks.size(); ++k) {
    columns.push_back(
        {{fmt::format("sink_{}_count", sinks[k]), "", "particles removed by a sink"},
         [k](const Sample& s) { return field_of(s.run.simulation().sinks()[k].count); }});
    columns.push_back(
        {{fmt::format("sink_{}_mass", sinks[k]), "kg", "mass removed by a sink"},
         [k](const Sample& s) { return field_of(s.run.simulation().sinks()[k].mass); }});
  }
  for (std::size_t wall = 0; wall < walls.size(); ++wall)
    for (std::size_t k = 0; k < D; ++k)
      columns.push_back({{fmt::format("force_{}_{}", walls[wall], axis_letters.at(k)), "N",
                          "force on a wall or a set of fixed particles"},
                         [=](const Sample& s) { return field_of(s.wall_forces[wall][k]); }});
  return columns;
}

template <std::size_t D>
std::vector<ProbeColumn<D>> probe_columns(const Case<D>& setup) {
  std::vector<std::string> sinks;
  for (const Sink<D>& sink : setup.sinks) sinks.push_back(sink.name);
  return probe_columns<D>(sinks, wall_names(setup));
}

template <std::size_t D>
std::string header_of(const std::vector<ProbeColumn<D>>& columns) {
  std::vector<std::string> titles;
  titles.reserve(columns.size());
  for (const ProbeColumn<D>& column : columns) titles.push_back(column.info.name);
  return fmt::format("{}", fmt::join(titles, ","));
}

/// Total force on each wall and on each set of fixed particles.
template <std::size_t D>
std::vector<Point<D>> total_wall_forces(const Run<D>& run,
                                        std::span<const WallContactForce<D>> contacts) {
  const std::size_t wall_count = run.setup().walls.size();
  std::vector<Point<D>> forces;
  for (std::size_t wall = 0; wall < wall_count; ++wall)
    forces.push_back(run.simulation().wall_force(WallId{wall}));
  forces.resize(wall_count + run.setup().fixed_particles.size());
  for (const WallContactForce<D>& contact : contacts)
    if (contact.wall >= wall_count) forces[contact.wall] = sum(forces[contact.wall], contact.force);
  return forces;
}

}  // namespace

std::vector<ProbeInfo> probe_infos() {
  const std::vector<std::string> names{"NAME"};
  std::vector<ProbeInfo> infos;
  for (const ProbeColumn<3>& column : probe_columns<3>(names, names)) infos.push_back(column.info);
  return infos;
}

/// Whether a wall has moved, opened or closed, or particles came or went since the last call.
template <std::size_t D>
bool EnergyGrowth<D>::is_disturbed(const Run<D>& run) const {
  const double now = run.simulation().time();
  const ParticleCounts counts = run.simulation().particle_counts();
  const auto is_in_between = [&](double time) { return time_ <= time && time <= now; };
  return counts.inserted != counts_.inserted || counts.removed != counts_.removed ||
         std::ranges::any_of(run.setup().openings,
                             [&](const WallOpening& opening) {
                               return is_in_between(opening.open_time) ||
                                      is_in_between(opening.close_time);
                             }) ||
         std::ranges::any_of(run.setup().walls, [&](const Wall<D>& wall) {
           const WallMotion<D>& motion = wall.motion;
           return (length(motion.velocity) > 0 || motion.angular_velocity != 0) &&
                  motion.start_time <= now && motion.end_time >= time_;
         });
}

template <std::size_t D>
double EnergyGrowth<D>::update(const Run<D>& run) {
  constexpr double allowed_fraction = 0.1;
  const Energy energy = run.simulation().energy();
  const double motion = energy.kinetic + energy.rotational + run.simulation().overlap_energy();
  const double total = motion + energy.potential;
  largest_motion_ = std::max(largest_motion_, motion);
  if (!lowest_ || is_disturbed(run)) lowest_ = previous_ = total;
  const double growth = total - *lowest_;
  lowest_ = std::min(*lowest_, std::max(previous_, total));
  previous_ = total;
  time_ = run.simulation().time();
  counts_ = run.simulation().particle_counts();
  return growth > allowed_fraction * largest_motion_ ? growth : 0;
}

template class EnergyGrowth<2>;
template class EnergyGrowth<3>;

template <std::size_t D>
RunProbes<D>::RunProbes(const std::string& folder, const Run<D>& run)
    : table_(folder + "/probes.csv", header_of(probe_columns(run.setup())),
             run.simulation().step()),
      profile_(folder, run.setup(), run.simulation().step()),
      previous_removed_mass_(run.simulation().particle_counts().removed_mass),
      previous_time_(run.simulation().time()) {
  const std::string mass = table_.last_field("removed_mass");
  const std::string time = table_.last_field("time");
  if (mass.empty() || time.empty()) return;
  previous_removed_mass_ = std::strtod(mass.c_str(), nullptr);
  previous_time_ = std::strtod(time.c_str(), nullptr);
}

template <std::size_t D>
void RunProbes<D>::write(const Run<D>& run) {
  const Simulation<D>& simulation = run.simulation();
  const std::vector<ContactState<D>> contacts = simulation.contacts();
  const std::vector<WallContactForce<D>> forces = wall_contact_forces<D>(run.setup(), contacts);
  const ParticleCounts counts = simulation.particle_counts();
  const ProbeSample<D> sample{run,
                              contacts,
                              counts,
                              mobile_particles(run),
                              simulation.energy(),
                              total_wall_forces<D>(run, forces),
                              discharge_rate(simulation.time(), counts.removed_mass)};
  std::vector<std::string> fields;
  for (const ProbeColumn<D>& column : probe_columns(run.setup()))
    fields.push_back(column.field(sample));
  table_.add(fmt::format("{}\n", fmt::join(fields, ",")));
  profile_.write(simulation, forces);
  if (!run.setup().model.track_energy && !has_warned_) warn_energy_growth(run);
}

template <std::size_t D>
void RunProbes<D>::warn_energy_growth(const Run<D>& run) {
  const double growth = energy_growth_.update(run);
  if (growth == 0) return;
  has_warned_ = true;
  fmt::print(stderr,
             "abut: warning: step {}: the energy has grown by {:.3g} J since it was last put in; "
             "time step too large ({:.2g} of critical)? track_energy = true finds out\n",
             run.simulation().step(), growth,
             run.simulation().time_step() / run.simulation().critical_time_step());
}

template <std::size_t D>
double RunProbes<D>::discharge_rate(double time, double removed_mass) {
  const double rate =
      time > previous_time_ ? (removed_mass - previous_removed_mass_) / (time - previous_time_) : 0;
  previous_removed_mass_ = removed_mass;
  previous_time_ = time;
  return rate;
}

template class RunProbes<2>;
template class RunProbes<3>;

}  // namespace abut
