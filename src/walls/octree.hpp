#pragma once

#include <abut/box.hpp>
#include <abut/mesh.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "core/arrays.hpp"
#include "core/vec.hpp"

namespace abut {

/// What the tree needs to know of a facet: the box around it and the plane it lies in. A normal of
/// zero stands for no plane.
template <std::size_t D>
struct OctreeItem {
  Box<D> box;
  Point<D> point;
  Point<D> normal;
};

/// The box around the vertices of a facet.
template <std::size_t D>
Box<D> bounding_box_of(const std::array<Point<D>, D>& vertices) {
  Box<D> box{vertices[0], vertices[0]};
  for (const Point<D>& corner : vertices)
    for (std::size_t k = 0; k < D; ++k) {
      box.min[k] = std::min(box.min[k], corner[k]);
      box.max[k] = std::max(box.max[k], corner[k]);
    }
  return box;
}

/// A quadtree or octree over facets of wall: a cube around all of them, halved along every axis
/// again and again where it holds more than a few. A facet is in every leaf it meets.
///
/// Places are whole numbers, 0 … 2²⁰−1 along each axis; rounding a coordinate to its place keeps
/// the order of coordinates, so a box and a facet that share a point share a leaf. Which children a
/// box meets is then a matter of comparing whole numbers, and children without facets do not exist.
template <std::size_t D>
class Octree {
 public:
  static constexpr unsigned max_depth = 20;
  static constexpr std::uint32_t cells_per_axis = 1U << max_depth;

  Octree() = default;
  /// `few` facets need no more splitting; all leaves together hold `most` times as many as there
  /// are, at most.
  explicit Octree(std::span<const OctreeItem<D>> facets, unsigned few = 24, unsigned most = 16);

  /// Where the way to the leaf of a point begins.
  struct LeafLookup {
    std::array<std::uint32_t, D> coordinates;
    std::uint32_t table_index;
    bool is_inside;
  };
  /// Asks memory for it, too.
  [[nodiscard]] LeafLookup begin_lookup(const Point<D>& point) const {
    LeafLookup start{};
    start.is_inside =
        !nodes_.empty() && quantize_box({point, point}, start.coordinates, start.coordinates);
    if (!start.is_inside) return start;
    for (std::size_t k = D; k-- > 0;)
      start.table_index = start.table_index << shortcut_levels_ |
                          start.coordinates[k] >> (max_depth - shortcut_levels_);
    __builtin_prefetch(&shortcuts_[start.table_index]);
    return start;
  }

  /// Asks for what comes next on the way.
  void prefetch_next(const LeafLookup& start) const {
    if (!start.is_inside) return;
    const Node& node = shortcuts_[start.table_index];
    const unsigned child = child_index(start.coordinates, max_depth - shortcut_levels_ - 1);
    if (!node.is_leaf())
      __builtin_prefetch(nodes_.data() + node.first +
                         preceding_children(node.mask_or_count, child));
  }

  /// Calls visit(first, last) for the leaf a point in the box is in; it may be empty.
  template <class Visit>
  void visit_leaf(const LeafLookup& start, const Visit& visit) const {
    if (!start.is_inside) return;
    const Node leaf = descend_to(shortcuts_[start.table_index], max_depth - shortcut_levels_, 0,
                                 start.coordinates);
    visit(leaf.first, leaf.first + (leaf.mask_or_count & ~leaf_flag));
  }

  /// Calls visit(first, last) for every leaf that meets the box: the facets of the leaf are
  /// entry(first) … entry(last − 1).
  template <class Visit>
  void for_each_leaf(const Box<D>& box, const Visit& visit) const {
    CellCoordinates low;
    CellCoordinates high;
    if (nodes_.empty() || !quantize_box(box, low, high)) return;
    visit_leaves(0, {}, cells_per_axis / 2, low, high, visit);
  }

  /// Calls visit(first, last, least) for leaves, nearer ones first by and large, that are nearer to
  /// the point than what visit last returned, and returns that in the end.
  template <class Visit>
  [[nodiscard]] double for_each_nearer_leaf(const Point<D>& point, double least,
                                            const Visit& visit) const {
    return nodes_.empty() ? least
                          : visit_nearer_leaves(0, {}, cells_per_axis / 2, point, least, visit);
  }

  [[nodiscard]] const Box<D>& bounding_box() const { return box_; }  ///< around all facets
  [[nodiscard]] double side() const { return side_; }                ///< of the cube
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

