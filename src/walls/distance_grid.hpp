#pragma once

#include <abut/box.hpp>
#include <cstdint>
#include <vector>

#include "core/buffers.hpp"
#include "walls/facets.hpp"
#include "walls/kernel.hpp"

namespace abut {

/// A lower bound of the distance from every cell center of a coarse grid to the nearest facet of a
/// mesh, in sixteenths of the cell size. It excludes contacts of most particles at the cost of one
/// lookup.
///
/// Near facets the distance is measured; elsewhere it follows from the number of empty cells
/// around. Optionally, cells near facets also have a slab that encloses these facets (see
/// `CellSlab`). A particle outside the grid is projected onto it, which does not increase its
/// distance from anything inside.
template <std::size_t D>
class DistanceGrid {
 public:
  DistanceGrid() = default;
  ~DistanceGrid() = default;
  DistanceGrid(DistanceGrid&&) noexcept =
      default;  // the view stays valid: vectors keep their memory
  DistanceGrid& operator=(DistanceGrid&&) noexcept = default;
  static constexpr int max_cells_away = 16;  ///< default range of the distances, in cells

  /// `boxes` are the bounding boxes of the facets, `bounds` that of all, `side` its longest side.
  /// The grid has at most `max_cells` cells; distances beyond `max_distance` cells are not
  /// resolved.
  DistanceGrid(const Facets<D>& facets, const std::vector<Box<D>>& boxes, const Box<D>& bounds,
               double side, double max_cells, int max_distance = max_cells_away,
               bool slabs = false);

  /// For the kernels; valid as long as the grid.
  [[nodiscard]] const DistanceGridView<D>& view() const { return view_; }

 private:
  static constexpr int steps_per_cell = 16;
  static_assert(steps_per_cell == DistanceGridView<D>::steps_per_cell);
  static constexpr int max_steps = 255;

  // The cells along an axis that the interval [low, high] overlaps, widened by `margin` cells.
  struct Range {
    std::int32_t first;
    std::int32_t last;
  };
  [[nodiscard]] Range range(std::size_t axis, double low, double high, double margin) const;

  void choose_resolution(const std::vector<Box<D>>& boxes, const Box<D>& bounds, double side,
                         double max_cells);
  [[nodiscard]] double measurement_count(const std::vector<Box<D>>& boxes) const;
  template <class Visit>
  void for_each_cell_near(const Box<D>& box, double margin, const Visit& visit) const;
  void measure_distance(const Facets<D>& facets, std::size_t facet, const Point<D>& center,
                        std::size_t cell);
  void extend_slab(const Facets<D>& facets, std::size_t facet, const Point<D>& center,
                   std::size_t cell);
  void fill_far_cells();
  [[nodiscard]] std::vector<std::uint8_t> cells_to_nearest_facet(int max_occupied_steps) const;

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
