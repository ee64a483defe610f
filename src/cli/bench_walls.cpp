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

#include "bench/wall_peer.hpp"
#include "cli/command.hpp"
#include "cli/progress_bar.hpp"
#include "cli/turns.hpp"
#include "cli/units.hpp"
#include "core/median.hpp"
#include "io/bar_chart.hpp"
#include "io/table.hpp"
#include "scenes/vessel_scene.hpp"

namespace abut {
namespace {

struct BenchWalls {
  std::string count = "1e6";
  std::string triangles = "1e5";
  double near = 0.1;
  unsigned threads = 1;
  TurnArguments turns{.repeat = 5};

  int run();

 private:
  struct Contestant {
    std::string name;
    double build_seconds;
    std::function<std::size_t()> find;  // how many it found
    std::size_t found = 0;
    std::vector<double> seconds{};
  };

  struct Other {
    std::unique_ptr<WallPeer> peer;
    std::vector<WallTouch> touches;
  };

  void check() const;
  void take_turns(std::vector<Contestant>& all) const;
  void report(const std::vector<Contestant>& all, const Vessel& vessel);
};

template <class Work>
double seconds_of(const Work& work) {
  const Stopwatch watch;
  work();
  return watch.seconds();
}

// Who touches at all, and how far the nearest wall is: both must see the same, up to rounding.
bool agree(const Spheres<3>& particles, const std::vector<WallContact<3>>& ours,
           const std::vector<WallTouch>& theirs) {
  std::size_t at = 0;
  for (const WallTouch& touch : theirs) {
    double nearest = std::numeric_limits<double>::infinity();
    for (; at < ours.size() && ours[at].particle == touch.particle; ++at) {
      const auto apart = [&](std::size_t k) {
        return particles.axis(k)[touch.particle] - ours[at].point[k];
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
  if (!(near >= 0 && near <= 1))
    throw Error(fmt::format("--near = {}: must be a number from 0 to 1", near));
  turns.check_peers(make_cgal_aabb(false) != nullptr, "bench/walls");
}

void BenchWalls::take_turns(std::vector<Contestant>& all) const {
  turns.take_turns(all.size(), [&](std::size_t i, bool counts) {
    const double seconds = seconds_of([&] { all[i].found = all[i].find(); });
    if (counts) all[i].seconds.push_back(seconds);
  });
}

void BenchWalls::report(const std::vector<Contestant>& all, const Vessel& vessel) {
  Table table({"search", "particles", "triangles", "threads", "ns/particle", "building", "found"});
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const auto particles = static_cast<double>(vessel.particles.size());
  BarChart chart{"Time of a search", "ns per particle", {}};
  for (const Contestant& one : all) {
    const double nanoseconds = median_of(one.seconds) * 1e9 / particles;
    chart.bars.push_back({one.name, nanoseconds});
    const unsigned used = one.name.starts_with("cgal") ? 1 : threads;
    table.add({one.name, std::to_string(vessel.particles.size()),
               std::to_string(vessel.mesh.pieces.size()), std::to_string(used),
               fmt::format("{:.1f}", nanoseconds), time_text(one.build_seconds),
               std::to_string(one.found)});
    rows.push_back({{"search", one.name},
                    {"particles", vessel.particles.size()},
                    {"triangles", vessel.mesh.pieces.size()},
                    {"threads", used},
                    {"ns_per_particle", nanoseconds},
                    {"build_seconds", one.build_seconds},
                    {"found", one.found}});
  }
  fmt::print("{}", turns.json ? rows.dump(2) + "\n" : table.text());
  if (turns.page.is_wanted())
    turns.page.write(
        "The search for walls and that for pairs of particles take turns on the same arrays; "
        "times are medians of the whole, from the caller's arrays to all contacts in "
        "memory.",
        {{.title = "Contacts with walls, and pairs of particles",
          .text = "A hopper of triangles, half filled with particles.",
          .picture = draw(chart),
          .table = table,
          .table_title = "The numbers"}});
}

int BenchWalls::run() {
  check();
  turns.page.open();
  std::optional<ProgressBar> bar("making the vessel");
  const Vessel vessel =
      make_vessel(count_from("--n", count), count_from("--triangles", triangles), near, turns.seed);
  bar.reset();
  const Spheres<3> particles = vessel.particles.particles();
  std::vector<Contestant> all;

  Detector3 search({.threads = threads});
  std::vector<Pair> pairs;
  all.push_back({"engine (pairs)", 0, [&] {
                   pairs.clear();
                   search.forget();
                   search.update(particles);
                   search.stream(
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
  std::array<Other, 2> others;
  for (const bool ask_first : {false, true}) {
    if (!turns.with_peers) break;
    Other& other = others[static_cast<std::size_t>(ask_first)];
    other.peer = make_cgal_aabb(ask_first);
    const double took = seconds_of([&] { other.peer->build(vessel.mesh); });
    all.push_back({ask_first ? "cgal_aabb, asked first" : "cgal_aabb", took, [&] {
                     other.peer->find(particles, other.touches);
                     return other.touches.size();
                   }});
  }
  take_turns(all);
  report(all, vessel);
  const bool all_agree = std::ranges::all_of(others, [&](const Other& other) {
    return !other.peer || agree(particles, contacts, other.touches);
  });
  return all_agree ? done : differs;
}

}  // namespace

Command bench_walls_command(CLI::App& program) {
  Arguments app(program, "bench-walls", "Time the search for contacts with walls");
  app.footer(
      "A hopper of triangles, half filled with particles. The search for walls and that for pairs\n"
      "of particles take turns on the same arrays; times are medians of the whole, from the\n"
      "caller's arrays to all contacts in memory. --peers adds CGAL's AABB tree, which finds the\n"
      "nearest triangle of each particle, or only of those whose sphere meets one; all must see\n"
      "the same particles touch, at the same distance: if not, the status is 1.\n"
      "Example: abut bench-walls --n 1e6 --triangles 1e5");
  auto bench = std::make_shared<BenchWalls>();
  app.add_option("--n", bench->count, "number of particles [1e6]");
  app.add_option("--triangles", bench->triangles, "about so many make the hopper [1e5]");
  app.add_option("--near", bench->near, "part of the particles within a diameter of it [0.1]");
  app.add_option("--threads", bench->threads, "threads; 0 takes every core [1]")
      .between(0, most_threads);
  bench->turns.add_to(app, "CGAL", "bench/walls");
  return {app, [bench] { return bench->run(); }};
}

}  // namespace abut
