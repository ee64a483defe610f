#pragma once

#include "walls/facets.hpp"
#include "walls/wall_body.hpp"

namespace abut {

/// What a segment sweeps that is turned about an axis. The nearest point lies in the half-plane
/// through the axis and the centre; there it is the nearest point of the segment.
class ShellBody : public WallBody<3> {
 public:
  ShellBody(const Revolved& shell, Index number)
      : ShellBody(shell.from, unit(difference(shell.to, shell.from)),
                  {shell.from_radius, shell.to_radius}, number,
                  dot(difference(shell.to, shell.from), unit(difference(shell.to, shell.from)))) {}

  ShellBody(const Ring& ring, Index number)
      : ShellBody(ring.centre, unit(ring.normal), {ring.inner, ring.outer}, number, 0) {}

  void pick(const Block<3>& block, Picked& picked) const override {
    picked.size = 0;
    Touch<2> nearest;
    for (std::size_t i = 0; i < block.size; ++i) {
      const Meridian at = meridian(block.centre(i));
      picked.offer(i, segment_.near(0, at.place, block.reach[i], nearest));
    }
  }

  void touches(const Point<3>& centre, double reach, Seen& /*seen*/,
               std::vector<Touch<3>>& found) const override {
    Touch<2> flat;
    const Meridian at = meridian(centre);
    if (!segment_.near(0, at.place, reach, flat)) return;
    const Point<3> outward = at.place[0] > 0 ? scaled(at.across, 1 / at.place[0]) : across(axis_);
    const auto in_space = [&](const Point<2>& vector) {
      return sum(scaled(outward, vector[0]), scaled(axis_, vector[1]));
    };
    found.push_back({flat.distance, in_space(flat.normal), sum(from_, in_space(flat.point)),
                     flat.wall, feature(flat)});
  }

  [[nodiscard]] double distance(const Point<3>& centre) const override {
    Touch<2> nearest{};
    const bool found =
        segment_.near(0, meridian(centre).place, std::numeric_limits<double>::infinity(), nearest);
    return found ? nearest.distance : std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] Box<3> box(const Placement<3>& where) const override {
    Box<3> own;
    for (std::size_t k = 0; k < 3; ++k) {
      const double wide = std::sqrt(std::max(0.0, 1 - axis_[k] * axis_[k]));
      const double to = from_[k] + height_ * axis_[k];
      own.min[k] = std::min(from_[k] - wide * radii_[0], to - wide * radii_[1]);
      own.max[k] = std::max(from_[k] + wide * radii_[0], to + wide * radii_[1]);
    }
    return placed(own, where);
  }

 private:
  // Distance from the axis and place along it; and the vector from the axis to the point.
  struct Meridian {
    Point<2> place;
    Point<3> across;
  };

  ShellBody(const Point<3>& from, const Point<3>& axis, const std::array<double, 2>& radii,
            Index number, double height)
      : from_(from), axis_(axis), radii_(radii), height_(height) {
    segment_.add({Point<2>{radii[0], 0}, Point<2>{radii[1], height}}, number);
  }

  [[nodiscard]] Meridian meridian(const Point<3>& centre) const {
    const Point<3> from = difference(centre, from_);
    const double height = dot(from, axis_);
    const Point<3> across = along(from, -height, axis_);
    return {{length(across), height}, across};
  }

  static Feature feature(const Touch<2>& flat) {
    if (flat.feature == Feature::face) return Feature::face;
    return flat.point[0] > 0 ? Feature::edge : Feature::corner;
  }

  Point<3> from_;
  Point<3> axis_;
  std::array<double, 2> radii_;
  double height_;
  Facets<2> segment_;
};

}  // namespace abut
