#pragma once

#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/grid.hpp"

namespace abut {

// A bounding box of the paper is a node here: nodes are numbered from 1, and node 0 is the list
// head LH.

/// The particles of a list: node n is particle members[n − 1], or n − 1 if `members` is empty.
template <std::size_t D>
struct NodeSource {
  Spheres<D> particles;
  Grid<D> grid;
  std::span<const Index> members{};

  [[nodiscard]] Index particle(Index node) const {
    return members.empty() ? node - 1 : members[node - 1];
  }
  [[nodiscard]] typename Grid<D>::Cell cell(Index node) const {
    return grid.cell_of(particles, particle(node));
  }
};

/// Cell coordinates (the paper's integerized coordinates) of all nodes, D integers each.
template <std::size_t D>
class StoredCells {
 public:
  using Cell = typename Grid<D>::Cell;
  void assign(const NodeSource<D>& source, std::size_t count) {
    cells_.resize(count + 1);
    // The head comes after every cell, so that every traversal ends there.
    cells_[0].fill(std::numeric_limits<std::int32_t>::max());
    for (Index node = 1; node <= count; ++node) cells_[node] = source.cell(node);
  }
  [[nodiscard]] const Cell& operator[](Index node) const { return cells_[node]; }
  Cell& operator[](Index node) { return cells_[node]; }
  [[nodiscard]] std::size_t bytes() const { return sizeof(Cell) * cells_.capacity(); }

 private:
  std::vector<Cell> cells_;
};

/// The same interface without memory: recomputes a cell at every access.
template <std::size_t D>
class RecomputedCells {
 public:
  using Cell = typename Grid<D>::Cell;
  void assign(const NodeSource<D>& source, std::size_t /*count*/) { source_ = source; }
  [[nodiscard]] Cell operator[](Index node) const {
    if (node != 0) return source_.cell(node);
    Cell last;
    last.fill(std::numeric_limits<std::int32_t>::max());
    return last;
  }
  [[nodiscard]] static std::size_t bytes() { return 0; }

 private:
  NodeSource<D> source_;
};

/// The doubly linked circular list of Munjiza, Rougier, John (2006), sorted by the cells of its
/// nodes (7), with the quicksort of section 3 and the MR-linear sort of section 4.
template <std::size_t D, class Cells, std::size_t MaxSkipPointers = 4096>
class MrList {
 public:
  using Cell = typename Grid<D>::Cell;
  static constexpr Index head = 0;

  [[nodiscard]] std::size_t size() const { return next_.empty() ? 0 : next_.size() - 1; }
  [[nodiscard]] Index next(Index node) const { return next_[node]; }
  [[nodiscard]] decltype(auto) cell(Index node) const { return cells_[node]; }
  /// The first node and every n-th after it, at which a search can start.
  [[nodiscard]] std::span<const Index> skip_pointers() const { return skip_pointers_; }

  /// Bytes of the nodes and of the skip pointers, whose number is limited.
  [[nodiscard]] std::size_t bytes() const {
    return sizeof(Index) * (next_.capacity() + prev_.capacity() + skip_pointers_.capacity()) +
           sizeof(Chain) * bins_.capacity() + cells_.bytes();
  }

  /// Links all nodes in the order of their numbers.
  void link(std::size_t count) {
    next_.resize(count + 1);
    prev_.resize(count + 1);
    for (Index node = 0; node <= count; ++node) {
      next_[node] = node < count ? node + 1 : head;
      prev_[node] = node > 0 ? node - 1 : static_cast<Index>(count);
    }
  }

  /// Quicksort of section 3, starting from any order. Time O(N log N).
  template <class Counter>
  void quick_sort(const NodeSource<D>& source, Counter& counter) {
    cells_.assign(source, size());
    for (std::size_t k = 0; k < D; ++k) cells_per_axis_[k] = source.grid.cell_count(k);
    Range range;
    for (Index node = next_[head]; node != head; node = next_[node]) range.add(cells_[node]);
    if (size() > 0) sort_between(head, head, range, counter);
    build_skip_pointers();
  }

