#include "walls/mesh_check.hpp"

#include <abut/error.hpp>
#include <abut/walls.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

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
  Index facet;
};

void add_edges(const std::array<Index, 2>& vertices, Index facet, std::vector<FacetEdge>& edges) {
  edges.push_back({{vertices[0], vertices[0]}, true, facet});
  edges.push_back({{vertices[1], vertices[1]}, false, facet});
}

void add_edges(const std::array<Index, 3>& vertices, Index facet, std::vector<FacetEdge>& edges) {
  for (std::size_t k = 0; k < 3; ++k) {
    const Index from = vertices[k];
    const Index to = vertices[(k + 1) % 3];
    edges.push_back({{std::min(from, to), std::max(from, to)}, from < to, facet});
  }
}

template <std::size_t D>
bool has_repeated_vertex(std::array<Index, D> facet) {
  std::ranges::sort(facet);
  return std::ranges::adjacent_find(facet) != facet.end();
}

template <std::size_t D>
Point<3> in_space(const Point<D>& point) {
  Point<3> result{};
  std::copy(point.begin(), point.end(), result.begin());
  return result;
}

// Keeps the first open edge in the order of facets.
template <std::size_t D>
void add_open_edge(std::span<const FacetEdge> same, const std::vector<Point<D>>& vertices,
                   MeshReport& report) {
  const Index facet = std::ranges::min_element(same, {}, &FacetEdge::facet)->facet;
  if (report.open_edge && report.open_edge->facet <= facet) return;
  const auto [a, b] = same[0].vertices;
  report.open_edge = {facet, {in_space<D>(vertices[a]), in_space<D>(vertices[b])}, same.size()};
}

template <std::size_t D>
void count_edges(std::vector<FacetEdge>& edges, const std::vector<Point<D>>& vertices,
                 MeshReport& report) {
  std::ranges::sort(edges, {}, &FacetEdge::vertices);
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t last = i;
    while (last < edges.size() && edges[last].vertices == edges[i].vertices) ++last;
    if (last - i == 1) ++report.boundary_edges;
    if (last - i > 2) ++report.nonmanifold_edges;
    if (last - i != 2) add_open_edge<D>(std::span(edges).subspan(i, last - i), vertices, report);
    if (last - i == 2 && edges[i].is_forward == edges[i + 1].is_forward)
      ++report.inconsistent_edges;
    i = last;
  }
}

// ---- welding

// The distance at which vertices count as one.
template <std::size_t D>
double weld_distance(const std::vector<Point<D>>& vertices, double tolerance) {
  if (tolerance == 0 || vertices.empty()) return 0;
  const Box<D> box = bounding_box_of<D>(vertices);
  const double rounding =
      4 * std::numeric_limits<double>::epsilon() * std::max(max_abs(box.min), max_abs(box.max));
  return std::max(tolerance * max_abs(difference(box.max, box.min)), rounding);
}

// Vertices that do not count as another, in the cells of a grid. Cells are so much larger than the
// tolerance that most vertices have all vertices within the tolerance in their own cell.
template <std::size_t D>
class RepresentativeGrid {
 public:
  explicit RepresentativeGrid(double tolerance)
      : tolerance_(tolerance), cell_size_(8 * tolerance), cells_(cell_positions_) {}

  /// The nearest representative within the tolerance; the vertex itself, which is added, if there
  /// is none.
  Index find_or_add(const std::vector<Point<D>>& vertices, Index vertex) {
    const Point<D>& position = vertices[vertex];
    std::optional<Index> nearest;
    double min_distance = tolerance_;
    for_each_cell_near(position, [&](const Point<D>& cell) {
      const std::optional<Index> number = cells_.find(cell);
      if (!number) return;
      for (const Index other : members_[*number]) {
        const double distance = length(difference(vertices[other], position));
        if (!(distance < min_distance || (distance == min_distance && !nearest))) continue;
        nearest = other;
        min_distance = distance;
      }
    });
    if (nearest) return *nearest;
    const Index number = cells_.weld(cell_of(position));
    if (number == members_.size()) members_.emplace_back();
    members_[number].push_back(vertex);
    return vertex;
  }

 private:
  [[nodiscard]] Point<D> cell_of(Point<D> position) const {
    for (double& x : position) x = std::floor(x / cell_size_);
    return position;
  }

  // Calls visit(cell) for the cells that are not farther away than the tolerance along any axis.
  template <class Visit>
  void for_each_cell_near(const Point<D>& position, const Visit& visit) const {
    Point<D> low = position;
    Point<D> high = position;
    for (std::size_t k = 0; k < D; ++k) {
      low[k] -= tolerance_;
      high[k] += tolerance_;
    }
    low = cell_of(low);
    high = cell_of(high);
    for (unsigned corner = 0; corner < (1U << D); ++corner) {
      Point<D> cell = low;
      bool is_new = true;
      for (std::size_t k = 0; k < D; ++k) {
        if ((corner >> k & 1U) == 0) continue;
        is_new = is_new && high[k] != low[k];
        cell[k] = high[k];
      }
      if (is_new) visit(cell);
    }
  }

