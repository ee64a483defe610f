#pragma once

#include <cstddef>
#include <vector>

#include "validation/workload.hpp"

namespace abut {

/// A flat-bottomed silo that empties through a round outlet.
struct OutflowPlan {
  static constexpr double friction = 0.2;
  double diameter;
  std::size_t count;
  std::vector<double> outlets;  ///< diameters
  double part;                  ///< of the fill that flows out, about, through the widest
  std::size_t fills = 1;        ///< that are tried, packed otherwise each time

  [[nodiscard]] double duration(double outlet) const;
  [[nodiscard]] double work() const;
};

struct Outflow {
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
FilledSilo fill_silo(const OutflowPlan& plan, std::size_t fill, Workload& work);

Outflow open_outlet(const OutflowPlan& plan, double outlet, const FilledSilo& filled,
                    Workload& work);

}  // namespace abut
