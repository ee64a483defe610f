#include "engine/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "core/message.hpp"
#include "engine/kernel.hpp"
#include "engine/sizes.hpp"

namespace abut {
namespace {

/// Particles to look at instead of all.
using Sample = std::vector<Index>;

constexpr std::size_t sample_size = 4096;

template <std::size_t D>
class Planner {
 public:
  Planner(const Spheres<D>& particles, const Survey<D>& survey, const Reach<D>& reach, double skin)
      : particles_(particles), box_(survey.box), survey_(survey), reach_(reach), skin_(skin) {}

  Plan<D> plan() {
    Plan<D> plan;
    const std::vector<SizeClass> classes =
        size_classes(particles_.radius(), survey_.largest_radius, survey_.smallest_radius, cost());
    plan.reason =
        message(particles_.size(), " particles in ", D, "D, sizes in a ratio of ",
                static_cast<float>(survey_.largest_radius / survey_.smallest_radius), ": ",
                classes.size() == 1 ? "one level" : message(classes.size(), " levels"));
    if (classes.size() > 1) skin_ = 0;
    for (const SizeClass& sizes : classes) {
      Level<D> level = cells_for(sizes, plan.reason);
      level.base = plan.cells;
      plan.cells += level.size();
      plan.levels.push_back(level);
    }
    return plan;
  }

 private:
  [[nodiscard]] SizeCost cost() const {
    const double reach = reach_.of(survey_.largest_radius, survey_.largest_radius);
    double volume = 1;
    for (std::size_t k = 0; k < D; ++k) volume *= extent(k) / reach + 1;
    // In units of the largest reach, which cannot overflow.
    const double margin = reach_.of(0, 0) / reach;
    return {.dimension = D,
            .volume = volume,
            .reach_a_radius = (1 - margin) / survey_.largest_radius,
            .margin = margin};
  }

  [[nodiscard]] double extent(std::size_t k) const { return box_.max[k] - box_.min[k]; }

  // Memory for cells is bounded by the number of particles.
  static double budget(std::size_t count) {
    return std::max(64.0, 1.25 * static_cast<double>(count));
  }

  Level<D> cells_for(const SizeClass& sizes, std::string& reason) {
    const double reach = reach_.of(sizes.largest, sizes.largest) * (1 + 2 * skin_);
    Level<D> level = over_the_box(sizes, reach);
    const double enlarged = 1 / (level.inverse * reach);
    double crowd = 0;
    if (enlarged > 2) {
      const Sample sample = sample_of(sizes);
      crowd = crowding(level, sample, sizes.count);
      constexpr double crowded = 64;
      for (const double size : {1.0, 1.618, 2.718}) {
        if (crowd < crowded) break;
        const Level<D> other = folded(sizes, reach * size, sample);
        const double there = crowding(other, sample, sizes.count);
        if (there > crowd / 2) continue;
        level = other;
        level.skin = 0;
        crowd = there;
      }
    }
    reason += message("; ", sizes.count, " in ", level.cells[0]);
    for (std::size_t i = 1; i < D; ++i) reason += message(" x ", level.cells[i]);
    reason += " cells";
    if (level.any_folded())
      reason += ", folded because they are clustered in much empty space";
    else if (enlarged > 1.2)
      reason += message(", ", static_cast<float>(enlarged),
                        " times as wide as the reach because there is much empty space");
    return level;
  }

  static Level<D> level_of(const SizeClass& sizes) {
    Level<D> level;
    level.largest_radius = sizes.largest;
    level.smallest_radius = sizes.smallest;
    for (std::size_t k = 0; k < D; ++k) level.order[k] = k;
    return level;
  }

  // Cells over the whole box, as large as the reach or larger where there would be too many.
  Level<D> over_the_box(const SizeClass& sizes, double reach) const {
    const auto number = [&](double cell) {
      double product = 1;
      for (std::size_t k = 0; k < D; ++k) product *= std::floor(extent(k) / cell) + 1;
      return product;
    };
    double cell = reach;
    for (double many = number(cell); many > budget(sizes.count); many = number(cell))
      cell *= std::max(1.01, std::pow(std::min(many, 1e60) / budget(sizes.count), 1.0 / D));
    Level<D> level = level_of(sizes);
    level.origin = box_.min;
    finish(level, cell);
    std::array<double, D> counts;
    for (std::size_t k = 0; k < D; ++k) counts[k] = extent(k) * level.inverse;
    choose_rows(level, counts);
    for (std::size_t i = 0; i < D; ++i)
      level.cells[i] = static_cast<std::int32_t>(counts[level.order[i]]) + 1;
    return level;
  }

