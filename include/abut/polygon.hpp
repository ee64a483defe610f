#pragma once

#include <abut/common_plane.hpp>
#include <abut/rigid_transform.hpp>
#include <span>
#include <vector>

namespace abut {

/// A convex polygon where it stands: what common planes are searched between. The corners go round
/// counterclockwise, and there are at least three; the centre is the centroid. Nothing is checked
/// here: `Polygon` makes such views of corners that were.
struct PolygonView {
  std::span<const Point<2>> vertices;
  Point<2> centroid{};
};

/// A convex polygon, checked once.
class Polygon {
 public:
  /// Corners in either order; those given clockwise are turned round. A corner on the line between
  /// its neighbours, as far as doubles can tell, is left out. Throws `Error` in one line for fewer
  /// than three corners, coordinates that are not finite or beyond 1e150, a size below 1e-150,
  /// a repeated corner, no area, sides that cross, and corners that turn inwards (see
  /// `convex_decomposition`).
  explicit Polygon(std::span<const Point<2>> corners);

  [[nodiscard]] std::span<const Point<2>> vertices() const { return vertices_; }
  [[nodiscard]] double area() const { return area_; }
  [[nodiscard]] const Point<2>& centroid() const { return centroid_; }
  /// The polar second moment of area about the centroid: the inertia at density one.
  [[nodiscard]] double inertia() const { return inertia_; }
  /// Of the circle about the centroid that holds all corners: what the search for pairs needs.
  [[nodiscard]] double bounding_radius() const { return bounding_radius_; }

  /// As it was given. Valid as long as the polygon.
  [[nodiscard]] PolygonView view() const { return {vertices_, centroid_}; }

  /// As it stands elsewhere, its corners written to the front of `into`: a simulation keeps those
  /// of all its polygons in one array, so that neighbours in it are neighbours in memory.
  [[nodiscard]] PolygonView transformed(const RigidTransform<2>& where,
                                        std::span<Point<2>> into) const;

 private:
  std::vector<Point<2>> vertices_;
  Point<2> centroid_{};
  double area_ = 0;
  double inertia_ = 0;
  double bounding_radius_ = 0;
};

/// The convex polygons that make up a simple one, which may be concave: at most four times as many
/// as needed. They share sides and cover it exactly; their corners are corners of it. Throws
/// `Error` for whatever `Polygon` refuses, other than corners that turn inwards.
std::vector<Polygon> convex_decomposition(std::span<const Point<2>> corners);

/// The plane between two polygons, found without history. Apart, its gap is their distance. Where
/// they overlap it is the best of all separating axes; of equally good ones, say for a corner that
/// sits symmetrically on a corner, the one is taken that comes first counterclockwise from the line
/// of the centres.
CommonPlane<2> common_plane(const PolygonView& a, const PolygonView& b);

/// The same, faster, where the two have moved little since the plane was found that is given.
/// Apart, any plane may be given. Where they overlap, the maximum is followed that the given plane
/// belongs to; it may be a local one where they overlap deeply, so a normal does not flip.
CommonPlane<2> common_plane(const PolygonView& a, const PolygonView& b,
                            const CommonPlane<2>& previous);

/// The middle of what the plane cuts out of both, and its length. Where nothing is cut: the middle
/// between what faces each other, with length 0.
PlaneContact<2> plane_contact(const PolygonView& a, const PolygonView& b,
                              const CommonPlane<2>& plane);

}  // namespace abut
