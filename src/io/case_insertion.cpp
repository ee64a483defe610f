#include <abut/error.hpp>
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "core/periodic_domain.hpp"
#include "io/case_tables.hpp"
#include "io/particle_file.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

// The domain as bounds of particle centers; periodic axes are unbounded.
template <std::size_t D>
std::optional<Bounds> domain_bounds(const std::optional<Box<D>>& domain,
                                    const std::array<bool, D>& periodic, const std::string& file) {
  if (!domain) return std::nullopt;
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  Bounds bounds{"[domain] of " + file, D, {}, {}};
  for (std::size_t k = 0; k < D; ++k) {
    bounds.min[k] = periodic[k] ? -unbounded : domain->min[k];
    bounds.max[k] = periodic[k] ? unbounded : domain->max[k];
  }
  return bounds;
}

// The position of a particle of the file (with its row) or of an existing particle (without a row).
// At equal positions, existing particles sort first.
template <std::size_t D>
struct OccupiedPosition {
  Point<D> position;
  std::optional<std::size_t> row;
  friend bool operator<(const OccupiedPosition& a, const OccupiedPosition& b) {
    return a.position != b.position ? a.position < b.position : a.row < b.row;
  }
};

template <std::size_t D>
void add_positions(std::vector<OccupiedPosition<D>>& all, const Spheres<D>& spheres,
                   const PeriodicDomain<D>& domain, bool has_rows) {
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    OccupiedPosition<D> occupied{{}, has_rows ? std::optional(i) : std::nullopt};
    for (std::size_t k = 0; k < D; ++k) occupied.position[k] = spheres.coordinates(k)[i];
    (void)domain.wrap(occupied.position);
    all.push_back(occupied);
  }
}

// Fails for the earliest row that coincides with another position.
template <std::size_t D>
void check_coincidence(const InputFile& file, const std::vector<OccupiedPosition<D>>& sorted) {
  const OccupiedPosition<D>* first = nullptr;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].row && sorted[i].position == sorted[i - 1].position &&
        (first == nullptr || sorted[i].row < first->row))
      first = &sorted[i];
  if (first == nullptr) return;
  const auto line = [&](std::size_t row) { return csv_line_number(file.text(), row); };
  const auto other = (first - 1)->row;
  throw Error(
      ErrorCode::invalid_input,
      {.file = file.name(), .line = line(*first->row), .key = message("particle ", *first->row)},
      message("coincides with ",
              other ? message("the particle in line ", line(*other))
                    : "a particle of another file or of a [[silo]]",
              "; move one of them"));
}

}  // namespace

template <std::size_t D>
SphereArrays<D> read_particle_list(const std::string& path, const std::optional<Box<D>>& domain,
                                   const std::array<bool, D>& periodic,
                                   const std::string& bounds_file,
                                   const std::vector<Spheres<D>>& existing) {
  const InputFile file(path);
  const ParticleFile particles = read_particles_csv(
      file.name(), file.text(), domain_bounds(domain, periodic, bounds_file), D, {});
  if (particles.size() == 0)
    throw Error(ErrorCode::invalid_input, {.file = file.name()}, "no particles, only a header");
  const PeriodicDomain<D> periodic_domain(domain, periodic);
  std::vector<OccupiedPosition<D>> occupied;
  for (const Spheres<D>& spheres : existing)
    add_positions(occupied, spheres, periodic_domain, false);
  add_positions(occupied, particles.template particles<D>(), periodic_domain, true);
  std::sort(occupied.begin(), occupied.end());
  check_coincidence(file, occupied);
  SphereArrays<D> spheres;
  spheres.append(particles.template particles<D>());
  return spheres;
}

template SphereArrays<2> read_particle_list(const std::string&, const std::optional<Box<2>>&,
                                            const std::array<bool, 2>&, const std::string&,
                                            const std::vector<Spheres<2>>&);
template SphereArrays<3> read_particle_list(const std::string&, const std::optional<Box<3>>&,
                                            const std::array<bool, 3>&, const std::string&,
                                            const std::vector<Spheres<3>>&);

