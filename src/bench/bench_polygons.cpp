#include <fmt/core.h>

#include <abut/error.hpp>
#include <abut/research/cundall.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/bench_options.hpp"
#include "cli/command.hpp"
#include "cli/number_format.hpp"
#include "core/statistics.hpp"
#include "io/text_format.hpp"
#include "libraries/body_library.hpp"
#include "report/plot.hpp"
#include "scenes/polygon_scene.hpp"

namespace abut {
namespace {

constexpr const char* cold = "common plane, cold";
constexpr const char* warm = "common plane, warm";

struct BenchPolygons {
  std::string count = "1000";
  std::string uncached_count = "2e4";
  double max_gap = 0.1;
  double motion = 0.01;
  BenchOptions options{.repeat = 15};

  int run();

 private:
  struct PolygonSearch {
    std::string name;
    std::size_t pairs;
    std::function<void()> search;  // all pairs once
    std::vector<double> nanoseconds{};

    [[nodiscard]] double ns_per_pair() const { return median_of(nanoseconds); }
  };

  void check() const;
  void time_searches(std::vector<PolygonSearch>& all) const;
  void report(const std::vector<PolygonSearch>& all);
};

// The same pairs for all who search them: as they were, and as they are.
struct PolygonTest {
  PolygonTest(const PolygonPairsOptions& recipe, double motion)
      : previous(make_polygon_pairs(recipe)),
        current(perturbed(previous, motion, recipe.seed + 1)) {
    for (const auto& [a, b] : previous.pairs) previous_planes.push_back(common_plane(a, b));
    for (const auto& [a, b] : current.pairs) exact_gaps.push_back(common_plane(a, b).gap);
    planes.resize(current.pairs.size());
    iterated.resize(current.pairs.size());
    distances.resize(current.pairs.size());
    cached_distances.resize(current.pairs.size());
    contact_counts.resize(current.pairs.size());
  }

