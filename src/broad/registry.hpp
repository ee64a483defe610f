#pragma once

#include <abut/detector.hpp>
#include <abut/detector_options.hpp>
#include <cstddef>
#include <memory>
#include <string>

#include "broad/search_input.hpp"
#include "core/pair_buffer.hpp"
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

  /// Builds the structure, now or in the next `run` if it does not outlast a search.
  virtual void prepare(const SearchInput<D>& task, ThreadPool& pool,
                       const DetectorOptions<D>& options) = 0;

  /// Finds all pairs of the task it was prepared for and says what both took.
  virtual DetectorStatistics run(const SearchInput<D>& task, ThreadPool& pool,
                                 const DetectorOptions<D>& options, PairSink& sink) = 0;

  /// What it keeps from one update to the next goes; its memory stays where it can.
  virtual void reset() = 0;

  /// What it has chosen to do and why, if there was a choice.
  [[nodiscard]] virtual std::string description() const = 0;
};

/// What the registry knows of a method beyond `MethodInfo`.
template <std::size_t D>
struct MethodEntry {
  MethodInfo info;
  std::unique_ptr<Search<D>> (*make)();
  /// Whether it also works where cells have no 32-bit number.
  bool supports_any_extent;
  /// Whether it looks across periodic faces itself, where a period is no shorter than a cell;
  /// otherwise it is given images.
  bool handles_periodic;
  /// Memory its structure would take, as a real number that cannot overflow.
  double (*bytes_needed)(const SearchInput<D>& task, unsigned threads);
};

template <std::size_t D>
std::span<const MethodEntry<D>> registry();

extern template std::span<const MethodEntry<2>> registry<2>();
extern template std::span<const MethodEntry<3>> registry<3>();

}  // namespace abut
