#pragma once

#include <abut/detector.hpp>
#include <functional>
#include <string>
#include <vector>

namespace abut {

/// A way to find the sorted pairs of some particles, `Pair` or `PeriodicPair`, under the name it
/// goes by in the table. Throws `MemoryLimitError` where it cannot.
template <class AnyPair>
struct PairSearch {
  std::string name;
  std::function<std::vector<AnyPair>()> find;
};

struct Comparison {
  std::string name;
  bool over_memory_limit = false;
  bool agrees = true;
  std::size_t pairs = 0;
  double seconds = 0;
  std::string text{};  ///< "reference", "same", or the first missing and extra pair
};

/// Runs all and sets each against the first that was not refused.
template <class AnyPair>
std::vector<Comparison> compare(const std::vector<PairSearch<AnyPair>>& contestants);

/// The comparisons for people, and for the shell: 1 if any differs, else 0.
std::string table_of(const std::vector<Comparison>& comparisons);
int status_of(const std::vector<Comparison>& comparisons);

}  // namespace abut
