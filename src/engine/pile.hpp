#pragma once

#include <abut/pair.hpp>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/kernel.hpp"

namespace abut {

/// Candidates that wait to be judged, and the pairs among them. There is room for what a particle
/// may add to a pile that is nearly full.
struct Pile {
  static constexpr std::size_t full = 1024;
  std::uint64_t judged = 0;
  static constexpr std::size_t room = full + 272;  // 255 that were kept, and a vector
  std::array<Index, room> large;
  std::array<Index, room> small;
  std::array<Pair, room> found;
};

/// Writes the pair of two sorted particles in canonical order; 1 if it is one to keep, else 0.
template <std::size_t D>
[[gnu::always_inline]] inline std::size_t keep(const SortedView<D>& sorted, Index i, Index j,
                                               Pair& pair) {
  const Index a = sorted.id[i];
  const Index b = sorted.id[j];
  const Index change = (a ^ b) & (0U - static_cast<Index>(b < a));  // no branch: it is by chance
  pair = {a ^ change, b ^ change};
  const auto touches =
      static_cast<std::size_t>(sorted.reach.excess(sorted.centre[i], sorted.centre[j]) <= 0);
  return touches & static_cast<std::size_t>(pair.b >= sorted.fixed);
}

/// Finds those of `count` candidates that touch, and tells how many they are.
template <std::size_t D>
[[gnu::always_inline]] inline std::size_t judge_one_by_one(const SortedView<D>& view,
                                                           const Index* large, const Index* small,
                                                           std::size_t count, Pair* found) {
  const SortedView<D> sorted = view;  // a copy, so that writing cannot change it
  std::size_t kept = 0;
  for (std::size_t at = 0; at < count; ++at)
    kept += keep(sorted, large[at], small[at], found[kept]);
  return kept;
}

/// The same of the candidates first … last−1 for particle i.
template <std::size_t D>
[[gnu::always_inline]] inline std::size_t judge_each(const SortedView<D>& view, Index i,
                                                     Index first, Index last, Pair* found) {
  const SortedView<D> sorted = view;
  std::size_t kept = 0;
  for (Index j = first; j < last; ++j) kept += keep(sorted, i, j, found[kept]);
  return kept;
}

/// For each mask of eight bits, the numbers of those that are set.
alignas(64) static constexpr auto lanes_of = [] {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    std::size_t count = 0;
    for (std::uint8_t lane = 0; lane < 8; ++lane)
      if ((mask >> lane & 1U) != 0) table[mask][count++] = lane;
  }
  return table;
}();

}  // namespace abut
