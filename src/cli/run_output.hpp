#pragma once

#include <abut/case.hpp>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "io/vtk_writer.hpp"

namespace abut {

/// A table of a run that grows line by line, the step first.
class StepTable {
 public:
  /// Lines later than a step, of a run that is taken up again, are dropped.
  StepTable(std::string path, const std::string& header, std::uint64_t continued_from);

  /// Whole lines. Throws `Error` if they cannot be written.
  void add(const std::string& lines);

  /// The last line that stayed, or the header.
  [[nodiscard]] const std::string& last_line() const { return last_line_; }

 private:
  std::string path_;
  std::ofstream file_;
  std::string last_line_;
};

/// Walls of a case, and after them balls that stand for walls: what particles push.
template <std::size_t D>
std::vector<std::string> wall_names(const Case<D>& plan);

/// What one of them is pushed with in one contact.
template <std::size_t D>
struct WallContactForce {
  std::size_t wall;  ///< by its place among the names
  Point<D> point;    ///< in the domain, where that repeats
  Point<D> normal;   ///< from the particle to the wall, of length one
  Point<D> force;
};

template <std::size_t D>
std::vector<WallContactForce<D>> wall_contact_forces(const Case<D>& plan,
                                                     std::span<const ContactState<D>> contacts);

/// `profile.csv`: the force on each wall against height. A wall has the same slices at all times,
/// those it reaches before the start and at the end, so that columns can be averaged.
template <std::size_t D>
class RunProfile {
 public:
  /// Into a folder; lines later than a step, of a run that is taken up again, are dropped.
  RunProfile(const std::string& folder, const Case<D>& plan, std::uint64_t continued_from);

  void write(const Simulation<D>& now, std::span<const WallContactForce<D>> pushed);

 private:
  struct SliceRange {
    std::size_t first, last;  ///< slices
  };
  struct SliceForce {
    double outward = 0;
    double downward = 0;
  };
  [[nodiscard]] std::size_t slice_at(double height) const;

  StepTable table_;
  std::vector<std::string> wall_names_;
  std::size_t vertical_axis_;  ///< the axis of heights
  double down_sign_;           ///< 1 where gravity is along this axis, −1 where against it
  double bottom_ = 0;          ///< of the lowest slice
  double thickness_ = 0;       ///< of a slice
  std::vector<SliceRange> slice_ranges_;
};

extern template class RunProfile<2>;
extern template class RunProfile<3>;

/// What a run is measured by: `probes.csv`, a line each time, and the profile.
template <std::size_t D>
class RunProbes {
 public:
  /// Into a folder; lines later than a step, of a run that is taken up again, are dropped.
  RunProbes(const std::string& folder, const Case<D>& plan, std::uint64_t continued_from);

  void write(const Run<D>& run);

 private:
  [[nodiscard]] double discharge_rate(double time, double left_mass);

  StepTable table_;
  RunProfile<D> profile_;
  double previous_removed_mass_ = 0;  ///< that had left,
  double previous_time_ = 0;          ///< and when
};

extern template class RunProbes<2>;
extern template class RunProbes<3>;

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
  std::string walls_file_;     ///< the last that was written,
  std::string written_walls_;  ///< and what it showed
};

extern template class RunFrames<2>;
extern template class RunFrames<3>;

/// Where a run comes from.
struct CaseSource {
  std::string folder;  ///< where its meshes are
  std::string text;
  std::string
      file_checksums;  ///< a line for each mesh and list of particles: what it held, and its name
};

/// For `CaseSource::files`.
[[nodiscard]] std::string file_checksums(std::span<const std::string> files);

/// Writes the state of a run into its folder.
template <std::size_t D>
void write_run_checkpoint(const std::string& folder, const Run<D>& run, const CaseSource& source);

/// A state that was read back.
struct RunCheckpoint {
  SavedState state;
  std::vector<std::uint64_t> inserted;  ///< of each inflow
  CaseSource source;
  std::uint64_t hash = 0;
  std::string warning;  ///< one line about newer ones that are of no use
};

/// The newest that is whole.
RunCheckpoint read_run_checkpoint(const std::string& folder);

extern template void write_run_checkpoint(const std::string&, const Run<2>&, const CaseSource&);
extern template void write_run_checkpoint(const std::string&, const Run<3>&, const CaseSource&);

}  // namespace abut
