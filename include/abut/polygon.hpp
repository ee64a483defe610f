#pragma once

#include <abut/common_plane.hpp>
#include <abut/export.hpp>
#include <abut/rigid_transform.hpp>
#include <span>
#include <vector>

namespace abut {

/// A convex polygon at its current position, without ownership of its vertices: the input of the
/// narrow phase. At least three vertices, counterclockwise. Nothing is checked here; `Polygon`
/// makes views of checked vertices.
struct PolygonView {
  std::span<const Point<2>> vertices;
  Point<2> centroid{};
};

/// A convex polygon, checked when it is constructed. Using one that has been moved from throws
/// `Error`.
class ABUT_API Polygon {
 public:
  /// The vertices may be given in either orientation and are stored counterclockwise. Vertices that
  /// are collinear with their neighbors up to rounding are omitted. Throws `Error` for fewer than
  /// three vertices, coordinates that are not finite or exceed 1e150, an extent below 1e-150,
  /// repeated vertices, zero area, self-intersections and reflex vertices (see
  /// `convex_decomposition`). O(n log n) for n vertices.
  explicit Polygon(std::span<const Point<2>> vertices);

  [[nodiscard]] std::span<const Point<2>> vertices() const { return view().vertices; }
  [[nodiscard]] double area() const { return checked().area_; }
  [[nodiscard]] const Point<2>& centroid() const { return checked().centroid_; }
  /// Polar second moment of area about the centroid: the moment of inertia for unit density.
  [[nodiscard]] double inertia() const { return checked().inertia_; }
  /// Radius of the circle about the centroid that encloses all vertices, for the broad phase.
  [[nodiscard]] double bounding_radius() const { return checked().bounding_radius_; }

  /// The polygon as constructed. Valid while the polygon exists.
  [[nodiscard]] PolygonView view() const {
    (void)checked();
    return {vertices_, centroid_};
  }

  /// The transformed polygon. Writes its vertices to the front of `buffer`, which must outlive the
  /// view; a simulation keeps the vertices of all polygons in one array for locality. Throws
  /// `Error` if the buffer is too small.
  [[nodiscard]] PolygonView transformed(const RigidTransform<2>& transform,
                                        std::span<Point<2>> buffer) const;

 private:
  [[nodiscard]] const Polygon& checked() const {
    if (vertices_.empty()) throw_moved_from();
    return *this;
  }
  [[noreturn]] static void throw_moved_from();

  std::vector<Point<2>> vertices_;
  Point<2> centroid_{};
  double area_ = 0;
  double inertia_ = 0;
  double bounding_radius_ = 0;
};

/// Decomposes a simple polygon, convex or concave, into convex polygons that share edges, cover it
/// exactly and use only its vertices. At most four times as many parts as the optimum. Throws
/// `Error` as `Polygon` does, except for reflex vertices. O(n log n) for most outlines.
ABUT_API std::vector<Polygon> convex_decomposition(std::span<const Point<2>> vertices);

/// The common plane of two polygons, found without history. For overlapping polygons it is the best
/// of all separating axes; among equally good ones, e.g. for symmetric vertex-vertex contacts, the
/// first one counterclockwise from the line of centroids. O(n_a + n_b).
ABUT_API CommonPlane<2> common_plane(const PolygonView& a, const PolygonView& b);

/// The same, warm-started with the plane of a previous position; O(1) for small motions. For
/// separated polygons any plane may be given and the result is that of the cold start. For
/// overlapping ones the search follows the local maximum the given plane belongs to, so that the
/// normal does not flip; for deep penetration this need not be the global maximum.
ABUT_API CommonPlane<2> common_plane(const PolygonView& a, const PolygonView& b,
                                     const CommonPlane<2>& previous);

/// The section of both polygons with their common plane. Without overlap its length is 0 and the
/// point is the midpoint between the closest features.
ABUT_API PlaneContact<2> plane_contact(const PolygonView& a, const PolygonView& b,
                                       const CommonPlane<2>& plane);

}  // namespace abut
