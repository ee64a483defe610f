#include <fmt/core.h>

#include <abut/detector.hpp>
#include <algorithm>
#include <memory>

#include "bench/bench_method.hpp"
#include "bench/bench_options.hpp"
#include "bench/bench_report.hpp"
#include "bench/measurement.hpp"
#include "bench/pair_check.hpp"
#include "cli/command.hpp"
#include "cli/outputs.hpp"
#include "cli/particle_input.hpp"
#include "cli/progress_bar.hpp"
#include "cli/scene_options.hpp"
#include "libraries/library.hpp"
#include "report/plot.hpp"

namespace abut {
namespace {

using Names = std::vector<std::string>;

// What --libraries measures unless it is told otherwise.
const Names library_scenes{"lattice-shuffled", "lattice", "random",
                           "polydisperse",     "sparse",  "moving"};
const Names library_methods{"engine", "screening", "cgrid", "mr", "nbs"};

bool is_library(const std::string& name) {
  return std::ranges::any_of(libraries<3>(), [&](const auto& peer) { return peer.name == name; });
}

struct Bench {
  SceneArguments arguments;
  Names scene_names;
  Names counts{"1e5"};
  std::vector<int> dimensions{3};
  Names method_names;
  std::vector<unsigned> threads{1};
  int repeat = 5;
  double motion = 0;
  bool with_libraries = false;
  bool with_instructions = false;
  bool stream_pairs = false;
  std::string max_counted = "1e5";
  bool single_search = false;
  bool csv = false;
  bool json = false;
  bool markdown = false;
  std::string out = "-";
  std::string plot;
  BenchHtml html;

  int run();

 private:
  void resolve_names();
  void check() const;
  int measure_all();
  template <std::size_t D>
  void measure(const std::string& scene_name, const std::string& count);
  template <std::size_t D>
  [[nodiscard]] std::vector<MethodRun<D>> method_runs(const Measurement& about, double moved) const;
  template <std::size_t D>
  void compare_pairs(const std::vector<MethodRun<D>>& all, PairCheck& agreement);
  template <std::size_t D>
  void search_under_valgrind() const;
  [[nodiscard]] std::optional<std::uint64_t> instructions_of(const Measurement& measured) const;
  void report_mismatch(const Measurement& measured, const std::optional<std::string>& complaint);
  [[nodiscard]] std::string report() const;

  // "moving" is a scene of the benchmark only: random, and in motion even without --motion.
  static std::string generator(const std::string& scene) {
    return scene == "moving" ? "random" : scene;
  }
  [[nodiscard]] double motion_of(const std::string& scene) const {
    return scene == "moving" && motion == 0 ? 0.01 : motion;
  }

