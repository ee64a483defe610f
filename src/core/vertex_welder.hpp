#pragma once

#include <abut/error.hpp>
#include <abut/mesh.hpp>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace abut {

/// Numbers corners in the order they come, those at the same place alike: files that repeat the
/// corners of every triangle become meshes whose triangles share them.
template <std::size_t D>
class VertexWelder {
 public:
  /// Corners go into this list.
  explicit VertexWelder(std::vector<Point<D>>& corners)
      : vertices_(corners), slots_(1U << 10U, empty_slot) {}

  Index weld(Point<D> corner) {
    for (double& x : corner) x += 0.0;  // makes -0 the same place as 0
    const std::size_t slot = find_slot(corner);
    if (slots_[slot] != empty_slot) return slots_[slot];
    if (vertices_.size() == empty_slot) throw Error("a mesh has at most 4294967295 corners");
    const auto added = static_cast<Index>(vertices_.size());
    vertices_.push_back(corner);
    slots_[slot] = added;
    if (2 * vertices_.size() > slots_.size()) grow();
    return added;
  }

 private:
  static constexpr Index empty_slot = std::numeric_limits<Index>::max();

  // Where this corner is, or the free slot where it would be.
  [[nodiscard]] std::size_t find_slot(const Point<D>& corner) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t slot = hash(corner) & last;
    while (slots_[slot] != empty_slot && vertices_[slots_[slot]] != corner)
      slot = (slot + 1) & last;
    return slot;
  }

  // Coordinates that are round numbers differ in their high bits only, so these are folded down.
  static std::size_t hash(const Point<D>& corner) {
    std::uint64_t mixed = 0;
    for (const double x : corner) {
      mixed = (mixed ^ std::bit_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15U;
      mixed ^= mixed >> 32U;
    }
    return mixed;
  }

  void grow() {
    slots_.assign(2 * slots_.size(), empty_slot);
    for (std::size_t i = 0; i < vertices_.size(); ++i)
      slots_[find_slot(vertices_[i])] = static_cast<Index>(i);
  }

  std::vector<Point<D>>& vertices_;
  std::vector<Index> slots_;  // as many as a power of two, half of them free
};

}  // namespace abut
