#include "dem/particle_store.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/arrays.hpp"
#include "core/message.hpp"

namespace abut {
namespace {

constexpr int bits_per_axis = 21;

std::uint32_t cell_coordinate(double place, double cell) {
  constexpr double half = 1U << (bits_per_axis - 1);
  return static_cast<std::uint32_t>(std::clamp(std::floor(place / cell) + half, 0.0, 2 * half - 1));
}

// Where a cell is along Hilbert's curve, which never leaps: what is near in the order is near in
// space, and a run of particles has few neighbours outside. J. Skilling, Programming the Hilbert
// curve, AIP Conference Proceedings 707 (2004) 381.
std::uint64_t hilbert_index(std::array<std::uint32_t, 3> cell) {
  for (std::uint32_t bit = 1U << (bits_per_axis - 1); bit > 1; bit >>= 1U)
    for (std::uint32_t& axis : cell) {
      const std::uint32_t below = bit - 1;
      if ((axis & bit) != 0) {
        cell[0] ^= below;
      } else {
        const std::uint32_t exchanged = (cell[0] ^ axis) & below;
        cell[0] ^= exchanged;
        axis ^= exchanged;
      }
    }
  cell[1] ^= cell[0];
  cell[2] ^= cell[1];
  std::uint32_t turned = 0;
  for (std::uint32_t bit = 1U << (bits_per_axis - 1); bit > 1; bit >>= 1U)
    if ((cell[2] & bit) != 0) turned ^= bit - 1;
  std::uint64_t along = 0;
  for (int bit = bits_per_axis - 1; bit >= 0; --bit)
    for (const std::uint32_t axis : cell) along = along << 1U | ((axis ^ turned) >> bit & 1U);
  return along;
}

}  // namespace

void ParticleStore::reserve(std::size_t count) {
  for (auto* records : {&position, &velocity, &angular_velocity})
    abut::reserve_with_slack(*records, count);
  abut::reserve_with_slack(id, count);
  abut::reserve_with_slack(material, count);
}

void ParticleStore::permute(std::span<const std::uint32_t> to, std::size_t left) {
  permute_in_place(position, to, left);
  permute_in_place(velocity, to, left);
  permute_in_place(angular_velocity, to, left);
  permute_in_place(id, to, left);
  permute_in_place(material, to, left);
}

std::vector<std::uint32_t> spatial_order(const ParticleStore& particles, double cell) {
  struct Keyed {
    std::uint64_t key;
    std::uint32_t particle;
    auto operator<=>(const Keyed&) const = default;
  };
  std::vector<Keyed> keyed(particles.size());
  for (std::size_t i = 0; i < keyed.size(); ++i) {
    const Vec4& at = particles.position[i];
    keyed[i] = {hilbert_index({cell_coordinate(at.x, cell), cell_coordinate(at.y, cell),
                               cell_coordinate(at.z, cell)}),
                static_cast<std::uint32_t>(i)};
  }
  const auto moving = keyed.begin() + static_cast<std::ptrdiff_t>(particles.fixed_count);
  std::sort(keyed.begin(), moving);
  std::sort(moving, keyed.end());
  std::vector<std::uint32_t> to(keyed.size());
  for (std::size_t rank = 0; rank < keyed.size(); ++rank)
    to[keyed[rank].particle] = static_cast<std::uint32_t>(rank);
  return to;
}

namespace {

struct Center {
  std::array<double, 3> position;
  std::size_t id;
  bool fixed;
};

}  // namespace

template <std::size_t D>
void check_coincident_centers(const ParticleStore& there, const NewParticles<D>& more,
                              std::size_t first_id) {
  std::vector<Center> all;
  all.reserve(there.size() + more.spheres.size());
  for (std::size_t i = 0; i < there.size(); ++i)
    all.push_back({{there.position[i].x, there.position[i].y, there.position[i].z},
                   there.id[i],
                   i < there.fixed_count});
  for (std::size_t i = 0; i < more.spheres.size(); ++i) {
    Center one{{}, first_id + i, more.fixed};
    for (std::size_t k = 0; k < D; ++k) one.position[k] = more.spheres.coordinate(k, i);
    all.push_back(one);
  }
  std::sort(all.begin(), all.end(), [](const Center& a, const Center& b) {
    return a.position != b.position ? a.position < b.position : a.id < b.id;
  });
  const auto same =
      std::adjacent_find(all.begin(), all.end(), [](const Center& a, const Center& b) {
        return a.position == b.position && !(a.fixed && b.fixed);
      });
  if (same == all.end()) return;
  const auto& at = same->position;
  throw Error(message("particles ", same->id, " and ", (same + 1)->id, " are at the same place, (",
                      at[0], ", ", at[1], D == 3 ? message(", ", at[2]) : "",
                      "): move one of them"));
}

template void check_coincident_centers(const ParticleStore&, const NewParticles<2>&, std::size_t);
template void check_coincident_centers(const ParticleStore&, const NewParticles<3>&, std::size_t);

}  // namespace abut
