#pragma once

#include <cstddef>
#include <vector>

#include "validation/experiment.hpp"
#include "validation/granular_model.hpp"

namespace abut {

/// A silo whose cylinder is drawn up slowly from the beginning to the end, so that grains always
/// hang on it as much as friction lets them; then it stops, and all come to rest.
struct JanssenSetup {
  double diameter;
  GranularContact law;
  std::vector<double> fills;  ///< heights, in diameters of the silo
  double speed;               ///< of the cylinder
  double settling_time;
  double measured_time;
  double resting_time;

  [[nodiscard]] std::size_t count(double fill) const;
  [[nodiscard]] double base() const;
  [[nodiscard]] double work() const;
};

/// A slice of a filled silo; forces of the grains on the cylinder.
struct SiloSlice {
  double height;   ///< of its middle
  double weight;   ///< of the grains in it
  double support;  ///< upwards, on the grains
  double normal;
};

/// What was measured of one fill.
struct SiloColumn {
  double weight = 0;
  double solid_fraction = 0;
  double floor_at_rest = 0;  ///< downwards
  double cylinder_at_rest = 0;
  double kinetic_at_rest = 0;
  double floor = 0;  ///< the same while it is drawn up, on average
  double cylinder = 0;
  std::vector<SiloSlice> slices = {};
};

std::vector<SiloColumn> janssen_columns(const JanssenSetup& plan, const ProgressCallback& done);

}  // namespace abut
