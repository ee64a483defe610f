#include "engine/plan.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/message.hpp"
#include "engine/kernel.hpp"

namespace abut {
namespace {

// ---- size classes

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

// ---- levels and their cells

// A sample of a few thousand particles of a size class, for statistics.
template <std::size_t D>
class ParticleSample {
 public:
  ParticleSample(const Spheres<D>& particles, const SizeClass& size_class)
      : particles_(particles), class_count_(size_class.count) {
    const auto radii = particles.radii();
    const std::size_t examined = 8 * target_size;
    const std::size_t step = std::max<std::size_t>(1, radii.size() / examined);
    const std::size_t every = std::max<std::size_t>(1, size_class.count / step / target_size);
    std::size_t members = 0;
    for (std::size_t block = 0; block + step <= radii.size(); block += step) {
      const std::size_t i = block + hash(block) % step;
      if (radii[i] > size_class.min_radius && radii[i] <= size_class.max_radius &&
          members++ % every == 0)
        indices_.push_back(static_cast<Index>(i));
    }
  }

  /// Mean number of other particles of the class in the cell of a particle.
  [[nodiscard]] double mean_occupancy(const Level<D>& level) const {
    if (indices_.size() < 2) return 0;
    std::vector<std::uint32_t> cells;
    for (const Index i : indices_) {
      const auto position = [&](std::size_t k) { return particles_.coordinates(k)[i]; };
      cells.push_back(level.is_modular() ? level.template cell_index<true>(position)
                                         : level.template cell_index<false>(position));
    }
    std::ranges::sort(cells);
    double pairs_in_cell = 0;
    double predecessors = 0;  // of the sample in the same cell
    for (std::size_t i = 1; i < cells.size(); ++i) {
      predecessors = cells[i] == cells[i - 1] ? predecessors + 1 : 0;
      pairs_in_cell += predecessors;
    }
    const auto size = static_cast<double>(indices_.size());
    return pairs_in_cell / (size * (size - 1) / 2) * static_cast<double>(class_count_);
  }

  /// Median coordinate along an axis.
  [[nodiscard]] double median(std::size_t axis) const {
    std::vector<double> values;
    for (const Index i : indices_) values.push_back(particles_.coordinates(axis)[i]);
    if (values.empty()) return 0;
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, half);
    return *half;
  }

  /// Number of distinct cell coordinates along an axis.
  [[nodiscard]] double occupied_cells(const Level<D>& level, std::size_t axis) const {
    std::vector<double> cells;
    for (const Index i : indices_)
      cells.push_back(std::floor(level.cell_coordinate(axis, particles_.coordinates(axis)[i])));
    std::ranges::sort(cells);
    return static_cast<double>(std::unique(cells.begin(), cells.end()) - cells.begin());
  }

 private:
  static constexpr std::size_t target_size = 2048;

  // Particles are not sampled at a fixed stride, which would be biased where particles of different
  // kinds alternate.
  static std::size_t hash(std::size_t index) {
    std::uint64_t mixed = (index + 1) * 0x9E3779B97F4A7C15U;
    mixed ^= mixed >> 29U;
    return static_cast<std::size_t>((mixed * 0xBF58476D1CE4E5B9U) >> 33U);
  }

  const Spheres<D>& particles_;
  std::size_t class_count_;
  std::vector<Index> indices_;
};

// Builds a `Plan`: divides the particles by size, and chooses the cells of each level.
template <std::size_t D>
class Planner {
 public:
  Planner(const Spheres<D>& particles, const InputSummary<D>& summary,
          const ContactPredicate<D>& predicate, double skin)
      : particles_(particles),
        box_(summary.center_box),
        summary_(summary),
        predicate_(predicate),
        skin_(skin) {}

  Plan<D> plan() {
    const std::vector<SizeClass> classes =
        make_size_classes(particles_.radii(), summary_.max_radius, summary_.min_radius, cost());
    if (classes.size() > 1 || size_ratio(classes[0]) > 2) skin_ = 0;  // see Plan::supports_skin
    for (const SizeClass& size_class : classes) add(size_class);
    plan_.size_ratio = summary_.max_radius / summary_.min_radius;
    return plan_;
  }

 private:
  [[nodiscard]] SizeCostModel cost() const {
    const double cutoff = predicate_.cutoff(summary_.max_radius, summary_.max_radius);
    double volume = 1;
    for (std::size_t k = 0; k < D; ++k) volume *= extent(k) / cutoff + 1;
    // Lengths are in units of the largest cutoff, which cannot overflow.
    const double margin = predicate_.cutoff(0, 0) / cutoff;
    return {.dimension = D,
            .volume = volume,
            .cutoff_per_radius = (1 - margin) / summary_.max_radius,
            .margin = margin};
  }

