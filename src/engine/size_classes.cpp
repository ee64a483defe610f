#include "engine/size_classes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace abut {
namespace {

// Histogram of radii with eight bins per octave. The bin number is the exponent of the double and
// the first three bits of its fraction.
constexpr unsigned bin_shift = 49;
constexpr std::size_t max_bins = 8UL * 40;

std::uint64_t bin_of(double radius) { return std::bit_cast<std::uint64_t>(radius) >> bin_shift; }
double lower_edge(std::uint64_t bin) { return std::bit_cast<double>(bin << bin_shift); }

struct Bins {
  std::uint64_t first_bin = 0;     // also counts all smaller radii
  std::vector<std::size_t> count;  // particles in each bin, from the smallest radii to the largest
  std::vector<double> max_radius;  // in each bin
};

Bins count_bins(std::span<const double> radii, double max_radius, double min_radius) {
  Bins bins;
  const std::uint64_t last_bin = bin_of(max_radius);
  bins.first_bin =
      std::max(bin_of(min_radius), last_bin - std::min<std::uint64_t>(last_bin, max_bins - 1));
  bins.count.resize(last_bin - bins.first_bin + 1);
  bins.max_radius.resize(bins.count.size());
  for (const double r : radii) {
    const std::size_t bin = std::max(bin_of(r), bins.first_bin) - bins.first_bin;
    ++bins.count[bin];
    bins.max_radius[bin] = std::max(bins.max_radius[bin], r);
  }
  return bins;
}

// The size class of the bins first … last−1.
SizeClass merge_bins(const Bins& bins, std::size_t first, std::size_t last) {
  SizeClass merged;
  for (std::size_t bin = first; bin < last; ++bin) {
    merged.count += bins.count[bin];
    merged.max_radius = std::max(merged.max_radius, bins.max_radius[bin]);
  }
  if (first > 0) merged.min_radius = std::nextafter(lower_edge(bins.first_bin + first), 0.0);
  return merged;
}

// Cells as large as the cutoff, but not more of them than particles.
double cell_size(const SizeClass& size_class, const SizeCostModel& cost) {
  const double volume_per_particle = cost.volume / static_cast<double>(size_class.count);
  return std::max(cost.cutoff(2 * size_class.max_radius),
                  std::pow(volume_per_particle, 1.0 / static_cast<double>(cost.dimension)));
}

// Measured costs in nanoseconds: of visiting a row of cells, of comparing a batch of eight
// particles or a single one, and of a further size class.
constexpr double row_cost = 2.0;
constexpr double batch_cost = 3.0;
constexpr double particle_cost = 1.3;
constexpr double class_cost = 5000;

double number_density(const SizeClass& size_class, const SizeCostModel& cost) {
  return static_cast<double>(size_class.count) / cost.volume;
}

double cost_within(const SizeClass& size_class, const SizeCostModel& cost) {
  const double particles_per_cell =
      number_density(size_class, cost) *
      std::pow(cell_size(size_class, cost), static_cast<double>(cost.dimension));
  const double rows = cost.dimension == 2 ? 2 : 5;
  return class_cost +
         static_cast<double>(size_class.count) * rows *
             (row_cost + batch_cost * std::max(1.0, (3 * particles_per_cell + 3.5) / 8));
}

double cost_between(const SizeClass& large, const SizeClass& small, const SizeCostModel& cost) {
  const double cell = cell_size(small, cost);
  const double cells_per_axis = 2 * cost.cutoff(large.max_radius + small.max_radius) / cell + 1;
  const double rows = std::pow(cells_per_axis, static_cast<double>(cost.dimension) - 1);
  const double particles_per_row = number_density(small, cost) *
                                   std::pow(cell, static_cast<double>(cost.dimension)) *
                                   cells_per_axis;
  const double comparison_cost = cells_per_axis < 8
                                     ? batch_cost * std::max(1.0, (particles_per_row + 3.5) / 8)
                                     : particle_cost * particles_per_row;
  return static_cast<double>(large.count) * rows * (row_cost + comparison_cost);
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

// The classes between consecutive edges, which are bin numbers; from the largest particles down.
std::vector<SizeClass> classes_between(const Bins& bins, std::span<const std::size_t> edges) {
  std::vector<SizeClass> classes;
  for (std::size_t i = edges.size() - 1; i-- > 0;)
    classes.push_back(merge_bins(bins, edges[i], edges[i + 1]));
  return classes;
}

// Adds the edge that reduces the cost most; returns false if none reduces it by at least 5 %.
bool split_best(const Bins& bins, std::vector<std::size_t>& edges, const SizeCostModel& cost) {
  double best = 0.95 * total_cost(classes_between(bins, edges), cost);
  std::vector<std::size_t> best_edges;
  for (std::size_t edge = 4; edge < bins.count.size(); edge += 4) {
    const auto next = std::ranges::lower_bound(edges, edge);
    if (*next == edge) continue;
    std::vector<std::size_t> trial(edges);
    trial.insert(trial.begin() + (next - edges.begin()), edge);
    const std::vector<SizeClass> classes = classes_between(bins, trial);
    if (std::ranges::any_of(classes, [](const SizeClass& c) { return c.count == 0; })) continue;
    const double trial_cost = total_cost(classes, cost);
    if (trial_cost >= best) continue;
    best = trial_cost;
    best_edges = trial;
  }
  if (best_edges.empty()) return false;
  edges = best_edges;
  return true;
}

}  // namespace

std::vector<SizeClass> make_size_classes(std::span<const double> radii, double max_radius,
                                         double min_radius, const SizeCostModel& cost) {
  constexpr double min_size_ratio = 1.5;
  constexpr std::size_t min_particles = 256;
  constexpr std::size_t max_classes = 12;
  if (max_radius <= min_size_ratio * min_radius || radii.size() < min_particles)
    return {{.max_radius = max_radius, .min_radius = 0, .count = radii.size()}};
  const Bins bins = count_bins(radii, max_radius, min_radius);
  std::vector<std::size_t> edges{0, bins.count.size()};
  while (edges.size() <= max_classes && split_best(bins, edges, cost)) {
  }
  return classes_between(bins, edges);
}

}  // namespace abut
