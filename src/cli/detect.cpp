#include <fmt/core.h>

#include <abut/detector.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/detect_blocks.hpp"
#include "cli/input.hpp"
#include "cli/outputs.hpp"
#include "cli/progress_bar.hpp"
#include "cli/units.hpp"
#include "cli/walls_input.hpp"
#include "io/block_file.hpp"
#include "io/csv.hpp"
#include "io/demcda.hpp"
#include "io/picture.hpp"
#include "io/wall_csv.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

struct Detect {
  Input input;
  std::string path;
  std::string elements;
  std::string out;
  std::string picture;
  std::vector<std::string> walls;
  std::string wall_contacts;
  std::string method = "auto";
  bool verbose = false;

  int run();

 private:
  void choose_files();
  int detect_blocks(Method chosen);
  template <std::size_t D>
  void detect(const ReadInput& given, double reading);
  template <std::size_t D>
  void write(const ParticleFile& file, const Spheres<D>& particles, const Options<D>& options,
             Detector<D>& search, std::span<const WallContact<D>> at_walls,
             const Progress& progress);
  template <std::size_t D>
  std::vector<WallContact<D>> find_wall_contacts(const Spheres<D>& particles,
                                                 const Options<D>& options);
  [[nodiscard]] DrawnWalls drawn(std::span<const WallContact<2>> at_walls) {
    drawn_.clear();
    for (const MeshFile& file : read_walls_.files) drawn_.push_back(&file.segments);
    return {drawn_, at_walls};
  }
  template <std::size_t D>
  void print_walls(const std::vector<WallContact<D>>& found) {
    fmt::print(outputs_.take_standard_output() ? stderr : stdout,
               "{} contacts with {} pieces of wall, detection {}, building the tree {}\n",
               found.size(), pieces_, time_text(at_walls_), time_text(building_walls_));
  }
  [[nodiscard]] bool wants_pairs() const {
    return out_file_ != nullptr || picture_file_ != nullptr;
  }
  [[nodiscard]] bool out_is_csv(const ParticleFile& file) const {
    return is_csv(out) || (is_standard_output(out) && file.csv);
  }

  Outputs outputs_;
  OutputFile* out_file_ = nullptr;
  OutputFile* picture_file_ = nullptr;
  OutputFile* walls_file_ = nullptr;
  ReadWalls read_walls_;
  std::vector<const Mesh<2>*> drawn_;
  Index pieces_ = 0;
  double building_walls_ = 0;
  double at_walls_ = 0;
};

// `abut detect DIR` stands for the three files of the Demcda program in that folder.
void Detect::choose_files() {
  if (path.empty() == elements.empty())
    throw Error(path.empty() ? "no particles given: name a file or folder, or use --elements"
                             : "particles given twice: as " + path + " and as --elements");
  if (path.empty()) path = elements;
  std::error_code error;
  if (out.empty() && path != "-" && fs::is_directory(path, error))
    out = (fs::path(path) / "contacts.txt").string();
}

int Detect::run() {
  const Method chosen = method_from(method);
  if (elements.empty() && holds_blocks(path)) return detect_blocks(chosen);
  choose_files();
  const Input::Sources from = input.sources(path);
  if (walls.empty() && !wall_contacts.empty())
    throw Error("--wall-contacts: there are no walls; name a file of them with --walls");
  std::vector<std::string> read{from.particles, from.bounds};
  read.insert(read.end(), walls.begin(), walls.end());
  outputs_ = Outputs(read);
  out_file_ = outputs_.open("--out", out);
  picture_file_ = outputs_.open("--picture", picture);
  walls_file_ = outputs_.open("--wall-contacts", wall_contacts);
  const Stopwatch watch;
  const ReadInput given = input.read(path);
  const double reading = watch.seconds();
  if (picture_file_ != nullptr && given.file.dimension != 2)
    throw Error("--picture draws particles in 2D only; these are in 3D");
  if (input.is_periodic() && out_file_ != nullptr && !out_is_csv(given.file))
    throw Error("--out " + out + ": Demcda text has no place for images; name a file .csv");
  with_dimension(given.file.dimension, [&]<std::size_t D>() { detect<D>(given, reading); });
  return done;
}

