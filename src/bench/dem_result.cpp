#include "bench/dem_result.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/statistics.hpp"
#include "io/text_format.hpp"
#include "report/plot.hpp"

namespace abut {
namespace {

using Results = std::vector<DemMeasurement>;

// The highest rate of this kind of program on this number of cores; 0 if not measured.
double best_rate(const Results& all, DemProgramKind kind, unsigned cores) {
  double best = 0;
  for (const DemMeasurement& one : all)
    if (one.kind == kind && one.cores == cores) best = std::max(best, one.rate());
  return best;
}

std::string ratio_text(double rate, double reference) {
  return reference > 0 ? fmt::format("{:.2f}", rate / reference) : "";
}

const char* friction_text(bool has_friction) { return has_friction ? "history" : "none"; }

double ns_per_particle_step(const DemMeasurement& one, double seconds) {
  return seconds * 1e9 / static_cast<double>(one.particles * one.steps);
}

Table rate_table(const std::vector<Results>& scenes) {
  Table table({"scene", "program", "particles", "friction", "cores", "M particle-steps/s",
               "best M particle-steps/s", "vs LAMMPS", "speedup", "kB/particle"});
  for (const Results& all : scenes)
    for (const DemMeasurement& one : all) {
      const double bytes =
          static_cast<double>(one.fastest.bytes) / static_cast<double>(one.particles);
      table.add({one.scene, one.name, std::to_string(one.particles),
                 friction_text(one.has_friction), std::to_string(one.cores),
                 fmt::format("{:.2f}", one.rate()),
                 fmt::format("{:.2f}", one.rate_for(std::ranges::min(one.seconds))),
                 ratio_text(one.rate(), best_rate(all, DemProgramKind::lammps, 1)),
                 ratio_text(one.rate(), best_rate(all, one.kind, 1)),
                 bytes > 0 ? fmt::format("{:.3f}", bytes / 1000) : ""});
    }
  return table;
}

Table phase_table(const std::vector<Results>& scenes) {
  Table table({"scene", "program", "particles", "friction", "cores", "total ns/particle-step",
               "neighbor search", "forces", "walls", "integration", "steps/build"});
  for (const Results& all : scenes)
    for (const DemMeasurement& one : all) {
      if (one.kind != DemProgramKind::abut) continue;
      const auto time = [&](double seconds) {
        return fmt::format("{:.1f}", ns_per_particle_step(one, seconds));
      };
      const StepTimings& phases = one.fastest.timings;
      const auto builds = static_cast<double>(std::max<std::uint64_t>(1, phases.neighbor_builds));
      table.add({one.scene, one.name, std::to_string(one.particles),
                 friction_text(one.has_friction), std::to_string(one.cores),
                 time(one.fastest.seconds), time(phases.neighbor_search), time(phases.forces),
                 time(phases.walls), time(phases.integration),
                 fmt::format("{:.1f}", static_cast<double>(one.steps) / builds)});
    }
  return table;
}

double relative_difference(double value, double reference) {
  return std::abs(value - reference) / std::max(std::abs(reference), 1e-300);
}

// The first measurements of abut and LAMMPS, at the steps that both report.
Table energy_table(const std::vector<Results>& scenes) {
  Table table({"scene", "particles", "friction", "steps", "kinetic energy", "LAMMPS",
               "relative difference", "rotational energy", "LAMMPS", "relative difference"});
  for (const Results& all : scenes) {
    const auto abut = std::ranges::find(all, DemProgramKind::abut, &DemMeasurement::kind);
    const auto lammps = std::ranges::find(all, DemProgramKind::lammps, &DemMeasurement::kind);
    if (abut == all.end() || lammps == all.end()) continue;
    for (const EnergySample& a : abut->fastest.energies)
      for (const EnergySample& b : lammps->fastest.energies)
        if (a.step == b.step)
          table.add({abut->scene, std::to_string(abut->particles),
                     friction_text(abut->has_friction), std::to_string(a.step),
                     fmt::format("{:.8g}", a.kinetic), fmt::format("{:.8g}", b.kinetic),
                     fmt::format("{:.1e}", relative_difference(a.kinetic, b.kinetic)),
                     fmt::format("{:.8g}", a.rotational), fmt::format("{:.8g}", b.rotational),
                     fmt::format("{:.1e}", relative_difference(a.rotational, b.rotational))});
  }
  return table;
}

nlohmann::ordered_json json_of(const DemMeasurement& one) {
  nlohmann::ordered_json row{{"scene", one.scene},
                             {"program", one.name},
                             {"particles", one.particles},
                             {"friction", one.has_friction},
                             {"cores", one.cores},
                             {"steps", one.steps},
                             {"particle_steps_per_second", 1e6 * one.rate()},
                             {"million_particle_steps_per_second", one.rate()},
                             {"seconds", one.seconds}};
  if (one.fastest.bytes > 0) row["bytes"] = one.fastest.bytes;
  for (const EnergySample& sample : one.fastest.energies) {
    row["kinetic_energy"][std::to_string(sample.step)] = sample.kinetic;
    row["rotational_energy"][std::to_string(sample.step)] = sample.rotational;
  }
  if (one.kind != DemProgramKind::abut) return row;
  const StepTimings& phases = one.fastest.timings;
  row["phase_seconds"] = {{"neighbor_search", phases.neighbor_search},
                          {"forces", phases.forces},
                          {"walls", phases.walls},
                          {"integration", phases.integration}};
  row["neighbor_builds"] = phases.neighbor_builds;
  return row;
}

std::string json_text(const std::vector<Results>& scenes) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Results& all : scenes)
    for (const DemMeasurement& one : all) rows.push_back(json_of(one));
  return rows.dump(2) + "\n";
}

}  // namespace

