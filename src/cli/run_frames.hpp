#pragma once

#include <abut/case.hpp>
#include <string>

#include "io/vtk_series.hpp"

namespace abut {

/// The pictures of a run for ParaView: particles, contacts and walls, one file each and frame, and
/// `run.pvd` that lists them.
template <std::size_t D>
class RunFrames {
 public:
  /// Into a folder; those later than a time, of a run that is taken up again, are forgotten.
  RunFrames(std::string folder, double continued_from);

  void write(const Run<D>& run);

 private:
  void write_particles(const Simulation<D>& now, const std::vector<ContactState<D>>& contacts);
  void write_contacts(const Simulation<D>& now, const std::vector<ContactState<D>>& contacts);
  void write_walls(const Run<D>& run);
  [[nodiscard]] std::string file(const char* part, std::uint64_t step) const;

  std::string folder_;
  VtkSeries series_;
  std::string walls_file_;    ///< the last that was written,
  std::string walls_before_;  ///< and what it showed
};

extern template class RunFrames<2>;
extern template class RunFrames<3>;

}  // namespace abut
