#include <fmt/core.h>

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>

#include "bench/bench_options.hpp"
#include "bench/dem_programs.hpp"
#include "bench/dem_result.hpp"
#include "bench/measurement.hpp"
#include "bench/settled_packing.hpp"
#include "cli/command.hpp"
#include "cli/number_format.hpp"
#include "io/output_file.hpp"

namespace abut {
namespace {

constexpr std::array lammps_skins{0.02, 0.05, 0.1};
constexpr std::array<std::size_t, 3> energy_steps{100, 200, 300};
constexpr double max_energy_difference = 0.02;

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
  [[nodiscard]] SettledPacking settled_packing(const PackingOptions& plan) const;
  [[nodiscard]] std::vector<DemBenchRun> bench_runs(const SettledPacking& box,
                                                    const PackingOptions& plan,
                                                    const std::string& folder) const;
  [[nodiscard]] std::vector<DemMeasurement> measure(const PackingOptions& plan,
                                                    const std::string& folder) const;

  std::size_t steps_ = 0;
  std::vector<std::size_t> counts_;
  bool with_mpi_ = false;
  bool with_yade_ = false;
};

/// A folder that is gone at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "abut-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) throw Error("cannot make the folder " + path_);
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

std::string name_of(const PackingOptions& plan) {
  return fmt::format("settled-{}-{}-{}", plan.has_friction ? "rough" : "smooth", plan.count,
                     plan.seed);
}

// Energies are taken between steps that are timed, and not timed themselves.
DemRunResult run_abut(const SettledPacking& box, std::size_t steps, unsigned threads) {
  const std::size_t before = PeakMemory().bytes();
  Simulation3 run = simulation_of(box, threads);
  const PeakMemory peak;  // not of what was needed to hand the particles over
  DemRunResult turn;
  const auto advance_to = [&](std::size_t step) {
    const Stopwatch watch;
    run.advance(step - run.step());
    turn.seconds += watch.seconds();
  };
  run.advance(1);  // what is done once, and by others before they begin to count
  for (const std::size_t step : energy_steps) {
    if (step > steps) break;
    advance_to(step);
    turn.kinetic_energies.push_back({step, run.energy().kinetic});
  }
  advance_to(steps + 1);
  turn.timings = run.timings();
  turn.bytes = std::max(peak.bytes(), before) - before;
  return turn;
}

void BenchDem::check() {
  steps_ = parse_count("--steps", steps);
  if (steps_ == 0) throw Error("--steps = 0: there is nothing to measure");
  for (const std::string& count : counts) {
    counts_.push_back(parse_count("--n", count));
    if (counts_.back() == 0) throw Error("--n = 0: there is nothing to measure");
  }
  if (!options.with_libraries) return;
  if (!has_lammps())
    throw Error("--libraries: LAMMPS (lmp) is not installed; bench/dem installs it and measures");
  with_mpi_ = has_mpi();
  with_yade_ = !without_yade && has_yade();
  if (!with_mpi_) fmt::print(stderr, "abut: no mpirun, so LAMMPS runs on one core only\n");
  if (!with_yade_ && !without_yade)
    fmt::print(stderr, "abut: YADE is not installed and not measured\n");
}

// A box that was settled before is in the folder.
SettledPacking BenchDem::settled_packing(const PackingOptions& plan) const {
  const std::string path = (std::filesystem::path(out) / (name_of(plan) + ".abut")).string();
  if (!out.empty() && std::filesystem::exists(path)) return read_packing(path, plan);
  ProgressBar bar(fmt::format("settling {} spheres", plan.count));
  SettledPacking box = settle_packing(plan, bar.callback());
  if (!out.empty()) write_packing(path, box);
  return box;
}

std::vector<DemBenchRun> BenchDem::bench_runs(const SettledPacking& box, const PackingOptions& plan,
                                              const std::string& folder) const {
  std::vector<DemBenchRun> all;
  const auto add = [&](std::string name, DemProgramKind kind, unsigned cores,
                       std::function<DemRunResult()> turn) {
    all.push_back({{.name = std::move(name),
                    .kind = kind,
                    .cores = cores,
                    .particles = box.size(),
                    .has_friction = box.has_friction,
                    .steps = steps_},
                   std::move(turn)});
  };
  for (const unsigned number : threads)
    add("abut", DemProgramKind::abut, number,
        [&box, number, count = steps_] { return run_abut(box, count, number); });
  if (!options.with_libraries) return all;
  const std::string input = write_lammps(folder, name_of(plan), box);
  const auto add_lammps = [&](double skin, unsigned cores) {
    add(fmt::format("LAMMPS, skin {}", skin), DemProgramKind::lammps, cores,
        [peer = Lammps(input, skin, cores), count = steps_] { return peer.run(count); });
  };
  for (const double skin : lammps_skins) add_lammps(skin, 1);
  if (with_mpi_) add_lammps(lammps_skins[1], 2);
  if (with_yade_)
    add("YADE", DemProgramKind::yade, 1,
        [peer = Yade(write_yade(folder, name_of(plan), box)), count = steps_] {
          return peer.run(count);
        });
  return all;
}

std::vector<DemMeasurement> BenchDem::measure(const PackingOptions& plan,
                                              const std::string& folder) const {
  const SettledPacking box = settled_packing(plan);
  std::vector<DemBenchRun> all = bench_runs(box, plan, folder);
  options.interleave(all.size(), [&](std::size_t i, bool is_counted) {
    all[i].result.add(all[i].run_once(), is_counted);
  });
  std::vector<DemMeasurement> results;
  results.reserve(all.size());
  for (DemBenchRun& one : all) results.push_back(std::move(one.result));
  return results;
}

int BenchDem::run() {
  check();
  options.html.open();
  const TemporaryFolder passing;
  const OutputFolder folder(out.empty() ? passing.path() : out);
  std::vector<std::vector<DemMeasurement>> boxes;
  for (const std::size_t count : counts_)
    for (const bool is_rough : {false, true})
      if (is_rough ? friction || !frictionless : frictionless || !friction)
        boxes.push_back(measure({count, is_rough, options.seed}, folder.path_of("")));
  fmt::print("{}", dem_report(boxes, options.json ? DemFormat::json
                                     : markdown   ? DemFormat::markdown
                                                  : DemFormat::text));
  if (options.html.is_requested())
    options.html.write(
        "Spheres of diameters from 1 to 1.05, at rest in a box under their weight, with springs "
        "and "
        "dashpots: smooth ones, and rough ones with friction and its history. All take turns from "
        "the same places and velocities.",
        dem_sections(boxes));
  int status = exit_success;
  for (const auto& results : boxes) {
    const double differ = energy_difference(results).value_or(0);
    if (differ <= max_energy_difference) continue;
    fmt::print(stderr, "abut: {} particles, {}: kinetic energies differ from LAMMPS by {:.2g} %\n",
               results.front().particles, results.front().has_friction ? "rough" : "smooth",
               100 * differ);
    status = exit_mismatch;
  }
  return status;
}

}  // namespace

