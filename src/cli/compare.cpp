#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <type_traits>

#include "cli/command.hpp"
#include "cli/comparison.hpp"
#include "cli/input.hpp"
#include "cli/progress_bar.hpp"

namespace abut {
namespace {

struct Compare {
  Input input;
  std::vector<std::string> paths;
  std::vector<std::string> methods_named{"all"};

  int run() {
    (void)methods_from(methods_named, 0);  // a misspelt name is better heard of at once
    int status = done;
    for (const std::string& path : paths) {
      const ReadInput given = input.read(path);
      status = std::max(status, with_dimension(given.file.dimension, [&]<std::size_t D>() {
                          return compare_file<D>(path, given.file, given.bounds);
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
        input.is_periodic() ? compare(contestants<D, PeriodicPair<D>>(file, bounds))
                            : compare(contestants<D, Pair>(file, bounds));
    fmt::print("{}", table_of(comparisons));
    if (file.size() > brute_force_limit && std::ranges::count(methods_named, "all") > 0)
      fmt::print(
          "brute_force is left out above {} particles; the others are set against each "
          "other\n",
          brute_force_limit);
    if (std::ranges::count(comparisons, false, &Comparison::refused) < 2)
      fmt::print("nothing was compared: fewer than two methods could search this\n");
    return status_of(comparisons);
  }

  template <std::size_t D, class AnyPair>
  std::vector<Contestant<AnyPair>> contestants(const ParticleFile& file,
                                               const std::optional<Bounds>& bounds) {
    std::vector<Contestant<AnyPair>> all;
    for (const Method method : methods_from(methods_named, file.size())) {
      const Options<D> options = input.options<D>(method, bounds);
      all.push_back({std::string(info(method).name), [&file, options] {
                       ProgressBar bar(std::string(info(options.method).name));
                       Options<D> watched = options;
                       watched.progress = bar.callback();
                       if constexpr (std::is_same_v<AnyPair, Pair>)
                         return find_contacts(file.particles<D>(), watched);
                       else
                         return find_periodic_contacts(file.particles<D>(), watched);
                     }});
    }
    return all;
  }
};

}  // namespace

Command compare_command(CLI::App& program) {
  Arguments app(program, "compare", "Set every method against brute force on the same particles");
  app.footer(
      "Exit status 1, with the first missing and extra pair, if any method differs.\n"
      "Example: abut compare elements.txt particles.csv");
  auto comparison = std::make_shared<Compare>();
  app.add_option("files", comparison->paths, "files of particles, or folders with elements.txt")
      .required();
  app.add_option("--methods", comparison->methods_named,
                 "methods, the first is the reference; all leaves brute force out above 20000 "
                 "particles [all]")
      .comma_separated();
  comparison->input.add_to(app);
  return {app, [comparison] { return comparison->run(); }};
}

}  // namespace abut
