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

// A bounding box of the paper is a node: a number from 1 for each particle in the list; node 0 is
// the list head LH.

/// Where a node's particle is: the node's place in `members`, or its number if all are members.
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

/// Integerised coordinates, D integers a node, that are remembered …
template <std::size_t D>
class StoredCells {
 public:
  using Cell = typename Grid<D>::Cell;
  void assign(const NodeSource<D>& source, std::size_t count) {
    cells_.resize(count + 1);
    cells_[0].fill(std::numeric_limits<std::int32_t>::max());  // the head ends every walk
    for (Index node = 1; node <= count; ++node) cells_[node] = source.cell(node);
  }
  [[nodiscard]] const Cell& operator[](Index node) const { return cells_[node]; }
  Cell& operator[](Index node) { return cells_[node]; }
  [[nodiscard]] std::size_t bytes() const { return sizeof(Cell) * cells_.capacity(); }

 private:
  std::vector<Cell> cells_;
};

/// … or worked out whenever they are needed.
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

/// The double connected closed list of Munjiza, Rougier, John (2006), sorted by the cells of its
/// nodes (7): quick sort of section 3, MR-linear sort of section 4.
template <std::size_t D, class Cells, std::size_t MostMarks = 4096>
class MrList {
 public:
  using Cell = typename Grid<D>::Cell;
  static constexpr Index head = 0;

  [[nodiscard]] std::size_t size() const { return next_.empty() ? 0 : next_.size() - 1; }
  [[nodiscard]] Index next(Index node) const { return next_[node]; }
  [[nodiscard]] decltype(auto) cell(Index node) const { return cells_[node]; }
  /// The first node and every so manieth after it, so that a search can begin anywhere.
  [[nodiscard]] std::span<const Index> skip_pointers() const { return skip_pointers_; }

  /// Bytes of the nodes, and of the marks, of which there is a constant number.
  [[nodiscard]] std::size_t bytes() const {
    return sizeof(Index) * (next_.capacity() + prev_.capacity() + skip_pointers_.capacity()) +
           sizeof(Chain) * bins_.capacity() + cells_.bytes();
  }

  /// All nodes, in the order of their numbers.
  void link(std::size_t count) {
    next_.resize(count + 1);
    prev_.resize(count + 1);
    for (Index node = 0; node <= count; ++node) {
      next_[node] = node < count ? node + 1 : head;
      prev_[node] = node > 0 ? node - 1 : static_cast<Index>(count);
    }
  }

  /// Section 3, from whatever order there is.
  template <class Counter>
  void quick_sort(const NodeSource<D>& source, Counter& counter) {
    cells_.assign(source, size());
    for (std::size_t k = 0; k < D; ++k) cells_per_axis_[k] = source.grid.cell_count(k);
    Range range;
    for (Index node = next_[head]; node != head; node = next_[node]) range.add(cells_[node]);
    if (size() > 0) sort_between(head, head, range, counter);
    build_skip_pointers();
  }

  /// From nothing in linear time: into a bin for each column, row and layer in turn. Not from the
  /// paper; for MMR, which cannot keep the order of one step for the next.
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

  /// Section 4, from the order of the last time. Returns false, with the nodes in any order, if a
  /// particle has moved by more than a cell.
  ///
  /// Nodes that moved ahead are taken out while the list is parsed and put back at the end. To the
  /// letter they would stay, every node up to their new place would be smaller than the one before
  /// it and be relocated, and with a few of them in each layer that is nearly all.
  template <class Counter>
  bool linear_sort(const NodeSource<D>& source, Counter& counter) {
    Matrix behind{};
    Chain ahead;
    Index last = head;  // of those that are sorted
    SkipPointerBuilder marking(*this);
    for (Index node = next_[head]; node != head;) {
      const Index following = next_[node];
      const Cell old = cells_[node];
      const Cell cell = cells_[node] = source.cell(node);
      const std::size_t neighbour = neighbor_index(old, cell);
      if (neighbour >= neighbor_count) return relink_all();
      counter.add_examinations(1);
      if (neighbour > unmoved) {
        unlink(node, ahead);
        prev_[node] = static_cast<Index>(neighbour);  // free until it is back in the list
      } else if (neighbour < unmoved && last != head && cell_precedes<D>(cell, cells_[last])) {
        join(prev_[node], following);
        insert_sorted(node, behind[neighbour], counter);
      } else {
        last = node;
        marking.pass(node);
      }
      node = following;
    }
    for (Index node = pop(ahead); node != head; node = pop(ahead))
      insert_sorted(node, behind[prev_[node]], counter);
    marking.finish();
    return true;
  }

  /// The same when the cells of the last time are forgotten. Whether a node moved ahead is then
  /// guessed, places are found by the marks alone, and a jump is not noticed but carried out.
  /// Returns false if nodes have to be carried further in all than small motions can make them go.
  template <class Counter>
  bool linear_sort_without_cells(const NodeSource<D>& source, Counter& counter) {
    cells_.assign(source, size());
    Chain ahead;
    std::size_t patience = 64 * size() + 4096;
    Index last = head;
    SkipPointerBuilder marking(*this);
    const auto carry = [&](Index node) {
      Index from = head;
      const std::size_t steps = insert_sorted(node, from, counter);
      patience -= std::min(patience, steps);
      return patience > 0;
    };
    for (Index node = next_[head]; node != head;) {
      const Index following = next_[node];
      counter.add_examinations(1);
      if (unlink_advanced(cells_[node], last, ahead, marking)) {
        last = node;
        marking.pass(node);
      } else {
        join(prev_[node], following);
        if (!carry(node)) return relink_all();
      }
      node = following;
    }
    for (Index node = pop(ahead); node != head; node = pop(ahead))
      if (!carry(node)) return relink_all();
    marking.finish();
    return true;
  }

