#pragma once

#include <string>
#include <vector>

#include "bench/dem_result.hpp"
#include "bench/dem_scenes.hpp"

namespace abut {

/// Whether these programs are installed. LAMMPS needs mpirun to use more than one core.
[[nodiscard]] bool has_lammps();
[[nodiscard]] bool has_mpi();
[[nodiscard]] bool has_yade();

/// A DEM program that runs a scene.
class DemProgram {
 public:
  virtual ~DemProgram() = default;

  /// Runs this number of steps from the initial state of the scene. Throws `Error` with the
  /// program's error message if it fails.
  [[nodiscard]] virtual DemRunResult run(std::size_t steps) const = 0;
};

/// Whether LAMMPS can simulate the walls of this scene. YADE is compared with `settled` only.
[[nodiscard]] bool lammps_supports(DemSceneKind kind);

/// Skin distances of the neighbor list to be tried with LAMMPS; the best one depends on the speed
/// of the particles.
[[nodiscard]] std::vector<double> lammps_skins(DemSceneKind kind);

/// Writes `folder`/`name`.data and `folder`/`name`.lammps. Returns the path of the latter, the
/// input script.
[[nodiscard]] std::string write_lammps(const std::string& folder, const std::string& name,
                                       const DemScene& scene);

/// LAMMPS on this number of cores. `skin` is the neighbor-list skin distance.
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

/// Writes `folder`/`name`.spheres and `folder`/`name`.py. Returns their common path without the
/// extension.
[[nodiscard]] std::string write_yade(const std::string& folder, const std::string& name,
                                     const DemScene& scene);

/// YADE on one core, with the contact law of Cundall and Strack: the stiffness is proportional to
/// the radius and equals that of abut for the mean diameter; there is no damping. The energies are
/// therefore not comparable with those of abut.
class Yade : public DemProgram {
 public:
  explicit Yade(std::string files) : files_(std::move(files)) {}

  [[nodiscard]] DemRunResult run(std::size_t steps) const override;

 private:
  std::string files_;
};

}  // namespace abut
