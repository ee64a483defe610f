#include <fmt/core.h>

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>

#include "bench/bench_commands.hpp"
#include "bench/bench_options.hpp"
#include "bench/dem_programs.hpp"
#include "bench/dem_result.hpp"
#include "bench/measurement.hpp"
#include "bench/settled_packing.hpp"
#include "cli/terminal.hpp"
#include "io/output_file.hpp"

namespace abut {
namespace {

constexpr std::array lammps_skins{0.02, 0.05, 0.1};
constexpr std::array<std::size_t, 3> energy_steps{100, 200, 300};
constexpr double max_energy_difference = 0.02;  // relative to LAMMPS

struct DemBenchRun {
  DemMeasurement result;
  std::function<DemRunResult()> run_once;
};

struct BenchDem {
  std::vector<std::string> counts{"2e4"};
  std::string steps = "300";
  std::vector<unsigned> threads{1, 2};
  bool friction = false;
  bool frictionless = false;
  bool without_yade = false;
  bool markdown = false;
  std::string out;
  BenchOptions options{.repeat = 5};

  int run();

 private:
  void check();
  [[nodiscard]] SettledPacking settled_packing(const PackingOptions& packing_options) const;
  [[nodiscard]] std::vector<DemBenchRun> bench_runs(const SettledPacking& packing,
                                                    const PackingOptions& packing_options,
                                                    const std::string& folder) const;
  [[nodiscard]] std::vector<DemMeasurement> measure(const PackingOptions& packing_options,
                                                    const std::string& folder) const;

  std::size_t steps_ = 0;
  std::vector<std::size_t> counts_;
  bool with_mpi_ = false;
  bool with_yade_ = false;
};

/// A temporary folder, deleted by the destructor.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "abut-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) throw Error("cannot create the folder " + path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string name_of(const PackingOptions& options) {
  return fmt::format("settled-{}-{}-{}", options.has_friction ? "friction" : "frictionless",
                     options.count, options.seed);
}

// Only the steps are timed, not the computation of the energies between them.
DemRunResult run_abut(const SettledPacking& packing, std::size_t steps, unsigned threads) {
  const std::size_t bytes_before = PeakMemory().bytes();
  Simulation3 simulation = simulation_of(packing, threads);
  const PeakMemory peak;  // excludes memory needed only while the particles were added
  DemRunResult result;
  const auto advance_to = [&](std::size_t step) {
    const Stopwatch watch;
    simulation.advance(step - simulation.step());
    result.seconds += watch.seconds();
  };
  simulation.advance(1);  // not timed: the other programs do not time their initialization either
  for (const std::size_t step : energy_steps) {
    if (step > steps) break;
    advance_to(step);
    result.kinetic_energies.push_back({step, simulation.energy().kinetic});
  }
  advance_to(steps + 1);
  result.timings = simulation.timings();
  result.bytes = std::max(peak.bytes(), bytes_before) - bytes_before;
  return result;
}

void BenchDem::check() {
  steps_ = parse_count("--steps", steps);
  if (steps_ == 0) throw Error("--steps = 0: must be at least 1");
  for (const std::string& count : counts) {
    counts_.push_back(parse_count("--n", count));
    if (counts_.back() == 0) throw Error("--n = 0: must be at least 1");
  }
  if (!options.with_libraries) return;
  if (!has_lammps())
    throw Error(
        "--libraries: LAMMPS (lmp) is not installed; run bench/dem to install it and measure");
  with_mpi_ = has_mpi();
  with_yade_ = !without_yade && has_yade();
  if (!with_mpi_)
    fmt::print(stderr, "abut: mpirun is not installed; LAMMPS runs on one core only\n");
  if (!with_yade_ && !without_yade)
    fmt::print(stderr, "abut: YADE is not installed; it is not measured\n");
}

// Reads the packing from the output folder if an earlier benchmark has stored it there.
SettledPacking BenchDem::settled_packing(const PackingOptions& packing_options) const {
  const std::string path =
      (std::filesystem::path(out) / (name_of(packing_options) + ".abut")).string();
  if (!out.empty() && std::filesystem::exists(path)) return read_packing(path, packing_options);
  ProgressBar bar(fmt::format("settling {} spheres", packing_options.count));
  SettledPacking packing = settle_packing(packing_options, bar.callback());
  if (!out.empty()) write_packing(path, packing);
  return packing;
}

std::vector<DemBenchRun> BenchDem::bench_runs(const SettledPacking& packing,
                                              const PackingOptions& packing_options,
                                              const std::string& folder) const {
  std::vector<DemBenchRun> all;
  const auto add = [&](std::string name, DemProgramKind kind, unsigned cores,
                       std::function<DemRunResult()> run_once) {
    all.push_back({{.name = std::move(name),
                    .kind = kind,
                    .cores = cores,
                    .particles = packing.size(),
                    .has_friction = packing.has_friction,
                    .steps = steps_},
                   std::move(run_once)});
  };
  for (const unsigned thread_count : threads)
    add("abut", DemProgramKind::abut, thread_count, [&packing, thread_count, count = steps_] {
      return run_abut(packing, count, thread_count);
    });
  if (!options.with_libraries) return all;
  const std::string input = write_lammps(folder, name_of(packing_options), packing);
  const auto add_lammps = [&](double skin, unsigned cores) {
    add(fmt::format("LAMMPS, skin {}", skin), DemProgramKind::lammps, cores,
        [lammps = Lammps(input, skin, cores), count = steps_] { return lammps.run(count); });
  };
  for (const double skin : lammps_skins) add_lammps(skin, 1);
  if (with_mpi_) add_lammps(lammps_skins[1], 2);
  if (with_yade_)
    add("YADE", DemProgramKind::yade, 1,
        [yade = Yade(write_yade(folder, name_of(packing_options), packing)), count = steps_] {
          return yade.run(count);
        });
  return all;
}

std::vector<DemMeasurement> BenchDem::measure(const PackingOptions& packing_options,
                                              const std::string& folder) const {
  const SettledPacking packing = settled_packing(packing_options);
  std::vector<DemBenchRun> all = bench_runs(packing, packing_options, folder);
  options.interleave(all.size(), [&](std::size_t i, bool is_counted) {
    all[i].result.add(all[i].run_once(), is_counted);
  });
  std::vector<DemMeasurement> results;
  results.reserve(all.size());
  for (DemBenchRun& bench_run : all) results.push_back(std::move(bench_run.result));
  return results;
}

int BenchDem::run() {
  check();
  options.html.open();
  const TemporaryFolder temporary;
  const OutputFolder folder(out.empty() ? temporary.path() : out);
  std::vector<std::vector<DemMeasurement>> packings;
  for (const std::size_t count : counts_)
    for (const bool has_friction : {false, true})
      if (has_friction ? friction || !frictionless : frictionless || !friction)
        packings.push_back(measure({count, has_friction, options.seed}, folder.path_of("")));
  fmt::print("{}", dem_report(packings, options.json ? DemFormat::json
                                        : markdown   ? DemFormat::markdown
                                                     : DemFormat::text));
  if (options.html.is_requested())
    options.html.write(
        "Packings of spheres with diameters from 1 to 1.05, settled in a box under gravity, with "
        "linear spring-dashpot contacts, without friction and with history-dependent friction. All "
        "programs run in turn from the same positions and velocities.",
        dem_sections(packings));
  int status = exit_success;
  for (const auto& results : packings) {
    const double difference = energy_difference(results).value_or(0);
    if (difference <= max_energy_difference) continue;
    fmt::print(stderr, "abut: {} particles, {}: kinetic energies differ from LAMMPS by {:.2g} %\n",
               results.front().particles,
               results.front().has_friction ? "friction" : "frictionless", 100 * difference);
    status = exit_mismatch;
  }
  return status;
}

}  // namespace

