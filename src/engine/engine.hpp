#pragma once

#include <abut/method.hpp>
#include <cstddef>
#include <string>

#include "core/sweep.hpp"
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
///
/// Time N; memory about 50 bytes a particle in 3D, whatever the space between them.
template <std::size_t D>
class Engine {
 public:
  static constexpr MethodInfo info{
      .method = Method::engine,
      .name = "engine",
      .number = 0,
      .paper = "abut",
      .time = "N",
      .memory = "52 N",
      .use = "everything: what you get by default",
  };

  /// Memory of the task, which `Task` need not know: the number of particles is enough.
  template <class Task>
  static double bytes_needed(const Task& task, unsigned /*threads*/) {
    return Order<D>::bytes_needed(static_cast<double>(task.particles.size()));
  }
  [[nodiscard]] std::size_t bytes() const { return order_.bytes(); }

  static constexpr bool lasting = true;
  static constexpr bool any_extent = true;

  template <class Task, class Counter>
  void prepare(const Task& task, ThreadPool& pool, Counter& /*counter*/) {
    plan_ = make_plan(task.particles, task.survey, task.reach);
    order_.sort(task.particles, plan_, task.reach, pool);
  }

  template <class Task, class Sweep>
  void search(const Task& task, Sweep& sweep) {
    const SortedView<D> view = order_.view(task.reach, task.fixed);
    const Kernels<D>& kernels = order_.kernels();
    const Runs runs(task.particles.size());
    sweep.expect(runs.size());
    sweep.chunks(runs.size(), [&](std::size_t chunk, unsigned, auto& judge) {
      for (std::size_t at = 0; at < plan_.levels.size(); ++at) {
        const Level<D>& level = plan_.levels[at];
        const auto first = std::max(level.first, static_cast<Index>(runs.first(chunk)));
        const auto last = std::min(level.last, static_cast<Index>(runs.last(chunk)));
        if (first >= last) continue;
        judge.counter().candidates(kernels.within(view, level, first, last, judge.sink()));
        for (std::size_t smaller = at + 1; smaller < plan_.levels.size(); ++smaller)
          judge.counter().candidates(
              kernels.across(view, level, plan_.levels[smaller], first, last, judge.sink()));
      }
    });
  }

  [[nodiscard]] const std::string& reason() const { return plan_.reason; }

 private:
  Plan<D> plan_;
  Order<D> order_;
};

}  // namespace abut
