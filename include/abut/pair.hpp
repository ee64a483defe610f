#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

namespace abut {

/// Index of a particle in the caller's arrays, 0 … N−1.
using Index = std::uint32_t;

/// Two particles within the cutoff of each other. The set every method returns is
///
///     { (a, b) : 0 ≤ a < b < N,  |x_b − x_a| ≤ cutoff(a, b) }
///     cutoff(a, b) = (r_a + r_b)·(1 + tolerance)·(1 + expansion) + margin
///
/// with each pair once; pairs of two fixed particles (`DetectorOptions::fixed_count`) are omitted.
/// Sorted lists are ordered by a, then by b.
struct Pair {
  Index a;
  Index b;
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

/// A pair in a periodic domain: particle a, and the image of particle b that is shifted by `image`
/// periods along each axis. With the periods L, the set is
///
///     { (a, b, image) : a ≤ b,  |x_b + image·L − x_a| ≤ cutoff(a, b) }
///
/// A particle larger than half a period pairs with images of itself: (a, a, image), listed once,
/// with the image whose first nonzero component is positive. Two particles may pair in several
/// images. Coordinates are the caller's and may lie outside the domain; the distance is measured
/// after both particles have been wrapped into it. Sorted lists are ordered by a, b, image.
template <std::size_t D>
struct PeriodicPair {
  Index a;
  Index b;
  std::array<std::int32_t, D> image;
  friend auto operator<=>(const PeriodicPair&, const PeriodicPair&) = default;
};

/// A pair with its geometry. With d = x_b + image·L − x_a (image = 0 without periodic axes)
///
///     gap    = |d| − (r_a + r_b)     negative if the spheres overlap; −gap is then the overlap
///     normal = d / |d|               unit vector from the center of a to the image of b
///
/// If the centers coincide (|d| = 0), the normal is the unit vector along +x. Lengths are in the
/// caller's unit, vectors in the caller's frame.
template <std::size_t D>
struct Contact {
  Index a;
  Index b;
  double gap;
  std::array<double, D> normal;
  std::array<std::int32_t, D> image;  ///< periods by which b is shifted along each axis
  friend bool operator==(const Contact&, const Contact&) = default;
};

/// Contacts as one array per component: element i of every array belongs to contact i. A view of
/// the detector's memory, valid until its next update.
template <std::size_t D>
struct ContactArrays {
  std::span<const Index> a;
  std::span<const Index> b;
  std::span<const double> gap;
  std::array<std::span<const double>, D> normal;
  std::array<std::span<const std::int32_t>, D> image;

  [[nodiscard]] std::size_t size() const { return gap.size(); }
};

/// Callbacks that receive pairs or contacts as they are found, up to a few thousand per call.
/// `context` is the pointer that was passed with the callback; the span is valid only during the
/// call.
using PairCallback = void (*)(void* context, std::span<const Pair> pairs);
template <std::size_t D>
using PeriodicPairCallback = void (*)(void* context, std::span<const PeriodicPair<D>> pairs);
template <std::size_t D>
using ContactCallback = void (*)(void* context, std::span<const Contact<D>> contacts);

}  // namespace abut
