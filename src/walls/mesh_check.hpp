#pragma once

#include <abut/mesh.hpp>
#include <abut/walls.hpp>
#include <string>
#include <vector>

namespace abut {

/// Throws `Error` for a vertex index that is out of range or a coordinate that is not finite; the
/// message names the facet and the vertex.
template <std::size_t D>
void check(const Mesh<D>& mesh);

/// The mesh with the same facets, in which vertices that count as one are one, see `inspect_mesh`.
/// Facets may have repeated vertices. Throws `Error` as `check` does, or for an invalid tolerance.
template <std::size_t D>
Mesh<D> welded(const Mesh<D>& mesh, double tolerance);

/// Why a mesh is not closed: numbers of edges, and position of the first one.
std::string open_edges_text(const MeshReport& report, std::size_t dimension);

/// Whether a facet has no area (in 2D no length), up to rounding.
template <std::size_t D>
bool is_degenerate(const std::array<Point<D>, D>& vertices);

/// For each facet, whether an earlier one has the same vertices in any order. A facet with repeated
/// vertices has no duplicates.
template <std::size_t D>
std::vector<bool> find_duplicates(const std::vector<std::array<Index, D>>& facets);

}  // namespace abut
