#include <fmt/core.h>

#include <abut/detector.hpp>
#include <abut/error.hpp>
#include <abut/walls.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/bench_commands.hpp"
#include "bench/bench_options.hpp"
#include "cli/terminal.hpp"
#include "core/statistics.hpp"
#include "io/text_format.hpp"
#include "libraries/body_library.hpp"
#include "report/plot.hpp"
#include "scenes/mesh_scene.hpp"

namespace abut {
namespace {

struct BenchWalls {
  std::string count = "1e6";
  std::string triangles = "1e5";
  double near_fraction = 0.1;
  unsigned threads = 1;
  BenchOptions options{.repeat = 5};

  int run();

 private:
  struct WallSearch {
    std::string name;
    double build_seconds;
    std::function<std::size_t()> find;  // returns the number of contacts or pairs
    std::size_t found = 0;
    std::vector<double> seconds{};
  };

  struct LibrarySearch {
    std::unique_ptr<WallLibrary> library;
    std::vector<NearestFacet> nearest_facets;
  };

  void check() const;
  void time_searches(std::vector<WallSearch>& all) const;
  void report(const std::vector<WallSearch>& all, const FilledHopper& hopper);
};

template <class Work>
double seconds_of(const Work& work) {
  const Stopwatch watch;
  work();
  return watch.seconds();
}

// Checks that the same particles touch the wall, at the same smallest distance up to rounding;
// prints the first difference. Both lists are in the order of the particles.
bool results_match(const Spheres<3>& particles, const std::vector<WallContact<3>>& contacts,
                   const std::vector<NearestFacet>& nearest_facets) {
  std::size_t i = 0;
  for (const NearestFacet& expected : nearest_facets) {
    double distance = std::numeric_limits<double>::infinity();
    for (; i < contacts.size() && contacts[i].particle == expected.particle; ++i) {
      const auto difference = [&](std::size_t k) {
        return particles.coordinates(k)[expected.particle] - contacts[i].point[k];
      };
      distance = std::min(distance, std::hypot(difference(0), difference(1), difference(2)));
    }
    if (std::abs(distance - expected.distance) <= 1e-9) continue;
    fmt::print(stderr, "abut: particle {} has distance {} from the wall; cgal_aabb finds {}\n",
               expected.particle, distance, expected.distance);
    return false;
  }
  if (i < contacts.size())
    fmt::print(stderr, "abut: particle {} touches the wall; cgal_aabb finds no contact\n",
               contacts[i].particle);
  return i == contacts.size();
}

void BenchWalls::check() const {
  if (!(near_fraction >= 0 && near_fraction <= 1))
    throw Error(fmt::format("--near-fraction = {}: must be in [0, 1]", near_fraction));
  options.check_libraries(make_cgal_aabb(false) != nullptr, "bench/walls");
}

void BenchWalls::time_searches(std::vector<WallSearch>& all) const {
  options.interleave(all.size(), [&](std::size_t i, bool is_counted) {
    const double seconds = seconds_of([&] { all[i].found = all[i].find(); });
    if (is_counted) all[i].seconds.push_back(seconds);
  });
}

void BenchWalls::report(const std::vector<WallSearch>& all, const FilledHopper& hopper) {
  Table table(
      {"search", "particles", "triangles", "threads", "ns/particle", "build time", "found"});
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const auto particles = static_cast<double>(hopper.particles.size());
  BarChart chart{"Search time", "ns per particle", {}};
  for (const WallSearch& one : all) {
    const double nanoseconds = median_of(one.seconds) * 1e9 / particles;
    chart.bars.push_back({one.name, nanoseconds});
    const unsigned used = one.name.starts_with("cgal") ? 1 : threads;
    table.add({one.name, std::to_string(hopper.particles.size()),
               std::to_string(hopper.mesh.facets.size()), std::to_string(used),
               fmt::format("{:.1f}", nanoseconds), time_text(one.build_seconds),
               std::to_string(one.found)});
    rows.push_back({{"search", one.name},
                    {"particles", hopper.particles.size()},
                    {"triangles", hopper.mesh.facets.size()},
                    {"threads", used},
                    {"ns_per_particle", nanoseconds},
                    {"build_seconds", one.build_seconds},
                    {"found", one.found}});
  }
  fmt::print("{}", options.json ? rows.dump(2) + "\n" : table.text());
  if (options.html.is_requested())
    options.html.write(
        "The searches for wall contacts and for particle pairs run in turn on the same arrays; "
        "times "
        "are medians, from the caller's arrays to all contacts in memory.",
        {{.title = "Wall contacts and particle pairs",
          .text = "A hopper of triangles, half filled with particles.",
          .svg = draw(chart),
          .table = table,
          .table_title = "Data"}});
}

int BenchWalls::run() {
  check();
  options.html.open();
  std::optional<ProgressBar> bar("generating the hopper");
  const FilledHopper hopper =
      make_filled_hopper(parse_count("--n", count), parse_count("--triangles", triangles),
                         near_fraction, options.seed);
  bar.reset();
  const Spheres<3> particles = hopper.particles.view();
  std::vector<WallSearch> all;

  Detector3 detector({.threads = threads});
  std::vector<Pair> pairs;
  all.push_back({"engine (pairs)", 0, [&] {
                   pairs.clear();
                   detector.reset();
                   detector.update(particles);
                   detector.for_each_batch(
                       [](void* list, std::span<const Pair> batch) {
                         auto& found = *static_cast<std::vector<Pair>*>(list);
                         found.insert(found.end(), batch.begin(), batch.end());
                       },
                       &pairs);
                   return pairs.size();
                 }});
  Walls3 walls;
  const double build_seconds = seconds_of([&] { walls.add(hopper.mesh); });
  std::vector<WallContact<3>> contacts;
  all.push_back({"walls", build_seconds, [&] {
                   walls.contacts(particles, {.threads = threads}, contacts);
                   return contacts.size();
                 }});
  std::array<LibrarySearch, 2> library_searches;
  for (const bool test_first : {false, true}) {
    if (!options.with_libraries) break;
    LibrarySearch& search = library_searches[static_cast<std::size_t>(test_first)];
    search.library = make_cgal_aabb(test_first);
    const double seconds = seconds_of([&] { search.library->build(hopper.mesh); });
    all.push_back({test_first ? "cgal_aabb, tested first" : "cgal_aabb", seconds, [&] {
                     search.library->find(particles, search.nearest_facets);
                     return search.nearest_facets.size();
                   }});
  }
  time_searches(all);
  report(all, hopper);
  const bool all_match = std::ranges::all_of(library_searches, [&](const LibrarySearch& search) {
    return !search.library || results_match(particles, contacts, search.nearest_facets);
  });
  return all_match ? exit_success : exit_mismatch;
}

}  // namespace

Command bench_walls_command(CLI::App& program) {
  Arguments app(program, "bench-walls", "Time contact detection with walls");
  app.footer(
      "A hopper of triangles, half filled with particles. The searches for wall contacts and for\n"
      "particle pairs run in turn on the same arrays; times are medians, from the caller's arrays "
      "to\n"
      "all contacts in memory. --libraries adds the AABB tree of CGAL, which finds the triangle\n"
      "nearest to each particle; 'tested first' does so only for particles that intersect a\n"
      "triangle. Exit status 1 if the searches disagree on a contact or its distance.\n"
      "Example: abut bench-walls --n 1e6 --triangles 1e5");
  auto bench = std::make_shared<BenchWalls>();
  app.add_option("--n", bench->count, "Number of particles (default: 1e6)").metavar("N");
  app.add_option("--triangles", bench->triangles,
                 "Approximate number of triangles of the hopper (default: 1e5)")
      .metavar("N");
  app.add_option("--near-fraction", bench->near_fraction,
                 "Fraction of the particles within one diameter of the wall (default: 0.1)")
      .metavar("X");
  app.add_option("--threads", bench->threads, "Number of threads; 0: all cores (default: 1)")
      .metavar("N")
      .range(0, max_threads);
  bench->options.add_to(app, "CGAL", "bench/walls");
  return {app, [bench] { return bench->run(); }};
}

}  // namespace abut