  PolygonPairs previous;
  PolygonPairs current;
  std::vector<CommonPlane<2>> previous_planes;
  std::vector<double> exact_gaps;
  std::unique_ptr<PolygonLibrary> library;
  // What the contestants leave.
  std::vector<CommonPlane<2>> planes;
  std::vector<IteratedPlane<2>> iterated;
  std::vector<float> distances;
  std::vector<float> cached_distances;
  std::vector<int> contact_counts;
};

// Ours warm against cold, and what other libraries found against both, as far as single precision
// goes. A corner may be clipped away in single precision: that far from the skin, none may.
bool results_match(const PolygonTest& arena) {
  for (std::size_t i = 0; i < arena.exact_gaps.size(); ++i) {
    const double gap = arena.exact_gaps[i];
    const double distance = std::max(0.0, gap);
    const auto differs_by = [&](double found) { return std::abs(found - distance) > 1e-4; };
    const auto& [a, b] = arena.current.pairs[i];
    const double found_warm = common_plane(a, b, arena.previous_planes[i]).gap;
    const char* who = nullptr;
    if (std::abs(found_warm - gap) > 1e-12 && gap > 0) who = warm;
    if (std::abs(gap_by_separating_axes(a, b) - gap) > 1e-12 && gap < 0) who = "separating axes";
    if (arena.library && differs_by(arena.distances[i])) who = "b2Distance";
    if (arena.library && differs_by(arena.cached_distances[i])) who = "b2Distance, cached";
    if (arena.library && (gap < -1e-3) != (arena.contact_counts[i] > 0) &&
        (gap < -1e-3 || gap > arena.library->skin() + 1e-3))
      who = "b2CollidePolygons";
    if (who == nullptr) continue;
    fmt::print(stderr, "abut: pair {} has a gap of {}; {} sees another\n", i, gap, who);
    return false;
  }
  return true;
}

void BenchPolygons::check() const {
  if (!(max_gap > 0 && max_gap <= 1))
    throw Error(fmt::format("--max-gap = {}: must be a number above 0, up to 1", max_gap));
  if (!(motion >= 0 && motion <= 1))
    throw Error(fmt::format("--motion = {}: must be a number from 0 to 1", motion));
  options.check_libraries(make_box2d() != nullptr, "bench/polygons");
}

void BenchPolygons::time_searches(std::vector<PolygonSearch>& all) const {
  options.interleave(all.size(), [&](std::size_t i, bool counts) {
    const std::size_t times = 1 + 20000 / all[i].pairs;
    const Stopwatch watch;
    for (std::size_t time = 0; time < times; ++time) all[i].search();
    const double each = watch.seconds() * 1e9 / static_cast<double>(times * all[i].pairs);
    if (counts) all[i].nanoseconds.push_back(each);
  });
}

void BenchPolygons::report(const std::vector<PolygonSearch>& all) {
  Table table({"search", "pairs", "ns/pair", "of warm", "of cold"});
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const auto time_of = [&](const char* name, std::size_t pairs) {
    return std::ranges::find_if(
               all,
               [&](const PolygonSearch& one) { return one.name == name && one.pairs == pairs; })
        ->ns_per_pair();
  };
  BarChart chart{"Time of a search", "ns per pair", {}};
  for (const PolygonSearch& one : all) {
    const double each = one.ns_per_pair();
    chart.bars.push_back({fmt::format("{}, {} pairs", one.name, one.pairs), each});
    const double of_warm = each / time_of(warm, one.pairs);
    const double of_cold = each / time_of(cold, one.pairs);
    table.add({one.name, std::to_string(one.pairs), fmt::format("{:.1f}", each),
               fmt::format("{:.2f}", of_warm), fmt::format("{:.2f}", of_cold)});
    rows.push_back({{"search", one.name},
                    {"pairs", one.pairs},
                    {"ns_per_pair", each},
                    {"of_warm", of_warm},
                    {"of_cold", of_cold}});
  }
  fmt::print("{}", options.json ? rows.dump(2) + "\n" : table.text());
  if (options.html.is_requested())
    options.html.write(
        "All take turns on one thread: few pairs that stay in the cache, and many that stream from "
        "memory. Cold is without history, warm from the plane before the last motion; five "
        "candidates is the plane of Nezami and others to the letter, cundall the iterative "
        "one. Times are medians.",
        {{.title = "Common planes of polygons",
          .text = "Polygons of 4 to 8 corners; every other pair overlaps.",
          .svg = draw(chart),
          .table = table,
          .table_title = "The numbers"}});
}

template <class Search>
auto for_all_pairs(PolygonTest& arena, const Search& search) {
  return [&arena, search] {
    for (std::size_t i = 0; i < arena.current.pairs.size(); ++i)
      search(i, arena.current.pairs[i][0], arena.current.pairs[i][1]);
  };
}

int BenchPolygons::run() {
  check();
  options.html.open();
  std::vector<std::unique_ptr<PolygonTest>> arenas;
  std::vector<PolygonSearch> all;
  for (const std::string& pairs : {count, uncached_count}) {
    const bool streaming = !arenas.empty();
    const PolygonPairsOptions recipe{
        .count = parse_count(streaming ? "--n-uncached" : "--n", pairs),
        .max_gap = max_gap,
        .seed = options.seed};
    if (recipe.count == 0) throw Error("--n, --n-uncached: must be at least 1");
    PolygonTest& arena = *arenas.emplace_back(std::make_unique<PolygonTest>(recipe, motion));
    const auto enter = [&](const char* name, std::function<void()> search) {
      all.push_back({name, recipe.count, std::move(search)});
    };
    enter(cold, for_all_pairs(arena, [&](std::size_t i, auto& a, auto& b) {
            arena.planes[i] = common_plane(a, b);
          }));
    enter(warm, for_all_pairs(arena, [&](std::size_t i, auto& a, auto& b) {
            arena.planes[i] = common_plane(a, b, arena.previous_planes[i]);
          }));
    enter("five candidates", for_all_pairs(arena, [&](std::size_t i, auto& a, auto& b) {
            arena.iterated[i] = five_candidate_plane(a, b);
          }));
    enter("cundall", for_all_pairs(arena, [&](std::size_t i, auto& a, auto& b) {
            arena.iterated[i] = cundall_plane(a, b);
          }));
    if (!options.with_libraries) continue;
    arena.library = make_box2d();
    arena.library->load(arena.previous.pairs, arena.current.pairs);
    enter("b2Distance", [&] { arena.library->distances(arena.distances); });
    enter("b2Distance, cached", [&] { arena.library->cached_distances(arena.cached_distances); });
    enter("b2CollidePolygons", [&] { arena.library->contact_counts(arena.contact_counts); });
  }
  time_searches(all);
  report(all);
  for (const auto& arena : arenas)
    if (!results_match(*arena)) return exit_mismatch;
  return exit_success;
}

}  // namespace

Command bench_polygons_command(CLI::App& program) {
  Arguments app(program, "bench-polygons", "Time the search for common planes of polygons");
  app.footer(
      "Pairs of polygons of 4 to 8 corners, every other pair overlapping, take turns on one "
      "thread:\n"
      "few pairs that stay in the cache, and many that stream from memory. Cold is without\n"
      "history, warm from the plane before the last motion; five candidates is the plane of "
      "Nezami\n"
      "and others to the letter, cundall the iterative one. --libraries adds Box2D. All must see "
      "the\n"
      "same distances: if not, the status is 1. Times are medians.\n"
      "Example: abut bench-polygons --n 1000 --n-uncached 2e4");
  auto bench = std::make_shared<BenchPolygons>();
  app.add_option("--n", bench->count, "pairs that stay in the cache [1000]");
  app.add_option("--n-uncached", bench->uncached_count, "pairs that do not [2e4]");
  app.add_option("--max-gap", bench->max_gap,
                 "largest gap and overlap, of polygons 2 across [0.1]");
  app.add_option("--motion", bench->motion, "between the step before and now [0.01]");
  bench->options.add_to(app, "Box2D", "bench/polygons");
  return {app, [bench] { return bench->run(); }};
}

}  // namespace abut
