#pragma once

#include <abut/simulation.hpp>
#include <algorithm>

#include "core/vec.hpp"

namespace abut {

// Kinematics of moving walls: times in s, velocities in m/s, angular velocities in rad/s, all in
// the world frame.

/// The time for which a wall has been moving.
template <std::size_t D>
double elapsed_motion_time(const WallMotion<D>& motion, double time) {
  return std::clamp(time, motion.start_time, motion.end_time) - motion.start_time;
}

template <std::size_t D>
bool is_moving(const WallMotion<D>& motion, double time) {
  return time >= motion.start_time && time < motion.end_time;
}

/// Whether the wall moves at any time.
template <std::size_t D>
bool has_motion(const WallMotion<D>& motion) {
  return motion.angular_velocity != 0 || motion.velocity != Point<D>{};
}

/// The pose relative to that at the start of the motion: rotation about the center, which moves
/// with the velocity.
template <std::size_t D>
RigidTransform<D> transform_at(const WallMotion<D>& motion, double time) {
  const double elapsed = elapsed_motion_time(motion, time);
  RigidTransform<D> transform;
  if constexpr (D == 2)
    transform = rotation_about(motion.center, motion.angular_velocity * elapsed);
  else
    transform = rotation_about(motion.center, motion.axis, motion.angular_velocity * elapsed);
  for (std::size_t k = 0; k < D; ++k) transform.translation[k] += motion.velocity[k] * elapsed;
  return transform;
}

/// The angular velocity vector while the wall moves.
template <std::size_t D>
Point<3> angular_velocity_of(const WallMotion<D>& motion) {
  if constexpr (D == 2)
    return {0, 0, motion.angular_velocity};
  else
    return scaled(normalized(motion.axis), motion.angular_velocity);
}

/// The velocity v + ω × (point − center) of a point of the wall; zero while it is at rest.
template <std::size_t D>
Point<D> velocity_at(const WallMotion<D>& motion, double time, const Point<D>& point) {
  if (!is_moving(motion, time)) return {};
  const Point<D> center =
      add_scaled(motion.center, elapsed_motion_time(motion, time), motion.velocity);
  const Point<D> arm = difference(point, center);
  if constexpr (D == 2)
    return {motion.velocity[0] - motion.angular_velocity * arm[1],
            motion.velocity[1] + motion.angular_velocity * arm[0]};
  else
    return add_scaled(motion.velocity, motion.angular_velocity,
                      cross(normalized(motion.axis), arm));
}

}  // namespace abut
