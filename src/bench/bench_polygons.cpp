#include <fmt/core.h>

#include <abut/error.hpp>
#include <abut/research/cundall.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/bench_commands.hpp"
#include "bench/bench_options.hpp"
#include "cli/terminal.hpp"
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
    std::function<void()> search;  // searches each pair once
    std::vector<double> nanoseconds{};

    [[nodiscard]] double ns_per_pair() const { return median_of(nanoseconds); }
  };

  void check() const;
  void time_searches(std::vector<PolygonSearch>& all) const;
  void report(const std::vector<PolygonSearch>& all);
};

// Input and results of all searches: the same pairs at the previous and the current step.
struct PolygonTest {
  PolygonTest(const PolygonPairsOptions& pairs_options, double motion)
      : previous(make_polygon_pairs(pairs_options)),
        current(perturbed(previous, motion, pairs_options.seed + 1)) {
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
  // Results of the searches.
  std::vector<CommonPlane<2>> planes;
  std::vector<IteratedPlane<2>> iterated;
  std::vector<float> distances;
  std::vector<float> cached_distances;
  std::vector<int> contact_counts;
};

// Compares warm searches, separating axes and other libraries with the cold search; prints the
// first difference. Tolerances allow for the libraries' single precision, in which contact points
// near the skin distance may be missing.
bool results_match(const PolygonTest& test) {
  for (std::size_t i = 0; i < test.exact_gaps.size(); ++i) {
    const double gap = test.exact_gaps[i];
    const double distance = std::max(0.0, gap);
    const auto differs = [&](double found) { return std::abs(found - distance) > 1e-4; };
    const auto& [a, b] = test.current.pairs[i];
    const double warm_gap = common_plane(a, b, test.previous_planes[i]).gap;
    const char* wrong = nullptr;
    if (std::abs(warm_gap - gap) > 1e-12 && gap > 0) wrong = warm;
    if (std::abs(gap_by_separating_axes(a, b) - gap) > 1e-12 && gap < 0) wrong = "separating axes";
    if (test.library && differs(test.distances[i])) wrong = "b2Distance";
    if (test.library && differs(test.cached_distances[i])) wrong = "b2Distance, cached";
    if (test.library && (gap < -1e-3) != (test.contact_counts[i] > 0) &&
        (gap < -1e-3 || gap > test.library->skin() + 1e-3))
      wrong = "b2CollidePolygons";
    if (wrong == nullptr) continue;
    fmt::print(stderr, "abut: pair {} has gap {}; {} finds a different one\n", i, gap, wrong);
    return false;
  }
  return true;
}

void BenchPolygons::check() const {
  if (!(max_gap > 0 && max_gap <= 1))
    throw Error(fmt::format("--max-gap = {}: must be in (0, 1]", max_gap));
  if (!(motion >= 0 && motion <= 1))
    throw Error(fmt::format("--motion = {}: must be in [0, 1]", motion));
  options.check_libraries(make_box2d() != nullptr, "bench/polygons");
}

void BenchPolygons::time_searches(std::vector<PolygonSearch>& all) const {
  options.interleave(all.size(), [&](std::size_t i, bool is_counted) {
    const std::size_t passes = 1 + 20000 / all[i].pairs;
    const Stopwatch watch;
    for (std::size_t pass = 0; pass < passes; ++pass) all[i].search();
    const double ns_per_pair = watch.seconds() * 1e9 / static_cast<double>(passes * all[i].pairs);
    if (is_counted) all[i].nanoseconds.push_back(ns_per_pair);
  });
}

void BenchPolygons::report(const std::vector<PolygonSearch>& all) {
  Table table({"search", "pairs", "ns/pair", "vs warm", "vs cold"});
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const auto time_of = [&](const char* name, std::size_t pairs) {
    return std::ranges::find_if(
               all,
               [&](const PolygonSearch& one) { return one.name == name && one.pairs == pairs; })
        ->ns_per_pair();
  };
  BarChart chart{"Search time", "ns per pair", {}};
  for (const PolygonSearch& one : all) {
    const double time = one.ns_per_pair();
    chart.bars.push_back({fmt::format("{}, {} pairs", one.name, one.pairs), time});
    const double warm_ratio = time / time_of(warm, one.pairs);
    const double cold_ratio = time / time_of(cold, one.pairs);
    table.add({one.name, std::to_string(one.pairs), fmt::format("{:.1f}", time),
               fmt::format("{:.2f}", warm_ratio), fmt::format("{:.2f}", cold_ratio)});
    rows.push_back({{"search", one.name},
                    {"pairs", one.pairs},
                    {"ns_per_pair", time},
                    {"warm_ratio", warm_ratio},
                    {"cold_ratio", cold_ratio}});
  }
  fmt::print("{}", options.json ? rows.dump(2) + "\n" : table.text());
  if (options.html.is_requested())
    options.html.write(
        "All searches run in turn on one thread, with few pairs that stay in the cache and with "
        "many "
        "that are read from memory; times are medians. Cold searches start without history, warm "
        "ones from the plane before the last motion. Five candidates is the method of Nezami et "
        "al. "
        "as published, cundall the iterative method.",
        {{.title = "Common planes of polygons",
          .text = "Convex polygons with 4 to 8 vertices; every other pair overlaps.",
          .svg = draw(chart),
          .table = table,
          .table_title = "Data"}});
}

template <class Search>
auto for_all_pairs(PolygonTest& test, const Search& search) {
  return [&test, search] {
    for (std::size_t i = 0; i < test.current.pairs.size(); ++i)
      search(i, test.current.pairs[i][0], test.current.pairs[i][1]);
  };
}

int BenchPolygons::run() {
  check();
  options.html.open();
  std::vector<std::unique_ptr<PolygonTest>> tests;
  std::vector<PolygonSearch> all;
  for (const std::string& pairs : {count, uncached_count}) {
    const bool uncached = !tests.empty();
    const PolygonPairsOptions pairs_options{
        .count = parse_count(uncached ? "--n-uncached" : "--n", pairs),
        .max_gap = max_gap,
        .seed = options.seed};
    if (pairs_options.count == 0) throw Error("--n, --n-uncached: must be at least 1");
    PolygonTest& test = *tests.emplace_back(std::make_unique<PolygonTest>(pairs_options, motion));
    const auto add = [&](const char* name, std::function<void()> search) {
      all.push_back({name, pairs_options.count, std::move(search)});
    };
    add(cold, for_all_pairs(test, [&](std::size_t i, auto& a, auto& b) {
          test.planes[i] = common_plane(a, b);
        }));
    add(warm, for_all_pairs(test, [&](std::size_t i, auto& a, auto& b) {
          test.planes[i] = common_plane(a, b, test.previous_planes[i]);
        }));
    add("five candidates", for_all_pairs(test, [&](std::size_t i, auto& a, auto& b) {
          test.iterated[i] = five_candidate_plane(a, b);
        }));
    add("cundall", for_all_pairs(test, [&](std::size_t i, auto& a, auto& b) {
          test.iterated[i] = cundall_plane(a, b);
        }));
    if (!options.with_libraries) continue;
    test.library = make_box2d();
    test.library->load(test.previous.pairs, test.current.pairs);
    add("b2Distance", [&] { test.library->distances(test.distances); });
    add("b2Distance, cached", [&] { test.library->cached_distances(test.cached_distances); });
    add("b2CollidePolygons", [&] { test.library->contact_counts(test.contact_counts); });
  }
  time_searches(all);
  report(all);
  for (const auto& test : tests)
    if (!results_match(*test)) return exit_mismatch;
  return exit_success;
}

}  // namespace

