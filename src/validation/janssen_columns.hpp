#pragma once

#include <cstddef>
#include <vector>

#include "validation/experiment.hpp"
#include "validation/granular_model.hpp"

namespace abut {

/// A silo whose cylinder moves up slowly, so that wall friction is fully mobilized while the loads
/// are measured; then it stops, and the grains come to rest. Reduced units as in `GranularContact`.
struct JanssenSetup {
  double diameter;
  GranularContact law;
  std::vector<double> fills;  ///< fill heights, in silo diameters
  double speed;               ///< of the cylinder
  double settling_time;
  double measured_time;
  double resting_time;

  /// Number of grains for a fill height in silo diameters.
  [[nodiscard]] std::size_t count(double fill) const;

  /// Cross-sectional area of the silo.
  [[nodiscard]] double base() const;

  /// Work of all simulations, as counted by `advance`.
  [[nodiscard]] double work() const;
};

/// A horizontal slice of a filled silo, with the forces between its grains and the cylinder.
struct SiloSlice {
  double height;   ///< of its center
  double weight;   ///< of its grains
  double support;  ///< upward friction force on the grains
  double normal;   ///< normal force
};

/// Measured loads of one fill; forces on floor and cylinder are positive downward.
struct SiloColumn {
  double weight = 0;
  double solid_fraction = 0;
  double floor_at_rest = 0;
  double cylinder_at_rest = 0;
  double kinetic_at_rest = 0;  ///< kinetic and rotational energy
  double floor = 0;            ///< mean while the cylinder moves
  double cylinder = 0;
  std::vector<SiloSlice> slices = {};
};

/// Simulates all fills, in parallel.
std::vector<SiloColumn> janssen_columns(const JanssenSetup& setup,
                                        const ProgressCallback& callback);

}  // namespace abut
