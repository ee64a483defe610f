#pragma once

#include <abut/detector_options.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "broad/mr.hpp"
#include "broad/mr_list.hpp"
#include "broad/search_method.hpp"
#include "core/grid.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// MMR (multi-step MR): particles are grouped by size, the diameters of consecutive groups
/// differing by a ratio α. One step per group, the largest first: its members (contactors) are
/// tested against each other and against all smaller particles (targets), on a grid that fits the
/// contactors.
///
/// A. Munjiza, E. Rougier, N. W. M. John, Int. J. Numer. Meth. Engng 66 (2006) 46–71, section 7.
/// d_n = d/αⁿ → largest member of a group, α → `SearchInput::group_ratio`, the lists of MR →
/// `MrList`. Time at most that of MR per group; memory at most 2.5 times that of MR.
///
/// Differs from the paper: a contactor is tested against targets in all 3^D cells around it; the
/// half stencil, sufficient within a group, loses 14 % of the contacts. Groups without members are
/// skipped. n + 1 groups take n + 1 steps; (34) says n. Every step sorts again, with a bin sort,
/// because the order of the last step is useless on a different grid. Skip pointers shorten long
/// advances where contactors are few.
template <std::size_t D, class AcrossGroups = FullStencil<D>>
class Mmr {
 public:
  static constexpr MethodInfo info{
      .method = Method::mmr,
      .name = "mmr",
      .demcda_number = 0,
      .paper = "Munjiza, Rougier, John 2006",
      .time = "N per size group",
      .memory = "32 N + 6 N per axis",
      .best_for = "any size ratio, any density",
  };

  static double bytes_needed(const SearchInput<D>& input, unsigned /*threads*/) {
    // Group and order of each particle; two lists of together at most 1.5 N nodes, and their bins.
    return (8 + 1.5 * (4 * (2 + D) + 8)) * static_cast<double>(input.particles.size()) +
           (1U << 16U);
  }

  [[nodiscard]] std::size_t bytes() const {
    return sizeof(Index) * (group_.capacity() + members_.capacity() + group_offsets_.capacity()) +
           larger_.bytes() + smaller_.bytes();
  }

  static constexpr bool is_persistent = true;
  static constexpr bool supports_any_extent = true;

  /// Sorts the particles by group.
  template <class Counter>
  void prepare(const SearchInput<D>& input, ThreadPool& /*pool*/, Counter& counter) {
    const auto radii = input.particles.radii();
    const double octaves = octaves_per_group(input);
    group_.resize(radii.size());
    members_.resize(radii.size());
    group_offsets_.assign(1, 0);
    for (std::size_t i = 0; i < radii.size(); ++i) {
      group_[i] = group_of(input, radii[i], octaves);
      if (group_offsets_.size() < group_[i] + 2) group_offsets_.resize(group_[i] + 2);
      ++group_offsets_[group_[i] + 1];
    }
    for (std::size_t group = 1; group < group_offsets_.size(); ++group)
      group_offsets_[group] += group_offsets_[group - 1];
    std::vector<Index> next(group_offsets_);
    for (Index i = 0; i < radii.size(); ++i) members_[next[group_[i]]++] = i;
    counter.add_examinations(radii.size());
  }

  /// One step per group that has members.
  template <class Driver>
  void search(const SearchInput<D>& input, Driver& driver) {
    std::size_t chunks = 0;
    for (std::size_t group = 0; group + 1 < group_offsets_.size(); ++group)
      chunks += chunks_for(group_offsets_[group + 1] - group_offsets_[group]);
    driver.set_total_chunks(chunks);
    const std::span<const Index> members(members_);
    for (std::size_t group = 0; group + 1 < group_offsets_.size(); ++group)
      if (group_offsets_[group] < group_offsets_[group + 1])
        step(input,
             members.subspan(group_offsets_[group],
                             group_offsets_[group + 1] - group_offsets_[group]),
             members.subspan(group_offsets_[group + 1]), driver);
  }

 private:
  using List = MrList<D, StoredCells<D>>;
  static constexpr std::size_t skip_pointers_per_chunk = 8;

  static std::size_t chunks_for(std::size_t contactors) {
    return contactors == 0
               ? 0
               : Chunks(List::skip_pointer_count(contactors), skip_pointers_per_chunk).size();
  }

  // (30): ⌊log(r_max / r) / log α⌋.
  static Index group_of(const SearchInput<D>& input, double radius, double octaves) {
    return static_cast<Index>(std::log2(input.summary.max_radius / radius) / octaves);
  }

  // log2 α. Each step sorts all smaller particles, so the number of groups is limited to 64: for a
  // size ratio greater than α^64, α is increased.
  static double octaves_per_group(const SearchInput<D>& input) {
    constexpr double max_groups = 64;
    const double range = input.summary.max_radius / std::ranges::min(input.particles.radii());
    return std::max(std::log2(input.group_ratio), std::log2(range) / max_groups);
  }

  // The smallest cells that fit the contactors and whose coordinates fit 32 bits.
  static Grid<D> cells_for(const SearchInput<D>& input, std::span<const Index> contactors) {
    double max_radius = 0;
    for (const Index i : contactors) max_radius = std::max(max_radius, input.particles.radii()[i]);
    double cell = input.predicate.cutoff(max_radius, max_radius);
    for (std::size_t k = 0; k < D; ++k)
      cell = std::max(
          cell, (input.summary.center_box.max[k] - input.summary.center_box.min[k]) / max_cells);
    return Grid<D>(input.summary.center_box, cell);
  }

  template <class Driver>
  void step(const SearchInput<D>& input, std::span<const Index> contactors,
            std::span<const Index> targets, Driver& driver) {
    const Grid<D> grid = cells_for(input, contactors);
    const NodeSource<D> contactor{input.particles, grid, contactors};
    const NodeSource<D> target{input.particles, grid, targets};
    // The same list always takes the larger of the two sets, which limits their total capacity.
    const bool more_contactors = contactors.size() > targets.size();
    List& contactor_list = more_contactors ? larger_ : smaller_;
    List& target_list = more_contactors ? smaller_ : larger_;
    driver.build([&](auto& counter) {
      sort(contactor_list, contactor, counter);
      sort(target_list, target, counter);
    });
    const Chunks chunks(contactor_list.skip_pointers().size(), skip_pointers_per_chunk);
    driver.run_chunks(chunks.size(), [&](std::size_t chunk, unsigned, auto& filter) {
      const std::size_t first = chunks.first(chunk);
      const std::size_t last = chunks.last(chunk);
      search_within(contactor_list, contactor, first, last, filter);
      if (!targets.empty())
        search_across<AcrossGroups>(contactor_list, contactor, target_list, target, first, last,
                                    filter);
    });
  }

  template <class Counter>
  static void sort(List& list, const NodeSource<D>& source, Counter& counter) {
    list.link(source.members.size());
    list.bin_sort(source, counter);
  }

  static constexpr double max_cells = Grid<D>::max_cells_per_axis / 2;

  std::vector<Index> group_;          // of each particle
  std::vector<Index> members_;        // all particles, group by group
  std::vector<Index> group_offsets_;  // first member of each group
  List larger_;
  List smaller_;
};

}  // namespace abut