  /// Radix sort starting from any order, in linear time: into bins by column, then row, then layer.
  /// Not from the paper; used by MMR, which cannot reuse the order of its last step.
  template <class Counter>
  void bin_sort(const NodeSource<D>& source, Counter& counter) {
    for (std::size_t k = 0; k < D; ++k)
      if (static_cast<std::size_t>(source.grid.cell_count(k)) > size() + 1024)
        return quick_sort(source, counter);  // more bins than nodes
    cells_.assign(source, size());
    for (std::size_t k = 0; k < D; ++k) {
      bins_.assign(static_cast<std::size_t>(source.grid.cell_count(k)), {});
      distribute(k);
    }
    counter.add_list_relinks(D * size());
    Index last = head;
    for (Index node = next_[head]; node != head; node = next_[node]) {
      prev_[node] = last;
      last = node;
    }
    prev_[head] = last;
    build_skip_pointers();
  }

  /// MR-linear sort of section 4, starting from the order of the last search. Returns false, with
  /// the nodes in arbitrary order, if a particle has moved by more than a cell.
  ///
  /// Nodes that moved forward are unlinked during the pass and inserted at the end. In the
  /// published version they stay in place; every node up to their new position then precedes its
  /// predecessor and is relocated, so that a few such nodes per layer relocate nearly all nodes.
  template <class Counter>
  bool linear_sort(const NodeSource<D>& source, Counter& counter) {
    Matrix pointers{};
    Chain ahead;
    Index last = head;  // of the sorted nodes
    SkipPointerBuilder skip_builder(*this);
    for (Index node = next_[head]; node != head;) {
      const Index following = next_[node];
      const Cell old = cells_[node];
      const Cell cell = cells_[node] = source.cell(node);
      const std::size_t neighbor = neighbor_index(old, cell);
      if (neighbor >= neighbor_count) return relink_all();
      counter.add_examinations(1);
      if (neighbor > unmoved) {
        unlink(node, ahead);
        prev_[node] = static_cast<Index>(neighbor);  // unused while the node is unlinked
      } else if (neighbor < unmoved && last != head && cell_precedes<D>(cell, cells_[last])) {
        join(prev_[node], following);
        insert_sorted(node, pointers[neighbor], counter);
      } else {
        last = node;
        skip_builder.pass(node);
      }
      node = following;
    }
    for (Index node = pop(ahead); node != head; node = pop(ahead))
      insert_sorted(node, pointers[prev_[node]], counter);
    skip_builder.finish();
    return true;
  }

  /// The same without the cells of the last search: forward motion is inferred from the order,
  /// positions are found by skip pointers alone, and a jump is not detected but carried out.
  /// Returns false if the nodes moved farther in total than small displacements can explain.
  template <class Counter>
  bool linear_sort_without_cells(const NodeSource<D>& source, Counter& counter) {
    cells_.assign(source, size());
    Chain ahead;
    std::size_t steps_left = 64 * size() + 4096;
    Index last = head;
    SkipPointerBuilder skip_builder(*this);
    const auto relocate = [&](Index node) {
      Index from = head;
      const std::size_t steps = insert_sorted(node, from, counter);
      steps_left -= std::min(steps_left, steps);
      return steps_left > 0;
    };
    for (Index node = next_[head]; node != head;) {
      const Index following = next_[node];
      counter.add_examinations(1);
      if (unlink_advanced(cells_[node], last, ahead, skip_builder)) {
        last = node;
        skip_builder.pass(node);
      } else {
        join(prev_[node], following);
        if (!relocate(node)) return relink_all();
      }
      node = following;
    }
    for (Index node = pop(ahead); node != head; node = pop(ahead))
      if (!relocate(node)) return relink_all();
    skip_builder.finish();
    return true;
  }

