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

/// Searches what a method has been prepared for, without a detector.
template <class Method, std::size_t D>
std::vector<Pair> search_pairs(Method& method, const SearchInput<D>& task) {
  std::vector<Pair> pairs;
  PairSink sink(pairs);
  ThreadPool pool(1);
  ChunkResults found;
  const std::function<void(double)> silent;
  SearchDriver<D, false> sweep(task.predicate, task.fixed_count, pool, sink, found, silent);
  method.search(task, sweep);
  sink.flush();
  return pairs;
}

/// How many pairs a published method finds, or a variant of it that is in no registry.
template <class Method, std::size_t D>
std::size_t count_pairs(const Scene<D>& scene, const DetectorOptions<D>& options = {}) {
  const SearchInput<D> task = search_input_of(scene, options);
  Method method;
  Counter<false> counter;
  ThreadPool alone(1);
  method.prepare(task, alone, counter);
  return search_pairs(method, task).size();
}

}  // namespace abut::testing
