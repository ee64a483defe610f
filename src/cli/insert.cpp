#include <fmt/core.h>

#include <abut/case.hpp>
#include <abut/error.hpp>
#include <abut/insertion.hpp>
#include <cmath>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/particle_input.hpp"
#include "cli/terminal.hpp"
#include "core/portable_math.hpp"
#include "core/vec.hpp"
#include "io/particle_file.hpp"

namespace abut {
namespace {

struct InsertCommand {
  ParticleInput domain;  // only the options of the domain are used
  std::string count = "1000";
  std::vector<double> diameter{1};
  bool by_mass = false;
  std::vector<double> sphere;
  std::vector<double> cylinder;
  std::string mesh;
  double weld_tolerance = default_weld_tolerance;
  std::optional<double> solid_fraction;
  double max_overlap = 0;
  std::string max_attempts = "10000";
  std::uint64_t seed = 1;
  std::string existing_path;
  std::vector<std::string> walls;
  std::string out;

  int run();

 private:
  void check() const;
  [[nodiscard]] std::vector<std::string> input_files() const;
  template <std::size_t D>
  int insert(const std::optional<Bounds>& bounds);
  template <std::size_t D>
  [[nodiscard]] Region<D> region(const std::optional<Bounds>& bounds, const SizeDistribution& sizes,
                                 std::size_t particle_count) const;
  template <std::size_t D>
  [[nodiscard]] SizeDistribution sizes() const;
  template <std::size_t D>
  void write(OutputFile& file, const Spheres<D>& existing, const InsertionResult<D>& inserted,
             const Progress& progress) const;
};

void InsertCommand::check() const {
  const int regions = static_cast<int>(!sphere.empty()) + static_cast<int>(!cylinder.empty()) +
                      static_cast<int>(!mesh.empty()) +
                      static_cast<int>(solid_fraction.has_value());
  if (regions > 1)
    throw Error(
        "--sphere, --cylinder, --inside and --solid-fraction: give one of them, or a --box");
  if (regions == 0 && domain.box.empty() && domain.bounds.empty())
    throw Error(
        "no region given: give --box, --bounds, --sphere, --cylinder, --inside or "
        "--solid-fraction");
  if (solid_fraction && !(*solid_fraction > 0 && *solid_fraction < 1))
    throw Error(
        fmt::format("--solid-fraction = {}: must be positive and below 1", *solid_fraction));
  if (solid_fraction && !(domain.box.empty() && domain.bounds.empty()))
    throw Error("--solid-fraction: computes the box; omit --box and --bounds");
  if (diameter.size() > 2) throw Error("--diameter: must be one number, or MIN,MAX");
}

int InsertCommand::run() {
  check();
  const std::optional<Bounds> bounds = domain.domain_from_options();
  int dimension = domain.dimension != 0 ? domain.dimension : bounds ? bounds->dimension : 3;
  if (sphere.size() == 3) dimension = 2;
  if (bounds && bounds->dimension != dimension)
    throw Error(
        fmt::format("{} is {}D, the region {}D", bounds->file, bounds->dimension, dimension));
  domain.check_periodic(bounds || solid_fraction ? dimension : 0);
  return with_dimension(dimension, [&]<std::size_t D>() { return insert<D>(bounds); });
}

template <std::size_t D>
SizeDistribution InsertCommand::sizes() const {
  const double min_radius = diameter.front() / 2;
  const double max_radius = diameter.back() / 2;
  return by_mass ? uniform_by_mass<D>(min_radius, max_radius)
                 : uniform_by_number(min_radius, max_radius);
}

// The cube (square in 2D) at the origin of which the particles fill this fraction. Their mean
// volume is integrated over the quantiles of the size distribution.
template <std::size_t D>
Box<D> cube_for_fraction(double fraction, const SizeDistribution& sizes,
                         std::size_t particle_count) {
  constexpr int quantiles = 10000;
  double volume = 0;
  for (int i = 0; i < quantiles; ++i) volume += sphere_volume<D>(sizes((i + 0.5) / quantiles));
  const double box_volume = volume / quantiles * static_cast<double>(particle_count) / fraction;
  Box<D> box;
  box.min.fill(0);
  box.max.fill(D == 2 ? std::sqrt(box_volume) : portable_math::cbrt(box_volume));
  return box;
}

template <std::size_t D>
Region<D> InsertCommand::region(const std::optional<Bounds>& bounds, const SizeDistribution& sizes,
                                std::size_t particle_count) const {
  if (solid_fraction) return cube_for_fraction<D>(*solid_fraction, sizes, particle_count);
  if (!sphere.empty()) {
    if (sphere.size() != D + 1)
      throw Error(fmt::format("--sphere: has {} numbers; must be the center and the radius",
                              sphere.size()));
    SphereRegion<D> region{{}, sphere.back()};
    std::copy_n(sphere.begin(), D, region.center.begin());
    return region;
  }
  if (!mesh.empty())
    return MeshRegion<D>{read_closed_mesh(mesh, D, weld_tolerance).template mesh<D>(),
                         weld_tolerance};
  if (cylinder.empty()) return bounds->box<D>();
  if constexpr (D == 3) {
    if (cylinder.size() != 7)
      throw Error(
          fmt::format("--cylinder: has {} numbers; must be both ends of the axis and the radius",
                      cylinder.size()));
    return CylinderRegion{{cylinder[0], cylinder[1], cylinder[2]},
                          {cylinder[3], cylinder[4], cylinder[5]},
                          cylinder[6]};
  }
  throw Error("--cylinder: only in 3D; these particles are in 2D");
}

std::vector<std::string> InsertCommand::input_files() const {
  std::vector<std::string> files{mesh, domain.bounds};
  files.insert(files.end(), walls.begin(), walls.end());
  if (existing_path.empty()) return files;
  const ParticleInput::InputPaths paths = domain.paths_of(existing_path);
  files.insert(files.end(), {paths.particles, paths.bounds});
  return files;
}

template <std::size_t D>
int InsertCommand::insert(const std::optional<Bounds>& bounds) {
  Outputs outputs(input_files());
  OutputFile& file = *outputs.open("--out", out);
  std::optional<LoadedParticles> existing;
  if (!existing_path.empty()) {
    ParticleInput existing_input = domain;
    existing_input.dimension = D;
    existing = existing_input.read(existing_path);
  }
  const WallFiles wall_files = read_walls(walls, D, weld_tolerance);
  const Walls<D> all_walls = wall_files.make_walls<D>();
  InsertionOptions<D> options{.count = parse_count("--n", count),
                              .sizes = sizes<D>(),
                              .max_overlap = max_overlap,
                              .max_attempts = parse_count("--max-attempts", max_attempts),
                              .seed = seed};
  options.region = region<D>(bounds, options.sizes, options.count);
  if (existing) options.existing = existing->file.particles<D>();
  if (!wall_files.empty()) options.walls = &all_walls;
  if (bounds) options.domain = bounds->box<D>();
  options.within_domain = true;
  if (solid_fraction) options.domain = std::get<Box<D>>(options.region);
  for (std::size_t k = 0; k < D; ++k) options.periodic[k] = domain.is_periodic_along(k);
  std::optional<ProgressBar> bar("inserting");
  options.progress = bar->callback();
  const Stopwatch watch;
  const InsertionResult<D> inserted = insert_particles(options);
  const double seconds = watch.seconds();
  bar.emplace("writing " + out);
  write<D>(file, options.existing, inserted, bar->callback());
  outputs.commit();
  bar.reset();
  fmt::print(outputs.uses_standard_output() ? stderr : stdout, "{}; {}\n",
             inserted.report.summary(), time_text(seconds));
  return inserted.report.is_complete() ? exit_success : exit_incomplete;
}

// Writes the existing particles followed by the inserted ones.
template <std::size_t D>
void InsertCommand::write(OutputFile& file, const Spheres<D>& existing,
                          const InsertionResult<D>& inserted, const Progress& progress) const {
  SphereArrays<D> all;
  all.append(existing);
  all.append(inserted.view());
  if (has_csv_extension(out) || is_standard_output(out))
    write_particles_csv(file, all.view(), progress);
  else
    write_demcda_elements(file, all.view(), progress);
}

}  // namespace

Command insert_command(CLI::App& program) {
  Arguments app(program, "insert", "Insert non-overlapping particles into a region");
  app.footer(
      "Tries random positions, the largest particles first, and avoids overlap with each other,\n"
      "walls and periodic images. The same seed gives the same particles on every machine. Exit\n"
      "status 1 if not all particles fit; the report gives the reasons.\n\n"
      "Examples:\n"
      "  abut insert --n 1e5 --solid-fraction 0.3 --out grains.csv\n"
      "  abut insert --n 5000 --cylinder 0,0,0,0,0,3,1 --diameter 0.05,0.1 --out grains.csv\n"
      "  abut insert --n 1000 --box 0,10,0,10,0,10 --periodic xy --walls floor.stl --out a.csv\n"
      "  abut insert --n 1000 --inside drum.stl --existing a.csv --out b.csv");
  auto command = std::make_shared<InsertCommand>();
  app.add_option("--n", command->count, "Number of particles, such as 1000 or 1e5 (default: 1000)")
      .metavar("N");
  app.add_option("--diameter", command->diameter,
                 "Diameter, or MIN,MAX uniformly distributed by number (default: 1)")
      .metavar("LENGTH")
      .comma_separated();
  app.add_flag("--by-mass", command->by_mass, "Distribute diameters uniformly by mass");
  app.add_option("--sphere", command->sphere, "Fill a sphere: X,Y,Z,RADIUS (2D: X,Y,RADIUS)")
      .metavar("NUMBERS")
      .comma_separated();
  app.add_option("--cylinder", command->cylinder,
                 "Fill a cylinder: ends of the axis and radius, X,Y,Z,X,Y,Z,RADIUS")
      .metavar("NUMBERS")
      .comma_separated();
  app.add_option("--inside", command->mesh, "Fill the inside of a closed mesh (STL, OBJ)")
      .metavar("FILE");
  app.add_option("--solid-fraction", command->solid_fraction,
                 "Fill a cube of the size that gives this solid fraction")
      .metavar("X");
  app.add_option("--max-overlap", command->max_overlap,
                 "Allowed overlap as a fraction of the smaller radius (default: 0)")
      .metavar("X");
  app.add_option("--max-attempts", command->max_attempts,
                 "Positions to try for each particle (default: 10000)")
      .metavar("N");
  app.add_option("--seed", command->seed, "Random seed (default: 1)")
      .metavar("N")
      .unsigned_integer();
  app.add_option("--existing", command->existing_path,
                 "Particles that are already present; --out receives both")
      .metavar("FILE");
  app.add_option("--walls", command->walls, "Wall meshes (STL, OBJ) to avoid").metavar("FILE");
  add_weld_tolerance(app, command->weld_tolerance);
  app.add_option("--out", command->out, "CSV or Demcda text; '-': standard output")
      .metavar("FILE")
      .required();
  command->domain.add_domain_to(app);
  return {app, [command] { return command->run(); }};
}

}  // namespace abut
