#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

namespace abut {

/// A particle is named by its place in the caller's arrays, 0 … N−1.
using Index = std::uint32_t;

/// Two particles within reach of each other. The set every method returns is
///
///     { (a, b) : 0 ≤ a < b < N,  |x_a − x_b| ≤ reach of a and b }
///     reach of a and b = (r_a + r_b)·(1 + tolerance)·(1 + expansion) + margin
///
/// each pair once; pairs of two fixed particles (`DetectorOptions::fixed`) are left out. Sorted
/// lists are ordered by a, then by b.
struct Pair {
  Index a;
  Index b;
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

/// A pair in a periodic domain: particle a, and the image of particle b that is moved by `image`
/// periods along each axis. With L the periods, the set is
///
///     { (a, b, image) : a ≤ b,  |x_b + image·L − x_a| ≤ reach of a and b }
///
/// A particle larger than half the period touches images of its own: (a, a, image), of which those
/// are taken whose first number that is not 0 is above it. Two particles may touch in several
/// images. Coordinates are those of the caller, also outside the domain; the distance is measured
/// after both have been brought back into it. Sorted by a, b, image.
template <std::size_t D>
struct PeriodicPair {
  Index a;
  Index b;
  std::array<std::int32_t, D> image;
  friend auto operator<=>(const PeriodicPair&, const PeriodicPair&) = default;
};

/// Receives found pairs some thousand at a time; `to` is whatever the receiver registered.
using PairCallback = void (*)(void* to, std::span<const Pair> pairs);
template <std::size_t D>
using PeriodicPairCallback = void (*)(void* to, std::span<const PeriodicPair<D>> pairs);

}  // namespace abut
