#include "engine/size_classes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace abut {
namespace {

// Bins of sizes, eight an octave: the exponent of a double and the first bits of its fraction.
constexpr unsigned bin_shift = 49;
constexpr std::size_t max_bins = 8UL * 40;

std::uint64_t bin_of(double radius) { return std::bit_cast<std::uint64_t>(radius) >> bin_shift; }
double lower_edge(std::uint64_t bin) { return std::bit_cast<double>(bin << bin_shift); }

struct Bins {
  std::uint64_t first_bin = 0;     // all smaller radii are counted here
  std::vector<std::size_t> count;  // from the smallest to the largest
  std::vector<double> max_radius;  // radius in each bin
};

Bins count_bins(std::span<const double> radius, double largest, double smallest) {
  Bins bins;
  const std::uint64_t top = bin_of(largest);
  bins.first_bin = std::max(bin_of(smallest), top - std::min<std::uint64_t>(top, max_bins - 1));
  bins.count.resize(top - bins.first_bin + 1);
  bins.max_radius.resize(bins.count.size());
  for (const double r : radius) {
    const std::size_t bin = std::max(bin_of(r), bins.first_bin) - bins.first_bin;
    ++bins.count[bin];
    bins.max_radius[bin] = std::max(bins.max_radius[bin], r);
  }
  return bins;
}

// The particles of bins first … last−1.
SizeClass merge_bins(const Bins& bins, std::size_t first, std::size_t last) {
  SizeClass all;
  for (std::size_t bin = first; bin < last; ++bin) {
    all.count += bins.count[bin];
    all.max_radius = std::max(all.max_radius, bins.max_radius[bin]);
  }
  if (first > 0) all.min_radius = std::nextafter(lower_edge(bins.first_bin + first), 0.0);
  return all;
}

// Cells as large as the reach, but not more of them than particles.
double cell_size(const SizeClass& sizes, const SizeCostModel& cost) {
  const double room = cost.volume / static_cast<double>(sizes.count);
  return std::max(cost.cutoff(2 * sizes.max_radius),
                  std::pow(room, 1.0 / static_cast<double>(cost.dimension)));
}

// Nanoseconds, roughly, as measured: a row of cells, and eight or one of its particles.
constexpr double row_cost = 2.0;
constexpr double batch_cost = 3.0;
constexpr double particle_cost = 1.3;
constexpr double class_cost = 5000;

double number_density(const SizeClass& sizes, const SizeCostModel& cost) {
  return static_cast<double>(sizes.count) / cost.volume;
}

double cost_within(const SizeClass& sizes, const SizeCostModel& cost) {
  const double in_a_cell = number_density(sizes, cost) *
                           std::pow(cell_size(sizes, cost), static_cast<double>(cost.dimension));
  const double rows = cost.dimension == 2 ? 2 : 5;
  return class_cost + static_cast<double>(sizes.count) * rows *
                          (row_cost + batch_cost * std::max(1.0, (3 * in_a_cell + 3.5) / 8));
}

double cost_between(const SizeClass& large, const SizeClass& small, const SizeCostModel& cost) {
  const double cell = cell_size(small, cost);
  const double met = 2 * cost.cutoff(large.max_radius + small.max_radius) / cell + 1;
  const double rows = std::pow(met, static_cast<double>(cost.dimension) - 1);
  const double in_a_row =
      number_density(small, cost) * std::pow(cell, static_cast<double>(cost.dimension)) * met;
  const double particles =
      met < 8 ? batch_cost * std::max(1.0, (in_a_row + 3.5) / 8) : particle_cost * in_a_row;
  return static_cast<double>(large.count) * rows * (row_cost + particles);
}

double total_cost(std::span<const SizeClass> classes, const SizeCostModel& cost) {
  double sum = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    sum += cost_within(classes[i], cost);
    for (std::size_t j = i + 1; j < classes.size(); ++j)
      sum += cost_between(classes[i], classes[j], cost);
  }
  return sum;
}

// The classes between edges, which are numbers of bins, from the largest particles down.
std::vector<SizeClass> classes_between(const Bins& bins, std::span<const std::size_t> edges) {
  std::vector<SizeClass> classes;
  for (std::size_t i = edges.size() - 1; i-- > 0;)
    classes.push_back(merge_bins(bins, edges[i], edges[i + 1]));
  return classes;
}

// One more edge where it saves most, or none if none saves a twentieth.
bool split_best(const Bins& bins, std::vector<std::size_t>& edges, const SizeCostModel& cost) {
  double best = 0.95 * total_cost(classes_between(bins, edges), cost);
  std::vector<std::size_t> found;
  for (std::size_t edge = 4; edge < bins.count.size(); edge += 4) {
    const auto place = std::ranges::lower_bound(edges, edge);
    if (*place == edge) continue;
    std::vector<std::size_t> tried(edges);
    tried.insert(tried.begin() + (place - edges.begin()), edge);
    const std::vector<SizeClass> classes = classes_between(bins, tried);
    if (std::ranges::any_of(classes, [](const SizeClass& c) { return c.count == 0; })) continue;
    const double cost_here = total_cost(classes, cost);
    if (cost_here >= best) continue;
    best = cost_here;
    found = tried;
  }
  if (found.empty()) return false;
  edges = found;
  return true;
}

}  // namespace

std::vector<SizeClass> make_size_classes(std::span<const double> radius, double largest,
                                         double smallest, const SizeCostModel& cost) {
  constexpr double alike = 1.5;
  constexpr std::size_t few = 256;
  constexpr std::size_t most_classes = 12;
  if (largest <= alike * smallest || radius.size() < few)
    return {{.max_radius = largest, .min_radius = 0, .count = radius.size()}};
  const Bins bins = count_bins(radius, largest, smallest);
  std::vector<std::size_t> edges{0, bins.count.size()};
  while (edges.size() <= most_classes && split_best(bins, edges, cost)) {
  }
  return classes_between(bins, edges);
}

}  // namespace abut
