#pragma once

#include <abut/box.hpp>
#include <abut/mesh.hpp>
#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace abut {

/// Boxes in a balanced binary tree, each node of which is split at the median along the longest
/// axis of its centers. Built in O(n log n); a removal takes O(log n).
template <std::size_t D>
class BoxTree {
 public:
  explicit BoxTree(std::span<const Box<D>> boxes)
      : leaves_(std::bit_ceil(std::max<std::size_t>(1, boxes.size()))),
        nodes_(2 * leaves_, empty_box()),
        items_(boxes.size()),
        slot_of_(boxes.size()) {
    std::iota(items_.begin(), items_.end(), std::size_t{0});
    split(boxes, 0, boxes.size(), leaves_);
    for (std::size_t slot = 0; slot < items_.size(); ++slot) {
      slot_of_[items_[slot]] = slot;
      nodes_[leaves_ + slot] = boxes[items_[slot]];
    }
    for (std::size_t node = leaves_ - 1; node > 0; --node) unite_children(node);
  }

  /// Removes box i, which must not have been removed.
  void remove(std::size_t i) {
    std::size_t node = leaves_ + slot_of_[i];
    nodes_[node] = empty_box();
    while ((node /= 2) > 0) unite_children(node);
  }

  /// A box i for which `may_match` is true for all boxes around it and `matches(i)` is true; none
  /// if there is none. `may_match` must be true for a box around one for which it is true.
  template <class MayMatch, class Matches>
  [[nodiscard]] std::optional<std::size_t> find(const MayMatch& may_match,
                                                const Matches& matches) const {
    return find_below(1, may_match, matches);
  }

 private:
  static Box<D> empty_box() {
    Box<D> box;
    box.min.fill(std::numeric_limits<double>::infinity());
    box.max.fill(-std::numeric_limits<double>::infinity());
    return box;
  }

  void unite_children(std::size_t node) {
    const Box<D>& a = nodes_[2 * node];
    const Box<D>& b = nodes_[2 * node + 1];
    for (std::size_t k = 0; k < D; ++k) {
      nodes_[node].min[k] = std::min(a.min[k], b.min[k]);
      nodes_[node].max[k] = std::max(a.max[k], b.max[k]);
    }
  }

  // Orders the items begin … end − 1, which belong to a node with this number of leaves.
  void split(std::span<const Box<D>> boxes, std::size_t begin, std::size_t end,
             std::size_t leaves) {
    if (end - begin < 2) return;
    const auto center = [&](std::size_t i, std::size_t k) {
      return boxes[i].min[k] / 2 + boxes[i].max[k] / 2;
    };
    std::size_t longest = 0;
    double max_extent = -1;
    for (std::size_t k = 0; k < D; ++k) {
      double low = std::numeric_limits<double>::infinity();
      double high = -low;
      for (std::size_t slot = begin; slot < end; ++slot) {
        low = std::min(low, center(items_[slot], k));
        high = std::max(high, center(items_[slot], k));
      }
      if (high - low <= max_extent) continue;
      max_extent = high - low;
      longest = k;
    }
    const std::size_t middle = std::min(begin + leaves / 2, end);
    const auto slot = [&](std::size_t i) {
      return items_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::nth_element(slot(begin), slot(middle), slot(end), [&](std::size_t i, std::size_t j) {
      return center(i, longest) < center(j, longest);
    });
    split(boxes, begin, middle, leaves / 2);
    split(boxes, middle, end, leaves / 2);
  }

  template <class MayMatch, class Matches>
  [[nodiscard]] std::optional<std::size_t> find_below(std::size_t node, const MayMatch& may_match,
                                                      const Matches& matches) const {
    const Box<D>& box = nodes_[node];
    if (!(box.min[0] <= box.max[0]) || !may_match(box)) return std::nullopt;
    if (node >= leaves_) {
      const std::size_t item = items_[node - leaves_];
      return matches(item) ? std::optional(item) : std::nullopt;
    }
    if (const auto found = find_below(2 * node, may_match, matches)) return found;
    return find_below(2 * node + 1, may_match, matches);
  }

  std::size_t leaves_;                // a power of two
  std::vector<Box<D>> nodes_;         // node k has the children 2 k and 2 k + 1; the root is 1
  std::vector<std::size_t> items_;    // by leaf
  std::vector<std::size_t> slot_of_;  // leaf of an item
};

}  // namespace abut