void DemMeasurement::add(const DemRunResult& result, bool is_counted) {
  if (!is_counted) return;  // memory of the first run includes newly loaded pages of the program
  const std::size_t max_bytes = std::max(result.bytes, fastest.bytes);
  if (seconds.empty() || result.seconds < std::ranges::min(seconds)) fastest = result;
  seconds.push_back(result.seconds);
  fastest.bytes = max_bytes;
}

double DemMeasurement::rate() const { return rate_for(median_of(seconds)); }

double DemMeasurement::rate_for(double time) const {
  return static_cast<double>(particles * steps) / time / 1e6;
}

std::optional<EnergyDifference> energy_difference(const Results& results) {
  std::optional<EnergyDifference> largest;
  for (const DemMeasurement& abut : results)
    for (const DemMeasurement& lammps : results) {
      if (abut.kind != DemProgramKind::abut || lammps.kind != DemProgramKind::lammps) continue;
      for (const EnergySample& a : abut.fastest.energies)
        for (const EnergySample& b : lammps.fastest.energies) {
          if (a.step != b.step) continue;
          const EnergyDifference before = largest.value_or(EnergyDifference{});
          largest = {std::max(before.kinetic, relative_difference(a.kinetic, b.kinetic)),
                     std::max(before.rotational, relative_difference(a.rotational, b.rotational))};
        }
    }
  return largest;
}

std::string dem_report(const std::vector<Results>& scenes, DemFormat format) {
  if (format == DemFormat::json) return json_text(scenes);
  std::string text;
  for (const Table& table : {rate_table(scenes), phase_table(scenes), energy_table(scenes)}) {
    if (table.row_count() == 0) continue;
    if (!text.empty()) text += "\n";
    text += format == DemFormat::markdown ? table.markdown() : table.text();
  }
  return text;
}

std::vector<Report::Section> dem_sections(const std::vector<Results>& scenes) {
  BarChart rates{"Speed", "million particle-steps per second", {}};
  BarChart times{"Step time", "ns per particle", {}};
  for (const Results& all : scenes)
    for (const DemMeasurement& one : all) {
      const std::string name =
          fmt::format("{}, {} {} {}, {} {}", one.name, one.particles, one.scene,
                      one.has_friction ? "with friction" : "frictionless", one.cores,
                      one.cores == 1 ? "core" : "cores");
      rates.bars.push_back({name, one.rate()});
      if (one.kind == DemProgramKind::abut)
        times.bars.push_back({name, ns_per_particle_step(one, one.fastest.seconds)});
    }
  std::vector<Report::Section> sections{
      {.title = "Speed",
       .text =
           "M particle-steps/s: million particles times steps per second of wall-clock time, of "
           "the median and the fastest run. \"vs LAMMPS\": relative to the fastest LAMMPS run on "
           "one core, if measured. \"speedup\": relative to the same program on one core.",
       .svg = draw(rates),
       .table = rate_table(scenes),
       .table_title = "Data"},
      {.title = "Time by phase",
       .text = "Of the fastest run of abut; all times in ns/particle-step.",
       .svg = draw(times),
       .table = phase_table(scenes),
       .table_title = "Data"}};
  const Table energies = energy_table(scenes);
  if (energies.row_count() > 0)
    sections.push_back({.title = "Comparison of energies",
                        .text = "Kinetic energies of translation and rotation of abut and LAMMPS "
                                "after the same number of steps.",
                        .table = energies,
                        .table_title = "Data"});
  return sections;
}

}  // namespace abut
