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

#include "broad/cell_order.hpp"

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
class KeptCells {
 public:
  using Cell = typename Grid<D>::Cell;
  void measure(const NodeSource<D>& source, std::size_t count) {
    cells_.resize(count + 1);
    cells_[0].fill(std::numeric_limits<std::int32_t>::max());  // the head ends every walk
    for (Index node = 1; node <= count; ++node) cells_[node] = source.cell(node);
  }
  [[nodiscard]] const Cell& operator[](Index node) const { return cells_[node]; }
  Cell& operator[](Index node) { return cells_[node]; }
  [[nodiscard]] std::size_t bytes() const { return sizeof(Cell) * cells_.size(); }

 private:
  std::vector<Cell> cells_;
};

/// … or worked out whenever they are needed.
template <std::size_t D>
class RecomputedCells {
 public:
  using Cell = typename Grid<D>::Cell;
  void measure(const NodeSource<D>& source, std::size_t /*count*/) { source_ = source; }
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

/// The double connected closed list of Munjiza, Rougier, John (2005), sorted by the cells of its
/// nodes (7): quick sort of section 3, MR-linear sort of section 4.
template <std::size_t D, class Cells>
class MrList {
 public:
  using Cell = typename Grid<D>::Cell;
  static constexpr Index head = 0;

  [[nodiscard]] std::size_t size() const { return next_.empty() ? 0 : next_.size() - 1; }
  [[nodiscard]] Index next(Index node) const { return next_[node]; }
  [[nodiscard]] decltype(auto) cell(Index node) const { return cells_[node]; }
  [[nodiscard]] std::span<const Index> marks() const { return marks_; }

  /// Bytes of the nodes, and of the marks, of which there is a constant number.
  [[nodiscard]] std::size_t bytes() const {
    return sizeof(Index) * (next_.size() + prev_.size() + marks_.size()) + cells_.bytes();
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
    cells_.measure(source, size());
    for (std::size_t k = 0; k < D; ++k) cells_along_[k] = source.grid.cells(k);
    Range range;
    for (Index node = next_[head]; node != head; node = next_[node]) range.add(cells_[node]);
    if (size() > 0) sort_between(head, head, range, counter);
  }

  /// Section 4, from the order of the last time. Returns false, with nodes left in any order, if
  /// a particle has moved by more than a cell.
  template <class Counter>
  bool linear_sort(const NodeSource<D>& source, Counter& counter) {
    std::array<Index, neighbours> behind{};  // matrix A: the last node before each neighbour cell
    Index last = head;                       // of those that are sorted
    for (Index node = next_[head]; node != head;) {
      const Index following = next_[node];
      const Cell cell = source.cell(node);
      const std::size_t neighbour = neighbour_number(cells_[node], cell);
      if (neighbour >= neighbours) return false;
      cells_[node] = cell;
      if (last == head || !before<D>(cell, cells_[last])) {
        last = node;
      } else {
        // Old cells only grow as the list is parsed, so each pointer only moves forward.
        Index& at = behind[neighbour];
        for (; before<D>(cells_[next_[at]], cell); at = next_[at]) counter.examinations(1);
        relocate(node, at);
        counter.list_moves(1);
      }
      counter.examinations(1);
      node = following;
    }
    return true;
  }

  /// The same when the cells of the last time are forgotten: the matrix is then addressed by the
  /// cell modulo 3, and a pointer may have to go back when the parsing enters a new layer.
  /// Returns false if the pointers go further than small motions can make them go.
  template <class Counter>
  bool linear_sort_without_cells(const NodeSource<D>& source, Counter& counter) {
    cells_.measure(source, size());
    std::array<Index, neighbours> behind{};
    std::size_t patience = 64 * size() + 4096;
    Index last = head;
    for (Index node = next_[head]; node != head;) {
      const Index following = next_[node];
      const Cell cell = cells_[node];
      if (last == head || !before<D>(cell, cells_[last])) {
        last = node;
      } else {
        Index& at = behind[number_modulo_3(cell)];
        for (; at != head && !before<D>(cells_[at], cell); at = prev_[at])
          if (patience-- == 0) return false;
        for (; before<D>(cells_[next_[at]], cell); at = next_[at])
          if (patience-- == 0) return false;
        relocate(node, at);
        counter.list_moves(1);
      }
      node = following;
    }
    counter.examinations(64 * size() + 4096 - patience + size());
    return true;
  }

  /// Notes every so manieth node, so that a search can begin anywhere.
  void mark() {
    const std::size_t step = size() / most_marks + 1;
    marks_.clear();
    marks_.reserve(most_marks);
    std::size_t place = 0;
    for (Index node = next_[head]; node != head; node = next_[node])
      if (place++ % step == 0) marks_.push_back(node);
  }

  /// The first node that is not before this cell, at or after `from`; only walks forward.
  template <class Counter>
  [[nodiscard]] Index advance(Index from, const Cell& to, Counter& counter) const {
    for (; before<D>(cells_[from], to); from = next_[from]) counter.examinations(1);
    return from;
  }

  /// The same from nowhere, by way of the marks.
  template <class Counter>
  [[nodiscard]] Index find(const Cell& to, Counter& counter) const {
    const auto mark = std::ranges::partition_point(
        marks_, [&](Index node) { return before<D>(cells_[node], to); });
    return advance(mark == marks_.begin() ? next_[head] : mark[-1], to, counter);
  }

 private:
  static constexpr std::size_t neighbours = D == 2 ? 9 : 27;
  static constexpr std::size_t most_marks = 2048;

  // The cells from which the nodes of a part of the list are, (8) and (9).
  struct Range {
    Cell min = filled(std::numeric_limits<std::int32_t>::max());
    Cell max = filled(-1);
    void add(const Cell& cell) {
      if (before<D>(cell, min)) min = cell;
      if (before<D>(max, cell)) max = cell;
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
    const Cell middle = middle_cell<D>(range.min, range.max, cells_along_);
    Range low_range;
    Range high_range;
    Index low = begin;  // last node not beyond the middle so far
    Index high = end;   // last node beyond it
    Index first_high = end;
    for (Index node = next_[begin]; node != end; node = next_[node]) {
      const Cell cell = cells_[node];
      counter.examinations(1);
      if (before<D>(middle, cell)) {
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

  void relocate(Index node, Index behind) {
    join(prev_[node], next_[node]);
    join(node, next_[behind]);
    join(behind, node);
  }

  // Which of the 3^D neighbours (itself included) a cell is; `neighbours` or more if none.
  static std::size_t neighbour_number(const Cell& centre, const Cell& cell) {
    std::size_t number = 0;
    for (std::size_t k = 0; k < D; ++k) {
      const std::int32_t apart = cell[k] - centre[k];
      if (apart < -1 || apart > 1) return neighbours;
      number = 3 * number + static_cast<std::size_t>(apart + 1);
    }
    return number;
  }
  static std::size_t number_modulo_3(const Cell& cell) {
    std::size_t number = 0;
    for (std::size_t k = 0; k < D; ++k) number = 3 * number + static_cast<std::size_t>(cell[k] % 3);
    return number;
  }

  std::vector<Index> next_;
  std::vector<Index> prev_;
  Cells cells_;
  std::array<std::int32_t, D> cells_along_{};
  std::vector<Index> marks_;
};

}  // namespace abut
