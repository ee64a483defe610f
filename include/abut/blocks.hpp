#pragma once

#include <abut/detector.hpp>
#include <abut/detector_options.hpp>
#include <abut/export.hpp>
#include <abut/index.hpp>
#include <abut/polygon.hpp>
#include <abut/polyhedron.hpp>
#include <abut/spheres.hpp>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace abut {

/// A convex body, owning its vertices.
template <std::size_t D>
using Convex = std::conditional_t<D == 2, Polygon, Polyhedron>;
/// A convex body at its current position, not owning its vertices.
template <std::size_t D>
using ConvexView = std::conditional_t<D == 2, PolygonView, PolyhedronView>;

/// Moment of inertia about the centroid: the polar moment in 2D, the tensor by rows in 3D.
template <std::size_t D>
using Inertia = std::conditional_t<D == 2, double, std::array<Point<3>, 3>>;

/// Mass properties for unit density, in the frame and unit of length of the vertices.
template <std::size_t D>
struct MassProperties {
  double volume = 0;  ///< area in 2D
  Point<D> centroid{};
  Inertia<D> inertia{};  ///< about the centroid
};

/// Mass properties of a rigid cluster of convex parts that do not overlap.
template <std::size_t D>
ABUT_API MassProperties<D> mass_properties(std::span<const Convex<D>> parts);

/// A shape of `Blocks`.
using ShapeId = StrongIndex<struct ShapeIdTag>;

/// Particles that are polygons (2D) or polyhedra (3D), each convex or a rigid cluster of convex
/// parts.
///
///     abut::Blocks2 blocks;
///     const abut::ShapeId square = blocks.add_shape({abut::Polygon(vertices)});
///     blocks.add(square);
///     blocks.add(square, abut::rotation_about({0, 0}, 0.3));
///
/// Particles and parts are numbered from 0 in the order in which they were added. The object owns
/// the shapes and the vertices of all parts at their current positions, the latter in one array.
/// Functions throw `Error` for a particle, part or shape that does not exist, and for an object
/// that has been moved from.
template <std::size_t D>
class ABUT_API Blocks {
 public:
  /// Adds a shape that any number of particles may share: one convex part or several. Throws
  /// `Error` if there is no part.
  ShapeId add_shape(std::vector<Convex<D>> parts);

  /// Adds a particle and returns its index. The transform maps the coordinates in which the shape
  /// was given to the current ones.
  Index add(ShapeId shape, const RigidTransform<D>& transform = {});

  /// Moves a particle. The transform is relative to the coordinates in which its shape was given,
  /// not to the current position. O(vertices of the particle).
  void set_transform(Index particle, const RigidTransform<D>& transform);

  [[nodiscard]] Index particle_count() const;
  [[nodiscard]] Index part_count() const;

  /// The particle that a part belongs to, the first part of a particle (its parts are consecutive),
  /// and the shape of a particle. O(1).
  [[nodiscard]] Index particle_of(Index part) const {
    check_exists("part", part, particle_of_.size());
    return particle_of_[part];
  }
  [[nodiscard]] Index first_part(Index particle) const {
    check_exists("particle", particle, first_part_.size());
    return first_part_[particle];
  }
  [[nodiscard]] ShapeId shape_of(Index particle) const {
    check_exists("particle", particle, shape_of_.size());
    return shape_of_[particle];
  }

  /// The parts of a shape as they were given. Valid until a shape is added.
  [[nodiscard]] std::span<const Convex<D>> shape_parts(ShapeId shape) const;

  /// A part at its current position. Valid until a particle is added.
  [[nodiscard]] ConvexView<D> part(Index part) const;

  /// The bounding spheres (2D: circles) of all parts, for the broad phase. Valid until a particle
  /// is added.
  [[nodiscard]] Spheres<D> bounding_spheres() const;

  /// Unique to this object: copies have ids of their own.
  [[nodiscard]] std::uint64_t instance_id() const;

 private:
  struct InstanceId {
    static constexpr std::uint64_t moved_from = 0;
    std::uint64_t value = next();
    InstanceId() = default;
    ~InstanceId() = default;
    InstanceId(const InstanceId& other) : value(other.value == moved_from ? moved_from : next()) {}
    InstanceId(InstanceId&& other) noexcept : value(std::exchange(other.value, moved_from)) {}
    InstanceId& operator=(const InstanceId& other) {
      if (this != &other) value = other.value == moved_from ? moved_from : next();
      return *this;
    }
    InstanceId& operator=(InstanceId&& other) noexcept {
      value = std::exchange(other.value, moved_from);
      return *this;
    }
    static std::uint64_t next();
  };

