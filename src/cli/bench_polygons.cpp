#include <fmt/core.h>

#include <abut/cundall.hpp>
#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/polygon_peer.hpp"
#include "cli/command.hpp"
#include "cli/turns.hpp"
#include "cli/units.hpp"
#include "core/median.hpp"
#include "io/bar_chart.hpp"
#include "io/table.hpp"
#include "scenes/polygon_pairs.hpp"

namespace abut {
namespace {

constexpr const char* cold = "common plane, cold";
constexpr const char* warm = "common plane, warm";

struct BenchPolygons {
  std::string count = "1000";
  std::string stream = "2e4";
  double nearness = 0.1;
  double motion = 0.01;
  TurnArguments turns{.repeat = 15};

  int run();

 private:
  struct Contestant {
    std::string name;
    std::size_t pairs;
    std::function<void()> search;  // all pairs once
    std::vector<double> nanoseconds{};

    [[nodiscard]] double each() const { return median_of(nanoseconds); }
  };

  void check() const;
  void take_turns(std::vector<Contestant>& all) const;
  void report(const std::vector<Contestant>& all);
};

// The same pairs for all who search them: as they were, and as they are.
struct Arena {
  Arena(const PolygonPairsRecipe& recipe, double motion)
      : before(make_polygon_pairs(recipe)), now(moved(before, motion, recipe.seed + 1)) {
    for (const auto& [a, b] : before.pairs) old_planes.push_back(common_plane(a, b));
    for (const auto& [a, b] : now.pairs) exact.push_back(common_plane(a, b).gap);
    planes.resize(now.pairs.size());
    iterated.resize(now.pairs.size());
    distances.resize(now.pairs.size());
    cached.resize(now.pairs.size());
    touches.resize(now.pairs.size());
  }

