#pragma once

#include <functional>
#include <vector>

#include "broad/task.hpp"
#include "core/sweep.hpp"
#include "scenes/scene.hpp"

namespace abut::testing {

template <std::size_t D>
Task<D> task_of(const Scene<D>& scene, const Options<D>& options = {}) {
  return make_task(scene.particles(), survey(scene.particles(), {}), options);
}

/// Searches what a method has been prepared for, without a detector.
template <class Method, std::size_t D>
std::vector<Pair> searched(Method& method, const Task<D>& task) {
  std::vector<Pair> pairs;
  PairSink sink(pairs);
  ThreadPool pool(1);
  FoundLists found;
  const std::function<void(double)> silent;
  Sweep<D, false> sweep(task.reach, task.fixed, pool, sink, found, silent);
  method.search(task, sweep);
  sink.hand_on();
  return pairs;
}

/// How many pairs a published method finds, or a variant of it that is in no registry.
template <class Method, std::size_t D>
std::size_t pairs_found(const Scene<D>& scene, const Options<D>& options = {}) {
  const Task<D> task = task_of(scene, options);
  Method method;
  Counter<false> counter;
  ThreadPool alone(1);
  method.prepare(task, alone, counter);
  return searched(method, task).size();
}

}  // namespace abut::testing
