#pragma once

#include <compare>
#include <cstdint>
#include <span>

namespace abut {

/// A particle is named by its place in the caller's arrays, 0 … N−1.
using Index = std::uint32_t;

/// Two particles within reach of each other. The set every method returns is
///
///     { (a, b) : 0 ≤ a < b < N,  |x_a − x_b| ≤ (r_a + r_b)·(1 + tolerance) + margin }
///
/// each pair once; pairs of two fixed particles (`Options::fixed`) are left out. Sorted lists are
/// ordered by a, then by b.
struct Pair {
  Index a;
  Index b;
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

/// Receives found pairs some thousand at a time; `to` is whatever the receiver registered.
using PairDrain = void (*)(void* to, std::span<const Pair> pairs);

}  // namespace abut
