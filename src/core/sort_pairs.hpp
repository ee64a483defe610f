#pragma once

#include <abut/pair.hpp>
#include <cstdint>
#include <vector>

namespace abut {

/// Sorts pairs of `particles` particles in time linear in both numbers; keeps its scratch memory.
class PairSorter {
 public:
  /// By a, then by b.
  void sort(std::vector<Pair>& pairs, std::size_t particles);

  /// From that order to the one of the paper's table: by b descending, then by a ascending.
  void by_larger_descending(std::vector<Pair>& pairs, std::size_t particles);

 private:
  std::vector<std::uint64_t> place_;
  std::vector<Pair> scratch_;
};

}  // namespace abut