  /// The first node at or after `from` that does not precede this cell. Usually a few steps away;
  /// a distant one is reached through a skip pointer.
  template <class Counter>
  [[nodiscard, gnu::always_inline]] Index advance(Index from, const Cell& to,
                                                  Counter& counter) const {
    constexpr int near = 16;
    for (int steps = 0; steps < near; ++steps) {
      if (!cell_precedes<D>(cells_[from], to)) return from;
      counter.add_examinations(1);
      from = next_[from];
    }
    return advance_far(from, to, counter);
  }

  /// The first node of the list that does not precede this cell.
  template <class Counter>
  [[nodiscard]] Index find(const Cell& to, Counter& counter) const {
    const Index skip = last_skip_pointer_before(to, skip_pointers_.begin());
    return advance(skip == head ? next_[head] : skip, to, counter);
  }

  /// Upper limit for the number of skip pointers of a list of n nodes.
  static std::size_t skip_pointer_count(std::size_t nodes) {
    return nodes / (nodes / MaxSkipPointers + 1) + 1;
  }

 private:
  static constexpr std::size_t neighbor_count = D == 2 ? 9 : 27;
  static constexpr std::size_t unmoved = neighbor_count / 2;

  // Matrix A: for each neighbor cell of the current one, the last node before that cell.
  using Matrix = std::array<Index, neighbor_count>;

  // Collects skip pointers while nodes are passed in order; element 0 is the first node.
  class SkipPointerBuilder {
   public:
    explicit SkipPointerBuilder(MrList& list)
        : list_(list), step_(list.size() / MaxSkipPointers + 1) {
      list.skip_pointers_.assign(1, head);
    }
    void pass(Index node) {
      if (++passed_ % step_ == 0) list_.skip_pointers_.push_back(node);
    }
    void retract(Index node) {
      if (list_.skip_pointers_.back() == node) list_.skip_pointers_.pop_back();
    }
    void finish() { list_.skip_pointers_.front() = list_.next_[head]; }

   private:
    MrList& list_;
    std::size_t step_;
    std::size_t passed_ = 0;
  };

  // Smallest and largest cell of the nodes in a part of the list, (8) and (9).
  struct Range {
    Cell min = filled(std::numeric_limits<std::int32_t>::max());
    Cell max = filled(-1);
    void add(const Cell& cell) {
      if (cell_precedes<D>(cell, min)) min = cell;
      if (cell_precedes<D>(max, cell)) max = cell;
    }
    static Cell filled(std::int32_t value) {
      Cell cell;
      cell.fill(value);
      return cell;
    }
  };

  // Sorts the nodes strictly between two others. The middle cell halves the range of cells, which
  // limits the recursion depth to the number of bits of a cell number.
  template <class Counter>
  void sort_between(Index begin, Index end, const Range& range, Counter& counter) {
    if (range.min == range.max) return;
    const Cell middle = middle_cell<D>(range.min, range.max, cells_per_axis_);
    Range low_range;
    Range high_range;
    Index low = begin;  // last node up to the middle cell so far
    Index high = end;   // last node after it
    Index first_high = end;
    for (Index node = next_[begin]; node != end; node = next_[node]) {
      const Cell cell = cells_[node];
      counter.add_examinations(1);
      if (cell_precedes<D>(middle, cell)) {
        high_range.add(cell);
        if (first_high == end)
          first_high = node;
        else
          join(high, node);
        high = node;
      } else {
        low_range.add(cell);
        join(low, node);
        low = node;
      }
    }
    join(low, first_high);
    join(high, end);
    sort_between(begin, first_high, low_range, counter);
    sort_between(prev_[first_high], end, high_range, counter);
  }

  void join(Index a, Index b) {
    next_[a] = b;
    prev_[b] = a;
  }
  void insert_after(Index position, Index node) {
    join(node, next_[position]);
    join(position, node);
  }

  template <class Counter>
  [[nodiscard]] Index advance_far(Index from, const Cell& to, Counter& counter) const {
    const Index skip = last_skip_pointer_before(to, skip_pointers_.begin());
    if (skip != head && cell_precedes<D>(cells_[from], cells_[skip])) from = skip;
    for (; cell_precedes<D>(cells_[from], to); from = next_[from]) counter.add_examinations(1);
    return from;
  }

