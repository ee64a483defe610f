#pragma once

#include <functional>
#include <vector>

#include "broad/search_method.hpp"
#include "core/search_driver.hpp"
#include "scenes/scene.hpp"

namespace abut::testing {

template <std::size_t D>
SearchInput<D> search_input_of(const Scene<D>& scene, const DetectorOptions<D>& options = {}) {
  return make_search_input(scene.view(), summarize_input(scene.view(), {}), options);
}

/// Runs the search of a prepared method without a detector.
template <class Method, std::size_t D>
std::vector<Pair> search_pairs(Method& method, const SearchInput<D>& input) {
  std::vector<Pair> pairs;
  PairSink sink(pairs);
  ThreadPool pool(1);
  ChunkResults found;
  const std::function<void(double)> no_progress;
  SearchDriver<D, false> driver(input.predicate, input.fixed_count, pool, sink, found, no_progress);
  method.search(input, driver);
  sink.flush();
  return pairs;
}

/// Number of pairs that a published method finds, or a variant of it that is not registered.
template <class Method, std::size_t D>
std::size_t count_pairs(const Scene<D>& scene, const DetectorOptions<D>& options = {}) {
  const SearchInput<D> input = search_input_of(scene, options);
  Method method;
  Counter<false> counter;
  ThreadPool pool(1);
  method.prepare(input, pool, counter);
  return search_pairs(method, input).size();
}

}  // namespace abut::testing
