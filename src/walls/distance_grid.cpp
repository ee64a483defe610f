#include "walls/distance_grid.hpp"

#include <cmath>
#include <limits>

namespace abut {
namespace {

// Distances are measured up to this many cells. Beyond that, the number of empty cells is nearly as
// accurate.
constexpr double measured_band = 1.25;

// Adds padding, with more along axes in which the mesh is flat: particles outside the grid are
// projected onto it, so without padding all particles above a floor would end up on the floor.
template <std::size_t D>
Box<D> padded(Box<D> box, double side) {
  for (std::size_t k = 0; k < D; ++k) {
    const double margin = std::max(side / 16, side / 4 - (box.max[k] - box.min[k]) / 2);
    box.min[k] -= margin;
    box.max[k] += margin;
  }
  return box;
}

// Dilates a binary mask by one cell along an axis with the given stride.
void dilate(const std::vector<std::uint8_t>& from, std::size_t stride, std::size_t count,
            std::vector<std::uint8_t>& to) {
  const std::size_t block_size = stride * count;
  for (std::size_t first = 0; first < from.size(); first += block_size) {
    const std::uint8_t* const in = from.data() + first;
    std::uint8_t* const out = to.data() + first;
    std::copy(in, in + block_size, out);
    for (std::size_t i = stride; i < block_size; ++i) out[i] |= in[i - stride];
    for (std::size_t i = 0; i + stride < block_size; ++i) out[i] |= in[i + stride];
  }
}

}  // namespace

template <std::size_t D>
DistanceGrid<D>::DistanceGrid(const Facets<D>& facets, const std::vector<Box<D>>& boxes,
                              const Box<D>& bounds, double side, double max_cells, int max_distance,
                              bool slabs)
    : max_cells_away_(max_distance) {
  if (boxes.empty()) return;
  choose_resolution(boxes, padded(bounds, side), side, max_cells);
  std::size_t cells = 1;
  for (const std::int32_t count : cell_counts_) cells *= static_cast<std::size_t>(count);
  distance_steps_.assign(cells, static_cast<std::uint8_t>(max_steps));
  if (slabs) slabs_.assign(cells, {});
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for_each_cell_near(boxes[i], measured_band, [&](const Point<D>& center, std::size_t cell) {
      measure_distance(facets, i, center, cell);
    });
  fill_far_cells();
  view_.distance_steps = distance_steps_.data();
  if (!slabs) return;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for_each_cell_near(
        boxes[i], DistanceGridView<D>::slab_range * (1 + 1e-6),
        [&](const Point<D>& center, std::size_t cell) { extend_slab(facets, i, center, cell); });
  for (std::size_t i = 0; i < slabs_.size(); ++i) slabs_[i].distance_steps = distance_steps_[i];
  view_.slabs = slabs_.data();
}

// The finest resolution for which the number of cells and of measurements per facet are bounded.
template <std::size_t D>
void DistanceGrid<D>::choose_resolution(const std::vector<Box<D>>& boxes, const Box<D>& bounds,
                                        double side, double max_cells) {
  view_.min = bounds.min;
  const auto facets = static_cast<double>(boxes.size());
  max_cells = std::min(max_cells, std::max(0x1p16, 32 * facets));
  const double max_measurements = 128 * facets + 0x1p18;
  for (std::int32_t cells_along = D == 3 ? 128 : 1024; cells_along >= 1; cells_along /= 2) {
    cell_size_ = side / cells_along;
    view_.cells_per_length = 1 / cell_size_;
    double cells = 1;
    for (std::size_t k = 0; k < D; ++k) {
      const double extent = (bounds.max[k] - bounds.min[k]) * view_.cells_per_length;
      cell_counts_[k] = static_cast<std::int32_t>(extent) + 1;
      view_.stride[k] = static_cast<std::int32_t>(cells);
      view_.max_position[k] = std::nextafter(static_cast<double>(cell_counts_[k]), 0.0);
      cells *= cell_counts_[k];
    }
    if (cells <= max_cells && measurement_count(boxes) <= max_measurements) return;
  }
}

template <std::size_t D>
typename DistanceGrid<D>::Range DistanceGrid<D>::range(std::size_t axis, double low, double high,
                                                       double margin) const {
  const auto cell_of = [&](double x) {
    const double position = (x - view_.min[axis]) * view_.cells_per_length;
    return static_cast<std::int32_t>(std::min(std::max(position, 0.0), view_.max_position[axis]));
  };
  return {cell_of(low - margin * cell_size_), cell_of(high + margin * cell_size_)};
}

template <std::size_t D>
double DistanceGrid<D>::measurement_count(const std::vector<Box<D>>& boxes) const {
  double cells = 0;
  for (const Box<D>& box : boxes) {
    double own_cells = 1;
    for (std::size_t k = 0; k < D; ++k) {
      const Range cells_along = range(k, box.min[k], box.max[k], measured_band);
      own_cells *= cells_along.last - cells_along.first + 1;
    }
    cells += own_cells;
  }
  return cells;
}

template <std::size_t D>
template <class Visit>
void DistanceGrid<D>::for_each_cell_near(const Box<D>& box, double margin,
                                         const Visit& visit) const {
  std::array<Range, D> ranges;
  for (std::size_t k = 0; k < D; ++k) ranges[k] = range(k, box.min[k], box.max[k], margin);
  const auto center_of = [&](std::size_t k, std::int32_t cell) {
    return view_.min[k] + (cell + 0.5) * cell_size_;
  };
  Point<D> center{};
  const auto layers = D == 3 ? ranges[D - 1] : Range{0, 0};
  for (std::int32_t z = layers.first; z <= layers.last; ++z)
    for (std::int32_t y = ranges[1].first; y <= ranges[1].last; ++y) {
      if constexpr (D == 3) center[2] = center_of(2, z);
      center[1] = center_of(1, y);
      const std::size_t row =
          static_cast<std::size_t>(z) * static_cast<std::size_t>(cell_counts_[1]) +
          static_cast<std::size_t>(y);
      for (std::int32_t x = ranges[0].first; x <= ranges[0].last; ++x) {
        center[0] = center_of(0, x);
        visit(center,
              row * static_cast<std::size_t>(cell_counts_[0]) + static_cast<std::size_t>(x));
      }
    }
}

// The slab of a cell is parallel to the nearest facet or, for slivers, normal to the line to its
// closest point. That line would not serve in general: distances are known to a sixteenth of a cell
// only, so its direction is arbitrary if the facet is very close.
template <std::size_t D>
void DistanceGrid<D>::measure_distance(const Facets<D>& facets, std::size_t facet,
                                       const Point<D>& center, std::size_t cell) {
  std::uint8_t& steps = distance_steps_[cell];
  const double limit = cell_size_ * std::min(measured_band, steps * (1.0 / steps_per_cell));
  ClosestPoint<D> closest;
  if (!facets.find_closest(facet, center, limit, closest)) return;
  const double measured =
      closest.distance * view_.cells_per_length * steps_per_cell * (1 - 1e-9) - 1e-6;
  steps = static_cast<std::uint8_t>(std::max(0.0, std::min<double>(measured, steps)));
  if (slabs_.empty()) return;
  CellSlab& slab = slabs_[cell];
  const Point<D>& plane = facets.normal(facet);
  const Point<D>& normal = dot(plane, plane) > 0 ? plane : closest.normal;
  for (std::size_t k = 0; k < D; ++k)
    slab.normal[k] = static_cast<std::int8_t>(std::lround(127 * normal[k]));
  slab.low = std::numeric_limits<std::int16_t>::max();  // empty: extend_slab adds the facets
  slab.high = std::numeric_limits<std::int16_t>::min();
}

// Only the part of a facet within a sphere around the cell matters. Its points lie between the
// lowest and the highest vertex. They also lie in the plane of the facet, within the circle in
// which the sphere intersects that plane.
template <std::size_t D>
void DistanceGrid<D>::extend_slab(const Facets<D>& facets, std::size_t facet,
                                  const Point<D>& center, std::size_t cell) {
  CellSlab& slab = slabs_[cell];
  if (slab.low < slab.high && slab.low == CellSlab{}.low)
    return;  // no facet was measured in this cell
  static const double sphere_radius =
      DistanceGridView<D>::slab_range + std::sqrt(static_cast<double>(D)) / 2;
  const Point<D>& facet_normal = facets.normal(facet);
  const double above =
      dot(facet_normal, difference(center, facets.vertex(facet))) * view_.cells_per_length;
  if (std::abs(above) > sphere_radius * (1 + 1e-6)) return;
  Point<D> normal;
  for (std::size_t k = 0; k < D; ++k) normal[k] = slab.normal[k];
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Point<D>& vertex : facets.vertices(facet)) {
    const double height = dot(normal, difference(vertex, center)) * view_.cells_per_length;
    low = std::min(low, height);
    high = std::max(high, height);
  }
  if (dot(facet_normal, facet_normal) > 0) {
    const double cosine = dot(normal, facet_normal);
    const double squared_radius = std::max(0.0, sphere_radius * sphere_radius - above * above);
    const double squared_sine = std::max(0.0, dot(normal, normal) - cosine * cosine);
    const double extent = std::sqrt(squared_radius * squared_sine);
    low = std::max(low, -above * cosine - extent);
    high = std::min(high, -above * cosine + extent);
  }
  constexpr double rounding = 0.25;  // in units of 1/127 of a cell
  constexpr double min_low = std::numeric_limits<std::int16_t>::min();
  constexpr double max_high = std::numeric_limits<std::int16_t>::max();
  low = std::max(min_low, std::floor(low - rounding));
  high = std::min(max_high, std::ceil(high + rounding));
  slab.low = static_cast<std::int16_t>(std::min<double>(slab.low, low));
  slab.high = static_cast<std::int16_t>(std::max<double>(slab.high, high));
}

