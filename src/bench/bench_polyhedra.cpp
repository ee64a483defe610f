#include <fmt/core.h>

#include <abut/error.hpp>
#include <abut/polyhedron.hpp>
#include <abut/research/cundall.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/bench_commands.hpp"
#include "bench/bench_options.hpp"
#include "cli/terminal.hpp"
#include "core/statistics.hpp"
#include "core/vec.hpp"
#include "io/text_format.hpp"
#include "libraries/body_library.hpp"
#include "report/plot.hpp"
#include "scenes/polyhedron_pairs.hpp"

namespace abut {
namespace {

struct BenchPolyhedra {
  std::string count = "1000";
  BenchOptions options{.repeat = 15};

  int run();

 private:
  struct PolyhedronSearch {
    std::string search;
    std::string shapes;
    std::function<void()> find;
    std::function<LibraryGap(std::size_t)> result;
    bool measures_distance = true;
    bool is_exact = false;  // a wrong result is a bug of abut
    std::vector<double> seconds{};
    std::size_t errors = 0;
    double max_error = 0;
  };

  // One set of pairs and the results of all searches on it.
  class PolyhedronTest;

  void time_searches(std::vector<PolyhedronSearch>& all) const;
  void report(const std::vector<PolyhedronSearch>& all, double pairs);
};

class BenchPolyhedra::PolyhedronTest {
 public:
  PolyhedronTest(bool cubes, std::size_t pairs, std::uint64_t first_seed)
      : shapes_(cubes ? "cubes" : "hulls"), pairs_(cubes, pairs, first_seed) {
    for (const auto& [a, b] : pairs_.previous()) previous_planes_.push_back(common_plane(a, b));
  }

  void add_searches(std::vector<PolyhedronSearch>& all, bool with_libraries) {
    add_search(all, "common plane", planes_,
               [](const auto& pair, std::size_t) { return common_plane(pair[0], pair[1]); });
    add_search(all, "common plane, warm", warm_planes_, [this](const auto& pair, std::size_t i) {
      return common_plane(pair[0], pair[1], previous_planes_[i]);
    });
    for (std::size_t i = all.size() - 2; i < all.size(); ++i) all[i].is_exact = true;
    add_search(all, "Cundall", cundall_planes_,
               [](const auto& pair, std::size_t) { return cundall_plane(pair[0], pair[1]).plane; });
    add_search(all, "Cundall, warm", warm_cundall_planes_, [this](const auto& pair, std::size_t i) {
      return cundall_plane(pair[0], pair[1], {}, &previous_planes_[i]).plane;
    });
    if (!with_libraries) return;
    libraries_ = polyhedron_libraries();
    library_gaps_.resize(libraries_.size());
    for (std::size_t i = 0; i < libraries_.size(); ++i) {
      libraries_[i]->load(pairs_.current());
      all.push_back({std::string(libraries_[i]->name()), shapes_,
                     [this, i] { libraries_[i]->find(library_gaps_[i]); },
                     [this, i](std::size_t pair) { return library_gaps_[i][pair]; },
                     libraries_[i]->measures_distance()});
    }
  }

  // Counts wrong results. The exact gap is that of all vertices along the normal of the cold common
  // plane, which the tests check against brute force.
  void check_result(PolyhedronSearch& one) const {
    constexpr double rounding = 1e-6;
    if (one.shapes != shapes_) return;
    for (std::size_t i = 0; i < planes_.size(); ++i) {
      const LibraryGap result = one.result(i);
      const double exact = gap_along(pairs_.current()[i], planes_[i].normal);
      if (result.overlap != (exact < 0) && std::abs(exact) > rounding) {
        ++one.errors;
        continue;
      }
      if (!result.overlap && !one.measures_distance) continue;
      one.max_error = std::max(one.max_error, std::abs(result.gap - exact));
      if (std::abs(result.gap - exact) > rounding) ++one.errors;
    }
  }

 private:
  using Planes = std::vector<CommonPlane<3>>;

  static double gap_along(const std::array<PolyhedronView, 2>& pair, const Point<3>& normal) {
    double max_a = -std::numeric_limits<double>::infinity();
    double min_b = -max_a;
    for (const Point<3>& vertex : pair[0].vertices) max_a = std::max(max_a, dot(normal, vertex));
    for (const Point<3>& vertex : pair[1].vertices) min_b = std::min(min_b, dot(normal, vertex));
    return min_b - max_a;
  }

