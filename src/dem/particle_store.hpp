#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "dem/record.hpp"

namespace abut {

/// The particles of a simulation. Fixed ones come first: their inverse mass is 0.
struct ParticleStore {
  std::vector<Record> place;     ///< and radius
  std::vector<Record> velocity;  ///< and inverse mass
  std::vector<Record> spin;      ///< and inverse moment of inertia
  std::vector<std::uint32_t> id;
  std::vector<std::uint8_t> material;
  std::size_t fixed = 0;

  static constexpr std::uint32_t gone = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] std::size_t size() const { return id.size(); }

  void make_room(std::size_t count);

  /// Puts particle i at place to[i], or takes it out where that is `gone`; `left` stay.
  void move(std::span<const std::uint32_t> to, std::size_t left);
};

/// Where each particle goes so that those near each other in space are near each other in memory,
/// fixed ones before all others: along Morton's curve through cells of a given size.
std::vector<std::uint32_t> spatial_order(const ParticleStore& particles, double cell);

}  // namespace abut
