#pragma once

#include <abut/detector_options.hpp>
#include <cstddef>

#include "broad/search_input.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// Every particle against every later one: the specification that all other methods must equal.
///
/// Time N²/2, no memory. Rows get shorter towards the end, so a chunk takes rows from both ends:
/// row i has N−1−i candidates, row N−1−i has i, together always N−1.
template <std::size_t D>
class BruteForce {
 public:
  static constexpr MethodInfo info{
      .method = Method::brute_force,
      .name = "brute_force",
      .demcda_number = 0,
      .paper = "none: the definition",
      .time = "N^2/2",
      .memory = "none",
      .best_for = "up to some thousand particles; to check the others",
  };

  static double bytes_needed(const SearchInput<D>& /*task*/, unsigned /*threads*/) { return 0; }

  [[nodiscard]] std::size_t bytes() const { return 0; }

  static constexpr bool is_persistent = true;
  static constexpr bool supports_any_extent = true;

  template <class Counter>
  void prepare(const SearchInput<D>& /*task*/, ThreadPool& /*pool*/, Counter& /*counter*/) {}

  template <class Sweep>
  void search(const SearchInput<D>& task, Sweep& sweep) {
    const auto count = static_cast<Index>(task.particles.size());
    const Chunks runs((count + 1) / 2, 64);
    sweep.set_total_chunks(runs.size());
    sweep.run_chunks(runs.size(), [&](std::size_t chunk, unsigned, auto& judge) {
      for (std::size_t i = runs.first(chunk); i < runs.last(chunk); ++i) {
        const auto front = static_cast<Index>(i);
        const Index back = count - 1 - front;
        judge.test_row(front, front + 1, count);
        if (back != front) judge.test_row(back, back + 1, count);
      }
    });
  }
};

}  // namespace abut
