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

#include "bench/bench_options.hpp"
#include "cli/command.hpp"
#include "cli/number_format.hpp"
#include "cli/progress_bar.hpp"
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
    std::function<std::size_t()> find;  // how many it found
    std::size_t found = 0;
    std::vector<double> seconds{};
  };

  struct LibrarySearch {
    std::unique_ptr<WallLibrary> library;
    std::vector<NearestFacet> nearest_facets;
  };

  void check() const;
  void time_searches(std::vector<WallSearch>& all) const;
  void report(const std::vector<WallSearch>& all, const FilledHopper& vessel);
};

template <class Work>
double seconds_of(const Work& work) {
  const Stopwatch watch;
  work();
  return watch.seconds();
}

// Who touches at all, and how far the nearest wall is: both must see the same, up to rounding.
bool results_match(const Spheres<3>& particles, const std::vector<WallContact<3>>& ours,
                   const std::vector<NearestFacet>& theirs) {
  std::size_t at = 0;
  for (const NearestFacet& touch : theirs) {
    double nearest = std::numeric_limits<double>::infinity();
    for (; at < ours.size() && ours[at].particle == touch.particle; ++at) {
      const auto apart = [&](std::size_t k) {
        return particles.coordinates(k)[touch.particle] - ours[at].point[k];
      };
      nearest = std::min(nearest, std::hypot(apart(0), apart(1), apart(2)));
    }
    if (std::abs(nearest - touch.distance) <= 1e-9) continue;
    fmt::print(stderr, "abut: particle {} is {} from the wall; cgal_aabb says {}\n", touch.particle,
               nearest, touch.distance);
    return false;
  }
  if (at < ours.size())
    fmt::print(stderr, "abut: particle {} touches; cgal_aabb says no\n", ours[at].particle);
  return at == ours.size();
}

void BenchWalls::check() const {
  if (!(near_fraction >= 0 && near_fraction <= 1))
    throw Error(fmt::format("--near-fraction = {}: must be a number from 0 to 1", near_fraction));
  options.check_libraries(make_cgal_aabb(false) != nullptr, "bench/walls");
}

void BenchWalls::time_searches(std::vector<WallSearch>& all) const {
  options.interleave(all.size(), [&](std::size_t i, bool counts) {
    const double seconds = seconds_of([&] { all[i].found = all[i].find(); });
    if (counts) all[i].seconds.push_back(seconds);
  });
}

void BenchWalls::report(const std::vector<WallSearch>& all, const FilledHopper& vessel) {
  Table table({"search", "particles", "triangles", "threads", "ns/particle", "building", "found"});
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const auto particles = static_cast<double>(vessel.particles.size());
  BarChart chart{"Time of a search", "ns per particle", {}};
  for (const WallSearch& one : all) {
    const double nanoseconds = median_of(one.seconds) * 1e9 / particles;
    chart.bars.push_back({one.name, nanoseconds});
    const unsigned used = one.name.starts_with("cgal") ? 1 : threads;
    table.add({one.name, std::to_string(vessel.particles.size()),
               std::to_string(vessel.mesh.facets.size()), std::to_string(used),
               fmt::format("{:.1f}", nanoseconds), time_text(one.build_seconds),
               std::to_string(one.found)});
    rows.push_back({{"search", one.name},
                    {"particles", vessel.particles.size()},
                    {"triangles", vessel.mesh.facets.size()},
                    {"threads", used},
                    {"ns_per_particle", nanoseconds},
                    {"build_seconds", one.build_seconds},
                    {"found", one.found}});
  }
  fmt::print("{}", options.json ? rows.dump(2) + "\n" : table.text());
  if (options.html.is_requested())
    options.html.write(
        "The search for walls and that for pairs of particles take turns on the same arrays; "
        "times are medians of the whole, from the caller's arrays to all contacts in "
        "memory.",
        {{.title = "Contacts with walls, and pairs of particles",
          .text = "A hopper of triangles, half filled with particles.",
          .svg = draw(chart),
          .table = table,
          .table_title = "The numbers"}});
}

int BenchWalls::run() {
  check();
  options.html.open();
  std::optional<ProgressBar> bar("making the vessel");
  const FilledHopper vessel =
      make_filled_hopper(parse_count("--n", count), parse_count("--triangles", triangles),
                         near_fraction, options.seed);
  bar.reset();
  const Spheres<3> particles = vessel.particles.view();
  std::vector<WallSearch> all;

  Detector3 search({.threads = threads});
  std::vector<Pair> pairs;
  all.push_back({"engine (pairs)", 0, [&] {
                   pairs.clear();
                   search.reset();
                   search.update(particles);
                   search.for_each_batch(
                       [](void* to, std::span<const Pair> some) {
                         auto& list = *static_cast<std::vector<Pair>*>(to);
                         list.insert(list.end(), some.begin(), some.end());
                       },
                       &pairs);
                   return pairs.size();
                 }});
  Walls3 walls;
  const double building = seconds_of([&] { walls.add(vessel.mesh); });
  std::vector<WallContact<3>> contacts;
  all.push_back({"walls", building, [&] {
                   walls.contacts(particles, {.threads = threads}, contacts);
                   return contacts.size();
                 }});
  std::array<LibrarySearch, 2> others;
  for (const bool ask_first : {false, true}) {
    if (!options.with_libraries) break;
    LibrarySearch& other = others[static_cast<std::size_t>(ask_first)];
    other.library = make_cgal_aabb(ask_first);
    const double took = seconds_of([&] { other.library->build(vessel.mesh); });
    all.push_back({ask_first ? "cgal_aabb, asked first" : "cgal_aabb", took, [&] {
                     other.library->find(particles, other.nearest_facets);
                     return other.nearest_facets.size();
                   }});
  }
  time_searches(all);
  report(all, vessel);
  const bool all_agree = std::ranges::all_of(others, [&](const LibrarySearch& other) {
    return !other.library || results_match(particles, contacts, other.nearest_facets);
  });
  return all_agree ? exit_success : exit_mismatch;
}

}  // namespace

Command bench_walls_command(CLI::App& program) {
  Arguments app(program, "bench-walls", "Time the search for contacts with walls");
  app.footer(
      "A hopper of triangles, half filled with particles. The search for walls and that for pairs\n"
      "of particles take turns on the same arrays; times are medians of the whole, from the\n"
      "caller's arrays to all contacts in memory. --libraries adds CGAL's AABB tree, which finds "
      "the\n"
      "nearest triangle of each particle, or only of those whose sphere meets one; all must see\n"
      "the same particles touch, at the same distance: if not, the status is 1.\n"
      "Example: abut bench-walls --n 1e6 --triangles 1e5");
  auto bench = std::make_shared<BenchWalls>();
  app.add_option("--n", bench->count, "number of particles [1e6]");
  app.add_option("--triangles", bench->triangles, "about so many make the hopper [1e5]");
  app.add_option("--near-fraction", bench->near_fraction,
                 "part of the particles within a diameter of it [0.1]");
  app.add_option("--threads", bench->threads, "threads; 0 takes every core [1]")
      .range(0, max_threads);
  bench->options.add_to(app, "CGAL", "bench/walls");
  return {app, [bench] { return bench->run(); }};
}

}  // namespace abut
