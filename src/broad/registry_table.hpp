#pragma once

#include <array>
#include <chrono>
#include <memory>

#include "broad/binary_tree.hpp"
#include "broad/brute_force.hpp"
#include "broad/cgrid.hpp"
#include "broad/direct_mapping.hpp"
#include "broad/fixed_cubes.hpp"
#include "broad/mmr.hpp"
#include "broad/mr.hpp"
#include "broad/nbs.hpp"
#include "broad/registry.hpp"
#include "broad/screening.hpp"
#include "broad/sorting.hpp"
#include "core/counts.hpp"
#include "engine/engine.hpp"

// The table behind `registry`, for the one file that compiles it in each dimension.

namespace abut {

template <std::size_t D, class Published>
class Adapter final : public Search<D> {
 public:
  void prepare(const Task<D>& task, ThreadPool& pool, const Options<D>& options) override {
    if constexpr (Published::lasting) build(task, pool, options);
  }

  Statistics run(const Task<D>& task, ThreadPool& pool, const Options<D>& options,
                 PairSink& sink) override {
    if constexpr (!Published::lasting) build(task, pool, options);
    Statistics statistics = built_;
    statistics.searching_seconds += seconds([&] {
      options.count ? sweep<true>(task, pool, options, sink, statistics)
                    : sweep<false>(task, pool, options, sink, statistics);
    });
    statistics.structure_bytes = method_.bytes();
    return statistics;
  }

  void forget() override {
    if constexpr (requires { method_.forget(); })
      method_.forget();
    else if constexpr (Published::lasting)
      method_ = {};
  }

  [[nodiscard]] std::string reason() const override {
    if constexpr (requires { method_.reason(); }) return method_.reason();
    return {};
  }

 private:
  template <class Work>
  static double seconds(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  static void add(const Counts& counts, Statistics& statistics) {
    statistics.candidates += counts.candidates;
    statistics.examinations += counts.examinations;
    statistics.list_moves += counts.list_moves;
  }

  void build(const Task<D>& task, ThreadPool& pool, const Options<D>& options) {
    const auto counted = [&]<bool Counting>(Counter<Counting> counter) {
      built_ = {};
      built_.sorting_seconds = seconds([&] { method_.prepare(task, pool, counter); });
      add(counter.counts(), built_);
    };
    try {
      options.count ? counted(Counter<true>()) : counted(Counter<false>());
    } catch (...) {
      method_ = {};  // half built, it would mislead the next search
      throw;
    }
  }

  template <bool Counting>
  void sweep(const Task<D>& task, ThreadPool& pool, const Options<D>& options, PairSink& sink,
             Statistics& statistics) {
    Sweep<D, Counting> sweep(task.reach, task.fixed, pool, sink, found_, options.progress);
    method_.search(task, sweep);
    sink.hand_on();
    add(sweep.counts(), statistics);
    statistics.sorting_seconds += sweep.sorting_seconds();
    statistics.searching_seconds -= sweep.sorting_seconds();
  }

  Published method_;
  FoundLists found_;
  Statistics built_;  // what building the structure took
};

template <std::size_t D, class Published>
constexpr Registered<D> entry() {
  return {Published::info,
          []() -> std::unique_ptr<Search<D>> { return std::make_unique<Adapter<D, Published>>(); },
          Published::any_extent, requires {Published::looks_across_faces;
}
, [](const Task<D>& task, unsigned threads) { return Published::bytes_needed(task, threads); }
};  // namespace abut
}

// The only place that names them all. A new method is a line here, its name in `Method`, its file.
template <std::size_t D>
constexpr std::array table{
    entry<D, BruteForce<D>>(),
    entry<D, BinaryTree<D>>(),
    entry<D, DirectMapping<D>>(),
    entry<D, Screening<D>>(),
    entry<D, Sorting<D>>(),
    entry<D, Nbs<D>>(),
    entry<D, CGrid<D>>(),
    entry<D, FixedCubes<D>>(),
    entry<D, Mr<D, Method::mr>>(),
    entry<D, Mr<D, Method::mr_recomputed>>(),
    entry<D, Mr<D, Method::mr_quicksort>>(),
    entry<D, Mr<D, Method::mr_binary>>(),
    entry<D, Mmr<D>>(),
    entry<D, Engine<D>>(),
};

template <std::size_t D>
constexpr bool in_order_of_enumeration() {
  for (std::size_t i = 0; i < table<D>.size(); ++i)
    if (table<D>[i].info.method != static_cast<Method>(i)) return false;
  return true;
}

template <std::size_t D>
std::span<const Registered<D>> registry() {
  static_assert(in_order_of_enumeration<D>());
  return table<D>;
}

}  // namespace abut
