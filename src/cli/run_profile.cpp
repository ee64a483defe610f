#include "cli/run_profile.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "dem/wall_drawing.hpp"

namespace abut {
namespace {

constexpr std::size_t slices = 20;
constexpr double endless = std::numeric_limits<double>::infinity();

/// From where to where something is, along an axis; nowhere at first.
struct Stretch {
  double low = endless;
  double high = -endless;

  void include(double from, double to) {
    low = std::min(low, from);
    high = std::max(high, to);
  }
};

/// The axis gravity is along, or the last.
template <std::size_t D>
std::size_t upright(const Point<D>& gravity) {
  std::size_t axis = D - 1;
  for (std::size_t k = 0; k < D; ++k)
    if (std::abs(gravity[k]) > std::abs(gravity[axis])) axis = k;
  return axis;
}

/// Whether it goes on without end along an axis: all planes but those across it.
template <std::size_t D>
bool is_endless(const Wall<D>& wall, std::size_t up) {
  const auto* plane = std::get_if<Plane<D>>(&wall.shape);
  if (plane == nullptr) return false;
  for (std::size_t k = 0; k < D; ++k)
    if (k != up && plane->normal[k] != 0) return true;
  return false;
}

/// Of a wall that has an end, as it stands before the start and at the end.
template <std::size_t D>
Stretch stretch_of(const Wall<D>& wall, std::size_t up, double end) {
  Stretch stretch;
  for (const double time : {0.0, end})
    for (const Point<D>& corner : drawn(wall, time, Box<D>{}).corners)
      stretch.include(corner[up], corner[up]);
  return stretch;
}

/// From centre to centre: a wall of balls is as high as what it stands for.
template <std::size_t D>
Stretch stretch_of(const FixedBalls<D>& balls, std::size_t up) {
  Stretch stretch;
  for (const double height : balls.axes[up]) stretch.include(height, height);
  return stretch;
}

template <std::size_t D>
Stretch stretch_of(const Places<D>& listed, std::size_t up) {
  Stretch stretch;
  for (std::size_t i = 0; i < listed.radius.size(); ++i)
    stretch.include(listed.axes[up][i] - listed.radius[i], listed.axes[up][i] + listed.radius[i]);
  return stretch;
}

template <std::size_t D>
Stretch stretch_of(const Inflow<D>& inflow, std::size_t up) {
  if (inflow.listed) return stretch_of(*inflow.listed, up);
  const Box<D> box = box_around<D>(inflow.region);
  return {box.min[up], box.max[up]};
}

/// Of each wall; without end are those that have none.
template <std::size_t D>
std::vector<Stretch> stretches_of(const Case<D>& plan, std::size_t up) {
  std::vector<Stretch> all;
  for (const Wall<D>& wall : plan.walls)
    all.push_back(is_endless(wall, up) ? Stretch{-endless, endless}
                                       : stretch_of(wall, up, plan.end));
  for (const FixedBalls<D>& balls : plan.fixed) all.push_back(stretch_of(balls, up));
  return all;
}

/// What slices are cut from: all that has an end, and where a wall has none, the releases too, as
/// particles do not rise.
template <std::size_t D>
Stretch whole_stretch(const Case<D>& plan, const std::vector<Stretch>& walls, std::size_t up) {
  Stretch whole;
  bool any_endless = false;
  for (const Stretch& one : walls) {
    if (std::isfinite(one.low))
      whole.include(one.low, one.high);
    else
      any_endless = true;
  }
  for (const Inflow<D>& inflow : plan.inflows) {
    if (!any_endless) break;
    const Stretch released = stretch_of(inflow, up);
    whole.include(released.low, released.high);
  }
  return whole.low <= whole.high ? whole : Stretch{0, 0};
}

/// Of the force across the upright axis, the part towards the wall. A floor has none: what there is
/// of its normal across the axis is rounding.
template <std::size_t D>
double outward_part(const PushedWall<D>& push, std::size_t up) {
  constexpr double nothing = 1e-9;
  double along = 0;
  double square = 0;
  for (std::size_t k = 0; k < D; ++k) {
    if (k == up) continue;
    along += push.force[k] * push.towards[k];
    square += push.towards[k] * push.towards[k];
  }
  return square > nothing * nothing ? along / std::sqrt(square) : 0;
}

}  // namespace

template <std::size_t D>
RunProfile<D>::RunProfile(const std::string& folder, const Case<D>& plan,
                          std::uint64_t continued_from)
    : table_(folder + "/profile.csv", "step,time,wall,height,outward_force,downward_force",
             continued_from),
      names_(wall_names(plan)),
      up_(upright(plan.model.gravity)),
      down_(plan.model.gravity[up_] > 0 ? 1 : -1) {
  const std::vector<Stretch> stretches = stretches_of(plan, up_);
  const Stretch whole = whole_stretch(plan, stretches, up_);
  bottom_ = whole.low;
  thickness_ = (whole.high - whole.low) / slices;
  for (const Stretch& one : stretches) reach_.push_back({slice_at(one.low), slice_at(one.high)});
}

template <std::size_t D>
std::size_t RunProfile<D>::slice_at(double height) const {
  if (!(thickness_ > 0)) return 0;
  return static_cast<std::size_t>(
      std::clamp((height - bottom_) / thickness_, 0.0, static_cast<double>(slices - 1)));
}

template <std::size_t D>
void RunProfile<D>::write(const Simulation<D>& now, std::span<const PushedWall<D>> pushed) {
  std::vector<Sum> sums(names_.size() * slices);
  for (const PushedWall<D>& push : pushed) {
    const Reach& reach = reach_[push.wall];
    const std::size_t slice = std::clamp(slice_at(push.at[up_]), reach.lowest, reach.highest);
    Sum& sum = sums[push.wall * slices + slice];
    sum.outward += outward_part(push, up_);
    sum.downward += down_ * push.force[up_];
  }
  std::string lines;
  for (std::size_t wall = 0; wall < names_.size(); ++wall)
    for (std::size_t k = reach_[wall].lowest; k <= reach_[wall].highest; ++k) {
      const Sum& sum = sums[wall * slices + k];
      lines += fmt::format("{},{},{},{},{},{}\n", now.step(), now.time(), names_[wall],
                           bottom_ + (static_cast<double>(k) + 0.5) * thickness_, sum.outward,
                           sum.downward);
    }
  table_.add(lines);
}

template class RunProfile<2>;
template class RunProfile<3>;

}  // namespace abut
