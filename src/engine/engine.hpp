#pragma once

#include <abut/detector_options.hpp>
#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>
#include <vector>

#include "core/message.hpp"
#include "core/search_driver.hpp"
#include "engine/cell_sort.hpp"
#include "engine/kernel.hpp"
#include "engine/plan.hpp"

namespace abut {

/// What is known of how particles move from one update to the next, and what follows: how thick a
/// skin pays, and whether it is worth looking where they have gone. Lengths are in reaches of the
/// largest particle.
class SkinController {
 public:
  /// Particles that moved a lot, or found no room for candidates, are not followed for a while.
  [[nodiscard]] bool should_track() {
    if (backoff_remaining_ == 0) return true;
    --backoff_remaining_;
    return false;
  }

  [[nodiscard]] double skin() const { return skin_; }

  /// They were where the candidates of before are enough.
  void on_list_reused() {
    ++reused_steps_;
    backoff_ = 0;
  }

  /// They moved by so much, and have to be sorted.
  void on_list_rebuilt(double motion) {
    constexpr double thickest = 0.06;  // more candidates than that cost more than sorting
    constexpr double thinnest = 0.005;
    constexpr double steps = 20;  // wanted before they are sorted again …
    constexpr double fewest = 2;  // … and what still pays
    reused_steps_ = 0;
    if (fewest * motion > thickest) return disable();
    skin_ = std::clamp(steps * motion, thinnest, thickest);
    backoff_ = 0;
  }

  void on_too_many_candidates() { disable(); }

  [[nodiscard]] std::string description() const {
    if (reused_steps_ > 0) return message("; candidates kept for ", reused_steps_, " steps");
    return skin_ > 0 ? message("; sorted with a skin of ", static_cast<float>(skin_), " reaches")
                     : "";
  }

 private:
  void disable() {
    skin_ = 0;
    backoff_ = std::min(2 * backoff_ + 1, 64);
    backoff_remaining_ = backoff_;
  }

  double skin_ = 0;
  int reused_steps_ = 0;
  int backoff_ = 0;
  int backoff_remaining_ = 0;
};

/// Our own search. Particles are copied into the order of their cells; then each looks at short
/// runs of memory, eight particles at a time.
///
/// - Levels: particles of similar size share cells (`sizes`, `plan`); larger ones look for smaller.
/// - Order: streamed into buckets, sorted in the cache (`order`).
/// - Filter: coordinates of 16 bits, in units of cells, tell what may touch; the predicate decides
///   (`kernel`), so the pairs are those of brute force.
/// - Space: cells are bounded by N. Where space is empty they are larger, or folded (`level`).
/// - Motion: where particles hardly move, candidates are found with a skin around each and kept
///   until one has left its skin (`habit`).
///
/// Time N; memory at most 64 bytes a particle and those of a bucket for each thread, whatever the
/// space between.
template <std::size_t D>
class Engine {
 public:
  static constexpr MethodInfo info{
      .method = Method::engine,
      .name = "engine",
      .demcda_number = 0,
      .paper = "abut",
      .time = "N",
      .memory = "64 N at most",
      .best_for = "everything; what you get by default",
  };

  /// The number of particles is all that `Task` need tell.
  template <class Task>
  static double bytes_needed(const Task& task, unsigned threads) {
    return CellSortedParticles<D>::bytes_needed(static_cast<double>(task.particles.size()),
                                                threads);
  }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t kept = candidate_counts_.bytes();
    for (const CandidateList& some : candidates_)
      kept += some.index_offsets.capacity() * sizeof(std::uint16_t);
    return sorted_.bytes() + kept;
  }

  static constexpr bool is_persistent = true;
  static constexpr bool supports_any_extent = true;

  template <class Task, class Counter>
  void prepare(const Task& task, ThreadPool& pool, Counter& /*counter*/) {
    if (sorted_.size() == task.particles.size() && plan_.supports_skin() &&
        skin_controller_.should_track()) {
      const Level<D>& level = plan_.levels[0];
      const auto motion = sorted_.update_positions(task.particles, level, task.predicate, pool);
      const bool near = motion.radii_unchanged && motion.since_last < units_per_cell;
      if (near && candidates_valid_ && motion.since_sorted + 2 <= level.skin) {
        skin_controller_.on_list_reused();
        return;
      }
      const double reach = task.predicate.cutoff(level.max_radius, level.max_radius);
      skin_controller_.on_list_rebuilt(
          near ? motion.since_last / (reach * level.inverse_cell_size * units_per_cell) : 1);
    }
    candidates_valid_ = false;
    plan_ = make_plan(task.particles, task.summary, task.predicate, skin_controller_.skin());
    sorted_.sort(task.particles, plan_, task.predicate, pool);
  }

