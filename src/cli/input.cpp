#include "cli/input.hpp"

#include <fmt/core.h>

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "cli/command.hpp"
#include "cli/progress_bar.hpp"
#include "cli/units.hpp"
#include "io/demcda.hpp"

namespace abut {

namespace fs = std::filesystem;

void Input::add_domain_to(Arguments& command) {
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

void Input::add_to(Arguments& command) {
  add_domain_to(command);
  command.add_option("--margin", margin, "gap up to which particles are still a pair [0]");
  command.add_option("--tolerance", tolerance, "relative slack on the sum of radii [1e-12]");
  command.add_option("--expansion", expansion, "every radius counts 1 + so much [0]");
  command.add_option("--max-cells", max_cells,
                     "most cells along an axis, for methods with an array of them [no limit]");
  command.add_option("--threads", threads, "threads; 0 takes every core [0]")
      .between(0, most_threads);
  command.add_option(
      "--fixed", fixed_text,
      "the first so many particles are walls: pairs of two of them are left out [0]");
  command.add_option("--group-ratio", group_ratio, "mmr: ratio of sizes between groups [2]");
  command.add_option("--max-memory", max_memory,
                     "what a search structure may take, as 4G [3/4 of the machine]");
}

Input::Sources Input::sources(const std::string& path) const {
  std::error_code error;
  fs::path particles = path;
  if (path != "-" && fs::is_directory(particles, error)) particles /= "elements.txt";
  if (!bounds.empty() || !box.empty() || particles.filename() != "elements.txt")
    return {particles.string(), bounds};
  const fs::path beside = particles.parent_path() / "bounds.txt";
  return {particles.string(), fs::exists(beside, error) ? beside.string() : ""};
}

namespace {

Bounds bounds_from(const std::vector<double>& box) {
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

void Input::check_periodic(int dimension_of_domain) const {
  for (const char axis : periodic)
    if (std::string_view("xyz").find(axis) == std::string_view::npos ||
        std::ranges::count(periodic, axis) > 1)
      throw Error(fmt::format("--periodic {}: takes some of x, y and z, each once", periodic));
  if (periodic.empty()) return;
  if (dimension_of_domain == 0)
    throw Error("--periodic: needs the domain that repeats, as --bounds or --box");
  if (dimension_of_domain == 2 && periodic_along(2))
    throw Error(fmt::format("--periodic {}: there is no z in 2D", periodic));
}

std::optional<Bounds> Input::domain(const std::string& bounds_file) const {
  if (!bounds_file.empty() && !box.empty()) throw Error("--box and --bounds: give one of them");
  if (!box.empty()) return bounds_from(box);
  if (!bounds_file.empty()) return read_bounds(bounds_file);
  return {};
}

std::optional<Bounds> Input::domain_given() const { return domain(bounds); }

ReadInput Input::read(const std::string& path) const {
  const Sources from = sources(path);
  const std::optional<Bounds> bounded = domain(from.bounds);
  check_periodic(bounded ? bounded->dimension : 0);
  if (bounded && dimension != 0 && bounded->dimension != dimension)
    throw Error(
        fmt::format("--dim = {}: {} says {}", dimension, bounded->file, bounded->dimension));
  std::optional<Bounds> limits = bounded;  // a particle may be anywhere along a periodic axis
  for (std::size_t k = 0; k < 3 && limits; ++k) {
    if (!periodic_along(k)) continue;
    limits->min[k] = -std::numeric_limits<double>::infinity();
    limits->max[k] = std::numeric_limits<double>::infinity();
  }
  ProgressBar bar("reading " + from.particles);
  return {read_particles(from.particles, limits, dimension, bar.callback()), bounded};
}

std::size_t Input::memory_limit() const {
  return max_memory.empty() ? 0 : bytes_from("--max-memory", max_memory);
}

std::size_t Input::fixed() const { return count_from("--fixed", fixed_text); }

std::vector<Method> methods_from(const std::vector<std::string>& names, std::size_t particles) {
  std::vector<Method> chosen;
  for (const std::string& name : names) {
    if (name != "all") {
      chosen.push_back(method_from(name));
      continue;
    }
    for (const MethodInfo& method : methods())
      if (method.method != Method::brute_force || particles <= brute_force_limit)
        chosen.push_back(method.method);
  }
  return chosen;
}

Method method_from(const std::string& name_or_number) {
  if (const auto method = method_named(name_or_number)) return *method;
  std::string names;
  for (const MethodInfo& known : methods())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
  throw Error(fmt::format("no method is called '{}'; there are {}", name_or_number, names));
}

}  // namespace abut
