#pragma once

#include <abut/mesh.hpp>
#include <vector>

namespace abut {

/// Throws `Error` naming the facet, vertex and number that cannot be worked with.
template <std::size_t D>
void check(const Mesh<D>& mesh);

/// Facets with their vertices named by place: vertices at the same place have the same number.
template <std::size_t D>
std::vector<std::array<Index, D>> welded_facets(const Mesh<D>& mesh);

/// Whether a facet has no length or area, up to rounding.
template <std::size_t D>
bool is_degenerate(const std::array<Point<D>, D>& vertices);

/// For each facet whether an earlier one has the same vertices.
template <std::size_t D>
std::vector<bool> find_duplicates(const std::vector<std::array<Index, D>>& facets);

}  // namespace abut
