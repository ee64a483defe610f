#pragma once

#include <string>

#include "bench/dem_result.hpp"
#include "bench/settled_packing.hpp"

namespace abut {

/// Whether LAMMPS is installed, and whether it can be run on more than one core.
[[nodiscard]] bool has_lammps();
[[nodiscard]] bool has_mpi();

/// A box as files that LAMMPS reads; they are in `folder` and begin with `name`. Returns the path
/// of the one to start with.
[[nodiscard]] std::string write_lammps(const std::string& folder, const std::string& name,
                                       const SettledPacking& box);

/// LAMMPS with pairs kept up to this distance, on as many cores as are told.
class Lammps : public DemProgram {
 public:
  Lammps(std::string input, double skin, unsigned cores)
      : input_(std::move(input)), skin_(skin), cores_(cores) {}

  [[nodiscard]] DemRunResult run(std::size_t steps) const override;

 private:
  std::string input_;
  double skin_;
  unsigned cores_;
};

[[nodiscard]] bool has_yade();

/// The box and a script for YADE, files in `folder` that begin with `name`. Returns their path
/// without what tells them apart.
[[nodiscard]] std::string write_yade(const std::string& folder, const std::string& name,
                                     const SettledPacking& box);

/// YADE on one core, with the law of Cundall and Strack: its stiffness grows with the radius and
/// meets ours in the middle of the sizes; it has no dashpots. So its energies are not ours.
class Yade : public DemProgram {
 public:
  explicit Yade(std::string files) : files_(std::move(files)) {}

  [[nodiscard]] DemRunResult run(std::size_t steps) const override;

 private:
  std::string files_;
};

}  // namespace abut
