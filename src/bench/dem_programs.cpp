#include "bench/dem_programs.hpp"

#include <fmt/core.h>

#include <abut/error.hpp>
#include <algorithm>
#include <filesystem>
#include <sstream>

#include "io/output_file.hpp"
#include "io/system.hpp"

namespace abut {
namespace {

void write_data(const std::string& path, const SettledPacking& box) {
  // Nothing rises above the highest by more than the room that is left here.
  const double top = *std::ranges::max_element(box.coordinates[2]) + 10;
  OutputFile file(path);
  file << fmt::format("settled\n\n{} atoms\n1 atom types\n", box.size());
  file << fmt::format("0 {0} xlo xhi\n0 {0} ylo yhi\n0 {1} zlo zhi\n", box.width, top);
  file << "\nAtoms # sphere\n\n";
  for (std::size_t i = 0; i < box.size(); ++i)
    file << fmt::format("{} 1 {} {} {} {} {}\n", i + 1, 2 * box.radius[i],
                        PackingParameters::density, box.coordinates[0][i], box.coordinates[1][i],
                        box.coordinates[2][i]);
  file << "\nVelocities\n\n";
  for (std::size_t i = 0; i < box.size(); ++i) {
    const auto& [vx, vy, vz] = box.velocity[i];
    const auto& [wx, wy, wz] = box.angular_velocity[i];
    file << fmt::format("{} {} {} {} {} {} {}\n", i + 1, vx, vy, vz, wx, wy, wz);
  }
  file.commit();
}

// NULL is what LAMMPS takes by default: 2/7 of the stiffness, half of the damping.
std::string law_text(bool rough) {
  return rough ? fmt::format("hooke/history {} NULL {} NULL {} 1", PackingParameters::stiffness,
                             PackingParameters::damping_rate, PackingParameters::friction)
               : fmt::format("hooke {} 0 {} 0 0 0", PackingParameters::stiffness,
                             PackingParameters::damping_rate);
}

std::string input_text(const std::string& data, const SettledPacking& box) {
  const std::string law = law_text(box.has_friction);
  std::string text =
      "units lj\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\n"
      "processors * * 1\n";  // columns, so that all cores have as much to do
  text += fmt::format("read_data {}\npair_style gran/{}\npair_coeff * *\n", data, law);
  text += "neighbor ${skin} bin\nneigh_modify delay 0 every 1 check yes\n";
  text += fmt::format("timestep {}\n", PackingParameters::time_step);
  text += fmt::format("fix 1 all nve/sphere\nfix 2 all gravity {} vector 0 0 -1\n",
                      static_cast<double>(PackingParameters::gravity));
  text += fmt::format("fix 3 all wall/gran {} xplane 0 {}\n", law, box.width);
  text += fmt::format("fix 4 all wall/gran {} yplane 0 {}\n", law, box.width);
  text += fmt::format("fix 5 all wall/gran {} zplane 0 NULL\n", law);
  return text +
         "thermo_style custom step ke\nthermo_modify lost error norm no format float %.12g\n"
         "thermo 100\nrun ${steps}\n";
}

std::string error_message(const ProcessResult& outcome) {
  const std::string said = outcome.output + "\n" + outcome.error_output;
  const std::size_t at = said.find("ERROR");
  return at == std::string::npos ? last_line(said) : said.substr(at, said.find('\n', at) - at);
}

// "Step KinEng", lines of both, and "Loop time of 1.23 on 1 procs for 300 steps".
DemRunResult parse_log(const std::string& said) {
  constexpr std::string_view end = "Loop time of ";
  DemRunResult turn;
  std::istringstream lines(said);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    EnergySample sample{};
    if (line.find("KinEng") != std::string::npos) {
      inside = true;
    } else if (line.starts_with(end)) {
      turn.seconds = std::stod(line.substr(end.size()));
      inside = false;
    } else if (inside && words >> sample.step >> sample.energy) {
      turn.kinetic_energies.push_back(sample);
    }
  }
  return turn;
}

}  // namespace

bool has_lammps() { return run_process({"lmp", "-help"}, "").has_value(); }
bool has_mpi() { return run_process({"mpirun", "--version"}, "").has_value(); }

std::string write_lammps(const std::string& folder, const std::string& name,
                         const SettledPacking& box) {
  const std::string path = (std::filesystem::path(folder) / name).string();
  write_data(path + ".data", box);
  OutputFile input(path + ".lammps");
  input << input_text(path + ".data", box);
  input.commit();
  return path + ".lammps";
}

