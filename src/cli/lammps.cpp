#include "cli/lammps.hpp"

#include <fmt/core.h>

#include <abut/error.hpp>
#include <algorithm>
#include <filesystem>
#include <sstream>

#include "io/child_program.hpp"
#include "io/output_file.hpp"

namespace abut {
namespace {

void write_data(const std::string& path, const SettledBox& box) {
  // Nothing rises above the highest by more than the room that is left here.
  const double top = *std::ranges::max_element(box.axes[2]) + 10;
  OutputFile file(path);
  file << fmt::format("settled\n\n{} atoms\n1 atom types\n", box.size());
  file << fmt::format("0 {0} xlo xhi\n0 {0} ylo yhi\n0 {1} zlo zhi\n", box.side, top);
  file << "\nAtoms # sphere\n\n";
  for (std::size_t i = 0; i < box.size(); ++i)
    file << fmt::format("{} 1 {} {} {} {} {}\n", i + 1, 2 * box.radius[i], BoxLaw::density,
                        box.axes[0][i], box.axes[1][i], box.axes[2][i]);
  file << "\nVelocities\n\n";
  for (std::size_t i = 0; i < box.size(); ++i) {
    const auto& [vx, vy, vz] = box.velocity[i];
    const auto& [wx, wy, wz] = box.spin[i];
    file << fmt::format("{} {} {} {} {} {} {}\n", i + 1, vx, vy, vz, wx, wy, wz);
  }
  file.commit();
}

// NULL is what LAMMPS takes by default: 2/7 of the stiffness, half of the damping.
std::string law_text(bool rough) {
  return rough ? fmt::format("hooke/history {} NULL {} NULL {} 1", BoxLaw::stiffness,
                             BoxLaw::damping_rate, BoxLaw::friction)
               : fmt::format("hooke {} 0 {} 0 0 0", BoxLaw::stiffness, BoxLaw::damping_rate);
}

std::string input_text(const std::string& data, const SettledBox& box) {
  const std::string law = law_text(box.rough);
  std::string text =
      "units lj\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\n"
      "processors * * 1\n";  // columns, so that all cores have as much to do
  text += fmt::format("read_data {}\npair_style gran/{}\npair_coeff * *\n", data, law);
  text += "neighbor ${skin} bin\nneigh_modify delay 0 every 1 check yes\n";
  text += fmt::format("timestep {}\n", BoxLaw::time_step);
  text += fmt::format("fix 1 all nve/sphere\nfix 2 all gravity {} vector 0 0 -1\n",
                      static_cast<double>(BoxLaw::gravity));
  text += fmt::format("fix 3 all wall/gran {} xplane 0 {}\n", law, box.side);
  text += fmt::format("fix 4 all wall/gran {} yplane 0 {}\n", law, box.side);
  text += fmt::format("fix 5 all wall/gran {} zplane 0 NULL\n", law);
  return text +
         "thermo_style custom step ke\nthermo_modify lost error norm no format float %.12g\n"
         "thermo 100\nrun ${steps}\n";
}

std::string complaint_in(const ChildOutcome& outcome) {
  const std::string said = outcome.out + "\n" + outcome.err;
  const std::size_t at = said.find("ERROR");
  return at == std::string::npos ? last_line(said) : said.substr(at, said.find('\n', at) - at);
}

// "Step KinEng", lines of both, and "Loop time of 1.23 on 1 procs for 300 steps".
DemTurn turn_in(const std::string& said) {
  constexpr std::string_view end = "Loop time of ";
  DemTurn turn;
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
      turn.energies.push_back(sample);
    }
  }
  return turn;
}

}  // namespace

bool has_lammps() { return run_child({"lmp", "-help"}, "").has_value(); }
bool has_mpi() { return run_child({"mpirun", "--version"}, "").has_value(); }

std::string write_lammps(const std::string& folder, const std::string& name,
                         const SettledBox& box) {
  const std::string path = (std::filesystem::path(folder) / name).string();
  write_data(path + ".data", box);
  OutputFile input(path + ".lammps");
  input << input_text(path + ".data", box);
  input.commit();
  return path + ".lammps";
}

DemTurn Lammps::run(std::size_t steps) const {
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
  const auto outcome = run_child(words, "");
  if (!outcome) throw Error(words.front() + " is not installed");
  DemTurn turn = turn_in(outcome->out);
  if (outcome->status != 0 || turn.seconds <= 0)
    throw Error(
        fmt::format("LAMMPS ended with status {}: {}", outcome->status, complaint_in(*outcome)));
  return turn;
}

}  // namespace abut
