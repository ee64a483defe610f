#include "walls/distance_grid.hpp"

#include <cmath>
#include <limits>

namespace abut {
namespace {

// Distances are measured up to so many cells. Beyond, the number of free cells says nearly as much.
constexpr double measured_band = 1.25;

// With room around it, and more where it is flat: what lies outside the grid is moved onto it, and
// over a floor everything would be moved onto the floor.
template <std::size_t D>
Box<D> padded(Box<D> box, double side) {
  for (std::size_t k = 0; k < D; ++k) {
    const double more = std::max(side / 16, side / 4 - (box.max[k] - box.min[k]) / 2);
    box.min[k] -= more;
    box.max[k] += more;
  }
  return box;
}

// Lets what is taken grow by one along an axis: each element takes over from those a stride away.
void dilate(const std::vector<std::uint8_t>& from, std::size_t stride, std::size_t count,
            std::vector<std::uint8_t>& to) {
  const std::size_t whole = stride * count;
  for (std::size_t first = 0; first < from.size(); first += whole) {
    const std::uint8_t* const in = from.data() + first;
    std::uint8_t* const out = to.data() + first;
    std::copy(in, in + whole, out);
    for (std::size_t i = stride; i < whole; ++i) out[i] |= in[i - stride];
    for (std::size_t i = 0; i + stride < whole; ++i) out[i] |= in[i + stride];
  }
}

}  // namespace

template <std::size_t D>
DistanceGrid<D>::DistanceGrid(const Facets<D>& facets, const std::vector<Box<D>>& boxes,
                              const Box<D>& around, double side, double most_cells, int farthest,
                              bool slabs)
    : max_cells_away_(farthest) {
  if (boxes.empty()) return;
  choose_resolution(boxes, padded(around, side), side, most_cells);
  std::size_t cells = 1;
  for (const std::int32_t count : cell_counts_) cells *= static_cast<std::size_t>(count);
  distance_steps_.assign(cells, static_cast<std::uint8_t>(max_steps));
  if (slabs) slabs_.assign(cells, {});
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for_each_cell_near(boxes[i], measured_band, [&](const Point<D>& middle, std::size_t cell) {
      measure_distance(facets, i, middle, cell);
    });
  fill_far_cells();
  view_.distance_steps = distance_steps_.data();
  if (!slabs) return;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for_each_cell_near(
        boxes[i], DistanceGridView<D>::slab_range * (1 + 1e-6),
        [&](const Point<D>& middle, std::size_t cell) { extend_slab(facets, i, middle, cell); });
  for (std::size_t i = 0; i < slabs_.size(); ++i) slabs_[i].distance_steps = distance_steps_[i];
  view_.slabs = slabs_.data();
}

// As fine as the facets deserve: memory stays within some cells a facet, and so does the work.
template <std::size_t D>
void DistanceGrid<D>::choose_resolution(const std::vector<Box<D>>& boxes, const Box<D>& around,
                                        double side, double most_cells) {
  view_.min = around.min;
  const auto facets = static_cast<double>(boxes.size());
  most_cells = std::min(most_cells, std::max(0x1p16, 32 * facets));
  const double most_work = 128 * facets + 0x1p18;
  for (std::int32_t along = D == 3 ? 128 : 1024; along >= 1; along /= 2) {
    cell_size_ = side / along;
    view_.cells_per_length = 1 / cell_size_;
    double cells = 1;
    for (std::size_t k = 0; k < D; ++k) {
      const double extent = (around.max[k] - around.min[k]) * view_.cells_per_length;
      cell_counts_[k] = static_cast<std::int32_t>(extent) + 1;
      view_.stride[k] = static_cast<std::int32_t>(cells);
      view_.max_position[k] = std::nextafter(static_cast<double>(cell_counts_[k]), 0.0);
      cells *= cell_counts_[k];
    }
    if (cells <= most_cells && measurement_count(boxes) <= most_work) return;
  }
}

template <std::size_t D>
typename DistanceGrid<D>::Range DistanceGrid<D>::range(std::size_t axis, double low, double high,
                                                       double more) const {
  const auto place = [&](double x) {
    const double at = (x - view_.min[axis]) * view_.cells_per_length;
    return static_cast<std::int32_t>(std::min(std::max(at, 0.0), view_.max_position[axis]));
  };
  return {place(low - more * cell_size_), place(high + more * cell_size_)};
}

template <std::size_t D>
double DistanceGrid<D>::measurement_count(const std::vector<Box<D>>& boxes) const {
  double cells = 0;
  for (const Box<D>& box : boxes) {
    double own = 1;
    for (std::size_t k = 0; k < D; ++k) {
      const Range across = range(k, box.min[k], box.max[k], measured_band);
      own *= across.last - across.first + 1;
    }
    cells += own;
  }
  return cells;
}

template <std::size_t D>
template <class Visit>
void DistanceGrid<D>::for_each_cell_near(const Box<D>& box, double more, const Visit& visit) const {
  std::array<Range, D> across;
  for (std::size_t k = 0; k < D; ++k) across[k] = range(k, box.min[k], box.max[k], more);
  const auto middle_at = [&](std::size_t k, std::int32_t place) {
    return view_.min[k] + (place + 0.5) * cell_size_;
  };
  Point<D> middle{};
  const auto layers = D == 3 ? across[D - 1] : Range{0, 0};
  for (std::int32_t z = layers.first; z <= layers.last; ++z)
    for (std::int32_t y = across[1].first; y <= across[1].last; ++y) {
      if constexpr (D == 3) middle[2] = middle_at(2, z);
      middle[1] = middle_at(1, y);
      const std::size_t row =
          static_cast<std::size_t>(z) * static_cast<std::size_t>(cell_counts_[1]) +
          static_cast<std::size_t>(y);
      for (std::int32_t x = across[0].first; x <= across[0].last; ++x) {
        middle[0] = middle_at(0, x);
        visit(middle,
              row * static_cast<std::size_t>(cell_counts_[0]) + static_cast<std::size_t>(x));
      }
    }
}

// The slab of a cell lies along the nearest facet, or across the way to it if it has no plane. The
// way alone would not do: it is known to a sixteenth of a cell, and beside a near facet may lead
// anywhere.
template <std::size_t D>
void DistanceGrid<D>::measure_distance(const Facets<D>& facets, std::size_t facet,
                                       const Point<D>& middle, std::size_t cell) {
  std::uint8_t& own = distance_steps_[cell];
  const double within = cell_size_ * std::min(measured_band, own * (1.0 / steps_per_cell));
  ClosestPoint<D> touch;
  if (!facets.find_closest(facet, middle, within, touch)) return;
  const double sixteenths =
      touch.distance * view_.cells_per_length * steps_per_cell * (1 - 1e-9) - 1e-6;
  own = static_cast<std::uint8_t>(std::max(0.0, std::min<double>(sixteenths, own)));
  if (slabs_.empty()) return;
  CellSlab& slab = slabs_[cell];
  const Point<D>& plane = facets.normal(facet);
  const Point<D>& normal = dot(plane, plane) > 0 ? plane : touch.normal;
  for (std::size_t k = 0; k < D; ++k)
    slab.normal[k] = static_cast<std::int8_t>(std::lround(127 * normal[k]));
  slab.low = std::numeric_limits<std::int16_t>::max();  // nothing is in it yet
  slab.high = std::numeric_limits<std::int16_t>::min();
}

// What matters of a facet is within a ball around the cell. There its points lie between its lowest
// and its highest vertex; and in its plane, no farther from the foot of the middle than the ball is
// wide there.
template <std::size_t D>
void DistanceGrid<D>::extend_slab(const Facets<D>& facets, std::size_t facet,
                                  const Point<D>& middle, std::size_t cell) {
  CellSlab& slab = slabs_[cell];
  if (slab.low < slab.high && slab.low == CellSlab{}.low) return;  // nothing was measured there
  static const double ball =
      DistanceGridView<D>::slab_range + std::sqrt(static_cast<double>(D)) / 2;
  const Point<D>& own = facets.normal(facet);
  const double above = dot(own, difference(middle, facets.vertex(facet))) * view_.cells_per_length;
  if (std::abs(above) > ball * (1 + 1e-6)) return;
  Point<D> normal;
  for (std::size_t k = 0; k < D; ++k) normal[k] = slab.normal[k];
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Point<D>& vertex : facets.vertices(facet)) {
    const double height = dot(normal, difference(vertex, middle)) * view_.cells_per_length;
    low = std::min(low, height);
    high = std::max(high, height);
  }
  if (dot(own, own) > 0) {
    const double slope = dot(normal, own);
    const double wide = std::max(0.0, ball * ball - above * above);
    const double across = std::max(0.0, dot(normal, normal) - slope * slope);
    const double beyond = std::sqrt(wide * across);
    low = std::max(low, -above * slope - beyond);
    high = std::min(high, -above * slope + beyond);
  }
  constexpr double rounding = 0.25;  // of 127 in a cell
  constexpr double most_low = std::numeric_limits<std::int16_t>::min();
  constexpr double most_high = std::numeric_limits<std::int16_t>::max();
  low = std::max(most_low, std::floor(low - rounding));
  high = std::min(most_high, std::ceil(high + rounding));
  slab.low = static_cast<std::int16_t>(std::min<double>(slab.low, low));
  slab.high = static_cast<std::int16_t>(std::max<double>(slab.high, high));
}