DemRunResult Lammps::run(std::size_t steps) const {
  std::vector<std::string> words;
  if (cores_ > 1)
    words = {"mpirun", "--allow-run-as-root", "--oversubscribe", "-np", std::to_string(cores_)};
  const std::vector<std::string> told{"lmp",
                                      "-log",
                                      "none",
                                      "-in",
                                      input_,
                                      "-var",
                                      "skin",
                                      fmt::format("{}", skin_),
                                      "-var",
                                      "steps",
                                      std::to_string(steps)};
  words.insert(words.end(), told.begin(), told.end());
  const auto outcome = run_process(words, "");
  if (!outcome) throw Error(words.front() + " is not installed");
  DemRunResult turn = parse_log(outcome->output);
  if (outcome->status != 0 || turn.seconds <= 0)
    throw Error(
        fmt::format("LAMMPS ended with status {}: {}", outcome->status, error_message(*outcome)));
  return turn;
}

namespace {

constexpr std::string_view time_prefix = "abut: seconds ";

void write_spheres(const std::string& path, const SettledPacking& box) {
  OutputFile file(path);
  for (std::size_t i = 0; i < box.size(); ++i) {
    const auto& [vx, vy, vz] = box.velocity[i];
    const auto& [wx, wy, wz] = box.angular_velocity[i];
    file << fmt::format("{} {} {} {} {} {} {} {} {} {}\n", box.coordinates[0][i],
                        box.coordinates[1][i], box.coordinates[2][i], box.radius[i], vx, vy, vz, wx,
                        wy, wz);
  }
  file.commit();
}

// Two spheres of one radius have the stiffness young x radius; `poisson` is the part of it that
// acts along the contact. One step comes first: it finds all pairs, which LAMMPS does not count
// either.
std::string script_text(const SettledPacking& box) {
  constexpr double middle = (1 + PackingParameters::max_diameter) / 4;
  std::string text = "import math, sys, time\nsteps = int(sys.argv[-1])\n";
  text += fmt::format(
      "grain = O.materials.append(FrictMat(density={}, young={}, poisson={}, "
      "frictionAngle=math.atan({})))\n",
      PackingParameters::density, PackingParameters::stiffness / middle,
      PackingParameters::tangential_stiffness_ratio,
      box.has_friction ? PackingParameters::friction : 0.0);
  text +=
      "for line in open(sys.argv[-2]):\n"
      "    x, y, z, r, vx, vy, vz, wx, wy, wz = map(float, line.split())\n"
      "    grain = O.bodies[O.bodies.append(sphere((x, y, z), r))]\n"
      "    grain.state.vel, grain.state.angVel = (vx, vy, vz), (wx, wy, wz)\n";
  text += fmt::format("for at in (0, {}):\n", box.width);
  text +=
      "    O.bodies.append([wall(at, axis=0), wall(at, axis=1)])\n"
      "O.bodies.append(wall(0, axis=2))\n"
      "O.engines = [\n"
      "    ForceResetter(),\n"
      "    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()]),\n"
      "    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()],\n"
      "                    [Ip2_FrictMat_FrictMat_FrictPhys()],\n"
      "                    [Law2_ScGeom_FrictPhys_CundallStrack()]),\n";
  text +=
      fmt::format("    NewtonIntegrator(damping=0, gravity=(0, 0, -{})),\n]\nO.dt = {}\n",
                  static_cast<double>(PackingParameters::gravity), PackingParameters::time_step);
  text += "O.run(1, True)\nstart = time.perf_counter()\nO.run(steps, True)\n";
  return text +
         fmt::format("print('{}' + str(time.perf_counter() - start), flush=True)\n", time_prefix);
}

}  // namespace

bool has_yade() { return run_process({"yade", "--version"}, "").has_value(); }

std::string write_yade(const std::string& folder, const std::string& name,
                       const SettledPacking& box) {
  std::string path = (std::filesystem::path(folder) / name).string();
  write_spheres(path + ".spheres", box);
  OutputFile script(path + ".py");
  script << script_text(box);
  script.commit();
  return path;
}

DemRunResult Yade::run(std::size_t steps) const {
  const auto outcome = run_process(
      {"yade", "-n", "-x", "-j1", files_ + ".py", files_ + ".spheres", std::to_string(steps)}, "");
  if (!outcome) throw Error("yade is not installed");
  const std::size_t at = outcome->output.find(time_prefix);
  if (at == std::string::npos)
    throw Error(fmt::format("YADE ended with status {}: {}", outcome->status,
                            last_line(outcome->error_output)));
  return {.seconds = std::stod(outcome->output.substr(at + time_prefix.size()))};
}

}  // namespace abut
