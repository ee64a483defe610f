#pragma once

#include <cstdint>
#include <vector>

#include "core/arrays.hpp"
#include "core/vec.hpp"
#include "walls/wall_body.hpp"

namespace abut {

/// Triangles thinner than this part of their longest side have no face to speak of: rounding turns
/// their normal. They are felt by their edges, which lie as near to everything as the face does.
inline constexpr double sliver_ratio = 1e-8;

/// What a piece is cut from: its plane, and the sides that cut it, along unit vectors that point
/// inside. A point x is inside of side k where inward[k]·(x − corner) + from[k] is above 0. All are
/// zero for a piece that has no plane to speak of.
template <std::size_t D>
struct FacetSlab {
  Point<D> vertex;
  Point<D> normal;
  std::array<Point<D>, D> inward;
  std::array<double, D> offset;
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
    const Point<2> direction = normalized(side);
    segments_.push_back({corners[0], corners[1], direction, dot(side, direction),
                         perpendicular(direction), number});
  }

  [[nodiscard]] std::size_t size() const { return segments_.size(); }
  [[nodiscard]] const Point<2>& normal(std::size_t i) const { return segments_[i].normal; }
  [[nodiscard]] const Point<2>& vertex(std::size_t i) const { return segments_[i].from; }
  [[nodiscard]] std::array<Point<2>, 2> vertices(std::size_t i) const {
    return {segments_[i].from, segments_[i].to};
  }
  /// Where what a face needs to be measured is in memory.
  [[nodiscard]] const char* raw_data() const {
    return static_cast<const char*>(static_cast<const void*>(segments_.data()));
  }
  [[nodiscard]] FacetSlab<2> slab(std::size_t i) const {
    const Segment& own = segments_[i];
    return {own.from, own.normal, {own.direction, scaled(own.direction, -1)}, {0, own.length}};
  }

  /// Whether piece i comes within `reach` of the centre, and where.
  [[nodiscard]] bool find_closest(std::size_t i, const Point<2>& centre, double reach,
                                  ClosestPoint<2>& found) const {
    const Segment& own = segments_[i];
    const Point<2> v = difference(centre, own.from);
    const double height = dot(own.normal, v);
    if (std::abs(height) > reach) return false;
    const double t = dot(own.direction, v);
    if (t >= 0 && t <= own.length) {
      const Point<2> normal = height < 0 ? scaled(own.normal, -1) : own.normal;
      found = {std::abs(height), normal, add_scaled(own.from, t, own.direction), own.element,
               Feature::face};
      return true;
    }
    const Point<2>& corner = t < 0 ? own.from : own.to;
    const Point<2> apart = difference(centre, corner);
    const double distance = length(apart);
    if (distance > reach) return false;
    found = {distance, distance > 0 ? scaled(apart, 1 / distance) : own.normal, corner, own.element,
             Feature::vertex};
    return true;
  }

 private:
  struct Segment {
    Point<2> from;
    Point<2> to;
    Point<2> direction;
    double length;
    Point<2> normal;
    Index element;
  };
  HugePageVector<Segment> segments_;

 public:
  static constexpr std::size_t record_bytes = sizeof(Segment);
};

/// Triangles. What rejects most of them, and finds the foot on a face, are four dot products with
/// numbers that lie side by side; edges and corners are rarer and are kept elsewhere.
template <>
class Facets<3> {
 public:
  void add(const std::array<Point<3>, 3>& corners, Index number);

  [[nodiscard]] std::size_t size() const { return faces_.size(); }
  [[nodiscard]] const Point<3>& normal(std::size_t i) const { return faces_[i].normal; }
  [[nodiscard]] const Point<3>& vertex(std::size_t i) const { return faces_[i].vertex; }
  [[nodiscard]] const std::array<Point<3>, 3>& vertices(std::size_t i) const {
    return edges_[i].vertices;
  }
  /// Where what a face needs to be measured is in memory.
  [[nodiscard]] const char* raw_data() const {
    return static_cast<const char*>(static_cast<const void*>(faces_.data()));
  }
  [[nodiscard]] FacetSlab<3> slab(std::size_t i) const {
    const FaceRecord& own = faces_[i];
    return {own.vertex, own.normal, own.inward, {0, own.width, 0}};
  }

  /// Whether piece i comes within `reach` of the centre, and where.
  [[nodiscard]] bool find_closest(std::size_t i, const Point<3>& centre, double reach,
                                  ClosestPoint<3>& found) const {
    const FaceRecord& own = faces_[i];
    const Point<3> v = difference(centre, own.vertex);
    const double height = dot(own.normal, v);
    if (std::abs(height) > reach) return false;
    const Point<3> inside{dot(own.inward[0], v), dot(own.inward[1], v) + own.width,
                          dot(own.inward[2], v)};
    const double least = std::min(inside[0], std::min(inside[1], inside[2]));
    if (least < 0) {
      if (least * least > reach * reach - height * height) return false;
      return find_closest_on_edges(i, centre, inside, reach, found);
    }
    if (own.is_sliver) return find_closest_on_edges(i, centre, {-1, -1, -1}, reach, found);
    const Point<3> normal = height < 0 ? scaled(own.normal, -1) : own.normal;
    found = {std::abs(height), normal, add_scaled(centre, -height, own.normal), own.element,
             Feature::face};
    return true;
  }

 private:
  struct FaceRecord {
    Point<3> vertex;
    Point<3> normal;
    std::array<Point<3>, 3> inward;  // in the plane, at right angles to the sides, of length one
    double width;                    // from the side across the corner to the corner
    Index element;
    bool is_sliver;
  };
  // Edge k runs from corner k to the next. `backward` has bit k set where its ends are to be
  // swapped to be in an order that does not depend on the triangle: those that share an edge then
  // find the same point of it to the last bit.
  struct EdgeRecord {
    std::array<Point<3>, 3> vertices;
    std::uint8_t reversed_edges;
  };

  // Sides that the foot is beyond have a negative `inside`; the nearest point lies on one of them.
  bool find_closest_on_edges(std::size_t i, const Point<3>& centre, const Point<3>& inside,
                             double reach, ClosestPoint<3>& found) const;

  HugePageVector<FaceRecord> faces_;
  HugePageVector<EdgeRecord> edges_;

 public:
  static constexpr std::size_t record_bytes = sizeof(FaceRecord);
};

}  // namespace abut