// Whatever comes through a cell that is n > 0 cells away along some axis is at least n − ½ cells
// from the middle of this one. A facet cannot come through a cell if it is more than half a
// diagonal from its middle.
template <std::size_t D>
void DistanceGrid<D>::fill_far_cells() {
  const int through = static_cast<int>(std::sqrt(static_cast<double>(D)) / 2 * steps_per_cell) + 1;
  const int beyond_band = static_cast<int>(measured_band * steps_per_cell) - 1;
  const std::vector<std::uint8_t> cells_away = cells_to_nearest_facet(through);
  for (std::size_t i = 0; i < distance_steps_.size(); ++i) {
    if (distance_steps_[i] < max_steps) continue;  // measured
    const int by_cells = std::min(max_steps, cells_away[i] * steps_per_cell - steps_per_cell / 2);
    distance_steps_[i] = static_cast<std::uint8_t>(std::max(beyond_band, by_cells));
  }
}

// How many cells away the nearest cell is that a facet may come through: how often these can grow
// by one cell in all directions before they arrive.
template <std::size_t D>
std::vector<std::uint8_t> DistanceGrid<D>::cells_to_nearest_facet(int through) const {
  std::vector<std::uint8_t> taken(distance_steps_.size());
  for (std::size_t i = 0; i < distance_steps_.size(); ++i)
    taken[i] = distance_steps_[i] <= through ? 1 : 0;
  std::vector<std::uint8_t> away(distance_steps_.size());
  std::vector<std::uint8_t> grown(distance_steps_.size());
  for (int round = 0; round < max_cells_away_; ++round) {
    for (std::size_t i = 0; i < away.size(); ++i)
      away[i] = static_cast<std::uint8_t>(away[i] + 1 - taken[i]);
    std::size_t stride = 1;
    for (const std::int32_t count : cell_counts_) {
      dilate(taken, stride, static_cast<std::size_t>(count), grown);
      taken.swap(grown);
      stride *= static_cast<std::size_t>(count);
    }
  }
  return away;
}

template class DistanceGrid<2>;
template class DistanceGrid<3>;

}  // namespace abut
