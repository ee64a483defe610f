#pragma once

#include <abut/pair.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/pair_blocks.hpp"
#include "core/sort_pairs.hpp"

namespace abut {

/// Sets lists of pairs, in whatever order, against the first that was shown.
class Agreement {
 public:
  explicit Agreement(std::size_t particles) : particles_(particles) {}

  /// What is wrong with the pairs that `name` has found; none if they are those of the first.
  std::optional<std::string> complaint(const std::string& name, const std::vector<Pair>& pairs);

  /// The next list is the first again.
  void start_anew() { reference_.reset(); }

  /// What it takes to sort these pairs, all memory being there: the median of some runs.
  double seconds_to_sort(const std::vector<Pair>& pairs, int repeat);

 private:
  void fill(const std::vector<Pair>& pairs);

  std::size_t particles_;
  std::string first_;
  std::optional<std::vector<Pair>> reference_;
  PairBlocks blocks_;
  PairSorter sorter_;
  std::vector<Pair> sorted_;
};

}  // namespace abut
