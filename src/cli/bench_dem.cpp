#include <fmt/core.h>

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>

#include "cli/command.hpp"
#include "cli/dem_report.hpp"
#include "cli/lammps.hpp"
#include "cli/peak_memory.hpp"
#include "cli/settled_box.hpp"
#include "cli/turns.hpp"
#include "cli/units.hpp"
#include "cli/yade.hpp"
#include "io/output_folder.hpp"

namespace abut {
namespace {

constexpr std::array lammps_skins{0.02, 0.05, 0.1};
constexpr std::array<std::size_t, 3> compared_steps{100, 200, 300};
constexpr double largest_difference = 0.02;

struct DemContestant {
  DemResult result;
  std::function<DemTurn()> turn;
};

struct BenchDem {
  std::vector<std::string> counts{"2e4"};
  std::string steps = "300";
  std::vector<unsigned> threads{1, 2};
  bool rough = false;
  bool smooth = false;
  bool without_yade = false;
  bool markdown = false;
  std::string out;
  TurnArguments turns{.repeat = 5};

  int run();

 private:
  void check();
  [[nodiscard]] SettledBox settled(const BoxPlan& plan) const;
  [[nodiscard]] std::vector<DemContestant> contestants(const SettledBox& box, const BoxPlan& plan,
                                                       const std::string& folder) const;
  [[nodiscard]] std::vector<DemResult> measure(const BoxPlan& plan,
                                               const std::string& folder) const;

