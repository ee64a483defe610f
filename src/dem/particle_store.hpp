#pragma once

#include <abut/simulation.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "dem/vec4.hpp"

namespace abut {

/// The particles of a simulation. Fixed ones come first: their inverse mass is 0.
struct ParticleStore {
  std::vector<Vec4> position;          ///< and radius
  std::vector<Vec4> velocity;          ///< and inverse mass
  std::vector<Vec4> angular_velocity;  ///< and inverse moment of inertia
  std::vector<std::uint32_t> id;
  std::vector<std::uint8_t> material;
  std::size_t fixed_count = 0;

  static constexpr std::uint32_t removed = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] std::size_t size() const { return id.size(); }

  void reserve(std::size_t count);

  /// Puts particle i at place to[i], or takes it out where that is `gone`; `left` stay.
  void permute(std::span<const std::uint32_t> to, std::size_t left);
};

/// Puts value i at place to[i], or drops it where that is `gone`; `left` stay. What is at the place
/// goes on to its own, and so on: there is no second copy of what takes most of the memory.
template <class T>
void permute_in_place(std::vector<T>& values, std::span<const std::uint32_t> to, std::size_t left) {
  std::vector<bool> free(to.size());
  for (std::size_t i = 0; i < to.size(); ++i) free[i] = to[i] == ParticleStore::removed;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (free[i]) continue;
    T moving = values[i];
    free[i] = true;
    for (std::size_t at = to[i];; at = to[at]) {
      std::swap(moving, values[at]);
      if (free[at]) break;
      free[at] = true;
    }
  }
  values.resize(left);
}

/// Where each particle goes so that those near each other in space are near each other in memory,
/// fixed ones before all others: along Hilbert's curve through cells of a given size.
std::vector<std::uint32_t> spatial_order(const ParticleStore& particles, double cell);

/// Throws `Error` where a particle would be at the very place of another: no direction leads from
/// one to the other, so nothing would push them apart. Those that never move may share a place.
template <std::size_t D>
void check_coincident_centers(const ParticleStore& there, const NewParticles<D>& more,
                              std::size_t first_id);

}  // namespace abut
