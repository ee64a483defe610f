#pragma once

#include <abut/method.hpp>
#include <abut/options.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "broad/task.hpp"
#include "core/pair_sink.hpp"
#include "core/reach.hpp"
#include "core/thread_pool.hpp"

namespace abut {

/// A method in use: its memory, kept from one search to the next. One virtual call a search.
template <std::size_t D>
class Search {
 public:
  Search() = default;
  virtual ~Search() = default;
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// Finds all pairs of the task; returns the number of candidates if it was asked to count.
  virtual std::uint64_t run(const Task<D>& task, const Reach<D>& reach, ThreadPool& pool,
                            const Options<D>& options, PairSink& sink) = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// What the registry knows of a method beyond `MethodInfo`.
template <std::size_t D>
struct Registered {
  MethodInfo info;
  std::unique_ptr<Search<D>> (*make)();
  /// Memory its structure would take on these cells, as a real number that cannot overflow.
  double (*bytes_needed)(const Grid<D>& grid, std::size_t particles, unsigned threads);
};

template <std::size_t D>
std::span<const Registered<D>> registry();

}  // namespace abut
