#pragma once

#include <abut/case.hpp>
#include <cstdint>
#include <fstream>
#include <string>

namespace abut {

/// What a run is measured by, a line each time: `probes.csv` for all of it, `profile.csv` for the
/// force on walls against height.
template <std::size_t D>
class RunProbes {
 public:
  /// Into a folder; lines later than a step, of a run that is taken up again, are dropped.
  RunProbes(const std::string& folder, const Case<D>& plan, std::uint64_t continued_from);

  void write(const Run<D>& run);

 private:
  void write_line(const Run<D>& run);
  void write_profile(const Run<D>& run);

  std::string probes_name_;
  std::string profile_name_;
  std::ofstream probes_;
  std::ofstream profile_;
  double mass_before_ = 0;  ///< that had left,
  double time_before_ = 0;  ///< and when
};

extern template class RunProbes<2>;
extern template class RunProbes<3>;

}  // namespace abut
