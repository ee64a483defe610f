#include <fmt/core.h>

#include <abut/cundall.hpp>
#include <abut/error.hpp>
#include <abut/polyhedron.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/polyhedron_peer.hpp"
#include "cli/command.hpp"
#include "cli/turns.hpp"
#include "cli/units.hpp"
#include "core/median.hpp"
#include "core/vec.hpp"
#include "io/bar_chart.hpp"
#include "io/table.hpp"
#include "scenes/polyhedron_pairs.hpp"

namespace abut {
namespace {

struct BenchPolyhedra {
  std::string count = "1000";
  TurnArguments turns{.repeat = 15};

  int run();

 private:
  struct Contestant {
    std::string search;
    std::string shapes;
    std::function<void()> find;
    std::function<PeerGap(std::size_t)> told;
    bool measures_distance = true;
    bool is_exact = false;  // a wrong answer of it is a mistake of ours
    std::vector<double> seconds{};
    std::size_t wrong = 0;
    double worst = 0;
  };

  // One set of pairs, and all who take turns on it.
  class Field;

  void take_turns(std::vector<Contestant>& all) const;
  void report(const std::vector<Contestant>& all, double pairs);
};

class BenchPolyhedra::Field {
 public:
  Field(bool cubes, std::size_t pairs, std::uint64_t first_seed)
      : shapes_(cubes ? "cubes" : "hulls"), pairs_(cubes, pairs, first_seed) {
    for (const auto& [a, b] : pairs_.before()) before_.push_back(common_plane(a, b));
  }

  void enter(std::vector<Contestant>& all, bool others_too) {
    enter(all, "common plane", cold_,
          [](const auto& pair, std::size_t) { return common_plane(pair[0], pair[1]); });
    enter(all, "common plane, warm", warm_, [this](const auto& pair, std::size_t i) {
      return common_plane(pair[0], pair[1], before_[i]);
    });
    for (std::size_t i = all.size() - 2; i < all.size(); ++i) all[i].is_exact = true;
    enter(all, "Cundall", tried_,
          [](const auto& pair, std::size_t) { return cundall_plane(pair[0], pair[1]).plane; });
    enter(all, "Cundall, warm", tried_again_, [this](const auto& pair, std::size_t i) {
      return cundall_plane(pair[0], pair[1], {}, &before_[i]).plane;
    });
    if (!others_too) return;
    peers_ = polyhedron_peers();
    told_.resize(peers_.size());
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      peers_[i]->load(pairs_.now());
      all.push_back(
          {std::string(peers_[i]->name()), shapes_, [this, i] { peers_[i]->find(told_[i]); },
           [this, i](std::size_t pair) { return told_[i][pair]; }, peers_[i]->measures_distance()});
    }
  }

  // Against the plane found from nothing, which tests hold against brute force; here against what
  // all corners say of it.
  void judge(Contestant& one) const {
    constexpr double rounding = 1e-6;
    if (one.shapes != shapes_) return;
    for (std::size_t i = 0; i < cold_.size(); ++i) {
      const PeerGap told = one.told(i);
      const double exact = gap_along(pairs_.now()[i], cold_[i].normal);
      if (told.overlap != (exact < 0) && std::abs(exact) > rounding) {
        ++one.wrong;
        continue;
      }
      if (!told.overlap && !one.measures_distance) continue;
      one.worst = std::max(one.worst, std::abs(told.gap - exact));
      if (std::abs(told.gap - exact) > rounding) ++one.wrong;
    }
  }

 private:
  using Planes = std::vector<CommonPlane<3>>;

  static double gap_along(const std::array<PolyhedronView, 2>& pair, const Point<3>& normal) {
    double top = -std::numeric_limits<double>::infinity();
    double bottom = -top;
    for (const Point<3>& corner : pair[0].corners) top = std::max(top, dot(normal, corner));
    for (const Point<3>& corner : pair[1].corners) bottom = std::min(bottom, dot(normal, corner));
    return bottom - top;
  }

  template <class Find>
  void enter(std::vector<Contestant>& all, const char* name, Planes& planes, const Find& find) {
    const auto& pairs = pairs_.now();
    planes.resize(pairs.size());
    all.push_back({name, shapes_,
                   [&pairs, &planes, find] {
                     for (std::size_t i = 0; i < pairs.size(); ++i) planes[i] = find(pairs[i], i);
                   },
                   [&planes](std::size_t i) {
                     return PeerGap{planes[i].gap < 0, planes[i].gap};
                   }});
  }

