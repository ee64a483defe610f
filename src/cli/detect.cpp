#include <fmt/core.h>

#include <abut/detector.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/detect_blocks.hpp"
#include "cli/number_format.hpp"
#include "cli/outputs.hpp"
#include "cli/particle_input.hpp"
#include "cli/progress_bar.hpp"
#include "io/block_file.hpp"
#include "io/contact_csv.hpp"
#include "io/particle_csv.hpp"
#include "io/particle_file.hpp"
#include "io/svg_scene.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

struct Detect {
  ParticleInput input;
  std::string path;
  std::string elements;
  std::string out;
  std::string svg_path;
  std::vector<std::string> walls;
  std::string wall_contacts;
  std::string method = "auto";
  bool verbose = false;

  int run();

 private:
  void resolve_paths();
  int detect_blocks(Method chosen);
  template <std::size_t D>
  void detect(const LoadedParticles& given, double reading);
  template <std::size_t D>
  void write(const ParticleFile& file, const Spheres<D>& particles,
             const DetectorOptions<D>& options, Detector<D>& search,
             std::span<const WallContact<D>> at_walls, const Progress& progress);
  template <std::size_t D>
  std::vector<WallContact<D>> find_wall_contacts(const Spheres<D>& particles,
                                                 const DetectorOptions<D>& options);
  [[nodiscard]] DrawnWalls svg_walls(std::span<const WallContact<2>> at_walls) {
    wall_meshes_.clear();
    for (const MeshFile& file : wall_files_.files) wall_meshes_.push_back(&file.segments);
    return {wall_meshes_, at_walls};
  }
  template <std::size_t D>
  void print_wall_summary(const std::vector<WallContact<D>>& found) {
    fmt::print(outputs_.uses_standard_output() ? stderr : stdout,
               "{} contacts with {} pieces of wall, detection {}, building the tree {}\n",
               found.size(), element_count_, time_text(wall_search_seconds_),
               time_text(wall_build_seconds_));
  }
  [[nodiscard]] bool needs_pairs() const { return out_file_ != nullptr || svg_file_ != nullptr; }
  [[nodiscard]] bool writes_csv(const ParticleFile& file) const {
    return has_csv_extension(out) || (is_standard_output(out) && file.from_csv);
  }

  Outputs outputs_;
  OutputFile* out_file_ = nullptr;
  OutputFile* svg_file_ = nullptr;
  OutputFile* walls_file_ = nullptr;
  WallFiles wall_files_;
  std::vector<const Mesh<2>*> wall_meshes_;
  std::size_t element_count_ = 0;
  double wall_build_seconds_ = 0;
  double wall_search_seconds_ = 0;
};

// `abut detect DIR` stands for the three files of the Demcda program in that folder.
void Detect::resolve_paths() {
  if (path.empty() == elements.empty())
    throw Error(path.empty() ? "no particles given: name a file or folder, or use --elements"
                             : "particles given twice: as " + path + " and as --elements");
  if (path.empty()) path = elements;
  std::error_code error;
  if (out.empty() && path != "-" && fs::is_directory(path, error))
    out = (fs::path(path) / "contacts.txt").string();
}

int Detect::run() {
  const Method chosen = parse_method(method);
  if (elements.empty() && contains_blocks(path)) return detect_blocks(chosen);
  resolve_paths();
  const ParticleInput::InputPaths from = input.paths_of(path);
  if (walls.empty() && !wall_contacts.empty())
    throw Error("--wall-contacts: there are no walls; name a file of them with --walls");
  std::vector<std::string> read{from.particles, from.bounds};
  read.insert(read.end(), walls.begin(), walls.end());
  outputs_ = Outputs(read);
  out_file_ = outputs_.open("--out", out);
  svg_file_ = outputs_.open("--svg", svg_path);
  walls_file_ = outputs_.open("--wall-contacts", wall_contacts);
  const Stopwatch watch;
  const LoadedParticles given = input.read(path);
  const double reading = watch.seconds();
  if (svg_file_ != nullptr && given.file.dimension != 2)
    throw Error("--svg draws particles in 2D only; these are in 3D");
  if (input.is_periodic() && out_file_ != nullptr && !writes_csv(given.file))
    throw Error("--out " + out + ": Demcda text has no place for images; name a file .csv");
  with_dimension(given.file.dimension, [&]<std::size_t D>() { detect<D>(given, reading); });
  return exit_success;
}

int Detect::detect_blocks(Method chosen) {
  if (!walls.empty())
    throw Error(
        "--walls are for round particles; among polygons or polyhedra, a wall is a particle");
  return BlockDetection{input, path, out, svg_path, chosen, verbose}.run();
}

