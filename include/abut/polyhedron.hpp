#pragma once

#include <abut/common_plane.hpp>
#include <abut/mesh.hpp>
#include <abut/rigid_transform.hpp>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

namespace abut {

/// An edge of a polyhedron as one of its two faces has it.
struct HalfEdge {
  Index origin;  ///< the corner it begins at
  Index next;    ///< the half-edge after it around the face
  Index twin;    ///< the same edge of the other face
  Index face;    ///< on its left
};

/// A half-edge as the corner it begins at has it.
struct OutgoingEdge {
  Index target;  ///< the corner it ends at
  Index half_edge;
};

/// An edge and how its faces go on from it: what decides whether it is on top is one look away.
struct EdgeFan {
  Index origin;  ///< as the half-edge of the same number has it
  Index target;  ///< the corner it ends at
  Index left;    ///< the corner after that around its face
  Index right;   ///< of the face beyond it, the corner after `origin`
};

/// How the corners of a convex polyhedron hang together; all placed copies share one.
struct PolyhedronTopology {
  /// Face by face, counterclockwise seen from outside; those of face f are first[f] … first[f+1]−1.
  std::vector<HalfEdge> half_edges;
  std::vector<EdgeFan> edge_fans;  ///< by half-edge
  std::vector<Index> face_offsets;
  /// Corner by corner, counterclockwise; those of corner c are hub[c] … hub[c+1]−1.
  std::vector<OutgoingEdge> outgoing_edges;
  std::vector<Index> vertex_offsets;
  std::vector<Index> edges;  ///< one half-edge of every edge
  std::vector<std::array<Index, 3>>
      face_frames;             ///< by face: three of its corners that are far apart
  double bounding_radius = 0;  ///< of the sphere about the centroid that holds all corners

  [[nodiscard]] Index vertex_count() const { return static_cast<Index>(vertex_offsets.size() - 1); }
  [[nodiscard]] Index face_count() const { return static_cast<Index>(face_offsets.size() - 1); }
};

/// A polyhedron where it stands: what searches work on.
struct PolyhedronView {
  std::span<const Point<3>> vertices;
  const PolyhedronTopology* topology = nullptr;
  Point<3> centroid{};  ///< its centroid
};

/// A convex polyhedron.
///
///     const abut::Polyhedron cube({{0, 0, 0}, {1, 0, 0}, …});
///     std::vector<abut::Point<3>> pool(2 * cube.corners().size());
///     const auto a = cube.placed(abut::turned({0, 0, 0}, {0, 0, 1}, 0.3), pool);
///     const abut::CommonPlane<3> plane = abut::common_plane(a, b);
class Polyhedron {
 public:
  /// The hull of points. Points inside, on a face or on an edge are left out. `Error` names what no
  /// polyhedron can be made of: fewer than four points, a coordinate that is no number, all points
  /// in a plane, a size beyond 1e-30 … 1e30.
  explicit Polyhedron(std::span<const Point<3>> points);
  Polyhedron(std::initializer_list<Point<3>> points)
      : Polyhedron(std::span<const Point<3>>(points.begin(), points.size())) {}

  /// A closed mesh that is convex; it may face either way. `Error` if it is open or not convex.
  explicit Polyhedron(const Mesh<3>& mesh);

  [[nodiscard]] std::span<const Point<3>> vertices() const { return vertices_; }
  [[nodiscard]] const PolyhedronTopology& topology() const { return *topology_; }
  [[nodiscard]] Index face_count() const { return topology_->face_count(); }

  /// The corners of a face, counterclockwise seen from outside.
  [[nodiscard]] std::vector<Index> face_vertices(Index number) const;

  [[nodiscard]] double volume() const { return volume_; }
  [[nodiscard]] const Point<3>& centroid() const { return centroid_; }
  /// About the centroid, by rows, of a density of one.
  [[nodiscard]] const std::array<Point<3>, 3>& inertia() const { return inertia_; }
  /// Of the sphere about the centroid that holds it.
  [[nodiscard]] double bounding_radius() const { return topology_->bounding_radius; }

  /// As it was given.
  [[nodiscard]] PolyhedronView view() const { return {vertices_, topology_.get(), centroid_}; }

  /// Moved: its corners go to the front of `into`, which lives as long as the view does. `Error` if
  /// there is no room.
  [[nodiscard]] PolyhedronView transformed(const RigidTransform<3>& where,
                                           std::span<Point<3>> into) const;

 private:
  std::vector<Point<3>> vertices_;
  std::shared_ptr<const PolyhedronTopology> topology_;
  double volume_ = 0;
  Point<3> centroid_{};
  std::array<Point<3>, 3> inertia_{};
};

/// Convex polyhedra that together are what a closed mesh encloses. `Error` if planes through its
/// faces do not cut it into parts that have its volume.
std::vector<Polyhedron> convex_decomposition(const Mesh<3>& mesh);

/// The common plane of two polyhedra: where they are apart the gap is their distance; where they
/// overlap, the least of all ways out along a face or across two edges. Swapping a and b turns the
/// normal round. Where several planes see the same gap, it is one of them; of corner on corner, the
/// one across the line of centroids if that touches nothing else.
CommonPlane<3> common_plane(const PolyhedronView& a, const PolyhedronView& b);

/// The same, beginning with what was found before the two moved a little: while the same faces,
/// edges or corners face each other, that is all it looks at. Where they overlap it follows the way
/// out that it knows as long as that is short and shrinks in no direction.
CommonPlane<3> common_plane(const PolyhedronView& a, const PolyhedronView& b,
                            const CommonPlane<3>& previous);

/// What a common plane cuts out of both. Of bodies deep in each other it can cut nothing that they
/// share: then the area is 0, and the point is midway between where they would touch at last.
PlaneContact<3> plane_contact(const PolyhedronView& a, const PolyhedronView& b,
                              const CommonPlane<3>& plane);

}  // namespace abut
