// Separating axes, exact also where bodies overlap deeply (Gottschalk, Lin, Manocha: OBBTree, 1996;
// edges pruned by arcs on the Gauss map: Gregorius, GDC 2013).
//   d  depth of a plane that is known: the answer is no deeper
// What touches at a depth below d has a point within d of the other body, so only faces and edges
// that reach into a layer of 2d below the top of each body along the known normal are looked at:
// next to none where the overlap is shallow, all of them at worst. Two edges make a plane only if
// the arcs between the normals of their faces cross: signs of four products. Unlike in the
// references there is no fixed list of axes.
#include <cmath>
#include <cstdint>
#include <vector>

#include "narrow/common_plane_3d.hpp"
#include "narrow/polyhedron_geometry.hpp"
#include "narrow/polyhedron_topology.hpp"

namespace abut {
namespace {

struct CandidateEdge {
  Index half_edge;
  Point<3> origin;
  Point<3> direction;
  Point<3> left_normal;  // the normals of its faces
  Point<3> right_normal;
};

// What of a body reaches into the layer. Kept from search to search, so that none allocates.
struct CandidateLayer {
  std::vector<std::uint8_t> vertex_in_layer;
  std::vector<std::uint8_t> face_visited;
  std::vector<Point<3>> face_normals;  // by face
  std::vector<Index> faces;
  std::vector<CandidateEdge> edges;

  void collect(const PolyhedronView& body, const Point<3>& out, Index top, double depth);

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

void CandidateLayer::collect(const PolyhedronView& body, const Point<3>& out, Index top,
                             double depth) {
  const PolyhedronTopology& topology = *body.topology;
  const Index corners = topology.vertex_count();
  vertex_in_layer.resize(corners);
  face_visited.assign(topology.face_count(), 0);
  face_normals.resize(topology.face_count());
  faces.clear();
  edges.clear();
  const Point<3>& peak = body.vertices[top];
  for (Index i = 0; i < corners; ++i)
    vertex_in_layer[i] =
        static_cast<std::uint8_t>(dot(out, difference(body.vertices[i], peak)) >= -depth);
  for (Index i = 0; i < corners; ++i) {
    if (vertex_in_layer[i] == 0) continue;
    const Point<3>& p = body.vertices[i];
    for (Index k = topology.vertex_offsets[i]; k < topology.vertex_offsets[i + 1]; ++k) {
      const Index h = topology.outgoing_edges[k].half_edge;
      const Point<3>& left = visit_face(body, topology.half_edges[h].face);
      const Index tip = topology.outgoing_edges[k].target;
      if (vertex_in_layer[tip] != 0 && tip < i) continue;  // the edge was there already
      const Point<3>& right =
          visit_face(body, topology.half_edges[topology.half_edges[h].twin].face);
      edges.push_back({h, p, difference(body.vertices[tip], p), left, right});
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
    constexpr double unsure = 1e-9;  // touching bodies may be this far apart
    const double size = a_.topology->bounding_radius + b_.topology->bounding_radius;
    const double depth = 2 * std::max(-best_.gap, 0.0) + unsure * size;
    layer_a.collect(a_, best_.normal, best_.vertex_a, depth);
    layer_b.collect(b_, reversed(best_.normal), best_.vertex_b, depth);
    for (const Index face : layer_a.faces)
      try_face(a_, b_, face, layer_a.face_normals[face], false);
    for (const Index face : layer_b.faces) try_face(b_, a_, face, layer_b.face_normals[face], true);
    for (const CandidateEdge& edge : layer_a.edges)
      for (const CandidateEdge& other : layer_b.edges) try_edges(edge, other);
    return best_;
  }

 private:
  // Whether a plane with such a product of its normal and a way can have a gap above the best.
  [[nodiscard]] bool can_improve(double product, double square) const {
    const double needed = best_.gap * best_.gap * square;
    return best_.gap < 0 ? product >= 0 || product * product < needed
                         : product > 0 && product * product > needed;
  }

  void try_face(const PolyhedronView& x, const PolyhedronView& y, Index face,
                const Point<3>& normal, bool swapped) {
    const Index base = x.topology->face_frames[face][0];
    const Point<3>& p = x.vertices[base];
    const double square = dot(normal, normal);
    Index& witness = swapped ? support_a_ : support_b_;
    if (!can_improve(dot(normal, difference(y.vertices[witness], p)), square)) return;
    witness = support_vertex(y, reversed(normal), witness);
    const double product = dot(normal, difference(y.vertices[witness], p));
    if (!can_improve(product, square)) return;
    const double per_length = 1 / std::sqrt(square);
    best_.gap = product * per_length;
    best_.normal = scaled(normal, swapped ? -per_length : per_length);
    best_.kind = swapped ? PlaneKind::face_b : PlaneKind::face_a;
    (swapped ? best_.feature_b : best_.feature_a) = face;
    best_.vertex_a = swapped ? witness : base;
    best_.vertex_b = swapped ? base : witness;
  }

  void try_edges(const CandidateEdge& x, const CandidateEdge& y) {
    const double left_x = dot(y.direction, x.left_normal);
    const double right_x = dot(y.direction, x.right_normal);
    if (left_x * right_x >= 0) return;
    const double left_y = dot(x.direction, y.left_normal);
    const double right_y = dot(x.direction, y.right_normal);
    if (left_y * right_y >= 0) return;
    // Where the arc of each crosses the other's great circle; the two must be on the same side.
    const Point<3> on_x =
        add_scaled(scaled(x.left_normal, std::abs(right_x)), std::abs(left_x), x.right_normal);
    const Point<3> on_y =
        add_scaled(scaled(y.left_normal, std::abs(right_y)), std::abs(left_y), y.right_normal);
    const Point<3> product = cross(x.direction, y.direction);
    const double out_x = dot(product, on_x);
    if ((out_x > 0) == (dot(product, on_y) > 0)) return;  // a product of the two could vanish
    const Point<3> normal = out_x < 0 ? reversed(product) : product;
    const double square = dot(normal, normal);
    const double way = dot(normal, difference(y.origin, x.origin));
    if (!can_improve(way, square)) return;
    const double per_length = 1 / std::sqrt(square);
    best_.gap = way * per_length;
    best_.normal = scaled(normal, per_length);
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
