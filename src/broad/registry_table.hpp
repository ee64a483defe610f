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
#include "broad/screening.hpp"
#include "broad/search_method.hpp"
#include "broad/sorting.hpp"
#include "core/search_driver.hpp"
#include "engine/engine.hpp"

// The table behind `registry`, included by the one source file that compiles it per dimension.

namespace abut {

/// Makes a `Search` of a method, which is a class with
///
///     info, is_persistent, supports_any_extent    constants; and optionally handles_periodic
///     make_grid(input)                            static, optional: its own grid
///     bytes_needed(input, threads)                static: bytes estimated before allocation
///     prepare(input, pool, counter)               builds the structure
///     search(input, driver)                       offers candidates to the driver's pair filters
///     bytes()                                     bytes in use
///
/// A persistent structure survives a search; others are built again for every search.
template <std::size_t D, class SearchMethod>
class Adapter final : public Search<D> {
 public:
  void prepare(const SearchInput<D>& input, ThreadPool& pool,
               const DetectorOptions<D>& options) override {
    if constexpr (SearchMethod::is_persistent) build(input, pool, options);
  }

  SearchCost run(const SearchInput<D>& input, ThreadPool& pool, const DetectorOptions<D>& options,
                 PairSink& sink) override {
    if constexpr (!SearchMethod::is_persistent) build(input, pool, options);
    SearchCost cost = build_cost_;
    cost.statistics.search_seconds += seconds([&] {
      options.collect_counts ? drive_search<true>(input, pool, options, sink, cost)
                             : drive_search<false>(input, pool, options, sink, cost);
    });
    cost.statistics.structure_bytes = method_.bytes();
    return cost;
  }

  void lend_memory(std::span<std::byte> memory) override {
    if constexpr (requires { method_.lend_memory(memory); }) method_.lend_memory(memory);
  }

  void reset() override {
    if constexpr (requires { method_.reset(); })
      method_.reset();
    else if constexpr (SearchMethod::is_persistent)
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

  void build(const SearchInput<D>& input, ThreadPool& pool, const DetectorOptions<D>& options) {
    const auto build_with = [&]<bool Counting>(Counter<Counting> counter) {
      build_cost_ = {};
      build_cost_.statistics.build_seconds =
          seconds([&] { method_.prepare(input, pool, counter); });
      build_cost_.counts = counter.counts();
    };
    try {
      options.collect_counts ? build_with(Counter<true>()) : build_with(Counter<false>());
    } catch (...) {
      method_ = {};  // the structure is incomplete
      throw;
    }
  }

  template <bool Counting>
  void drive_search(const SearchInput<D>& input, ThreadPool& pool,
                    const DetectorOptions<D>& options, PairSink& sink, SearchCost& cost) {
    SearchDriver<D, Counting> driver(input.predicate, input.fixed_count, pool, sink, found_lists_,
                                     options.progress);
    method_.search(input, driver);
    sink.flush();
    cost.counts += driver.counts();
    cost.statistics.build_seconds += driver.build_seconds();
    cost.statistics.search_seconds -= driver.build_seconds();
  }

  SearchMethod method_;
  ChunkResults found_lists_;
  SearchCost build_cost_;  // of the last build
};

template <class SearchMethod>
inline constexpr bool has_periodic_search = requires {
  SearchMethod::handles_periodic;
};

template <std::size_t D, class SearchMethod>
constexpr auto own_grid() -> Grid<D> (*)(const SearchInput<D>&) {
  if constexpr (requires { &SearchMethod::make_grid; })
    return &SearchMethod::make_grid;
  else
    return nullptr;
}

template <std::size_t D, class SearchMethod>
constexpr MethodEntry<D> entry() {
  return {
      .info = SearchMethod::info,
      .make = []() -> std::unique_ptr<Search<D>> {
        return std::make_unique<Adapter<D, SearchMethod>>();
      },
      .supports_any_extent = SearchMethod::supports_any_extent,
      .own_grid = own_grid<D, SearchMethod>(),
      .handles_periodic = has_periodic_search<SearchMethod>,
      .bytes_needed = [](const SearchInput<D>& input,
                         unsigned threads) { return SearchMethod::bytes_needed(input, threads); }};
}

// The only place that names all methods. A new method needs a line here, an enumerator of `Method`
// and a file.
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