// A facet that intersects a cell n > 0 cells away (in the maximum norm) is at least n − ½ cells
// from the center of this one. A facet whose distance from a cell center exceeds half of the
// diagonal does not intersect the cell.
template <std::size_t D>
void DistanceGrid<D>::fill_far_cells() {
  const int max_occupied_steps =
      static_cast<int>(std::sqrt(static_cast<double>(D)) / 2 * steps_per_cell) + 1;
  const int beyond_band = static_cast<int>(measured_band * steps_per_cell) - 1;
  const std::vector<std::uint8_t> cells_away = cells_to_nearest_facet(max_occupied_steps);
  for (std::size_t i = 0; i < distance_steps_.size(); ++i) {
    if (distance_steps_[i] < max_steps) continue;  // measured
    const int by_cells = std::min(max_steps, cells_away[i] * steps_per_cell - steps_per_cell / 2);
    distance_steps_[i] = static_cast<std::uint8_t>(std::max(beyond_band, by_cells));
  }
}

// For each cell the distance, in cells and in the maximum norm, of the nearest cell that a facet
// may intersect: the number of dilations until the cell is covered.
template <std::size_t D>
std::vector<std::uint8_t> DistanceGrid<D>::cells_to_nearest_facet(int max_occupied_steps) const {
  std::vector<std::uint8_t> occupied(distance_steps_.size());
  for (std::size_t i = 0; i < distance_steps_.size(); ++i)
    occupied[i] = distance_steps_[i] <= max_occupied_steps ? 1 : 0;
  std::vector<std::uint8_t> cells_away(distance_steps_.size());
  std::vector<std::uint8_t> dilated(distance_steps_.size());
  for (int distance = 0; distance < max_cells_away_; ++distance) {
    for (std::size_t i = 0; i < cells_away.size(); ++i)
      cells_away[i] = static_cast<std::uint8_t>(cells_away[i] + 1 - occupied[i]);
    std::size_t stride = 1;
    for (const std::int32_t count : cell_counts_) {
      dilate(occupied, stride, static_cast<std::size_t>(count), dilated);
      occupied.swap(dilated);
      stride *= static_cast<std::size_t>(count);
    }
  }
  return cells_away;
}

template class DistanceGrid<2>;
template class DistanceGrid<3>;

}  // namespace abut
