#pragma once

#include <abut/pair.hpp>
#include <array>
#include <cstddef>
#include <cstdint>

namespace abut {

/// Components of the vectors of the contacts of a block.
struct BlockVectors {
  static constexpr std::size_t capacity = 64 + 8;  ///< 64 contacts, and a vector written at the end
  alignas(64) std::array<double, capacity> x{};
  alignas(64) std::array<double, capacity> y{};
  alignas(64) std::array<double, capacity> z{};
};

using BlockValues = std::array<double, BlockVectors::capacity>;

/// Contacts that pass through the stages of the force kernels together: collecting those in range,
/// velocities, contact law, adding forces. One array per quantity, so that a stage handles as many
/// contacts at once as the processor has lanes, and small enough for the L1 cache. `b` is a
/// particle or a wall; a wall is a particle of infinite radius and mass.
struct ContactBlock {
  static constexpr std::size_t max_count = 64;

  std::size_t count = 0;
  std::array<Index, BlockVectors::capacity> a{};  ///< particle
  std::array<Index, BlockVectors::capacity> b{};  ///< particle; unused for walls
  std::array<Index, BlockVectors::capacity>
      contact{};  ///< index in the list of pairs or wall contacts
  std::array<Index, BlockVectors::capacity> target_b{};  ///< where the force on b is added
  alignas(
      64) std::array<std::int64_t, BlockVectors::capacity> coefficients{};  ///< offset in the table

  alignas(64) BlockVectors normal;    ///< unit vector from b to a; first the distance vector
  alignas(64) BlockValues overlap{};  ///< δ, negative for a gap; first the squared distance
  alignas(64) BlockValues inside{};   ///< positive if the contact is touching
  alignas(64) BlockVectors velocity;  ///< of a's surface relative to b's at the contact point
  alignas(64) BlockValues mass{};     ///< reduced; first its inverse
  alignas(64) BlockValues radius{};   ///< reduced
  alignas(64) BlockValues radius_a{};
  alignas(64) BlockValues radius_b{};
  alignas(64) BlockVectors surface_rotation;  ///< r_a ω_a + r_b ω_b; with friction
  alignas(64) BlockVectors angular_velocity;  ///< of a relative to b; with rolling friction
  alignas(64) BlockValues inertia{};          ///< reduced moment of inertia; first its inverse
  alignas(64) BlockVectors friction_spring;   ///< before the step, then after it
  alignas(64) BlockVectors rolling_spring;    ///< likewise

  alignas(64) BlockVectors force;         ///< on a; b gets the opposite force
  alignas(64) BlockVectors lever_torque;  ///< tangential force × normal; times the radius: torque
  alignas(64) BlockVectors rolling_torque;  ///< on a; b gets the opposite torque
  alignas(64) BlockValues normal_energy{};
  alignas(64) BlockValues tangential_energy{};
  alignas(64) BlockValues dissipated{};
};

}  // namespace abut
