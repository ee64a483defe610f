#include "walls/mesh_check.hpp"

#include <abut/error.hpp>
#include <abut/walls.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "core/vec.hpp"
#include "core/vertex_welder.hpp"
#include "walls/mesh_body.hpp"

namespace abut {
namespace {

template <std::size_t D>
constexpr std::string_view facet_kind = D == 2 ? "segment " : "triangle ";

// Reports the facet that uses the vertex. Unused vertices are harmless, but must be finite too.
template <std::size_t D>
[[noreturn]] void reject_vertex(const Mesh<D>& mesh, std::size_t vertex) {
  for (std::size_t i = 0; i < mesh.facets.size(); ++i)
    for (std::size_t k = 0; k < D; ++k)
      if (mesh.facets[i][k] == vertex)
        check_point(mesh.vertices[vertex], message(facet_kind<D>, i, ": vertex ", k));
  check_point(mesh.vertices[vertex], message("vertex ", vertex));
  throw Error("mesh is invalid");
}

// The feature at which two facets meet, with its vertices in ascending order: in 3D an edge, in 2D
// a vertex. `is_forward` is the direction in which the facet traverses the edge, in 2D whether the
// segment begins there.
struct FacetEdge {
  std::array<Index, 2> vertices;
  bool is_forward;
};

void add_edges(const std::array<Index, 2>& facet, std::vector<FacetEdge>& edges) {
  edges.push_back({{facet[0], facet[0]}, true});
  edges.push_back({{facet[1], facet[1]}, false});
}

void add_edges(const std::array<Index, 3>& facet, std::vector<FacetEdge>& edges) {
  for (std::size_t k = 0; k < 3; ++k) {
    const Index from = facet[k];
    const Index to = facet[(k + 1) % 3];
    edges.push_back({{std::min(from, to), std::max(from, to)}, from < to});
  }
}

template <std::size_t D>
bool has_repeated_vertex(std::array<Index, D> facet) {
  std::ranges::sort(facet);
  return std::ranges::adjacent_find(facet) != facet.end();
}

void count_edges(std::vector<FacetEdge>& edges, MeshReport& report) {
  std::ranges::sort(edges, {}, &FacetEdge::vertices);
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t last = i;
    while (last < edges.size() && edges[last].vertices == edges[i].vertices) ++last;
    if (last - i == 1) ++report.boundary_edges;
    if (last - i > 2) ++report.nonmanifold_edges;
    if (last - i == 2 && edges[i].is_forward == edges[i + 1].is_forward)
      ++report.inconsistent_edges;
    i = last;
  }
}

}  // namespace

template <std::size_t D>
void check(const Mesh<D>& mesh) {
  constexpr std::size_t limit = 1U << 31U;
  if (mesh.facets.size() >= limit || mesh.vertices.size() >= limit)
    throw Error(message(mesh.facets.size(), " facets and ", mesh.vertices.size(),
                        " vertices: must be at most 2147483647 of each"));
  for (std::size_t i = 0; i < mesh.facets.size(); ++i)
    for (std::size_t k = 0; k < D; ++k)
      if (mesh.facets[i][k] >= mesh.vertices.size())
        throw Error(
            ErrorCode::out_of_range,
            {.key = message(facet_kind<D>, i, ": vertex ", k), .value = message(mesh.facets[i][k])},
            message("must be below the number of vertices, ", mesh.vertices.size()));
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    for (const double value : mesh.vertices[i])
      if (!(std::abs(value) <= max_length)) reject_vertex(mesh, i);
}

template <std::size_t D>
std::vector<std::array<Index, D>> welded_facets(const Mesh<D>& mesh) {
  std::vector<Point<D>> positions;
  VertexWelder<D> table(positions);
  std::vector<std::array<Index, D>> facets = mesh.facets;
  for (auto& facet : facets)
    for (Index& vertex : facet) vertex = table.weld(mesh.vertices[vertex]);
  return facets;
}

template <std::size_t D>
bool is_degenerate(const std::array<Point<D>, D>& vertices) {
  constexpr double rounding = 1e-14;
  double longest = 0;
  std::array<Point<D>, D> sides;
  for (std::size_t k = 0; k < D; ++k) {
    sides[k] = difference(vertices[(k + 1) % D], vertices[k]);
    longest = std::max(longest, max_abs(sides[k]));
  }
  if (longest < min_length) return true;
  if constexpr (D == 3) {
    const Point<D> area = cross(scaled(sides[0], 1 / longest), scaled(sides[2], 1 / longest));
    return max_abs(area) < rounding;
  }
  return false;
}

template <std::size_t D>
std::vector<bool> find_duplicates(const std::vector<std::array<Index, D>>& facets) {
  std::vector<std::array<Index, D>> sorted = facets;
  for (auto& facet : sorted) std::ranges::sort(facet);
  std::vector<Index> order(facets.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](Index a, Index b) {
    return sorted[a] != sorted[b] ? sorted[a] < sorted[b] : a < b;
  });
  std::vector<bool> is_duplicate(facets.size());
  for (std::size_t i = 1; i < order.size(); ++i)
    is_duplicate[order[i]] = sorted[order[i]] == sorted[order[i - 1]];
  return is_duplicate;
}

template void check(const Mesh<2>&);
template void check(const Mesh<3>&);
template std::vector<std::array<Index, 2>> welded_facets(const Mesh<2>&);
template std::vector<std::array<Index, 3>> welded_facets(const Mesh<3>&);
template bool is_degenerate(const std::array<Point<2>, 2>&);
template bool is_degenerate(const std::array<Point<3>, 3>&);
template std::vector<bool> find_duplicates(const std::vector<std::array<Index, 2>>&);
template std::vector<bool> find_duplicates(const std::vector<std::array<Index, 3>>&);

// A triangle with three collinear vertices has no area, but may connect two others; therefore its
// edges count. One with a repeated vertex connects nothing.
template <std::size_t D>
MeshReport inspect_mesh(const Mesh<D>& mesh) {
  check(mesh);
  const std::vector<std::array<Index, D>> facets = welded_facets(mesh);
  const std::vector<bool> is_duplicate = find_duplicates<D>(facets);
  MeshReport report;
  report.facets = facets.size();
  std::vector<FacetEdge> edges;
  for (std::size_t i = 0; i < facets.size(); ++i) {
    const bool degenerate = is_degenerate<D>(MeshBody<D>::facet_vertices(mesh, i));
    if (degenerate) report.degenerate.push_back(static_cast<Index>(i));
    if (!degenerate && is_duplicate[i]) report.duplicates.push_back(static_cast<Index>(i));
    if (!is_duplicate[i] && !has_repeated_vertex<D>(facets[i])) add_edges(facets[i], edges);
  }
  count_edges(edges, report);
  return report;
}

template MeshReport inspect_mesh(const Mesh<2>&);
template MeshReport inspect_mesh(const Mesh<3>&);

}  // namespace abut
