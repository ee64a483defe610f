#pragma once

#include <abut/case.hpp>
#include <cstdint>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/step_table.hpp"
#include "io/vtk_writer.hpp"

// What a run writes into its folder: probes.csv, profile.csv, VTK frames and checkpoints. When a
// run is resumed from a checkpoint, lines and frames later than the checkpoint are removed first.

namespace abut {

/// Force of one particle on a wall, or on a set of fixed particles, in one contact.
template <std::size_t D>
struct WallContactForce {
  std::size_t wall;  ///< index of the wall; sets of fixed particles follow after all walls
  Point<D> point;    ///< contact point, wrapped into a periodic domain
  Point<D> normal;   ///< unit vector from the particle to the wall
  Point<D> force;    ///< on the wall
};

/// `profile.csv`: the force on each wall as a function of height, summed over horizontal slices of
/// equal thickness. A wall has the same slices at all times, those that it covers at the start and
/// at the end of the run, so that rows can be averaged over time.
template <std::size_t D>
class RunProfile {
 public:
  RunProfile(const std::string& folder, const Case<D>& setup, std::uint64_t resumed_step);

  void write(const Simulation<D>& simulation, std::span<const WallContactForce<D>> forces);

 private:
  struct SliceRange {
    std::size_t first, last;
  };
  struct SliceForce {
    double outward = 0;
    double downward = 0;
  };
  [[nodiscard]] std::size_t slice_at(double height) const;

  StepTable table_;
  std::vector<std::string> wall_names_;
  std::size_t vertical_axis_;
  double down_sign_;      ///< 1 if gravity points along +vertical_axis_, −1 otherwise
  double bottom_ = 0;     ///< height of the lower end of slice 0
  double thickness_ = 0;  ///< of a slice
  std::vector<SliceRange> slice_ranges_;  ///< of each wall
};

extern template class RunProfile<2>;
extern template class RunProfile<3>;

/// A column of `probes.csv`.
struct ProbeInfo {
  std::string name;  ///< title of the column
  std::string unit;
  std::string description;
};

/// All columns, for a sink and a wall named NAME.
[[nodiscard]] std::vector<ProbeInfo> probe_infos();

/// Notices energy that grows without a source, without the energy balance of `track_energy`: from
/// the energies at the probes.
template <std::size_t D>
class EnergyGrowth {
 public:
  /// The growth (J) of kinetic, rotational, potential and overlap energy since its lowest value
  /// after the last insertion, removal, opened or closed wall or wall motion, if it is more than
  /// 10 % of the largest sum of kinetic, rotational and overlap energy of all calls; else 0. A low
  /// value counts if the next one is low, too: energy may be in tangential springs for a moment.
  [[nodiscard]] double update(const Run<D>& run);

 private:
  [[nodiscard]] bool is_disturbed(const Run<D>& run) const;

  std::optional<double> lowest_;  ///< total energy; none before the first call
  double previous_ = 0;           ///< total energy
  double largest_motion_ = 0;
  double time_ = 0;
  ParticleCounts counts_;
};

/// `probes.csv`: one line of totals for each probe time. Also writes the profile.
template <std::size_t D>
class RunProbes {
 public:
  /// Opens the files for a run at its beginning, or restored from a checkpoint.
  RunProbes(const std::string& folder, const Run<D>& run);

  void write(const Run<D>& run);

  /// Empty unless the run was resumed and the columns of a file have changed.
  [[nodiscard]] const std::string& warning() const { return table_.warning(); }

 private:
  /// Removed mass per time since the previous row; since the checkpoint if that has no mass.
  [[nodiscard]] double discharge_rate(double time, double removed_mass);

  void warn_energy_growth(const Run<D>& run);

  StepTable table_;
  RunProfile<D> profile_;
  EnergyGrowth<D> energy_growth_;
  bool has_warned_ = false;
  double previous_removed_mass_ = 0;
  double previous_time_ = 0;
};

extern template class RunProbes<2>;
extern template class RunProbes<3>;

/// Frames of a run for ParaView: a .vtp file each for particles, contacts and walls, and `run.pvd`
/// that lists them with their times.
template <std::size_t D>
class RunFrames {
 public:
  RunFrames(std::string folder, double resumed_time);

  void write(const Run<D>& run);

 private:
  void write_particles(const Run<D>& run, const std::vector<ContactState<D>>& contacts);
  void write_contacts(const Simulation<D>& simulation,
                      const std::vector<ContactState<D>>& contacts);
  void write_walls(const Run<D>& run);
  [[nodiscard]] std::string file(const char* group, std::uint64_t step) const;

  std::string folder_;
  VtkSeries series_;
  std::string walls_file_;     ///< the wall file written last
  std::string written_walls_;  ///< which walls it shows, and at which steps if they move
};

extern template class RunFrames<2>;
extern template class RunFrames<3>;

/// A mesh or particle file that a case reads. Only name, size and checksum are stored.
struct CaseInput {
  std::string path;  ///< as used to open the file
  std::string name;  ///< absolute, without symbolic links
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;

  [[nodiscard]] bool has_contents_of(const CaseInput& other) const {
    return size == other.size && checksum == other.checksum;
  }
};

/// The files with their contents. Reads them completely.
[[nodiscard]] std::vector<CaseInput> case_inputs(std::span<const std::string> files);

/// The files of `current` that are not those of `saved`: the contents under the same name differ,
/// or the name is new and no saved file has the same contents. A file that was moved is the same.
[[nodiscard]] std::vector<CaseInput> changed_inputs(std::span<const CaseInput> current,
                                                    std::span<const CaseInput> saved);

/// The case file that a run was started from.
struct CaseSource {
  std::string folder;  ///< to which paths in the case are relative; absolute
  std::string text;    ///< contents of the case file
  std::vector<CaseInput> inputs;
};

/// Writes the state of a run and the source of its case as a checkpoint into the folder.
template <std::size_t D>
void write_run_checkpoint(const std::string& folder, const Run<D>& run, const CaseSource& source);

/// A checkpoint that was read back.
struct RunCheckpoint {
  std::string path;
  SavedState state;
  std::vector<std::uint64_t> inserted;  ///< particles inserted so far by each insertion
  CaseSource source;
  std::uint64_t hash = 0;  ///< of the state, without the source
  std::string warning;     ///< one line if newer checkpoints are damaged; otherwise empty
};

/// Reads the newest undamaged checkpoint of a folder. Throws `Error` if there is none.
RunCheckpoint read_run_checkpoint(const std::string& folder);

/// Restores a run. Throws `Error` with the file, and the section as key, if the state does not fit
/// the case or has values that no run has.
template <std::size_t D>
void restore_run(const RunCheckpoint& checkpoint, Run<D>& run);

extern template void restore_run(const RunCheckpoint&, Run<2>&);
extern template void restore_run(const RunCheckpoint&, Run<3>&);
extern template void write_run_checkpoint(const std::string&, const Run<2>&, const CaseSource&);
extern template void write_run_checkpoint(const std::string&, const Run<3>&, const CaseSource&);

}  // namespace abut
