#include <fmt/core.h>

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "bench/bench_commands.hpp"
#include "bench/bench_options.hpp"
#include "bench/dem_programs.hpp"
#include "bench/dem_result.hpp"
#include "bench/dem_scenes.hpp"
#include "bench/measurement.hpp"
#include "cli/terminal.hpp"
#include "io/lammps_data.hpp"
#include "io/output_file.hpp"

namespace abut {
namespace {

constexpr std::array<std::size_t, 4> energy_steps{100, 200, 300, 1000};

// Relative to LAMMPS. Rotational energies are compared where spheres flow: at rest they are small
// and depend on details of the friction.
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
  bool with_lammps = false;
  bool without_yade = false;
  bool markdown = false;
  std::string scene = "settled";
  std::string input;
  std::uint32_t frozen_type = 0;
  std::string out;
  BenchOptions options{.repeat = 5};

  int run();

 private:
  void check();
  void check_scene();
  void check_programs();
  [[nodiscard]] DemScene prepared_scene(const DemSceneOptions& scene_options) const;
  [[nodiscard]] std::vector<DemBenchRun> bench_runs(const DemScene& prepared,
                                                    const std::string& name,
                                                    const std::string& folder) const;
  [[nodiscard]] std::vector<DemMeasurement> measure(const DemScene& prepared,
                                                    const std::string& name,
                                                    const std::string& folder) const;
  [[nodiscard]] std::vector<std::vector<DemMeasurement>> measure_all(
      const std::string& folder) const;

  std::size_t steps_ = 0;
  DemSceneKind kind_ = DemSceneKind::settled;
  std::vector<std::size_t> counts_;
  std::vector<bool> frictions_;
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

// Name of the files of a scene. `what` distinguishes its particles.
std::string file_name(DemSceneKind kind, bool has_friction, const std::string& what) {
  return fmt::format("{}-{}-{}", name_of(kind), has_friction ? "friction" : "frictionless", what);
}

std::string file_name(const DemSceneOptions& options) {
  return file_name(options.kind, options.has_friction,
                   fmt::format("{}-{}", options.count, options.seed));
}

// Runs a few particles of the scene, so that memory that does not grow with their number (code of
// the kernels, stacks of the threads) is in use.
void load_code(const DemScene& scene, unsigned threads) {
  constexpr std::size_t sample = 100;
  const SceneParticles& all = scene.particles;
  DemScene few{scene.kind, scene.model, scene.walls, {}, scene.box};
  const auto add = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(begin + sample, end); ++i)
      few.particles.add({all.spheres.coordinates[0][i], all.spheres.coordinates[1][i],
                         all.spheres.coordinates[2][i]},
                        all.spheres.radii[i]);
  };
  add(0, all.fixed_count);
  few.particles.fixed_count = few.particles.size();
  add(all.fixed_count, all.size());
  simulation_of(few, threads).advance(2);
}

// Only the steps are timed, not the computation of the energies between them.
DemRunResult run_abut(const DemScene& scene, std::size_t steps, unsigned threads) {
  load_code(scene, threads);
  const std::size_t bytes_before = PeakMemory().bytes();
  Simulation3 simulation = simulation_of(scene, threads);
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
    const Energy energy = simulation.energy();
    result.energies.push_back({step, energy.kinetic, energy.rotational});
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
  check_scene();
  check_programs();
}

void BenchDem::check_scene() {
  kind_ = parse_dem_scene(scene);
  if (frozen_type != 0 && input.empty())
    throw Error("--frozen: needs --input FILE, whose atoms of this type are fixed");
  if (frictionless && kind_ != DemSceneKind::settled)
    throw Error(fmt::format("--frictionless: --scene {} has friction; use --scene settled", scene));
  for (const bool has_friction : {false, true})
    if (has_friction ? friction || !frictionless
                     : kind_ == DemSceneKind::settled && (frictionless || !friction))
      frictions_.push_back(has_friction);
}

void BenchDem::check_programs() {
  if (!with_lammps && !options.with_libraries) return;
  const char* option = with_lammps ? "--lammps" : "--libraries";
  if (!lammps_supports(kind_))
    throw Error(
        fmt::format("{}: LAMMPS is not compared with --scene {}; use --scene settled, "
                    "chute or polydisperse",
                    option, scene));
  if (!has_lammps())
    throw Error(fmt::format(
        "{}: LAMMPS (lmp) is not installed; run bench/dem to install it and measure", option));
  with_mpi_ = has_mpi();
  if (!with_mpi_)
    fmt::print(stderr, "abut: mpirun is not installed; LAMMPS runs on one core only\n");
  if (!options.with_libraries || without_yade || kind_ != DemSceneKind::settled) return;
  with_yade_ = has_yade();
  if (!with_yade_) fmt::print(stderr, "abut: YADE is not installed; it is not measured\n");
}

