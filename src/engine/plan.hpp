#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/reach.hpp"
#include "core/survey.hpp"
#include "engine/level.hpp"

namespace abut {

/// How particles will be sorted: levels from the largest particles to the smallest, each with cells
/// of its own. Made from what is measured of the input.
template <std::size_t D>
struct Plan {
  std::vector<Level<D>> levels;
  std::size_t cells = 0;  ///< of all levels
  double size_ratio = 1;  ///< of the largest particle to the smallest

  [[nodiscard]] bool folded() const {
    return std::ranges::any_of(levels, [](const Level<D>& level) { return level.any_folded(); });
  }

  /// Whether particles may move a little without being sorted again.
  [[nodiscard]] bool can_have_skin() const { return levels.size() == 1 && !folded(); }
  [[nodiscard]] bool has_skin() const { return can_have_skin() && levels[0].skin > 0; }

  /// The level of a radius.
  [[nodiscard]] std::size_t level_of(double radius) const {
    std::size_t level = 0;
    while (radius <= levels[level].smallest_radius) ++level;
    return level;
  }
};

/// What was measured, and what follows; for people.
template <std::size_t D>
std::string description(const Plan<D>& plan);

/// `skin` is how far particles may move before they are sorted again, as a part of the reach of the
/// largest; it is granted only where all share one level over the whole box.
template <std::size_t D>
Plan<D> make_plan(const Spheres<D>& particles, const Survey<D>& survey, const Reach<D>& reach,
                  double skin);

extern template std::string description(const Plan<2>&);
extern template std::string description(const Plan<3>&);
extern template Plan<2> make_plan(const Spheres<2>&, const Survey<2>&, const Reach<2>&, double);
extern template Plan<3> make_plan(const Spheres<3>&, const Survey<3>&, const Reach<3>&, double);

}  // namespace abut
