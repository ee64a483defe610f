#include "cli/run_probes.hpp"

#include <fmt/core.h>
#include <fmt/ostream.h>

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "core/ball_volume.hpp"
#include "core/message.hpp"
#include "core/period.hpp"
#include "io/output_file.hpp"

namespace abut {
namespace {

constexpr std::array axis_names{"x", "y", "z"};
constexpr std::size_t profile_bins = 20;
constexpr std::size_t time_column = 1;
constexpr std::size_t left_mass_column = 6;

/// The first column is the step. Those after `last` go; what is half a line, too.
std::string kept_lines(const std::string& path, const std::string& header, std::uint64_t last) {
  std::ifstream file(path);
  std::string kept = header + "\n";
  std::string line;
  if (!std::getline(file, line) || line != header) return kept;
  while (std::getline(file, line) && !file.eof())
    if (std::strtoull(line.c_str(), nullptr, 10) <= last) kept += line + "\n";
  return kept;
}

/// Returns the last line that stays.
std::string open(std::ofstream& file, const std::string& path, const std::string& header,
                 std::uint64_t continued_from) {
  const std::string kept =
      continued_from == 0 ? header + "\n" : kept_lines(path, header, continued_from);
  {
    OutputFile whole(path);
    whole << kept;
    whole.commit();
  }
  file.open(path, std::ios::app);
  const std::size_t end = kept.size() - 1;
  const std::size_t before = kept.rfind('\n', end - 1);
  return before == std::string::npos ? "" : kept.substr(before + 1, end - before - 1);
}

double field_of(const std::string& line, std::size_t number) {
  std::size_t at = 0;
  for (; number > 0 && at != std::string::npos; --number) at = line.find(',', at) + 1;
  return std::strtod(line.c_str() + at, nullptr);
}

/// The axis gravity is along, or the last.
template <std::size_t D>
std::size_t upright(const Point<D>& gravity) {
  std::size_t axis = D - 1;
  for (std::size_t k = 0; k < D; ++k)
    if (std::abs(gravity[k]) > std::abs(gravity[axis])) axis = k;
  return axis;
}

void check(std::ofstream& file, const std::string& name) {
  if (!file.flush()) throw Error(message("cannot write ", name, ": is the disk full?"));
}

}  // namespace

template <std::size_t D>
RunProbes<D>::RunProbes(const std::string& folder, const Case<D>& plan,
                        std::uint64_t continued_from)
    : probes_name_(folder + "/probes.csv"), profile_name_(folder + "/profile.csv") {
  std::string header =
      "step,time,particles,released,left,mass,left_mass,discharge_rate,contacts,coordination,"
      "largest_overlap,solid_fraction,kinetic,rotational,potential,stored,dissipated,input";
  for (const Wall<D>& wall : plan.walls)
    for (std::size_t k = 0; k < D; ++k)
      header += fmt::format(",force_{}_{}", wall.name, axis_names.at(k));
  const std::string before = open(probes_, probes_name_, header, continued_from);
  if (!before.empty()) {  // the rate is what has left since then
    time_before_ = field_of(before, time_column);
    mass_before_ = field_of(before, left_mass_column);
  }
  open(profile_, profile_name_, "step,time,height,outward_force,downward_force", continued_from);
}

template <std::size_t D>
void RunProbes<D>::write(const Run<D>& run) {
  write_line(run);
  write_profile(run);
}

template <std::size_t D>
void RunProbes<D>::write_line(const Run<D>& run) {
  const Simulation<D>& now = run.simulation();
  const Energy energy = now.energy();
  const Population all = now.population();
  double mass = 0;
  double volume = 0;
  std::size_t moving = 0;
  const auto& measured = run.plan().output.measured;
  const Period<D> period(run.plan().model.domain, run.plan().model.periodic);
  for (std::size_t i = 0; i < now.size(); ++i) {
    ParticleState<D> p = now.particle(i);
    if (p.fixed) continue;
    period.bring_back(p.place);
    mass += p.mass;
    ++moving;
    bool inside = measured.has_value();
    for (std::size_t k = 0; k < D && inside; ++k)
      inside = p.place[k] >= measured->min[k] && p.place[k] < measured->max[k];
    if (inside) volume += ball_volume<D>(p.radius);
  }
  double room = 1;
  for (std::size_t k = 0; k < D && measured; ++k) room *= measured->max[k] - measured->min[k];
  const auto contacts = now.contacts();
  double deepest = 0;
  for (const auto& contact : contacts) deepest = std::max(deepest, contact.overlap);
  const double rate =
      now.time() > time_before_ ? (all.left_mass - mass_before_) / (now.time() - time_before_) : 0;
  mass_before_ = all.left_mass;
  time_before_ = now.time();
  fmt::print(probes_, "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", now.step(),
             now.time(), moving, all.released, all.left, mass, all.left_mass, rate, contacts.size(),
             now.coordination(), deepest, measured ? volume / room : 0, energy.moving,
             energy.turning, energy.height, energy.stored, energy.dissipated, energy.input);
  for (std::size_t wall = 0; wall < run.plan().walls.size(); ++wall)
    for (const double part : now.force_on(wall)) fmt::print(probes_, ",{}", part);
  fmt::print(probes_, "\n");
  check(probes_, probes_name_);
}

/// What walls, and balls that stand for walls, are pushed with, in slices of equal height from the
/// lowest contact to the highest.
template <std::size_t D>
void RunProbes<D>::write_profile(const Run<D>& run) {
  const Simulation<D>& now = run.simulation();
  const std::size_t up = upright(run.plan().model.gravity);
  std::uint64_t fixed = 0;
  for (const auto& balls : run.plan().fixed) fixed += balls.radius.size();
  struct Push {
    double height, outward, downward;
  };
  std::vector<Push> pushes;
  for (const ContactState<D>& contact : now.contacts()) {
    // Fixed balls have the first ids, and one of them is a or b.
    const bool a_stands = contact.a < fixed;
    if (!contact.wall && !a_stands && contact.b >= fixed) continue;
    double across = 0;
    for (std::size_t k = 0; k < D; ++k)
      if (k != up) across += contact.force[k] * contact.force[k];
    const double on_wall = a_stands && !contact.wall ? 1 : -1;
    pushes.push_back({contact.point[up], std::sqrt(across), -on_wall * contact.force[up]});
  }
  if (pushes.empty()) return;
  const auto [low, high] =
      std::minmax_element(pushes.begin(), pushes.end(),
                          [](const Push& x, const Push& y) { return x.height < y.height; });
  const double bottom = low->height;
  const double slice = std::max((high->height - bottom) / profile_bins, 1e-300);
  std::array<Push, profile_bins> slices{};
  for (const Push& push : pushes) {
    const auto k =
        std::min(profile_bins - 1, static_cast<std::size_t>((push.height - bottom) / slice));
    slices[k].outward += push.outward;
    slices[k].downward += push.downward;
  }
  for (std::size_t k = 0; k < profile_bins; ++k)
    fmt::print(profile_, "{},{},{},{},{}\n", now.step(), now.time(),
               bottom + (static_cast<double>(k) + 0.5) * slice, slices[k].outward,
               slices[k].downward);
  check(profile_, profile_name_);
}

template class RunProbes<2>;
template class RunProbes<3>;

}  // namespace abut
