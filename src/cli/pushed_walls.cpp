#include "cli/pushed_walls.hpp"

#include <algorithm>

#include "core/period.hpp"
#include "core/vec.hpp"

namespace abut {
namespace {

/// Fixed balls have the first ids: where those of each set of them end.
template <std::size_t D>
std::vector<std::uint64_t> ends_of_fixed(const Case<D>& plan) {
  std::vector<std::uint64_t> ends;
  for (const FixedBalls<D>& balls : plan.fixed)
    ends.push_back((ends.empty() ? 0 : ends.back()) + balls.radius.size());
  return ends;
}

}  // namespace

template <std::size_t D>
std::vector<std::string> wall_names(const Case<D>& plan) {
  std::vector<std::string> names;
  for (const Wall<D>& wall : plan.walls) names.push_back(wall.name);
  for (const FixedBalls<D>& balls : plan.fixed) names.push_back(balls.name);
  return names;
}

template <std::size_t D>
std::vector<PushedWall<D>> pushed_walls(const Case<D>& plan,
                                        std::span<const ContactState<D>> contacts) {
  const std::vector<std::uint64_t> ends = ends_of_fixed(plan);
  const std::uint64_t fixed = ends.empty() ? 0 : ends.back();
  const Period<D> period(plan.model.domain, plan.model.periodic);
  std::vector<PushedWall<D>> pushed;
  for (const ContactState<D>& contact : contacts) {
    const bool a_stands = !contact.wall && contact.a < fixed;
    if (!contact.wall && !a_stands && contact.b >= fixed) continue;
    std::size_t wall = contact.b;
    if (!contact.wall) {
      const std::uint32_t ball = a_stands ? contact.a : contact.b;
      wall =
          plan.walls.size() +
          static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), ball) - ends.begin());
    }
    // A contact has the force on a, and the direction from b to a.
    const double sign = a_stands ? 1 : -1;
    Point<D> at = contact.point;
    period.bring_back(at);
    pushed.push_back({wall, at, scaled(contact.normal, sign), scaled(contact.force, sign)});
  }
  return pushed;
}

template std::vector<std::string> wall_names(const Case<2>&);
template std::vector<std::string> wall_names(const Case<3>&);
template std::vector<PushedWall<2>> pushed_walls(const Case<2>&, std::span<const ContactState<2>>);
template std::vector<PushedWall<3>> pushed_walls(const Case<3>&, std::span<const ContactState<3>>);

}  // namespace abut
