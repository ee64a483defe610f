#include <abut/error.hpp>
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "core/periodic_domain.hpp"
#include "io/case_tables.hpp"
#include "io/particle_csv.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

/// What repeats has no bounds.
template <std::size_t D>
std::optional<Bounds> domain_bounds(const std::optional<Box<D>>& domain,
                                    const std::array<bool, D>& periodic, const std::string& file) {
  if (!domain) return std::nullopt;
  constexpr double endless = std::numeric_limits<double>::infinity();
  Bounds bounds{"[domain] of " + file, D, {}, {}};
  for (std::size_t k = 0; k < D; ++k) {
    bounds.min[k] = periodic[k] ? -endless : domain->min[k];
    bounds.max[k] = periodic[k] ? endless : domain->max[k];
  }
  return bounds;
}

template <std::size_t D>
struct OccupiedPosition {
  Point<D> position;
  std::optional<std::size_t> row;  ///< none: it is there already, and comes before all rows
  friend bool operator<(const OccupiedPosition& a, const OccupiedPosition& b) {
    return a.position != b.position ? a.position < b.position : a.row < b.row;
  }
};

template <std::size_t D>
void add_positions(std::vector<OccupiedPosition<D>>& all, const Spheres<D>& spheres,
                   const PeriodicDomain<D>& period, bool rows) {
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    OccupiedPosition<D> one{{}, rows ? std::optional(i) : std::nullopt};
    for (std::size_t k = 0; k < D; ++k) one.position[k] = spheres.coordinates(k)[i];
    (void)period.wrap(one.position);
    all.push_back(one);
  }
}

template <std::size_t D>
void check_coincidence(const InputFile& file, const std::vector<OccupiedPosition<D>>& sorted) {
  const OccupiedPosition<D>* first = nullptr;  // the one in the earliest row
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].row && sorted[i].position == sorted[i - 1].position &&
        (first == nullptr || sorted[i].row < first->row))
      first = &sorted[i];
  if (first == nullptr) return;
  const auto line = [&](std::size_t row) { return csv_line_number(file.text(), row); };
  const auto other = (first - 1)->row;
  throw Error(message(file.name(), ":", line(*first->row), ": at the very place of ",
                      other ? message("the one in line ", line(*other))
                            : "a particle of another file, or of a ball of a [[silo]]",
                      "; move one of them"));
}

}  // namespace

template <std::size_t D>
SphereArrays<D> read_particle_list(const std::string& path, const std::optional<Box<D>>& domain,
                                   const std::array<bool, D>& periodic,
                                   const std::string& bounds_file,
                                   const std::vector<Spheres<D>>& there) {
  const InputFile file(path);
  ParticleFile read = read_particles_csv(file.name(), file.text(),
                                         domain_bounds(domain, periodic, bounds_file), D, {});
  if (read.size() == 0) throw Error(message(file.name(), ": there is no particle in it"));
  const PeriodicDomain<D> period(domain, periodic);
  std::vector<OccupiedPosition<D>> all;
  for (const Spheres<D>& others : there) add_positions(all, others, period, false);
  add_positions(all, read.template particles<D>(), period, true);
  std::sort(all.begin(), all.end());
  check_coincidence(file, all);
  SphereArrays<D> places;
  for (std::size_t k = 0; k < D; ++k) places.coordinates[k] = std::move(read.coordinates[k]);
  places.radii = std::move(read.radii);
  return places;
}

template SphereArrays<2> read_particle_list(const std::string&, const std::optional<Box<2>>&,
                                            const std::array<bool, 2>&, const std::string&,
                                            const std::vector<Spheres<2>>&);
template SphereArrays<3> read_particle_list(const std::string&, const std::optional<Box<3>>&,
                                            const std::array<bool, 3>&, const std::string&,
                                            const std::vector<Spheres<3>>&);

