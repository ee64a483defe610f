#pragma once

#include <abut/box.hpp>
#include <abut/mesh.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "core/buffers.hpp"
#include "core/vec.hpp"

namespace abut {

/// An item of an octree: its bounding box and, optionally, the plane in which it lies. A zero
/// normal means that there is no plane.
template <std::size_t D>
struct OctreeItem {
  Box<D> box;
  Point<D> point;
  Point<D> normal;
};

/// Bounding box of one or more points.
template <std::size_t D>
Box<D> bounding_box_of(std::span<const Point<D>> vertices) {
  Box<D> box{vertices[0], vertices[0]};
  for (const Point<D>& vertex : vertices)
    for (std::size_t k = 0; k < D; ++k) {
      box.min[k] = std::min(box.min[k], vertex[k]);
      box.max[k] = std::max(box.max[k], vertex[k]);
    }
  return box;
}

/// An octree (in 2D a quadtree) over boxes. The root is a cube around all items; nodes with more
/// than a few items are halved along every axis. An item is listed in every leaf that it overlaps.
///
/// Coordinates are quantized to integers 0 … 2²⁰ − 1 along each axis. Quantization is monotonic, so
/// a box and an item that share a point share a leaf, and the traversal compares integers only.
/// Empty children are not stored.
template <std::size_t D>
class Octree {
 public:
  static constexpr unsigned max_depth = 20;
  static constexpr std::uint32_t cells_per_axis = 1U << max_depth;

  Octree() = default;
  /// Nodes with at most `leaf_capacity` items are not split. All leaves together have at most about
  /// `max_entries_per_item` entries per item.
  explicit Octree(std::span<const OctreeItem<D>> items, unsigned leaf_capacity = 24,
                  unsigned max_entries_per_item = 16);

  /// The first step of finding the leaf of a point.
  struct LeafLookup {
    std::array<std::uint32_t, D> coordinates;
    std::uint32_t table_index;
    bool is_inside;
  };
  /// Prefetches the entry of the shortcut table.
  [[nodiscard]] LeafLookup begin_lookup(const Point<D>& point) const {
    LeafLookup lookup{};
    lookup.is_inside =
        !nodes_.empty() && quantize_box({point, point}, lookup.coordinates, lookup.coordinates);
    if (!lookup.is_inside) return lookup;
    for (std::size_t k = D; k-- > 0;)
      lookup.table_index = lookup.table_index << shortcut_levels_ |
                           lookup.coordinates[k] >> (max_depth - shortcut_levels_);
    __builtin_prefetch(&shortcuts_[lookup.table_index]);
    return lookup;
  }

  /// Prefetches the next node on the path to the leaf.
  void prefetch_next(const LeafLookup& lookup) const {
    if (!lookup.is_inside) return;
    const Node& node = shortcuts_[lookup.table_index];
    const unsigned child = child_index(lookup.coordinates, max_depth - shortcut_levels_ - 1);
    if (!node.is_leaf())
      __builtin_prefetch(nodes_.data() + node.first +
                         preceding_children(node.mask_or_count, child));
  }

  /// Calls visit(first, last) for the leaf that contains the point, which may be empty. Does
  /// nothing if the point is outside the bounding box.
  template <class Visit>
  void visit_leaf(const LeafLookup& lookup, const Visit& visit) const {
    if (!lookup.is_inside) return;
    const Node leaf = descend_to(shortcuts_[lookup.table_index], max_depth - shortcut_levels_, 0,
                                 lookup.coordinates);
    visit(leaf.first, leaf.first + (leaf.mask_or_count & ~leaf_flag));
  }

  /// Calls visit(first, last) for every leaf that overlaps the box. The items of the leaf are
  /// entry(first) … entry(last − 1).
  template <class Visit>
  void for_each_leaf(const Box<D>& box, const Visit& visit) const {
    CellCoordinates low;
    CellCoordinates high;
    if (nodes_.empty() || !quantize_box(box, low, high)) return;
    visit_leaves(0, {}, cells_per_axis / 2, low, high, visit);
  }

