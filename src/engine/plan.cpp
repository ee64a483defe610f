#include "engine/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/message.hpp"
#include "engine/kernel.hpp"
#include "engine/sample.hpp"
#include "engine/sizes.hpp"

namespace abut {
namespace {

template <std::size_t D>
class Planner {
 public:
  Planner(const Spheres<D>& particles, const Survey<D>& survey, const Reach<D>& reach, double skin)
      : particles_(particles), box_(survey.box), survey_(survey), reach_(reach), skin_(skin) {}

  Plan<D> plan() {
    const std::vector<SizeClass> classes =
        size_classes(particles_.radius(), survey_.largest_radius, survey_.smallest_radius, cost());
    if (classes.size() > 1 || spread(classes[0]) > 2) skin_ = 0;  // see Plan::can_have_skin
    for (const SizeClass& sizes : classes) add(sizes);
    plan_.size_ratio = survey_.largest_radius / survey_.smallest_radius;
    return plan_;
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

  // Cells for some particles, and how crowded they would be where that was worth measuring.
  struct Choice {
    Level<D> level;
    double crowd = 0;
  };

  static constexpr double crowded = 64;

  // Levels for a class of sizes, and how much work they are expected to be.
  struct Division {
    std::vector<Level<D>> levels;
    double work = 0;
  };

  // Sizes were divided as if particles were spread evenly. Where they are not, and cells that fit
  // the largest hold too many of the small ones, they are divided again.
  Division divided(const SizeClass& sizes, int times) {
    const Choice whole = cells_for(sizes);
    Division alone{{whole.level}, (1 + whole.crowd) * static_cast<double>(sizes.count)};
    if (whole.crowd <= crowded || spread(sizes) <= 2 || times == 0) return alone;
    const auto [large, small] = halves(sizes);
    Division both = divided(large, times - 1);
    if (small.count > 0) {
      const Division rest = divided(small, times - 1);
      both.levels.insert(both.levels.end(), rest.levels.begin(), rest.levels.end());
      both.work += rest.work;
    }
    return both.work < alone.work / 2 ? both : alone;
  }

  void add(const SizeClass& sizes) {
    constexpr int most_times = 5;
    const Division division = divided(sizes, most_times);
    for (const Level<D>& level : division.levels) take(level);
  }

  [[nodiscard]] double smallest(const SizeClass& sizes) const {
    return std::max(sizes.smallest, survey_.smallest_radius);
  }
  [[nodiscard]] double spread(const SizeClass& sizes) const {
    return sizes.largest / smallest(sizes);
  }

  // Divided at the middle of the sizes, as octaves.
  [[nodiscard]] std::array<SizeClass, 2> halves(const SizeClass& sizes) const {
    SizeClass large{.largest = sizes.largest,
                    .smallest = std::sqrt(sizes.largest) * std::sqrt(smallest(sizes)),
                    .count = 0};
    SizeClass small{.largest = 0, .smallest = sizes.smallest, .count = 0};
    for (const double r : particles_.radius()) {
      if (r <= sizes.smallest || r > sizes.largest) continue;
      if (r > large.smallest) {
        ++large.count;
      } else {
        ++small.count;
        small.largest = std::max(small.largest, r);
      }
    }
    return {large, small};
  }

  void take(Level<D> level) {
    level.base = plan_.cells;
    plan_.cells += level.size();
    plan_.levels.push_back(level);
  }

  // Folded cells cost a look into all cells around a particle, each of which may hold others that
  // are far away; in wide ones most particles look no further than their own.
  [[nodiscard]] Choice cells_for(const SizeClass& sizes) const {
    constexpr double cells_seen = 14;
    const double reach = reach_.of(sizes.largest, sizes.largest) * (1 + 2 * skin_);
    Choice choice{.level = over_the_box(sizes, reach)};
    double& enlarged = choice.level.enlarged;
    enlarged = 1 / (choice.level.inverse * reach);
    if (enlarged <= 2 && spread(sizes) <= 2) return choice;
    const Sample<D> sample(particles_, sizes);
    choice.crowd = sample.crowding(choice.level);
    if (enlarged <= 2 || choice.crowd < crowded) return choice;
    double least = choice.crowd / cells_seen;
    for (const double size : {1.0, 1.618, 2.718}) {
      const Level<D> other = folded(sizes, reach * size, sample);
      const double there = sample.crowding(other);
      if (there >= least) continue;
      choice.level = other;
      choice.level.skin = 0;
      choice.crowd = least = there;
    }
    return choice;
  }

  static Level<D> level_of(const SizeClass& sizes) {
    Level<D> level;
    level.largest_radius = sizes.largest;
    level.smallest_radius = sizes.smallest;
    for (std::size_t k = 0; k < D; ++k) level.order[k] = k;
    return level;
  }

  // Cells over the whole box, as large as the reach or larger where there would be too many.
  [[nodiscard]] Level<D> over_the_box(const SizeClass& sizes, double reach) const {
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

  // As many cells as there may be, of the size of the reach, counted modulo powers of two, in the
  // shape of what most of the particles fill.
  [[nodiscard]] Level<D> folded(const SizeClass& sizes, double cell,
                                const Sample<D>& sample) const {
    Level<D> level = level_of(sizes);
    finish(level, cell);
    std::array<double, D> needed;
    std::array<double, D> counts;
    for (std::size_t k = 0; k < D; ++k) {
      level.origin[k] = sample.median(k);
      needed[k] = sample.occupied(level, k);
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
    const double reach = reach_.of(level.largest_radius, level.largest_radius) * level.inverse;
    level.skin = static_cast<std::int32_t>(skin_ * reach * units_a_cell);
    level.face = 2 * static_cast<std::uint32_t>(level.skin) +
                 static_cast<std::uint32_t>(reach * units_a_cell) + 4;
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

  const Spheres<D>& particles_;
  const Box<D>& box_;
  const Survey<D>& survey_;
  const Reach<D>& reach_;
  double skin_;
  Plan<D> plan_;
};

// Three digits are enough for people.
double rounded(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return std::round(value / unit) * unit;
}

template <std::size_t D>
std::string description(const Level<D>& level) {
  std::string text = message("; ", level.last - level.first, " in ", level.cells[0]);
  for (std::size_t i = 1; i < D; ++i) text += message(" x ", level.cells[i]);
  text += " cells";
  if (level.any_folded())
    text += ", folded because they are clustered in much empty space";
  else if (level.enlarged > 1.2)
    text += message(", ", rounded(level.enlarged),
                    " times as wide as the reach because there is much empty space");
  return text;
}

}  // namespace

template <std::size_t D>
std::string description(const Plan<D>& plan) {
  if (plan.levels.empty()) return {};
  const std::size_t count = plan.levels.size();
  std::string text =
      message(plan.levels.back().last, " particles in ", D, "D, sizes in a ratio of ",
              rounded(plan.size_ratio), ": ", count == 1 ? "one level" : message(count, " levels"));
  for (const Level<D>& level : plan.levels) text += description(level);
  return text;
}

template <std::size_t D>
Plan<D> make_plan(const Spheres<D>& particles, const Survey<D>& survey, const Reach<D>& reach,
                  double skin) {
  return Planner<D>(particles, survey, reach, skin).plan();
}

template std::string description(const Plan<2>&);
template std::string description(const Plan<3>&);
template Plan<2> make_plan(const Spheres<2>&, const Survey<2>&, const Reach<2>&, double);
template Plan<3> make_plan(const Spheres<3>&, const Survey<3>&, const Reach<3>&, double);

}  // namespace abut
