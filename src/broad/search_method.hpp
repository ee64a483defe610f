#pragma once

#include <abut/detector.hpp>
#include <abut/detector_options.hpp>
#include <abut/research/search_counts.hpp>
#include <abut/spheres.hpp>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

#include "core/buffers.hpp"
#include "core/contact_predicate.hpp"
#include "core/grid.hpp"
#include "core/input_checks.hpp"
#include "core/machine.hpp"
#include "core/periodic_domain.hpp"

// The interface between `Detector` and the search methods: the input of a search, the functions of
// a method, and the table of all methods.

namespace abut {

/// The input of a search: validated particles, their bounds, and a grid whose cells fit the largest
/// of them. Does not own the particles, which must outlive it.
template <std::size_t D>
struct SearchInput {
  Spheres<D> particles{};
  InputSummary<D> summary{};
  ContactPredicate<D> predicate{};
  Grid<D> grid{};
  Index fixed_count = 0;                ///< the first n particles are fixed
  double group_ratio = 2;               ///< MMR's α
  std::int32_t max_cells_per_axis = 0;  ///< 0: no limit; `grid` keeps it
  PeriodicDomain<D> periodic_domain{};  ///< only for a method that handles periodic boundaries

  /// Whether no cell is longer than a period, which a search across periodic boundaries requires.
  [[nodiscard]] bool has_cells_in_every_period() const {
    for (std::size_t k = 0; k < D; ++k)
      if (periodic_domain.is_periodic[k] && !(grid.cell_count_real(k) >= 2)) return false;
    return true;
  }
};

/// The input for at least one particle. The grid covers the bounding box of the centers, along the
/// axes of `periodic_domain` the domain.
template <std::size_t D>
SearchInput<D> make_search_input(
    const Spheres<D>& particles, const InputSummary<D>& summary,
    const std::type_identity_t<DetectorOptions<D>>& options,
    const std::type_identity_t<PeriodicDomain<D>>& periodic_domain = {}) {
  const ContactPredicate<D> predicate(particles, options);
  Box<D> box = summary.center_box;
  for (std::size_t k = 0; k < D; ++k) {
    if (!periodic_domain.is_periodic[k]) continue;
    box.min[k] = periodic_domain.origin[k];
    box.max[k] = periodic_domain.origin[k] + periodic_domain.length[k];
  }
  const double max_cutoff = predicate.cutoff(summary.max_radius, summary.max_radius);
  return {.particles = particles,
          .summary = summary,
          .predicate = predicate,
          .grid = Grid<D>(box, cell_size_for(box, max_cutoff, options.max_cells_per_axis),
                          periodic_domain.is_periodic),
          .fixed_count = static_cast<Index>(options.fixed_count),
          .group_ratio = options.group_ratio,
          .max_cells_per_axis = options.max_cells_per_axis,
          .periodic_domain = periodic_domain};
}

/// Cost of preparing and running a search.
struct SearchCost {
  DetectorStatistics statistics;
  SearchCounts counts;
};

/// A search method with its memory, which is reused from one search to the next. Costs one virtual
/// call per search.
template <std::size_t D>
class Search {
 public:
  Search() = default;
  virtual ~Search() = default;
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// Builds the search structure, now or, if a search destroys it, in the next `run`.
  virtual void prepare(const SearchInput<D>& input, ThreadPool& pool,
                       const DetectorOptions<D>& options) = 0;

  /// Finds all pairs of the input it was prepared for; returns the cost of `prepare` and `run`.
  virtual SearchCost run(const SearchInput<D>& input, ThreadPool& pool,
                         const DetectorOptions<D>& options, PairSink& sink) = 0;

  /// Memory that the next searches may use until `reset`; see `Detector::lend_memory`.
  virtual void lend_memory(std::span<std::byte> /*memory*/) {}

  /// Discards what is reused from one update to the next, and keeps the memory where possible.
  virtual void reset() = 0;

  /// The choices of the method, such as its grids, and their reasons; empty if it has none.
  [[nodiscard]] virtual std::string description() const = 0;
};

/// An entry of the registry: `MethodInfo`, and properties that only `Detector` needs.
template <std::size_t D>
struct MethodEntry {
  MethodInfo info;
  std::unique_ptr<Search<D>> (*make)();
  /// Whether it also works where cell coordinates exceed 32 bits.
  bool supports_any_extent;
  /// Makes the method's own grid; null if it has none or uses that of the input.
  Grid<D> (*own_grid)(const SearchInput<D>& input);
  /// Whether it handles periodic boundaries itself, provided that no period is shorter than a cell;
  /// other methods get ghost particles.
  bool handles_periodic;
  /// Estimated bytes of its search structure; a real number, which cannot overflow. Infinite if the
  /// cells of its own grid cannot be numbered.
  double (*bytes_needed)(const SearchInput<D>& input, unsigned threads);
};

/// All methods, in the order of `Method`.
template <std::size_t D>
std::span<const MethodEntry<D>> registry();

extern template std::span<const MethodEntry<2>> registry<2>();
extern template std::span<const MethodEntry<3>> registry<3>();

}  // namespace abut
