#pragma once

#include <string>

#include "cli/dem_turn.hpp"
#include "cli/settled_box.hpp"

namespace abut {

/// Whether LAMMPS is installed, and whether it can be run on more than one core.
[[nodiscard]] bool has_lammps();
[[nodiscard]] bool has_mpi();

/// A box as files that LAMMPS reads; they are in `folder` and begin with `name`. Returns the path
/// of the one to start with.
[[nodiscard]] std::string write_lammps(const std::string& folder, const std::string& name,
                                       const SettledBox& box);

/// LAMMPS with pairs kept up to this distance, on as many cores as are told.
class Lammps : public DemProgram {
 public:
  Lammps(std::string input, double skin, unsigned cores)
      : input_(std::move(input)), skin_(skin), cores_(cores) {}

  [[nodiscard]] DemTurn run(std::size_t steps) const override;

 private:
  std::string input_;
  double skin_;
  unsigned cores_;
};

}  // namespace abut
