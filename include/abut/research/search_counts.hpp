#pragma once

#include <abut/detector.hpp>
#include <abut/export.hpp>
#include <cstddef>
#include <cstdint>

// Operation counts, for comparing searches as the papers do.

namespace abut {

/// Operation counts of a search, as reported in the papers.
struct SearchCounts {
  std::uint64_t candidates = 0;    ///< pairs tested with the contact predicate
  std::uint64_t examinations = 0;  ///< comparisons that sorted a particle or descended a tree
  std::uint64_t list_relinks = 0;  ///< particles relinked in a list reused from the last search

  SearchCounts& operator+=(const SearchCounts& other) {
    candidates += other.candidates;
    examinations += other.examinations;
    list_relinks += other.list_relinks;
    return *this;
  }
};

/// The counts of the detector's last search, including the update before it. All are 0 unless
/// `DetectorOptions::collect_counts` is set. Throws `Error` on a moved-from detector.
template <std::size_t D>
[[nodiscard]] ABUT_API SearchCounts search_counts(const Detector<D>& detector);

}  // namespace abut