template <std::size_t D>
void Detect::detect(const LoadedParticles& given, double reading) {
  const ParticleFile& file = given.file;
  const Spheres<D> particles = file.particles<D>();
  DetectorOptions<D> options = input.options<D>(parse_method(method), given.bounds);
  std::optional<ProgressBar> bar("detecting");
  options.progress = bar->callback();
  const Stopwatch search_watch;
  Detector<D> search(options);
  search.update(particles);
  std::size_t contacts = 0;
  if (!needs_pairs())  // nobody wants to see them: count without storing
    search.for_each_pair([&](Pair) { ++contacts; });
  else
    contacts = input.is_periodic() ? search.periodic_pairs().size() : search.pairs().size();
  const double detection = search_watch.seconds();
  const std::vector<WallContact<D>> at_walls = find_wall_contacts(particles, options);

  if (verbose) {
    const std::string reason = search.description();
    fmt::print(stderr, "{}: {}\n", method_info(options.method).name,
               reason.empty() ? "has no choice to make" : reason);
  }

  const Stopwatch write_watch;
  bar.emplace("writing");
  if (walls_file_ != nullptr)
    write_wall_contacts_csv<D>(*walls_file_, at_walls, file.ids, bar->callback());
  write<D>(file, particles, options, search, at_walls, bar->callback());
  bar.reset();
  fmt::print(outputs_.uses_standard_output() ? stderr : stdout,
             "{} particles in {}D, {} contacts, method {}, detection {}, reading {}, writing {}\n",
             file.size(), D, contacts, method_info(options.method).name, time_text(detection),
             time_text(reading), time_text(write_watch.seconds()));
  if (!walls.empty()) print_wall_summary(at_walls);
}

template <std::size_t D>
std::vector<WallContact<D>> Detect::find_wall_contacts(const Spheres<D>& particles,
                                                       const DetectorOptions<D>& options) {
  if (walls.empty()) return {};
  wall_files_ = read_walls(walls, D);
  const Stopwatch build_watch;
  const Walls<D> standing = wall_files_.make_walls<D>();
  wall_build_seconds_ = build_watch.seconds();
  element_count_ = standing.element_count();
  const Stopwatch watch;
  std::vector<WallContact<D>> found = standing.contacts(particles, {.margin = options.margin,
                                                                    .tolerance = options.tolerance,
                                                                    .domain = options.domain,
                                                                    .periodic = options.periodic,
                                                                    .threads = options.threads});
  wall_search_seconds_ = watch.seconds();
  return found;
}

template <std::size_t D>
void Detect::write(const ParticleFile& file, const Spheres<D>& particles,
                   const DetectorOptions<D>& options, Detector<D>& search,
                   std::span<const WallContact<D>> at_walls, const Progress& progress) {
  if (input.is_periodic() && needs_pairs()) {
    std::array<double, D> periods;
    for (std::size_t k = 0; k < D; ++k)
      periods[k] = options.domain->max[k] - options.domain->min[k];
    const std::span<const PeriodicPair<D>> pairs = search.periodic_pairs();
    if constexpr (D == 2)
      if (svg_file_ != nullptr)
        draw_contacts(*svg_file_, particles, pairs, periods, svg_walls(at_walls));
    if (out_file_ != nullptr)
      write_pairs_csv(*out_file_, pairs, periods, particles, file.ids, progress);
  } else if (needs_pairs()) {
    const std::span<const Pair> pairs = search.pairs();
    if constexpr (D == 2)
      if (svg_file_ != nullptr) draw_contacts(*svg_file_, particles, pairs, svg_walls(at_walls));
    if (out_file_ != nullptr && writes_csv(file))
      write_pairs_csv(*out_file_, pairs, particles, file.ids, progress);
    else if (out_file_ != nullptr)
      write_demcda_contacts(*out_file_, pairs, file.size(), progress);
  }
  outputs_.commit();
}

}  // namespace

Command detect_command(CLI::App& program) {
  Arguments app(program, "detect", "Find the contacts of the particles in a file or folder");
  app.footer(
      "Reads CSV with a header (x,y[,z],r[,id]) or Demcda text (elements.txt); writes CSV "
      "(a,b,gap)\n"
      "or Demcda text (contacts.txt: pairs from 1) by the ending of --out; - is a standard "
      "stream.\n"
      "With --periodic the CSV has columns ix,iy[,iz]: by how many periods b is moved to meet a.\n"
      "Without --out only the number of contacts is told.\n"
      "Polygons (CSV: particle,x,y; JSON) and polyhedra (a folder of OBJ or STL files; JSON) meet "
      "in\n"
      "common planes: a,b,gap,nx,ny[,nz],px,py[,pz],measure; --margin lists those that nearly "
      "touch.\n\n"
      "Examples:\n"
      "  abut detect particles.csv --out pairs.csv\n"
      "  abut detect --method 2 --bounds bounds.txt --elements elements.txt --out contacts.txt\n"
      "  abut detect particles.csv --walls mesh.stl --out pairs.csv --wall-contacts walls.csv\n"
      "  abut detect particles.csv --box 0,10,0,10,0,20 --periodic xy --out pairs.csv\n"
      "  abut detect polygons.csv --margin 0.01 --out contacts.csv --svg contacts.svg\n"
      "  abut detect DIR            bounds.txt and elements.txt of DIR to its contacts.txt");
  auto detect = std::make_shared<Detect>();
  app.add_option("input", detect->path, "file of particles, or folder with elements.txt");
  app.add_option("--elements", detect->elements, "file of particles");
  app.add_option("--out", detect->out, "where the pairs go");
  app.add_option("--walls", detect->walls,
                 "files of walls: STL or OBJ in 3D, OBJ lines or CSV (x1,y1,x2,y2) in 2D");
  app.add_option("--wall-contacts", detect->wall_contacts,
                 "where contacts with walls go: particle,wall,feature,gap,nx,ny,nz,px,py,pz");
  app.add_option("--method", detect->method, "name or number of the method [auto: the engine]");
  app.add_flag("--verbose", detect->verbose, "tell what the method chose to do, and why");
  app.add_option("--svg", detect->svg_path, "SVG picture of 2D particles and their contacts");
  detect->input.add_to(app);
  return {app, [detect] { return detect->run(); }};
}

}  // namespace abut
