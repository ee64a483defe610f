#pragma once

#include <abut/case.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cli/probe_table.hpp"
#include "cli/pushed_walls.hpp"

namespace abut {

/// `profile.csv`: the force on each wall against height. A wall has the same slices at all times,
/// those it reaches before the start and at the end, so that columns can be averaged.
template <std::size_t D>
class RunProfile {
 public:
  /// Into a folder; lines later than a step, of a run that is taken up again, are dropped.
  RunProfile(const std::string& folder, const Case<D>& plan, std::uint64_t continued_from);

  void write(const Simulation<D>& now, std::span<const PushedWall<D>> pushed);

 private:
  struct Reach {
    std::size_t lowest, highest;  ///< slices
  };
  struct Sum {
    double outward = 0;
    double downward = 0;
  };
  [[nodiscard]] std::size_t slice_at(double height) const;

  ProbeTable table_;
  std::vector<std::string> names_;
  std::size_t up_;        ///< the axis of heights
  double down_;           ///< 1 where gravity is along this axis, −1 where against it
  double bottom_ = 0;     ///< of the lowest slice
  double thickness_ = 0;  ///< of a slice
  std::vector<Reach> reach_;
};

extern template class RunProfile<2>;
extern template class RunProfile<3>;

}  // namespace abut
