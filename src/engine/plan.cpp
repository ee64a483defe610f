#include "engine/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/message.hpp"
#include "engine/kernel.hpp"
#include "engine/sample.hpp"
#include "engine/size_classes.hpp"

namespace abut {
namespace {

template <std::size_t D>
class Planner {
 public:
  Planner(const Spheres<D>& particles, const InputSummary<D>& survey,
          const ContactPredicate<D>& reach, double skin)
      : particles_(particles),
        box_(survey.center_box),
        summary_(survey),
        predicate_(reach),
        skin_(skin) {}

  Plan<D> plan() {
    const std::vector<SizeClass> classes =
        make_size_classes(particles_.radii(), summary_.max_radius, summary_.min_radius, cost());
    if (classes.size() > 1 || size_ratio(classes[0]) > 2) skin_ = 0;  // see Plan::can_have_skin
    for (const SizeClass& sizes : classes) add(sizes);
    plan_.size_ratio = summary_.max_radius / summary_.min_radius;
    return plan_;
  }

 private:
  [[nodiscard]] SizeCostModel cost() const {
    const double reach = predicate_.cutoff(summary_.max_radius, summary_.max_radius);
    double volume = 1;
    for (std::size_t k = 0; k < D; ++k) volume *= extent(k) / reach + 1;
    // In units of the largest reach, which cannot overflow.
    const double margin = predicate_.cutoff(0, 0) / reach;
    return {.dimension = D,
            .volume = volume,
            .cutoff_per_radius = (1 - margin) / summary_.max_radius,
            .margin = margin};
  }

  [[nodiscard]] double extent(std::size_t k) const { return box_.max[k] - box_.min[k]; }

  // Memory for cells is bounded by the number of particles.
  static double budget(std::size_t count) {
    return std::max(64.0, 1.25 * static_cast<double>(count));
  }

  // Cells for some particles, and how crowded they would be where that was worth measuring.
  struct CellChoice {
    Level<D> level;
    double mean_occupancy = 0;
  };

  static constexpr double max_mean_occupancy = 64;

  // Levels for a class of sizes, and how much work they are expected to be.
  struct Division {
    std::vector<Level<D>> levels;
    double cost = 0;
  };

  // Sizes were divided as if particles were spread evenly. Where they are not, and cells that fit
  // the largest hold too many of the small ones, they are divided again.
  Division divide(const SizeClass& sizes, int times) {
    const CellChoice whole = choose_cells(sizes);
    Division alone{{whole.level}, (1 + whole.mean_occupancy) * static_cast<double>(sizes.count)};
    if (whole.mean_occupancy <= max_mean_occupancy || size_ratio(sizes) <= 2 || times == 0)
      return alone;
    const auto [large, small] = split_by_size(sizes);
    Division both = divide(large, times - 1);
    if (small.count > 0) {
      const Division rest = divide(small, times - 1);
      both.levels.insert(both.levels.end(), rest.levels.begin(), rest.levels.end());
      both.cost += rest.cost;
    }
    return both.cost < alone.cost / 2 ? both : alone;
  }

  void add(const SizeClass& sizes) {
    constexpr int most_times = 5;
    const Division division = divide(sizes, most_times);
    for (const Level<D>& level : division.levels) append_level(level);
  }

  [[nodiscard]] double min_radius(const SizeClass& sizes) const {
    return std::max(sizes.min_radius, summary_.min_radius);
  }
  [[nodiscard]] double size_ratio(const SizeClass& sizes) const {
    return sizes.max_radius / min_radius(sizes);
  }

  // Divided at the middle of the sizes, as octaves.
  [[nodiscard]] std::array<SizeClass, 2> split_by_size(const SizeClass& sizes) const {
    SizeClass large{.max_radius = sizes.max_radius,
                    .min_radius = std::sqrt(sizes.max_radius) * std::sqrt(min_radius(sizes)),
                    .count = 0};
    SizeClass small{.max_radius = 0, .min_radius = sizes.min_radius, .count = 0};
    for (const double r : particles_.radii()) {
      if (r <= sizes.min_radius || r > sizes.max_radius) continue;
      if (r > large.min_radius) {
        ++large.count;
      } else {
        ++small.count;
        small.max_radius = std::max(small.max_radius, r);
      }
    }
    return {large, small};
  }

  void append_level(Level<D> level) {
    level.first_cell = plan_.cells;
    plan_.cells += level.cell_count();
    plan_.levels.push_back(level);
  }

  // Folded cells cost a look into all cells around a particle, each of which may hold others that
  // are far away; in wide ones most particles look no further than their own.
  [[nodiscard]] CellChoice choose_cells(const SizeClass& sizes) const {
    constexpr double cells_seen = 14;
    const double reach = predicate_.cutoff(sizes.max_radius, sizes.max_radius) * (1 + 2 * skin_);
    CellChoice choice{.level = full_grid(sizes, reach)};
    double& enlarged = choice.level.cell_cutoff_ratio;
    enlarged = 1 / (choice.level.inverse_cell_size * reach);
    if (enlarged <= 2 && size_ratio(sizes) <= 2) return choice;
    const ParticleSample<D> sample(particles_, sizes);
    choice.mean_occupancy = sample.mean_occupancy(choice.level);
    if (enlarged <= 2 || choice.mean_occupancy < max_mean_occupancy) return choice;
    double least = choice.mean_occupancy / cells_seen;
    for (const double size : {1.0, 1.618, 2.718}) {
      const Level<D> other = modular_grid(sizes, reach * size, sample);
      const double there = sample.mean_occupancy(other);
      if (there >= least) continue;
      choice.level = other;
      choice.level.skin = 0;
      choice.mean_occupancy = least = there;
    }
    return choice;
  }

