#pragma once

#include <abut/walls.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/input_checks.hpp"
#include "core/vec.hpp"

namespace abut {

// Lengths are in the units of the input. A "cutoff" is the distance from a particle's center up to
// which wall facets are of interest: radius · (1 + tolerance) + margin.

/// The point of one wall element (facet or shape) that is closest to a particle's center.
template <std::size_t D>
struct ClosestPoint {
  double distance;  ///< from the particle's center, ≥ 0
  Point<D> normal;  ///< unit vector from the wall to the center
  Point<D> point;   ///< on the wall
  Index element;    ///< value of the `WallElementId`
  Feature feature;  ///< of the element, on which the point lies
};

/// Bounds the region of the cutoff sphere in which facets can lie, if all of them are known to lie
/// beyond a plane: the spherical cap that the plane cuts off. Particles that barely touch a flat
/// wall have a flat cap.
///
/// The distance of the plane from the center is cutoff · plane_distance / |axis|.
struct SphericalCap {
  std::array<std::int8_t, 4> axis{};  ///< toward the wall, not normalized; zero if nothing is known
  float plane_distance = 0;           ///< as a fraction of the cutoff, times |axis|
};

/// Axis-aligned bounding box of a cap.
template <std::size_t D>
struct CapBox {
  Point<D> center;
  Point<D> half_extent;
};

/// Up to `capacity` particles in structure-of-arrays layout, in the frame of a wall body.
template <std::size_t D>
struct ParticleBlock {
  static constexpr std::size_t capacity = 256;
  std::size_t size = 0;
  std::array<const double*, D> coordinates;  ///< the caller's arrays, or `storage`
  alignas(32) std::array<double, capacity> cutoff;
  std::array<std::uint16_t, capacity> index = ascending();  ///< in the block as it was loaded
  alignas(32) std::array<std::array<double, capacity>, D> storage;

  [[nodiscard]] Point<D> center(std::size_t i) const {
    Point<D> point;
    for (std::size_t k = 0; k < D; ++k) point[k] = coordinates[k][i];
    return point;
  }

 private:
  static constexpr std::array<std::uint16_t, capacity> ascending() {
    std::array<std::uint16_t, capacity> indices{};
    for (std::size_t i = 0; i < capacity; ++i) indices[i] = static_cast<std::uint16_t>(i);
    return indices;
  }
};

/// Particles of a block that may be within their cutoff of a body.
struct Selection {
  std::size_t size = 0;
  /// Four more than the capacity: vector code stores four at a time.
  std::array<std::uint16_t, ParticleBlock<3>::capacity + 4> indices;
  bool has_caps = false;
  /// One per selected particle, if `has_caps`.
  std::array<SphericalCap, ParticleBlock<3>::capacity + 1> caps;

  /// Branch-free, because the outcome is unpredictable.
  void append_if(std::size_t index, bool selected) {
    indices[size] = static_cast<std::uint16_t>(index);
    size += selected ? 1U : 0U;
  }
};

/// Facets (or facet packets) that the current query has visited already. One that lies in several
/// leaves of an octree is thus examined once. Starting a query costs O(1).
class VisitedSet {
 public:
  void reserve(std::size_t count) {
    if (last_query_.size() < count) last_query_.resize(count, 0);
  }
  void begin_query() {
    if (++query_ != 0) return;
    std::ranges::fill(last_query_, 0);  // the query counter wrapped around
    query_ = 1;
  }
  /// True if the element was not in the set.
  bool insert(std::size_t element) {
    const bool first = last_query_[element] != query_;
    last_query_[element] = query_;
    return first;
  }