Command bench_dem_command(CLI::App& program) {
  Arguments app(program, "bench-dem", "Time simulation steps");
  app.footer(
      "Packings of spheres with diameters from 1 to 1.05, settled in a box under gravity, with\n"
      "linear spring-dashpot contacts, without friction and with history-dependent friction. All\n"
      "programs run in turn from the same positions and velocities. M particle-steps/s is the\n"
      "median of particles * steps / wall-clock time, in millions.\n"
      "--libraries adds LAMMPS with three skin distances, and YADE if it is installed. Exit "
      "status\n"
      "1 if kinetic energies after 100, 200 or 300 steps differ from those of LAMMPS by more than\n"
      "2 %. --out stores the settled packings for later benchmarks.\n"
      "Example: abut bench-dem --n 2e4 --friction");
  auto bench = std::make_shared<BenchDem>();
  app.add_option("--n", bench->counts, "Numbers of spheres, such as 2e4,1.8e5 (default: 2e4)")
      .metavar("N")
      .comma_separated();
  app.add_option("--steps", bench->steps, "Number of steps of each run (default: 300)")
      .metavar("N");
  app.add_option("--threads", bench->threads, "Numbers of threads (default: 1,2)")
      .metavar("N")
      .comma_separated()
      .range(1, max_threads);
  app.add_flag("--frictionless", bench->frictionless, "Only without friction (default: both)");
  app.add_flag("--friction", bench->friction, "Only with friction (default: both)");
  app.add_flag("--no-yade", bench->without_yade, "Omit YADE, which is slow");
  app.add_flag("--markdown", bench->markdown, "Print Markdown tables");
  app.add_option("--out", bench->out,
                 "Folder for settled packings and input files of the other programs")
      .metavar("DIR");
  bench->options.add_to(app, "LAMMPS and YADE", "bench/dem");
  app.get_option("--json").excludes("--markdown");
  return {app, [bench] { return bench->run(); }};
}

}  // namespace abut
