// Exhaustive search over separating axes, exact also for deep penetration (Gottschalk, Lin,
// Manocha: OBBTree, 1996; edge pairs pruned by arcs on the Gauss map: Gregorius, GDC 2013).
//   d  penetration depth of a known plane: an upper bound of the minimum
// Features that define a plane with a smaller depth have a point within d of the other body. So
// only faces and edges that reach into a layer of thickness 2d below the top of each body along the
// known normal are tested: almost none for shallow penetration, all of them at worst. Two edges
// define a plane only if the arcs between the normals of their faces cross, which the signs of four
// products show. Unlike in the references there is no fixed list of axes.
#include <cmath>
#include <cstdint>
#include <vector>

#include "narrow/common_plane_3d.hpp"

namespace abut {
namespace {

struct CandidateEdge {
  Index half_edge;
  Point<3> origin;
  Point<3> direction;
  Point<3> left_normal;  // of the adjacent faces
  Point<3> right_normal;
};

// The features of a body that reach into the layer. Reused between searches to avoid allocations.
struct CandidateLayer {
  std::vector<std::uint8_t> vertex_in_layer;
  std::vector<std::uint8_t> face_visited;
  std::vector<Point<3>> face_normals;  // of visited faces
  std::vector<Index> faces;            // visited
  std::vector<CandidateEdge> edges;

  void collect(const PolyhedronView& body, const Point<3>& outward, Index top, double depth);

 private:
  const Point<3>& visit_face(const PolyhedronView& body, Index face);
};

const Point<3>& CandidateLayer::visit_face(const PolyhedronView& body, Index face) {
  if (face_visited[face] == 0) {
    face_visited[face] = 1;
    face_normals[face] = face_normal(*body.topology, body.vertices, face);
    faces.push_back(face);
  }
  return face_normals[face];
}

void CandidateLayer::collect(const PolyhedronView& body, const Point<3>& outward, Index top,
                             double depth) {
  const PolyhedronTopology& topology = *body.topology;
  const Index vertex_count = topology.vertex_count();
  vertex_in_layer.resize(vertex_count);
  face_visited.assign(topology.face_count(), 0);
  face_normals.resize(topology.face_count());
  faces.clear();
  edges.clear();
  const Point<3>& peak = body.vertices[top];
  for (Index i = 0; i < vertex_count; ++i)
    vertex_in_layer[i] =
        static_cast<std::uint8_t>(dot(outward, difference(body.vertices[i], peak)) >= -depth);
  for (Index i = 0; i < vertex_count; ++i) {
    if (vertex_in_layer[i] == 0) continue;
    const Point<3>& origin = body.vertices[i];
    for (Index k = topology.vertex_offsets[i]; k < topology.vertex_offsets[i + 1]; ++k) {
      const Index h = topology.outgoing_edges[k].half_edge;
      const Point<3>& left = visit_face(body, topology.half_edges[h].face);
      const Index target = topology.outgoing_edges[k].target;
      if (vertex_in_layer[target] != 0 && target < i) continue;  // already collected
      const Point<3>& right =
          visit_face(body, topology.half_edges[topology.half_edges[h].twin].face);
      edges.push_back({h, origin, difference(body.vertices[target], origin), left, right});
    }
  }
}

class AxisSearch {
 public:
  AxisSearch(const PolyhedronView& a, const PolyhedronView& b, const CommonPlane<3>& plane)
      : a_(a), b_(b), best_(plane), support_a_(plane.vertex_a), support_b_(plane.vertex_b) {}

  CommonPlane<3> find_best() {
    thread_local CandidateLayer layer_a;
    thread_local CandidateLayer layer_b;
    constexpr double uncertainty = 1e-9;  // of the size: touching bodies may be separated by this
    const double size = a_.topology->bounding_radius + b_.topology->bounding_radius;
    const double depth = 2 * std::max(-best_.gap, 0.0) + uncertainty * size;
    layer_a.collect(a_, best_.normal, best_.vertex_a, depth);
    layer_b.collect(b_, reversed(best_.normal), best_.vertex_b, depth);
    for (const Index face : layer_a.faces)
      try_face(a_, b_, face, layer_a.face_normals[face], false);
    for (const Index face : layer_b.faces) try_face(b_, a_, face, layer_b.face_normals[face], true);
    for (const CandidateEdge& edge_a : layer_a.edges)
      for (const CandidateEdge& edge_b : layer_b.edges) try_edges(edge_a, edge_b);
    return best_;
  }