 private:
  std::vector<std::uint32_t> last_query_;
  std::uint32_t query_ = 0;
};

/// Result of a query in single precision: no facet within the cutoff; exactly one face, and no
/// other facet that could become a contact (see `ContactResolution`); or undecided, so that the
/// facets have to be examined exactly.
enum class QuickResult : std::uint8_t { none, face, undecided };

/// A few facets of a body, by their index in the body.
struct FacetList {
  static constexpr std::size_t capacity = 24;
  std::size_t size;
  std::array<std::uint32_t, capacity> facets;
  [[nodiscard]] std::span<const std::uint32_t> view() const {
    return std::span(facets).first(size);
  }
};

/// One particle tested against one body, in the frame of the body: input and result.
template <std::size_t D>
struct WallQuery {
  static constexpr std::size_t batch_size = 16;  ///< maximum number of queries per call
  Point<D> center;
  double cutoff;
  double rounding_error;  ///< absolute error of distances
  SphericalCap cap;
  QuickResult result;
  ClosestPoint<D> closest;  ///< valid if the result is `face`
  /// If undecided: all facets that may be within the cutoff; empty if there are too many to list.
  FacetList candidates;
};

/// A mesh or an exact shape, in the frame in which it was added to `Walls` (the body frame).
template <std::size_t D>
class WallBody {
 public:
  WallBody() = default;
  virtual ~WallBody() = default;
  WallBody(const WallBody&) = delete;
  WallBody& operator=(const WallBody&) = delete;

  /// Selects particles of the block that may be within their cutoff of the body. Conservative:
  /// particles that are not selected are certainly farther away.
  virtual void prefilter(const ParticleBlock<D>& block, Selection& selection) const = 0;

  /// Appends the closest point of every facet within the cutoff.
  virtual void find_closest_points(const Point<D>& center, double cutoff, VisitedSet& visited,
                                   std::vector<ClosestPoint<D>>& found) const = 0;

  /// The same for the given facets only.
  virtual void find_closest_points_of(std::span<const std::uint32_t> /*facets*/,
                                      const Point<D>& /*center*/, double /*cutoff*/,
                                      std::vector<ClosestPoint<D>>& /*found*/) const {}

  /// Answers up to `WallQuery::batch_size` queries. Batching hides memory latency: data of one
  /// query are prefetched while another is computed.
  virtual void quick_query(std::span<WallQuery<D>> queries) const {
    for (WallQuery<D>& query : queries) {
      query.result = QuickResult::undecided;
      query.candidates.size = 0;
    }
  }

  /// Distance from the point to the closest facet; infinite if there are none.
  [[nodiscard]] virtual double distance(const Point<D>& center) const = 0;

  /// Bounding box of the transformed body; infinite along axes in which the body is unbounded.
  [[nodiscard]] virtual Box<D> bounding_box(const RigidTransform<D>& transform) const = 0;

  /// Whether any translation along the axis maps the transformed body onto itself.
  [[nodiscard]] virtual bool is_invariant_along(std::size_t /*axis*/,
                                                const RigidTransform<D>& /*transform*/) const {
    return false;
  }

  [[nodiscard]] virtual std::size_t facet_count() const { return 1; }
};

/// A body and its pose: a point x of the body is at transform.rotation · x + transform.translation.
template <std::size_t D>
struct PlacedBody {
  std::unique_ptr<WallBody<D>> body;
  RigidTransform<D> transform{};
  bool is_moved = false;  ///< the transform is not the identity
};

/// Bounding box of a transformed box, enlarged by the rounding error.
template <std::size_t D>
Box<D> transformed_box(const Box<D>& box, const RigidTransform<D>& transform) {
  const Point<D> center = scaled(sum(box.min, box.max), 0.5);
  const Point<D> half = scaled(difference(box.max, box.min), 0.5);
  Box<D> result;
  for (std::size_t k = 0; k < D; ++k) {
    const double middle = dot(transform.rotation[k], center) + transform.translation[k];
    double extent = 0;
    for (std::size_t j = 0; j < D; ++j) extent += std::abs(transform.rotation[k][j]) * half[j];
    const double slack = 1e-12 * (extent + std::abs(middle) + std::abs(transform.translation[k]));
    result.min[k] = middle - extent - slack;
    result.max[k] = middle + extent + slack;
  }
  return result;
}

/// rotation · vector
template <std::size_t D>
Point<D> rotated(const RigidTransform<D>& transform, const Point<D>& vector) {
  Point<D> result;
  for (std::size_t k = 0; k < D; ++k) result[k] = dot(transform.rotation[k], vector);
  return result;
}

/// World point in the body frame: rotationᵀ · (point − translation).
template <std::size_t D>
Point<D> to_body_frame(const RigidTransform<D>& transform, const Point<D>& point) {
  const Point<D> offset = difference(point, transform.translation);
  Point<D> result{};
  for (std::size_t j = 0; j < D; ++j)
    for (std::size_t k = 0; k < D; ++k) result[k] += transform.rotation[j][k] * offset[j];
  return result;
}

}  // namespace abut