  /// Branch-and-bound search. Calls min_distance = visit(first, last, min_distance) for leaves that
  /// are closer to the point than min_distance, roughly in order of distance; returns the final
  /// value.
  template <class Visit>
  [[nodiscard]] double for_each_nearer_leaf(const Point<D>& point, double min_distance,
                                            const Visit& visit) const {
    return nodes_.empty()
               ? min_distance
               : visit_nearer_leaves(0, {}, cells_per_axis / 2, point, min_distance, visit);
  }

  [[nodiscard]] const Box<D>& bounding_box() const { return box_; }  ///< of all items
  [[nodiscard]] double side() const { return side_; }                ///< of the root cube
  [[nodiscard]] std::uint32_t entry(std::uint32_t i) const { return entries_[i]; }
  [[nodiscard]] std::span<const std::uint32_t> entries(std::uint32_t first,
                                                       std::uint32_t last) const {
    return std::span(entries_).subspan(first, last - first);
  }
  [[nodiscard]] std::size_t entry_count() const { return entries_.size(); }

 private:
  using CellCoordinates = std::array<std::uint32_t, D>;
  static constexpr unsigned child_count = 1U << D;
  static constexpr std::uint32_t leaf_flag = 1U << 31U;

  // Inner node: index of its first child, and a mask of the children that exist. Leaf: index of its
  // first entry, and the number of entries with `leaf_flag` set.
  struct Node {
    std::uint32_t first;
    std::uint32_t mask_or_count;
    [[nodiscard]] bool is_leaf() const { return (mask_or_count & leaf_flag) != 0; }
  };

  struct Pending;
  class Builder;

  [[nodiscard]] std::uint32_t quantize(std::size_t axis, double x) const {
    const double cell = (x - box_.min[axis]) * cells_per_length_;
    return cell >= cells_per_axis - 1 ? cells_per_axis - 1
           : cell > 0                 ? static_cast<std::uint32_t>(cell)
                                      : 0;
  }

  bool quantize_box(const Box<D>& box, CellCoordinates& low, CellCoordinates& high) const {
    for (std::size_t k = 0; k < D; ++k) {
      if (!(box.max[k] >= box_.min[k] && box.min[k] <= box_.max[k])) return false;
      low[k] = quantize(k, box.min[k]);
      high[k] = quantize(k, box.max[k]);
    }
    return true;
  }

  // Bit c: whether child c of the node with minimum `corner` overlaps the box [low, high]. Bit k of
  // c selects the half along axis k.
  static unsigned overlapping_children(const CellCoordinates& corner, std::uint32_t half,
                                       const CellCoordinates& low, const CellCoordinates& high) {
    // Children in the lower half, by axis.
    constexpr std::array<unsigned, 3> lower_half{0x55, 0x33, 0x0f};
    unsigned mask = (1U << child_count) - 1;
    for (std::size_t k = 0; k < D; ++k) {
      const std::uint32_t middle = corner[k] + half;
      if (low[k] >= middle) mask &= ~lower_half[k];
      if (high[k] < middle) mask &= lower_half[k];
    }
    return mask;
  }

  // Number of existing children before the given one. A table, because compilers emit a function
  // call for popcount unless the target is known to have the instruction.
  static unsigned preceding_children(std::uint32_t present, unsigned child) {
    static constexpr auto ones = [] {
      std::array<std::uint8_t, 256> counts{};
      for (unsigned i = 1; i < counts.size(); ++i)
        counts[i] = static_cast<std::uint8_t>(counts[i / 2] + i % 2);
      return counts;
    }();
    return ones[present & ((1U << child) - 1)];
  }

  static unsigned child_index(const CellCoordinates& cell, unsigned level) {
    unsigned child = 0;
    for (std::size_t k = 0; k < D; ++k) child |= (cell[k] >> level & 1U) << k;
    return child;
  }

