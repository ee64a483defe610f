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

/// The particles of a simulation in memory order; fixed ones first.
struct ParticleStore {
  std::vector<Vec4> position;          ///< and radius
  std::vector<Vec4> velocity;          ///< and inverse mass, 0 if fixed
  std::vector<Vec4> angular_velocity;  ///< and inverse moment of inertia, 0 if fixed
  std::vector<std::uint32_t> id;
  std::vector<std::uint8_t> material;
  std::size_t fixed_count = 0;

  /// New index of a particle that is removed.
  static constexpr std::uint32_t removed = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] std::size_t size() const { return id.size(); }

  void reserve(std::size_t count);

  /// Moves particle i to new_index[i], or removes it where that is `removed`; `remaining` are left.
  void permute(std::span<const std::uint32_t> new_index, std::size_t remaining);
};

/// Moves value i to new_index[i], or drops it where that is `ParticleStore::removed`; `remaining`
/// are left. Follows the cycles of the permutation, so that no second array is needed.
template <class T>
void permute_in_place(std::vector<T>& values, std::span<const std::uint32_t> new_index,
                      std::size_t remaining) {
  std::vector<bool> is_free(new_index.size());
  for (std::size_t i = 0; i < new_index.size(); ++i)
    is_free[i] = new_index[i] == ParticleStore::removed;
  for (std::size_t i = 0; i < new_index.size(); ++i) {
    if (is_free[i]) continue;
    T moving = values[i];
    is_free[i] = true;
    for (std::size_t at = new_index[i];; at = new_index[at]) {
      std::swap(moving, values[at]);
      if (is_free[at]) break;
      is_free[at] = true;
    }
  }
  values.resize(remaining);
}

/// The new index of each particle so that particles close in space are close in memory: along a
/// Hilbert curve through cells of a given size (m), fixed particles first. O(n log n).
std::vector<std::uint32_t> spatial_order(const ParticleStore& particles, double cell_size);

/// Throws `Error` if the center of an added particle coincides with another center: the contact
/// normal would be undefined. Two fixed particles may coincide. O(n log n).
template <std::size_t D>
void check_coincident_centers(const ParticleStore& existing, const NewParticles<D>& added,
                              std::size_t first_id);

}  // namespace abut