  void check_not_moved_from() const;
  void check_exists(const char* kind, std::size_t index, std::size_t count) const {
    if (index >= count) [[unlikely]]
      throw_missing(kind, index, count);
  }
  [[noreturn]] void throw_missing(const char* kind, std::size_t index, std::size_t count) const;

  InstanceId instance_id_;
  std::vector<std::vector<Convex<D>>> shapes_;
  std::vector<ShapeId> shape_of_;               // by particle
  std::vector<Index> first_part_;               // by particle
  std::vector<Index> particle_of_;              // by part
  std::vector<std::size_t> vertex_offsets_{0};  // of part p: [p] to [p + 1]
  std::vector<Point<D>> vertices_;              // of all parts, current positions
  SphereArrays<D> bounding_spheres_;            // by part
};

using Blocks2 = Blocks<2>;
using Blocks3 = Blocks<3>;

/// A contact or potential contact of two convex parts of different particles, or of a particle and
/// its own periodic image: the gap of their common plane does not exceed the margin.
template <std::size_t D>
struct BlockContact {
  static constexpr Index no_previous = 0xffffffff;

  Index a;       ///< particle of part_a; a ≤ b
  Index b;       ///< particle of part_b
  Index part_a;  ///< part_a ≤ part_b
  Index part_b;
  std::array<std::int32_t, D> image;  ///< b is shifted by image[k] periods along axis k
  CommonPlane<D> plane;               ///< normal from a to the shifted b
  Point<D> point;                     ///< centroid of the section of both with the plane
  double area;                        ///< of that section, in 2D its length
  std::uint32_t age;                  ///< number of updates since the contact was first found
  Index previous_index;  ///< index in the list of the previous update, or `no_previous`

  [[nodiscard]] ContactStatus status() const {
    return plane.gap < 0 ? ContactStatus::active : ContactStatus::potential;
  }
};

/// Finds the contacts of blocks step by step. Broad phase: the bounding spheres of the parts, with
/// any search method. Narrow phase: the common plane, warm-started with that of the previous
/// update. `DetectorOptions::margin` is TOL of Cundall (1988): contacts with a gap up to it are
/// listed.
///
///     abut::BlockDetector2 detector({.margin = 0.01});
///     detector.update(blocks);                            // after each motion
///     for (const auto& contact : detector.contacts()) …
///
/// Contacts are ordered by parts and image, and bitwise identical for any number of threads. All
/// functions throw `Error` for a detector that has been moved from.
template <std::size_t D>
class ABUT_API BlockDetector {
 public:
  explicit BlockDetector(DetectorOptions<D> options = {});
  ~BlockDetector();
  BlockDetector(BlockDetector&&) noexcept;
  BlockDetector& operator=(BlockDetector&&) noexcept;

  /// Replaces the list of contacts. Starts without history if the blocks are not those of the
  /// previous update. Throws `Error` as `Detector` does for the bounding spheres.
  void update(const Blocks<D>& blocks);

  /// Valid until the next update.
  [[nodiscard]] const std::vector<BlockContact<D>>& contacts() const;

  /// Counts of the last update.
  struct BlockStatistics {
    std::size_t pairs = 0;         ///< pairs of parts found by the broad phase
    std::size_t warm_started = 0;  ///< pairs of these with a plane of the previous update
  };
  [[nodiscard]] BlockStatistics statistics() const;

  /// Discards all contacts: the next update starts without history.
  void reset();

 private:
  class ABUT_LOCAL State;
  [[nodiscard]] State& state() const;

  std::unique_ptr<State> state_;
};

using BlockDetector2 = BlockDetector<2>;
using BlockDetector3 = BlockDetector<3>;

/// Merges the contacts of clusters that lie in one plane: contacts of the same two particles and
/// image whose planes agree up to rounding become one, with the summed area (2D: length), the
/// area-weighted mean of the points and the smallest gap. Ordered by particles and image; `part_a`,
/// `part_b`, `age` and `previous_index` are those of the first contact merged.
template <std::size_t D>
ABUT_API std::vector<BlockContact<D>> merge_coplanar(std::span<const BlockContact<D>> contacts);

}  // namespace abut
