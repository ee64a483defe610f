#pragma once

#include <cstddef>
#include <vector>

#include "validation/experiment.hpp"

namespace abut {

/// A flat-bottomed silo that empties through a round outlet.
struct DischargeSetup {
  static constexpr double friction = 0.2;
  double diameter;
  std::size_t count;
  std::vector<double> outlets;  ///< diameters
  double discharged_fraction;   ///< of the fill that flows out, about, through the widest
  std::size_t fills = 1;        ///< that are tried, packed otherwise each time

  [[nodiscard]] double duration(double outlet) const;
  [[nodiscard]] double work() const;
};

struct Discharge {
  double outlet;
  double rate;                     ///< mass over time, steady
  double first_half, second_half;  ///< of the time it was measured in
};

/// The silo as it stands before an outlet opens.
struct FilledSilo {
  double height;
  double bulk_density;
  SavedState state;
};
FilledSilo fill_silo(const DischargeSetup& plan, std::size_t fill, SharedProgress& work);

Discharge open_outlet(const DischargeSetup& plan, double outlet, const FilledSilo& filled,
                      SharedProgress& work);

}  // namespace abut