 private:
  // Whether a plane whose gap is at most scaled_gap / |normal| can be better than the best.
  [[nodiscard]] bool can_improve(double scaled_gap, double normal_squared) const {
    const double needed = best_.gap * best_.gap * normal_squared;
    return best_.gap < 0 ? scaled_gap >= 0 || scaled_gap * scaled_gap < needed
                         : scaled_gap > 0 && scaled_gap * scaled_gap > needed;
  }

  void try_face(const PolyhedronView& x, const PolyhedronView& y, Index face,
                const Point<3>& normal, bool swapped) {
    const Index base = x.topology->face_frames[face][0];
    const Point<3>& origin = x.vertices[base];
    const double normal_squared = dot(normal, normal);
    Index& support = swapped ? support_a_ : support_b_;
    if (!can_improve(dot(normal, difference(y.vertices[support], origin)), normal_squared)) return;
    support = support_vertex(y, reversed(normal), support);
    const double scaled_gap = dot(normal, difference(y.vertices[support], origin));
    if (!can_improve(scaled_gap, normal_squared)) return;
    const double inverse_length = 1 / std::sqrt(normal_squared);
    best_.gap = scaled_gap * inverse_length;
    best_.normal = scaled(normal, swapped ? -inverse_length : inverse_length);
    best_.kind = swapped ? PlaneKind::face_b : PlaneKind::face_a;
    (swapped ? best_.feature_b : best_.feature_a) = face;
    best_.vertex_a = swapped ? support : base;
    best_.vertex_b = swapped ? base : support;
  }

  void try_edges(const CandidateEdge& x, const CandidateEdge& y) {
    const double left_x = dot(y.direction, x.left_normal);
    const double right_x = dot(y.direction, x.right_normal);
    if (left_x * right_x >= 0) return;
    const double left_y = dot(x.direction, y.left_normal);
    const double right_y = dot(x.direction, y.right_normal);
    if (left_y * right_y >= 0) return;
    // The points where each arc crosses the other's great circle must lie on the same side.
    const Point<3> on_x =
        add_scaled(scaled(x.left_normal, std::abs(right_x)), std::abs(left_x), x.right_normal);
    const Point<3> on_y =
        add_scaled(scaled(y.left_normal, std::abs(right_y)), std::abs(left_y), y.right_normal);
    const Point<3> product = cross(x.direction, y.direction);
    const double side_x = dot(product, on_x);
    // Signs are compared one by one: their product could underflow.
    if ((side_x > 0) == (dot(product, on_y) > 0)) return;
    const Point<3> normal = side_x < 0 ? reversed(product) : product;
    const double normal_squared = dot(normal, normal);
    const double scaled_gap = dot(normal, difference(y.origin, x.origin));
    if (!can_improve(scaled_gap, normal_squared)) return;
    const double inverse_length = 1 / std::sqrt(normal_squared);
    best_.gap = scaled_gap * inverse_length;
    best_.normal = scaled(normal, inverse_length);
    best_.kind = PlaneKind::edges;
    best_.feature_a = x.half_edge;
    best_.feature_b = y.half_edge;
    best_.vertex_a = a_.topology->half_edges[x.half_edge].origin;
    best_.vertex_b = b_.topology->half_edges[y.half_edge].origin;
  }

  const PolyhedronView& a_;
  const PolyhedronView& b_;
  CommonPlane<3> best_;
  Index support_a_;
  Index support_b_;
};

}  // namespace

CommonPlane<3> search_separating_axes(const PolyhedronView& a, const PolyhedronView& b,
                                      const CommonPlane<3>& plane) {
  return AxisSearch(a, b, plane).find_best();
}

}  // namespace abut