  double tolerance_;
  double cell_size_;
  std::vector<Point<D>> cell_positions_;
  VertexWelder<D> cells_;
  std::vector<std::vector<Index>> members_;  // by cell
};

// For each vertex the one that it counts as.
template <std::size_t D>
std::vector<Index> representatives(const std::vector<Point<D>>& vertices, double distance) {
  std::vector<Index> order(vertices.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<Index> representative = order;
  if (distance == 0) return representative;
  std::ranges::sort(order, [&](Index a, Index b) { return vertices[a] < vertices[b]; });
  RepresentativeGrid<D> grid(distance);
  for (const Index vertex : order) representative[vertex] = grid.find_or_add(vertices, vertex);
  return representative;
}

void check_weld_tolerance(double tolerance) {
  if (!(tolerance >= 0 && tolerance <= 0.1))
    throw Error(ErrorCode::invalid_argument, {.key = "weld_tolerance", .value = message(tolerance)},
                "must be from 0 to 0.1");
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
Mesh<D> welded(const Mesh<D>& mesh, double tolerance) {
  check(mesh);
  check_weld_tolerance(tolerance);
  Mesh<D> result{{}, mesh.facets};
  VertexWelder<D> equal(result.vertices);
  for (auto& facet : result.facets)
    for (Index& vertex : facet) vertex = equal.weld(mesh.vertices[vertex]);
  const std::vector<Index> representative =
      representatives<D>(result.vertices, weld_distance<D>(result.vertices, tolerance));
  for (auto& facet : result.facets)
    for (Index& vertex : facet) vertex = representative[vertex];
  return result;
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
    is_duplicate[order[i]] =
        sorted[order[i]] == sorted[order[i - 1]] && !has_repeated_vertex<D>(sorted[order[i]]);
  return is_duplicate;
}

template void check(const Mesh<2>&);
template void check(const Mesh<3>&);
template Mesh<2> welded(const Mesh<2>&, double);
template Mesh<3> welded(const Mesh<3>&, double);
template bool is_degenerate(const std::array<Point<2>, 2>&);
template bool is_degenerate(const std::array<Point<3>, 3>&);
template std::vector<bool> find_duplicates(const std::vector<std::array<Index, 2>>&);
template std::vector<bool> find_duplicates(const std::vector<std::array<Index, 3>>&);

// A triangle with three collinear vertices has no area, but may connect two others; therefore its
// edges count. One with a repeated vertex connects nothing.
template <std::size_t D>
MeshReport inspect_mesh(const Mesh<D>& mesh, double weld_tolerance) {
  const Mesh<D> one = welded(mesh, weld_tolerance);
  const std::vector<bool> is_equal = find_duplicates<D>(welded(mesh, 0).facets);
  const std::vector<bool> is_duplicate = find_duplicates<D>(one.facets);
  MeshReport report;
  report.facets = one.facets.size();
  std::vector<FacetEdge> edges;
  for (std::size_t i = 0; i < report.facets; ++i) {
    const auto facet = static_cast<Index>(i);
    const bool is_redundant = is_duplicate[i] || has_repeated_vertex<D>(one.facets[i]);
    if (is_degenerate<D>(MeshBody<D>::facet_vertices(mesh, i)))
      report.degenerate.push_back(facet);
    else if (is_equal[i])
      report.duplicates.push_back(facet);
    else if (is_redundant)
      report.redundant.push_back(facet);
    if (!is_redundant) add_edges(one.facets[i], facet, edges);
  }
  count_edges<D>(edges, one.vertices, report);
  return report;
}

template MeshReport inspect_mesh(const Mesh<2>&, double);
template MeshReport inspect_mesh(const Mesh<3>&, double);

std::string open_edges_text(const MeshReport& report, std::size_t dimension) {
  const std::string facet = dimension == 2 ? "segment" : "triangle";
  if (report.facets == 0) return message("there are no ", facet, "s");
  std::string text =
      message(report.boundary_edges, dimension == 2 ? " vertices" : " edges",
              " belong to only one ", facet, ", ", report.nonmanifold_edges, " to more than two");
  if (!report.open_edge) return text;
  const auto position = [&](const Point<3>& point) {
    return message("(", point[0], ", ", point[1],
                   dimension == 2 ? std::string() : message(", ", point[2]), ")");
  };
  const auto& [from, to] = report.open_edge->ends;
  return message(text, "; the first is ", dimension == 2 ? "" : "the edge from ", position(from),
                 dimension == 2 ? std::string() : message(" to ", position(to)), " of ", facet, " ",
                 report.open_edge->facet);
}

}  // namespace abut
