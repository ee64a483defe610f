#pragma once

#include <abut/box.hpp>
#include <cstdint>
#include <vector>

#include "core/arrays.hpp"
#include "walls/facets.hpp"
#include "walls/kernel.hpp"

namespace abut {

/// How far it is to the nearest facet from the middle of every cell of a coarse grid, rounded down
/// to sixteenths of a cell. It tells at a glance that a particle is far from every wall.
///
/// Near facets the distance is measured; elsewhere it follows from the number of free cells around.
/// Where that is not enough, cells near facets may also have a slab that holds these.
/// A particle outside the grid is moved onto it: that brings it no farther from anything inside.
template <std::size_t D>
class DistanceGrid {
 public:
  DistanceGrid() = default;
  ~DistanceGrid() = default;
  DistanceGrid(DistanceGrid&&) noexcept = default;  // the grid points to what is moved along
  DistanceGrid& operator=(DistanceGrid&&) noexcept = default;
  static constexpr int max_cells_away = 16;  ///< cells, farther is not told apart

  /// For facets in these boxes, all of them in a cube; with at most so many cells, and not able to
  /// tell what is farther than some cells. With slabs or without.
  DistanceGrid(const Facets<D>& facets, const std::vector<Box<D>>& boxes, const Box<D>& around,
               double side, double most_cells, int farthest = max_cells_away, bool slabs = false);

  /// Where it is kept, for the loops that ask it.
  [[nodiscard]] const DistanceGridView<D>& view() const { return view_; }

 private:
  static constexpr int steps_per_cell = 16;
  static_assert(steps_per_cell == DistanceGridView<D>::steps_per_cell);
  static constexpr int max_steps = 255;

  // The cells along each axis that a span of coordinates meets, widened by `more` cells.
  struct Range {
    std::int32_t first;
    std::int32_t last;
  };
  [[nodiscard]] Range range(std::size_t axis, double low, double high, double more) const;

  void choose_resolution(const std::vector<Box<D>>& boxes, const Box<D>& around, double side,
                         double most_cells);
  [[nodiscard]] double measurement_count(const std::vector<Box<D>>& boxes) const;
  template <class Visit>
  void for_each_cell_near(const Box<D>& box, double more, const Visit& visit) const;
  void measure_distance(const Facets<D>& facets, std::size_t facet, const Point<D>& middle,
                        std::size_t cell);
  void extend_slab(const Facets<D>& facets, std::size_t facet, const Point<D>& middle,
                   std::size_t cell);
  void fill_far_cells();
  [[nodiscard]] std::vector<std::uint8_t> cells_to_nearest_facet(int through) const;

  DistanceGridView<D> view_;
  std::array<std::int32_t, D> cell_counts_{};
  double cell_size_ = 0;
  int max_cells_away_ = max_cells_away;
  HugePageVector<std::uint8_t> distance_steps_;
  HugePageVector<CellSlab> slabs_;
};

extern template class DistanceGrid<2>;
extern template class DistanceGrid<3>;

}  // namespace abut
