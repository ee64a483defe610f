#pragma once

#include <abut/walls.hpp>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/input_checks.hpp"
#include "core/vec.hpp"

namespace abut {

/// The point of a piece of wall that is nearest to a particle.
template <std::size_t D>
struct ClosestPoint {
  double distance;  ///< from the centre
  Point<D> normal;  ///< of length one, from the wall to the centre
  Point<D> point;
  Index element;
  Feature feature;
};

/// Where pieces within reach of a particle can be, if it is known that they all lie beyond a plane:
/// in the cap that the plane cuts off the sphere. Particles that hardly touch have a flat one.
struct SphericalCap {
  std::array<std::int8_t, 4> axis{};  ///< towards the wall, of any length; zero if nothing is known
  float plane_distance =
      0;  ///< how far the plane is below the centre: a part of the reach, times the length
};

/// A box around a cap.
template <std::size_t D>
struct CapBox {
  Point<D> center;
  Point<D> half_extent;
};

/// Some particles side by side, as a body sees them: in its own frame, with how far each reaches.
template <std::size_t D>
struct ParticleBlock {
  static constexpr std::size_t capacity = 256;
  std::size_t size = 0;
  std::array<const double*, D> coordinates;  ///< of the caller, or `own`
  alignas(32) std::array<double, capacity> cutoff;
  std::array<std::uint16_t, capacity> index = ascending();
  alignas(32) std::array<std::array<double, capacity>, D> storage;

  [[nodiscard]] Point<D> center(std::size_t i) const {
    Point<D> point;
    for (std::size_t k = 0; k < D; ++k) point[k] = coordinates[k][i];
    return point;
  }

 private:
  static constexpr std::array<std::uint16_t, capacity> ascending() {
    std::array<std::uint16_t, capacity> ids{};
    for (std::size_t i = 0; i < capacity; ++i) ids[i] = static_cast<std::uint16_t>(i);
    return ids;
  }
};

/// Places in a block.
struct Selection {
  std::size_t size = 0;
  std::array<std::uint16_t, ParticleBlock<3>::capacity + 4>
      indices;  // four may be written at a time
  bool has_caps = false;
  std::array<SphericalCap, ParticleBlock<3>::capacity + 1>
      caps;  // of those that are left, if they are known

  /// Without a branch, which would be guessed wrong every now and then.
  void append_if(std::size_t place, bool taken) {
    indices[size] = static_cast<std::uint16_t>(place);
    size += taken ? 1U : 0U;
  }
};

/// Which pieces a query has seen already: a piece is in several leaves, and looked at once.
class VisitedSet {
 public:
  void reserve(std::size_t pieces) {
    if (last_query_.size() < pieces) last_query_.resize(pieces, 0);
  }
  void begin_query() {
    if (++query_ != 0) return;
    std::ranges::fill(last_query_, 0);  // the numbers of queries begin anew
    query_ = 1;
  }
  bool insert(std::size_t piece) {
    const bool first = last_query_[piece] != query_;
    last_query_[piece] = query_;
    return first;
  }

 private:
  std::vector<std::uint32_t> last_query_;
  std::uint32_t query_ = 0;
};

/// Nothing within reach; one face, and nothing else that could push (see `ContactResolution`); or
/// more than can be told at a glance.
enum class QuickResult : std::uint8_t { none, face, undecided };

/// Pieces of a body.
struct FacetList {
  static constexpr std::size_t capacity = 24;
  std::size_t size;
  std::array<std::uint32_t, capacity> facets;
  [[nodiscard]] std::span<const std::uint32_t> view() const {
    return std::span(facets).first(size);
  }
};

/// Somebody who looks, and what there is to see.
template <std::size_t D>
struct WallQuery {
  static constexpr std::size_t batch_size = 16;  ///< at once
  Point<D> center;
  double cutoff;
  double rounding_error;  ///< how exact distances are
  SphericalCap cap;
  QuickResult result;
  ClosestPoint<D> closest;  ///< the face
  FacetList
      candidates;  ///< if there is more: all that may be within reach; none if that is not known
};

/// A mesh or a shape, in the frame it was given in.
template <std::size_t D>
class WallBody {
 public:
  WallBody() = default;
  virtual ~WallBody() = default;
  WallBody(const WallBody&) = delete;
  WallBody& operator=(const WallBody&) = delete;

  /// Particles of the block that may be within reach; those left out are not.
  virtual void prefilter(const ParticleBlock<D>& block, Selection& picked) const = 0;

  /// Adds every piece within reach of the centre.
  virtual void find_closest_points(const Point<D>& centre, double reach, VisitedSet& seen,
                                   std::vector<ClosestPoint<D>>& found) const = 0;

  /// Adds those of some pieces that are within reach of the centre.
  virtual void find_closest_points_of(std::span<const std::uint32_t> /*pieces*/,
                                      const Point<D>& /*centre*/, double /*reach*/,
                                      std::vector<ClosestPoint<D>>& /*found*/) const {}

  /// What there is to see at a glance, for up to `WallQuery::most` at once: what one needs can be
  /// on its way from memory while others are dealt with.
  virtual void quick_query(std::span<WallQuery<D>> all) const {
    for (WallQuery<D>& one : all) {
      one.result = QuickResult::undecided;
      one.candidates.size = 0;
    }
  }

  /// The distance of the nearest piece.
  [[nodiscard]] virtual double distance(const Point<D>& centre) const = 0;

  /// The box around the body where it stands; infinite where the body is endless.
  [[nodiscard]] virtual Box<D> bounding_box(const RigidTransform<D>& where) const = 0;

  /// Whether moving the body along an axis leaves it what it is.
  [[nodiscard]] virtual bool is_invariant_along(std::size_t /*axis*/,
                                                const RigidTransform<D>& /*where*/) const {
    return false;
  }

  [[nodiscard]] virtual std::size_t facet_count() const { return 1; }
};

/// A body and where it stands.
template <std::size_t D>
struct PlacedBody {
  std::unique_ptr<WallBody<D>> body;
  RigidTransform<D> transform{};
  bool is_moved = false;  ///< it is not where it was given
};

/// The box around a box that was turned and moved.
template <std::size_t D>
Box<D> transformed_box(const Box<D>& box, const RigidTransform<D>& where) {
  const Point<D> middle = scaled(sum(box.min, box.max), 0.5);
  const Point<D> half = scaled(difference(box.max, box.min), 0.5);
  Box<D> result;
  for (std::size_t k = 0; k < D; ++k) {
    const double at = dot(where.rotation[k], middle) + where.translation[k];
    double wide = 0;
    for (std::size_t j = 0; j < D; ++j) wide += std::abs(where.rotation[k][j]) * half[j];
    const double slack = 1e-12 * (wide + std::abs(at) + std::abs(where.translation[k]));
    result.min[k] = at - wide - slack;
    result.max[k] = at + wide + slack;
  }
  return result;
}

template <std::size_t D>
Point<D> rotated(const RigidTransform<D>& where, const Point<D>& vector) {
  Point<D> result;
  for (std::size_t k = 0; k < D; ++k) result[k] = dot(where.rotation[k], vector);
  return result;
}

/// A point of the world as the body sees it.
template <std::size_t D>
Point<D> to_body_frame(const RigidTransform<D>& where, const Point<D>& point) {
  const Point<D> from = difference(point, where.translation);
  Point<D> result{};
  for (std::size_t j = 0; j < D; ++j)
    for (std::size_t k = 0; k < D; ++k) result[k] += where.rotation[j][k] * from[j];
  return result;
}

}  // namespace abut
