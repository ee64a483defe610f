#include <fmt/core.h>

#include <abut/error.hpp>
#include <abut/insertion.hpp>
#include <cmath>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/number_format.hpp"
#include "cli/outputs.hpp"
#include "cli/particle_input.hpp"
#include "cli/progress_bar.hpp"
#include "core/vec.hpp"
#include "io/particle_csv.hpp"
#include "io/particle_file.hpp"

namespace abut {
namespace {

struct InsertCommand {
  ParticleInput domain;  // the box, what is periodic
  std::string count = "1000";
  std::vector<double> diameter{1};
  bool by_mass = false;
  std::vector<double> sphere;
  std::vector<double> cylinder;
  std::string mesh;
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
                                 std::size_t particles) const;
  template <std::size_t D>
  [[nodiscard]] SizeDistribution sizes() const;
  template <std::size_t D>
  void write(OutputFile& file, const Spheres<D>& among, const InsertionResult<D>& released,
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
        "nothing to fill: give --box, --bounds, --sphere, --cylinder, --inside or "
        "--solid-fraction");
  if (solid_fraction && !(*solid_fraction > 0 && *solid_fraction < 1))
    throw Error(fmt::format("--solid-fraction = {}: must be above 0 and below 1", *solid_fraction));
  if (solid_fraction && !(domain.box.empty() && domain.bounds.empty()))
    throw Error("--solid-fraction: makes a box of its own; leave out --box and --bounds");
  if (diameter.size() > 2) throw Error("--diameter: one number, or the smallest and the largest");
}

int InsertCommand::run() {
  check();
  const std::optional<Bounds> bounds = domain.domain_from_options();
  int dimension = domain.dimension != 0 ? domain.dimension : bounds ? bounds->dimension : 3;
  if (sphere.size() == 3) dimension = 2;
  if (bounds && bounds->dimension != dimension)
    throw Error(fmt::format("{} is {}D, the rest {}D", bounds->file, bounds->dimension, dimension));
  domain.check_periodic(bounds || solid_fraction ? dimension : 0);
  return with_dimension(dimension, [&]<std::size_t D>() { return insert<D>(bounds); });
}

template <std::size_t D>
SizeDistribution InsertCommand::sizes() const {
  const double smallest = diameter.front() / 2;
  const double largest = diameter.back() / 2;
  return by_mass ? uniform_by_mass<D>(smallest, largest) : uniform_by_number(smallest, largest);
}

// A cube in which the particles would take up that part: their mean volume is that of many.
template <std::size_t D>
Box<D> cube_for_fraction(double fraction, const SizeDistribution& sizes, std::size_t particles) {
  constexpr int many = 10000;
  double volume = 0;
  for (int i = 0; i < many; ++i) volume += sphere_volume<D>(sizes((i + 0.5) / many));
  const double room = volume / many * static_cast<double>(particles) / fraction;
  Box<D> box;
  box.min.fill(0);
  box.max.fill(D == 2 ? std::sqrt(room) : std::cbrt(room));
  return box;
}

template <std::size_t D>
Region<D> InsertCommand::region(const std::optional<Bounds>& bounds, const SizeDistribution& sizes,
                                std::size_t particles) const {
  if (solid_fraction) return cube_for_fraction<D>(*solid_fraction, sizes, particles);
  if (!sphere.empty()) {
    if (sphere.size() != D + 1)
      throw Error(
          fmt::format("--sphere: {} numbers; it needs a centre and a radius", sphere.size()));
    SphereRegion<D> ball{{}, sphere.back()};
    std::copy_n(sphere.begin(), D, ball.center.begin());
    return ball;
  }
  if (!mesh.empty()) return MeshRegion<D>{read_closed_mesh(mesh, D).template mesh<D>()};
  if (cylinder.empty()) return bounds->box<D>();
  if constexpr (D == 3) {
    if (cylinder.size() != 7)
      throw Error(
          fmt::format("--cylinder: {} numbers; it needs two ends and a radius", cylinder.size()));
    return CylinderRegion{{cylinder[0], cylinder[1], cylinder[2]},
                          {cylinder[3], cylinder[4], cylinder[5]},
                          cylinder[6]};
  }
  throw Error("--cylinder: there are none in 2D");
}

std::vector<std::string> InsertCommand::input_files() const {
  std::vector<std::string> files{mesh, domain.bounds};
  files.insert(files.end(), walls.begin(), walls.end());
  if (existing_path.empty()) return files;
  const ParticleInput::InputPaths from = domain.paths_of(existing_path);
  files.insert(files.end(), {from.particles, from.bounds});
  return files;
}

template <std::size_t D>
int InsertCommand::insert(const std::optional<Bounds>& bounds) {
  Outputs outputs(input_files());
  OutputFile& file = *outputs.open("--out", out);
  std::optional<LoadedParticles> there;
  if (!existing_path.empty()) {
    ParticleInput given = domain;
    given.dimension = D;
    there = given.read(existing_path);
  }
  const WallFiles read = read_walls(walls, D);
  const Walls<D> standing = read.make_walls<D>();
  InsertionOptions<D> options{.count = parse_count("--n", count),
                              .sizes = sizes<D>(),
                              .max_overlap = max_overlap,
                              .max_attempts = parse_count("--max-attempts", max_attempts),
                              .seed = seed};
  options.region = region<D>(bounds, options.sizes, options.count);
  if (there) options.existing = there->file.particles<D>();
  if (!read.empty()) options.walls = &standing;
  if (bounds) options.domain = bounds->box<D>();
  options.within_domain = true;
  if (solid_fraction) options.domain = std::get<Box<D>>(options.region);
  for (std::size_t k = 0; k < D; ++k) options.periodic[k] = domain.is_periodic_along(k);
  std::optional<ProgressBar> bar("releasing");
  options.progress = bar->callback();
  const Stopwatch watch;
  const InsertionResult<D> released = insert_particles(options);
  const double took = watch.seconds();
  bar.emplace("writing " + out);
  write<D>(file, options.existing, released, bar->callback());
  outputs.commit();
  bar.reset();
  fmt::print(outputs.uses_standard_output() ? stderr : stdout, "{}; {}\n",
             released.report.summary(), time_text(took));
  return released.report.is_complete() ? exit_success : exit_incomplete;
}

// All that is there then: what was there before, and what was released.
template <std::size_t D>
void InsertCommand::write(OutputFile& file, const Spheres<D>& among,
                          const InsertionResult<D>& released, const Progress& progress) const {
  InsertionResult<D> all;
  for (std::size_t k = 0; k < D; ++k) {
    all.coordinates[k].assign(among.coordinates(k).begin(), among.coordinates(k).end());
    all.coordinates[k].insert(all.coordinates[k].end(), released.coordinates[k].begin(),
                              released.coordinates[k].end());
  }
  all.radii.assign(among.radii().begin(), among.radii().end());
  all.radii.insert(all.radii.end(), released.radii.begin(), released.radii.end());
  if (has_csv_extension(out) || is_standard_output(out))
    write_particles_csv(file, all.particles(), progress);
  else
    write_demcda_elements(file, all.particles(), progress);
}

}  // namespace