namespace {

template <std::size_t D>
void read_random_insertion(TomlTable& table, Insertion<D>& insertion,
                           const std::filesystem::path& folder) {
  insertion.count = table.count("count");
  if (insertion.count == 0) table.fail("count", "must be at least 1");
  const auto [min_size, max_size] = read_radii(table);
  const bool by_mass =
      table.has("sizes") && table.choice<bool>("sizes", {{"by-number", false}, {"by-mass", true}});
  insertion.sizes =
      by_mass ? uniform_by_mass<D>(min_size, max_size) : uniform_by_number(min_size, max_size);
  insertion.region = read_region<D>(table.table("region"), folder);
  insertion.interval = table.number("interval", 0);
  if (!(insertion.interval >= 0)) table.fail("interval", "must not be negative");
  insertion.batch_size = table.count("batch_size", 0);
  if (table.has("batch_size") && insertion.interval == 0)
    table.fail("batch_size", "needs interval, the time between batches");
  insertion.max_overlap = table.number("max_overlap", 0);
  if (!(insertion.max_overlap >= 0 && insertion.max_overlap < 1))
    table.fail("max_overlap", "must be at least 0 and less than 1");
}

// Fixed particles, and particles of other files that are inserted at the same time.
template <std::size_t D>
std::vector<Spheres<D>> existing_spheres(const Case<D>& partial_case, double time) {
  std::vector<Spheres<D>> existing;
  for (const FixedParticles<D>& fixed : partial_case.fixed_particles)
    existing.push_back(fixed.view());
  for (const Insertion<D>& other : partial_case.insertions)
    if (other.particles && other.start_time == time) existing.push_back(other.particles->view());
  return existing;
}

template <std::size_t D>
void read_listed_insertion(TomlTable& table, Insertion<D>& insertion,
                           const std::filesystem::path& folder, const Case<D>& partial_case) {
  const std::filesystem::path given = table.text("particles");
  const std::string path = given.is_absolute() ? given.string() : (folder / given).string();
  const Model<D>& model = partial_case.model;
  try {
    insertion.particles =
        read_particle_list<D>(path, model.domain, model.periodic, table.file(),
                              existing_spheres(partial_case, insertion.start_time));
  } catch (const Error& error) {
    table.fail("particles", error);
  }
  table.add_input_file(path);
  insertion.count = insertion.particles->radii.size();
}

template <std::size_t D>
void check_largest_fits(const TomlTable& table, const Insertion<D>& insertion,
                        const Model<D>& model) {
  const double max_radius = insertion.sizes(1);
  InsertionOptions<D> trial{
      .count = 1, .region = insertion.region, .sizes = monodisperse(max_radius)};
  trial.domain = model.domain;
  trial.periodic = model.periodic;
  if (insert_particles(trial).report.inserted == 0)
    table.fail("region", message("too small for a particle of radius ", max_radius));
}

template <std::size_t D>
void check_within_domain(const TomlTable& table, const Insertion<D>& insertion,
                         const Model<D>& model) {
  const Box<D>& domain = *model.domain;
  const Box<D> box = bounding_box<D>(insertion.region);
  const double min_size = insertion.sizes(0);
  for (std::size_t k = 0; k < D; ++k) {
    const double low = box.min[k] + min_size;
    const double high = box.max[k] - min_size;
    if (model.periodic[k] || (low >= domain.min[k] && high <= domain.max[k])) continue;
    table.fail("region", message("particles could be inserted at ", axis_names[k], " = ",
                                 low < domain.min[k] ? low : high, ", outside the domain from ",
                                 domain.min[k], " to ", domain.max[k],
                                 "; reduce the region or enlarge the domain"));
  }
}

}  // namespace

std::pair<double, double> read_radii(TomlTable& table) {
  const std::vector<double> radii = table.numbers("radius", 1, 2);
  for (const double radius : radii)
    if (!(radius > 0)) table.fail("radius", "must be positive");
  if (radii.front() > radii.back()) table.fail("radius", "must give the smaller radius first");
  return {radii.front(), radii.back()};
}

template <std::size_t D>
Insertion<D> read_insertion_table(TomlTable& table, Insertion<D> insertion,
                                  const std::filesystem::path& folder,
                                  const Case<D>& partial_case) {
  if (table.has("velocity")) insertion.velocity = table.vector<D>("velocity");
  if constexpr (D == 3) {
    if (table.has("angular_velocity"))
      insertion.angular_velocity = table.vector<3>("angular_velocity");
  } else {
    insertion.angular_velocity[2] = table.number("angular_velocity", 0);  // about z in 2D
  }
  insertion.start_time = table.number("start_time", 0);
  if (table.has("particles"))
    read_listed_insertion(table, insertion, folder, partial_case);
  else
    read_random_insertion(table, insertion, folder);
  table.check_unused();
  return insertion;
}

template <std::size_t D>
double min_radius(const Insertion<D>& insertion) {
  if (!insertion.particles) return insertion.sizes(0);
  return *std::min_element(insertion.particles->radii.begin(), insertion.particles->radii.end());
}

template <std::size_t D>
void check_insertion(const TomlTable& table, const Insertion<D>& insertion,
                     const Case<D>& whole_case) {
  if (!insertion.particles) {
    check_largest_fits(table, insertion, whole_case.model);
    if (whole_case.model.domain) check_within_domain(table, insertion, whole_case.model);
  }
  if (insertion.start_time > whole_case.end_time)
    table.fail("start_time",
               message("must not be after the end of the run at ", whole_case.end_time));
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
