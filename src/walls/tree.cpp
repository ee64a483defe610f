#include "walls/tree.hpp"

#include <limits>
#include <numeric>

namespace abut {

// A node that is to become a leaf or to be split, and its pieces: a part of the list of its level.
template <std::size_t D>
struct Tree<D>::Pending {
  std::uint32_t node;
  std::uint32_t first;
  std::uint32_t count;
  unsigned idle;  // splits in a row that left some child with nearly everything
  Places corner;
};

// Level by level, so that what is spent on lists is spent evenly when it runs out.
template <std::size_t D>
class Tree<D>::Builder {
 public:
  Builder(Tree& tree, std::span<const TreePiece<D>> pieces, unsigned few, std::size_t most)
      : tree_(tree),
        pieces_(pieces),
        few_(few),
        allowed_(most * pieces.size() + 1024),
        slack_(1e-9 * tree.side_),
        spans_(pieces.size()) {
    for (std::size_t i = 0; i < pieces.size(); ++i)
      tree.places_of(pieces[i].box, spans_[i].low, spans_[i].high);
  }

  void build() {
    list_.resize(pieces_.size());
    std::iota(list_.begin(), list_.end(), 0U);
    tree_.nodes_.push_back({});
    std::vector<Pending> level{{0, 0, static_cast<std::uint32_t>(list_.size()), 0, {}}};
    for (std::uint32_t half = places / 2; !level.empty(); half /= 2) {
      next_.clear();
      next_list_.clear();
      for (const Pending& node : level)
        if (!worth(node, half) || !split(node, half)) make_leaf(node);
      level.swap(next_);
      list_.swap(next_list_);
    }
  }

 private:
  struct Span {
    Places low;
    Places high;
  };
  static constexpr unsigned patience = 3;

  [[nodiscard]] bool worth(const Pending& node, std::uint32_t half) const {
    return node.count > few_ && half > 0 && node.idle < patience &&
           tree_.entries_.size() + list_.size() + next_list_.size() < allowed_;
  }

  void make_leaf(const Pending& node) {
    tree_.nodes_[node.node] = {static_cast<std::uint32_t>(tree_.entries_.size()),
                               node.count | leaf_mark};
    const auto first = list_.begin() + node.first;
    tree_.entries_.insert(tree_.entries_.end(), first, first + node.count);
  }

  // Whether the piece's plane comes through a child, for those children its box meets.
  [[nodiscard]] unsigned cut(const TreePiece<D>& piece, const Point<D>& middle, double quarter,
                             unsigned mask) const {
    const double height = dot(piece.normal, difference(middle, piece.corner));
    double reach = slack_;
    for (const double part : piece.normal) reach += quarter * std::abs(part);
    for (unsigned todo = mask; todo != 0; todo &= todo - 1) {
      const auto child = static_cast<unsigned>(__builtin_ctz(todo));
      double at = height;
      for (std::size_t k = 0; k < D; ++k)
        at += ((child >> k) & 1U) != 0 ? quarter * piece.normal[k] : -quarter * piece.normal[k];
      if (std::abs(at) > reach) mask &= ~(1U << child);
    }
    return mask;
  }

  bool split(const Pending& node, std::uint32_t half) {
    std::array<std::uint32_t, children> counts{};
    mark(node, half, counts);
    const std::size_t all = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    const std::uint32_t largest = *std::ranges::max_element(counts);
    if (all > std::size_t{children / 2 + 1} * node.count) return false;  // all meet everywhere
    const bool idle = largest * 10 > node.count * 9;
    hand_down(node, half, counts, idle ? node.idle + 1 : 0);
    return true;
  }

  // Which children each piece of the node is in, and how many each child gets.
  void mark(const Pending& node, std::uint32_t half, std::array<std::uint32_t, children>& counts) {
    const double unit_place = 1 / tree_.per_side_;
    Point<D> middle;
    for (std::size_t k = 0; k < D; ++k)
      middle[k] = tree_.box_.min[k] + (node.corner[k] + half) * unit_place;
    masks_.resize(node.count);
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const std::uint32_t piece = list_[node.first + i];
      unsigned mask = met(node.corner, half, spans_[piece].low, spans_[piece].high);
      if ((mask & (mask - 1)) != 0) mask = cut(pieces_[piece], middle, half * unit_place / 2, mask);
      masks_[i] = mask;
      for (; mask != 0; mask &= mask - 1) ++counts[static_cast<unsigned>(__builtin_ctz(mask))];
    }
  }

  void hand_down(const Pending& node, std::uint32_t half,
                 const std::array<std::uint32_t, children>& counts, unsigned idle) {
    std::array<std::uint32_t, children> at{};
    auto end = static_cast<std::uint32_t>(next_list_.size());
    unsigned present = 0;
    const auto first_child = static_cast<std::uint32_t>(tree_.nodes_.size());
    for (unsigned child = 0; child < children; ++child) {
      at[child] = end;
      if (counts[child] == 0) continue;
      present |= 1U << child;
      next_.push_back({static_cast<std::uint32_t>(tree_.nodes_.size()), end, counts[child], idle,
                       corner_of(node.corner, half, child)});
      tree_.nodes_.push_back({});
      end += counts[child];
    }
    next_list_.resize(end);
    for (std::uint32_t i = 0; i < node.count; ++i)
      for (unsigned mask = masks_[i]; mask != 0; mask &= mask - 1)
        next_list_[at[static_cast<unsigned>(__builtin_ctz(mask))]++] = list_[node.first + i];
    tree_.nodes_[node.node] = {first_child, present};
  }

  Tree& tree_;
  std::span<const TreePiece<D>> pieces_;
  unsigned few_;
  std::size_t allowed_;  // entries of all lists
  double slack_;
  std::vector<Span> spans_;
  std::vector<std::uint32_t> list_;
  std::vector<std::uint32_t> next_list_;
  std::vector<Pending> next_;
  std::vector<unsigned> masks_;
};

template <std::size_t D>
Tree<D>::Tree(std::span<const TreePiece<D>> pieces, unsigned few, unsigned most) {
  if (pieces.empty()) return;
  box_.min.fill(std::numeric_limits<double>::infinity());
  box_.max.fill(-std::numeric_limits<double>::infinity());
  for (const TreePiece<D>& piece : pieces)
    for (std::size_t k = 0; k < D; ++k) {
      box_.min[k] = std::min(box_.min[k], piece.box.min[k]);
      box_.max[k] = std::max(box_.max[k], piece.box.max[k]);
    }
  side_ = largest_part(difference(box_.max, box_.min));
  per_side_ = side_ > 0 ? places / side_ : 0;
  Builder(*this, pieces, few, most).build();
  learn();
}

// The table is not to be much larger than the tree.
template <std::size_t D>
void Tree<D>::learn() {
  while ((std::size_t{1} << ((levels_ + 1) * D)) <= 8 * nodes_.size()) ++levels_;
  known_.resize(std::size_t{1} << (levels_ * D));
  for (std::uint32_t cell = 0; cell < known_.size(); ++cell) {
    Places at;
    for (std::size_t k = 0; k < D; ++k)
      at[k] = (cell >> (levels_ * k) & ((1U << levels_) - 1)) << (depth - levels_);
    known_[cell] = go_down(nodes_[0], depth, depth - levels_, at);
  }
}

template class Tree<2>;
template class Tree<3>;

}  // namespace abut
