#include <fmt/core.h>

#include <abut/detector.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/detect_blocks.hpp"
#include "cli/particle_input.hpp"
#include "cli/terminal.hpp"
#include "io/block_file.hpp"
#include "io/contact_csv.hpp"
#include "io/particle_file.hpp"
#include "io/svg_scene.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

struct DetectCommand {
  ParticleInput input;
  std::string path;
  std::string elements;
  std::string out;
  std::string svg_path;
  std::vector<std::string> walls;
  double weld_tolerance = default_weld_tolerance;
  std::string wall_contacts;
  std::string method = "auto";
  bool verbose = false;

  int run();

 private:
  void resolve_paths();
  int detect_blocks(Method chosen);
  template <std::size_t D>
  void detect(const LoadedParticles& loaded, double read_seconds);
  template <std::size_t D>
  void write(const ParticleFile& file, const Spheres<D>& particles,
             const DetectorOptions<D>& options, Detector<D>& detector,
             std::span<const WallContact<D>> wall_contacts_found, const Progress& progress);
  template <std::size_t D>
  std::vector<WallContact<D>> find_wall_contacts(const Spheres<D>& particles,
                                                 const DetectorOptions<D>& options);
  [[nodiscard]] DrawnWalls svg_walls(std::span<const WallContact<2>> contacts) {
    wall_meshes_.clear();
    for (const MeshFile& file : wall_files_.files) wall_meshes_.push_back(&file.segments);
    return {wall_meshes_, contacts};
  }
  template <std::size_t D>
  void print_wall_summary(const std::vector<WallContact<D>>& contacts) {
    fmt::print(outputs_.uses_standard_output() ? stderr : stdout,
               "{} contacts with {} wall elements, detection {}, building the octree {}\n",
               contacts.size(), element_count_, time_text(wall_search_seconds_),
               time_text(wall_build_seconds_));
  }
  [[nodiscard]] bool needs_pairs() const { return out_file_ != nullptr || svg_file_ != nullptr; }
  [[nodiscard]] bool writes_csv(const ParticleFile& file) const {
    return has_csv_extension(out) ||
           (is_standard_output(out) && file.format != ParticleFormat::elements);
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

// `abut detect DIR` reads elements.txt and bounds.txt of the Demcda program in that folder and
// writes contacts.txt there.
void DetectCommand::resolve_paths() {
  if (path.empty() == elements.empty())
    throw Error(path.empty() ? "no particles given: give a file or folder, or --elements"
                             : "particles given twice: as " + path + " and as --elements");
  if (path.empty()) path = elements;
  std::error_code error;
  if (out.empty() && path != "-" && fs::is_directory(path, error))
    out = (fs::path(path) / "contacts.txt").string();
}

int DetectCommand::run() {
  const Method chosen = parse_method(method);
  if (elements.empty() && contains_blocks(path)) return detect_blocks(chosen);
  resolve_paths();
  const ParticleInput::InputPaths paths = input.paths_of(path);
  if (walls.empty() && !wall_contacts.empty())
    throw Error("--wall-contacts: there are no walls; add --walls FILE");
  std::vector<std::string> input_paths{paths.particles, paths.bounds};
  input_paths.insert(input_paths.end(), walls.begin(), walls.end());
  outputs_ = Outputs(input_paths);
  out_file_ = outputs_.open("--out", out);
  svg_file_ = outputs_.open("--svg", svg_path);
  walls_file_ = outputs_.open("--wall-contacts", wall_contacts);
  const Stopwatch watch;
  const LoadedParticles loaded = input.read(path);
  const double read_seconds = watch.seconds();
  if (svg_file_ != nullptr && loaded.file.dimension != 2)
    throw Error("--svg: draws 2D only; these particles are in 3D");
  if (input.is_periodic() && out_file_ != nullptr && !writes_csv(loaded.file))
    throw Error("--out = " + out + ": Demcda text cannot hold periodic images; give a .csv file");
  with_dimension(loaded.file.dimension, [&]<std::size_t D>() { detect<D>(loaded, read_seconds); });
  return exit_success;
}

int DetectCommand::detect_blocks(Method chosen) {
  if (!walls.empty())
    throw Error(
        "--walls: only for disks and spheres; with polygons or polyhedra, add walls as particles");
  return BlockDetection{input, path, out, svg_path, chosen, verbose}.run();
}

template <std::size_t D>
void DetectCommand::detect(const LoadedParticles& loaded, double read_seconds) {
  const ParticleFile& file = loaded.file;
  const Spheres<D> particles = file.particles<D>();
  DetectorOptions<D> options = input.options<D>(parse_method(method), loaded.bounds);
  std::optional<ProgressBar> bar("detecting");
  options.progress = bar->callback();
  const Stopwatch search_watch;
  Detector<D> detector(options);
  detector.update(particles);
  std::size_t contact_count = 0;
  if (!needs_pairs())  // count the pairs without storing them
    detector.for_each_pair([&](Pair) { ++contact_count; });
  else
    contact_count =
        input.is_periodic() ? detector.periodic_pairs().size() : detector.pairs().size();
  const double search_seconds = search_watch.seconds();
  const std::vector<WallContact<D>> wall_contacts_found = find_wall_contacts(particles, options);

  if (verbose) {
    const std::string description = detector.description();
    fmt::print(stderr, "{}: {}\n", method_info(options.method).name,
               description.empty() ? "makes no choices" : description);
  }

  const Stopwatch write_watch;
  bar.emplace("writing");
  if (walls_file_ != nullptr)
    write_wall_contacts_csv<D>(*walls_file_, wall_contacts_found, file.ids, bar->callback());
  write<D>(file, particles, options, detector, wall_contacts_found, bar->callback());
  bar.reset();
  fmt::print(outputs_.uses_standard_output() ? stderr : stdout,
             "{} particles in {}D, {} contacts, method {}, detection {}, reading {}, writing {}\n",
             file.size(), D, contact_count, method_info(options.method).name,
             time_text(search_seconds), time_text(read_seconds), time_text(write_watch.seconds()));
  if (!walls.empty()) print_wall_summary(wall_contacts_found);
}

template <std::size_t D>
std::vector<WallContact<D>> DetectCommand::find_wall_contacts(const Spheres<D>& particles,
                                                              const DetectorOptions<D>& options) {
  if (walls.empty()) return {};
  wall_files_ = read_walls(walls, D, weld_tolerance);
  const Stopwatch build_watch;
  const Walls<D> all_walls = wall_files_.make_walls<D>();
  wall_build_seconds_ = build_watch.seconds();
  element_count_ = all_walls.element_count();
  const Stopwatch watch;
  std::vector<WallContact<D>> contacts =
      all_walls.contacts(particles, {.margin = options.margin,
                                     .tolerance = options.tolerance,
                                     .domain = options.domain,
                                     .periodic = options.periodic,
                                     .threads = options.threads});
  wall_search_seconds_ = watch.seconds();
  return contacts;
}

template <std::size_t D>
void DetectCommand::write(const ParticleFile& file, const Spheres<D>& particles,
                          const DetectorOptions<D>& options, Detector<D>& detector,
                          std::span<const WallContact<D>> wall_contacts_found,
                          const Progress& progress) {
  if (input.is_periodic() && needs_pairs()) {
    std::array<double, D> periods;
    for (std::size_t k = 0; k < D; ++k)
      periods[k] = options.domain->max[k] - options.domain->min[k];
    const std::span<const PeriodicPair<D>> pairs = detector.periodic_pairs();
    if constexpr (D == 2)
      if (svg_file_ != nullptr)
        draw_contacts(*svg_file_, particles, pairs, periods, svg_walls(wall_contacts_found));
    if (out_file_ != nullptr)
      write_pairs_csv(*out_file_, pairs, periods, particles, file.ids, progress);
  } else if (needs_pairs()) {
    const std::span<const Pair> pairs = detector.pairs();
    if constexpr (D == 2)
      if (svg_file_ != nullptr)
        draw_contacts(*svg_file_, particles, pairs, svg_walls(wall_contacts_found));
    if (out_file_ != nullptr && writes_csv(file))
      write_pairs_csv(*out_file_, pairs, particles, file.ids, progress);
    else if (out_file_ != nullptr)
      write_demcda_contacts(*out_file_, pairs, file.size(), progress);
  }
  outputs_.commit();
}

}  // namespace

Command detect_command(CLI::App& program) {
  Arguments app(program, "detect", "Find contacts between the particles of a file or folder");
  app.footer(
      "Reads CSV with a header (x,y[,z],r[,id]), text x y z r, Demcda text (elements.txt), LAMMPS\n"
      "data and dump files, and frames of abut run (.vtp), also gzipped. Writes CSV (a,b,gap)\n"
      "or Demcda text (contacts.txt: pairs numbered from 1), chosen by the extension of --out; "
      "'-'\n"
      "is standard input or output. Without --out, only the number of contacts is printed.\n"
      "With --periodic, the columns ix,iy[,iz] are the periods by which b is shifted to touch a.\n"
      "Polygons (CSV: particle,x,y; JSON) and polyhedra (a folder of OBJ or STL files; JSON) are\n"
      "tested with common planes: a,b,gap,nx,ny[,nz],px,py[,pz],area; --margin includes pairs\n"
      "separated by up to that gap.\n\n"
      "Examples:\n"
      "  abut detect particles.csv --out pairs.csv\n"
      "  abut detect --method 2 --bounds bounds.txt --elements elements.txt --out contacts.txt\n"
      "  abut detect particles.csv --walls mesh.stl --out pairs.csv --wall-contacts walls.csv\n"
      "  abut detect particles.csv --box 0,10,0,10,0,20 --periodic xy --out pairs.csv\n"
      "  abut detect polygons.csv --margin 0.01 --out contacts.csv --svg contacts.svg\n"
      "  abut detect DIR            read DIR/elements.txt and bounds.txt, write DIR/contacts.txt");
  auto detect = std::make_shared<DetectCommand>();
  app.add_option("input", detect->path,
                 "Particle file, folder with elements.txt, or folder of OBJ or STL files")
      .metavar("PATH");
  app.add_option("--elements", detect->elements,
                 "Particle file; the same as the positional argument")
      .metavar("FILE");
  app.add_option("--out", detect->out, "Write pairs to this file (default: count only)")
      .metavar("FILE");
  app.add_option("--walls", detect->walls,
                 "Wall meshes: STL or OBJ in 3D, OBJ lines or CSV (x1,y1,x2,y2) in 2D")
      .metavar("FILE");
  add_weld_tolerance(app, detect->weld_tolerance);
  app.add_option(
         "--wall-contacts", detect->wall_contacts,
         "Write wall contacts to this file: particle,facet,feature,gap,nx,ny[,nz],px,py[,pz]")
      .metavar("FILE");
  app.add_option("--method", detect->method,
                 "Name or number of the search method (default: auto, the engine)")
      .metavar("NAME");
  app.add_flag("--verbose", detect->verbose, "Print how the method adapted to the particles");
  app.add_option("--svg", detect->svg_path, "Draw 2D particles and their contacts to this file")
      .metavar("FILE");
  detect->input.add_to(app);
  return {app, [detect] { return detect->run(); }};
}

}  // namespace abut