namespace {

template <std::size_t D>
void read_random_insertion(TomlTable& one, Insertion<D>& inflow,
                           const std::filesystem::path& folder) {
  inflow.count = one.count("count");
  if (inflow.count == 0) one.fail("count", " = 0, must be at least 1");
  const auto [smallest, largest] = read_radii(one);
  const bool by_mass = one.has("sizes") && one.choice("sizes", {"by-number", "by-mass"}) == 1;
  inflow.sizes =
      by_mass ? uniform_by_mass<D>(smallest, largest) : uniform_by_number(smallest, largest);
  inflow.region = read_region<D>(one.table("region"), folder);
  inflow.interval = one.number("interval", 0);
  if (!(inflow.interval >= 0))
    one.fail("interval", message(" = ", inflow.interval, ", must be above 0"));
  inflow.batch_size = one.count("batch_size", 0);
  if (one.has("batch_size") && inflow.interval == 0)
    one.fail("batch_size",
             message(" = ", inflow.batch_size, " needs \"every\", the time from one to the next"));
  inflow.max_overlap = one.number("max_overlap", 0);
  if (!(inflow.max_overlap >= 0 && inflow.max_overlap < 1))
    one.fail("max_overlap", message(" = ", inflow.max_overlap, ", must be from 0 to below 1"));
}

/// Where nothing else can be put: fixed balls, and what other files put there at the same time.
template <std::size_t D>
std::vector<Spheres<D>> existing_spheres(const Case<D>& so_far, double time) {
  std::vector<Spheres<D>> taken;
  for (const FixedParticles<D>& balls : so_far.fixed_particles) {
    std::array<std::span<const double>, D> axes;
    for (std::size_t k = 0; k < D; ++k) axes[k] = balls.coordinates[k];
    taken.emplace_back(axes, balls.radii);
  }
  for (const Insertion<D>& other : so_far.insertions)
    if (other.particles && other.start_time == time) taken.push_back(other.particles->view());
  return taken;
}

template <std::size_t D>
void read_listed_insertion(TomlTable& one, Insertion<D>& inflow,
                           const std::filesystem::path& folder, const Case<D>& so_far) {
  const std::filesystem::path given = one.text("particles");
  const std::string path = given.is_absolute() ? given.string() : (folder / given).string();
  try {
    inflow.particles =
        read_particle_list<D>(path, so_far.model.domain, so_far.model.periodic, one.file(),
                              existing_spheres(so_far, inflow.start_time));
  } catch (const Error& error) {
    one.fail("particles", message(": ", error.what()));
  }
  one.add_input_file(path);
  inflow.count = inflow.particles->radii.size();
}

template <std::size_t D>
void check_largest_fits(const TomlTable& one, const Insertion<D>& inflow, const Model<D>& model) {
  const double largest = inflow.sizes(1);
  InsertionOptions<D> trial{.count = 1, .region = inflow.region, .sizes = monodisperse(largest)};
  trial.domain = model.domain;
  trial.periodic = model.periodic;
  if (insert_particles(trial).report.inserted == 0)
    one.fail("region", message(" has no room for a particle of radius ", largest));
}

template <std::size_t D>
void check_within_domain(const TomlTable& one, const Insertion<D>& inflow, const Model<D>& model) {
  const Box<D>& domain = *model.domain;
  const Box<D> box = bounding_box<D>(inflow.region);
  const double smallest = inflow.sizes(0);
  for (std::size_t k = 0; k < D; ++k) {
    const double low = box.min[k] + smallest;
    const double high = box.max[k] - smallest;
    if (model.periodic[k] || (low >= domain.min[k] && high <= domain.max[k])) continue;
    one.fail("region", message(": particles could be at ", axis_names[k], " = ",
                               low < domain.min[k] ? low : high,
                               ", outside the domain, which is from ", domain.min[k], " to ",
                               domain.max[k], "; make the region smaller, or the domain larger"));
  }
}

}  // namespace

std::pair<double, double> read_radii(TomlTable& one) {
  const std::vector<double> radius = one.numbers("radius", 1, 2);
  for (const double r : radius)
    if (!(r > 0)) one.fail("radius", message(" = ", r, ", must be above 0"));
  if (radius.front() > radius.back()) one.fail("radius", ": the smaller one first");
  return {radius.front(), radius.back()};
}

template <std::size_t D>
Insertion<D> read_insertion_table(TomlTable& one, Insertion<D> inflow,
                                  const std::filesystem::path& folder, const Case<D>& so_far) {
  if (one.has("velocity")) inflow.velocity = one.vector<D>("velocity");
  if constexpr (D == 3) {
    if (one.has("angular_velocity")) inflow.angular_velocity = one.vector<3>("angular_velocity");
  } else {
    inflow.angular_velocity[2] =
        one.number("angular_velocity", 0);  // discs turn in their plane alone
  }
  inflow.start_time = one.number("start_time", 0);
  if (one.has("particles"))
    read_listed_insertion(one, inflow, folder, so_far);
  else
    read_random_insertion(one, inflow, folder);
  one.check_unused();
  return inflow;
}

template <std::size_t D>
double min_radius(const Insertion<D>& inflow) {
  if (!inflow.particles) return inflow.sizes(0);
  return *std::min_element(inflow.particles->radii.begin(), inflow.particles->radii.end());
}

template <std::size_t D>
void check_insertion(const TomlTable& one, const Insertion<D>& inflow, const Case<D>& whole) {
  if (!inflow.particles) {
    check_largest_fits(one, inflow, whole.model);
    if (whole.model.domain) check_within_domain(one, inflow, whole.model);
  }
  if (inflow.start_time > whole.end_time)
    one.fail("start_time",
             message(" = ", inflow.start_time, ", after the end of the run at ", whole.end_time));
}

template Insertion<2> read_insertion_table(TomlTable&, Insertion<2>, const std::filesystem::path&,
                                           const Case<2>&);
template Insertion<3> read_insertion_table(TomlTable&, Insertion<3>, const std::filesystem::path&,
                                           const Case<3>&);
template void check_insertion(const TomlTable&, const Insertion<2>&, const Case<2>&);
template void check_insertion(const TomlTable&, const Insertion<3>&, const Case<3>&);
template double min_radius(const Insertion<2>&);
template double min_radius(const Insertion<3>&);

}  // namespace abut