  /// The first node that is not before this cell, at or after `from`. Most are near; what is far is
  /// reached by a leap to a mark.
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

  /// The same from the beginning of the list.
  template <class Counter>
  [[nodiscard]] Index find(const Cell& to, Counter& counter) const {
    const Index mark = last_skip_pointer_before(to, skip_pointers_.begin());
    return advance(mark == head ? next_[head] : mark, to, counter);
  }

  /// How many marks a list of so many nodes has at most.
  static std::size_t skip_pointer_count(std::size_t nodes) {
    return nodes / (nodes / MostMarks + 1) + 1;
  }

 private:
  static constexpr std::size_t neighbor_count = D == 2 ? 9 : 27;
  static constexpr std::size_t unmoved = neighbor_count / 2;

  // Matrix A: for each neighbour cell of the one being parsed, the last node before that cell.
  using Matrix = std::array<Index, neighbor_count>;

  // Notes marks while a list is passed in order; the first place is kept for the first node.
  class SkipPointerBuilder {
   public:
    explicit SkipPointerBuilder(MrList& list) : list_(list), step_(list.size() / MostMarks + 1) {
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

  // The cells from which the nodes of a part of the list are, (8) and (9).
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

  // Sorts the nodes strictly between two that stay. Each middle halves the cells, so the depth is
  // at most the bits of a cell's number, whatever the particles.
  template <class Counter>
  void sort_between(Index begin, Index end, const Range& range, Counter& counter) {
    if (range.min == range.max) return;
    const Cell middle = middle_cell<D>(range.min, range.max, cells_per_axis_);
    Range low_range;
    Range high_range;
    Index low = begin;  // last node not beyond the middle so far
    Index high = end;   // last node beyond it
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
  void insert(Index node, Index behind) {
    join(node, next_[behind]);
    join(behind, node);
  }

  template <class Counter>
  [[nodiscard]] Index advance_far(Index from, const Cell& to, Counter& counter) const {
    const Index mark = last_skip_pointer_before(to, skip_pointers_.begin());
    if (mark != head && cell_precedes<D>(cells_[from], cells_[mark])) from = mark;
    for (; cell_precedes<D>(cells_[from], to); from = next_[from]) counter.add_examinations(1);
    return from;
  }

  // Nodes keep their order within a bin. Only `next_` is kept up.
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

  // Nodes taken out of the list, linked in the order in which they were.
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
  // What was taken out is put back by linking all of them anew.
  bool relink_all() {
    link(size());
    return false;
  }

  // Which of the 3^D neighbours (itself included) a cell is, in their order; `neighbours` if none.
  static std::size_t neighbor_index(const Cell& centre, const Cell& cell) {
    std::size_t number = 0;
    for (std::size_t k = D; k-- > 0;) {
      const std::int32_t apart = cell[k] - centre[k];
      if (apart < -1 || apart > 1) return neighbor_count;
      number = 3 * number + static_cast<std::size_t>(apart + 1);
    }
    return number;
  }

  [[nodiscard]] Index last_skip_pointer_before(const Cell& cell,
                                               std::vector<Index>::const_iterator first) const {
    const auto mark = std::partition_point(first, skip_pointers_.end(), [&](Index node) {
      return cell_precedes<D>(cells_[node], cell);
    });
    return mark == first ? head : mark[-1];
  }

  // Puts a node in its place, found from a pointer of the matrix: old cells only grow as the list
  // is parsed, so the pointer only moves forward. It takes a leap where a mark is further. Returns
  // the steps it took.
  template <class Counter>
  std::size_t insert_sorted(Index node, Index& pointer, Counter& counter) {
    const Cell cell = cells_[node];
    const Index leap = last_skip_pointer_before(cell, skip_pointers_.begin() + 1);
    Index at = pointer;
    if (at == head || !cell_precedes<D>(cells_[at], cell) ||
        (leap != head && cell_precedes<D>(cells_[at], cells_[leap])))
      at = leap;
    std::size_t steps = 0;
    for (; cell_precedes<D>(cells_[next_[at]], cell); at = next_[at]) ++steps;
    insert(node, pointer = at);
    counter.add_examinations(steps);
    counter.add_list_relinks(1);
    return steps;
  }

  // Without old cells: whether a node may follow the last one, possibly after up to three that
  // must have moved ahead have been taken out.
  bool unlink_advanced(const Cell& cell, Index& last, Chain& ahead, SkipPointerBuilder& marking) {
    constexpr int most = 3;
    Index stays = last;
    for (int count = 0; stays != head && cell_precedes<D>(cell, cells_[stays]);
         stays = prev_[stays])
      if (++count > most) return false;
    while (last != stays) {
      const Index gone = last;
      last = prev_[gone];
      marking.retract(gone);
      unlink(gone, ahead);
    }
    return true;
  }

  void build_skip_pointers() {
    SkipPointerBuilder marking(*this);
    for (Index node = next_[head]; node != head; node = next_[node]) marking.pass(node);
    marking.finish();
  }

  std::vector<Index> next_;
  std::vector<Index> prev_;
  Cells cells_;
  std::array<std::int32_t, D> cells_per_axis_{};
  std::vector<Index> skip_pointers_;
  std::vector<Chain> bins_;
};

}  // namespace abut
