#pragma once

#include <abut/spheres.hpp>
#include <cstddef>
#include <span>
#include <vector>

namespace abut {

/// Particles of similar size, with min_radius < r ≤ max_radius.
struct SizeClass {
  double max_radius = 0;
  double min_radius = 0;
  std::size_t count = 0;
};

/// Parameters of the search cost apart from the classes. Lengths are in units of the cutoff of the
/// largest particle, except radii.
struct SizeCostModel {
  std::size_t dimension = 3;
  double volume = 1;  ///< of the space that contains the particles
  double cutoff_per_radius = 1;
  double margin = 0;

  /// Cutoff of two particles with this sum of radii.
  [[nodiscard]] double cutoff(double radius_sum) const {
    return radius_sum / 2 * cutoff_per_radius + margin;
  }
};

/// Divides the particles into size classes, from the largest to the smallest, that minimize the
/// estimated search cost; a single class if division does not pay.
std::vector<SizeClass> make_size_classes(std::span<const double> radii, double max_radius,
                                         double min_radius, const SizeCostModel& cost);

}  // namespace abut
