#pragma once

#include "walls/facets.hpp"
#include "walls/wall_body.hpp"

namespace abut {

/// An endless plane.
template <std::size_t D>
class PlaneBody : public WallBody<D> {
 public:
  PlaneBody(const Plane<D>& plane, Index number)
      : point_(plane.point), normal_(normalized(plane.normal)), element_(number) {}

  void prefilter(const ParticleBlock<D>& block, Selection& picked) const override {
    picked.size = 0;
    for (std::size_t i = 0; i < block.size; ++i)
      picked.append_if(i, std::abs(signed_distance(block.center(i))) <= block.cutoff[i]);
  }

  void find_closest_points(const Point<D>& centre, double reach, VisitedSet& /*seen*/,
                           std::vector<ClosestPoint<D>>& found) const override {
    const double at = signed_distance(centre);
    if (std::abs(at) > reach) return;
    found.push_back({std::abs(at), at < 0 ? scaled(normal_, -1) : normal_,
                     add_scaled(centre, -at, normal_), element_, Feature::face});
  }

  [[nodiscard]] double distance(const Point<D>& centre) const override {
    return std::abs(signed_distance(centre));
  }

  // Endless along every axis but the one it stands across, if it does.
  [[nodiscard]] Box<D> bounding_box(const RigidTransform<D>& where) const override {
    constexpr double endless = std::numeric_limits<double>::infinity();
    Box<D> result;
    result.min.fill(-endless);
    result.max.fill(endless);
    const Point<D> normal = rotated(where, normal_);
    const Point<D> point = sum(rotated(where, point_), where.translation);
    for (std::size_t k = 0; k < D; ++k)
      if (std::abs(normal[k]) == 1) result.min[k] = result.max[k] = point[k];
    return result;
  }

  [[nodiscard]] bool is_invariant_along(std::size_t axis,
                                        const RigidTransform<D>& where) const override {
    return std::abs(rotated(where, normal_)[axis]) < 1e-15;
  }

 private:
  [[nodiscard]] double signed_distance(const Point<D>& centre) const {
    return dot(normal_, difference(centre, point_));
  }

  Point<D> point_;
  Point<D> normal_;
  Index element_;
};

/// What a segment sweeps that is turned about an axis. The nearest point lies in the half-plane
/// through the axis and the centre; there it is the nearest point of the segment.
class FrustumBody : public WallBody<3> {
 public:
  FrustumBody(const Frustum& shell, Index number)
      : FrustumBody(
            shell.from, normalized(difference(shell.to, shell.from)),
            {shell.from_radius, shell.to_radius}, number,
            dot(difference(shell.to, shell.from), normalized(difference(shell.to, shell.from)))) {}

  FrustumBody(const Annulus& ring, Index number)
      : FrustumBody(ring.center, normalized(ring.normal), {ring.inner_radius, ring.outer_radius},
                    number, 0) {}

  void prefilter(const ParticleBlock<3>& block, Selection& picked) const override {
    picked.size = 0;
    ClosestPoint<2> nearest;
    for (std::size_t i = 0; i < block.size; ++i) {
      const Meridian at = to_meridian(block.center(i));
      picked.append_if(i, segment_.find_closest(0, at.position, block.cutoff[i], nearest));
    }
  }

  void find_closest_points(const Point<3>& centre, double reach, VisitedSet& /*seen*/,
                           std::vector<ClosestPoint<3>>& found) const override {
    ClosestPoint<2> flat;
    const Meridian at = to_meridian(centre);
    if (!segment_.find_closest(0, at.position, reach, flat)) return;
    const Point<3> outward =
        at.position[0] > 0 ? scaled(at.radial, 1 / at.position[0]) : perpendicular(axis_);
    const auto in_space = [&](const Point<2>& vector) {
      return sum(scaled(outward, vector[0]), scaled(axis_, vector[1]));
    };
    found.push_back({flat.distance, in_space(flat.normal), sum(from_, in_space(flat.point)),
                     flat.element, spatial_feature(flat)});
  }

  [[nodiscard]] double distance(const Point<3>& centre) const override {
    ClosestPoint<2> nearest{};
    const bool found = segment_.find_closest(0, to_meridian(centre).position,
                                             std::numeric_limits<double>::infinity(), nearest);
    return found ? nearest.distance : std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] Box<3> bounding_box(const RigidTransform<3>& where) const override {
    Box<3> own;
    for (std::size_t k = 0; k < 3; ++k) {
      const double wide = std::sqrt(std::max(0.0, 1 - axis_[k] * axis_[k]));
      const double to = from_[k] + height_ * axis_[k];
      own.min[k] = std::min(from_[k] - wide * radii_[0], to - wide * radii_[1]);
      own.max[k] = std::max(from_[k] + wide * radii_[0], to + wide * radii_[1]);
    }
    return transformed_box(own, where);
  }

 private:
  // Distance from the axis and place along it; and the vector from the axis to the point.
  struct Meridian {
    Point<2> position;
    Point<3> radial;
  };

  FrustumBody(const Point<3>& from, const Point<3>& axis, const std::array<double, 2>& radii,
              Index number, double height)
      : from_(from), axis_(axis), radii_(radii), height_(height) {
    segment_.add({Point<2>{radii[0], 0}, Point<2>{radii[1], height}}, number);
  }

  [[nodiscard]] Meridian to_meridian(const Point<3>& centre) const {
    const Point<3> from = difference(centre, from_);
    const double height = dot(from, axis_);
    const Point<3> across = add_scaled(from, -height, axis_);
    return {{length(across), height}, across};
  }

  static Feature spatial_feature(const ClosestPoint<2>& flat) {
    if (flat.feature == Feature::face) return Feature::face;
    return flat.point[0] > 0 ? Feature::edge : Feature::vertex;
  }

  Point<3> from_;
  Point<3> axis_;
  std::array<double, 2> radii_;
  double height_;
  Facets<2> segment_;
};

}  // namespace abut