Command insert_command(CLI::App& program) {
  Arguments app(program, "release",
                "Put particles into a region, without overlap with each other, walls or images");
  app.footer(
      "Places are tried at random, the largest particles first; the same seed gives the same\n"
      "particles everywhere. Exit status 1 if not all found a place: the report says why.\n\n"
      "Examples:\n"
      "  abut insert --n 1e5 --solid-fraction 0.3 --out grains.csv\n"
      "  abut insert --n 5000 --cylinder 0,0,0,0,0,3,1 --diameter 0.05,0.1 --out grains.csv\n"
      "  abut insert --n 1000 --box 0,10,0,10,0,10 --periodic xy --walls floor.stl --out a.csv\n"
      "  abut insert --n 1000 --inside drum.stl --existing a.csv --out b.csv");
  auto command = std::make_shared<InsertCommand>();
  app.add_option("--n", command->count, "number of particles, as 1000 or 1e5 [1000]");
  app.add_option("--diameter", command->diameter,
                 "of all particles, or SMALLEST,LARGEST in equal numbers in between [1]")
      .comma_separated();
  app.add_flag("--by-mass", command->by_mass, "equal masses in between, not numbers");
  app.add_option("--sphere", command->sphere, "fill a sphere: X,Y,Z,RADIUS (in 2D X,Y,RADIUS)")
      .comma_separated();
  app.add_option("--cylinder", command->cylinder, "fill a cylinder: X,Y,Z,X,Y,Z,RADIUS")
      .comma_separated();
  app.add_option("--inside", command->mesh, "fill the inside of a closed mesh (STL, OBJ)");
  app.add_option("--solid-fraction", command->solid_fraction,
                 "fill a cube, so large that particles take up this part of it");
  app.add_option("--max-overlap", command->max_overlap,
                 "how deep two may overlap, as a part of the smaller radius [0]");
  app.add_option("--max-attempts", command->max_attempts,
                 "places to try for each particle [10000]");
  app.add_option("--seed", command->seed, "another seed, other particles [1]").non_negative();
  app.add_option("--existing", command->existing_path,
                 "file of particles that are there already; --out has both");
  app.add_option("--walls", command->walls, "files of walls (STL, OBJ) to keep clear of");
  app.add_option("--out", command->out, "CSV or Demcda text; - is standard output").required();
  command->domain.add_domain_to(app);
  return {app, [command] { return command->run(); }};
}

}  // namespace abut
