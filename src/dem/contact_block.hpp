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

/// Contacts of particles and walls that are evaluated together. One array per quantity, so that the
/// law handles as many contacts at once as the processor has lanes, and small enough for the L1
/// cache. A wall is a particle of infinite radius and mass.
struct ContactBlock {
  static constexpr std::size_t max_count = 64;

  std::size_t count = 0;
  std::array<Index, BlockVectors::capacity> particle{};
  std::array<Index, BlockVectors::capacity> contact{};  ///< index in the list of wall contacts
  alignas(
      64) std::array<std::int64_t, BlockVectors::capacity> coefficients{};  ///< offset in the table

  alignas(64) BlockVectors normal;            ///< unit vector from the wall to the particle
  alignas(64) BlockValues overlap{};          ///< δ, negative for a gap
  alignas(64) BlockVectors velocity;          ///< of the particle's surface relative to the wall's
  alignas(64) BlockValues mass{};             ///< reduced
  alignas(64) BlockValues radius{};           ///< reduced
  alignas(64) BlockVectors angular_velocity;  ///< relative to the wall; with rolling friction
  alignas(64) BlockValues inertia{};          ///< reduced moment of inertia
  alignas(64) BlockVectors friction_spring;   ///< before the step, then after it
  alignas(64) BlockVectors rolling_spring;    ///< likewise

  alignas(64) BlockVectors force;         ///< on the particle
  alignas(64) BlockVectors lever_torque;  ///< tangential force × normal; times the radius: torque
  alignas(64) BlockVectors rolling_torque;  ///< on the particle
  alignas(64) BlockValues normal_energy{};
  alignas(64) BlockValues tangential_energy{};
  alignas(64) BlockValues dissipated{};
};

}  // namespace abut
