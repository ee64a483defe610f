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
#include "core/search_driver.hpp"
#include "engine/engine.hpp"

// The table behind `registry`, for the one file that compiles it in each dimension.

namespace abut {

template <std::size_t D, class Published>
class Adapter final : public Search<D> {
 public:
  void prepare(const SearchInput<D>& task, ThreadPool& pool,
               const DetectorOptions<D>& options) override {
    if constexpr (Published::is_persistent) build(task, pool, options);
  }

  DetectorStatistics run(const SearchInput<D>& task, ThreadPool& pool,
                         const DetectorOptions<D>& options, PairSink& sink) override {
    if constexpr (!Published::is_persistent) build(task, pool, options);
    DetectorStatistics statistics = build_statistics_;
    statistics.search_seconds += seconds([&] {
      options.collect_counts ? drive_search<true>(task, pool, options, sink, statistics)
                             : drive_search<false>(task, pool, options, sink, statistics);
    });
    statistics.structure_bytes = method_.bytes();
    return statistics;
  }

  void reset() override {
    if constexpr (requires { method_.reset(); })
      method_.reset();
    else if constexpr (Published::is_persistent)
      method_ = {};
  }

  [[nodiscard]] std::string description() const override {
    if constexpr (requires { method_.description(); }) return method_.description();
    return {};
  }

 private:
  template <class Work>
  static double seconds(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  static void add(const SearchCounts& counts, DetectorStatistics& statistics) {
    statistics.candidates += counts.candidates;
    statistics.examinations += counts.examinations;
    statistics.list_relinks += counts.list_relinks;
  }

  void build(const SearchInput<D>& task, ThreadPool& pool, const DetectorOptions<D>& options) {
    const auto counted = [&]<bool Counting>(Counter<Counting> counter) {
      build_statistics_ = {};
      build_statistics_.build_seconds = seconds([&] { method_.prepare(task, pool, counter); });
      add(counter.counts(), build_statistics_);
    };
    try {
      options.collect_counts ? counted(Counter<true>()) : counted(Counter<false>());
    } catch (...) {
      method_ = {};  // half built, it would mislead the next search
      throw;
    }
  }

  template <bool Counting>
  void drive_search(const SearchInput<D>& task, ThreadPool& pool, const DetectorOptions<D>& options,
                    PairSink& sink, DetectorStatistics& statistics) {
    SearchDriver<D, Counting> sweep(task.predicate, task.fixed_count, pool, sink, found_lists_,
                                    options.progress);
    method_.search(task, sweep);
    sink.flush();
    add(sweep.counts(), statistics);
    statistics.build_seconds += sweep.build_seconds();
    statistics.search_seconds -= sweep.build_seconds();
  }

  Published method_;
  ChunkResults found_lists_;
  DetectorStatistics build_statistics_;  // what building the structure took
};

template <std::size_t D, class Published>
constexpr MethodEntry<D> entry() {
  return {Published::info,
          []() -> std::unique_ptr<Search<D>> { return std::make_unique<Adapter<D, Published>>(); },
          Published::supports_any_extent, requires {Published::handles_periodic;
}
, [](const SearchInput<D>& task, unsigned threads) {
  return Published::bytes_needed(task, threads);
}
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
constexpr bool table_matches_enumeration() {
  for (std::size_t i = 0; i < table<D>.size(); ++i)
    if (table<D>[i].info.method != static_cast<Method>(i)) return false;
  return true;
}

template <std::size_t D>
std::span<const MethodEntry<D>> registry() {
  static_assert(table_matches_enumeration<D>());
  return table<D>;
}

}  // namespace abut