Command bench_dem_command(CLI::App& program) {
  Arguments app(program, "bench-dem", "Time the steps of a simulation");
  app.footer(
      "Spheres of diameters from 1 to 1.05, at rest in a box under their weight, with springs and\n"
      "dashpots: smooth ones, and rough ones with friction and its history. All take turns from\n"
      "the same places and velocities; M/s is million particles times steps a second, the median.\n"
      "--libraries adds LAMMPS, with three distances up to which it keeps pairs, and YADE where it "
      "is\n"
      "installed; if kinetic energies differ from those of LAMMPS after 100, 200 or 300 steps by\n"
      "more than 2 %, the status is 1. --out keeps the settled boxes, so that they are settled\n"
      "once.\n"
      "Example: abut bench-dem --n 2e4 --friction");
  auto bench = std::make_shared<BenchDem>();
  app.add_option("--n", bench->counts, "numbers of spheres, as 2e4,1.8e5 [2e4]").comma_separated();
  app.add_option("--steps", bench->steps, "steps of each run [300]");
  app.add_option("--threads", bench->threads, "numbers of threads [1,2]")
      .comma_separated()
      .range(1, 1024);
  app.add_flag("--frictionless", bench->frictionless, "only without friction [both]");
  app.add_flag("--friction", bench->friction, "only with friction and its history [both]");
  app.add_flag("--no-yade", bench->without_yade, "leave out YADE, which takes its time");
  app.add_flag("--markdown", bench->markdown, "tables for a document");
  app.add_option("--out", bench->out, "folder for settled boxes and files of the others");
  bench->options.add_to(app, "LAMMPS and YADE", "bench/dem");
  app.get_option("--json").excludes("--markdown");
  return {app, [bench] { return bench->run(); }};
}

}  // namespace abut
