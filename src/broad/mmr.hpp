#pragma once

#include <abut/detector_options.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "broad/mr.hpp"
#include "broad/mr_list.hpp"
#include "broad/search_input.hpp"
#include "core/grid.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// MMR (multi-step MR): particles in groups by size, each smaller than the one before by a ratio α.
/// One step for each group, the largest first: its members (contactors) are checked with each
/// other and with all smaller ones (targets), on cells that fit them; then they leave.
///
/// A. Munjiza, E. Rougier, N. W. M. John, Int. J. Numer. Meth. Engng 66 (2006) 46–71, section 7.
/// d_n = d/αⁿ → the largest member of a group, α → Task::group_ratio, the lists of MR → MrList.
/// Time at most that of MR for every group; memory at most two and a half times
/// that of MR.
///
/// Different from the paper: a contactor is checked with targets in all 3^D cells around it; with
/// the half mask, which is enough within a group, 14 % of the contacts are lost. Steps without
/// members are left out. n + 1 groups are n + 1 steps, (34) says n. Every step sorts anew, by bins:
/// on other cells the order of the step before means nothing. Where contactors are few, pointers
/// leap.
template <std::size_t D, class AcrossGroups = FullStencil<D>>
class Mmr {
 public:
  static constexpr MethodInfo info{
      .method = Method::mmr,
      .name = "mmr",
      .demcda_number = 0,
      .paper = "Munjiza, Rougier, John 2006",
      .time = "N a group of sizes",
      .memory = "32 N + 6 N an axis",
      .best_for = "sizes in any ratio, any density",
  };

  static double bytes_needed(const SearchInput<D>& task, unsigned /*threads*/) {
    // Groups and order; in lists of together one and a half times all: nodes, and bins for columns.
    return (8 + 1.5 * (4 * (2 + D) + 8)) * static_cast<double>(task.particles.size()) + (1U << 16U);
  }

  [[nodiscard]] std::size_t bytes() const {
    return sizeof(Index) * (group_.capacity() + members_.capacity() + group_offsets_.capacity()) +
           larger_.bytes() + smaller_.bytes();
  }

  static constexpr bool is_persistent = true;
  static constexpr bool supports_any_extent = true;

  /// Puts the particles in the order of their groups.
  template <class Counter>
  void prepare(const SearchInput<D>& task, ThreadPool& /*pool*/, Counter& counter) {
    const auto radius = task.particles.radii();
    const double octaves = octaves_per_group(task);
    group_.resize(radius.size());
    members_.resize(radius.size());
    group_offsets_.assign(1, 0);
    for (std::size_t i = 0; i < radius.size(); ++i) {
      group_[i] = group_of(task, radius[i], octaves);
      if (group_offsets_.size() < group_[i] + 2) group_offsets_.resize(group_[i] + 2);
      ++group_offsets_[group_[i] + 1];
    }
    for (std::size_t group = 1; group < group_offsets_.size(); ++group)
      group_offsets_[group] += group_offsets_[group - 1];
    std::vector<Index> place(group_offsets_);
    for (Index i = 0; i < radius.size(); ++i) members_[place[group_[i]]++] = i;
    counter.add_examinations(radius.size());
  }

  /// One step for each group that has members.
  template <class Sweep>
  void search(const SearchInput<D>& task, Sweep& sweep) {
    std::size_t chunks = 0;
    for (std::size_t group = 0; group + 1 < group_offsets_.size(); ++group)
      chunks += chunks_for(group_offsets_[group + 1] - group_offsets_[group]);
    sweep.set_total_chunks(chunks);
    const std::span<const Index> members(members_);
    for (std::size_t group = 0; group + 1 < group_offsets_.size(); ++group)
      if (group_offsets_[group] < group_offsets_[group + 1])
        step(task,
             members.subspan(group_offsets_[group],
                             group_offsets_[group + 1] - group_offsets_[group]),
             members.subspan(group_offsets_[group + 1]), sweep);
  }

 private:
  using List = MrList<D, StoredCells<D>>;
  static constexpr std::size_t skip_pointers_per_chunk = 8;

  static std::size_t chunks_for(std::size_t contactors) {
    return contactors == 0
               ? 0
               : Chunks(List::skip_pointer_count(contactors), skip_pointers_per_chunk).size();
  }

  // (30): how many times a particle is smaller than the largest by a ratio of α.
  static Index group_of(const SearchInput<D>& task, double radius, double octaves) {
    return static_cast<Index>(std::log2(task.summary.max_radius / radius) / octaves);
  }

  // log2 α. Each step sorts all that are smaller, so there must not be too many of them: where the
  // sizes differ by more than α to the power of 64, α gives way.
  static double octaves_per_group(const SearchInput<D>& task) {
    constexpr double most_groups = 64;
    const double range = task.summary.max_radius / std::ranges::min(task.particles.radii());
    return std::max(std::log2(task.group_ratio), std::log2(range) / most_groups);
  }

  // Cells that fit the contactors, but not more than have a number: larger ones do no harm.
  static Grid<D> cells_for(const SearchInput<D>& task, std::span<const Index> contactors) {
    double largest = 0;
    for (const Index i : contactors) largest = std::max(largest, task.particles.radii()[i]);
    double cell = task.predicate.cutoff(largest, largest);
    for (std::size_t k = 0; k < D; ++k)
      cell = std::max(
          cell, (task.summary.center_box.max[k] - task.summary.center_box.min[k]) / max_cells);
    return Grid<D>(task.summary.center_box, cell);
  }

  template <class Sweep>
  void step(const SearchInput<D>& task, std::span<const Index> contactors,
            std::span<const Index> targets, Sweep& sweep) {
    const Grid<D> grid = cells_for(task, contactors);
    const NodeSource<D> contactor{task.particles, grid, contactors};
    const NodeSource<D> target{task.particles, grid, targets};
    // One of the two lists always gets the larger part, so that together they never hold much.
    const bool more = contactors.size() > targets.size();
    List& contactor_list = more ? larger_ : smaller_;
    List& target_list = more ? smaller_ : larger_;
    sweep.build([&](auto& counter) {
      sort(contactor_list, contactor, counter);
      sort(target_list, target, counter);
    });
    const Chunks runs(contactor_list.skip_pointers().size(), skip_pointers_per_chunk);
    sweep.run_chunks(runs.size(), [&](std::size_t chunk, unsigned, auto& judge) {
      const std::size_t first = runs.first(chunk);
      const std::size_t last = runs.last(chunk);
      search_within(contactor_list, contactor, first, last, judge);
      if (!targets.empty())
        search_across<AcrossGroups>(contactor_list, contactor, target_list, target, first, last,
                                    judge);
    });
  }

  template <class Counter>
  static void sort(List& list, const NodeSource<D>& source, Counter& counter) {
    list.link(source.members.size());
    list.bin_sort(source, counter);
  }

  static constexpr double max_cells = Grid<D>::max_cells_per_axis / 2;

  std::vector<Index> group_;
  std::vector<Index> members_;        // all particles, group by group
  std::vector<Index> group_offsets_;  // where each group begins in them
  List larger_;
  List smaller_;
};

}  // namespace abut
