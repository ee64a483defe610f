#include "dem/particle_store.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/make_room.hpp"

namespace abut {
namespace {

// 21 bits with two zeros between each.
std::uint64_t spread(std::uint64_t bits) {
  bits &= 0x1fffff;
  bits = (bits | bits << 32) & 0x1f00000000ffff;
  bits = (bits | bits << 16) & 0x1f0000ff0000ff;
  bits = (bits | bits << 8) & 0x100f00f00f00f00f;
  bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
  return (bits | bits << 2) & 0x1249249249249249;
}

std::uint64_t cell_along(double place, double cell) {
  constexpr double half = 1U << 20U;
  return static_cast<std::uint64_t>(std::clamp(std::floor(place / cell) + half, 0.0, 2 * half - 1));
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
    keyed[i] = {spread(cell_along(at.x, cell)) | spread(cell_along(at.y, cell)) << 1 |
                    spread(cell_along(at.z, cell)) << 2,
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