Command bench_polygons_command(CLI::App& program) {
  Arguments app(program, "bench-polygons", "Time common planes of polygons");
  app.footer(
      "Pairs of convex polygons with 4 to 8 vertices, every other pair overlapping, on one "
      "thread:\n"
      "--n pairs that stay in the cache, and --n-uncached pairs that are read from memory. Cold\n"
      "searches start without history, warm ones from the plane before the last motion. Five\n"
      "candidates is the method of Nezami et al. as published, cundall the iterative method.\n"
      "--libraries adds Box2D. All searches run in turn; times are medians. Exit status 1 if they\n"
      "disagree on a distance. vs warm, vs cold: time relative to the warm and cold common plane.\n"
      "Example: abut bench-polygons --n 1000 --n-uncached 2e4");
  auto bench = std::make_shared<BenchPolygons>();
  app.add_option("--n", bench->count, "Number of pairs that stay in the cache (default: 1000)")
      .metavar("N");
  app.add_option("--n-uncached", bench->uncached_count,
                 "Number of pairs that do not fit into the cache (default: 2e4)")
      .metavar("N");
  app.add_option("--max-gap", bench->max_gap,
                 "Largest gap and largest overlap of polygons of diameter 2 (default: 0.1)")
      .metavar("LENGTH");
  app.add_option("--motion", bench->motion,
                 "Largest displacement since the previous step (default: 0.01)")
      .metavar("LENGTH");
  bench->options.add_to(app, "Box2D", "bench/polygons");
  return {app, [bench] { return bench->run(); }};
}

}  // namespace abut
