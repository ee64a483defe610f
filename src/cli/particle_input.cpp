#include "cli/particle_input.hpp"

#include <fmt/core.h>

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "io/particle_file.hpp"
#include "walls/mesh_check.hpp"

namespace abut {

namespace fs = std::filesystem;

void ParticleInput::add_domain_to(Arguments& command) {
  command.add_option("--bounds", bounds, "Domain as a Demcda bounds.txt; centers must be inside")
      .metavar("FILE");
  command.add_option("--box", box, "Domain: XMIN,XMAX,YMIN,YMAX[,ZMIN,ZMAX]")
      .metavar("NUMBERS")
      .comma_separated()
      .expected(1, 6);
  command
      .add_option("--periodic", periodic,
                  "Periodic axes of the domain, such as xy; needs --bounds, --box or a LAMMPS file")
      .metavar("AXES");
  command
      .add_option("--dim", dimension,
                  "Dimension, 2 or 3; with 2, three columns without bounds are read as x y radius")
      .metavar("D")
      .one_of({2, 3});
}

void ParticleInput::add_to(Arguments& command) {
  add_domain_to(command);
  command.add_option("--margin", margin, "Largest gap at which particles form a pair (default: 0)")
      .metavar("LENGTH");
  command
      .add_option("--tolerance", tolerance,
                  "Relative tolerance on the sum of radii (default: 1e-12)")
      .metavar("X");
  command.add_option("--expansion", expansion, "Multiply every radius by 1 + X (default: 0)")
      .metavar("X");
  command
      .add_option("--max-cells", max_cells_per_axis,
                  "Maximum number of cells per axis; ignored by cgrid, mmr, engine and methods "
                  "without cells (default: no limit)")
      .metavar("N");
  command.add_option("--threads", threads, "Number of threads; 0: all cores (default: 0)")
      .metavar("N")
      .range(0, max_threads);
  command
      .add_option("--fixed", fixed_count_text,
                  "The first N particles are fixed: omit pairs of two of them (default: 0)")
      .metavar("N");
  command
      .add_option("--group-ratio", group_ratio,
                  "Ratio of sizes between the groups of mmr (default: 2)")
      .metavar("X");
  command
      .add_option(
          "--memory-limit", memory_limit_text,
          "Maximum memory of a search structure, and of particles read from a device or pipe or "
          "decompressed, such as 4G (default: 3/4 of the RAM)")
      .metavar("BYTES");
}

ParticleInput::InputPaths ParticleInput::paths_of(const std::string& path) const {
  std::error_code error;
  fs::path particles = path;
  if (path != "-" && fs::is_directory(particles, error)) particles /= "elements.txt";
  if (!bounds.empty() || !box.empty() || particles.filename() != "elements.txt")
    return {particles.string(), bounds};
  const fs::path neighbor = particles.parent_path() / "bounds.txt";
  return {particles.string(), fs::exists(neighbor, error) ? neighbor.string() : ""};
}

namespace {

void warn(const std::string& file, const std::string& warning) {
  fmt::print(stderr, "abut: {}: warning: {}\n", file, warning);
}

Bounds parse_box(const std::vector<double>& box) {
  if (box.size() != 4 && box.size() != 6)
    throw Error(fmt::format(
        "--box: has {} numbers; must be XMIN,XMAX,YMIN,YMAX and in 3D also ZMIN,ZMAX", box.size()));
  Bounds bounds{.file = "--box", .dimension = static_cast<int>(box.size() / 2)};
  for (std::size_t k = 0; k < box.size() / 2; ++k) {
    bounds.min[k] = box[2 * k];
    bounds.max[k] = box[2 * k + 1];
    if (!(std::isfinite(bounds.min[k]) && std::isfinite(bounds.max[k]) &&
          bounds.min[k] < bounds.max[k]))
      throw Error(
          fmt::format("--box: {} from {} to {}: must be two finite numbers, the smaller first",
                      "xyz"[k], bounds.min[k], bounds.max[k]));
  }
  return bounds;
}

}  // namespace

void ParticleInput::check_periodic(int domain_dimension) const {
  for (const char axis : periodic)
    if (std::string_view("xyz").find(axis) == std::string_view::npos ||
        std::ranges::count(periodic, axis) > 1)
      throw Error(
          fmt::format("--periodic {}: must be one or more of x, y and z, each once", periodic));
  if (periodic.empty()) return;
  if (domain_dimension == 0) throw Error("--periodic: needs a domain; add --bounds or --box");
  if (domain_dimension == 2 && is_periodic_along(2))
    throw Error(fmt::format("--periodic {}: there is no z in 2D", periodic));
}

std::optional<Bounds> ParticleInput::domain(const std::string& bounds_file) const {
  if (!bounds_file.empty() && !box.empty()) throw Error("--box and --bounds: give one of them");
  if (!box.empty()) return parse_box(box);
  if (!bounds_file.empty()) return read_demcda_bounds(bounds_file);
  return {};
}

std::optional<Bounds> ParticleInput::domain_from_options() const { return domain(bounds); }

LoadedParticles ParticleInput::read(const std::string& path) const {
  const InputPaths paths = paths_of(path);
  std::optional<Bounds> bounds_read = domain(paths.bounds);
  if (bounds_read) check_periodic(bounds_read->dimension);
  if (bounds_read && dimension != 0 && bounds_read->dimension != dimension)
    throw Error(fmt::format("--dim = {}: must be {} as in {}", dimension, bounds_read->dimension,
                            bounds_read->file));
  std::optional<Bounds> limits = bounds_read;  // periodic axes do not limit coordinates
  for (std::size_t k = 0; k < 3 && limits; ++k) {
    if (!is_periodic_along(k)) continue;
    limits->min[k] = -std::numeric_limits<double>::infinity();
    limits->max[k] = std::numeric_limits<double>::infinity();
  }
  std::optional<ProgressBar> bar("reading " + paths.particles);
  const ParticleText text(paths.particles, memory_limit());
  ParticleFile file =
      read_particles(text, limits, dimension, ParticleContents::geometry, bar->callback());
  bar.reset();
  if (!bounds_read && is_periodic() && file.box)
    bounds_read =
        Bounds{"the box of " + text.name(), file.dimension, file.box->box.min, file.box->box.max};
  if (!bounds_read) check_periodic(0);
  check_periodic(file.dimension);
  check_box(text, file, bounds_read,
            {is_periodic_along(0), is_periodic_along(1), is_periodic_along(2)});
  for (const std::string& warning : file.warnings) warn(text.name(), warning);
  return {std::move(file), bounds_read};
}

std::size_t ParticleInput::memory_limit() const {
  return memory_limit_text.empty() ? 0 : parse_bytes("--memory-limit", memory_limit_text);
}

std::size_t ParticleInput::fixed_count() const { return parse_count("--fixed", fixed_count_text); }

std::vector<Method> parse_methods(const std::vector<std::string>& names,
                                  std::size_t particle_count) {
  std::vector<Method> parsed;
  for (const std::string& name : names) {
    if (name != "all") {
      parsed.push_back(parse_method(name));
      continue;
    }
    for (const MethodInfo& method : methods())
      if (method.method != Method::brute_force || particle_count <= brute_force_limit)
        parsed.push_back(method.method);
  }
  return parsed;
}

Method parse_method(const std::string& name_or_number) {
  if (const auto method = find_method(name_or_number)) return *method;
  std::string names;
  for (const MethodInfo& known : methods())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
  throw Error(fmt::format("no method is called '{}'; there are {}", name_or_number, names));
}

namespace {

// "ignored 3 degenerate triangles, the first is triangle 17"
std::string omitted_text(const std::vector<Index>& elements, const char* element,
                         const char* property) {
  return fmt::format("ignored {} {} {}{}, the first is {} {}", elements.size(), property, element,
                     elements.size() == 1 ? "" : "s", element, elements[0]);
}

template <std::size_t D>
MeshReport inspect_file(const MeshFile& file, double weld_tolerance) {
  try {
    return inspect_mesh(file.mesh<D>(), weld_tolerance);
  } catch (const Error& error) {
    throw Error(file.file + ": " + error.what());
  }
}

MeshReport check_mesh(const MeshFile& file, double weld_tolerance) {
  for (const std::string& warning : file.warnings) warn(file.file, warning);
  const char* element = file.dimension == 2 ? "segment" : "triangle";
  MeshReport report = with_dimension(
      file.dimension, [&]<std::size_t D>() { return inspect_file<D>(file, weld_tolerance); });
  if (report.degenerate.size() + report.duplicates.size() >= report.facets)
    throw Error(fmt::format("{}: all {} {}s are degenerate", file.file, report.facets, element));
  if (!report.degenerate.empty())
    warn(file.file, omitted_text(report.degenerate, element, "degenerate"));
  if (!report.duplicates.empty())
    warn(file.file, omitted_text(report.duplicates, element, "duplicate"));
  if (!report.redundant.empty())
    warn(file.file,
         fmt::format("{} {}s have vertices that count as one, or as those of an earlier {}; the "
                     "first is {} {}; reduce --weld-tolerance to tell them apart",
                     report.redundant.size(), element, element, element, report.redundant[0]));
  if (report.inconsistent_edges > 0)
    warn(file.file, fmt::format("{} edges join {}s of opposite orientation; harmless, because "
                                "contacts are found on both sides",
                                report.inconsistent_edges, element));
  return report;
}

MeshFile read_mesh_file(const std::string& path, int dimension) {
  ProgressBar bar("reading " + path);
  return read_mesh(path, dimension, bar.callback());
}

}  // namespace

void add_weld_tolerance(Arguments& command, double& weld_tolerance) {
  command
      .add_option("--weld-tolerance", weld_tolerance,
                  "When meshes are checked, vertices count as one up to this fraction of the size "
                  "of the mesh (default: 1e-9)")
      .metavar("X");
}

WallFiles read_walls(const std::vector<std::string>& paths, int dimension, double weld_tolerance) {
  WallFiles all;
  for (const std::string& path : paths) {
    all.files.push_back(read_mesh_file(path, dimension));
    (void)check_mesh(all.files.back(), weld_tolerance);
  }
  return all;
}

MeshFile read_closed_mesh(const std::string& path, int dimension, double weld_tolerance) {
  MeshFile file = read_mesh_file(path, dimension);
  const MeshReport report = check_mesh(file, weld_tolerance);
  if (!report.is_closed())
    throw Error(fmt::format(
        "{}: not closed: {}; close the mesh, or let vertices that are farther apart count as one "
        "with --weld-tolerance (now {})",
        path, open_edges_text(report, file.dimension == 2 ? 2 : 3), weld_tolerance));
  return file;
}

}  // namespace abut
