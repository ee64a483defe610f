#pragma once

#include <abut/method.hpp>
#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>
#include <vector>

#include "core/sweep.hpp"
#include "engine/habit.hpp"
#include "engine/kernel.hpp"
#include "engine/order.hpp"
#include "engine/plan.hpp"

namespace abut {

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
      .number = 0,
      .paper = "abut",
      .time = "N",
      .memory = "64 N at most",
      .use = "everything; what you get by default",
  };

  /// The number of particles is all that `Task` need tell.
  template <class Task>
  static double bytes_needed(const Task& task, unsigned threads) {
    return Order<D>::bytes_needed(static_cast<double>(task.particles.size()), threads);
  }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t kept = count_.bytes();
    for (const Candidates& some : candidates_)
      kept += some.later.capacity() * sizeof(std::uint16_t);
    return order_.bytes() + kept;
  }

  static constexpr bool lasting = true;
  static constexpr bool any_extent = true;

  template <class Task, class Counter>
  void prepare(const Task& task, ThreadPool& pool, Counter& /*counter*/) {
    if (order_.size() == task.particles.size() && plan_.can_have_skin() &&
        habit_.worth_following()) {
      const Level<D>& level = plan_.levels[0];
      const auto motion = order_.follow(task.particles, level, task.reach, pool);
      const bool near = motion.same_radii && motion.since_last < units_a_cell;
      if (near && kept_ && motion.since_sorted + 2 <= level.skin) {
        habit_.followed();
        return;
      }
      const double reach = task.reach.of(level.largest_radius, level.largest_radius);
      habit_.moved(near ? motion.since_last / (reach * level.inverse * units_a_cell) : 1);
    }
    kept_ = false;
    plan_ = make_plan(task.particles, task.survey, task.reach, habit_.skin());
    order_.sort(task.particles, plan_, task.reach, pool);
  }

  template <class Task, class Sweep>
  void search(const Task& task, Sweep& sweep) {
    const Runs runs = chunks_of(task.particles.size());
    sweep.expect(runs.size());
    const SortedView<D> view = order_.view(task.reach, task.fixed);
    if (plan_.has_skin())
      search_candidates(view, runs, sweep);
    else
      search_levels(view, runs, sweep);
  }

  /// The next update sorts as if it were the first.
  void forget() {
    order_.forget();
    habit_ = {};
    kept_ = false;
  }

  /// What was measured, and what follows from it.
  [[nodiscard]] std::string reason() const { return description(plan_) + habit_.reason(); }

 private:
  // Some dozens or more, so that threads end at the same time.
  static Runs chunks_of(std::size_t particles) {
    return Runs(particles, std::clamp<std::size_t>(std::bit_floor(particles / 32 + 1), 512, 4096));
  }

  template <class Sweep>
  void search_levels(const SortedView<D>& view, const Runs& runs, Sweep& sweep) {
    const Kernels<D>& kernels = order_.kernels();
    sweep.chunks(runs.size(), [&](std::size_t chunk, unsigned, auto& judge) {
      for (std::size_t at = 0; at < plan_.levels.size(); ++at) {
        const Level<D>& level = plan_.levels[at];
        const auto first = std::max(level.first, static_cast<Index>(runs.first(chunk)));
        const auto last = std::min(level.last, static_cast<Index>(runs.last(chunk)));
        if (first >= last) continue;
        judge.counter().candidates(kernels.within(view, level, first, last, judge.sink()));
        for (std::size_t other = 0; other < plan_.levels.size(); ++other)
          if (looks_at(at, other))
            judge.counter().candidates(
                kernels.across(view, level, plan_.levels[other], first, last, judge.sink()));
      }
    });
  }

  // Of two levels the larger particles look for the smaller, of which they see but few; unless
  // those are folded, where a large one might have to look at all.
  [[nodiscard]] bool looks_at(std::size_t one, std::size_t other) const {
    if (one == other) return false;
    const bool from_small = plan_.levels[std::max(one, other)].any_folded();
    return (one > other) == from_small;
  }

  // With a skin: candidates are found once and then only judged.
  template <class Sweep>
  void search_candidates(const SortedView<D>& view, const Runs& runs, Sweep& sweep) {
    const Kernels<D>& kernels = order_.kernels();
    const bool find = !kept_;
    if (find) {
      count_.at_least(order_.size());
      candidates_.resize(runs.size());
    }
    sweep.chunks(runs.size(), [&](std::size_t chunk, unsigned, auto& judge) {
      const auto first = static_cast<Index>(runs.first(chunk));
      const auto last = static_cast<Index>(runs.last(chunk));
      Candidates& own = candidates_[chunk];
      if (find) {
        own.count = count_.data();
        own.clear();
        kernels.candidates(view, plan_.levels[0], first, last, own);
        own.close();
      }
      judge.counter().candidates(
          own.crowded ? kernels.within(view, plan_.levels[0], first, last, judge.sink())
                      : kernels.judge(view, first, last, own, judge.sink()));
    });
    if (find) keep_if_few();
  }

  // They are kept as long as the whole stays within its memory.
  void keep_if_few() {
    const bool crowded = std::ranges::any_of(candidates_, &Candidates::crowded);
    kept_ = !crowded && bytes() - order_.scratch_bytes() <= 64 * order_.size() + (1U << 16U);
    if (kept_) return;
    habit_.too_many();
    candidates_ = {};
  }

  Plan<D> plan_;
  Order<D> order_;
  Habit habit_;
  bool kept_ = false;  // candidates_ are those of the order
  HugeArray<std::uint8_t> count_;
  std::vector<Candidates> candidates_;
};

}  // namespace abut