  // An inner node: which children there are, and where the first is. A leaf: how many facets, and
  // where the first is.
  struct Node {
    std::uint32_t first;
    std::uint32_t mask_or_count;
    [[nodiscard]] bool is_leaf() const { return (mask_or_count & leaf_flag) != 0; }
  };

  struct Pending;
  class Builder;

  [[nodiscard]] std::uint32_t quantize(std::size_t axis, double x) const {
    const double at = (x - box_.min[axis]) * cells_per_length_;
    return at >= cells_per_axis - 1 ? cells_per_axis - 1
           : at > 0                 ? static_cast<std::uint32_t>(at)
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

  // Bit c: whether child c of the node at `corner` can meet the box; bit k of c is its half along
  // axis k.
  static unsigned overlapping_children(const CellCoordinates& corner, std::uint32_t half,
                                       const CellCoordinates& low, const CellCoordinates& high) {
    constexpr std::array<unsigned, 3> lower{0x55, 0x33, 0x0f};  // children of the lower half
    unsigned mask = (1U << child_count) - 1;
    for (std::size_t k = 0; k < D; ++k) {
      const std::uint32_t middle = corner[k] + half;
      if (low[k] >= middle) mask &= ~lower[k];
      if (high[k] < middle) mask &= lower[k];
    }
    return mask;
  }

  // How many of the children there are come before one of them. Compilers call a function for
  // popcount unless they know the machine.
  static unsigned preceding_children(std::uint32_t present, unsigned child) {
    static constexpr auto ones = [] {
      std::array<std::uint8_t, 256> counts{};
      for (unsigned i = 1; i < counts.size(); ++i)
        counts[i] = static_cast<std::uint8_t>(counts[i / 2] + i % 2);
      return counts;
    }();
    return ones[present & ((1U << child) - 1)];
  }

  static unsigned child_index(const CellCoordinates& at, unsigned level) {
    unsigned child = 0;
    for (std::size_t k = 0; k < D; ++k) child |= (at[k] >> level & 1U) << k;
    return child;
  }

  // From a node whose children are so large to the leaf at a place, or as far as `last`. A leaf
  // without facets if there is none.
  [[nodiscard]] Node descend_to(Node node, unsigned level, unsigned last,
                                const CellCoordinates& at) const {
    while (!node.is_leaf() && level > last) {
      --level;
      const unsigned child = child_index(at, level);
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
    for (unsigned todo = overlapping_children(corner, half, low, high) & node.mask_or_count;
         todo != 0; todo &= todo - 1) {
      const auto child = static_cast<unsigned>(__builtin_ctz(todo));
      visit_leaves(node.first + preceding_children(node.mask_or_count, child),
                   child_corner(corner, half, child), half / 2, low, high, visit);
    }
  }

  template <class Visit>
  [[nodiscard]] double visit_nearer_leaves(std::uint32_t index, const CellCoordinates& corner,
                                           std::uint32_t half, const Point<D>& point, double least,
                                           const Visit& visit) const {
    const Node node = nodes_[index];
    if (node.is_leaf())
      return visit(node.first, node.first + (node.mask_or_count & ~leaf_flag), least);
    unsigned nearest = 0;  // the child on the point's side of the middle
    for (std::size_t k = 0; k < D; ++k)
      if (point[k] >= box_.min[k] + (corner[k] + half) / cells_per_length_) nearest |= 1U << k;
    for (unsigned i = 0; i < child_count; ++i) {
      const unsigned child = i ^ nearest;
      if (((node.mask_or_count >> child) & 1U) == 0) continue;
      const CellCoordinates at = child_corner(corner, half, child);
      if (distance_to_cell(at, half, point) > least) continue;
      least = visit_nearer_leaves(node.first + preceding_children(node.mask_or_count, child), at,
                                  half / 2, point, least, visit);
    }
    return least;
  }

  // From the point to the cube at a corner, a little less for rounding.
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
  double cells_per_length_ = 0;  // places per length
  HugePageVector<Node> nodes_;
  HugePageVector<Node>
      shortcuts_;  // nodes of the first levels, by place: most of the way to a leaf
  unsigned shortcut_levels_ = 0;
  HugePageVector<std::uint32_t> entries_;
};

extern template class Octree<2>;
extern template class Octree<3>;

}  // namespace abut
