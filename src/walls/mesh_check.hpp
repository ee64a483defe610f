#pragma once

#include <abut/mesh.hpp>
#include <vector>

namespace abut {

/// Throws `Error` for a vertex index that is out of range or a coordinate that is not finite; the
/// message names the facet and the vertex.
template <std::size_t D>
void check(const Mesh<D>& mesh);

/// The facets with welded vertices: vertices at the same position get the same index.
template <std::size_t D>
std::vector<std::array<Index, D>> welded_facets(const Mesh<D>& mesh);

/// Whether a facet has no area (in 2D no length), up to rounding.
template <std::size_t D>
bool is_degenerate(const std::array<Point<D>, D>& vertices);

/// For each facet, whether an earlier one has the same vertices in any order.
template <std::size_t D>
std::vector<bool> find_duplicates(const std::vector<std::array<Index, D>>& facets);

}  // namespace abut
