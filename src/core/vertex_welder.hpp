#pragma once

#include <abut/error.hpp>
#include <abut/mesh.hpp>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace abut {

/// Assigns the same index to vertices with equal coordinates, so that facets which repeat their
/// vertices (as in STL files) become a mesh with shared vertices. Indices follow the order of first
/// occurrence. Amortized O(1) per vertex, by a hash table with open addressing.
template <std::size_t D>
class VertexWelder {
 public:
  /// Appends to `vertices`, which must be empty and outlive the welder.
  explicit VertexWelder(std::vector<Point<D>>& vertices)
      : vertices_(vertices), slots_(1U << 10U, empty_slot) {}

  /// Index of the vertex; none if it has not been welded.
  [[nodiscard]] std::optional<Index> find(const Point<D>& vertex) const {
    const Index index = slots_[find_slot(without_negative_zero(vertex))];
    return index == empty_slot ? std::nullopt : std::optional(index);
  }

  /// Index of the vertex, which is appended if it is new.
  Index weld(const Point<D>& given) {
    const Point<D> vertex = without_negative_zero(given);
    const std::size_t slot = find_slot(vertex);
    if (slots_[slot] != empty_slot) return slots_[slot];
    if (vertices_.size() == empty_slot) throw Error("a mesh has at most 4294967295 vertices");
    const auto added = static_cast<Index>(vertices_.size());
    vertices_.push_back(vertex);
    slots_[slot] = added;
    if (2 * vertices_.size() > slots_.size()) grow();
    return added;
  }

 private:
  static constexpr Index empty_slot = std::numeric_limits<Index>::max();

  static Point<D> without_negative_zero(Point<D> vertex) {
    for (double& x : vertex) x += 0.0;
    return vertex;
  }

  // The slot that holds this vertex, or the free slot to store it in.
  [[nodiscard]] std::size_t find_slot(const Point<D>& vertex) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t slot = hash(vertex) & last;
    while (slots_[slot] != empty_slot && vertices_[slots_[slot]] != vertex)
      slot = (slot + 1) & last;
    return slot;
  }

  // Round coordinates differ in their high bits only, so these are mixed into the low bits.
  static std::size_t hash(const Point<D>& vertex) {
    std::uint64_t mixed = 0;
    for (const double x : vertex) {
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
  std::vector<Index> slots_;  // a power of two of them, at least half of them empty
};

}  // namespace abut