  PolygonPairs before;
  PolygonPairs now;
  std::vector<CommonPlane<2>> old_planes;
  std::vector<double> exact;
  std::unique_ptr<PolygonPeer> peer;
  // What the contestants leave.
  std::vector<CommonPlane<2>> planes;
  std::vector<IteratedPlane<2>> iterated;
  std::vector<float> distances;
  std::vector<float> cached;
  std::vector<int> touches;
};

// Ours warm against cold, and what other libraries found against both, as far as single precision
// goes. A corner may be clipped away in single precision: that far from the skin, none may.
bool agree(const Arena& arena) {
  for (std::size_t i = 0; i < arena.exact.size(); ++i) {
    const double gap = arena.exact[i];
    const double distance = std::max(0.0, gap);
    const auto differs_by = [&](double found) { return std::abs(found - distance) > 1e-4; };
    const auto& [a, b] = arena.now.pairs[i];
    const double found_warm = common_plane(a, b, arena.old_planes[i]).gap;
    const char* who = nullptr;
    if (std::abs(found_warm - gap) > 1e-12 && gap > 0) who = warm;
    if (std::abs(gap_by_axes(a, b) - gap) > 1e-12 && gap < 0) who = "separating axes";
    if (arena.peer && differs_by(arena.distances[i])) who = "b2Distance";
    if (arena.peer && differs_by(arena.cached[i])) who = "b2Distance, cached";
    if (arena.peer && (gap < -1e-3) != (arena.touches[i] > 0) &&
        (gap < -1e-3 || gap > arena.peer->skin() + 1e-3))
      who = "b2CollidePolygons";
    if (who == nullptr) continue;
    fmt::print(stderr, "abut: pair {} has a gap of {}; {} sees another\n", i, gap, who);
    return false;
  }
  return true;
}

void BenchPolygons::check() const {
  if (!(nearness > 0 && nearness <= 1))
    throw Error(fmt::format("--near = {}: must be a number above 0, up to 1", nearness));
  if (!(motion >= 0 && motion <= 1))
    throw Error(fmt::format("--motion = {}: must be a number from 0 to 1", motion));
  turns.check_peers(make_box2d() != nullptr, "bench/polygons");
}

void BenchPolygons::take_turns(std::vector<Contestant>& all) const {
  turns.take_turns(all.size(), [&](std::size_t i, bool counts) {
    const std::size_t times = 1 + 20000 / all[i].pairs;
    const Stopwatch watch;
    for (std::size_t time = 0; time < times; ++time) all[i].search();
    const double each = watch.seconds() * 1e9 / static_cast<double>(times * all[i].pairs);
    if (counts) all[i].nanoseconds.push_back(each);
  });
}

void BenchPolygons::report(const std::vector<Contestant>& all) {
  Table table({"search", "pairs", "ns/pair", "of warm", "of cold"});
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const auto time_of = [&](const char* name, std::size_t pairs) {
    return std::ranges::find_if(
               all, [&](const Contestant& one) { return one.name == name && one.pairs == pairs; })
        ->each();
  };
  BarChart chart{"Time of a search", "ns per pair", {}};
  for (const Contestant& one : all) {
    const double each = one.each();
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
  fmt::print("{}", turns.json ? rows.dump(2) + "\n" : table.text());
  if (turns.page.is_wanted())
    turns.page.write(
        "All take turns on one thread: few pairs that stay in the cache, and many that stream from "
        "memory. Cold is without history, warm from the plane before the last motion; five "
        "candidates is the plane of Nezami and others to the letter, cundall the iterative "
        "one. Times are medians.",
        {{.title = "Common planes of polygons",
          .text = "Polygons of 4 to 8 corners; every other pair overlaps.",
          .picture = draw(chart),
          .table = table,
          .table_title = "The numbers"}});
}

template <class Search>
auto over_pairs(Arena& arena, const Search& search) {
  return [&arena, search] {
    for (std::size_t i = 0; i < arena.now.pairs.size(); ++i)
      search(i, arena.now.pairs[i][0], arena.now.pairs[i][1]);
  };
}

int BenchPolygons::run() {
  check();
  turns.page.open();
  std::vector<std::unique_ptr<Arena>> arenas;
  std::vector<Contestant> all;
  for (const std::string& pairs : {count, stream}) {
    const bool streaming = !arenas.empty();
    const PolygonPairsRecipe recipe{.count = count_from(streaming ? "--stream" : "--n", pairs),
                                    .nearness = nearness,
                                    .seed = turns.seed};
    if (recipe.count == 0) throw Error("--n, --stream: must be at least 1");
    Arena& arena = *arenas.emplace_back(std::make_unique<Arena>(recipe, motion));
    const auto enter = [&](const char* name, std::function<void()> search) {
      all.push_back({name, recipe.count, std::move(search)});
    };
    enter(cold, over_pairs(arena, [&](std::size_t i, auto& a, auto& b) {
            arena.planes[i] = common_plane(a, b);
          }));
    enter(warm, over_pairs(arena, [&](std::size_t i, auto& a, auto& b) {
            arena.planes[i] = common_plane(a, b, arena.old_planes[i]);
          }));
    enter("five candidates", over_pairs(arena, [&](std::size_t i, auto& a, auto& b) {
            arena.iterated[i] = five_candidate_plane(a, b);
          }));
    enter("cundall", over_pairs(arena, [&](std::size_t i, auto& a, auto& b) {
            arena.iterated[i] = cundall_plane(a, b);
          }));
    if (!turns.with_peers) continue;
    arena.peer = make_box2d();
    arena.peer->take(arena.before.pairs, arena.now.pairs);
    enter("b2Distance", [&] { arena.peer->distances(arena.distances); });
    enter("b2Distance, cached", [&] { arena.peer->cached_distances(arena.cached); });
    enter("b2CollidePolygons", [&] { arena.peer->touches(arena.touches); });
  }
  take_turns(all);
  report(all);
  for (const auto& arena : arenas)
    if (!agree(*arena)) return differs;
  return done;
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
      "and others to the letter, cundall the iterative one. --peers adds Box2D. All must see the\n"
      "same distances: if not, the status is 1. Times are medians.\n"
      "Example: abut bench-polygons --n 1000 --stream 2e4");
  auto bench = std::make_shared<BenchPolygons>();
  app.add_option("--n", bench->count, "pairs that stay in the cache [1000]");
  app.add_option("--stream", bench->stream, "pairs that do not [2e4]");
  app.add_option("--near", bench->nearness, "largest gap and overlap, of polygons 2 across [0.1]");
  app.add_option("--motion", bench->motion, "between the step before and now [0.01]");
  bench->turns.add_to(app, "Box2D", "bench/polygons");
  return {app, [bench] { return bench->run(); }};
}

}  // namespace abut
