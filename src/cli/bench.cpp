#include <fmt/core.h>

#include <abut/detector.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/command.hpp"
#include "cli/input.hpp"
#include "cli/outputs.hpp"
#include "cli/peak_memory.hpp"
#include "cli/progress_bar.hpp"
#include "cli/scene_options.hpp"
#include "cli/units.hpp"
#include "core/median.hpp"
#include "core/memory.hpp"
#include "core/pair_sink.hpp"
#include "io/output_file.hpp"
#include "io/plot.hpp"
#include "io/table.hpp"

namespace abut {
namespace {

/// What was measured of one method on one scene.
struct Measured {
  std::string scene;
  std::size_t count = 0;
  int dimension = 3;
  std::string method;
  unsigned threads = 1;
  double seconds = 0;
  double sorting_seconds = 0;  // the part of it that built or mended the structure
  std::size_t pairs = 0;
  std::uint64_t candidates = 0;
  std::size_t structure_bytes = 0;
  std::size_t peak_bytes = 0;
  std::string refused{};  // why nothing was measured

  [[nodiscard]] double per_particle(double value) const {
    return count > 0 ? value / static_cast<double>(count) : 0;
  }
  [[nodiscard]] double ns_per_particle() const { return per_particle(1e9 * seconds); }
  [[nodiscard]] double ns_per_pair() const {
    return pairs > 0 ? 1e9 * seconds / static_cast<double>(pairs) : 0;
  }
};

/// One method with its detector and list, ready to be run again and again.
template <std::size_t D>
class Runner {
 public:
  Runner(Measured& measured, Options<D> options)
      : measured_(measured), options_(std::move(options)) {}

  /// The first run is not timed: it counts, and shows what memory is needed from nothing.
  void rehearse(const Spheres<D>& particles) {
    const PeakMemory peak;
    options_.count = true;
    try {
      find(particles);
      measured_.peak_bytes = peak.bytes();
      measured_.pairs = pairs_.size();
      measured_.candidates = detector_->statistics().candidates;
      measured_.structure_bytes = detector_->statistics().structure_bytes;
    } catch (const MemoryRefused& refusal) {
      measured_.refused = refusal.what();
    }
    detector_.reset();
    pairs_ = {};
    options_.count = false;
  }

  void time(const Spheres<D>& particles) {
    const Stopwatch watch;
    try {
      find(particles);
    } catch (const MemoryRefused& refusal) {
      measured_.refused = refusal.what();  // they have moved too far apart
      return;
    }
    seconds_.push_back(watch.seconds());
    sorting_seconds_.push_back(detector_->statistics().sorting_seconds);
    measured_.pairs = pairs_.size();  // of the last run: they may have moved
  }

  void finish() {
    // The first timed run meets fresh memory; it is kept only if there is no other.
    if (seconds_.size() > 1) {
      seconds_.erase(seconds_.begin());
      sorting_seconds_.erase(sorting_seconds_.begin());
    }
    if (seconds_.empty()) return;
    measured_.seconds = median_of(seconds_);
    measured_.sorting_seconds = median_of(sorting_seconds_);
  }

  [[nodiscard]] bool refused() const { return !measured_.refused.empty(); }

 private:
  // Each pair once, in memory, in whatever order the method finds them.
  void find(const Spheres<D>& particles) {
    if (!detector_) detector_.emplace(options_);
    pairs_.clear();
    detector_->update(particles);
    detector_->stream(append_pairs, &pairs_);
  }

  Measured& measured_;
  Options<D> options_;
  std::optional<Detector<D>> detector_;
  std::vector<Pair> pairs_;
  std::vector<double> seconds_;
  std::vector<double> sorting_seconds_;
};

struct Bench {
  SceneArguments arguments;
  std::vector<std::string> scene_names{"lattice"};
  std::vector<std::string> counts{"1e5"};
  std::vector<int> dimensions{3};
  std::vector<std::string> methods_named{"all"};
  std::vector<unsigned> threads{1};
  int repeat = 5;
  double motion = 0;
  bool csv = false;
  bool json = false;
  std::string out = "-";
  std::string plot;

  int run();

 private:
  template <std::size_t D>
  void measure(const std::string& scene_name, const std::string& count);
  [[nodiscard]] std::string report() const;
  [[nodiscard]] std::string picture() const;
  void check_names() const;

