#pragma once

#include <abut/mesh.hpp>
#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace abut {

/// Whether two closed segments p–q and r–s have a point in common. As exact as `orientation`.
bool segments_intersect(const Point<2>& p, const Point<2>& q, const Point<2>& r, const Point<2>& s);

/// The first two edges i < j of a closed outline, in lexicographic order, that have a point in
/// common and no common vertex. Edge k is that from vertex k to the next one; the vertices must be
/// distinct. O(n log n) if there are none; finding the first ones takes O(n log n) for most
/// outlines and O(n²) for some, such as many long parallel edges at 45°.
std::optional<std::array<std::size_t, 2>> first_edge_intersection(
    std::span<const Point<2>> vertices);

}  // namespace abut
