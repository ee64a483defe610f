#pragma once

#include <abut/detector.hpp>
#include <functional>
#include <string>
#include <vector>

namespace abut {

/// A named search that returns the sorted pairs (`Pair` or `PeriodicPair`) of some particles.
/// `find` throws `MemoryLimitError` if its structure would exceed the memory limit.
template <class AnyPair>
struct PairSearch {
  std::string name;
  std::function<std::vector<AnyPair>()> find;
};

/// Result of one search compared with that of the reference.
struct Comparison {
  std::string name;
  bool over_memory_limit = false;
  bool agrees = true;
  std::size_t pairs = 0;
  double seconds = 0;  ///< wall-clock time of the search
  std::string text{};  ///< "reference", "same", or the first missing and extra pair
};

/// Runs all searches and compares each with the first that did not exceed the memory limit.
template <class AnyPair>
std::vector<Comparison> compare(const std::vector<PairSearch<AnyPair>>& searches);

/// The comparisons as a text table, and as an exit status: `exit_mismatch` if any differs.
std::string table_of(const std::vector<Comparison>& comparisons);
int status_of(const std::vector<Comparison>& comparisons);

}  // namespace abut
