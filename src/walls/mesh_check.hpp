#pragma once

#include <abut/mesh.hpp>
#include <vector>

namespace abut {

/// Throws `Error` naming the piece, corner and number that cannot be worked with.
template <std::size_t D>
void check(const Mesh<D>& mesh);

/// Pieces with their corners named by place: corners at the same place have the same number.
template <std::size_t D>
std::vector<std::array<Index, D>> welded_facets(const Mesh<D>& mesh);

/// Whether a piece has no length or area, up to rounding.
template <std::size_t D>
bool is_degenerate(const std::array<Point<D>, D>& corners);

/// For each piece whether an earlier one has the same corners.
template <std::size_t D>
std::vector<bool> find_duplicates(const std::vector<std::array<Index, D>>& pieces);

}  // namespace abut