  // From a node at `level` down to the leaf that contains the cell, but not below level `last`. An
  // empty leaf if there is none.
  [[nodiscard]] Node descend_to(Node node, unsigned level, unsigned last,
                                const CellCoordinates& cell) const {
    while (!node.is_leaf() && level > last) {
      --level;
      const unsigned child = child_index(cell, level);
      if ((node.mask_or_count >> child & 1U) == 0) return {0, leaf_flag};
      node = nodes_[node.first + preceding_children(node.mask_or_count, child)];
    }
    return node;
  }
  void build_shortcuts();

  static CellCoordinates child_corner(const CellCoordinates& corner, std::uint32_t half,
                                      unsigned child) {
    CellCoordinates result = corner;
    for (std::size_t k = 0; k < D; ++k)
      if (((child >> k) & 1U) != 0) result[k] += half;
    return result;
  }

  template <class Visit>
  void visit_leaves(std::uint32_t index, const CellCoordinates& corner, std::uint32_t half,
                    const CellCoordinates& low, const CellCoordinates& high,
                    const Visit& visit) const {
    const Node node = nodes_[index];
    if (node.is_leaf()) {
      visit(node.first, node.first + (node.mask_or_count & ~leaf_flag));
      return;
    }
    for (unsigned mask = overlapping_children(corner, half, low, high) & node.mask_or_count;
         mask != 0; mask &= mask - 1) {
      const auto child = static_cast<unsigned>(__builtin_ctz(mask));
      visit_leaves(node.first + preceding_children(node.mask_or_count, child),
                   child_corner(corner, half, child), half / 2, low, high, visit);
    }
  }

  template <class Visit>
  [[nodiscard]] double visit_nearer_leaves(std::uint32_t index, const CellCoordinates& corner,
                                           std::uint32_t half, const Point<D>& point,
                                           double min_distance, const Visit& visit) const {
    const Node node = nodes_[index];
    if (node.is_leaf())
      return visit(node.first, node.first + (node.mask_or_count & ~leaf_flag), min_distance);
    unsigned nearest = 0;  // child on the same side of the center as the point
    for (std::size_t k = 0; k < D; ++k)
      if (point[k] >= box_.min[k] + (corner[k] + half) / cells_per_length_) nearest |= 1U << k;
    for (unsigned i = 0; i < child_count; ++i) {
      const unsigned child = i ^ nearest;
      if (((node.mask_or_count >> child) & 1U) == 0) continue;
      const CellCoordinates cell = child_corner(corner, half, child);
      if (distance_to_cell(cell, half, point) > min_distance) continue;
      min_distance = visit_nearer_leaves(node.first + preceding_children(node.mask_or_count, child),
                                         cell, half / 2, point, min_distance, visit);
    }
    return min_distance;
  }

  // Lower bound of the distance from the point to the cube with the given minimum and side.
  [[nodiscard]] double distance_to_cell(const CellCoordinates& corner, std::uint32_t side,
                                        const Point<D>& point) const {
    Point<D> outside;
    for (std::size_t k = 0; k < D; ++k) {
      const double low = box_.min[k] + corner[k] / cells_per_length_;
      const double high = box_.min[k] + (corner[k] + side) / cells_per_length_;
      outside[k] = std::max(0.0, std::max(low - point[k], point[k] - high));
    }
    return length(outside) * (1 - 1e-9) - 1e-9 * side_;
  }

  Box<D> box_{};
  double side_ = 0;
  double cells_per_length_ = 0;
  HugePageVector<Node> nodes_;
  HugePageVector<Node>
      shortcuts_;  // nodes at level shortcut_levels_, by cell: skips the upper levels
  unsigned shortcut_levels_ = 0;
  HugePageVector<std::uint32_t> entries_;
};

extern template class Octree<2>;
extern template class Octree<3>;

}  // namespace abut
