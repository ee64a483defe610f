#include "cli/input.hpp"

#include <fmt/core.h>

#include <abut/error.hpp>
#include <filesystem>

#include "cli/progress_bar.hpp"
#include "cli/units.hpp"
#include "io/demcda.hpp"

namespace abut {

namespace fs = std::filesystem;

void Input::add_to(CLI::App& command) {
  command.add_option("--bounds", bounds, "bounds.txt: centres outside are an error");
  command
      .add_option("--dim", dimension,
                  "2 or 3; needed where elements have three columns that are x y radius, and no "
                  "bounds are given")
      ->check(CLI::IsMember({2, 3}));
  command.add_option("--margin", margin, "gap up to which particles are still a pair [0]");
  command.add_option("--tolerance", tolerance, "relative slack on the sum of radii [1e-12]");
  command.add_option("--threads", threads, "threads; 0 takes every core [0]");
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
  if (!bounds.empty() || particles.filename() != "elements.txt")
    return {particles.string(), bounds};
  const fs::path beside = particles.parent_path() / "bounds.txt";
  return {particles.string(), fs::exists(beside, error) ? beside.string() : ""};
}

ReadInput Input::read(const std::string& path) const {
  const Sources from = sources(path);
  std::optional<Bounds> domain;
  if (!from.bounds.empty()) domain = read_bounds(from.bounds);
  if (domain && dimension != 0 && domain->dimension != dimension)
    throw Error(fmt::format("--dim = {}: {} says {}", dimension, domain->file, domain->dimension));
  ProgressBar bar("reading " + from.particles);
  return {read_particles(from.particles, domain, dimension, bar.callback()), domain};
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
