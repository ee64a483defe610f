// Separating axes, exact also where bodies overlap deeply (Gottschalk, Lin, Manocha: OBBTree, 1996;
// edges pruned by arcs on the Gauss map: Gregorius, GDC 2013).
//   d  depth of a plane that is known: the answer is no deeper
// What touches at a depth below d has a point within d of the other body, so only faces and edges
// that reach into a layer of 2d below the top of each body along the known normal are looked at:
// next to none where the overlap is shallow, all of them at worst. Two edges make a plane only if
// the arcs between the normals of their faces cross: signs of four products. Unlike in the
// references there is no fixed list of axes.
#include "narrow/separating_axes.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "narrow/support.hpp"
#include "narrow/topology.hpp"

namespace abut {
namespace {

struct NearEdge {
  Index half_edge;
  Point<3> p;
  Point<3> edge;
  Point<3> left;  // the normals of its faces
  Point<3> right;
};

// What of a body reaches into the layer. Kept from search to search, so that none allocates.
struct Layer {
  std::vector<std::uint8_t> corner_is_near;
  std::vector<std::uint8_t> face_is_known;
  std::vector<Point<3>> normals;  // by face
  std::vector<Index> faces;
  std::vector<NearEdge> edges;

  void fill(const PolyhedronView& body, const Point<3>& out, Index top, double depth);

 private:
  const Point<3>& normal_of(const PolyhedronView& body, Index face);
};

const Point<3>& Layer::normal_of(const PolyhedronView& body, Index face) {
  if (face_is_known[face] == 0) {
    face_is_known[face] = 1;
    normals[face] = face_normal(*body.topology, body.corners, face);
    faces.push_back(face);
  }
  return normals[face];
}

void Layer::fill(const PolyhedronView& body, const Point<3>& out, Index top, double depth) {
  const PolyhedronTopology& topology = *body.topology;
  const Index corners = topology.corners();
  corner_is_near.resize(corners);
  face_is_known.assign(topology.faces(), 0);
  normals.resize(topology.faces());
  faces.clear();
  edges.clear();
  const Point<3>& peak = body.corners[top];
  for (Index i = 0; i < corners; ++i)
    corner_is_near[i] =
        static_cast<std::uint8_t>(dot(out, difference(body.corners[i], peak)) >= -depth);
  for (Index i = 0; i < corners; ++i) {
    if (corner_is_near[i] == 0) continue;
    const Point<3>& p = body.corners[i];
    for (Index k = topology.hub[i]; k < topology.hub[i + 1]; ++k) {
      const Index h = topology.spokes[k].half_edge;
      const Point<3>& left = normal_of(body, topology.half_edges[h].face);
      const Index tip = topology.spokes[k].tip;
      if (corner_is_near[tip] != 0 && tip < i) continue;  // the edge was there already
      const Point<3>& right =
          normal_of(body, topology.half_edges[topology.half_edges[h].twin].face);
      edges.push_back({h, p, difference(body.corners[tip], p), left, right});
    }
  }
}

class AxisSearch {
 public:
  AxisSearch(const PolyhedronView& a, const PolyhedronView& b, const CommonPlane<3>& plane)
      : a_(a), b_(b), best_(plane), witness_a_(plane.a), witness_b_(plane.b) {}

  CommonPlane<3> best() {
    thread_local Layer layer_a;
    thread_local Layer layer_b;
    constexpr double unsure = 1e-9;  // touching bodies may be this far apart
    const double size = a_.topology->radius + b_.topology->radius;
    const double depth = 2 * std::max(-best_.gap, 0.0) + unsure * size;
    layer_a.fill(a_, best_.normal, best_.a, depth);
    layer_b.fill(b_, reversed(best_.normal), best_.b, depth);
    for (const Index face : layer_a.faces) try_face(a_, b_, face, layer_a.normals[face], false);
    for (const Index face : layer_b.faces) try_face(b_, a_, face, layer_b.normals[face], true);
    for (const NearEdge& edge : layer_a.edges)
      for (const NearEdge& other : layer_b.edges) try_edges(edge, other);
    return best_;
  }

 private:
  // Whether a plane with such a product of its normal and a way can have a gap above the best.
  [[nodiscard]] bool promises(double product, double square) const {
    const double needed = best_.gap * best_.gap * square;
    return best_.gap < 0 ? product >= 0 || product * product < needed
                         : product > 0 && product * product > needed;
  }

  void try_face(const PolyhedronView& x, const PolyhedronView& y, Index face,
                const Point<3>& normal, bool swapped) {
    const Index base = x.topology->frame[face][0];
    const Point<3>& p = x.corners[base];
    const double square = dot(normal, normal);
    Index& witness = swapped ? witness_a_ : witness_b_;
    if (!promises(dot(normal, difference(y.corners[witness], p)), square)) return;
    witness = support(y, reversed(normal), witness);
    const double product = dot(normal, difference(y.corners[witness], p));
    if (!promises(product, square)) return;
    const double per_length = 1 / std::sqrt(square);
    best_.gap = product * per_length;
    best_.normal = scaled(normal, swapped ? -per_length : per_length);
    best_.kind = swapped ? PlaneKind::side_b : PlaneKind::side_a;
    (swapped ? best_.part_b : best_.part_a) = face;
    best_.a = swapped ? witness : base;
    best_.b = swapped ? base : witness;
  }

  void try_edges(const NearEdge& x, const NearEdge& y) {
    const double left_x = dot(y.edge, x.left);
    const double right_x = dot(y.edge, x.right);
    if (left_x * right_x >= 0) return;
    const double left_y = dot(x.edge, y.left);
    const double right_y = dot(x.edge, y.right);
    if (left_y * right_y >= 0) return;
    // Where the arc of each crosses the other's great circle; the two must be on the same side.
    const Point<3> on_x = along(scaled(x.left, std::abs(right_x)), std::abs(left_x), x.right);
    const Point<3> on_y = along(scaled(y.left, std::abs(right_y)), std::abs(left_y), y.right);
    const Point<3> product = cross(x.edge, y.edge);
    const double out_x = dot(product, on_x);
    if ((out_x > 0) == (dot(product, on_y) > 0)) return;  // a product of the two could vanish
    const Point<3> normal = out_x < 0 ? reversed(product) : product;
    const double square = dot(normal, normal);
    const double way = dot(normal, difference(y.p, x.p));
    if (!promises(way, square)) return;
    const double per_length = 1 / std::sqrt(square);
    best_.gap = way * per_length;
    best_.normal = scaled(normal, per_length);
    best_.kind = PlaneKind::edges;
    best_.part_a = x.half_edge;
    best_.part_b = y.half_edge;
    best_.a = a_.topology->half_edges[x.half_edge].origin;
    best_.b = b_.topology->half_edges[y.half_edge].origin;
  }

  const PolyhedronView& a_;
  const PolyhedronView& b_;
  CommonPlane<3> best_;
  Index witness_a_;
  Index witness_b_;
};

}  // namespace

CommonPlane<3> separating_axes(const PolyhedronView& a, const PolyhedronView& b,
                               const CommonPlane<3>& plane) {
  return AxisSearch(a, b, plane).best();
}

}  // namespace abut
