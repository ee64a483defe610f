#include "bench/dem_programs.hpp"

#include <fmt/core.h>

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "io/output_file.hpp"
#include "io/system.hpp"

namespace abut {
namespace {

constexpr int moving_type = 1;
constexpr int fixed_type = 2;

void write_data(const std::string& path, const DemScene& scene) {
  const SceneParticles& particles = scene.particles;
  const double top = particles.highest() + 10;  // no sphere rises that far
  const auto bounds = [](double min, double max, const char* keyword) {
    return fmt::format("{} {} {}\n", min, max, keyword);
  };
  OutputFile file(path);
  file << fmt::format("{}\n\n{} atoms\n2 atom types\n", name_of(scene.kind), particles.size());
  file << bounds(scene.box.min[0], scene.box.max[0], "xlo xhi");
  file << bounds(scene.box.min[1], scene.box.max[1], "ylo yhi");
  file << bounds(scene.box.min[2], top, "zlo zhi");
  file << "\nAtoms # sphere\n\n";
  for (std::size_t i = 0; i < particles.size(); ++i)
    file << fmt::format("{} {} {} {} {} {} {}\n", i + 1,
                        i < particles.fixed_count ? fixed_type : moving_type,
                        2 * particles.spheres.radii[i], scene.model.materials.front().density,
                        particles.spheres.coordinates[0][i], particles.spheres.coordinates[1][i],
                        particles.spheres.coordinates[2][i]);
  file << "\nVelocities\n\n";
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const auto& [vx, vy, vz] = particles.velocity[i];
    const auto& [wx, wy, wz] = particles.angular_velocity[i];
    file << fmt::format("{} {} {} {} {} {} {}\n", i + 1, vx, vy, vz, wx, wy, wz);
  }
  file.commit();
}

std::string law_text(const ContactParameters& contact) {
  const double damping_rate = contact.damping_rate.value_or(0);
  if (contact.friction == 0)
    return fmt::format("hooke {} 0 {} 0 0 0", contact.stiffness, damping_rate);
  return fmt::format("hooke/history {} {} {} {} {} {}", contact.stiffness,
                     contact.tangential_stiffness_ratio.value_or(0) * contact.stiffness,
                     damping_rate, contact.tangential_damping_ratio * damping_rate,
                     contact.friction, contact.tangential_damping_ratio > 0 ? 1 : 0);
}

// Walls at the sides of the box and a floor, as in `DemScene::walls`.
std::string box_walls_text(const std::string& law, const Box<3>& box) {
  return fmt::format("fix 3 all wall/gran {} xplane {} {}\n", law, box.min[0], box.max[0]) +
         fmt::format("fix 4 all wall/gran {} yplane {} {}\n", law, box.min[1], box.max[1]) +
         fmt::format("fix 5 all wall/gran {} zplane {} NULL\n", law, box.min[2]);
}

std::string input_text(const std::string& data, const DemScene& scene) {
  const std::string law = law_text(scene.contact());
  const bool is_periodic = scene.model.periodic[0];
  const auto& [gx, gy, gz] = scene.model.gravity;
  std::string text =
      fmt::format("units lj\natom_style sphere\nboundary {} f\n", is_periodic ? "p p" : "f f");
  text += "newton off\ncomm_modify vel yes\n";
  text += "processors * * 1\n";  // subdomains are columns, for load balance
  text += fmt::format("read_data {}\npair_style gran/{}\npair_coeff * *\n", data, law);
  text += fmt::format("neighbor ${{skin}} {}\nneigh_modify delay 0 every 1 check yes\n",
                      scene.kind == DemSceneKind::polydisperse ? "multi" : "bin");
  text += fmt::format("timestep {}\n", scene.model.time_step);
  text += fmt::format("fix 1 all nve/sphere\nfix 2 all gravity {} vector {} {} {}\n",
                      std::hypot(gx, gy, gz), gx, gy, gz);
  if (!is_periodic) text += box_walls_text(law, scene.box);
  if (scene.particles.fixed_count > 0)
    text +=
        fmt::format("group base type {}\nfix 6 base freeze\nneigh_modify exclude group base base\n",
                    fixed_type);
  return text +
         "compute rotational all erotate/sphere\nthermo_style custom step ke c_rotational\n"
         "thermo_modify lost error norm no format float %.12g\nthermo 100\nrun ${steps}\n";
}

std::string error_message(const ProcessResult& process) {
  const std::string output = process.output + "\n" + process.error_output;
  const std::size_t at = output.find("ERROR");
  return at == std::string::npos ? last_line(output)
                                 : output.substr(at, output.find('\n', at) - at);
}

// Parses the table "Step KinEng c_rotational" and the line "Loop time of 1.23 on 1 procs for 300
// steps".
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
    } else if (in_table && words >> sample.step >> sample.kinetic >> sample.rotational) {
      result.energies.push_back(sample);
    }
  }
  return result;
}

}  // namespace

