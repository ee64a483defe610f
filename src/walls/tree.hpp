#pragma once

#include <abut/box.hpp>
#include <abut/mesh.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "core/huge_vector.hpp"
#include "core/vec.hpp"

namespace abut {

/// What the tree needs to know of a piece: the box around it and the plane it lies in. A normal of
/// zero stands for no plane.
template <std::size_t D>
struct TreePiece {
  Box<D> box;
  Point<D> corner;
  Point<D> normal;
};

/// The box around the corners of a piece.
template <std::size_t D>
Box<D> around(const std::array<Point<D>, D>& corners) {
  Box<D> box{corners[0], corners[0]};
  for (const Point<D>& corner : corners)
    for (std::size_t k = 0; k < D; ++k) {
      box.min[k] = std::min(box.min[k], corner[k]);
      box.max[k] = std::max(box.max[k], corner[k]);
    }
  return box;
}

/// A quadtree or octree over pieces of wall: a cube around all of them, halved along every axis
/// again and again where it holds more than a few. A piece is in every leaf it meets.
///
/// Places are whole numbers, 0 … 2²⁰−1 along each axis; rounding a coordinate to its place keeps
/// the order of coordinates, so a box and a piece that share a point share a leaf. Which children a
/// box meets is then a matter of comparing whole numbers, and children without pieces do not exist.
template <std::size_t D>
class Tree {
 public:
  static constexpr unsigned depth = 20;
  static constexpr std::uint32_t places = 1U << depth;

  Tree() = default;
  /// `few` pieces need no more splitting; all leaves together hold `most` times as many as there
  /// are, at most.
  explicit Tree(std::span<const TreePiece<D>> pieces, unsigned few = 24, unsigned most = 16);

  /// Where the way to the leaf of a point begins.
  struct Start {
    std::array<std::uint32_t, D> at;
    std::uint32_t cell;
    bool inside;
  };
  /// Asks memory for it, too.
  [[nodiscard]] Start start(const Point<D>& point) const {
    Start start{};
    start.inside = !nodes_.empty() && places_of({point, point}, start.at, start.at);
    if (!start.inside) return start;
    for (std::size_t k = D; k-- > 0;)
      start.cell = start.cell << levels_ | start.at[k] >> (depth - levels_);
    __builtin_prefetch(&known_[start.cell]);
    return start;
  }

  /// Asks for what comes next on the way.
  void fetch_next(const Start& start) const {
    if (!start.inside) return;
    const Node& node = known_[start.cell];
    const unsigned child = child_at(start.at, depth - levels_ - 1);
    if (!node.leaf()) __builtin_prefetch(nodes_.data() + node.first + before(node.rest, child));
  }

  /// Calls visit(first, last) for the leaf a point in the box is in; it may be empty.
  template <class Visit>
  void leaf_at(const Start& start, const Visit& visit) const {
    if (!start.inside) return;
    const Node leaf = go_down(known_[start.cell], depth - levels_, 0, start.at);
    visit(leaf.first, leaf.first + (leaf.rest & ~leaf_mark));
  }

  /// Calls visit(first, last) for every leaf that meets the box: the pieces of the leaf are
  /// entry(first) … entry(last − 1).
  template <class Visit>
  void each_leaf(const Box<D>& box, const Visit& visit) const {
    Places low;
    Places high;
    if (nodes_.empty() || !places_of(box, low, high)) return;
    descend(0, {}, places / 2, low, high, visit);
  }

  /// Calls visit(first, last, least) for leaves, nearer ones first by and large, that are nearer to
  /// the point than what visit last returned, and returns that in the end.
  template <class Visit>
  [[nodiscard]] double each_nearer_leaf(const Point<D>& point, double least,
                                        const Visit& visit) const {
    return nodes_.empty() ? least : descend_nearer(0, {}, places / 2, point, least, visit);
  }

  [[nodiscard]] const Box<D>& box() const { return box_; }  ///< around all pieces
  [[nodiscard]] double side() const { return side_; }       ///< of the cube
  [[nodiscard]] std::uint32_t entry(std::uint32_t i) const { return entries_[i]; }
  [[nodiscard]] std::span<const std::uint32_t> entries(std::uint32_t first,
                                                       std::uint32_t last) const {
    return std::span(entries_).subspan(first, last - first);
  }
  [[nodiscard]] std::size_t leaf_entries() const { return entries_.size(); }

 private:
  using Places = std::array<std::uint32_t, D>;
  static constexpr unsigned children = 1U << D;
  static constexpr std::uint32_t leaf_mark = 1U << 31U;

  // An inner node: which children there are, and where the first is. A leaf: how many pieces, and
  // where the first is.
  struct Node {
    std::uint32_t first;
    std::uint32_t rest;
    [[nodiscard]] bool leaf() const { return (rest & leaf_mark) != 0; }
  };

  struct Pending;
  class Builder;

  [[nodiscard]] std::uint32_t place(std::size_t axis, double x) const {
    const double at = (x - box_.min[axis]) * per_side_;
    return at >= places - 1 ? places - 1 : at > 0 ? static_cast<std::uint32_t>(at) : 0;
  }

