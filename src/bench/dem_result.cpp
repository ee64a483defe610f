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

// The fastest of a kind on so many cores; 0 if there is none.
double best_rate(const Results& all, DemProgramKind kind, unsigned cores) {
  double best = 0;
  for (const DemMeasurement& one : all)
    if (one.kind == kind && one.cores == cores) best = std::max(best, one.rate());
  return best;
}

std::string ratio_text(double rate, double other) {
  return other > 0 ? fmt::format("{:.2f}", rate / other) : "";
}

const char* friction_text(bool rough) { return rough ? "history" : "none"; }

double nanoseconds(const DemMeasurement& one, double seconds) {
  return seconds * 1e9 / static_cast<double>(one.particles * one.steps);
}

Table rate_table(const std::vector<Results>& boxes) {
  Table table({"program", "particles", "friction", "cores", "M/s", "fastest", "of LAMMPS",
               "of one core", "kB/particle"});
  for (const Results& all : boxes)
    for (const DemMeasurement& one : all) {
      const double bytes =
          static_cast<double>(one.fastest.bytes) / static_cast<double>(one.particles);
      table.add({one.name, std::to_string(one.particles), friction_text(one.has_friction),
                 std::to_string(one.cores), fmt::format("{:.2f}", one.rate()),
                 fmt::format("{:.2f}", one.rate_for(std::ranges::min(one.seconds))),
                 ratio_text(one.rate(), best_rate(all, DemProgramKind::lammps, 1)),
                 ratio_text(one.rate(), best_rate(all, one.kind, 1)),
                 bytes > 0 ? fmt::format("{:.3f}", bytes / 1000) : ""});
    }
  return table;
}

Table phase_table(const std::vector<Results>& boxes) {
  Table table({"ns a particle and step", "particles", "friction", "cores", "all", "detect",
               "forces", "walls", "integrate", "steps a search"});
  for (const Results& all : boxes)
    for (const DemMeasurement& one : all) {
      if (one.kind != DemProgramKind::abut) continue;
      const auto part = [&](double seconds) {
        return fmt::format("{:.1f}", nanoseconds(one, seconds));
      };
      const StepTimings& parts = one.fastest.timings;
      const auto searches = static_cast<double>(std::max<std::uint64_t>(1, parts.neighbor_builds));
      table.add({one.name, std::to_string(one.particles), friction_text(one.has_friction),
                 std::to_string(one.cores), part(one.fastest.seconds), part(parts.neighbor_search),
                 part(parts.forces), part(parts.walls), part(parts.integration),
                 fmt::format("{:.1f}", static_cast<double>(one.steps) / searches)});
    }
  return table;
}

std::string energy_text(const DemMeasurement& one, std::size_t step) {
  for (const EnergySample& sample : one.fastest.kinetic_energies)
    if (sample.step == step) return fmt::format("{:.8g}", sample.energy);
  return "";
}

// The first of ours and of LAMMPS; all others are in the difference.
Table energy_table(const std::vector<Results>& boxes) {
  Table table({"kinetic energy", "particles", "friction", "100 steps", "200 steps", "300 steps",
               "largest difference"});
  for (const Results& all : boxes) {
    const std::optional<double> differ = energy_difference(all);
    if (!differ) continue;
    for (const DemProgramKind kind : {DemProgramKind::abut, DemProgramKind::lammps}) {
      const DemMeasurement& one = *std::ranges::find(all, kind, &DemMeasurement::kind);
      table.add({kind == DemProgramKind::abut ? "abut" : "LAMMPS", std::to_string(one.particles),
                 friction_text(one.has_friction), energy_text(one, 100), energy_text(one, 200),
                 energy_text(one, 300),
                 kind == DemProgramKind::abut ? "" : fmt::format("{:.1e}", *differ)});
    }
  }
  return table;
}

