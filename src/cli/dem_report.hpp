#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/dem_turn.hpp"
#include "io/report.hpp"

namespace abut {

/// Who takes part in `bench-dem`.
enum class DemKind : std::uint8_t { abut, lammps, yade };

/// What was measured of one program in one box.
struct DemResult {
  std::string name;
  DemKind kind = DemKind::abut;
  unsigned cores = 1;
  std::size_t particles = 0;
  bool rough = false;
  std::size_t steps = 0;
  std::vector<double> seconds = {};  ///< of each turn that counts
  DemTurn fastest = {};              ///< of those, with the most memory of all

  void add(const DemTurn& turn, bool is_counted);

  /// Million particles times steps a second, in the median turn or in one of so many seconds.
  [[nodiscard]] double rate() const;
  [[nodiscard]] double rate_in(double time) const;
};

/// How far the energies of LAMMPS are from those of abut, the largest difference as a part; none
/// if either is not among them.
[[nodiscard]] std::optional<double> energy_difference(const std::vector<DemResult>& one_box);

enum class DemFormat : std::uint8_t { text, markdown, json };

/// Each entry is what was measured in one box.
[[nodiscard]] std::string dem_report(const std::vector<std::vector<DemResult>>& boxes,
                                     DemFormat format);

/// The same for a page.
[[nodiscard]] std::vector<Report::Section> dem_sections(
    const std::vector<std::vector<DemResult>>& boxes);

}  // namespace abut
