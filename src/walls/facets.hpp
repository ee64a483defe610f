#pragma once

#include <cstdint>
#include <vector>

#include "core/huge_vector.hpp"
#include "core/vec.hpp"
#include "walls/touch.hpp"

namespace abut {

/// Triangles thinner than this part of their longest side have no face to speak of: rounding turns
/// their normal. They are felt by their edges, which lie as near to everything as the face does.
inline constexpr double thin = 1e-8;

/// What a piece is cut from: its plane, and the sides that cut it, along unit vectors that point
/// inside. A point x is inside of side k where inward[k]·(x − corner) + from[k] is above 0. All are
/// zero for a piece that has no plane to speak of.
template <std::size_t D>
struct Slab {
  Point<D> corner;
  Point<D> normal;
  std::array<Point<D>, D> inward;
  std::array<double, D> from;
};

/// The flat pieces of a mesh, ready for the question whether one is near a point.
template <std::size_t D>
class Facets;

/// Segments.
template <>
class Facets<2> {
 public:
  void add(const std::array<Point<2>, 2>& corners, Index number) {
    const Point<2> side = difference(corners[1], corners[0]);
    const Point<2> direction = unit(side);
    segments_.push_back(
        {corners[0], corners[1], direction, dot(side, direction), across(direction), number});
  }

  [[nodiscard]] std::size_t size() const { return segments_.size(); }
  [[nodiscard]] const Point<2>& normal(std::size_t i) const { return segments_[i].normal; }
  [[nodiscard]] const Point<2>& corner(std::size_t i) const { return segments_[i].from; }
  [[nodiscard]] std::array<Point<2>, 2> corners(std::size_t i) const {
    return {segments_[i].from, segments_[i].to};
  }
  /// Where what a face needs to be measured is in memory.
  [[nodiscard]] const char* bytes() const {
    return static_cast<const char*>(static_cast<const void*>(segments_.data()));
  }
  [[nodiscard]] Slab<2> slab(std::size_t i) const {
    const Segment& own = segments_[i];
    return {own.from, own.normal, {own.direction, scaled(own.direction, -1)}, {0, own.length}};
  }

  /// Whether piece i comes within `reach` of the centre, and where.
  [[nodiscard]] bool near(std::size_t i, const Point<2>& centre, double reach,
                          Touch<2>& found) const {
    const Segment& own = segments_[i];
    const Point<2> v = difference(centre, own.from);
    const double height = dot(own.normal, v);
    if (std::abs(height) > reach) return false;
    const double t = dot(own.direction, v);
    if (t >= 0 && t <= own.length) {
      const Point<2> normal = height < 0 ? scaled(own.normal, -1) : own.normal;
      found = {std::abs(height), normal, along(own.from, t, own.direction), own.number,
               Feature::face};
      return true;
    }
    const Point<2>& corner = t < 0 ? own.from : own.to;
    const Point<2> apart = difference(centre, corner);
    const double distance = length(apart);
    if (distance > reach) return false;
    found = {distance, distance > 0 ? scaled(apart, 1 / distance) : own.normal, corner, own.number,
             Feature::corner};
    return true;
  }

 private:
  struct Segment {
    Point<2> from;
    Point<2> to;
    Point<2> direction;
    double length;
    Point<2> normal;
    Index number;
  };
  HugeVector<Segment> segments_;

 public:
  static constexpr std::size_t bytes_each = sizeof(Segment);
};

/// Triangles. What rejects most of them, and finds the foot on a face, are four dot products with
/// numbers that lie side by side; edges and corners are rarer and are kept elsewhere.
template <>
class Facets<3> {
 public:
  void add(const std::array<Point<3>, 3>& corners, Index number);

  [[nodiscard]] std::size_t size() const { return plates_.size(); }
  [[nodiscard]] const Point<3>& normal(std::size_t i) const { return plates_[i].normal; }
  [[nodiscard]] const Point<3>& corner(std::size_t i) const { return plates_[i].corner; }
  [[nodiscard]] const std::array<Point<3>, 3>& corners(std::size_t i) const {
    return rims_[i].corners;
  }
  /// Where what a face needs to be measured is in memory.
  [[nodiscard]] const char* bytes() const {
    return static_cast<const char*>(static_cast<const void*>(plates_.data()));
  }
  [[nodiscard]] Slab<3> slab(std::size_t i) const {
    const Plate& own = plates_[i];
    return {own.corner, own.normal, own.inward, {0, own.width, 0}};
  }

  /// Whether piece i comes within `reach` of the centre, and where.
  [[nodiscard]] bool near(std::size_t i, const Point<3>& centre, double reach,
                          Touch<3>& found) const {
    const Plate& own = plates_[i];
    const Point<3> v = difference(centre, own.corner);
    const double height = dot(own.normal, v);
    if (std::abs(height) > reach) return false;
    const Point<3> inside{dot(own.inward[0], v), dot(own.inward[1], v) + own.width,
                          dot(own.inward[2], v)};
    const double least = std::min(inside[0], std::min(inside[1], inside[2]));
    if (least < 0) {
      if (least * least > reach * reach - height * height) return false;
      return near_edge(i, centre, inside, reach, found);
    }
    if (own.thin) return near_edge(i, centre, {-1, -1, -1}, reach, found);
    const Point<3> normal = height < 0 ? scaled(own.normal, -1) : own.normal;
    found = {std::abs(height), normal, along(centre, -height, own.normal), own.number,
             Feature::face};
    return true;
  }

 private:
  struct Plate {
    Point<3> corner;
    Point<3> normal;
    std::array<Point<3>, 3> inward;  // in the plane, at right angles to the sides, of length one
    double width;                    // from the side across the corner to the corner
    Index number;
    bool thin;
  };
  // Edge k runs from corner k to the next. `backward` has bit k set where its ends are to be
  // swapped to be in an order that does not depend on the triangle: those that share an edge then
  // find the same point of it to the last bit.
  struct Rim {
    std::array<Point<3>, 3> corners;
    std::uint8_t backward;
  };

  // Sides that the foot is beyond have a negative `inside`; the nearest point lies on one of them.
  bool near_edge(std::size_t i, const Point<3>& centre, const Point<3>& inside, double reach,
                 Touch<3>& found) const;

  HugeVector<Plate> plates_;
  HugeVector<Rim> rims_;

 public:
  static constexpr std::size_t bytes_each = sizeof(Plate);
};

}  // namespace abut
