#include "dem/particle_store.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/make_room.hpp"

namespace abut {
namespace {

constexpr int bits_of_cell = 21;

std::uint32_t cell_along(double place, double cell) {
  constexpr double half = 1U << (bits_of_cell - 1);
  return static_cast<std::uint32_t>(std::clamp(std::floor(place / cell) + half, 0.0, 2 * half - 1));
}

// Where a cell is along Hilbert's curve, which never leaps: what is near in the order is near in
// space, and a run of particles has few neighbours outside. J. Skilling, Programming the Hilbert
// curve, AIP Conference Proceedings 707 (2004) 381.
std::uint64_t along_curve(std::array<std::uint32_t, 3> cell) {
  for (std::uint32_t bit = 1U << (bits_of_cell - 1); bit > 1; bit >>= 1U)
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
  for (std::uint32_t bit = 1U << (bits_of_cell - 1); bit > 1; bit >>= 1U)
    if ((cell[2] & bit) != 0) turned ^= bit - 1;
  std::uint64_t along = 0;
  for (int bit = bits_of_cell - 1; bit >= 0; --bit)
    for (const std::uint32_t axis : cell) along = along << 1U | ((axis ^ turned) >> bit & 1U);
  return along;
}

}  // namespace

void ParticleStore::make_room(std::size_t count) {
  for (auto* records : {&place, &velocity, &spin}) abut::make_room(*records, count);
  abut::make_room(id, count);
  abut::make_room(material, count);
}

void ParticleStore::move(std::span<const std::uint32_t> to, std::size_t left) {
  move_in_place(place, to, left);
  move_in_place(velocity, to, left);
  move_in_place(spin, to, left);
  move_in_place(id, to, left);
  move_in_place(material, to, left);
}

std::vector<std::uint32_t> spatial_order(const ParticleStore& particles, double cell) {
  struct Keyed {
    std::uint64_t key;
    std::uint32_t particle;
    auto operator<=>(const Keyed&) const = default;
  };
  std::vector<Keyed> keyed(particles.size());
  for (std::size_t i = 0; i < keyed.size(); ++i) {
    const Record& at = particles.place[i];
    keyed[i] = {
        along_curve({cell_along(at.x, cell), cell_along(at.y, cell), cell_along(at.z, cell)}),
        static_cast<std::uint32_t>(i)};
  }
  const auto moving = keyed.begin() + static_cast<std::ptrdiff_t>(particles.fixed);
  std::sort(keyed.begin(), moving);
  std::sort(moving, keyed.end());
  std::vector<std::uint32_t> to(keyed.size());
  for (std::size_t rank = 0; rank < keyed.size(); ++rank)
    to[keyed[rank].particle] = static_cast<std::uint32_t>(rank);
  return to;
}

}  // namespace abut