  [[nodiscard]] double extent(std::size_t k) const { return box_.max[k] - box_.min[k]; }

  // Upper bound of the cells for a number of particles, which bounds the memory.
  static double max_cells(std::size_t count) {
    return std::max(64.0, 1.25 * static_cast<double>(count));
  }

  // Cells for a size class and their mean occupancy, which is 0 where it was not measured.
  struct CellChoice {
    Level<D> level;
    double mean_occupancy = 0;
  };

  // Above this mean occupancy, alternatives are considered.
  static constexpr double max_mean_occupancy = 64;

  // Levels for a size class, and their expected cost in comparisons.
  struct Division {
    std::vector<Level<D>> levels;
    double cost = 0;
  };

  // Size classes were chosen as if particles were distributed uniformly. Where they are not, and
  // cells that suit the largest particles contain too many small ones, the class is split again, up
  // to `max_splits` times.
  Division divide(const SizeClass& size_class, int max_splits) {
    const CellChoice choice = choose_cells(size_class);
    Division unsplit{{choice.level},
                     (1 + choice.mean_occupancy) * static_cast<double>(size_class.count)};
    if (choice.mean_occupancy <= max_mean_occupancy || size_ratio(size_class) <= 2 ||
        max_splits == 0)
      return unsplit;
    const auto [large, small] = split_by_size(size_class);
    Division split = divide(large, max_splits - 1);
    if (small.count > 0) {
      const Division remainder = divide(small, max_splits - 1);
      split.levels.insert(split.levels.end(), remainder.levels.begin(), remainder.levels.end());
      split.cost += remainder.cost;
    }
    return split.cost < unsplit.cost / 2 ? split : unsplit;
  }

  void add(const SizeClass& size_class) {
    constexpr int max_splits = 5;
    const Division division = divide(size_class, max_splits);
    for (const Level<D>& level : division.levels) append_level(level);
  }

  [[nodiscard]] double min_radius(const SizeClass& size_class) const {
    return std::max(size_class.min_radius, summary_.min_radius);
  }
  [[nodiscard]] double size_ratio(const SizeClass& size_class) const {
    return size_class.max_radius / min_radius(size_class);
  }

