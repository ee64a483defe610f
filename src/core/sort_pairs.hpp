#pragma once

#include <abut/pair.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/pair_blocks.hpp"

namespace abut {

/// Sorts what one particle has. It has few partners: inserting each where it belongs beats any
/// other sort.
template <class T>
void sort_partners(std::span<T> partners) {
  constexpr std::size_t few = 32;
  if (partners.size() > few) {
    std::ranges::sort(partners);
    return;
  }
  for (std::size_t i = 1; i < partners.size(); ++i) {
    const T value = partners[i];
    std::size_t hole = i;
    for (; hole > 0 && partners[hole - 1] > value; --hole) partners[hole] = partners[hole - 1];
    partners[hole] = value;
  }
}

/// Puts pairs in order in time linear in their number and that of the particles; keeps its memory.
class PairSorter {
 public:
  /// By a, then by b, into `sorted`.
  void sort(const PairBlocks& pairs, std::size_t particles, std::vector<Pair>& sorted);

  /// Into compressed rows: the partners of a from first[a] to first[a + 1], ascending.
  static void sort(const PairBlocks& pairs, std::size_t particles,
                   std::vector<std::uint64_t>& first, std::vector<Index>& partners);

 private:
  std::vector<std::uint64_t> place_;
};

/// Sorted pairs seen from the larger particle: for each b, the smaller ones that touch it.
class SmallerPartners {
 public:
  SmallerPartners(std::span<const Pair> sorted, std::size_t particles);

  /// Ascending.
  [[nodiscard]] std::span<const Index> of(std::size_t b) const {
    return std::span(partners_).subspan(first_[b], first_[b + 1] - first_[b]);
  }

 private:
  std::vector<std::uint64_t> first_;
  std::vector<Index> partners_;
};

}  // namespace abut
