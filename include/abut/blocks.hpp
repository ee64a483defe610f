#pragma once

#include <abut/detector.hpp>
#include <abut/detector_options.hpp>
#include <abut/polygon.hpp>
#include <abut/polyhedron.hpp>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace abut {

template <std::size_t D>
using Convex = std::conditional_t<D == 2, Polygon, Polyhedron>;
template <std::size_t D>
using ConvexView = std::conditional_t<D == 2, PolygonView, PolyhedronView>;

/// About the centroid: the polar moment in 2D, the tensor by rows in 3D.
template <std::size_t D>
using Inertia = std::conditional_t<D == 2, double, std::array<Point<3>, 3>>;

/// What a body weighs, where and how, at a density of one.
template <std::size_t D>
struct MassProperties {
  double volume = 0;  ///< area or volume
  Point<D> centroid{};
  Inertia<D> inertia{};
};

/// Of parts that are joined and do not overlap.
template <std::size_t D>
MassProperties<D> mass_properties(std::span<const Convex<D>> parts);

/// Particles that are polygons or polyhedra, each convex or a cluster of convex parts.
///
///     abut::Blocks2 blocks;
///     const auto square = blocks.add_shape({abut::Polygon(corners)});
///     blocks.add(square);
///     blocks.add(square, abut::turned({0, 0}, 0.3));
///
/// Parts are numbered from 0 in the order their particles were added. The corners of all of them
/// lie in one array, where they stand.
template <std::size_t D>
class Blocks {
 public:
  /// A shape that any number of particles may have: one convex part, or several that are joined.
  /// Throws `Error` if there are none.
  std::size_t add_shape(std::vector<Convex<D>> parts);

  /// A particle of a shape; returns its number.
  Index add(std::size_t shape, const RigidTransform<D>& where = {});

  /// Moves a particle from where its shape was given. Throws `Error` if there is none of the
  /// number.
  void set_transform(Index particle, const RigidTransform<D>& where);

  [[nodiscard]] Index particle_count() const { return static_cast<Index>(shape_of_.size()); }
  [[nodiscard]] Index part_count() const { return static_cast<Index>(particle_of_.size()); }
  [[nodiscard]] Index particle_of(Index part) const { return particle_of_[part]; }
  [[nodiscard]] Index first_part(Index particle) const { return first_part_[particle]; }
  [[nodiscard]] std::size_t shape_of(Index particle) const { return shape_of_[particle]; }
  [[nodiscard]] std::span<const Convex<D>> shape_parts(std::size_t shape) const {
    return shapes_[shape];
  }

  /// A part where it stands. Valid until a particle is added.
  [[nodiscard]] ConvexView<D> part(Index part) const;

  /// The spheres around the parts: what the search for pairs works on.
  [[nodiscard]] Spheres<D> bounding_spheres() const;

  /// Differs from that of all others, copies too.
  [[nodiscard]] std::uint64_t instance_id() const { return instance_id_.value; }

 private:
  struct InstanceId {
    std::uint64_t value = next();
    InstanceId() = default;
    ~InstanceId() = default;
    InstanceId(const InstanceId& /*other*/) {}
    InstanceId(InstanceId&&) noexcept = default;
    InstanceId& operator=(const InstanceId& other) {
      if (this != &other) value = next();
      return *this;
    }
    InstanceId& operator=(InstanceId&&) noexcept = default;
    static std::uint64_t next();
  };

  InstanceId instance_id_;
  std::vector<std::vector<Convex<D>>> shapes_;
  std::vector<std::size_t> shape_of_;  // by particle
  std::vector<Index> first_part_;      // by particle
  std::vector<Index> particle_of_;     // by part, as all that follows
  std::vector<std::size_t> vertex_offsets_{0};
  std::vector<Point<D>> vertices_;
  std::array<std::vector<double>, D> center_;
  std::vector<double> bounding_radius_;
};

using Blocks2 = Blocks<2>;
using Blocks3 = Blocks<3>;

/// Two convex parts of different particles that touch, or may soon: their common plane is no wider
/// than the margin of the search.
template <std::size_t D>
struct BlockContact {
  static constexpr Index no_previous = 0xffffffff;

  Index a;  ///< the particles; a ≤ b
  Index b;
  Index part_a;  ///< the parts; part_a < part_b
  Index part_b;
  std::array<std::int32_t, D> image;  ///< by how many periods b is moved to meet a
  CommonPlane<D> plane;               ///< from a to b
  Point<D> point;                     ///< middle of what the plane cuts out of both
  double area;                        ///< length or area of that
  std::uint32_t age;                  ///< for how many updates it has been there
  Index previous_index;               ///< its place in the list of the update before, or `newcomer`

  [[nodiscard]] ContactStatus status() const {
    return plane.gap < 0 ? ContactStatus::active : ContactStatus::potential;
  }
};

/// The contacts of blocks, step by step: spheres around the parts, any of the searches for pairs,
/// and the common plane, which starts from that of the step before. `DetectorOptions::margin` is
/// TOL of the paper: a contact comes into the table when the gap is no larger, and leaves it when
/// it is.
///
///     abut::BlockDetector2 search({.margin = 0.01});
///     search.update(blocks);                      as often as they move
///     for (const auto& contact : search.contacts()) …
///
/// Contacts are ordered by parts and image, and are the same for any number of threads.
template <std::size_t D>
class BlockDetector {
 public:
  explicit BlockDetector(DetectorOptions<D> options = {});
  ~BlockDetector();
  BlockDetector(BlockDetector&&) noexcept;
  BlockDetector& operator=(BlockDetector&&) noexcept;

  /// Throws `Error` as a detector does for the spheres around the parts.
  void update(const Blocks<D>& blocks);

  [[nodiscard]] const std::vector<BlockContact<D>>& contacts() const;

  /// What the last update did.
  struct BlockStatistics {
    std::size_t pairs = 0;         ///< of parts whose spheres are within reach
    std::size_t warm_started = 0;  ///< of these, those whose plane was known before
  };
  [[nodiscard]] BlockStatistics statistics() const;

  /// Forgets all planes: the next update starts as the first did.
  void reset();

 private:
  class State;
  std::unique_ptr<State> state_;
};

using BlockDetector2 = BlockDetector<2>;
using BlockDetector3 = BlockDetector<3>;

/// The contacts of clusters, those in one plane taken together: where two particles touch by
/// several parts with nearly the same plane, they touch once, with the sum of the lengths or areas,
/// at the middle of all. What is left is ordered as it was; `part_a`, `part_b`, `age` and `before`
/// are those of the first.
template <std::size_t D>
std::vector<BlockContact<D>> merge_coplanar(std::span<const BlockContact<D>> contacts);

}  // namespace abut