  std::string shapes_;
  PolyhedronPairs pairs_;
  Planes before_;
  Planes cold_;
  Planes warm_;
  Planes tried_;
  Planes tried_again_;
  std::vector<std::unique_ptr<PolyhedronPeer>> peers_;
  std::vector<std::vector<PeerGap>> told_;
};

void BenchPolyhedra::take_turns(std::vector<Contestant>& all) const {
  turns.take_turns(all.size(), [&](std::size_t i, bool counts) {
    all[i].find();  // the pass before has taken the caches; this is not to measure memory
    const Stopwatch watch;
    all[i].find();
    if (counts) all[i].seconds.push_back(watch.seconds());
  });
}

void BenchPolyhedra::report(const std::vector<Contestant>& all, double pairs) {
  Table table({"search", "shapes", "pairs", "ns/pair", "wrong", "worst error"});
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  BarChart chart{"Time of a search", "ns per pair", {}};
  for (const Contestant& one : all) {
    const double nanoseconds = median_of(one.seconds) * 1e9 / pairs;
    chart.bars.push_back({one.search + ", " + one.shapes, nanoseconds});
    table.add({one.search, one.shapes, fmt::format("{}", pairs), fmt::format("{:.1f}", nanoseconds),
               std::to_string(one.wrong), fmt::format("{:.1e}", one.worst)});
    rows.push_back({{"search", one.search},
                    {"shapes", one.shapes},
                    {"pairs", pairs},
                    {"ns_per_pair", nanoseconds},
                    {"wrong", one.wrong},
                    {"worst_error", one.worst}});
  }
  fmt::print("{}", turns.json ? rows.dump(2) + "\n" : table.text());
  if (turns.page.is_wanted())
    turns.page.write(
        "All take turns on the same pairs, from corners in the cache to the normal and the gap; "
        "times are medians. Warm searches begin with the plane of the step before, a thousandth "
        "of the size ago.",
        {{.title = "Contact of two polyhedra",
          .text = "Cubes, and hulls of 8 to 30 corners: half of the pairs overlap by "
                  "up to 2 % of their size, half are up to 10 % apart.",
          .picture = draw(chart),
          .table = table,
          .table_title = "The numbers"}});
}

int BenchPolyhedra::run() {
  turns.check_peers(!polyhedron_peers().empty(), "bench/polyhedra");
  turns.page.open();
  const std::size_t pairs = count_from("--n", count);
  if (pairs == 0) throw Error("--n = 0: there is nothing to measure");
  Field cubes(true, pairs, turns.seed);
  Field hulls(false, pairs, turns.seed);
  std::vector<Contestant> all;
  cubes.enter(all, turns.with_peers);
  hulls.enter(all, turns.with_peers);
  take_turns(all);
  for (Contestant& one : all) {
    cubes.judge(one);
    hulls.judge(one);
  }
  report(all, static_cast<double>(pairs));
  return std::ranges::any_of(all,
                             [](const Contestant& one) { return one.is_exact && one.wrong > 0; })
             ? differs
             : done;
}

}  // namespace

Command bench_polyhedra_command(CLI::App& program) {
  Arguments app(program, "bench-polyhedra", "Time the contact of two polyhedra");
  app.footer(
      "Cubes, and hulls of 8 to 30 corners, two by two: half of the pairs overlap by up to 2 % of\n"
      "their size, half are up to 10 % apart. All take turns on the same pairs, from corners in\n"
      "the cache to the normal and the gap; times are medians. Warm searches begin with the plane\n"
      "of the step before, a thousandth of the size ago. Wrong is who says touching of what is "
      "not,\n"
      "or a gap that is off by more than 1e-6 of the size; if a common plane is, the status is 1.\n"
      "--peers adds libccd, FCL and Bullet.\n"
      "Example: abut bench-polyhedra --n 1000");
  auto bench = std::make_shared<BenchPolyhedra>();
  app.add_option("--n", bench->count, "number of pairs of each shape [1000]");
  bench->turns.add_to(app, "libccd, FCL and Bullet", "bench/polyhedra");
  return {app, [bench] { return bench->run(); }};
}

}  // namespace abut