  std::size_t steps_ = 0;
  std::vector<std::size_t> counts_;
  bool with_mpi_ = false;
  bool with_yade_ = false;
};

/// A folder that is gone at the end.
class PassingFolder {
 public:
  PassingFolder() : path_((std::filesystem::temp_directory_path() / "abut-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) throw Error("cannot make the folder " + path_);
  }
  ~PassingFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string name_of(const BoxPlan& plan) {
  return fmt::format("settled-{}-{}-{}", plan.rough ? "rough" : "smooth", plan.count, plan.seed);
}

// Energies are taken between steps that are timed, and not timed themselves.
DemTurn run_ours(const SettledBox& box, std::size_t steps, unsigned threads) {
  const std::size_t before = PeakMemory().bytes();
  Simulation3 run = simulation_of(box, threads);
  const PeakMemory peak;  // not of what was needed to hand the particles over
  DemTurn turn;
  const auto advance_to = [&](std::size_t step) {
    const Stopwatch watch;
    run.advance(step - run.step());
    turn.seconds += watch.seconds();
  };
  run.advance(1);  // what is done once, and by others before they begin to count
  for (const std::size_t step : compared_steps) {
    if (step > steps) break;
    advance_to(step);
    turn.energies.push_back({step, run.energy().moving});
  }
  advance_to(steps + 1);
  turn.parts = run.times();
  turn.bytes = std::max(peak.bytes(), before) - before;
  return turn;
}

void BenchDem::check() {
  steps_ = count_from("--steps", steps);
  if (steps_ == 0) throw Error("--steps = 0: there is nothing to measure");
  for (const std::string& count : counts) {
    counts_.push_back(count_from("--n", count));
    if (counts_.back() == 0) throw Error("--n = 0: there is nothing to measure");
  }
  if (!turns.with_peers) return;
  if (!has_lammps())
    throw Error("--peers: LAMMPS (lmp) is not installed; bench/dem installs it and measures");
  with_mpi_ = has_mpi();
  with_yade_ = !without_yade && has_yade();
  if (!with_mpi_) fmt::print(stderr, "abut: no mpirun, so LAMMPS runs on one core only\n");
  if (!with_yade_ && !without_yade)
    fmt::print(stderr, "abut: YADE is not installed and not measured\n");
}

// A box that was settled before is in the folder.
SettledBox BenchDem::settled(const BoxPlan& plan) const {
  const std::string path = (std::filesystem::path(out) / (name_of(plan) + ".abut")).string();
  if (!out.empty() && std::filesystem::exists(path)) return read_settled(path, plan);
  ProgressBar bar(fmt::format("settling {} spheres", plan.count));
  SettledBox box = settle(plan, bar.callback());
  if (!out.empty()) write_settled(path, box);
  return box;
}

std::vector<DemContestant> BenchDem::contestants(const SettledBox& box, const BoxPlan& plan,
                                                 const std::string& folder) const {
  std::vector<DemContestant> all;
  const auto add = [&](std::string name, DemKind kind, unsigned cores,
                       std::function<DemTurn()> turn) {
    all.push_back({{.name = std::move(name),
                    .kind = kind,
                    .cores = cores,
                    .particles = box.size(),
                    .rough = box.rough,
                    .steps = steps_},
                   std::move(turn)});
  };
  for (const unsigned number : threads)
    add("abut", DemKind::abut, number,
        [&box, number, count = steps_] { return run_ours(box, count, number); });
  if (!turns.with_peers) return all;
  const std::string input = write_lammps(folder, name_of(plan), box);
  const auto add_lammps = [&](double skin, unsigned cores) {
    add(fmt::format("LAMMPS, skin {}", skin), DemKind::lammps, cores,
        [peer = Lammps(input, skin, cores), count = steps_] { return peer.run(count); });
  };
  for (const double skin : lammps_skins) add_lammps(skin, 1);
  if (with_mpi_) add_lammps(lammps_skins[1], 2);
  if (with_yade_)
    add("YADE", DemKind::yade, 1,
        [peer = Yade(write_yade(folder, name_of(plan), box)), count = steps_] {
          return peer.run(count);
        });
  return all;
}

std::vector<DemResult> BenchDem::measure(const BoxPlan& plan, const std::string& folder) const {
  const SettledBox box = settled(plan);
  std::vector<DemContestant> all = contestants(box, plan, folder);
  turns.take_turns(all.size(), [&](std::size_t i, bool is_counted) {
    all[i].result.add(all[i].turn(), is_counted);
  });
  std::vector<DemResult> results;
  results.reserve(all.size());
  for (DemContestant& one : all) results.push_back(std::move(one.result));
  return results;
}

int BenchDem::run() {
  check();
  turns.page.open();
  const PassingFolder passing;
  const OutputFolder folder(out.empty() ? passing.path() : out);
  std::vector<std::vector<DemResult>> boxes;
  for (const std::size_t count : counts_)
    for (const bool is_rough : {false, true})
      if (is_rough ? rough || !smooth : smooth || !rough)
        boxes.push_back(measure({count, is_rough, turns.seed}, folder.file("")));
  fmt::print("{}", dem_report(boxes, turns.json ? DemFormat::json
                                     : markdown ? DemFormat::markdown
                                                : DemFormat::text));
  if (turns.page.is_wanted())
    turns.page.write(
        "Spheres of diameters from 1 to 1.05, at rest in a box under their weight, with springs "
        "and "
        "dashpots: smooth ones, and rough ones with friction and its history. All take turns from "
        "the same places and velocities.",
        dem_sections(boxes));
  int status = done;
  for (const auto& results : boxes) {
    const double differ = energy_difference(results).value_or(0);
    if (differ <= largest_difference) continue;
    fmt::print(stderr, "abut: {} particles, {}: kinetic energies differ from LAMMPS by {:.2g} %\n",
               results.front().particles, results.front().rough ? "rough" : "smooth", 100 * differ);
    status = differs;
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
      "--peers adds LAMMPS, with three distances up to which it keeps pairs, and YADE where it is\n"
      "installed; if kinetic energies differ from those of LAMMPS after 100, 200 or 300 steps by\n"
      "more than 2 %, the status is 1. --out keeps the settled boxes, so that they are settled\n"
      "once.\n"
      "Example: abut bench-dem --n 2e4 --rough");
  auto bench = std::make_shared<BenchDem>();
  app.add_option("--n", bench->counts, "numbers of spheres, as 2e4,1.8e5 [2e4]").comma_separated();
  app.add_option("--steps", bench->steps, "steps of each run [300]");
  app.add_option("--threads", bench->threads, "numbers of threads [1,2]")
      .comma_separated()
      .between(1, 1024);
  app.add_flag("--smooth", bench->smooth, "only without friction [both]");
  app.add_flag("--rough", bench->rough, "only with friction and its history [both]");
  app.add_flag("--no-yade", bench->without_yade, "leave out YADE, which takes its time");
  app.add_flag("--markdown", bench->markdown, "tables for a document");
  app.add_option("--out", bench->out, "folder for settled boxes and files of the others");
  bench->turns.add_to(app, "LAMMPS and YADE", "bench/dem");
  app.get_option("--json").excludes("--markdown");
  return {app, [bench] { return bench->run(); }};
}

}  // namespace abut
