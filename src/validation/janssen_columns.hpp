#pragma once

#include <cstddef>
#include <vector>

#include "validation/workload.hpp"

namespace abut {

/// The walls of the silo, and how it is measured: filled, left to come to rest, then its cylinder
/// is drawn up slowly, so that friction holds the grains everywhere as much as it can.
struct JanssenPlan {
  double diameter;
  double wall_friction;
  std::vector<double> fills;  ///< heights, in diameters of the silo
  double drawing_time;

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

std::vector<SiloColumn> janssen_columns(const JanssenPlan& plan, const WorkDone& done);

}  // namespace abut