nlohmann::ordered_json json_of(const DemMeasurement& one) {
  nlohmann::ordered_json row{{"program", one.name},         {"particles", one.particles},
                             {"history", one.has_friction}, {"cores", one.cores},
                             {"steps", one.steps},          {"million_per_second", one.rate()},
                             {"seconds", one.seconds}};
  if (one.fastest.bytes > 0) row["bytes"] = one.fastest.bytes;
  for (const EnergySample& sample : one.fastest.kinetic_energies)
    row["kinetic_energy"][std::to_string(sample.step)] = sample.energy;
  if (one.kind != DemProgramKind::abut) return row;
  const StepTimings& parts = one.fastest.timings;
  row["split_seconds"] = {{"detect", parts.neighbor_search},
                          {"forces", parts.forces},
                          {"walls", parts.walls},
                          {"integrate", parts.integration}};
  row["searches"] = parts.neighbor_builds;
  return row;
}

std::string json_text(const std::vector<Results>& boxes) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Results& all : boxes)
    for (const DemMeasurement& one : all) rows.push_back(json_of(one));
  return rows.dump(2) + "\n";
}

double difference(double ours, double theirs) {
  return std::abs(ours - theirs) / std::max(std::abs(theirs), 1e-300);
}

}  // namespace

void DemMeasurement::add(const DemRunResult& turn, bool is_counted) {
  if (!is_counted) return;  // its memory has the program's own pages, seen for the first time
  const std::size_t most = std::max(turn.bytes, fastest.bytes);
  if (seconds.empty() || turn.seconds < std::ranges::min(seconds)) fastest = turn;
  seconds.push_back(turn.seconds);
  fastest.bytes = most;
}

double DemMeasurement::rate() const { return rate_for(median_of(seconds)); }

double DemMeasurement::rate_for(double time) const {
  return static_cast<double>(particles * steps) / time / 1e6;
}

std::optional<double> energy_difference(const Results& one_box) {
  std::optional<double> worst;
  for (const DemMeasurement& ours : one_box)
    for (const DemMeasurement& theirs : one_box) {
      if (ours.kind != DemProgramKind::abut || theirs.kind != DemProgramKind::lammps) continue;
      for (const EnergySample& a : ours.fastest.kinetic_energies)
        for (const EnergySample& b : theirs.fastest.kinetic_energies)
          if (a.step == b.step) worst = std::max(worst.value_or(0), difference(a.energy, b.energy));
    }
  return worst;
}

std::string dem_report(const std::vector<Results>& boxes, DemFormat format) {
  if (format == DemFormat::json) return json_text(boxes);
  std::string text;
  for (const Table& table : {rate_table(boxes), phase_table(boxes), energy_table(boxes)}) {
    if (table.row_count() == 0) continue;
    if (!text.empty()) text += "\n";
    text += format == DemFormat::markdown ? table.markdown() : table.text();
  }
  return text;
}

std::vector<Report::Section> dem_sections(const std::vector<Results>& boxes) {
  BarChart rates{"Speed", "million particles times steps a second", {}};
  BarChart times{"Time of a step", "ns per particle", {}};
  for (const Results& all : boxes)
    for (const DemMeasurement& one : all) {
      const std::string name = fmt::format("{}, {} {}, {} {}", one.name, one.particles,
                                           one.has_friction ? "rough" : "smooth", one.cores,
                                           one.cores == 1 ? "core" : "cores");
      rates.bars.push_back({name, one.rate()});
      if (one.kind == DemProgramKind::abut)
        times.bars.push_back({name, nanoseconds(one, one.fastest.seconds)});
    }
  std::vector<Report::Section> sections{
      {.title = "How fast",
       .text = "M/s: million particles times steps a second, median and fastest of the turns; "
               "how many times as fast as LAMMPS, where it was measured, and as one core.",
       .svg = draw(rates),
       .table = rate_table(boxes),
       .table_title = "The numbers"},
      {.title = "Where the time goes",
       .text = "Of the fastest turn of ours.",
       .svg = draw(times),
       .table = phase_table(boxes),
       .table_title = "The numbers"}};
  const Table energies = energy_table(boxes);
  if (energies.row_count() > 0)
    sections.push_back({.title = "The same physics",
                        .text = "Kinetic energy after as many steps as LAMMPS.",
                        .table = energies,
                        .table_title = "The numbers"});
  return sections;
}

}  // namespace abut