  // As many cells as there may be, of the size of the reach, counted modulo powers of two.
  Level<D> folded(const SizeClass& sizes, double cell, const Sample& sample) const {
    Level<D> level = level_of(sizes);
    level.origin = median(sample);
    finish(level, cell);
    std::array<double, D> needed;
    std::array<double, D> counts;
    for (std::size_t k = 0; k < D; ++k) {
      needed[k] = extent(k) * level.inverse;
      counts[k] = 4;
    }
    for (double product = std::pow(4, D); 2 * product <= budget(sizes.count); product *= 2) {
      std::size_t most = 0;
      for (std::size_t k = 1; k < D; ++k)
        if (needed[k] / counts[k] > needed[most] / counts[most]) most = k;
      counts[most] *= 2;
    }
    choose_rows(level, counts);
    for (std::size_t i = 0; i < D; ++i) {
      level.cells[i] = static_cast<std::int32_t>(counts[level.order[i]]);
      level.folded[i] = true;
    }
    return level;
  }

  // The size of cells, with room for all rounding; see `Level`.
  void finish(Level<D>& level, double cell) const {
    double widest = 0;
    for (std::size_t k = 0; k < D; ++k) widest = std::max(widest, extent(k) / cell);
    widest = std::min(widest, Level<D>::farthest);
    level.inverse = 1 / (cell * (1 + (widest + 4) * 0x1p-50));
    level.skin =
        static_cast<std::int32_t>(skin_ * reach_.of(level.largest_radius, level.largest_radius) *
                                  level.inverse * units_a_cell);
    level.face = 2 * static_cast<std::uint32_t>(level.skin) +
                 static_cast<std::uint32_t>(reach_.of(level.largest_radius, level.largest_radius) *
                                            level.inverse * units_a_cell) +
                 4;
    level.blur = level.skin + 3 + static_cast<std::int32_t>(widest * 0x1p-50 * units_a_cell);
  }

  // Rows lie along x, as callers tend to number particles, unless they would be short: then along
  // the longest axis.
  static void choose_rows(Level<D>& level, const std::array<double, D>& counts) {
    constexpr double short_row = 32;
    if (counts[0] >= short_row) return;
    std::ranges::stable_sort(level.order,
                             [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  }

  Sample sample_of(const SizeClass& sizes) const {
    const std::size_t step = std::max<std::size_t>(1, particles_.size() / (16 * sample_size));
    Sample sample;
    const auto radius = particles_.radius();
    const std::size_t wanted = std::max<std::size_t>(1, sizes.count / step / sample_size);
    std::size_t seen = 0;
    for (std::size_t i = 0; i < radius.size(); i += step)
      if (radius[i] > sizes.smallest && radius[i] <= sizes.largest && seen++ % wanted == 0)
        sample.push_back(static_cast<Index>(i));
    return sample;
  }

  std::array<double, D> median(const Sample& sample) const {
    std::array<double, D> middle = box_.min;
    std::vector<double> values(sample.size());
    for (std::size_t k = 0; k < D && !sample.empty(); ++k) {
      for (std::size_t i = 0; i < sample.size(); ++i) values[i] = particles_.axis(k)[sample[i]];
      const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
      std::ranges::nth_element(values, half);
      middle[k] = *half;
    }
    return middle;
  }

  // How many others a particle has in its cell, on average over the particles, by the sample.
  double crowding(const Level<D>& level, const Sample& sample, std::size_t count) const {
    if (sample.size() < 2) return 0;
    std::vector<std::uint32_t> cells;
    for (const Index i : sample) {
      const auto position = [&](std::size_t k) { return particles_.axis(k)[i]; };
      cells.push_back(level.any_folded() ? level.template cell<true>(position)
                                         : level.template cell<false>(position));
    }
    std::ranges::sort(cells);
    double together = 0;
    double run = 0;
    for (std::size_t i = 1; i < cells.size(); ++i) {
      run = cells[i] == cells[i - 1] ? run + 1 : 0;
      together += run;
    }
    const auto size = static_cast<double>(sample.size());
    return together / (size * (size - 1) / 2) * static_cast<double>(count);
  }

  const Spheres<D>& particles_;
  const Box<D>& box_;
  const Survey<D>& survey_;
  const Reach<D>& reach_;
  double skin_;
};

}  // namespace

template <std::size_t D>
Plan<D> make_plan(const Spheres<D>& particles, const Survey<D>& survey, const Reach<D>& reach,
                  double skin) {
  return Planner<D>(particles, survey, reach, skin).plan();
}

template Plan<2> make_plan(const Spheres<2>&, const Survey<2>&, const Reach<2>&, double);
template Plan<3> make_plan(const Spheres<3>&, const Survey<3>&, const Reach<3>&, double);

}  // namespace abut
