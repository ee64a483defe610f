#include "engine/sizes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace abut {
namespace {

// Bins of sizes, eight an octave: the exponent of a double and the first bits of its fraction.
constexpr unsigned bin_shift = 49;
constexpr std::size_t most_bins = 8UL * 40;

std::uint64_t bin_of(double radius) { return std::bit_cast<std::uint64_t>(radius) >> bin_shift; }
double lower_edge(std::uint64_t bin) { return std::bit_cast<double>(bin << bin_shift); }

struct Bins {
  std::uint64_t lowest = 0;        // all smaller radii are counted here
  std::vector<std::size_t> count;  // from the smallest to the largest
  std::vector<double> largest;     // radius in each bin
};

Bins counted(std::span<const double> radius, double largest, double smallest) {
  Bins bins;
  const std::uint64_t top = bin_of(largest);
  bins.lowest = std::max(bin_of(smallest), top - std::min<std::uint64_t>(top, most_bins - 1));
  bins.count.resize(top - bins.lowest + 1);
  bins.largest.resize(bins.count.size());
  for (const double r : radius) {
    const std::size_t bin = std::max(bin_of(r), bins.lowest) - bins.lowest;
    ++bins.count[bin];
    bins.largest[bin] = std::max(bins.largest[bin], r);
  }
  return bins;
}

// The particles of bins first … last−1.
SizeClass joined(const Bins& bins, std::size_t first, std::size_t last) {
  SizeClass all;
  for (std::size_t bin = first; bin < last; ++bin) {
    all.count += bins.count[bin];
    all.largest = std::max(all.largest, bins.largest[bin]);
  }
  if (first > 0) all.smallest = std::nextafter(lower_edge(bins.lowest + first), 0.0);
  return all;
}

// Cells as large as the reach, but not more of them than particles.
double cell_of(const SizeClass& sizes, const SizeCost& cost) {
  const double room = cost.volume / static_cast<double>(sizes.count);
  return std::max(cost.reach(2 * sizes.largest),
                  std::pow(room, 1.0 / static_cast<double>(cost.dimension)));
}

// Nanoseconds, roughly, as measured: a row of cells, and eight or one of its particles.
constexpr double a_row = 2.0;
constexpr double eight_particles = 3.0;
constexpr double one_particle = 1.3;
constexpr double a_class = 5000;

double density(const SizeClass& sizes, const SizeCost& cost) {
  return static_cast<double>(sizes.count) / cost.volume;
}

double cost_within(const SizeClass& sizes, const SizeCost& cost) {
  const double in_a_cell =
      density(sizes, cost) * std::pow(cell_of(sizes, cost), static_cast<double>(cost.dimension));
  const double rows = cost.dimension == 2 ? 2 : 5;
  return a_class + static_cast<double>(sizes.count) * rows *
                       (a_row + eight_particles * std::max(1.0, (3 * in_a_cell + 3.5) / 8));
}

double cost_across(const SizeClass& large, const SizeClass& small, const SizeCost& cost) {
  const double cell = cell_of(small, cost);
  const double met = 2 * cost.reach(large.largest + small.largest) / cell + 1;
  const double rows = std::pow(met, static_cast<double>(cost.dimension) - 1);
  const double in_a_row =
      density(small, cost) * std::pow(cell, static_cast<double>(cost.dimension)) * met;
  const double particles =
      met < 8 ? eight_particles * std::max(1.0, (in_a_row + 3.5) / 8) : one_particle * in_a_row;
  return static_cast<double>(large.count) * rows * (a_row + particles);
}

double cost_of(std::span<const SizeClass> classes, const SizeCost& cost) {
  double sum = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    sum += cost_within(classes[i], cost);
    for (std::size_t j = i + 1; j < classes.size(); ++j)
      sum += cost_across(classes[i], classes[j], cost);
  }
  return sum;
}

// The classes between edges, which are numbers of bins, from the largest particles down.
std::vector<SizeClass> between(const Bins& bins, std::span<const std::size_t> edges) {
  std::vector<SizeClass> classes;
  for (std::size_t i = edges.size() - 1; i-- > 0;)
    classes.push_back(joined(bins, edges[i], edges[i + 1]));
  return classes;
}

// One more edge where it saves most, or none if none saves a twentieth.
bool divided(const Bins& bins, std::vector<std::size_t>& edges, const SizeCost& cost) {
  double best = 0.95 * cost_of(between(bins, edges), cost);
  std::vector<std::size_t> found;
  for (std::size_t edge = 4; edge < bins.count.size(); edge += 4) {
    const auto place = std::ranges::lower_bound(edges, edge);
    if (*place == edge) continue;
    std::vector<std::size_t> tried(edges);
    tried.insert(tried.begin() + (place - edges.begin()), edge);
    const std::vector<SizeClass> classes = between(bins, tried);
    if (std::ranges::any_of(classes, [](const SizeClass& c) { return c.count == 0; })) continue;
    const double cost_here = cost_of(classes, cost);
    if (cost_here >= best) continue;
    best = cost_here;
    found = tried;
  }
  if (found.empty()) return false;
  edges = found;
  return true;
}

}  // namespace

std::vector<SizeClass> size_classes(std::span<const double> radius, double largest, double smallest,
                                    const SizeCost& cost) {
  constexpr double alike = 1.5;
  constexpr std::size_t few = 256;
  constexpr std::size_t most_classes = 12;
  if (largest <= alike * smallest || radius.size() < few)
    return {{.largest = largest, .smallest = 0, .count = radius.size()}};
  const Bins bins = counted(radius, largest, smallest);
  std::vector<std::size_t> edges{0, bins.count.size()};
  while (edges.size() <= most_classes && divided(bins, edges, cost)) {
  }
  return between(bins, edges);
}

}  // namespace abut