  std::vector<Measured> measured_;
};

template <std::size_t D>
void Bench::measure(const std::string& scene_name, const std::string& count) {
  ProgressBar bar(fmt::format("{} {}D, {}", scene_name, D, count));
  Scene<D> scene = make_scene<D>(scene_name, arguments.options(count));
  const Spheres<D> particles = scene.particles();
  std::vector<Measured> measured;
  std::vector<Options<D>> options;
  for (const Method method : methods_from(methods_named, scene.size()))
    for (const unsigned number : threads) {
      measured.push_back({.scene = scene_name,
                          .count = scene.size(),
                          .dimension = D,
                          .method = std::string(info(method).name),
                          .threads = number});
      options.push_back({.method = method, .threads = number});
    }
  std::vector<std::unique_ptr<Runner<D>>> runners;
  for (std::size_t i = 0; i < options.size(); ++i)
    runners.push_back(std::make_unique<Runner<D>>(measured[i], options[i]));

  const auto total = static_cast<double>(runners.size()) * (repeat + 2);
  double steps = 0;
  for (auto& runner : runners) {
    runner->rehearse(particles);
    bar.show(++steps / total);
  }
  for (int round = 0; round <= repeat; ++round) {
    if (motion > 0) shake(scene, motion * arguments.diameter(), static_cast<unsigned>(round));
    for (auto& runner : runners) {
      if (!runner->refused()) runner->time(particles);
      bar.show(++steps / total);
    }
  }
  for (auto& runner : runners) runner->finish();
  measured_.insert(measured_.end(), measured.begin(), measured.end());
}

std::string number(double value) { return fmt::format("{:.1f}", value); }

Table table_of(const std::vector<Measured>& all) {
  Table table({"scene", "n", "dim", "method", "threads", "ns/particle", "of it sorting", "ns/pair",
               "pairs", "candidates/particle", "bytes/particle", "peak memory"});
  for (const Measured& m : all) {
    std::vector<std::string> row{m.scene, std::to_string(m.count), std::to_string(m.dimension),
                                 m.method, std::to_string(m.threads)};
    if (!m.refused.empty())
      row.push_back(m.refused);
    else
      row.insert(row.end(),
                 {number(m.ns_per_particle()), number(m.per_particle(1e9 * m.sorting_seconds)),
                  number(m.ns_per_pair()), std::to_string(m.pairs),
                  number(m.per_particle(static_cast<double>(m.candidates))),
                  number(m.per_particle(static_cast<double>(m.structure_bytes))),
                  m.peak_bytes > 0 ? human_bytes(static_cast<double>(m.peak_bytes)) : "-"});
    table.add(row);
  }
  return table;
}

Table csv_of(const std::vector<Measured>& all) {
  Table table({"scene", "n", "dim", "method", "threads", "ns_per_particle",
               "sorting_ns_per_particle", "ns_per_pair", "pairs", "candidates_per_particle",
               "bytes_per_particle", "peak_bytes", "refused"});
  for (const Measured& m : all)
    table.add({m.scene, std::to_string(m.count), std::to_string(m.dimension), m.method,
               std::to_string(m.threads), fmt::format("{}", m.ns_per_particle()),
               fmt::format("{}", m.per_particle(1e9 * m.sorting_seconds)),
               fmt::format("{}", m.ns_per_pair()), std::to_string(m.pairs),
               fmt::format("{}", m.per_particle(static_cast<double>(m.candidates))),
               fmt::format("{}", m.per_particle(static_cast<double>(m.structure_bytes))),
               std::to_string(m.peak_bytes), m.refused});
  return table;
}

nlohmann::ordered_json json_of(const Measured& m) {
  nlohmann::ordered_json object{{"scene", m.scene},
                                {"n", m.count},
                                {"dim", m.dimension},
                                {"method", m.method},
                                {"threads", m.threads}};
  if (!m.refused.empty()) {
    object["refused"] = m.refused;
    return object;
  }
  object["ns_per_particle"] = m.ns_per_particle();
  object["sorting_ns_per_particle"] = m.per_particle(1e9 * m.sorting_seconds);
  object["ns_per_pair"] = m.ns_per_pair();
  object["pairs"] = m.pairs;
  object["candidates_per_particle"] = m.per_particle(static_cast<double>(m.candidates));
  object["bytes_per_particle"] = m.per_particle(static_cast<double>(m.structure_bytes));
  object["peak_bytes"] = m.peak_bytes;
  return object;
}

std::string Bench::report() const {
  if (json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Measured& m : measured_) list.push_back(json_of(m));
    return list.dump(2) + '\n';
  }
  return csv ? csv_of(measured_).csv() : table_of(measured_).text();
}

// A line for each scene, dimension, method and number of threads.
std::string Bench::picture() const {
  Plot times{.title = "Time of a search",
             .x = {.title = "particles", .logarithmic = true},
             .y = {.title = "ns per particle", .logarithmic = true},
             .lines = {}};
  for (const Measured& m : measured_) {
    if (!m.refused.empty()) continue;
    std::string name = fmt::format("{} {}D", m.method, m.dimension);
    if (scene_names.size() > 1) name += " " + m.scene;
    if (threads.size() > 1) name += fmt::format(", {} threads", m.threads);
    auto line = std::ranges::find(times.lines, name, &Plot::Line::name);
    if (line == times.lines.end()) line = times.lines.insert(line, {.name = name, .points = {}});
    line->points.push_back({static_cast<double>(m.count), m.ns_per_particle()});
  }
  return draw(times);
}

// A misspelt name is better heard of before the first measurement than after the last.
void Bench::check_names() const {
  for (const std::string& scene : scene_names) (void)make_scene<2>(scene, arguments.options("0"));
  for (const std::string& count : counts)
    (void)methods_from(methods_named, arguments.options(count).count);
}

int Bench::run() {
  check_names();
  if (!(motion >= 0 && motion <= 1e6))
    throw Error(fmt::format("--motion = {}: must be a number from 0 to 1e6", motion));
  if (!plot.empty()) check_gnuplot();
  Outputs outputs;
  OutputFile& file = *outputs.open("--out", out);
  OutputFile* plot_file = outputs.open("--plot", plot);
  for (const std::string& scene : scene_names)
    for (const int dimension : dimensions)
      for (const std::string& count : counts)
        with_dimension(dimension, [&]<std::size_t D>() { measure<D>(scene, count); });
  file << report();
  if (plot_file != nullptr) *plot_file << picture();
  outputs.commit();
  return done;
}

}  // namespace

