#pragma once

#include <cstdint>
#include <vector>

#include "core/buffers.hpp"
#include "core/vec.hpp"
#include "walls/wall_body.hpp"

namespace abut {

/// Triangles whose height is below this fraction of their longest side are slivers: their normal is
/// dominated by rounding, so they are represented by their edges only.
inline constexpr double sliver_ratio = 1e-8;

/// The plane of a facet and the half-planes that bound it. A point x of the plane is inside side k
/// if inward[k]·(x − vertex) + offset[k] > 0, where inward[k] is a unit vector in the plane. All
/// vectors are zero for a sliver.
template <std::size_t D>
struct FacetSlab {
  Point<D> vertex;
  Point<D> normal;
  std::array<Point<D>, D> inward;
  std::array<double, D> offset;
};

/// The facets of a mesh, prepared for closest-point queries.
template <std::size_t D>
class Facets;

/// Segments in 2D.
template <>
class Facets<2> {
 public:
  void add(const std::array<Point<2>, 2>& vertices, Index element) {
    const Point<2> side = difference(vertices[1], vertices[0]);
    const Point<2> direction = normalized(side);
    segments_.push_back({vertices[0], vertices[1], direction, dot(side, direction),
                         perpendicular(direction), element});
  }

  [[nodiscard]] std::size_t size() const { return segments_.size(); }
  [[nodiscard]] const Point<2>& normal(std::size_t i) const { return segments_[i].normal; }
  [[nodiscard]] const Point<2>& vertex(std::size_t i) const { return segments_[i].from; }
  [[nodiscard]] std::array<Point<2>, 2> vertices(std::size_t i) const {
    return {segments_[i].from, segments_[i].to};
  }
  /// Memory of the face records, `record_bytes` each, for prefetching.
  [[nodiscard]] const char* raw_data() const {
    return static_cast<const char*>(static_cast<const void*>(segments_.data()));
  }
  [[nodiscard]] FacetSlab<2> slab(std::size_t i) const {
    const Segment& segment = segments_[i];
    return {segment.from,
            segment.normal,
            {segment.direction, scaled(segment.direction, -1)},
            {0, segment.length}};
  }

  /// Whether facet i is within the cutoff of the center; if so, its closest point.
  [[nodiscard]] bool find_closest(std::size_t i, const Point<2>& center, double cutoff,
                                  ClosestPoint<2>& found) const {
    const Segment& segment = segments_[i];
    const Point<2> v = difference(center, segment.from);
    const double height = dot(segment.normal, v);
    if (std::abs(height) > cutoff) return false;
    const double t = dot(segment.direction, v);
    if (t >= 0 && t <= segment.length) {
      const Point<2> normal = height < 0 ? scaled(segment.normal, -1) : segment.normal;
      found = {std::abs(height), normal, add_scaled(segment.from, t, segment.direction),
               segment.element, Feature::face};
      return true;
    }
    const Point<2>& end = t < 0 ? segment.from : segment.to;
    const Point<2> offset = difference(center, end);
    const double distance = length(offset);
    if (distance > cutoff) return false;
    found = {distance, distance > 0 ? scaled(offset, 1 / distance) : segment.normal, end,
             segment.element, Feature::vertex};
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

/// Triangles in 3D. Rejection and the projection onto a face need four dot products with one
/// contiguous record. Edges and vertices are needed less often and are stored separately.
template <>
class Facets<3> {
 public:
  void add(const std::array<Point<3>, 3>& vertices, Index element);

  [[nodiscard]] std::size_t size() const { return faces_.size(); }
  [[nodiscard]] const Point<3>& normal(std::size_t i) const { return faces_[i].normal; }
  [[nodiscard]] const Point<3>& vertex(std::size_t i) const { return faces_[i].vertex; }
  [[nodiscard]] const std::array<Point<3>, 3>& vertices(std::size_t i) const {
    return edges_[i].vertices;
  }
  /// Memory of the face records, `record_bytes` each, for prefetching.
  [[nodiscard]] const char* raw_data() const {
    return static_cast<const char*>(static_cast<const void*>(faces_.data()));
  }
  [[nodiscard]] FacetSlab<3> slab(std::size_t i) const {
    const FaceRecord& face = faces_[i];
    return {face.vertex, face.normal, face.inward, {0, face.width, 0}};
  }

  /// Whether facet i is within the cutoff of the center; if so, its closest point.
  [[nodiscard]] bool find_closest(std::size_t i, const Point<3>& center, double cutoff,
                                  ClosestPoint<3>& found) const {
    const FaceRecord& face = faces_[i];
    const Point<3> v = difference(center, face.vertex);
    const double height = dot(face.normal, v);
    if (std::abs(height) > cutoff) return false;
    const Point<3> inside{dot(face.inward[0], v), dot(face.inward[1], v) + face.width,
                          dot(face.inward[2], v)};
    const double min_inside = std::min(inside[0], std::min(inside[1], inside[2]));
    if (min_inside < 0) {
      if (min_inside * min_inside > cutoff * cutoff - height * height) return false;
      return find_closest_on_edges(i, center, inside, cutoff, found);
    }
    if (face.is_sliver) return find_closest_on_edges(i, center, {-1, -1, -1}, cutoff, found);
    const Point<3> normal = height < 0 ? scaled(face.normal, -1) : face.normal;
    found = {std::abs(height), normal, add_scaled(center, -height, face.normal), face.element,
             Feature::face};
    return true;
  }

 private:
  struct FaceRecord {
    Point<3> vertex;
    Point<3> normal;
    std::array<Point<3>, 3> inward;  // unit, in the plane and normal to the sides
    double width;                    // distance of `vertex` from the opposite side
    Index element;
    bool is_sliver;
  };
  // Edge k runs from vertex k to the next one. Bit k of `reversed_edges` is set if its ends have to
  // be swapped to be in lexicographic order: triangles that share an edge then compute bitwise the
  // same closest point on it.
  struct EdgeRecord {
    std::array<Point<3>, 3> vertices;
    std::uint8_t reversed_edges;
  };

  // `inside` holds the signed distances of the projected center to the sides. The closest point
  // lies on one of the sides for which it is negative.
  bool find_closest_on_edges(std::size_t i, const Point<3>& center, const Point<3>& inside,
                             double cutoff, ClosestPoint<3>& found) const;

  HugePageVector<FaceRecord> faces_;
  HugePageVector<EdgeRecord> edges_;

 public:
  static constexpr std::size_t record_bytes = sizeof(FaceRecord);
};

}  // namespace abut