// Reads the particles from the output folder if an earlier benchmark has stored them there.
DemScene BenchDem::prepared_scene(const DemSceneOptions& scene_options) const {
  const std::string path =
      (std::filesystem::path(out) / (file_name(scene_options) + ".abut")).string();
  DemScene prepared = dem_scene(scene_options);
  if (!out.empty() && std::filesystem::exists(path)) {
    read_scene_state(path, prepared);
    return prepared;
  }
  ProgressBar bar(fmt::format("preparing {} spheres", prepared.particles.size()));
  prepare(prepared, bar.callback());
  if (!out.empty()) write_scene_state(path, prepared);
  return prepared;
}

// The skin with which LAMMPS is fastest on one core.
double best_skin(const std::string& lammps_input, DemSceneKind kind, std::size_t step_count) {
  const std::vector<double> skins = lammps_skins(kind);
  ProgressBar bar("trying skins of LAMMPS");
  std::vector<double> times;
  for (const double skin : skins) {
    times.push_back(Lammps(lammps_input, skin, 1).run(step_count).seconds);
    bar.set_fraction(static_cast<double>(times.size()) / static_cast<double>(skins.size()));
  }
  return skins[static_cast<std::size_t>(std::ranges::min_element(times) - times.begin())];
}

std::vector<DemBenchRun> BenchDem::bench_runs(const DemScene& prepared, const std::string& name,
                                              const std::string& folder) const {
  std::vector<DemBenchRun> all;
  const auto add = [&](std::string program, DemProgramKind kind, unsigned cores,
                       std::function<DemRunResult()> run_once) {
    all.push_back({{.scene = scene,
                    .name = std::move(program),
                    .kind = kind,
                    .cores = cores,
                    .particles = prepared.particles.size(),
                    .has_friction = prepared.has_friction(),
                    .steps = steps_},
                   std::move(run_once)});
  };
  for (const unsigned thread_count : threads)
    add("abut", DemProgramKind::abut, thread_count, [&prepared, thread_count, count = steps_] {
      return run_abut(prepared, count, thread_count);
    });
  if (!with_lammps && !options.with_libraries) return all;
  const std::string lammps_input = write_lammps(folder, name, prepared);
  const auto add_lammps = [&](double skin, unsigned cores) {
    add(fmt::format("LAMMPS, skin {}", skin), DemProgramKind::lammps, cores,
        [lammps = Lammps(lammps_input, skin, cores), count = steps_] { return lammps.run(count); });
  };
  std::vector<double> skins = lammps_skins(kind_);
  double skin_on_several_cores = skins[1];
  if (with_lammps) {
    skin_on_several_cores = best_skin(lammps_input, kind_, steps_);
    skins = {skin_on_several_cores};
  }
  for (const double skin : skins) add_lammps(skin, 1);
  for (const unsigned cores : threads)
    if (cores > 1 && with_mpi_) add_lammps(skin_on_several_cores, cores);
  if (with_yade_)
    add("YADE", DemProgramKind::yade, 1,
        [yade = Yade(write_yade(folder, name, prepared)), count = steps_] {
          return yade.run(count);
        });
  return all;
}

std::vector<DemMeasurement> BenchDem::measure(const DemScene& prepared, const std::string& name,
                                              const std::string& folder) const {
  std::vector<DemBenchRun> all = bench_runs(prepared, name, folder);
  options.interleave(all.size(), [&](std::size_t i, bool is_counted) {
    all[i].result.add(all[i].run_once(), is_counted);
  });
  std::vector<DemMeasurement> results;
  results.reserve(all.size());
  for (DemBenchRun& bench_run : all) results.push_back(std::move(bench_run.result));
  return results;
}

std::vector<std::vector<DemMeasurement>> BenchDem::measure_all(const std::string& folder) const {
  std::vector<std::vector<DemMeasurement>> scenes;
  if (!input.empty()) {
    const LammpsData data = read_lammps_data(input);
    const auto frozen = frozen_type == 0 ? std::nullopt : std::optional(frozen_type);
    for (const bool has_friction : frictions_)
      scenes.push_back(measure(dem_scene(data, kind_, has_friction, frozen),
                               file_name(kind_, has_friction, "input"), folder));
    return scenes;
  }
  for (const std::size_t count : counts_)
    for (const bool has_friction : frictions_) {
      const DemSceneOptions scene_options{kind_, count, has_friction, options.seed};
      scenes.push_back(measure(prepared_scene(scene_options), file_name(scene_options), folder));
    }
  return scenes;
}

