#pragma once

#include <abut/common_plane.hpp>
#include <abut/export.hpp>
#include <abut/mesh.hpp>
#include <abut/rigid_transform.hpp>
#include <array>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

namespace abut {

struct PolyhedronTopology;  // half-edges, shared by all transformed copies of a polyhedron

/// A convex polyhedron at its current position, without ownership of its vertices and topology: the
/// input of the narrow phase. `Polyhedron` makes such views; only the vertices and the centroid of
/// a view may be replaced, by those of the same shape elsewhere.
struct PolyhedronView {
  std::span<const Point<3>> vertices;
  const PolyhedronTopology* topology = nullptr;
  Point<3> centroid{};
};

/// A convex polyhedron, checked when it is constructed. Using one that has been moved from throws
/// `Error`.
///
///     const abut::Polyhedron cube({{0, 0, 0}, {1, 0, 0}, …});
///     std::vector<abut::Point<3>> vertices(cube.vertices().size());
///     const abut::PolyhedronView b =
///         cube.transformed(abut::rotation_about({0, 0, 0}, {0, 0, 1}, 0.3), vertices);
///     const abut::CommonPlane<3> plane = abut::common_plane(cube.view(), b);
class ABUT_API Polyhedron {
 public:
  /// The convex hull of points. Points inside the hull, on a face or on an edge are omitted. Throws
  /// `Error` for fewer than four points, coordinates that are not finite, coplanar points, an
  /// extent outside 1e-30 … 1e30, and always if abut was built without Qhull. O(n log n) for n
  /// points.
  explicit Polyhedron(std::span<const Point<3>> points);
  Polyhedron(std::initializer_list<Point<3>> points)
      : Polyhedron(std::span<const Point<3>>(points.begin(), points.size())) {}

  /// A closed convex mesh of either orientation. Coplanar triangles become one face. Does not need
  /// Qhull. Throws `Error` if the mesh is open or not convex.
  explicit Polyhedron(const Mesh<3>& mesh);

  [[nodiscard]] std::span<const Point<3>> vertices() const { return view().vertices; }
  [[nodiscard]] Index face_count() const;

  /// Vertex indices of a face, counterclockwise seen from outside. Throws `Error` if there is no
  /// such face.
  [[nodiscard]] std::vector<Index> face_vertices(Index face) const;

  [[nodiscard]] double volume() const { return checked().volume_; }
  [[nodiscard]] const Point<3>& centroid() const { return checked().centroid_; }
  /// Inertia tensor about the centroid for unit density, by rows.
  [[nodiscard]] const std::array<Point<3>, 3>& inertia() const { return checked().inertia_; }
  /// Radius of the sphere about the centroid that encloses all vertices, for the broad phase.
  [[nodiscard]] double bounding_radius() const { return checked().bounding_radius_; }

  /// The polyhedron as constructed. Valid while the polyhedron exists.
  [[nodiscard]] PolyhedronView view() const {
    (void)checked();
    return {vertices_, topology_.get(), centroid_};
  }

  /// The transformed polyhedron. Writes its vertices to the front of `buffer`; the buffer and the
  /// polyhedron must outlive the view. Throws `Error` if the buffer is too small.
  [[nodiscard]] PolyhedronView transformed(const RigidTransform<3>& transform,
                                           std::span<Point<3>> buffer) const;

 private:
  /// Faces are polygons of vertex indices, counterclockwise seen from outside.
  void build(std::vector<Point<3>> vertices, std::vector<std::vector<Index>> faces);
  [[nodiscard]] const Polyhedron& checked() const {
    if (!topology_) throw_moved_from();
    return *this;
  }
  [[noreturn]] static void throw_moved_from();

  std::vector<Point<3>> vertices_;
  std::shared_ptr<const PolyhedronTopology> topology_;
  double volume_ = 0;
  Point<3> centroid_{};
  std::array<Point<3>, 3> inertia_{};
  double bounding_radius_ = 0;
};

/// Decomposes the body enclosed by a closed mesh into convex polyhedra. Throws `Error` if cuts
/// along the planes of its facets do not yield parts whose volumes sum to that of the mesh. Concave
/// meshes need Qhull.
ABUT_API std::vector<Polyhedron> convex_decomposition(const Mesh<3>& mesh);

/// The common plane of two polyhedra, found without history. For overlapping polyhedra it is the
/// best of all separating axes: the normals of faces and the cross products of edges. Swapping a
/// and b reverses the normal exactly. Among planes with equal gaps any may be returned; for two
/// vertices that coincide and touch nothing else, the plane normal to the line of centroids.
ABUT_API CommonPlane<3> common_plane(const PolyhedronView& a, const PolyhedronView& b);

/// The same, warm-started with the plane of a previous position; O(1) while the same features face
/// each other. For overlapping polyhedra it returns a plane of minimum penetration, as the cold
/// start does.
ABUT_API CommonPlane<3> common_plane(const PolyhedronView& a, const PolyhedronView& b,
                                     const CommonPlane<3>& previous);

/// The section of both polyhedra with their common plane. Without overlap its area is 0 and the
/// point is the centroid of the closest features. For deep penetration the plane may miss the
/// intersection of the two; then the area is 0 and the point lies midway between the features that
/// touch last when the two are separated along the normal.
ABUT_API PlaneContact<3> plane_contact(const PolyhedronView& a, const PolyhedronView& b,
                                       const CommonPlane<3>& plane);

}  // namespace abut
