#pragma once

#include <abut/pair.hpp>
#include <abut/spheres.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/plan.hpp"
#include "engine/size_classes.hpp"

namespace abut {

/// Some thousand particles of a class of sizes, to look at instead of all.
template <std::size_t D>
class ParticleSample {
 public:
  ParticleSample(const Spheres<D>& particles, const SizeClass& sizes)
      : particles_(particles), class_count_(sizes.count) {
    const auto radius = particles.radii();
    const std::size_t seen = 8 * target_size;
    const std::size_t step = std::max<std::size_t>(1, radius.size() / seen);
    const std::size_t every = std::max<std::size_t>(1, sizes.count / step / target_size);
    std::size_t members = 0;
    for (std::size_t block = 0; block + step <= radius.size(); block += step) {
      const std::size_t i = block + hash(block) % step;
      if (radius[i] > sizes.min_radius && radius[i] <= sizes.max_radius && members++ % every == 0)
        indices_.push_back(static_cast<Index>(i));
    }
  }

  /// How many others a particle has in its cell, on average over the particles.
  [[nodiscard]] double mean_occupancy(const Level<D>& level) const {
    if (indices_.size() < 2) return 0;
    std::vector<std::uint32_t> cells;
    for (const Index i : indices_) {
      const auto position = [&](std::size_t k) { return particles_.coordinates(k)[i]; };
      cells.push_back(level.is_modular() ? level.template cell_index<true>(position)
                                         : level.template cell_index<false>(position));
    }
    std::ranges::sort(cells);
    double together = 0;
    double run = 0;
    for (std::size_t i = 1; i < cells.size(); ++i) {
      run = cells[i] == cells[i - 1] ? run + 1 : 0;
      together += run;
    }
    const auto size = static_cast<double>(indices_.size());
    return together / (size * (size - 1) / 2) * static_cast<double>(class_count_);
  }

  /// A place along an axis with as many on one side as on the other.
  [[nodiscard]] double median(std::size_t axis) const {
    std::vector<double> values;
    for (const Index i : indices_) values.push_back(particles_.coordinates(axis)[i]);
    if (values.empty()) return 0;
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, half);
    return *half;
  }

  /// How many different cells there are along an axis.
  [[nodiscard]] double occupied_cells(const Level<D>& level, std::size_t axis) const {
    std::vector<double> cells;
    for (const Index i : indices_)
      cells.push_back(std::floor(level.cell_coordinate(axis, particles_.coordinates(axis)[i])));
    std::ranges::sort(cells);
    return static_cast<double>(std::unique(cells.begin(), cells.end()) - cells.begin());
  }

 private:
  static constexpr std::size_t target_size = 2048;

  // Not every so manieth: particles that are numbered in turn would be missed.
  static std::size_t hash(std::size_t number) {
    std::uint64_t mixed = (number + 1) * 0x9E3779B97F4A7C15U;
    mixed ^= mixed >> 29U;
    return static_cast<std::size_t>((mixed * 0xBF58476D1CE4E5B9U) >> 33U);
  }

  const Spheres<D>& particles_;
  std::size_t class_count_;
  std::vector<Index> indices_;
};

}  // namespace abut
