#pragma once

#include <abut/detector_options.hpp>
#include <cstddef>

#include "broad/search_method.hpp"
#include "core/search_driver.hpp"

namespace abut {

/// Tests every particle against every later one: the reference for all other methods.
///
/// Time N²/2 tests, no memory. To balance the chunks, each takes rows from both ends: row i has
/// N−1−i candidates, row N−1−i has i, together N−1.
template <std::size_t D>
class BruteForce {
 public:
  static constexpr MethodInfo info{
      .method = Method::brute_force,
      .name = "brute_force",
      .demcda_number = 0,
      .paper = "none; the definition",
      .time = "N^2/2",
      .memory = "none",
      .best_for = "up to a few thousand particles; reference for the others",
  };

  static double bytes_needed(const SearchInput<D>& /*input*/, unsigned /*threads*/) { return 0; }

  [[nodiscard]] std::size_t bytes() const { return 0; }

  static constexpr bool is_persistent = true;
  static constexpr bool supports_any_extent = true;

  template <class Counter>
  void prepare(const SearchInput<D>& /*input*/, ThreadPool& /*pool*/, Counter& /*counter*/) {}

  template <class Driver>
  void search(const SearchInput<D>& input, Driver& driver) {
    const auto count = static_cast<Index>(input.particles.size());
    const Chunks chunks((count + 1) / 2, 64);
    driver.set_total_chunks(chunks.size());
    driver.run_chunks(chunks.size(), [&](std::size_t chunk, unsigned, auto& filter) {
      for (std::size_t i = chunks.first(chunk); i < chunks.last(chunk); ++i) {
        const auto front = static_cast<Index>(i);
        const Index back = count - 1 - front;
        filter.test_row(front, front + 1, count);
        if (back != front) filter.test_row(back, back + 1, count);
      }
    });
  }
};

}  // namespace abut
