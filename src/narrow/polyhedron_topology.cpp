// Half-edges from polygons: the twin of u→v is the half-edge v→u.
#include "narrow/polyhedron_topology.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <limits>
#include <tuple>

#include "core/message.hpp"
#include "core/vec.hpp"

namespace abut {
namespace {

constexpr Index no_index = std::numeric_limits<Index>::max();

void add_faces(PolyhedronTopology& all, const HullFaces& faces) {
  all.face_offsets.push_back(0);
  for (const auto& polygon : faces) {
    const auto face = static_cast<Index>(all.face_offsets.size() - 1);
    const auto begin = static_cast<Index>(all.half_edges.size());
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const auto next = begin + static_cast<Index>((k + 1) % polygon.size());
      all.half_edges.push_back({polygon[k], next, no_index, face});
    }
    all.face_offsets.push_back(static_cast<Index>(all.half_edges.size()));
  }
}

void add_twins(PolyhedronTopology& all) {
  const auto count = static_cast<Index>(all.half_edges.size());
  const auto ends = [&](Index h) {
    const Index u = all.half_edges[h].origin;
    const Index v = all.half_edges[all.half_edges[h].next].origin;
    return std::tuple(std::min(u, v), std::max(u, v), u);
  };
  std::vector<Index> order(count);
  for (Index h = 0; h < count; ++h) order[h] = h;
  std::ranges::sort(order, {}, ends);
  for (Index i = 0; i + 1 < count; i += 2) {
    const auto [u, v, from] = ends(order[i]);
    if (ends(order[i + 1]) != std::tuple(u, v, from == u ? v : u))
      throw Error(message("Qhull makes no closed hull of these points: the edge from ", u, " to ",
                          v, " has no second face"));
    all.half_edges[order[i]].twin = order[i + 1];
    all.half_edges[order[i + 1]].twin = order[i];
    all.edges.push_back(order[i]);
  }
}

void add_edge_fans(PolyhedronTopology& all) {
  const auto after = [&](Index h) { return all.half_edges[h].next; };
  const auto corner = [&](Index h) { return all.half_edges[h].origin; };
  for (Index h = 0; h < all.half_edges.size(); ++h)
    all.edge_fans.push_back({corner(h), corner(after(h)), corner(after(after(h))),
                             corner(after(after(all.half_edges[h].twin)))});
}

// Around a corner, the half-edge after h begins where the one that leads here on its face ends.
void add_outgoing_edges(PolyhedronTopology& all, std::size_t corners) {
  std::vector<Index> some(corners, no_index);
  std::vector<Index> before(all.half_edges.size());
  for (Index h = 0; h < before.size(); ++h) {
    some[all.half_edges[h].origin] = h;
    before[all.half_edges[h].next] = h;
  }
  all.vertex_offsets.push_back(0);
  for (std::size_t corner = 0; corner < corners; ++corner) {
    Index h = some[corner];
    do {
      all.outgoing_edges.push_back({all.half_edges[all.half_edges[h].next].origin, h});
      h = all.half_edges[before[h]].twin;
    } while (h != some[corner] && all.outgoing_edges.size() <= all.half_edges.size());
    all.vertex_offsets.push_back(static_cast<Index>(all.outgoing_edges.size()));
  }
}

// The corner farthest from the first, and the one farthest from the line of both.
std::array<Index, 3> face_frame(const std::vector<Index>& polygon,
                                std::span<const Point<3>> corners) {
  const Point<3>& origin = corners[polygon[0]];
  const auto from = [&](std::size_t k) { return difference(corners[polygon[k]], origin); };
  std::size_t second = 1;
  for (std::size_t k = 2; k < polygon.size(); ++k)
    if (length(from(k)) > length(from(second))) second = k;
  const Point<3> base = from(second);
  std::size_t third = second == 1 ? 2 : 1;
  for (std::size_t k = 1; k < polygon.size(); ++k)
    if (length(cross(base, from(k))) > length(cross(base, from(third)))) third = k;
  return {polygon[0], polygon[std::min(second, third)], polygon[std::max(second, third)]};
}

}  // namespace

PolyhedronTopology build_topology(const HullFaces& faces, std::span<const Point<3>> corners) {
  PolyhedronTopology all;
  add_faces(all, faces);
  add_twins(all);
  add_edge_fans(all);
  add_outgoing_edges(all, corners.size());
  if (all.vertex_count() + all.face_count() != all.edges.size() + 2)
    throw Error(message("Qhull makes no closed hull of these points: ", all.vertex_count(),
                        " corners, ", all.edges.size(), " edges and ", all.face_count(), " faces"));
  for (const auto& polygon : faces) all.face_frames.push_back(face_frame(polygon, corners));
  return all;
}

void remove_redundant_vertices(HullFaces& faces, std::vector<Point<3>>& points) {
  std::vector<int> used(points.size(), 0);
  for (const auto& polygon : faces)
    for (const Index corner : polygon) ++used[corner];
  std::vector<Index> number(points.size(), no_index);
  std::vector<Point<3>> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (used[i] < 3) continue;
    number[i] = static_cast<Index>(kept.size());
    kept.push_back(points[i]);
  }
  for (auto& polygon : faces) {
    std::erase_if(polygon, [&](Index corner) { return number[corner] == no_index; });
    for (Index& corner : polygon) corner = number[corner];
  }
  points = std::move(kept);
}

}  // namespace abut
