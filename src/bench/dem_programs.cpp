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

void write_data(const std::string& path, const SettledPacking& packing) {
  // Top of the LAMMPS box; no sphere rises that far.
  const double top = *std::ranges::max_element(packing.coordinates[2]) + 10;
  OutputFile file(path);
  file << fmt::format("settled\n\n{} atoms\n1 atom types\n", packing.size());
  file << fmt::format("0 {0} xlo xhi\n0 {0} ylo yhi\n0 {1} zlo zhi\n", packing.width, top);
  file << "\nAtoms # sphere\n\n";
  for (std::size_t i = 0; i < packing.size(); ++i)
    file << fmt::format("{} 1 {} {} {} {} {}\n", i + 1, 2 * packing.radius[i],
                        PackingParameters::density, packing.coordinates[0][i],
                        packing.coordinates[1][i], packing.coordinates[2][i]);
  file << "\nVelocities\n\n";
  for (std::size_t i = 0; i < packing.size(); ++i) {
    const auto& [vx, vy, vz] = packing.velocity[i];
    const auto& [wx, wy, wz] = packing.angular_velocity[i];
    file << fmt::format("{} {} {} {} {} {} {}\n", i + 1, vx, vy, vz, wx, wy, wz);
  }
  file.commit();
}

// NULL selects the defaults of LAMMPS: K_t = 2/7 K_n, gamma_t = gamma_n / 2.
std::string law_text(bool has_friction) {
  return has_friction
             ? fmt::format("hooke/history {} NULL {} NULL {} 1", PackingParameters::stiffness,
                           PackingParameters::damping_rate, PackingParameters::friction)
             : fmt::format("hooke {} 0 {} 0 0 0", PackingParameters::stiffness,
                           PackingParameters::damping_rate);
}

std::string input_text(const std::string& data, const SettledPacking& packing) {
  const std::string law = law_text(packing.has_friction);
  std::string text =
      "units lj\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\n"
      "processors * * 1\n";  // subdomains are columns, for load balance
  text += fmt::format("read_data {}\npair_style gran/{}\npair_coeff * *\n", data, law);
  text += "neighbor ${skin} bin\nneigh_modify delay 0 every 1 check yes\n";
  text += fmt::format("timestep {}\n", PackingParameters::time_step);
  text += fmt::format("fix 1 all nve/sphere\nfix 2 all gravity {} vector 0 0 -1\n",
                      static_cast<double>(PackingParameters::gravity));
  text += fmt::format("fix 3 all wall/gran {} xplane 0 {}\n", law, packing.width);
  text += fmt::format("fix 4 all wall/gran {} yplane 0 {}\n", law, packing.width);
  text += fmt::format("fix 5 all wall/gran {} zplane 0 NULL\n", law);
  return text +
         "thermo_style custom step ke\nthermo_modify lost error norm no format float %.12g\n"
         "thermo 100\nrun ${steps}\n";
}

std::string error_message(const ProcessResult& process) {
  const std::string output = process.output + "\n" + process.error_output;
  const std::size_t at = output.find("ERROR");
  return at == std::string::npos ? last_line(output)
                                 : output.substr(at, output.find('\n', at) - at);
}

// Parses the table "Step KinEng" and the line "Loop time of 1.23 on 1 procs for 300 steps".
DemRunResult parse_log(const std::string& output) {
  constexpr std::string_view end = "Loop time of ";
  DemRunResult result;
  std::istringstream lines(output);
  bool in_table = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    EnergySample sample{};
    if (line.find("KinEng") != std::string::npos) {
      in_table = true;
    } else if (line.starts_with(end)) {
      result.seconds = std::stod(line.substr(end.size()));
      in_table = false;
    } else if (in_table && words >> sample.step >> sample.energy) {
      result.kinetic_energies.push_back(sample);
    }
  }
  return result;
}

}  // namespace

bool has_lammps() { return run_process({"lmp", "-help"}, "").has_value(); }
bool has_mpi() { return run_process({"mpirun", "--version"}, "").has_value(); }

std::string write_lammps(const std::string& folder, const std::string& name,
                         const SettledPacking& packing) {
  const std::string path = (std::filesystem::path(folder) / name).string();
  write_data(path + ".data", packing);
  OutputFile input(path + ".lammps");
  input << input_text(path + ".data", packing);
  input.commit();
  return path + ".lammps";
}

DemRunResult Lammps::run(std::size_t steps) const {
  std::vector<std::string> command;
  if (cores_ > 1)
    command = {"mpirun", "--allow-run-as-root", "--oversubscribe", "-np", std::to_string(cores_)};
  const std::vector<std::string> lammps{"lmp",
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
  command.insert(command.end(), lammps.begin(), lammps.end());
  const auto process = run_process(command, "");
  if (!process) throw Error(command.front() + " is not installed");
  DemRunResult result = parse_log(process->output);
  if (process->status != 0 || result.seconds <= 0)
    throw Error(
        fmt::format("LAMMPS exited with status {}: {}", process->status, error_message(*process)));
  return result;
}

namespace {

constexpr std::string_view time_prefix = "abut: seconds ";

void write_spheres(const std::string& path, const SettledPacking& packing) {
  OutputFile file(path);
  for (std::size_t i = 0; i < packing.size(); ++i) {
    const auto& [vx, vy, vz] = packing.velocity[i];
    const auto& [wx, wy, wz] = packing.angular_velocity[i];
    file << fmt::format("{} {} {} {} {} {} {} {} {} {}\n", packing.coordinates[0][i],
                        packing.coordinates[1][i], packing.coordinates[2][i], packing.radius[i], vx,
                        vy, vz, wx, wy, wz);
  }
  file.commit();
}

// Two spheres of equal radius R have K_n = young * R and K_t = poisson * K_n. The first step, which
// finds all pairs, is not timed, as in LAMMPS.
std::string script_text(const SettledPacking& packing) {
  constexpr double mean_radius = (1 + PackingParameters::max_diameter) / 4;
  std::string text = "import math, sys, time\nsteps = int(sys.argv[-1])\n";
  text += fmt::format(
      "grain = O.materials.append(FrictMat(density={}, young={}, poisson={}, "
      "frictionAngle=math.atan({})))\n",
      PackingParameters::density, PackingParameters::stiffness / mean_radius,
      PackingParameters::tangential_stiffness_ratio,
      packing.has_friction ? PackingParameters::friction : 0.0);
  text +=
      "for line in open(sys.argv[-2]):\n"
      "    x, y, z, r, vx, vy, vz, wx, wy, wz = map(float, line.split())\n"
      "    grain = O.bodies[O.bodies.append(sphere((x, y, z), r))]\n"
      "    grain.state.vel, grain.state.angVel = (vx, vy, vz), (wx, wy, wz)\n";
  text += fmt::format("for at in (0, {}):\n", packing.width);
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
                       const SettledPacking& packing) {
  std::string path = (std::filesystem::path(folder) / name).string();
  write_spheres(path + ".spheres", packing);
  OutputFile script(path + ".py");
  script << script_text(packing);
  script.commit();
  return path;
}

DemRunResult Yade::run(std::size_t steps) const {
  const auto process = run_process(
      {"yade", "-n", "-x", "-j1", files_ + ".py", files_ + ".spheres", std::to_string(steps)}, "");
  if (!process) throw Error("yade is not installed");
  const std::size_t at = process->output.find(time_prefix);
  if (at == std::string::npos)
    throw Error(fmt::format("YADE exited with status {}: {}", process->status,
                            last_line(process->error_output)));
  return {.seconds = std::stod(process->output.substr(at + time_prefix.size()))};
}

}  // namespace abut
