#include "cli/compare.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>

#include "cli/command.hpp"
#include "cli/particle_input.hpp"
#include "cli/terminal.hpp"
#include "io/text_format.hpp"

namespace abut {
namespace {

template <class AnyPair>
std::vector<AnyPair> set_difference_of(const std::vector<AnyPair>& list,
                                       const std::vector<AnyPair>& other) {
  std::vector<AnyPair> rest;
  std::ranges::set_difference(list, other, std::back_inserter(rest));
  return rest;
}

std::string text_of(Pair pair) { return fmt::format("({}, {})", pair.a, pair.b); }

template <std::size_t D>
std::string text_of(const PeriodicPair<D>& pair) {
  return fmt::format("({}, {}, image {})", pair.a, pair.b, fmt::join(pair.image, " "));
}

template <class AnyPair>
std::string count_and_first(const char* what, const std::vector<AnyPair>& pairs) {
  return pairs.empty() ? ""
                       : fmt::format("; {} {}, first {}", pairs.size(), what, text_of(pairs[0]));
}

template <class AnyPair>
std::string difference(const std::vector<AnyPair>& expected, const std::vector<AnyPair>& found) {
  if (!std::ranges::is_sorted(found)) return "NOT SORTED";
  return "DIFFERS" + count_and_first("missing", set_difference_of(expected, found)) +
         count_and_first("extra", set_difference_of(found, expected));
}

}  // namespace

template <class AnyPair>
std::vector<Comparison> compare(const std::vector<PairSearch<AnyPair>>& searches) {
  std::vector<Comparison> comparisons;
  std::optional<std::vector<AnyPair>> reference;
  for (const PairSearch<AnyPair>& search : searches) {
    Comparison comparison{.name = search.name};
    try {
      const Stopwatch watch;
      std::vector<AnyPair> found = search.find();
      comparison.seconds = watch.seconds();
      comparison.pairs = found.size();
      comparison.agrees = !reference || found == *reference;
      comparison.text = !reference          ? "reference"
                        : comparison.agrees ? "same"
                                            : difference(*reference, found);
      if (!reference) reference = std::move(found);
    } catch (const MemoryLimitError& error) {
      comparison.over_memory_limit = true;
      comparison.text = error.what();
    }
    comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}

template std::vector<Comparison> compare(const std::vector<PairSearch<Pair>>&);
template std::vector<Comparison> compare(const std::vector<PairSearch<PeriodicPair<2>>>&);
template std::vector<Comparison> compare(const std::vector<PairSearch<PeriodicPair<3>>>&);

std::string table_of(const std::vector<Comparison>& comparisons) {
  Table table({"method", "pairs", "time", "comparison"});
  for (const Comparison& comparison : comparisons)
    table.add(
        {comparison.name, comparison.over_memory_limit ? "-" : std::to_string(comparison.pairs),
         comparison.over_memory_limit ? "-" : time_text(comparison.seconds), comparison.text});
  return table.text();
}

int status_of(const std::vector<Comparison>& comparisons) {
  return std::ranges::all_of(comparisons, &Comparison::agrees) ? exit_success : exit_mismatch;
}

namespace {

struct CompareCommand {
  ParticleInput input;
  std::vector<std::string> paths;
  std::vector<std::string> method_names{"all"};

  int run() {
    (void)parse_methods(method_names, 0);  // reject unknown names before reading files
    int status = exit_success;
    for (const std::string& path : paths) {
      const LoadedParticles loaded = input.read(path);
      status = std::max(status, with_dimension(loaded.file.dimension, [&]<std::size_t D>() {
                          return compare_file<D>(path, loaded.file, loaded.bounds);
                        }));
    }
    return status;
  }

 private:
  template <std::size_t D>
  int compare_file(const std::string& path, const ParticleFile& file,
                   const std::optional<Bounds>& bounds) {
    fmt::print("{}: {} particles in {}D\n", path, file.size(), D);
    const std::vector<Comparison> comparisons =
        input.is_periodic() ? compare(method_searches<D, PeriodicPair<D>>(file, bounds))
                            : compare(method_searches<D, Pair>(file, bounds));
    fmt::print("{}", table_of(comparisons));
    if (file.size() > brute_force_limit && std::ranges::count(method_names, "all") > 0)
      fmt::print(
          "brute_force omitted above {} particles; the other methods are compared with each "
          "other\n",
          brute_force_limit);
    if (std::ranges::count(comparisons, false, &Comparison::over_memory_limit) < 2)
      fmt::print("nothing was compared: fewer than two methods fit into the memory limit\n");
    return status_of(comparisons);
  }

  template <std::size_t D, class AnyPair>
  std::vector<PairSearch<AnyPair>> method_searches(const ParticleFile& file,
                                                   const std::optional<Bounds>& bounds) {
    std::vector<PairSearch<AnyPair>> all;
    for (const Method method : parse_methods(method_names, file.size())) {
      const DetectorOptions<D> options = input.options<D>(method, bounds);
      all.push_back({std::string(method_info(method).name), [&file, options] {
                       ProgressBar bar(std::string(method_info(options.method).name));
                       DetectorOptions<D> with_progress = options;
                       with_progress.progress = bar.callback();
                       if constexpr (std::is_same_v<AnyPair, Pair>)
                         return find_contacts(file.particles<D>(), with_progress);
                       else
                         return find_periodic_contacts(file.particles<D>(), with_progress);
                     }});
    }
    return all;
  }
};

}  // namespace

Command compare_command(CLI::App& program) {
  Arguments app(program, "compare", "Check methods against brute force");
  app.footer(
      "For every method that differs, prints the first missing and the first extra pair; the exit\n"
      "status is then 1.\n"
      "Example: abut compare elements.txt particles.csv");
  auto command = std::make_shared<CompareCommand>();
  app.add_option("files", command->paths, "Particle files, or folders with elements.txt")
      .metavar("FILE")
      .required();
  app.add_option("--methods", command->method_names,
                 "Methods; the first one is the reference; 'all' omits brute force above 20000 "
                 "particles (default: all)")
      .metavar("NAMES")
      .comma_separated();
  command->input.add_to(app);
  return {app, [command] { return command->run(); }};
}

}  // namespace abut
