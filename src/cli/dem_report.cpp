#include "cli/dem_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/median.hpp"
#include "io/bar_chart.hpp"
#include "io/table.hpp"

namespace abut {
namespace {

using Results = std::vector<DemResult>;

// The fastest of a kind on so many cores; 0 if there is none.
double best_rate(const Results& all, DemKind kind, unsigned cores) {
  double best = 0;
  for (const DemResult& one : all)
    if (one.kind == kind && one.cores == cores) best = std::max(best, one.rate());
  return best;
}

std::string times_text(double rate, double other) {
  return other > 0 ? fmt::format("{:.2f}", rate / other) : "";
}

const char* friction_text(bool rough) { return rough ? "history" : "none"; }

double nanoseconds(const DemResult& one, double seconds) {
  return seconds * 1e9 / static_cast<double>(one.particles * one.steps);
}

Table rate_table(const std::vector<Results>& boxes) {
  Table table({"program", "particles", "friction", "cores", "M/s", "fastest", "of LAMMPS",
               "of one core", "kB/particle"});
  for (const Results& all : boxes)
    for (const DemResult& one : all) {
      const double bytes =
          static_cast<double>(one.fastest.bytes) / static_cast<double>(one.particles);
      table.add({one.name, std::to_string(one.particles), friction_text(one.rough),
                 std::to_string(one.cores), fmt::format("{:.2f}", one.rate()),
                 fmt::format("{:.2f}", one.rate_in(std::ranges::min(one.seconds))),
                 times_text(one.rate(), best_rate(all, DemKind::lammps, 1)),
                 times_text(one.rate(), best_rate(all, one.kind, 1)),
                 bytes > 0 ? fmt::format("{:.3f}", bytes / 1000) : ""});
    }
  return table;
}

Table split_table(const std::vector<Results>& boxes) {
  Table table({"ns a particle and step", "particles", "friction", "cores", "all", "detect",
               "forces", "walls", "integrate", "steps a search"});
  for (const Results& all : boxes)
    for (const DemResult& one : all) {
      if (one.kind != DemKind::abut) continue;
      const auto part = [&](double seconds) {
        return fmt::format("{:.1f}", nanoseconds(one, seconds));
      };
      const StepTimes& parts = one.fastest.parts;
      const auto searches = static_cast<double>(std::max<std::uint64_t>(1, parts.searches));
      table.add({one.name, std::to_string(one.particles), friction_text(one.rough),
                 std::to_string(one.cores), part(one.fastest.seconds), part(parts.detect),
                 part(parts.forces), part(parts.walls), part(parts.integrate),
                 fmt::format("{:.1f}", static_cast<double>(one.steps) / searches)});
    }
  return table;
}

std::string energy_text(const DemResult& one, std::size_t step) {
  for (const EnergySample& sample : one.fastest.energies)
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
    for (const DemKind kind : {DemKind::abut, DemKind::lammps}) {
      const DemResult& one = *std::ranges::find(all, kind, &DemResult::kind);
      table.add({kind == DemKind::abut ? "abut" : "LAMMPS", std::to_string(one.particles),
                 friction_text(one.rough), energy_text(one, 100), energy_text(one, 200),
                 energy_text(one, 300),
                 kind == DemKind::abut ? "" : fmt::format("{:.1e}", *differ)});
    }
  }
  return table;
}

nlohmann::ordered_json json_of(const DemResult& one) {
  nlohmann::ordered_json row{{"program", one.name},   {"particles", one.particles},
                             {"history", one.rough},  {"cores", one.cores},
                             {"steps", one.steps},    {"million_per_second", one.rate()},
                             {"seconds", one.seconds}};
  if (one.fastest.bytes > 0) row["bytes"] = one.fastest.bytes;
  for (const EnergySample& sample : one.fastest.energies)
    row["kinetic_energy"][std::to_string(sample.step)] = sample.energy;
  if (one.kind != DemKind::abut) return row;
  const StepTimes& parts = one.fastest.parts;
  row["split_seconds"] = {{"detect", parts.detect},
                          {"forces", parts.forces},
                          {"walls", parts.walls},
                          {"integrate", parts.integrate}};
  row["searches"] = parts.searches;
  return row;
}

std::string json_text(const std::vector<Results>& boxes) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Results& all : boxes)
    for (const DemResult& one : all) rows.push_back(json_of(one));
  return rows.dump(2) + "\n";
}

double difference(double ours, double theirs) {
  return std::abs(ours - theirs) / std::max(std::abs(theirs), 1e-300);
}

}  // namespace

void DemResult::add(const DemTurn& turn, bool is_counted) {
  if (!is_counted) return;  // its memory has the program's own pages, seen for the first time
  const std::size_t most = std::max(turn.bytes, fastest.bytes);
  if (seconds.empty() || turn.seconds < std::ranges::min(seconds)) fastest = turn;
  seconds.push_back(turn.seconds);
  fastest.bytes = most;
}

double DemResult::rate() const { return rate_in(median_of(seconds)); }

double DemResult::rate_in(double time) const {
  return static_cast<double>(particles * steps) / time / 1e6;
}

std::optional<double> energy_difference(const Results& one_box) {
  std::optional<double> worst;
  for (const DemResult& ours : one_box)
    for (const DemResult& theirs : one_box) {
      if (ours.kind != DemKind::abut || theirs.kind != DemKind::lammps) continue;
      for (const EnergySample& a : ours.fastest.energies)
        for (const EnergySample& b : theirs.fastest.energies)
          if (a.step == b.step) worst = std::max(worst.value_or(0), difference(a.energy, b.energy));
    }
  return worst;
}

std::string dem_report(const std::vector<Results>& boxes, DemFormat format) {
  if (format == DemFormat::json) return json_text(boxes);
  std::string text;
  for (const Table& table : {rate_table(boxes), split_table(boxes), energy_table(boxes)}) {
    if (table.size() == 0) continue;
    if (!text.empty()) text += "\n";
    text += format == DemFormat::markdown ? table.markdown() : table.text();
  }
  return text;
}

std::vector<Report::Section> dem_sections(const std::vector<Results>& boxes) {
  BarChart rates{"Speed", "million particles times steps a second", {}};
  BarChart times{"Time of a step", "ns per particle", {}};
  for (const Results& all : boxes)
    for (const DemResult& one : all) {
      const std::string name =
          fmt::format("{}, {} {}, {} {}", one.name, one.particles, one.rough ? "rough" : "smooth",
                      one.cores, one.cores == 1 ? "core" : "cores");
      rates.bars.push_back({name, one.rate()});
      if (one.kind == DemKind::abut)
        times.bars.push_back({name, nanoseconds(one, one.fastest.seconds)});
    }
  std::vector<Report::Section> sections{
      {.title = "How fast",
       .text = "M/s: million particles times steps a second, median and fastest of the turns; "
               "how many times as fast as LAMMPS, where it was measured, and as one core.",
       .picture = draw(rates),
       .table = rate_table(boxes),
       .table_title = "The numbers"},
      {.title = "Where the time goes",
       .text = "Of the fastest turn of ours.",
       .picture = draw(times),
       .table = split_table(boxes),
       .table_title = "The numbers"}};
  const Table energies = energy_table(boxes);
  if (energies.size() > 0)
    sections.push_back({.title = "The same physics",
                        .text = "Kinetic energy after as many steps as LAMMPS.",
                        .table = energies,
                        .table_title = "The numbers"});
  return sections;
}

}  // namespace abut