  Names own_methods_;
  Names libraries_;
  std::vector<Measurement> measurements_;
  bool all_match_ = true;
};

// Whatever --methods says, or what is measured where it says nothing.
void Bench::resolve_names() {
  if (scene_names.empty()) scene_names = with_libraries ? library_scenes : Names{"lattice"};
  if (method_names.empty() && !with_libraries) method_names = {"all"};
  if (method_names.empty())
    std::ranges::copy_if(library_methods, std::back_inserter(method_names),
                         [](const std::string& name) { return find_method(name).has_value(); });
  for (const std::string& name : method_names)
    (with_libraries && is_library(name) ? libraries_ : own_methods_).push_back(name);
  if (with_libraries && libraries_.empty())
    for (const auto& peer : libraries<3>()) libraries_.emplace_back(peer.name);
}

// Better heard of before the first measurement than after the last.
void Bench::check() const {
  if (with_libraries && libraries<3>().empty())
    throw Error(
        "--libraries: this program was built without the other libraries; bench/peers installs "
        "them, "
        "builds and measures");
  for (const std::string& scene : scene_names)
    (void)make_scene<2>(generator(scene), arguments.options("0"));
  for (const std::string& count : counts)
    (void)parse_methods(own_methods_, arguments.options(count).count);
  if (!(motion >= 0 && motion <= 1e6))
    throw Error(fmt::format("--motion = {}: must be a number from 0 to 1e6", motion));
  if (stream_pairs && with_libraries)
    throw Error(
        "--stream: the other libraries store their pairs; leave out --stream or --libraries");
  if (!plot.empty()) check_gnuplot();
  if (!with_instructions) return;
  if (std::ranges::find(threads, 1U) == threads.end())
    throw Error(fmt::format("--threads = {}: --instructions counts those of one thread; add 1",
                            threads.front()));
  (void)parse_count("--instructions", max_counted);
  check_valgrind();
}

template <std::size_t D>
std::vector<MethodRun<D>> Bench::method_runs(const Measurement& about, double moved) const {
  std::vector<MethodRun<D>> all;
  const auto add = [&](std::string_view name, unsigned number,
                       std::unique_ptr<BenchMethod<D>> who) {
    Measurement measured = about;
    measured.method = name;
    measured.threads = number;
    all.emplace_back(std::move(measured), std::move(who));
  };
  for (const Method method : parse_methods(own_methods_, about.count))
    for (const unsigned number : threads)
      add(method_info(method).name, number,
          std::make_unique<AbutMethod<D>>(DetectorOptions<D>{.method = method, .threads = number},
                                          moved > 0, stream_pairs));
  for (const LibraryInfo<D>& peer : libraries<D>()) {
    if (std::ranges::find(libraries_, peer.name) == libraries_.end()) continue;
    const std::vector<unsigned> able = peer.is_parallel ? threads : std::vector{1U};
    for (const unsigned number : able)
      add(peer.name, number,
          std::make_unique<LibraryMethod<D>>(peer.make(number),
                                             peer.updates_in_place && moved > 0));
  }
  return all;
}

void Bench::report_mismatch(const Measurement& measured,
                            const std::optional<std::string>& complaint) {
  if (!complaint) return;
  fmt::print(stderr, "abut: {} {}D, {} particles: {}\n", measured.scene, measured.dimension,
             measured.count, *complaint);
  all_match_ = false;
}

template <std::size_t D>
void Bench::compare_pairs(const std::vector<MethodRun<D>>& all, PairCheck& agreement) {
  agreement.reset();
  for (const MethodRun<D>& runner : all)
    if (!runner.is_skipped())
      report_mismatch(runner.measurement(),
                      agreement.mismatch(runner.measurement().method, runner.pairs()));
}

template <std::size_t D>
void Bench::measure(const std::string& scene_name, const std::string& count) {
  ProgressBar bar(fmt::format("{} {}D, {}", scene_name, D, count));
  Scene<D> scene = make_scene<D>(generator(scene_name), arguments.options(count));
  const double moved = motion_of(scene_name);
  const Spheres<D> particles = scene.view();
  auto all = method_runs<D>({.scene = scene_name, .count = scene.size(), .dimension = D}, moved);
  PairCheck agreement(scene.size());

  const auto total = static_cast<double>(all.size()) * (repeat + 2);
  double steps = 0;
  for (auto& runner : all) {
    runner.warm_up(particles);
    if (with_libraries && !runner.is_skipped())
      report_mismatch(runner.measurement(),
                      agreement.mismatch(runner.measurement().method, runner.pairs()));
    runner.free_pairs();
    bar.set_fraction(++steps / total);
  }
  for (int round = 0; round <= repeat; ++round) {
    if (moved > 0) perturb(scene, moved * arguments.diameter(), static_cast<unsigned>(round));
    for (auto& runner : all) {
      if (!runner.is_skipped()) runner.time(particles);
      bar.set_fraction(++steps / total);
    }
  }
  std::optional<double> sort_seconds;
  if (with_libraries) {
    compare_pairs(all, agreement);
    const auto first = std::ranges::find_if(all, [](const auto& r) { return !r.is_skipped(); });
    if (first != all.end()) sort_seconds = agreement.seconds_to_sort(first->pairs(), repeat);
  }
  for (auto& runner : all) {
    Measurement& measured = runner.finish();
    measured.sort_seconds = sort_seconds;
    if (with_instructions) measured.instructions = instructions_of(measured);
    measurements_.push_back(measured);
  }
}

// Of our own methods only, and of no more particles than valgrind has the patience for.
std::optional<std::uint64_t> Bench::instructions_of(const Measurement& measured) const {
  if (!measured.skip_reason.empty() || measured.threads != 1 || !find_method(measured.method) ||
      measured.count > parse_count("--instructions", max_counted))
    return {};
  Names words{"bench",     "--count-one",
              "--scene",   measured.scene,
              "--n",       std::to_string(measured.count),
              "--dim",     std::to_string(measured.dimension),
              "--methods", measured.method,
              "--motion",  fmt::format("{}", motion)};
  const Names scene_words = arguments.command_line_words();
  words.insert(words.end(), scene_words.begin(), scene_words.end());
  return count_instructions(words);
}

// The other end of it: one search like those that are timed, the memory for it being there, and
// what is kept from step to step.
template <std::size_t D>
void Bench::search_under_valgrind() const {
  constexpr unsigned rounds_before = 3;
  Scene<D> scene = make_scene<D>(generator(scene_names.front()), arguments.options(counts.front()));
  struct CountedSearch {
    Spheres<D> particles;
    AbutMethod<D> method;
    std::vector<Pair> pairs;
  } search{scene.view(),
           AbutMethod<D>({.method = parse_method(own_methods_.front())},
                         motion_of(scene_names.front()) > 0),
           {}};
  const auto find = [](void* data) {
    auto& [particles, method, pairs] = *static_cast<CountedSearch*>(data);
    method.find(particles, pairs);
  };
  const double moved = motion_of(scene_names.front());
  for (unsigned round = 0; round < rounds_before; ++round) {
    find(&search);
    search.method.cool_down();
    if (moved > 0) perturb(scene, moved * arguments.diameter(), round);
  }
  abut_counted(find, &search);
}

std::string Bench::report() const {
  if (json) return bench_json(measurements_);
  if (csv) return bench_csv(measurements_);
  return markdown ? bench_markdown(measurements_) : bench_table(measurements_);
}

int Bench::measure_all() {
  Outputs outputs;
  OutputFile& file = *outputs.open("--out", out);
  OutputFile* plot_file = outputs.open("--plot", plot);
  html.open();
  for (const std::string& scene : scene_names)
    for (const int dimension : dimensions)
      for (const std::string& count : counts)
        with_dimension(dimension, [&]<std::size_t D>() { measure<D>(scene, count); });
  file << report();
  if (plot_file != nullptr) *plot_file << bench_plot(measurements_);
  outputs.commit();
  if (html.is_requested())
    html.write(
        "The methods take turns on the same arrays; times are medians. A search is timed from the "
        "caller's arrays to all pairs in memory, each once, unsorted.",
        bench_sections(measurements_));
  return all_match_ ? exit_success : exit_mismatch;
}

int Bench::run() {
  resolve_names();
  check();
  if (!single_search) return measure_all();
  with_dimension(dimensions.front(), [&]<std::size_t D>() { search_under_valgrind<D>(); });
  return exit_success;
}

constexpr const char* explanation =
    "The methods take turns on the same arrays; times are medians. A search is timed from the\n"
    "caller's arrays to all pairs in memory, each once, unsorted. 'all' leaves brute force out\n"
    "above 20000 particles. A published method that keeps an order from run to run (mr) is timed\n"
    "with it; the engine has to start from nothing, unless --motion lets all earn what they keep.\n"
    "--libraries adds other libraries (nanoflann, embree, boost_rtree, cgal, bullet), which may "
    "be\n"
    "named among --methods. Each builds from the caller's arrays in every run; where particles\n"
    "move, bullet moves its tree instead. What they propose is judged by the same predicate, and\n"
    "all must find the same pairs: if not, the status is 1. What sorting the pairs would add is\n"
    "the same for all: it is measured on those of the first method and shown in a column.\n"
    "Libraries that cannot use threads are shown with one.\n"
    "Example: abut bench --scene lattice,random --n 2e5,1e6 --methods nbs,screening --json";

}  // namespace

Command bench_command(CLI::App& program) {
  Arguments app(program, "bench", "Time the methods on generated scenes");
  app.footer(explanation);
  auto bench = std::make_shared<Bench>();
  app.add_option("--scene", bench->scene_names,
                 "scenes, see abut scene --help; moving is random with --motion 0.01 [lattice; "
                 "with --libraries six]")
      .comma_separated();
  app.add_option("--n", bench->counts, "numbers of particles, as 2e5,1e6 [1e5]").comma_separated();
  app.add_option("--dim", bench->dimensions, "2, 3 or 2,3 [3]").comma_separated().one_of({2, 3});
  app.add_option("--methods", bench->method_names,
                 "methods, or all [all; with --libraries the fastest and every library]")
      .comma_separated();
  app.add_option("--threads", bench->threads, "numbers of threads; 0 takes every core [1]")
      .range(0, max_threads)
      .comma_separated();
  app.add_option("--repeat", bench->repeat, "timed runs of each [5]").range(1, 1000);
  app.add_option("--motion", bench->motion,
                 "how far particles move before each run, in diameters along each axis [0]");
  app.add_flag("--stream", bench->stream_pairs, "count the pairs as they come, store none");
  app.add_flag("--libraries", bench->with_libraries,
               "measure other libraries too (see bench/peers)");
  Argument counting =
      app.add_option("--instructions", bench->max_counted,
                     "count instructions of our methods with valgrind, up to so many "
                     "particles [1e5]");
  counting.expected(0, 1);
  app.add_flag("--csv", bench->csv, "comma-separated values instead of the table");
  app.add_flag("--json", bench->json, "an array of objects instead of the table").excludes("--csv");
  app.add_flag("--markdown", bench->markdown, "tables for a document")
      .excludes("--csv")
      .excludes("--json");
  app.add_option("--out", bench->out, "file for the result [standard output]");
  app.add_option("--plot", bench->plot, "SVG picture of ns per particle against n");
  bench->html.add_to(app);
  app.add_flag("--count-one", bench->single_search, "what --instructions runs").hidden();
  bench->arguments.add_to(app);
  return {app, [bench, counting] {
            bench->with_instructions = counting.is_given();
            if (bench->max_counted.empty()) bench->max_counted = "1e5";  // named without a number
            return bench->run();
          }};
}

}  // namespace abut
