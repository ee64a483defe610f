#pragma once

#include <abut/box.hpp>
#include <cstdint>
#include <vector>

#include "core/huge_vector.hpp"
#include "walls/facets.hpp"
#include "walls/kernel.hpp"

namespace abut {

/// How far it is to the nearest piece from the middle of every cell of a coarse grid, rounded down
/// to sixteenths of a cell. It tells at a glance that a particle is far from every wall.
///
/// Near pieces the distance is measured; elsewhere it follows from the number of free cells around.
/// Where that is not enough, cells near pieces may also have a slab that holds these.
/// A particle outside the grid is moved onto it: that brings it no farther from anything inside.
template <std::size_t D>
class Clearance {
 public:
  Clearance() = default;
  ~Clearance() = default;
  Clearance(Clearance&&) noexcept = default;  // the grid points to what is moved along
  Clearance& operator=(Clearance&&) noexcept = default;
  static constexpr int most_away = 16;  ///< cells, farther is not told apart

  /// For pieces in these boxes, all of them in a cube; with at most so many cells, and not able to
  /// tell what is farther than some cells. With slabs or without.
  Clearance(const Facets<D>& facets, const std::vector<Box<D>>& boxes, const Box<D>& around,
            double side, double most_cells, int farthest = most_away, bool slabs = false);

  /// Where it is kept, for the loops that ask it.
  [[nodiscard]] const ClearanceGrid<D>& grid() const { return grid_; }

 private:
  static constexpr int fineness = 16;
  static_assert(fineness == ClearanceGrid<D>::fineness);
  static constexpr int most = 255;

  // The cells along each axis that a span of coordinates meets, widened by `more` cells.
  struct Range {
    std::int32_t first;
    std::int32_t last;
  };
  [[nodiscard]] Range range(std::size_t axis, double low, double high, double more) const;

  void choose_cells(const std::vector<Box<D>>& boxes, const Box<D>& around, double side,
                    double most_cells);
  [[nodiscard]] double work(const std::vector<Box<D>>& boxes) const;
  template <class Visit>
  void each_cell_near(const Box<D>& box, double more, const Visit& visit) const;
  void measure(const Facets<D>& facets, std::size_t piece, const Point<D>& middle,
               std::size_t cell);
  void widen_slab(const Facets<D>& facets, std::size_t piece, const Point<D>& middle,
                  std::size_t cell);
  void spread();
  [[nodiscard]] std::vector<std::uint8_t> count_cells(int through) const;

  ClearanceGrid<D> grid_;
  std::array<std::int32_t, D> count_{};
  double cell_ = 0;
  int farthest_ = most_away;
  HugeVector<std::uint8_t> steps_;
  HugeVector<CellSlab> slabs_;
};

extern template class Clearance<2>;
extern template class Clearance<3>;

}  // namespace abut
