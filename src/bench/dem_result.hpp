#pragma once

#include <abut/simulation.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/report.hpp"

namespace abut {

/// Kinetic energies of translation and rotation after a number of steps.
struct EnergySample {
  std::size_t step;
  double kinetic;
  double rotational;
};

/// Result of one run of a program.
struct DemRunResult {
  double seconds = 0;  ///< wall-clock time of the steps
  std::vector<EnergySample> energies = {};
  StepTimings timings = {};  ///< of abut only
  std::size_t bytes = 0;     ///< of abut only: peak memory in excess of the input; 0 if unknown
};

/// The programs that `bench-dem` compares.
enum class DemProgramKind : std::uint8_t { abut, lammps, yade };

/// Results of all runs of one program with one scene.
struct DemMeasurement {
  std::string scene;
  std::string name;
  DemProgramKind kind = DemProgramKind::abut;
  unsigned cores = 1;
  std::size_t particles = 0;
  bool has_friction = false;
  std::size_t steps = 0;
  std::vector<double> seconds = {};  ///< of each counted run
  DemRunResult fastest = {};         ///< the fastest counted run, with the peak memory of all

  void add(const DemRunResult& result, bool is_counted);

  /// Million particle-steps per second: of the median run, or of a run that takes `time` seconds.
  [[nodiscard]] double rate() const;
  [[nodiscard]] double rate_for(double time) const;
};

/// Relative differences between energies of abut and LAMMPS.
struct EnergyDifference {
  double kinetic = 0;
  double rotational = 0;
};

/// The largest differences of all measurements of one scene; empty if either program was not
/// measured.
[[nodiscard]] std::optional<EnergyDifference> energy_difference(
    const std::vector<DemMeasurement>& results);

enum class DemFormat : std::uint8_t { text, markdown, json };

/// Tables of speeds, phase times and energies. Each entry of `scenes` holds the results of one
/// scene.
[[nodiscard]] std::string dem_report(const std::vector<std::vector<DemMeasurement>>& scenes,
                                     DemFormat format);

/// The same tables as sections of an HTML page.
[[nodiscard]] std::vector<Report::Section> dem_sections(
    const std::vector<std::vector<DemMeasurement>>& scenes);

}  // namespace abut
