#include "dem/particle_store.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/buffers.hpp"
#include "core/message.hpp"

namespace abut {
namespace {

constexpr int bits_per_axis = 21;

std::uint32_t cell_coordinate(double coordinate, double cell_size) {
  constexpr double half = 1U << (bits_per_axis - 1);
  return static_cast<std::uint32_t>(
      std::clamp(std::floor(coordinate / cell_size) + half, 0.0, 2 * half - 1));
}

// Index of a cell along the Hilbert curve. Consecutive cells are adjacent, so a chunk of particles
// has few neighbors in other chunks. J. Skilling, Programming the Hilbert curve, AIP Conference
// Proceedings 707 (2004) 381.
std::uint64_t hilbert_index(std::array<std::uint32_t, 3> cell) {
  for (std::uint32_t bit = 1U << (bits_per_axis - 1); bit > 1; bit >>= 1U)
    for (std::uint32_t& axis : cell) {
      const std::uint32_t lower_bits = bit - 1;
      if ((axis & bit) != 0) {
        cell[0] ^= lower_bits;
      } else {
        const std::uint32_t exchanged = (cell[0] ^ axis) & lower_bits;
        cell[0] ^= exchanged;
        axis ^= exchanged;
      }
    }
  cell[1] ^= cell[0];
  cell[2] ^= cell[1];
  std::uint32_t flips = 0;
  for (std::uint32_t bit = 1U << (bits_per_axis - 1); bit > 1; bit >>= 1U)
    if ((cell[2] & bit) != 0) flips ^= bit - 1;
  std::uint64_t index = 0;
  for (int bit = bits_per_axis - 1; bit >= 0; --bit)
    for (const std::uint32_t axis : cell) index = index << 1U | ((axis ^ flips) >> bit & 1U);
  return index;
}

struct Center {
  std::array<double, 3> position;
  std::size_t id;
  bool fixed;
};

}  // namespace

void ParticleStore::reserve(std::size_t count) {
  for (auto* vectors : {&position, &velocity, &angular_velocity})
    reserve_with_slack(*vectors, count);
  reserve_with_slack(id, count);
  reserve_with_slack(material, count);
}

void ParticleStore::permute(std::span<const std::uint32_t> new_index, std::size_t remaining) {
  permute_in_place(position, new_index, remaining);
  permute_in_place(velocity, new_index, remaining);
  permute_in_place(angular_velocity, new_index, remaining);
  permute_in_place(id, new_index, remaining);
  permute_in_place(material, new_index, remaining);
}

std::vector<std::uint32_t> spatial_order(const ParticleStore& particles, double cell_size) {
  struct Keyed {
    std::uint64_t key;
    std::uint32_t particle;
    auto operator<=>(const Keyed&) const = default;
  };
  std::vector<Keyed> keyed(particles.size());
  for (std::size_t i = 0; i < keyed.size(); ++i) {
    const Vec4& center = particles.position[i];
    keyed[i] = {
        hilbert_index({cell_coordinate(center.x, cell_size), cell_coordinate(center.y, cell_size),
                       cell_coordinate(center.z, cell_size)}),
        static_cast<std::uint32_t>(i)};
  }
  const auto first_moving = keyed.begin() + static_cast<std::ptrdiff_t>(particles.fixed_count);
  std::sort(keyed.begin(), first_moving);
  std::sort(first_moving, keyed.end());
  std::vector<std::uint32_t> new_index(keyed.size());
  for (std::size_t rank = 0; rank < keyed.size(); ++rank)
    new_index[keyed[rank].particle] = static_cast<std::uint32_t>(rank);
  return new_index;
}

template <std::size_t D>
void check_coincident_centers(const ParticleStore& existing, const NewParticles<D>& added,
                              std::size_t first_id) {
  std::vector<Center> centers;
  centers.reserve(existing.size() + added.spheres.size());
  for (std::size_t i = 0; i < existing.size(); ++i)
    centers.push_back(
        {to_point<3>(existing.position[i]), existing.id[i], i < existing.fixed_count});
  for (std::size_t i = 0; i < added.spheres.size(); ++i) {
    Center center{{}, first_id + i, added.fixed};
    for (std::size_t k = 0; k < D; ++k) center.position[k] = added.spheres.coordinate(k, i);
    centers.push_back(center);
  }
  std::sort(centers.begin(), centers.end(), [](const Center& a, const Center& b) {
    return a.position != b.position ? a.position < b.position : a.id < b.id;
  });
  const auto coincident =
      std::adjacent_find(centers.begin(), centers.end(), [](const Center& a, const Center& b) {
        return a.position == b.position && !(a.fixed && b.fixed);
      });
  if (coincident == centers.end()) return;
  const auto& position = coincident->position;
  throw Error(message("particles ", coincident->id, " and ", (coincident + 1)->id,
                      " have the same center (", position[0], ", ", position[1],
                      D == 3 ? message(", ", position[2]) : "", "); move one of them"));
}

template void check_coincident_centers(const ParticleStore&, const NewParticles<2>&, std::size_t);
template void check_coincident_centers(const ParticleStore&, const NewParticles<3>&, std::size_t);

}  // namespace abut
