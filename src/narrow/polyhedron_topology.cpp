// Connectivity of convex polyhedra from polygons of vertex indices, and faces from the triangles of
// convex meshes.
#include "narrow/polyhedron_topology.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "core/message.hpp"
#include "core/vec.hpp"

namespace abut {
namespace {

constexpr Index no_index = std::numeric_limits<Index>::max();

void add_faces(PolyhedronTopology& topology, const FaceLoops& faces) {
  topology.face_offsets.push_back(0);
  for (const auto& polygon : faces) {
    const auto face = static_cast<Index>(topology.face_offsets.size() - 1);
    const auto begin = static_cast<Index>(topology.half_edges.size());
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const auto next = begin + static_cast<Index>((k + 1) % polygon.size());
      topology.half_edges.push_back({polygon[k], next, no_index, face});
    }
    topology.face_offsets.push_back(static_cast<Index>(topology.half_edges.size()));
  }
}

// The twin of the half-edge u → v is v → u.
void add_twins(PolyhedronTopology& topology) {
  auto& half_edges = topology.half_edges;
  const auto count = static_cast<Index>(half_edges.size());
  const auto ends = [&](Index h) {
    const Index u = half_edges[h].origin;
    const Index v = half_edges[half_edges[h].next].origin;
    return std::tuple(std::min(u, v), std::max(u, v), u);
  };
  std::vector<Index> order(count);
  for (Index h = 0; h < count; ++h) order[h] = h;
  std::ranges::sort(order, {}, ends);
  for (Index i = 0; i + 1 < count; i += 2) {
    const auto [u, v, from] = ends(order[i]);
    if (ends(order[i + 1]) != std::tuple(u, v, from == u ? v : u))
      throw Error(message("the hull of these points is not closed: the edge from vertex ", u,
                          " to vertex ", v, " has no second face"));
    half_edges[order[i]].twin = order[i + 1];
    half_edges[order[i + 1]].twin = order[i];
    topology.edges.push_back(order[i]);
  }
}

void add_edge_fans(PolyhedronTopology& topology) {
  const auto& half_edges = topology.half_edges;
  const auto next = [&](Index h) { return half_edges[h].next; };
  const auto origin = [&](Index h) { return half_edges[h].origin; };
  for (Index h = 0; h < half_edges.size(); ++h)
    topology.edge_fans.push_back({origin(h), origin(next(h)), origin(next(next(h))),
                                  origin(next(next(half_edges[h].twin)))});
}

// Counterclockwise around a vertex, the half-edge after h is the twin of the one before h in its
// face.
void add_outgoing_edges(PolyhedronTopology& topology, std::size_t vertex_count) {
  const auto& half_edges = topology.half_edges;
  std::vector<Index> any_outgoing(vertex_count, no_index);
  std::vector<Index> previous(half_edges.size());
  for (Index h = 0; h < previous.size(); ++h) {
    any_outgoing[half_edges[h].origin] = h;
    previous[half_edges[h].next] = h;
  }
  topology.vertex_offsets.push_back(0);
  for (std::size_t vertex = 0; vertex < vertex_count; ++vertex) {
    Index h = any_outgoing[vertex];
    do {
      topology.outgoing_edges.push_back({half_edges[half_edges[h].next].origin, h});
      h = half_edges[previous[h]].twin;
    } while (h != any_outgoing[vertex] && topology.outgoing_edges.size() <= half_edges.size());
    topology.vertex_offsets.push_back(static_cast<Index>(topology.outgoing_edges.size()));
  }
}

// The first vertex, the one farthest from it, and the one farthest from the line of both.
std::array<Index, 3> face_frame(const std::vector<Index>& polygon,
                                std::span<const Point<3>> vertices) {
  const Point<3>& origin = vertices[polygon[0]];
  const auto from_origin = [&](std::size_t k) { return difference(vertices[polygon[k]], origin); };
  std::size_t second = 1;
  for (std::size_t k = 2; k < polygon.size(); ++k)
    if (length(from_origin(k)) > length(from_origin(second))) second = k;
  const Point<3> base = from_origin(second);
  std::size_t third = second == 1 ? 2 : 1;
  for (std::size_t k = 1; k < polygon.size(); ++k)
    if (length(cross(base, from_origin(k))) > length(cross(base, from_origin(third)))) third = k;
  return {polygon[0], polygon[std::min(second, third)], polygon[std::max(second, third)]};
}

// ---- faces of convex meshes

using Facet = std::array<Index, 3>;

Point<3> facet_normal(const Facet& facet, std::span<const Point<3>> vertices) {
  const Point<3>& origin = vertices[facet[0]];
  return cross(difference(vertices[facet[1]], origin), difference(vertices[facet[2]], origin));
}

bool has_directed_edge(const Facet& facet, Index from, Index to) {
  return (facet[0] == from && facet[1] == to) || (facet[1] == from && facet[2] == to) ||
         (facet[2] == from && facet[0] == to);
}

// The facets next to each edge, by its ends in ascending order.
std::map<std::pair<Index, Index>, std::vector<std::size_t>> facets_by_edge(
    const std::vector<Facet>& facets) {
  std::map<std::pair<Index, Index>, std::vector<std::size_t>> adjacent;
  for (std::size_t i = 0; i < facets.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      adjacent[std::minmax({facets[i][k], facets[i][(k + 1) % 3]})].push_back(i);
  return adjacent;
}

// The boundary of a connected set of facets with the same orientation, as one loop of vertices.
std::vector<Index> boundary_loop(const std::vector<Facet>& facets,
                                 const std::vector<std::size_t>& members) {
  std::map<Index, Index> next;
  std::map<std::pair<Index, Index>, int> uses;
  for (const std::size_t i : members)
    for (std::size_t k = 0; k < 3; ++k) ++uses[{facets[i][k], facets[i][(k + 1) % 3]}];
  for (const auto& [edge, count] : uses)
    if (!uses.contains({edge.second, edge.first})) next.insert(edge);
  std::vector<Index> loop;
  if (next.empty()) return loop;
  Index vertex = next.begin()->first;
  do {
    loop.push_back(vertex);
    const auto found = next.find(vertex);
    if (found == next.end()) return {};
    vertex = found->second;
  } while (vertex != loop.front() && loop.size() <= next.size());
  return loop.size() == next.size() ? loop : std::vector<Index>{};
}

}  // namespace

// NOLINTNEXTLINE(readability-function-cognitive-complexity): one loop that grows face by face
FaceLoops merge_coplanar_facets(std::vector<Facet> facets, std::span<const Point<3>> vertices) {
  constexpr double relative_tolerance = 1e-10;
  Point<3> interior{};
  for (const Point<3>& vertex : vertices)
    interior = add_scaled(interior, 1 / static_cast<double>(vertices.size()), vertex);
  double extent = 0;
  for (const Point<3>& vertex : vertices)
    extent = std::max(extent, max_abs(difference(vertex, interior)));

  const auto adjacent = facets_by_edge(facets);
  // Larger facets first: their planes are more accurate.
  std::vector<std::size_t> order(facets.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) {
    return length(facet_normal(facets[i], vertices));
  });
  std::vector<bool> used(facets.size(), false);
  FaceLoops faces;
  for (const std::size_t seed : order) {
    if (used[seed]) continue;
    const Point<3>& origin = vertices[facets[seed][0]];
    Point<3> normal = normalized(facet_normal(facets[seed], vertices));
    if (dot(normal, difference(origin, interior)) < 0) {
      std::swap(facets[seed][1], facets[seed][2]);
      normal = scaled(normal, -1);
    }
    const auto is_in_plane = [&](const Facet& facet) {
      return std::ranges::all_of(facet, [&](Index vertex) {
        return std::abs(dot(normal, difference(vertices[vertex], origin))) <=
               relative_tolerance * extent;
      });
    };
    used[seed] = true;
    std::vector<std::size_t> members{seed};
    for (std::size_t m = 0; m < members.size(); ++m) {
      const Facet facet = facets[members[m]];
      for (std::size_t k = 0; k < 3; ++k) {
        const Index from = facet[k];
        const Index to = facet[(k + 1) % 3];
        for (const std::size_t neighbor : adjacent.at(std::minmax({from, to}))) {
          if (used[neighbor] || !is_in_plane(facets[neighbor])) continue;
          if (has_directed_edge(facets[neighbor], from, to))  // make the orientations agree
            std::swap(facets[neighbor][1], facets[neighbor][2]);
          used[neighbor] = true;
          members.push_back(neighbor);
        }
      }
    }
    faces.push_back(boundary_loop(facets, members));
    if (faces.back().size() < 3)
      throw Error("the coplanar facets of the mesh do not form polygons; it is not convex");
  }
  return faces;
}

