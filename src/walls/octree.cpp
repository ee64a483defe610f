#include "walls/octree.hpp"

#include <limits>
#include <numeric>

namespace abut {

// A node that is still to be split or made a leaf. Its items are a range of the list of its level.
template <std::size_t D>
struct Octree<D>::Pending {
  std::uint32_t node;
  std::uint32_t first;
  std::uint32_t count;
  unsigned idle_splits;  // consecutive splits after which one child kept nearly all items
  CellCoordinates cell;
};

// Builds level by level, so that the limit on the number of entries affects all branches equally.
template <std::size_t D>
class Octree<D>::Builder {
 public:
  Builder(Octree& tree, std::span<const OctreeItem<D>> items, unsigned leaf_capacity,
          std::size_t max_entries_per_item)
      : octree_(tree),
        items_(items),
        leaf_capacity_(leaf_capacity),
        max_entries_(max_entries_per_item * items.size() + 1024),
        slack_(1e-9 * tree.side_),
        ranges_(items.size()) {
    for (std::size_t i = 0; i < items.size(); ++i)
      tree.quantize_box(items[i].box, ranges_[i].low, ranges_[i].high);
  }

  void build() {
    list_.resize(items_.size());
    std::iota(list_.begin(), list_.end(), 0U);
    octree_.nodes_.push_back({});
    std::vector<Pending> level{{0, 0, static_cast<std::uint32_t>(list_.size()), 0, {}}};
    for (std::uint32_t half = cells_per_axis / 2; !level.empty(); half /= 2) {
      next_level_.clear();
      next_list_.clear();
      for (const Pending& node : level)
        if (!should_split(node, half) || !split(node, half)) make_leaf(node);
      level.swap(next_level_);
      list_.swap(next_list_);
    }
  }

 private:
  struct QuantizedBox {
    CellCoordinates low;
    CellCoordinates high;
  };
  static constexpr unsigned max_idle_splits = 3;

  [[nodiscard]] bool should_split(const Pending& node, std::uint32_t half) const {
    return node.count > leaf_capacity_ && half > 0 && node.idle_splits < max_idle_splits &&
           octree_.entries_.size() + list_.size() + next_list_.size() < max_entries_;
  }

  void make_leaf(const Pending& node) {
    octree_.nodes_[node.node] = {static_cast<std::uint32_t>(octree_.entries_.size()),
                                 node.count | leaf_flag};
    const auto first = list_.begin() + node.first;
    octree_.entries_.insert(octree_.entries_.end(), first, first + node.count);
  }

  // Removes from the mask those children that the plane of the item does not intersect.
  [[nodiscard]] unsigned clip_to_plane(const OctreeItem<D>& item, const Point<D>& center,
                                       double quarter, unsigned mask) const {
    const double height = dot(item.normal, difference(center, item.point));
    double extent = slack_;
    for (const double part : item.normal) extent += quarter * std::abs(part);
    for (unsigned remaining = mask; remaining != 0; remaining &= remaining - 1) {
      const auto child = static_cast<unsigned>(__builtin_ctz(remaining));
      double position = height;
      for (std::size_t k = 0; k < D; ++k)
        position += ((child >> k) & 1U) != 0 ? quarter * item.normal[k] : -quarter * item.normal[k];
      if (std::abs(position) > extent) mask &= ~(1U << child);
    }
    return mask;
  }

  bool split(const Pending& node, std::uint32_t half) {
    std::array<std::uint32_t, child_count> counts{};
    assign_to_children(node, half, counts);
    const std::size_t total = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    const std::uint32_t largest = *std::ranges::max_element(counts);
    if (total > std::size_t{child_count / 2 + 1} * node.count)
      return false;  // splitting does not separate the items
    const bool is_idle = largest * 10 > node.count * 9;
    distribute(node, half, counts, is_idle ? node.idle_splits + 1 : 0);
    return true;
  }