  template <class Task, class Sweep>
  void search(const Task& task, Sweep& sweep) {
    const Chunks runs = make_chunks(task.particles.size());
    sweep.set_total_chunks(runs.size());
    const SortedView<D> view = sorted_.view(task.predicate, task.fixed_count);
    if (plan_.has_skin())
      search_candidates(view, runs, sweep);
    else
      search_levels(view, runs, sweep);
  }

  /// The next update sorts as if it were the first.
  void reset() {
    sorted_.reset();
    skin_controller_ = {};
    candidates_valid_ = false;
  }

  /// What was measured, and what follows from it.
  [[nodiscard]] std::string description() const {
    return describe(plan_) + skin_controller_.description();
  }

 private:
  // Some dozens or more, so that threads end at the same time.
  static Chunks make_chunks(std::size_t particles) {
    return Chunks(particles,
                  std::clamp<std::size_t>(std::bit_floor(particles / 32 + 1), 512, 4096));
  }

  template <class Sweep>
  void search_levels(const SortedView<D>& view, const Chunks& runs, Sweep& sweep) {
    const Kernels<D>& kernels = sorted_.kernels();
    sweep.run_chunks(runs.size(), [&](std::size_t chunk, unsigned, auto& judge) {
      for (std::size_t at = 0; at < plan_.levels.size(); ++at) {
        const Level<D>& level = plan_.levels[at];
        const auto first = std::max(level.first, static_cast<Index>(runs.first(chunk)));
        const auto last = std::min(level.last, static_cast<Index>(runs.last(chunk)));
        if (first >= last) continue;
        judge.counter().add_candidates(
            kernels.search_level(view, level, first, last, judge.sink()));
        for (std::size_t other = 0; other < plan_.levels.size(); ++other)
          if (should_search(at, other))
            judge.counter().add_candidates(kernels.search_between_levels(
                view, level, plan_.levels[other], first, last, judge.sink()));
      }
    });
  }

  // Of two levels the larger particles look for the smaller, of which they see but few; unless
  // those are folded, where a large one might have to look at all.
  [[nodiscard]] bool should_search(std::size_t one, std::size_t other) const {
    if (one == other) return false;
    const bool from_small = plan_.levels[std::max(one, other)].is_modular();
    return (one > other) == from_small;
  }

  // With a skin: candidates are found once and then only judged.
  template <class Sweep>
  void search_candidates(const SortedView<D>& view, const Chunks& runs, Sweep& sweep) {
    const Kernels<D>& kernels = sorted_.kernels();
    const bool find = !candidates_valid_;
    if (find) {
      candidate_counts_.ensure_size(sorted_.size());
      candidates_.resize(runs.size());
    }
    sweep.run_chunks(runs.size(), [&](std::size_t chunk, unsigned, auto& judge) {
      const auto first = static_cast<Index>(runs.first(chunk));
      const auto last = static_cast<Index>(runs.last(chunk));
      CandidateList& own = candidates_[chunk];
      if (find) {
        own.counts = candidate_counts_.data();
        own.clear();
        kernels.collect_candidates(view, plan_.levels[0], first, last, own);
        own.finish();
      }
      judge.counter().add_candidates(
          own.overflowed ? kernels.search_level(view, plan_.levels[0], first, last, judge.sink())
                         : kernels.test_candidates(view, first, last, own, judge.sink()));
    });
    if (find) keep_if_memory_allows();
  }

  // They are kept as long as the whole stays within its memory.
  void keep_if_memory_allows() {
    const bool crowded = std::ranges::any_of(candidates_, &CandidateList::overflowed);
    candidates_valid_ =
        !crowded && bytes() - sorted_.scratch_bytes() <= 64 * sorted_.size() + (1U << 16U);
    if (candidates_valid_) return;
    skin_controller_.on_too_many_candidates();
    candidates_ = {};
  }

  Plan<D> plan_;
  CellSortedParticles<D> sorted_;
  SkinController skin_controller_;
  bool candidates_valid_ = false;  // candidates_ are those of the order
  HugePageArray<std::uint8_t> candidate_counts_;
  std::vector<CandidateList> candidates_;
};

}  // namespace abut