  // One pass of the radix sort, stable. Updates `next_` only.
  void distribute(std::size_t axis) {
    for (Index node = next_[head]; node != head;) {
      const Index following = next_[node];
      Chain& bin = bins_[static_cast<std::size_t>(cells_[node][axis])];
      append(node, bin);
      node = following;
    }
    Index last = head;
    for (const Chain& bin : bins_)
      if (bin.first != head) {
        next_[last] = bin.first;
        last = bin.last;
      }
    next_[last] = head;
  }

  // Unlinked nodes, in the order in which they were in the list.
  struct Chain {
    Index first = head;
    Index last = head;
  };
  void append(Index node, Chain& chain) {
    (chain.first == head ? chain.first : next_[chain.last]) = node;
    next_[node] = head;
    chain.last = node;
  }
  void unlink(Index node, Chain& ahead) {
    join(prev_[node], next_[node]);
    append(node, ahead);
  }
  Index pop(Chain& ahead) {
    const Index node = ahead.first;
    if (node != head) ahead.first = next_[node];
    return node;
  }
  // Restores a complete list after an unfinished sort.
  bool relink_all() {
    link(size());
    return false;
  }

  // Index of a cell among the 3^D cells around `center`, itself included; `neighbor_count` if it is
  // none of them.
  static std::size_t neighbor_index(const Cell& center, const Cell& cell) {
    std::size_t index = 0;
    for (std::size_t k = D; k-- > 0;) {
      const std::int32_t offset = cell[k] - center[k];
      if (offset < -1 || offset > 1) return neighbor_count;
      index = 3 * index + static_cast<std::size_t>(offset + 1);
    }
    return index;
  }

  [[nodiscard]] Index last_skip_pointer_before(const Cell& cell,
                                               std::vector<Index>::const_iterator first) const {
    const auto skip = std::partition_point(first, skip_pointers_.end(), [&](Index node) {
      return cell_precedes<D>(cells_[node], cell);
    });
    return skip == first ? head : skip[-1];
  }

  // Inserts a node at its sorted position, starting from a pointer of the matrix. Old cells ascend
  // during a pass, so the pointer only advances; it jumps to a skip pointer that is farther along.
  // Returns the number of steps.
  template <class Counter>
  std::size_t insert_sorted(Index node, Index& pointer, Counter& counter) {
    const Cell cell = cells_[node];
    const Index skip = last_skip_pointer_before(cell, skip_pointers_.begin() + 1);
    Index at = pointer;
    if (at == head || !cell_precedes<D>(cells_[at], cell) ||
        (skip != head && cell_precedes<D>(cells_[at], cells_[skip])))
      at = skip;
    std::size_t steps = 0;
    for (; cell_precedes<D>(cells_[next_[at]], cell); at = next_[at]) ++steps;
    insert_after(pointer = at, node);
    counter.add_examinations(steps);
    counter.add_list_relinks(1);
    return steps;
  }

  // Without old cells: whether the node can follow the last one, after unlinking up to three nodes
  // that must have moved forward.
  bool unlink_advanced(const Cell& cell, Index& last, Chain& ahead,
                       SkipPointerBuilder& skip_builder) {
    constexpr int max_unlinked = 3;
    Index stays = last;
    for (int count = 0; stays != head && cell_precedes<D>(cell, cells_[stays]);
         stays = prev_[stays])
      if (++count > max_unlinked) return false;
    while (last != stays) {
      const Index advanced = last;
      last = prev_[advanced];
      skip_builder.retract(advanced);
      unlink(advanced, ahead);
    }
    return true;
  }

  void build_skip_pointers() {
    SkipPointerBuilder skip_builder(*this);
    for (Index node = next_[head]; node != head; node = next_[node]) skip_builder.pass(node);
    skip_builder.finish();
  }

  std::vector<Index> next_;
  std::vector<Index> prev_;
  Cells cells_;
  std::array<std::int32_t, D> cells_per_axis_{};
  std::vector<Index> skip_pointers_;
  std::vector<Chain> bins_;
};

}  // namespace abut