  static Level<D> make_level(const SizeClass& sizes) {
    Level<D> level;
    level.max_radius = sizes.max_radius;
    level.min_radius = sizes.min_radius;
    for (std::size_t k = 0; k < D; ++k) level.axis_order[k] = k;
    return level;
  }

  // Cells over the whole box, as large as the reach or larger where there would be too many.
  [[nodiscard]] Level<D> full_grid(const SizeClass& sizes, double reach) const {
    const auto number = [&](double cell) {
      double product = 1;
      for (std::size_t k = 0; k < D; ++k) product *= std::floor(extent(k) / cell) + 1;
      return product;
    };
    double cell = reach;
    for (double many = number(cell); many > budget(sizes.count); many = number(cell))
      cell *= std::max(1.01, std::pow(std::min(many, 1e60) / budget(sizes.count), 1.0 / D));
    Level<D> level = make_level(sizes);
    level.origin = box_.min;
    set_cell_size(level, cell);
    std::array<double, D> counts;
    for (std::size_t k = 0; k < D; ++k) counts[k] = extent(k) * level.inverse_cell_size;
    choose_row_axis(level, counts);
    for (std::size_t i = 0; i < D; ++i)
      level.cells[i] = static_cast<std::int32_t>(counts[level.axis_order[i]]) + 1;
    return level;
  }

  // As many cells as there may be, of the size of the reach, counted modulo powers of two, in the
  // shape of what most of the particles fill.
  [[nodiscard]] Level<D> modular_grid(const SizeClass& sizes, double cell,
                                      const ParticleSample<D>& sample) const {
    Level<D> level = make_level(sizes);
    set_cell_size(level, cell);
    std::array<double, D> needed;
    std::array<double, D> counts;
    for (std::size_t k = 0; k < D; ++k) {
      level.origin[k] = sample.median(k);
      needed[k] = sample.occupied_cells(level, k);
      counts[k] = 4;
    }
    for (double product = std::pow(4, D); 2 * product <= budget(sizes.count); product *= 2) {
      std::size_t most = 0;
      for (std::size_t k = 1; k < D; ++k)
        if (needed[k] / counts[k] > needed[most] / counts[most]) most = k;
      counts[most] *= 2;
    }
    choose_row_axis(level, counts);
    for (std::size_t i = 0; i < D; ++i) {
      level.cells[i] = static_cast<std::int32_t>(counts[level.axis_order[i]]);
      level.modular[i] = true;
    }
    return level;
  }

  // The size of cells, with room for all rounding; see `Level`.
  void set_cell_size(Level<D>& level, double cell) const {
    double widest = 0;
    for (std::size_t k = 0; k < D; ++k) widest = std::max(widest, extent(k) / cell);
    widest = std::min(widest, Level<D>::max_cell_coordinate);
    level.inverse_cell_size = 1 / (cell * (1 + (widest + 4) * 0x1p-50));
    const double reach =
        predicate_.cutoff(level.max_radius, level.max_radius) * level.inverse_cell_size;
    level.skin = static_cast<std::int32_t>(skin_ * reach * units_per_cell);
    level.face_distance = 2 * static_cast<std::uint32_t>(level.skin) +
                          static_cast<std::uint32_t>(reach * units_per_cell) + 4;
    level.rounding_slack =
        level.skin + 3 + static_cast<std::int32_t>(widest * 0x1p-50 * units_per_cell);
  }

  // Rows lie along x, as callers tend to number particles, unless they would be short: then along
  // the longest axis.
  static void choose_row_axis(Level<D>& level, const std::array<double, D>& counts) {
    constexpr double short_row = 32;
    if (counts[0] >= short_row) return;
    std::ranges::stable_sort(level.axis_order,
                             [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  }

  const Spheres<D>& particles_;
  const Box<D>& box_;
  const InputSummary<D>& summary_;
  const ContactPredicate<D>& predicate_;
  double skin_;
  Plan<D> plan_;
};

// Three digits are enough for people.
double round_to_3_digits(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return std::round(value / unit) * unit;
}

template <std::size_t D>
std::string describe(const Level<D>& level) {
  std::string text = message("; ", level.last - level.first, " in ", level.cells[0]);
  for (std::size_t i = 1; i < D; ++i) text += message(" x ", level.cells[i]);
  text += " cells";
  if (level.is_modular())
    text += ", folded because they are clustered in much empty space";
  else if (level.cell_cutoff_ratio > 1.2)
    text += message(", ", round_to_3_digits(level.cell_cutoff_ratio),
                    " times as wide as the reach because there is much empty space");
  return text;
}

}  // namespace

template <std::size_t D>
std::string describe(const Plan<D>& plan) {
  if (plan.levels.empty()) return {};
  const std::size_t count = plan.levels.size();
  std::string text = message(plan.levels.back().last, " particles in ", D,
                             "D, sizes in a ratio of ", round_to_3_digits(plan.size_ratio), ": ",
                             count == 1 ? "one level" : message(count, " levels"));
  for (const Level<D>& level : plan.levels) text += describe(level);
  return text;
}

template <std::size_t D>
Plan<D> make_plan(const Spheres<D>& particles, const InputSummary<D>& survey,
                  const ContactPredicate<D>& reach, double skin) {
  return Planner<D>(particles, survey, reach, skin).plan();
}

template std::string describe(const Plan<2>&);
template std::string describe(const Plan<3>&);
template Plan<2> make_plan(const Spheres<2>&, const InputSummary<2>&, const ContactPredicate<2>&,
                           double);
template Plan<3> make_plan(const Spheres<3>&, const InputSummary<3>&, const ContactPredicate<3>&,
                           double);

}  // namespace abut
