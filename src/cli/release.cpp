#include <fmt/core.h>

#include <abut/error.hpp>
#include <abut/release.hpp>
#include <cmath>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/input.hpp"
#include "cli/outputs.hpp"
#include "cli/progress_bar.hpp"
#include "cli/units.hpp"
#include "cli/walls_input.hpp"
#include "core/ball_volume.hpp"
#include "io/csv.hpp"
#include "io/demcda.hpp"

namespace abut {
namespace {

struct Releases {
  Input domain;  // the box, what is periodic
  std::string count = "1000";
  std::vector<double> diameter{1};
  bool by_mass = false;
  std::vector<double> sphere;
  std::vector<double> cylinder;
  std::string inside;
  std::optional<double> fraction;
  double max_overlap = 0;
  std::string attempts = "10000";
  std::uint64_t seed = 1;
  std::string into;
  std::vector<std::string> walls;
  std::string out;

  int run();

 private:
  void check() const;
  [[nodiscard]] std::vector<std::string> files_read() const;
  template <std::size_t D>
  int run_in(const std::optional<Bounds>& bounds);
  template <std::size_t D>
  [[nodiscard]] Region<D> region(const std::optional<Bounds>& bounds, const Sizes& sizes,
                                 std::size_t particles) const;
  template <std::size_t D>
  [[nodiscard]] Sizes sizes() const;
  template <std::size_t D>
  void write(OutputFile& file, const Spheres<D>& among, const Released<D>& released,
             const Progress& progress) const;
};

void Releases::check() const {
  const int regions = static_cast<int>(!sphere.empty()) + static_cast<int>(!cylinder.empty()) +
                      static_cast<int>(!inside.empty()) + static_cast<int>(fraction.has_value());
  if (regions > 1)
    throw Error("--sphere, --cylinder, --inside and --fraction: give one of them, or a --box");
  if (regions == 0 && domain.box.empty() && domain.bounds.empty())
    throw Error(
        "nothing to fill: give --box, --bounds, --sphere, --cylinder, --inside or --fraction");
  if (fraction && !(*fraction > 0 && *fraction < 1))
    throw Error(fmt::format("--fraction = {}: must be above 0 and below 1", *fraction));
  if (fraction && !(domain.box.empty() && domain.bounds.empty()))
    throw Error("--fraction: makes a box of its own; leave out --box and --bounds");
  if (diameter.size() > 2) throw Error("--diameter: one number, or the smallest and the largest");
}

int Releases::run() {
  check();
  const std::optional<Bounds> bounds = domain.domain_given();
  int dimension = domain.dimension != 0 ? domain.dimension : bounds ? bounds->dimension : 3;
  if (sphere.size() == 3) dimension = 2;
  if (bounds && bounds->dimension != dimension)
    throw Error(fmt::format("{} is {}D, the rest {}D", bounds->file, bounds->dimension, dimension));
  domain.check_periodic(bounds || fraction ? dimension : 0);
  return with_dimension(dimension, [&]<std::size_t D>() { return run_in<D>(bounds); });
}

template <std::size_t D>
Sizes Releases::sizes() const {
  const double smallest = diameter.front() / 2;
  const double largest = diameter.back() / 2;
  return by_mass ? uniform_by_mass<D>(smallest, largest) : uniform_by_number(smallest, largest);
}

// A cube in which the particles would take up that part: their mean volume is that of many.
template <std::size_t D>
Box<D> box_for(double fraction, const Sizes& sizes, std::size_t particles) {
  constexpr int many = 10000;
  double volume = 0;
  for (int i = 0; i < many; ++i) volume += ball_volume<D>(sizes((i + 0.5) / many));
  const double room = volume / many * static_cast<double>(particles) / fraction;
  Box<D> box;
  box.min.fill(0);
  box.max.fill(D == 2 ? std::sqrt(room) : std::cbrt(room));
  return box;
}

template <std::size_t D>
Region<D> Releases::region(const std::optional<Bounds>& bounds, const Sizes& sizes,
                           std::size_t particles) const {
  if (fraction) return box_for<D>(*fraction, sizes, particles);
  if (!sphere.empty()) {
    if (sphere.size() != D + 1)
      throw Error(
          fmt::format("--sphere: {} numbers; it needs a centre and a radius", sphere.size()));
    Ball<D> ball{{}, sphere.back()};
    std::copy_n(sphere.begin(), D, ball.centre.begin());
    return ball;
  }
  if (!inside.empty()) return Inside<D>{read_closed_mesh(inside, D).template mesh<D>()};
  if (cylinder.empty()) return bounds->box<D>();
  if constexpr (D == 3) {
    if (cylinder.size() != 7)
      throw Error(
          fmt::format("--cylinder: {} numbers; it needs two ends and a radius", cylinder.size()));
    return Barrel{{cylinder[0], cylinder[1], cylinder[2]},
                  {cylinder[3], cylinder[4], cylinder[5]},
                  cylinder[6]};
  }
  throw Error("--cylinder: there are none in 2D");
}

std::vector<std::string> Releases::files_read() const {
  std::vector<std::string> files{inside, domain.bounds};
  files.insert(files.end(), walls.begin(), walls.end());
  if (into.empty()) return files;
  const Input::Sources from = domain.sources(into);
  files.insert(files.end(), {from.particles, from.bounds});
  return files;
}

template <std::size_t D>
int Releases::run_in(const std::optional<Bounds>& bounds) {
  Outputs outputs(files_read());
  OutputFile& file = *outputs.open("--out", out);
  std::optional<ReadInput> there;
  if (!into.empty()) {
    Input given = domain;
    given.dimension = D;
    there = given.read(into);
  }
  const ReadWalls read = read_walls(walls, D);
  const Walls<D> standing = read.walls<D>();
  ReleaseOptions<D> options{.count = count_from("--n", count),
                            .sizes = sizes<D>(),
                            .max_overlap = max_overlap,
                            .attempts = count_from("--attempts", attempts),
                            .seed = seed};
  options.region = region<D>(bounds, options.sizes, options.count);
  if (there) options.among = there->file.particles<D>();
  if (!read.empty()) options.walls = &standing;
  if (bounds) options.domain = bounds->box<D>();
  options.within_domain = true;
  if (fraction) options.domain = std::get<Box<D>>(options.region);
  for (std::size_t k = 0; k < D; ++k) options.periodic[k] = domain.periodic_along(k);
  std::optional<ProgressBar> bar("releasing");
  options.progress = bar->callback();
  const Stopwatch watch;
  const Released<D> released = release(options);
  const double took = watch.seconds();
  bar.emplace("writing " + out);
  write<D>(file, options.among, released, bar->callback());
  outputs.commit();
  bar.reset();
  fmt::print(outputs.take_standard_output() ? stderr : stdout, "{}; {}\n", released.report.text(),
             time_text(took));
  return released.report.is_complete() ? done : fell_short;
}

// All that is there then: what was there before, and what was released.
template <std::size_t D>
void Releases::write(OutputFile& file, const Spheres<D>& among, const Released<D>& released,
                     const Progress& progress) const {
  Released<D> all;
  for (std::size_t k = 0; k < D; ++k) {
    all.axes[k].assign(among.axis(k).begin(), among.axis(k).end());
    all.axes[k].insert(all.axes[k].end(), released.axes[k].begin(), released.axes[k].end());
  }
  all.radius.assign(among.radius().begin(), among.radius().end());
  all.radius.insert(all.radius.end(), released.radius.begin(), released.radius.end());
  if (is_csv(out) || is_standard_output(out))
    write_particles_csv(file, all.particles(), progress);
  else
    write_elements(file, all.particles(), progress);
}

}  // namespace

Command release_command(CLI::App& program) {
  Arguments app(program, "release",
                "Put particles into a region, without overlap with each other, walls or images");
  app.footer(
      "Places are tried at random, the largest particles first; the same seed gives the same\n"
      "particles everywhere. Exit status 1 if not all found a place: the report says why.\n\n"
      "Examples:\n"
      "  abut release --n 1e5 --fraction 0.3 --out grains.csv\n"
      "  abut release --n 5000 --cylinder 0,0,0,0,0,3,1 --diameter 0.05,0.1 --out grains.csv\n"
      "  abut release --n 1000 --box 0,10,0,10,0,10 --periodic xy --walls floor.stl --out a.csv\n"
      "  abut release --n 1000 --inside drum.stl --into a.csv --out b.csv");
  auto command = std::make_shared<Releases>();
  app.add_option("--n", command->count, "number of particles, as 1000 or 1e5 [1000]");
  app.add_option("--diameter", command->diameter,
                 "of all particles, or SMALLEST,LARGEST in equal numbers in between [1]")
      .comma_separated();
  app.add_flag("--by-mass", command->by_mass, "equal masses in between, not numbers");
  app.add_option("--sphere", command->sphere, "fill a sphere: X,Y,Z,RADIUS (in 2D X,Y,RADIUS)")
      .comma_separated();
  app.add_option("--cylinder", command->cylinder, "fill a cylinder: X,Y,Z,X,Y,Z,RADIUS")
      .comma_separated();
  app.add_option("--inside", command->inside, "fill the inside of a closed mesh (STL, OBJ)");
  app.add_option("--fraction", command->fraction,
                 "fill a cube, so large that particles take up this part of it");
  app.add_option("--max-overlap", command->max_overlap,
                 "how deep two may overlap, as a part of the smaller radius [0]");
  app.add_option("--attempts", command->attempts, "places to try for each particle [10000]");
  app.add_option("--seed", command->seed, "another seed, other particles [1]").not_negative();
  app.add_option("--into", command->into,
                 "file of particles that are there already; --out has both");
  app.add_option("--walls", command->walls, "files of walls (STL, OBJ) to keep clear of");
  app.add_option("--out", command->out, "CSV or Demcda text; - is standard output").required();
  command->domain.add_domain_to(app);
  return {app, [command] { return command->run(); }};
}

}  // namespace abut
