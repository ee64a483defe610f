#include "cli/particle_input.hpp"

#include <fmt/core.h>

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "cli/command.hpp"
#include "cli/number_format.hpp"
#include "cli/progress_bar.hpp"
#include "io/particle_file.hpp"

namespace abut {

namespace fs = std::filesystem;

void ParticleInput::add_domain_to(Arguments& command) {
  command.add_option("--bounds", bounds, "bounds.txt: centres outside are an error");
  command.add_option("--box", box, "the same on the command line: XMIN,XMAX,YMIN,YMAX[,ZMIN,ZMAX]")
      .comma_separated()
      .expected(1, 6);
  command.add_option("--periodic", periodic,
                     "axes along which the domain repeats, as xy; needs --bounds or --box");
  command
      .add_option("--dim", dimension,
                  "2 or 3; needed where elements have three columns that are x y radius, and no "
                  "bounds are given")
      .one_of({2, 3});
}

void ParticleInput::add_to(Arguments& command) {
  add_domain_to(command);
  command.add_option("--margin", margin, "gap up to which particles are still a pair [0]");
  command.add_option("--tolerance", tolerance, "relative slack on the sum of radii [1e-12]");
  command.add_option("--expansion", expansion, "every radius counts 1 + so much [0]");
  command.add_option("--max-cells", max_cells_per_axis,
                     "most cells along an axis, for methods with an array of them [no limit]");
  command.add_option("--threads", threads, "threads; 0 takes every core [0]").range(0, max_threads);
  command.add_option(
      "--fixed", fixed_count_text,
      "the first so many particles are walls: pairs of two of them are left out [0]");
  command.add_option("--group-ratio", group_ratio, "mmr: ratio of sizes between groups [2]");
  command.add_option("--memory-limit", memory_limit_text,
                     "what a search structure may take, as 4G [3/4 of the machine]");
}

ParticleInput::InputPaths ParticleInput::paths_of(const std::string& path) const {
  std::error_code error;
  fs::path particles = path;
  if (path != "-" && fs::is_directory(particles, error)) particles /= "elements.txt";
  if (!bounds.empty() || !box.empty() || particles.filename() != "elements.txt")
    return {particles.string(), bounds};
  const fs::path beside = particles.parent_path() / "bounds.txt";
  return {particles.string(), fs::exists(beside, error) ? beside.string() : ""};
}

namespace {

Bounds parse_box(const std::vector<double>& box) {
  if (box.size() != 4 && box.size() != 6)
    throw Error(fmt::format("--box: {} numbers; 2D needs XMIN,XMAX,YMIN,YMAX, 3D also ZMIN,ZMAX",
                            box.size()));
  Bounds bounds{.file = "--box", .dimension = static_cast<int>(box.size() / 2)};
  for (std::size_t k = 0; k < box.size() / 2; ++k) {
    bounds.min[k] = box[2 * k];
    bounds.max[k] = box[2 * k + 1];
    if (!(std::isfinite(bounds.min[k]) && std::isfinite(bounds.max[k]) &&
          bounds.min[k] < bounds.max[k]))
      throw Error(
          fmt::format("--box: {} from {} to {}: needs two finite numbers, the smaller first",
                      "xyz"[k], bounds.min[k], bounds.max[k]));
  }
  return bounds;
}

}  // namespace

void ParticleInput::check_periodic(int dimension_of_domain) const {
  for (const char axis : periodic)
    if (std::string_view("xyz").find(axis) == std::string_view::npos ||
        std::ranges::count(periodic, axis) > 1)
      throw Error(fmt::format("--periodic {}: takes some of x, y and z, each once", periodic));
  if (periodic.empty()) return;
  if (dimension_of_domain == 0)
    throw Error("--periodic: needs the domain that repeats, as --bounds or --box");
  if (dimension_of_domain == 2 && is_periodic_along(2))
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
  const InputPaths from = paths_of(path);
  const std::optional<Bounds> bounded = domain(from.bounds);
  check_periodic(bounded ? bounded->dimension : 0);
  if (bounded && dimension != 0 && bounded->dimension != dimension)
    throw Error(
        fmt::format("--dim = {}: {} says {}", dimension, bounded->file, bounded->dimension));
  std::optional<Bounds> limits = bounded;  // a particle may be anywhere along a periodic axis
  for (std::size_t k = 0; k < 3 && limits; ++k) {
    if (!is_periodic_along(k)) continue;
    limits->min[k] = -std::numeric_limits<double>::infinity();
    limits->max[k] = std::numeric_limits<double>::infinity();
  }
  ProgressBar bar("reading " + from.particles);
  return {read_particles(from.particles, limits, dimension, bar.callback()), bounded};
}

std::size_t ParticleInput::memory_limit() const {
  return memory_limit_text.empty() ? 0 : parse_bytes("--memory-limit", memory_limit_text);
}

std::size_t ParticleInput::fixed_count() const { return parse_count("--fixed", fixed_count_text); }

std::vector<Method> parse_methods(const std::vector<std::string>& names, std::size_t particles) {
  std::vector<Method> chosen;
  for (const std::string& name : names) {
    if (name != "all") {
      chosen.push_back(parse_method(name));
      continue;
    }
    for (const MethodInfo& method : methods())
      if (method.method != Method::brute_force || particles <= brute_force_limit)
        chosen.push_back(method.method);
  }
  return chosen;
}

Method parse_method(const std::string& name_or_number) {
  if (const auto method = find_method(name_or_number)) return *method;
  std::string names;
  for (const MethodInfo& known : methods())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
  throw Error(fmt::format("no method is called '{}'; there are {}", name_or_number, names));
}

namespace {

// "3 triangles without area left out, the first is number 17"
std::string omitted_text(const std::vector<Index>& pieces, const char* piece, const char* why) {
  return fmt::format("{} {}{} {} left out, the first is number {}", pieces.size(), piece,
                     pieces.size() == 1 ? "" : "s", why, pieces[0]);
}

void warn(const std::string& file, const std::string& remark) {
  fmt::print(stderr, "abut: {}: {}\n", file, remark);
}

template <std::size_t D>
MeshReport inspect_file(const MeshFile& file) {
  try {
    return inspect_mesh(file.mesh<D>());
  } catch (const Error& error) {
    throw Error(file.file + ": " + error.what());
  }
}

MeshReport check_mesh(const MeshFile& file) {
  for (const std::string& remark : file.warnings) warn(file.file, remark);
  const char* piece = file.dimension == 2 ? "segment" : "triangle";
  MeshReport report =
      with_dimension(file.dimension, [&]<std::size_t D>() { return inspect_file<D>(file); });
  if (report.degenerate.size() + report.duplicates.size() >= report.facets)
    throw Error(
        fmt::format("{}: none of its {} {}s can be touched", file.file, report.facets, piece));
  if (!report.degenerate.empty())
    warn(file.file, omitted_text(report.degenerate, piece,
                                 file.dimension == 2 ? "without length" : "without area"));
  if (!report.duplicates.empty())
    warn(file.file, omitted_text(report.duplicates, piece, "given twice"));
  if (report.inconsistent_edges > 0)
    warn(file.file, fmt::format("{} edges lie between {}s that face different ways; no matter, "
                                "both sides can be touched",
                                report.inconsistent_edges, piece));
  return report;
}

MeshFile read_mesh_file(const std::string& path, int dimension) {
  ProgressBar bar("reading " + path);
  return read_mesh(path, dimension, bar.callback());
}

}  // namespace

WallFiles read_walls(const std::vector<std::string>& paths, int dimension) {
  WallFiles all;
  for (const std::string& path : paths) {
    all.files.push_back(read_mesh_file(path, dimension));
    (void)check_mesh(all.files.back());
  }
  return all;
}

MeshFile read_closed_mesh(const std::string& path, int dimension) {
  MeshFile file = read_mesh_file(path, dimension);
  const MeshReport report = check_mesh(file);
  if (!report.is_closed())
    throw Error(fmt::format("{}: not closed: {} edges belong to one {} only, {} to more than two",
                            path, report.boundary_edges, dimension == 2 ? "segment" : "triangle",
                            report.nonmanifold_edges));
  return file;
}

}  // namespace abut
