#include <fmt/core.h>

#include <abut/detector.hpp>
#include <algorithm>
#include <array>
#include <memory>

#include "bench/bench_commands.hpp"
#include "bench/bench_method.hpp"
#include "bench/bench_options.hpp"
#include "bench/bench_report.hpp"
#include "bench/measurement.hpp"
#include "cli/command.hpp"
#include "cli/particle_input.hpp"
#include "cli/scene_options.hpp"
#include "cli/terminal.hpp"
#include "libraries/library.hpp"
#include "report/plot.hpp"

namespace abut {
namespace {

using Names = std::vector<std::string>;

// Defaults with --libraries.
constexpr std::array library_scenes{"lattice-shuffled", "lattice", "random",
                                    "polydisperse",     "sparse",  "moving"};
constexpr std::array library_methods{"engine", "screening", "cgrid", "mr", "nbs"};

bool is_library(const std::string& name) {
  return std::ranges::any_of(libraries<3>(), [&](const auto& info) { return info.name == name; });
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
  [[nodiscard]] std::vector<MethodRun<D>> method_runs(const Measurement& scene,
                                                      double displacement) const;
  template <std::size_t D>
  void compare_pairs(const std::vector<MethodRun<D>>& all, PairCheck& check);
  template <std::size_t D>
  void search_under_valgrind() const;
  [[nodiscard]] std::optional<std::uint64_t> instructions_of(const Measurement& measurement) const;
  void report_mismatch(const Measurement& measurement, const std::optional<std::string>& mismatch);
  [[nodiscard]] std::string report() const;

  // The scene "moving" exists only here: random, with motion even without --motion.
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

// Applies the defaults of --scene and --methods, and separates other libraries from methods of
// abut.
void Bench::resolve_names() {
  if (scene_names.empty())
    scene_names =
        with_libraries ? Names(library_scenes.begin(), library_scenes.end()) : Names{"lattice"};
  if (method_names.empty() && !with_libraries) method_names = {"all"};
  if (method_names.empty())
    std::ranges::copy_if(library_methods, std::back_inserter(method_names),
                         [](const std::string& name) { return find_method(name).has_value(); });
  for (const std::string& name : method_names)
    (with_libraries && is_library(name) ? libraries_ : own_methods_).push_back(name);
  if (with_libraries && libraries_.empty())
    for (const auto& info : libraries<3>()) libraries_.emplace_back(info.name);
}

// Throws `Error` for invalid options before anything is measured.
void Bench::check() const {
  if (with_libraries && libraries<3>().empty())
    throw Error(
        "--libraries: this program was built without the other libraries; run bench/library_bench "
        "to install them, build and measure");
  for (const std::string& scene : scene_names)
    (void)make_scene<2>(generator(scene), arguments.options("0"));
  for (const std::string& count : counts)
    (void)parse_methods(own_methods_, arguments.options(count).count);
  if (!(motion >= 0 && motion <= 1e6))
    throw Error(fmt::format("--motion = {}: must be in [0, 1e6] (diameters)", motion));
  if (stream_pairs && with_libraries)
    throw Error(
        "--stream: must not be combined with --libraries; the other libraries store their pairs");
  if (!plot.empty()) check_gnuplot();
  if (!with_instructions) return;
  if (std::ranges::find(threads, 1U) == threads.end())
    throw Error(fmt::format("--threads = {}: must include 1, which --instructions measures",
                            threads.front()));
  (void)parse_count("--instructions", max_counted);
  check_valgrind();
}

template <std::size_t D>
std::vector<MethodRun<D>> Bench::method_runs(const Measurement& scene, double displacement) const {
  std::vector<MethodRun<D>> all;
  const auto add = [&](std::string_view name, unsigned thread_count,
                       std::unique_ptr<BenchMethod<D>> method) {
    Measurement measurement = scene;
    measurement.method = name;
    measurement.threads = thread_count;
    all.emplace_back(std::move(measurement), std::move(method));
  };
  for (const Method method : parse_methods(own_methods_, scene.count))
    for (const unsigned thread_count : threads)
      add(method_info(method).name, thread_count,
          std::make_unique<AbutMethod<D>>(
              DetectorOptions<D>{.method = method, .threads = thread_count}, displacement > 0,
              stream_pairs));
  for (const LibraryInfo<D>& info : libraries<D>()) {
    if (std::ranges::find(libraries_, info.name) == libraries_.end()) continue;
    const std::vector<unsigned> thread_counts = info.is_parallel ? threads : std::vector{1U};
    for (const unsigned thread_count : thread_counts)
      add(info.name, thread_count,
          std::make_unique<LibraryMethod<D>>(info.make(thread_count),
                                             info.updates_in_place && displacement > 0));
  }
  return all;
}

void Bench::report_mismatch(const Measurement& measurement,
                            const std::optional<std::string>& mismatch) {
  if (!mismatch) return;
  fmt::print(stderr, "abut: {} {}D, {} particles: {}\n", measurement.scene, measurement.dimension,
             measurement.count, *mismatch);
  all_match_ = false;
}

template <std::size_t D>
void Bench::compare_pairs(const std::vector<MethodRun<D>>& all, PairCheck& check) {
  check.reset();
  for (const MethodRun<D>& method_run : all)
    if (!method_run.is_skipped())
      report_mismatch(method_run.measurement(),
                      check.mismatch(method_run.measurement().method, method_run.pairs()));
}

template <std::size_t D>
void Bench::measure(const std::string& scene_name, const std::string& count) {
  ProgressBar bar(fmt::format("{} {}D, {}", scene_name, D, count));
  Scene<D> scene = make_scene<D>(generator(scene_name), arguments.options(count));
  const double displacement = motion_of(scene_name);  // in diameters
  const Spheres<D> particles = scene.view();
  auto all =
      method_runs<D>({.scene = scene_name, .count = scene.size(), .dimension = D}, displacement);
  PairCheck check(scene.size());

  const auto total = static_cast<double>(all.size()) * (repeat + 2);
  double steps = 0;
  for (auto& method_run : all) {
    method_run.warm_up(particles);
    if (with_libraries && !method_run.is_skipped())
      report_mismatch(method_run.measurement(),
                      check.mismatch(method_run.measurement().method, method_run.pairs()));
    method_run.free_pairs();
    bar.set_fraction(++steps / total);
  }
  for (int round = 0; round <= repeat; ++round) {
    if (displacement > 0)
      perturb(scene, displacement * arguments.diameter(), static_cast<unsigned>(round));
    for (auto& method_run : all) {
      if (!method_run.is_skipped()) method_run.time(particles);
      bar.set_fraction(++steps / total);
    }
  }
  std::optional<double> sort_seconds;
  if (with_libraries) {
    compare_pairs(all, check);
    const auto first = std::ranges::find_if(all, [](const auto& r) { return !r.is_skipped(); });
    if (first != all.end()) sort_seconds = check.seconds_to_sort(first->pairs(), repeat);
  }
  for (auto& method_run : all) {
    Measurement& measurement = method_run.finish();
    measurement.sort_seconds = sort_seconds;
    if (with_instructions) measurement.instructions = instructions_of(measurement);
    measurements_.push_back(measurement);
  }
}

// Runs this program with --count-one under valgrind. Empty for other libraries, for more than one
// thread, and for more particles than --instructions allows, since valgrind is slow.
std::optional<std::uint64_t> Bench::instructions_of(const Measurement& measurement) const {
  if (!measurement.skip_reason.empty() || measurement.threads != 1 ||
      !find_method(measurement.method) ||
      measurement.count > parse_count("--instructions", max_counted))
    return {};
  Names words{"bench",     "--count-one",
              "--scene",   measurement.scene,
              "--n",       std::to_string(measurement.count),
              "--dim",     std::to_string(measurement.dimension),
              "--methods", measurement.method,
              "--motion",  fmt::format("{}", motion)};
  const Names scene_words = arguments.command_line_words();
  words.insert(words.end(), scene_words.begin(), scene_words.end());
  return count_instructions(words);
}

// --count-one: counts the instructions of one search, after rounds that allocate memory and build
// the structures that persist between searches.
template <std::size_t D>
void Bench::search_under_valgrind() const {
  constexpr unsigned warm_up_rounds = 3;
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
  const double displacement = motion_of(scene_names.front());
  for (unsigned round = 0; round < warm_up_rounds; ++round) {
    find(&search);
    search.method.cool_down();
    if (displacement > 0) perturb(scene, displacement * arguments.diameter(), round);
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
        "All methods search the same arrays in turn; times are medians. A search is timed from the "
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
    "All methods search the same arrays in turn; times are medians. A search is timed from the\n"
    "caller's arrays to all pairs in memory, each once, unsorted. 'all' omits brute force above\n"
    "20000 particles. Published methods that reuse an order from search to search (mr) do so;\n"
    "the engine starts from scratch unless --motion is given.\n"
    "--libraries adds nanoflann, embree, boost_rtree, cgal and bullet, which may also be named in\n"
    "--methods. They rebuild their structures in every run; for moving particles, bullet updates\n"
    "its tree instead. Their candidates are tested by abut's contact predicate, and all methods\n"
    "must find the same pairs, otherwise the exit status is 1. 'pair sort' is the additional time\n"
    "to sort the pairs, which is the same for all methods. Libraries without multithreading run\n"
    "on one thread only.\n"
    "Example: abut bench --scene lattice,random --n 2e5,1e6 --methods nbs,screening --json";

}  // namespace

Command bench_command(CLI::App& program) {
  Arguments app(program, "bench", "Time contact detection on generated scenes");
  app.footer(explanation);
  auto bench = std::make_shared<Bench>();
  app.add_option("--scene", bench->scene_names,
                 "Scenes, see abut scene --help; 'moving' is random with --motion 0.01 "
                 "(default: lattice; with --libraries: six scenes)")
      .metavar("NAME")
      .comma_separated();
  app.add_option("--n", bench->counts, "Numbers of particles, such as 2e5,1e6 (default: 1e5)")
      .metavar("N")
      .comma_separated();
  app.add_option("--dim", bench->dimensions, "Dimensions: 2, 3 or 2,3 (default: 3)")
      .metavar("D")
      .comma_separated()
      .one_of({2, 3});
  app.add_option("--methods", bench->method_names,
                 "Methods, or all (default: all; with --libraries: the fastest and every library)")
      .metavar("NAME")
      .comma_separated();
  app.add_option("--threads", bench->threads, "Numbers of threads; 0: all cores (default: 1)")
      .metavar("N")
      .range(0, max_threads)
      .comma_separated();
  app.add_option("--repeat", bench->repeat, "Number of timed runs of each method (default: 5)")
      .metavar("N")
      .range(1, 1000);
  app.add_option("--motion", bench->motion,
                 "Largest displacement before each run, along each axis, in diameters (default: 0)")
      .metavar("X");
  app.add_flag("--stream", bench->stream_pairs, "Count the pairs without storing them");
  app.add_flag("--libraries", bench->with_libraries,
               "Also measure other libraries (see bench/library_bench)");
  Argument counting =
      app.add_option("--instructions", bench->max_counted,
                     "Count instructions of abut's methods with valgrind, for scenes of up to N "
                     "particles (default: 1e5)")
          .metavar("[N]");
  counting.expected(0, 1);
  app.add_flag("--csv", bench->csv, "Print comma-separated values instead of the table");
  app.add_flag("--json", bench->json, "Print an array of JSON objects instead of the table")
      .excludes("--csv");
  app.add_flag("--markdown", bench->markdown, "Print Markdown tables")
      .excludes("--csv")
      .excludes("--json");
  app.add_option("--out", bench->out, "File for the results (default: standard output)")
      .metavar("FILE");
  app.add_option("--plot", bench->plot, "Also write an SVG plot of ns/particle over n")
      .metavar("FILE");
  bench->html.add_to(app);
  app.add_flag("--count-one", bench->single_search, "Run one search; used by --instructions")
      .hidden();
  bench->arguments.add_to(app);
  return {app, [bench, counting] {
            bench->with_instructions = counting.is_given();
            if (bench->max_counted.empty()) bench->max_counted = "1e5";  // given without a number
            return bench->run();
          }};
}

}  // namespace abut