int BenchDem::run() {
  check();
  options.html.open();
  const TemporaryFolder temporary;
  const OutputFolder folder(out.empty() ? temporary.path() : out);
  const std::vector<std::vector<DemMeasurement>> scenes = measure_all(folder.path_of(""));
  fmt::print("{}", dem_report(scenes, options.json ? DemFormat::json
                                      : markdown   ? DemFormat::markdown
                                                   : DemFormat::text));
  if (options.html.is_requested())
    options.html.write(
        "Spheres with linear spring-dashpot contacts, without friction or with history-dependent "
        "friction. All programs run in turn from the same positions and velocities.",
        dem_sections(scenes));
  int status = exit_success;
  for (const auto& results : scenes) {
    const EnergyDifference difference = energy_difference(results).value_or(EnergyDifference{});
    const auto check_difference = [&](const char* energies, double value) {
      if (value <= max_energy_difference) return;
      fmt::print(stderr, "abut: {}, {} particles, {}: {} energies differ from LAMMPS by {:.2g} %\n",
                 scene, results.front().particles,
                 results.front().has_friction ? "friction" : "frictionless", energies, 100 * value);
      status = exit_mismatch;
    };
    check_difference("kinetic", difference.kinetic);
    if (kind_ == DemSceneKind::chute) check_difference("rotational", difference.rotational);
  }
  return status;
}

}  // namespace

Command bench_dem_command(CLI::App& program) {
  Arguments app(program, "bench-dem", "Time simulation steps");
  app.footer(
      "Spheres with linear spring-dashpot contacts. Scenes (lengths in diameters of the smallest\n"
      "sphere):\n"
      "  settled       diameters 1 to 1.05, at rest in a box under gravity, without friction and\n"
      "                with history-dependent friction; the other scenes have friction\n"
      "  chute         flow over a rough base inclined by 26 degrees, periodic in x and y\n"
      "  silo          discharge from a cylinder with a conical hopper\n"
      "  drum          rotating cylinder with end caps, less than half full\n"
      "  polydisperse  diameters 1 to 4, at rest in a box under gravity\n"
      "All programs run in turn from the same positions and velocities. M particle-steps/s is the\n"
      "median of particles * steps / wall-clock time, in millions. --input takes the particles "
      "from\n"
      "a LAMMPS data file of atom_style sphere, also gzipped; --scene then gives contact law,\n"
      "gravity and time step, and the box of the file the walls or periodic boundaries.\n"
      "--lammps adds LAMMPS with the fastest of several skin distances; --libraries adds LAMMPS\n"
      "with every one of them, and YADE (--scene settled) if it is installed. Neither is possible\n"
      "with silo and drum. Exit status 1 if kinetic energies (chute: also rotational ones) after\n"
      "100, 200, 300 or 1000 steps differ from those of LAMMPS by more than 2 %. --out stores the\n"
      "prepared particles for later benchmarks.\n"
      "Examples: abut bench-dem --n 2e4 --friction\n"
      "          abut bench-dem --scene chute --lammps\n"
      "          abut bench-dem --scene chute --input chute.data.gz --frozen 2 --steps 1000");
  auto bench = std::make_shared<BenchDem>();
  app.add_option("--scene", bench->scene,
                 "settled, chute, silo, drum or polydisperse (default: settled)")
      .metavar("SCENE");
  app.add_option("--n", bench->counts,
                 "Numbers of moving spheres, such as 2e4,1.8e5 (default: 2e4)")
      .metavar("N")
      .comma_separated();
  app.add_option("--input", bench->input, "LAMMPS data file with the particles, instead of --n")
      .metavar("FILE")
      .excludes("--n");
  app.add_option("--frozen", bench->frozen_type, "Atom type of --input that is fixed")
      .metavar("TYPE")
      .range(1, 2147483647);
  app.add_option("--steps", bench->steps, "Number of steps of each run (default: 300)")
      .metavar("N");
  app.add_option("--threads", bench->threads, "Numbers of threads (default: 1,2)")
      .metavar("N")
      .comma_separated()
      .range(1, max_threads);
  app.add_flag("--frictionless", bench->frictionless, "Only without friction (default: both)");
  app.add_flag("--friction", bench->friction, "Only with friction (default: both)");
  app.add_flag("--lammps", bench->with_lammps, "Also measure LAMMPS with its fastest skin");
  app.add_flag("--no-yade", bench->without_yade, "Omit YADE, which is slow");
  app.add_flag("--markdown", bench->markdown, "Print Markdown tables");
  app.add_option("--out", bench->out,
                 "Folder for prepared particles and input files of the other programs")
      .metavar("DIR");
  bench->options.add_to(app, "LAMMPS and YADE", "bench/dem");
  app.get_option("--json").excludes("--markdown");
  app.get_option("--libraries").excludes("--lammps");
  return {app, [bench] { return bench->run(); }};
}

}  // namespace abut