bool has_lammps() { return run_process({"lmp", "-help"}, "").has_value(); }
bool has_mpi() { return run_process({"mpirun", "--version"}, "").has_value(); }

bool lammps_supports(DemSceneKind kind) {
  return kind != DemSceneKind::silo && kind != DemSceneKind::drum;
}

std::vector<double> lammps_skins(DemSceneKind kind) {
  if (kind == DemSceneKind::chute) return {0.05, 0.1, 0.2, 0.3};
  if (kind == DemSceneKind::polydisperse) return {0.05, 0.1, 0.2, 0.3};
  return {0.02, 0.05, 0.1};
}

std::string write_lammps(const std::string& folder, const std::string& name,
                         const DemScene& scene) {
  const std::string path = (std::filesystem::path(folder) / name).string();
  write_data(path + ".data", scene);
  OutputFile input(path + ".lammps");
  input << input_text(path + ".data", scene);
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

void write_spheres(const std::string& path, const SceneParticles& particles) {
  OutputFile file(path);
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const auto& [vx, vy, vz] = particles.velocity[i];
    const auto& [wx, wy, wz] = particles.angular_velocity[i];
    file << fmt::format("{} {} {} {} {} {} {} {} {} {}\n", particles.spheres.coordinates[0][i],
                        particles.spheres.coordinates[1][i], particles.spheres.coordinates[2][i],
                        particles.spheres.radii[i], vx, vy, vz, wx, wy, wz);
  }
  file.commit();
}

// Two spheres of equal radius R have K_n = young * R and K_t = poisson * K_n. The first step, which
// finds all pairs, is not timed, as in LAMMPS.
std::string script_text(const DemScene& scene) {
  const auto [min_radius, max_radius] = std::ranges::minmax(scene.particles.spheres.radii);
  const double mean_radius = (min_radius + max_radius) / 2;
  std::string text = "import math, sys, time\nsteps = int(sys.argv[-1])\n";
  text += fmt::format(
      "grain = O.materials.append(FrictMat(density={}, young={}, poisson={}, "
      "frictionAngle=math.atan({})))\n",
      scene.model.materials.front().density, scene.contact().stiffness / mean_radius,
      scene.contact().tangential_stiffness_ratio.value_or(0), scene.contact().friction);
  text +=
      "for line in open(sys.argv[-2]):\n"
      "    x, y, z, r, vx, vy, vz, wx, wy, wz = map(float, line.split())\n"
      "    grain = O.bodies[O.bodies.append(sphere((x, y, z), r))]\n"
      "    grain.state.vel, grain.state.angVel = (vx, vy, vz), (wx, wy, wz)\n";
  for (int axis = 0; axis < 2; ++axis)
    for (const Point<3>& corner : {scene.box.min, scene.box.max})
      text += fmt::format("O.bodies.append(wall({}, axis={}))\n",
                          corner[static_cast<std::size_t>(axis)], axis);
  text += fmt::format("O.bodies.append(wall({}, axis=2))\n", scene.box.min[2]);
  text +=
      "O.engines = [\n"
      "    ForceResetter(),\n"
      "    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()]),\n"
      "    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()],\n"
      "                    [Ip2_FrictMat_FrictMat_FrictPhys()],\n"
      "                    [Law2_ScGeom_FrictPhys_CundallStrack()]),\n";
  text += fmt::format("    NewtonIntegrator(damping=0, gravity=(0, 0, {})),\n]\nO.dt = {}\n",
                      scene.model.gravity[2], scene.model.time_step);
  text += "O.run(1, True)\nstart = time.perf_counter()\nO.run(steps, True)\n";
  return text +
         fmt::format("print('{}' + str(time.perf_counter() - start), flush=True)\n", time_prefix);
}

}  // namespace

bool has_yade() { return run_process({"yade", "--version"}, "").has_value(); }

std::string write_yade(const std::string& folder, const std::string& name, const DemScene& scene) {
  std::string path = (std::filesystem::path(folder) / name).string();
  write_spheres(path + ".spheres", scene.particles);
  OutputFile script(path + ".py");
  script << script_text(scene);
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