  // Determines which children each item of the node overlaps, and counts the items of each child.
  void assign_to_children(const Pending& node, std::uint32_t half,
                          std::array<std::uint32_t, child_count>& counts) {
    const double cell_size = 1 / octree_.cells_per_length_;
    Point<D> center;
    for (std::size_t k = 0; k < D; ++k)
      center[k] = octree_.box_.min[k] + (node.cell[k] + half) * cell_size;
    masks_.resize(node.count);
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const std::uint32_t item = list_[node.first + i];
      unsigned mask = overlapping_children(node.cell, half, ranges_[item].low, ranges_[item].high);
      if ((mask & (mask - 1)) != 0)
        mask = clip_to_plane(items_[item], center, half * cell_size / 2, mask);
      masks_[i] = mask;
      for (; mask != 0; mask &= mask - 1) ++counts[static_cast<unsigned>(__builtin_ctz(mask))];
    }
  }

  void distribute(const Pending& node, std::uint32_t half,
                  const std::array<std::uint32_t, child_count>& counts, unsigned idle_splits) {
    std::array<std::uint32_t, child_count> next{};  // free slot in next_list_
    auto end = static_cast<std::uint32_t>(next_list_.size());
    unsigned present = 0;
    const auto first_child = static_cast<std::uint32_t>(octree_.nodes_.size());
    for (unsigned child = 0; child < child_count; ++child) {
      next[child] = end;
      if (counts[child] == 0) continue;
      present |= 1U << child;
      next_level_.push_back({static_cast<std::uint32_t>(octree_.nodes_.size()), end, counts[child],
                             idle_splits, child_corner(node.cell, half, child)});
      octree_.nodes_.push_back({});
      end += counts[child];
    }
    next_list_.resize(end);
    for (std::uint32_t i = 0; i < node.count; ++i)
      for (unsigned mask = masks_[i]; mask != 0; mask &= mask - 1)
        next_list_[next[static_cast<unsigned>(__builtin_ctz(mask))]++] = list_[node.first + i];
    octree_.nodes_[node.node] = {first_child, present};
  }

  Octree& octree_;
  std::span<const OctreeItem<D>> items_;
  unsigned leaf_capacity_;
  std::size_t max_entries_;  // of all leaves
  double slack_;
  std::vector<QuantizedBox> ranges_;
  std::vector<std::uint32_t> list_;
  std::vector<std::uint32_t> next_list_;
  std::vector<Pending> next_level_;
  std::vector<unsigned> masks_;
};

template <std::size_t D>
Octree<D>::Octree(std::span<const OctreeItem<D>> items, unsigned leaf_capacity,
                  unsigned max_entries_per_item) {
  if (items.empty()) return;
  box_.min.fill(std::numeric_limits<double>::infinity());
  box_.max.fill(-std::numeric_limits<double>::infinity());
  for (const OctreeItem<D>& item : items)
    for (std::size_t k = 0; k < D; ++k) {
      box_.min[k] = std::min(box_.min[k], item.box.min[k]);
      box_.max[k] = std::max(box_.max[k], item.box.max[k]);
    }
  side_ = max_abs(difference(box_.max, box_.min));
  cells_per_length_ = side_ > 0 ? cells_per_axis / side_ : 0;
  Builder(*this, items, leaf_capacity, max_entries_per_item).build();
  build_shortcuts();
}

// A table of the nodes at a fixed level. Its size is limited to 8 entries per node of the tree.
template <std::size_t D>
void Octree<D>::build_shortcuts() {
  while ((std::size_t{1} << ((shortcut_levels_ + 1) * D)) <= 8 * nodes_.size()) ++shortcut_levels_;
  shortcuts_.resize(std::size_t{1} << (shortcut_levels_ * D));
  for (std::uint32_t cell = 0; cell < shortcuts_.size(); ++cell) {
    CellCoordinates position;
    for (std::size_t k = 0; k < D; ++k)
      position[k] = (cell >> (shortcut_levels_ * k) & ((1U << shortcut_levels_) - 1))
                    << (max_depth - shortcut_levels_);
    shortcuts_[cell] = descend_to(nodes_[0], max_depth, max_depth - shortcut_levels_, position);
  }
}

template class Octree<2>;
template class Octree<3>;

}  // namespace abut
