#include "cli/yade.hpp"

#include <fmt/core.h>

#include <abut/error.hpp>
#include <filesystem>

#include "io/child_program.hpp"
#include "io/output_file.hpp"

namespace abut {
namespace {

constexpr std::string_view result = "abut: seconds ";

void write_spheres(const std::string& path, const SettledBox& box) {
  OutputFile file(path);
  for (std::size_t i = 0; i < box.size(); ++i) {
    const auto& [vx, vy, vz] = box.velocity[i];
    const auto& [wx, wy, wz] = box.spin[i];
    file << fmt::format("{} {} {} {} {} {} {} {} {} {}\n", box.axes[0][i], box.axes[1][i],
                        box.axes[2][i], box.radius[i], vx, vy, vz, wx, wy, wz);
  }
  file.commit();
}

// Two spheres of one radius have the stiffness young x radius; `poisson` is the part of it that
// acts along the contact. One step comes first: it finds all pairs, which LAMMPS does not count
// either.
std::string script_text(const SettledBox& box) {
  constexpr double middle = (1 + BoxLaw::largest_diameter) / 4;
  std::string text = "import math, sys, time\nsteps = int(sys.argv[-1])\n";
  text += fmt::format(
      "grain = O.materials.append(FrictMat(density={}, young={}, poisson={}, "
      "frictionAngle=math.atan({})))\n",
      BoxLaw::density, BoxLaw::stiffness / middle, BoxLaw::tangential_stiffness,
      box.rough ? BoxLaw::friction : 0.0);
  text +=
      "for line in open(sys.argv[-2]):\n"
      "    x, y, z, r, vx, vy, vz, wx, wy, wz = map(float, line.split())\n"
      "    grain = O.bodies[O.bodies.append(sphere((x, y, z), r))]\n"
      "    grain.state.vel, grain.state.angVel = (vx, vy, vz), (wx, wy, wz)\n";
  text += fmt::format("for at in (0, {}):\n", box.side);
  text +=
      "    O.bodies.append([wall(at, axis=0), wall(at, axis=1)])\n"
      "O.bodies.append(wall(0, axis=2))\n"
      "O.engines = [\n"
      "    ForceResetter(),\n"
      "    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()]),\n"
      "    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()],\n"
      "                    [Ip2_FrictMat_FrictMat_FrictPhys()],\n"
      "                    [Law2_ScGeom_FrictPhys_CundallStrack()]),\n";
  text += fmt::format("    NewtonIntegrator(damping=0, gravity=(0, 0, -{})),\n]\nO.dt = {}\n",
                      static_cast<double>(BoxLaw::gravity), BoxLaw::time_step);
  text += "O.run(1, True)\nstart = time.perf_counter()\nO.run(steps, True)\n";
  return text + fmt::format("print('{}' + str(time.perf_counter() - start), flush=True)\n", result);
}

}  // namespace

bool has_yade() { return run_child({"yade", "--version"}, "").has_value(); }

std::string write_yade(const std::string& folder, const std::string& name, const SettledBox& box) {
  std::string path = (std::filesystem::path(folder) / name).string();
  write_spheres(path + ".spheres", box);
  OutputFile script(path + ".py");
  script << script_text(box);
  script.commit();
  return path;
}

DemTurn Yade::run(std::size_t steps) const {
  const auto outcome = run_child(
      {"yade", "-n", "-x", "-j1", files_ + ".py", files_ + ".spheres", std::to_string(steps)}, "");
  if (!outcome) throw Error("yade is not installed");
  const std::size_t at = outcome->out.find(result);
  if (at == std::string::npos)
    throw Error(
        fmt::format("YADE ended with status {}: {}", outcome->status, last_line(outcome->err)));
  return {.seconds = std::stod(outcome->out.substr(at + result.size()))};
}

}  // namespace abut
