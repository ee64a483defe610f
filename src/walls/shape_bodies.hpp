#pragma once

#include "walls/facets.hpp"
#include "walls/wall_body.hpp"

namespace abut {

/// An infinite plane (in 2D a line).
template <std::size_t D>
class PlaneBody : public WallBody<D> {
 public:
  PlaneBody(const Plane<D>& plane, Index element)
      : point_(plane.point), normal_(normalized(plane.normal)), element_(element) {}

  void prefilter(const ParticleBlock<D>& block, Selection& selection) const override {
    selection.size = 0;
    for (std::size_t i = 0; i < block.size; ++i)
      selection.append_if(i, std::abs(signed_distance(block.center(i))) <= block.cutoff[i]);
  }

  void find_closest_points(const Point<D>& center, double cutoff, VisitedSet& /*visited*/,
                           std::vector<ClosestPoint<D>>& found) const override {
    const double height = signed_distance(center);
    if (std::abs(height) > cutoff) return;
    found.push_back({std::abs(height), height < 0 ? scaled(normal_, -1) : normal_,
                     add_scaled(center, -height, normal_), element_, Feature::face});
  }

  [[nodiscard]] double distance(const Point<D>& center) const override {
    return std::abs(signed_distance(center));
  }

  // Infinite along every axis, except along the normal if that is parallel to an axis.
  [[nodiscard]] Box<D> bounding_box(const RigidTransform<D>& transform) const override {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Box<D> result;
    result.min.fill(-infinity);
    result.max.fill(infinity);
    const Point<D> normal = rotated(transform, normal_);
    const Point<D> point = sum(rotated(transform, point_), transform.translation);
    for (std::size_t k = 0; k < D; ++k)
      if (std::abs(normal[k]) == 1) result.min[k] = result.max[k] = point[k];
    return result;
  }

  [[nodiscard]] bool is_invariant_along(std::size_t axis,
                                        const RigidTransform<D>& transform) const override {
    return std::abs(rotated(transform, normal_)[axis]) < 1e-15;
  }

 private:
  [[nodiscard]] double signed_distance(const Point<D>& center) const {
    return dot(normal_, difference(center, point_));
  }

  Point<D> point_;
  Point<D> normal_;
  Index element_;
};

/// The surface of revolution of a straight segment: a cylinder, frustum, cone, annulus or disk. The
/// closest point lies in the meridian half-plane, which contains the axis and the particle's
/// center; there it is the closest point of the segment.
class FrustumBody : public WallBody<3> {
 public:
  FrustumBody(const Frustum& frustum, Index element)
      : FrustumBody(frustum.from, normalized(difference(frustum.to, frustum.from)),
                    {frustum.from_radius, frustum.to_radius}, element,
                    dot(difference(frustum.to, frustum.from),
                        normalized(difference(frustum.to, frustum.from)))) {}

  FrustumBody(const Annulus& annulus, Index element)
      : FrustumBody(annulus.center, normalized(annulus.normal),
                    {annulus.inner_radius, annulus.outer_radius}, element, 0) {}

  void prefilter(const ParticleBlock<3>& block, Selection& selection) const override {
    selection.size = 0;
    ClosestPoint<2> closest;
    for (std::size_t i = 0; i < block.size; ++i) {
      const Meridian meridian = to_meridian(block.center(i));
      selection.append_if(i, segment_.find_closest(0, meridian.position, block.cutoff[i], closest));
    }
  }

  void find_closest_points(const Point<3>& center, double cutoff, VisitedSet& /*visited*/,
                           std::vector<ClosestPoint<3>>& found) const override {
    ClosestPoint<2> planar;
    const Meridian meridian = to_meridian(center);
    if (!segment_.find_closest(0, meridian.position, cutoff, planar)) return;
    // On the axis every radial direction is equally close; a fixed one is chosen.
    const Point<3> outward = meridian.position[0] > 0
                                 ? scaled(meridian.radial, 1 / meridian.position[0])
                                 : perpendicular(axis_);
    const auto to_space = [&](const Point<2>& vector) {
      return sum(scaled(outward, vector[0]), scaled(axis_, vector[1]));
    };
    found.push_back({planar.distance, to_space(planar.normal), sum(from_, to_space(planar.point)),
                     planar.element, spatial_feature(planar)});
  }

  [[nodiscard]] double distance(const Point<3>& center) const override {
    ClosestPoint<2> closest{};
    const bool found = segment_.find_closest(0, to_meridian(center).position,
                                             std::numeric_limits<double>::infinity(), closest);
    return found ? closest.distance : std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] Box<3> bounding_box(const RigidTransform<3>& transform) const override {
    Box<3> box;
    for (std::size_t k = 0; k < 3; ++k) {
      // A circle of radius r about the axis extends r·√(1 − axis_k²) along coordinate k.
      const double extent = std::sqrt(std::max(0.0, 1 - axis_[k] * axis_[k]));
      const double to = from_[k] + height_ * axis_[k];
      box.min[k] = std::min(from_[k] - extent * radii_[0], to - extent * radii_[1]);
      box.max[k] = std::max(from_[k] + extent * radii_[0], to + extent * radii_[1]);
    }
    return transformed_box(box, transform);
  }

 private:
  // A point in cylindrical coordinates.
  struct Meridian {
    Point<2> position;  // distance from the axis, and position along it from `from_`
    Point<3> radial;    // from the axis to the point, not normalized
  };

  FrustumBody(const Point<3>& from, const Point<3>& axis, const std::array<double, 2>& radii,
              Index element, double height)
      : from_(from), axis_(axis), radii_(radii), height_(height) {
    segment_.add({Point<2>{radii[0], 0}, Point<2>{radii[1], height}}, element);
  }

  [[nodiscard]] Meridian to_meridian(const Point<3>& center) const {
    const Point<3> offset = difference(center, from_);
    const double height = dot(offset, axis_);
    const Point<3> radial = add_scaled(offset, -height, axis_);
    return {{length(radial), height}, radial};
  }

  // An end of the segment is a rim (an edge), or the apex of a cone (a vertex).
  static Feature spatial_feature(const ClosestPoint<2>& planar) {
    if (planar.feature == Feature::face) return Feature::face;
    return planar.point[0] > 0 ? Feature::edge : Feature::vertex;
  }

  Point<3> from_;
  Point<3> axis_;  // unit
  std::array<double, 2> radii_;
  double height_;
  Facets<2> segment_;  // in the meridian half-plane
};

}  // namespace abut