Command bench_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("bench", "Time the methods on generated scenes");
  app->footer(
      "The methods take turns on the same arrays; times are medians. A search is timed from the\n"
      "caller's arrays to all pairs in memory, each once, unsorted. 'all' leaves brute force out\n"
      "above 20000 particles. A method that keeps an order from run to run (mr) is timed with it;\n"
      "--motion makes it earn that.\n"
      "Example: abut bench --scene lattice,random --n 2e5,1e6 --methods nbs,screening --json");
  auto bench = std::make_shared<Bench>();
  app->add_option("--scene", bench->scene_names, "scenes, see abut scene --help [lattice]")
      ->delimiter(',');
  app->add_option("--n", bench->counts, "numbers of particles, as 2e5,1e6 [1e5]")->delimiter(',');
  app->add_option("--dim", bench->dimensions, "2, 3 or 2,3 [3]")
      ->delimiter(',')
      ->check(CLI::IsMember({2, 3}));
  app->add_option("--methods", bench->methods_named, "methods, or all [all]")->delimiter(',');
  app->add_option("--threads", bench->threads, "numbers of threads; 0 takes every core [1]")
      ->delimiter(',');
  app->add_option("--repeat", bench->repeat, "timed runs of each [5]")->check(CLI::Range(1, 1000));
  app->add_option("--motion", bench->motion,
                  "how far particles move before each run, in diameters along each axis [0]");
  auto* csv = app->add_flag("--csv", bench->csv, "comma-separated values instead of the table");
  app->add_flag("--json", bench->json, "an array of objects instead of the table")->excludes(csv);
  app->add_option("--out", bench->out, "file for the result [standard output]");
  app->add_option("--plot", bench->plot, "SVG picture of ns per particle against n");
  bench->arguments.add_to(*app);
  return {app, [bench] { return bench->run(); }};
}

}  // namespace abut