PolyhedronTopology build_topology(const FaceLoops& faces, std::span<const Point<3>> vertices) {
  PolyhedronTopology topology;
  add_faces(topology, faces);
  add_twins(topology);
  add_edge_fans(topology);
  add_outgoing_edges(topology, vertices.size());
  if (topology.vertex_count() + topology.face_count() != topology.edges.size() + 2)  // Euler
    throw Error(message("the hull of these points is not closed: ", topology.vertex_count(),
                        " vertices, ", topology.edges.size(), " edges and ", topology.face_count(),
                        " faces"));
  for (const auto& polygon : faces) topology.face_frames.push_back(face_frame(polygon, vertices));
  return topology;
}

void remove_redundant_vertices(FaceLoops& faces, std::vector<Point<3>>& points) {
  std::vector<int> face_count(points.size(), 0);
  for (const auto& polygon : faces)
    for (const Index vertex : polygon) ++face_count[vertex];
  std::vector<Index> new_index(points.size(), no_index);
  std::vector<Point<3>> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (face_count[i] < 3) continue;
    new_index[i] = static_cast<Index>(kept.size());
    kept.push_back(points[i]);
  }
  for (auto& polygon : faces) {
    std::erase_if(polygon, [&](Index vertex) { return new_index[vertex] == no_index; });
    for (Index& vertex : polygon) vertex = new_index[vertex];
  }
  points = std::move(kept);
}

}  // namespace abut
