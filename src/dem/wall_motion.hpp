#pragma once

#include <abut/simulation.hpp>
#include <algorithm>

#include "core/vec.hpp"

namespace abut {

/// How long a wall has been moving.
template <std::size_t D>
double moved_for(const Motion<D>& motion, double time) {
  return std::clamp(time, motion.from, motion.until) - motion.from;
}

template <std::size_t D>
bool moves(const Motion<D>& motion, double time) {
  return time >= motion.from && time < motion.until;
}

template <std::size_t D>
bool ever_moves(const Motion<D>& motion) {
  return motion.turning != 0 || motion.velocity != Point<D>{};
}

template <std::size_t D>
Placement<D> placement(const Motion<D>& motion, double time) {
  const double elapsed = moved_for(motion, time);
  Placement<D> where;
  if constexpr (D == 2)
    where = turned(motion.centre, motion.turning * elapsed);
  else
    where = turned(motion.centre, motion.axis, motion.turning * elapsed);
  for (std::size_t k = 0; k < D; ++k) where.shift[k] += motion.velocity[k] * elapsed;
  return where;
}

template <std::size_t D>
Point<3> spin_of(const Motion<D>& motion) {
  if constexpr (D == 2)
    return {0, 0, motion.turning};
  else
    return scaled(unit(motion.axis), motion.turning);
}

/// Of a point that moves with the wall.
template <std::size_t D>
Point<D> velocity_at(const Motion<D>& motion, double time, const Point<D>& point) {
  if (!moves(motion, time)) return {};
  const Point<D> centre = along(motion.centre, moved_for(motion, time), motion.velocity);
  const Point<D> arm = difference(point, centre);
  if constexpr (D == 2)
    return {motion.velocity[0] - motion.turning * arm[1],
            motion.velocity[1] + motion.turning * arm[0]};
  else
    return along(motion.velocity, motion.turning, cross(unit(motion.axis), arm));
}

}  // namespace abut