  // Splits at the geometric mean of the smallest and the largest radius.
  [[nodiscard]] std::array<SizeClass, 2> split_by_size(const SizeClass& size_class) const {
    SizeClass large{
        .max_radius = size_class.max_radius,
        .min_radius = std::sqrt(size_class.max_radius) * std::sqrt(min_radius(size_class)),
        .count = 0};
    SizeClass small{.max_radius = 0, .min_radius = size_class.min_radius, .count = 0};
    for (const double r : particles_.radii()) {
      if (r <= size_class.min_radius || r > size_class.max_radius) continue;
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

  // With modular cells a particle is compared with all adjacent cells, which may contain distant
  // particles; in wide cells most particles are compared with their own cell only. Modular cells
  // are therefore chosen only if they are less occupied by the factor `cells_visited`.
  [[nodiscard]] CellChoice choose_cells(const SizeClass& size_class) const {
    constexpr double cells_visited = 14;
    const double cutoff =
        predicate_.cutoff(size_class.max_radius, size_class.max_radius) * (1 + 2 * skin_);
    CellChoice choice{.level = full_grid(size_class, cutoff)};
    double& ratio = choice.level.cell_cutoff_ratio;
    ratio = 1 / (choice.level.inverse_cell_size * cutoff);
    if (ratio <= 2 && size_ratio(size_class) <= 2) return choice;
    const ParticleSample<D> sample(particles_, size_class);
    choice.mean_occupancy = sample.mean_occupancy(choice.level);
    if (ratio <= 2 || choice.mean_occupancy < max_mean_occupancy) return choice;
    double best = choice.mean_occupancy / cells_visited;
    for (const double factor : {1.0, 1.618, 2.718}) {
      const Level<D> candidate = modular_grid(size_class, cutoff * factor, sample);
      const double occupancy = sample.mean_occupancy(candidate);
      if (occupancy >= best) continue;
      choice.level = candidate;
      choice.level.skin = 0;
      choice.mean_occupancy = best = occupancy;
    }
    return choice;
  }

  static Level<D> make_level(const SizeClass& size_class) {
    Level<D> level;
    level.max_radius = size_class.max_radius;
    level.min_radius = size_class.min_radius;
    for (std::size_t k = 0; k < D; ++k) level.axis_order[k] = k;
    return level;
  }

  // A grid over the whole box, with cells as large as the cutoff, or larger if these were too many.
  [[nodiscard]] Level<D> full_grid(const SizeClass& size_class, double cutoff) const {
    const auto cell_count = [&](double cell) {
      double product = 1;
      for (std::size_t k = 0; k < D; ++k) product *= std::floor(extent(k) / cell) + 1;
      return product;
    };
    double cell = cutoff;
    for (double count = cell_count(cell); count > max_cells(size_class.count);
         count = cell_count(cell))
      cell *=
          std::max(1.01, std::pow(std::min(count, 1e60) / max_cells(size_class.count), 1.0 / D));
    Level<D> level = make_level(size_class);
    level.origin = box_.min;
    set_cell_size(level, cell);
    std::array<double, D> counts;
    for (std::size_t k = 0; k < D; ++k) counts[k] = extent(k) * level.inverse_cell_size;
    choose_row_axis(level, counts);
    for (std::size_t i = 0; i < D; ++i)
      level.cells[i] = static_cast<std::int32_t>(counts[level.axis_order[i]]) + 1;
    return level;
  }

  // A modular grid of as many cells as allowed, with numbers of cells along the axes in proportion
  // to the extents of most of the particles.
  [[nodiscard]] Level<D> modular_grid(const SizeClass& size_class, double cell,
                                      const ParticleSample<D>& sample) const {
    Level<D> level = make_level(size_class);
    set_cell_size(level, cell);
    std::array<double, D> needed;
    std::array<double, D> counts;
    for (std::size_t k = 0; k < D; ++k) {
      level.origin[k] = sample.median(k);
      needed[k] = sample.occupied_cells(level, k);
      counts[k] = 4;
    }
    for (double product = std::pow(4, D); 2 * product <= max_cells(size_class.count);
         product *= 2) {
      std::size_t longest = 0;
      for (std::size_t k = 1; k < D; ++k)
        if (needed[k] / counts[k] > needed[longest] / counts[longest]) longest = k;
      counts[longest] *= 2;
    }
    choose_row_axis(level, counts);
    for (std::size_t i = 0; i < D; ++i) {
      level.cells[i] = static_cast<std::int32_t>(counts[level.axis_order[i]]);
      level.modular[i] = true;
    }
    return level;
  }

  // Sets the cell size, enlarged by more than all rounding errors (see `Level`), and the quantities
  // derived from it.
  void set_cell_size(Level<D>& level, double cell) const {
    double widest = 0;
    for (std::size_t k = 0; k < D; ++k) widest = std::max(widest, extent(k) / cell);
    widest = std::min(widest, Level<D>::max_cell_coordinate);
    level.inverse_cell_size = 1 / (cell * (1 + (widest + 4) * 0x1p-50));
    const double cutoff =
        predicate_.cutoff(level.max_radius, level.max_radius) * level.inverse_cell_size;
    level.skin = static_cast<std::int32_t>(skin_ * cutoff * units_per_cell);
    level.face_distance = 2 * static_cast<std::uint32_t>(level.skin) +
                          static_cast<std::uint32_t>(cutoff * units_per_cell) + 4;
    level.rounding_slack =
        level.skin + 3 + static_cast<std::int32_t>(widest * 0x1p-50 * units_per_cell);
  }

  // Rows lie along x, since callers often number particles in this direction, unless these rows
  // would be short; then along the longest axis.
  static void choose_row_axis(Level<D>& level, const std::array<double, D>& counts) {
    constexpr double min_row = 32;
    if (counts[0] >= min_row) return;
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

// Rounds to three significant digits.
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
    text += ", modular because particles are clustered in mostly empty space";
  else if (level.cell_cutoff_ratio > 1.2)
    text += message(", ", round_to_3_digits(level.cell_cutoff_ratio),
                    " cutoffs wide because most of the space is empty");
  return text;
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

template <std::size_t D>
std::string describe(const Plan<D>& plan) {
  if (plan.levels.empty()) return {};
  const std::size_t count = plan.levels.size();
  std::string text = message(plan.levels.back().last, " particles in ", D, "D, size ratio ",
                             round_to_3_digits(plan.size_ratio), ": ",
                             count == 1 ? "one level" : message(count, " levels"));
  for (const Level<D>& level : plan.levels) text += describe(level);
  return text;
}

template <std::size_t D>
Plan<D> make_plan(const Spheres<D>& particles, const InputSummary<D>& summary,
                  const ContactPredicate<D>& predicate, double skin) {
  return Planner<D>(particles, summary, predicate, skin).plan();
}

template std::string describe(const Plan<2>&);
template std::string describe(const Plan<3>&);
template Plan<2> make_plan(const Spheres<2>&, const InputSummary<2>&, const ContactPredicate<2>&,
                           double);
template Plan<3> make_plan(const Spheres<3>&, const InputSummary<3>&, const ContactPredicate<3>&,
                           double);

}  // namespace abut
