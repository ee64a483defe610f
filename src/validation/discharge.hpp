#pragma once

#include <cstddef>
#include <vector>

#include "validation/experiment.hpp"

namespace abut {

/// A flat-bottomed silo that discharges through a circular outlet. Reduced units as in
/// `GranularContact`.
struct DischargeSetup {
  static constexpr double friction = 0.2;
  double diameter;
  std::size_t count;            ///< number of grains
  std::vector<double> outlets;  ///< diameters, ascending
  double discharged_fraction;   ///< of the fill, approximately, through the widest outlet
  std::size_t fills = 1;        ///< number of different packings

  /// Discharge time for an outlet.
  [[nodiscard]] double duration(double outlet) const;

  /// Work of all simulations, as counted by `advance`.
  [[nodiscard]] double work() const;
};

struct Discharge {
  double outlet;                   ///< diameter
  double rate;                     ///< steady mass flow rate
  double first_half, second_half;  ///< rates in the halves of the evaluated interval
};

/// The filled silo before an outlet opens.
struct FilledSilo {
  double height;  ///< of the fill, approximate
  double bulk_density;
  SavedState state;
};

/// Fills the silo with the packing number `fill` (the random seed).
FilledSilo fill_silo(const DischargeSetup& setup, std::size_t fill, SharedProgress& progress);

/// Opens the outlet of a filled silo and measures the discharge.
Discharge open_outlet(const DischargeSetup& setup, double outlet, const FilledSilo& filled,
                      SharedProgress& progress);

}  // namespace abut
