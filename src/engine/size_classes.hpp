#pragma once

#include <abut/spheres.hpp>
#include <cstddef>
#include <span>
#include <vector>

namespace abut {

/// Particles of similar size: radii above `smallest` up to `largest`.
struct SizeClass {
  double max_radius = 0;
  double min_radius = 0;
  std::size_t count = 0;
};

/// What the cost of a search depends on beside the classes. Lengths are in reaches of the largest.
struct SizeCostModel {
  std::size_t dimension = 3;
  double volume = 1;  ///< of the space the particles are in
  double cutoff_per_radius = 1;
  double margin = 0;

  [[nodiscard]] double cutoff(double radius_sum) const {
    return radius_sum / 2 * cutoff_per_radius + margin;
  }
};

/// Divides the particles by size so that the search costs least: classes from the largest to the
/// smallest, a single one where nothing is won.
std::vector<SizeClass> make_size_classes(std::span<const double> radius, double largest,
                                         double smallest, const SizeCostModel& cost);

}  // namespace abut