  bool places_of(const Box<D>& box, Places& low, Places& high) const {
    for (std::size_t k = 0; k < D; ++k) {
      if (!(box.max[k] >= box_.min[k] && box.min[k] <= box_.max[k])) return false;
      low[k] = place(k, box.min[k]);
      high[k] = place(k, box.max[k]);
    }
    return true;
  }

  // Bit c: whether child c of the node at `corner` can meet the box; bit k of c is its half along
  // axis k.
  static unsigned met(const Places& corner, std::uint32_t half, const Places& low,
                      const Places& high) {
    constexpr std::array<unsigned, 3> lower{0x55, 0x33, 0x0f};  // children of the lower half
    unsigned mask = (1U << children) - 1;
    for (std::size_t k = 0; k < D; ++k) {
      const std::uint32_t middle = corner[k] + half;
      if (low[k] >= middle) mask &= ~lower[k];
      if (high[k] < middle) mask &= lower[k];
    }
    return mask;
  }

  // How many of the children there are come before one of them. Compilers call a function for
  // popcount unless they know the machine.
  static unsigned before(std::uint32_t present, unsigned child) {
    static constexpr auto ones = [] {
      std::array<std::uint8_t, 256> counts{};
      for (unsigned i = 1; i < counts.size(); ++i)
        counts[i] = static_cast<std::uint8_t>(counts[i / 2] + i % 2);
      return counts;
    }();
    return ones[present & ((1U << child) - 1)];
  }

  static unsigned child_at(const Places& at, unsigned level) {
    unsigned child = 0;
    for (std::size_t k = 0; k < D; ++k) child |= (at[k] >> level & 1U) << k;
    return child;
  }

  // From a node whose children are so large to the leaf at a place, or as far as `last`. A leaf
  // without pieces if there is none.
  [[nodiscard]] Node go_down(Node node, unsigned level, unsigned last, const Places& at) const {
    while (!node.leaf() && level > last) {
      --level;
      const unsigned child = child_at(at, level);
      if ((node.rest >> child & 1U) == 0) return {0, leaf_mark};
      node = nodes_[node.first + before(node.rest, child)];
    }
    return node;
  }
  void learn();

  static Places corner_of(const Places& corner, std::uint32_t half, unsigned child) {
    Places result = corner;
    for (std::size_t k = 0; k < D; ++k)
      if (((child >> k) & 1U) != 0) result[k] += half;
    return result;
  }

  template <class Visit>
  void descend(std::uint32_t index, const Places& corner, std::uint32_t half, const Places& low,
               const Places& high, const Visit& visit) const {
    const Node node = nodes_[index];
    if (node.leaf()) {
      visit(node.first, node.first + (node.rest & ~leaf_mark));
      return;
    }
    for (unsigned todo = met(corner, half, low, high) & node.rest; todo != 0; todo &= todo - 1) {
      const auto child = static_cast<unsigned>(__builtin_ctz(todo));
      descend(node.first + before(node.rest, child), corner_of(corner, half, child), half / 2, low,
              high, visit);
    }
  }

  template <class Visit>
  [[nodiscard]] double descend_nearer(std::uint32_t index, const Places& corner, std::uint32_t half,
                                      const Point<D>& point, double least,
                                      const Visit& visit) const {
    const Node node = nodes_[index];
    if (node.leaf()) return visit(node.first, node.first + (node.rest & ~leaf_mark), least);
    unsigned nearest = 0;  // the child on the point's side of the middle
    for (std::size_t k = 0; k < D; ++k)
      if (point[k] >= box_.min[k] + (corner[k] + half) / per_side_) nearest |= 1U << k;
    for (unsigned i = 0; i < children; ++i) {
      const unsigned child = i ^ nearest;
      if (((node.rest >> child) & 1U) == 0) continue;
      const Places at = corner_of(corner, half, child);
      if (distance(at, half, point) > least) continue;
      least =
          descend_nearer(node.first + before(node.rest, child), at, half / 2, point, least, visit);
    }
    return least;
  }

  // From the point to the cube at a corner, a little less for rounding.
  [[nodiscard]] double distance(const Places& corner, std::uint32_t side,
                                const Point<D>& point) const {
    Point<D> outside;
    for (std::size_t k = 0; k < D; ++k) {
      const double low = box_.min[k] + corner[k] / per_side_;
      const double high = box_.min[k] + (corner[k] + side) / per_side_;
      outside[k] = std::max(0.0, std::max(low - point[k], point[k] - high));
    }
    return length(outside) * (1 - 1e-9) - 1e-9 * side_;
  }

  Box<D> box_{};
  double side_ = 0;
  double per_side_ = 0;  // places per length
  HugeVector<Node> nodes_;
  HugeVector<Node> known_;  // nodes of the first levels, by place: most of the way to a leaf
  unsigned levels_ = 0;
  HugeVector<std::uint32_t> entries_;
};

extern template class Tree<2>;
extern template class Tree<3>;

}  // namespace abut