  template <class Find>
  void add_search(std::vector<PolyhedronSearch>& all, const char* name, Planes& planes,
                  const Find& find) {
    const auto& pairs = pairs_.current();
    planes.resize(pairs.size());
    all.push_back({name, shapes_,
                   [&pairs, &planes, find] {
                     for (std::size_t i = 0; i < pairs.size(); ++i) planes[i] = find(pairs[i], i);
                   },
                   [&planes](std::size_t i) {
                     return LibraryGap{planes[i].gap < 0, planes[i].gap};
                   }});
  }

  std::string shapes_;
  PolyhedronPairs pairs_;
  Planes previous_planes_;
  Planes planes_;
  Planes warm_planes_;
  Planes cundall_planes_;
  Planes warm_cundall_planes_;
  std::vector<std::unique_ptr<PolyhedronLibrary>> libraries_;
  std::vector<std::vector<LibraryGap>> library_gaps_;
};

void BenchPolyhedra::time_searches(std::vector<PolyhedronSearch>& all) const {
  options.interleave(all.size(), [&](std::size_t i, bool is_counted) {
    all[i].find();  // loads the data into the caches, which the previous search has evicted
    const Stopwatch watch;
    all[i].find();
    if (is_counted) all[i].seconds.push_back(watch.seconds());
  });
}

void BenchPolyhedra::report(const std::vector<PolyhedronSearch>& all, double pairs) {
  Table table({"search", "shapes", "pairs", "ns/pair", "wrong", "max error"});
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  BarChart chart{"Search time", "ns per pair", {}};
  for (const PolyhedronSearch& one : all) {
    const double nanoseconds = median_of(one.seconds) * 1e9 / pairs;
    chart.bars.push_back({one.search + ", " + one.shapes, nanoseconds});
    table.add({one.search, one.shapes, fmt::format("{}", pairs), fmt::format("{:.1f}", nanoseconds),
               std::to_string(one.errors), fmt::format("{:.1e}", one.max_error)});
    rows.push_back({{"search", one.search},
                    {"shapes", one.shapes},
                    {"pairs", pairs},
                    {"ns_per_pair", nanoseconds},
                    {"wrong", one.errors},
                    {"max_error", one.max_error}});
  }
  fmt::print("{}", options.json ? rows.dump(2) + "\n" : table.text());
  if (options.html.is_requested())
    options.html.write(
        "All searches run in turn on the same pairs, from vertices in the cache to normal and gap; "
        "times are medians. Warm searches start from the plane of the previous step, before a "
        "motion of 0.001 of the size.",
        {{.title = "Common planes of polyhedra",
          .text =
              "Cubes, and convex hulls with 8 to 30 vertices: half of the pairs overlap by up to "
              "2 % of their size, half are separated by up to 10 %.",
          .svg = draw(chart),
          .table = table,
          .table_title = "Data"}});
}

int BenchPolyhedra::run() {
  options.check_libraries(!polyhedron_libraries().empty(), "bench/polyhedra");
  options.html.open();
  const std::size_t pairs = parse_count("--n", count);
  if (pairs == 0) throw Error("--n = 0: must be at least 1");
  PolyhedronTest cubes(true, pairs, options.seed);
  PolyhedronTest hulls(false, pairs, options.seed);
  std::vector<PolyhedronSearch> all;
  cubes.add_searches(all, options.with_libraries);
  hulls.add_searches(all, options.with_libraries);
  time_searches(all);
  for (PolyhedronSearch& one : all) {
    cubes.check_result(one);
    hulls.check_result(one);
  }
  report(all, static_cast<double>(pairs));
  return std::ranges::any_of(
             all, [](const PolyhedronSearch& one) { return one.is_exact && one.errors > 0; })
             ? exit_mismatch
             : exit_success;
}

}  // namespace

Command bench_polyhedra_command(CLI::App& program) {
  Arguments app(program, "bench-polyhedra", "Time common planes of polyhedra");
  app.footer(
      "Pairs of cubes, and of convex hulls with 8 to 30 vertices: half of the pairs overlap by up "
      "to\n"
      "2 % of their size, half are separated by up to 10 %. All searches run in turn on the same\n"
      "pairs, from vertices in the cache to normal and gap; times are medians. Warm searches "
      "start\n"
      "from the plane of the previous step, before a motion of 0.001 of the size. Wrong results\n"
      "confuse overlap and separation, or have a gap that is off by more than 1e-6. Exit status 1\n"
      "if a common plane is wrong. --libraries adds libccd, FCL and Bullet.\n"
      "Example: abut bench-polyhedra --n 1000");
  auto bench = std::make_shared<BenchPolyhedra>();
  app.add_option("--n", bench->count, "Number of pairs of each shape (default: 1000)").metavar("N");
  bench->options.add_to(app, "libccd, FCL and Bullet", "bench/polyhedra");
  return {app, [bench] { return bench->run(); }};
}

}  // namespace abut