int Detect::detect_blocks(Method chosen) {
  if (!walls.empty())
    throw Error(
        "--walls are for round particles; among polygons or polyhedra, a wall is a particle");
  return BlockDetection{input, path, out, picture, chosen, verbose}.run();
}

template <std::size_t D>
void Detect::detect(const ReadInput& given, double reading) {
  const ParticleFile& file = given.file;
  const Spheres<D> particles = file.particles<D>();
  Options<D> options = input.options<D>(method_from(method), given.bounds);
  std::optional<ProgressBar> bar("detecting");
  options.progress = bar->callback();
  const Stopwatch search_watch;
  Detector<D> search(options);
  search.update(particles);
  std::size_t contacts = 0;
  if (!wants_pairs())  // nobody wants to see them: count without storing
    search.for_each_pair([&](Pair) { ++contacts; });
  else
    contacts = input.is_periodic() ? search.periodic_pairs().size() : search.pairs().size();
  const double detection = search_watch.seconds();
  const std::vector<WallContact<D>> at_walls = find_wall_contacts(particles, options);

  if (verbose) {
    const std::string reason = search.reason();
    fmt::print(stderr, "{}: {}\n", info(options.method).name,
               reason.empty() ? "has no choice to make" : reason);
  }

  const Stopwatch write_watch;
  bar.emplace("writing");
  if (walls_file_ != nullptr)
    write_wall_contacts_csv<D>(*walls_file_, at_walls, file.ids, bar->callback());
  write<D>(file, particles, options, search, at_walls, bar->callback());
  bar.reset();
  fmt::print(outputs_.take_standard_output() ? stderr : stdout,
             "{} particles in {}D, {} contacts, method {}, detection {}, reading {}, writing {}\n",
             file.size(), D, contacts, info(options.method).name, time_text(detection),
             time_text(reading), time_text(write_watch.seconds()));
  if (!walls.empty()) print_walls(at_walls);
}

template <std::size_t D>
std::vector<WallContact<D>> Detect::find_wall_contacts(const Spheres<D>& particles,
                                                       const Options<D>& options) {
  if (walls.empty()) return {};
  read_walls_ = read_walls(walls, D);
  const Stopwatch build_watch;
  const Walls<D> standing = read_walls_.walls<D>();
  building_walls_ = build_watch.seconds();
  pieces_ = standing.size();
  const Stopwatch watch;
  std::vector<WallContact<D>> found = standing.contacts(particles, {.margin = options.margin,
                                                                    .tolerance = options.tolerance,
                                                                    .domain = options.domain,
                                                                    .periodic = options.periodic,
                                                                    .threads = options.threads});
  at_walls_ = watch.seconds();
  return found;
}

template <std::size_t D>
void Detect::write(const ParticleFile& file, const Spheres<D>& particles, const Options<D>& options,
                   Detector<D>& search, std::span<const WallContact<D>> at_walls,
                   const Progress& progress) {
  if (input.is_periodic() && wants_pairs()) {
    std::array<double, D> periods;
    for (std::size_t k = 0; k < D; ++k)
      periods[k] = options.domain->max[k] - options.domain->min[k];
    const std::span<const PeriodicPair<D>> pairs = search.periodic_pairs();
    if constexpr (D == 2)
      if (picture_file_ != nullptr)
        draw_contacts(*picture_file_, particles, pairs, periods, drawn(at_walls));
    if (out_file_ != nullptr)
      write_pairs_csv(*out_file_, pairs, periods, particles, file.ids, progress);
  } else if (wants_pairs()) {
    const std::span<const Pair> pairs = search.pairs();
    if constexpr (D == 2)
      if (picture_file_ != nullptr)
        draw_contacts(*picture_file_, particles, pairs, drawn(at_walls));
    if (out_file_ != nullptr && out_is_csv(file))
      write_pairs_csv(*out_file_, pairs, particles, file.ids, progress);
    else if (out_file_ != nullptr)
      write_contacts(*out_file_, pairs, file.size(), progress);
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
      "  abut detect polygons.csv --margin 0.01 --out contacts.csv --picture contacts.svg\n"
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
  app.add_option("--picture", detect->picture, "SVG picture of 2D particles and their contacts");
  detect->input.add_to(app);
  return {app, [detect] { return detect->run(); }};
}

}  // namespace abut
