#pragma once

#include <abut/case.hpp>
#include <cstdint>
#include <span>
#include <string>

#include "cli/probe_table.hpp"
#include "cli/run_profile.hpp"

namespace abut {

/// What a run is measured by: `probes.csv`, a line each time, and the profile.
template <std::size_t D>
class RunProbes {
 public:
  /// Into a folder; lines later than a step, of a run that is taken up again, are dropped.
  RunProbes(const std::string& folder, const Case<D>& plan, std::uint64_t continued_from);

  void write(const Run<D>& run);

 private:
  [[nodiscard]] double rate_since_before(double time, double left_mass);

  ProbeTable table_;
  RunProfile<D> profile_;
  double mass_before_ = 0;  ///< that had left,
  double time_before_ = 0;  ///< and when
};

extern template class RunProbes<2>;
extern template class RunProbes<3>;

}  // namespace abut
