#pragma once

#include <abut/simulation.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/report.hpp"

namespace abut {

/// Kinetic energy, without that of rotation.
struct EnergySample {
  std::size_t step;
  double energy;
};

/// What a program did in its turn.
struct DemRunResult {
  double seconds = 0;
  std::vector<EnergySample> kinetic_energies = {};
  StepTimings timings = {};  ///< of ours
  std::size_t bytes = 0;     ///< of ours, at most, beside what it was given; 0 if not known
};

/// Another program that has a box to run.
class DemProgram {
 public:
  virtual ~DemProgram() = default;

  /// Runs so many steps from the settled box. Throws `Error` with what the program complains of.
  [[nodiscard]] virtual DemRunResult run(std::size_t steps) const = 0;
};

/// Who takes part in `bench-dem`.
enum class DemProgramKind : std::uint8_t { abut, lammps, yade };

/// What was measured of one program in one box.
struct DemMeasurement {
  std::string name;
  DemProgramKind kind = DemProgramKind::abut;
  unsigned cores = 1;
  std::size_t particles = 0;
  bool has_friction = false;
  std::size_t steps = 0;
  std::vector<double> seconds = {};  ///< of each turn that counts
  DemRunResult fastest = {};         ///< of those, with the most memory of all

  void add(const DemRunResult& turn, bool is_counted);

  /// Million particles times steps a second, in the median turn or in one of so many seconds.
  [[nodiscard]] double rate() const;
  [[nodiscard]] double rate_for(double time) const;
};

/// How far the energies of LAMMPS are from those of abut, the largest difference as a part; none
/// if either is not among them.
[[nodiscard]] std::optional<double> energy_difference(const std::vector<DemMeasurement>& one_box);

enum class DemFormat : std::uint8_t { text, markdown, json };

/// Each entry is what was measured in one box.
[[nodiscard]] std::string dem_report(const std::vector<std::vector<DemMeasurement>>& boxes,
                                     DemFormat format);

/// The same for a page.
[[nodiscard]] std::vector<Report::Section> dem_sections(
    const std::vector<std::vector<DemMeasurement>>& boxes);

}  // namespace abut
