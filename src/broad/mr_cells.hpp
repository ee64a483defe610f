#pragma once

#include <abut/pair.hpp>
#include <abut/spheres.hpp>
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
  [[nodiscard]] std::size_t bytes() const { return sizeof(Cell) * cells_.capacity(); }

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

}  // namespace abut
