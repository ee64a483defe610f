#pragma once

#include <abut/detector.hpp>
#include <abut/options.hpp>
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
struct Bulk {
  double measure = 0;  ///< area or volume
  Point<D> centroid{};
  Inertia<D> inertia{};
};

/// Of parts that are joined and do not overlap.
template <std::size_t D>
Bulk<D> bulk_of(std::span<const Convex<D>> parts);

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
  Index add(std::size_t shape, const Placement<D>& where = {});

  /// Moves a particle from where its shape was given. Throws `Error` if there is none of the
  /// number.
  void place(Index particle, const Placement<D>& where);

  [[nodiscard]] Index size() const { return static_cast<Index>(shape_of_.size()); }
  [[nodiscard]] Index parts() const { return static_cast<Index>(owner_.size()); }
  [[nodiscard]] Index owner(Index part) const { return owner_[part]; }
  [[nodiscard]] Index first_part(Index particle) const { return first_part_[particle]; }
  [[nodiscard]] std::size_t shape(Index particle) const { return shape_of_[particle]; }
  [[nodiscard]] std::span<const Convex<D>> parts_of(std::size_t shape) const {
    return shapes_[shape];
  }

  /// A part where it stands. Valid until a particle is added.
  [[nodiscard]] ConvexView<D> part(Index part) const;

  /// The spheres around the parts: what the search for pairs works on.
  [[nodiscard]] Spheres<D> spheres() const;

  /// Differs from that of all others, copies too.
  [[nodiscard]] std::uint64_t identity() const { return identity_.value; }

 private:
  struct Identity {
    std::uint64_t value = next();
    Identity() = default;
    ~Identity() = default;
    Identity(const Identity& /*other*/) {}
    Identity(Identity&&) noexcept = default;
    Identity& operator=(const Identity& other) {
      if (this != &other) value = next();
      return *this;
    }
    Identity& operator=(Identity&&) noexcept = default;
    static std::uint64_t next();
  };

  Identity identity_;
  std::vector<std::vector<Convex<D>>> shapes_;
  std::vector<std::size_t> shape_of_;  // by particle
  std::vector<Index> first_part_;      // by particle
  std::vector<Index> owner_;           // by part, as all that follows
  std::vector<std::size_t> first_corner_{0};
  std::vector<Point<D>> corners_;
  std::array<std::vector<double>, D> centre_;
  std::vector<double> radius_;
};

using Blocks2 = Blocks<2>;
using Blocks3 = Blocks<3>;

/// Two convex parts of different particles that touch, or may soon: their common plane is no wider
/// than the margin of the search.
template <std::size_t D>
struct BlockContact {
  static constexpr Index newcomer = 0xffffffff;

  Index a;  ///< the particles; a ≤ b
  Index b;
  Index part_a;  ///< the parts; part_a < part_b
  Index part_b;
  std::array<std::int32_t, D> image;  ///< by how many periods b is moved to meet a
  CommonPlane<D> plane;               ///< from a to b
  Point<D> point;                     ///< middle of what the plane cuts out of both
  double measure;                     ///< length or area of that
  std::uint32_t age;                  ///< for how many updates it has been there
  Index before;                       ///< its place in the list of the update before, or `newcomer`

  [[nodiscard]] Standing standing() const {
    return plane.gap < 0 ? Standing::real : Standing::potential;
  }
};

/// The contacts of blocks, step by step: spheres around the parts, any of the searches for pairs,
/// and the common plane, which starts from that of the step before. `Options::margin` is TOL of the
/// paper: a contact comes into the table when the gap is no larger, and leaves it when it is.
///
///     abut::BlockDetector2 search({.margin = 0.01});
///     search.update(blocks);                      as often as they move
///     for (const auto& contact : search.contacts()) …
///
/// Contacts are ordered by parts and image, and are the same for any number of threads.
template <std::size_t D>
class BlockDetector {
 public:
  explicit BlockDetector(Options<D> options = {});
  ~BlockDetector();
  BlockDetector(BlockDetector&&) noexcept;
  BlockDetector& operator=(BlockDetector&&) noexcept;

  /// Throws `Error` as a detector does for the spheres around the parts.
  void update(const Blocks<D>& blocks);

  [[nodiscard]] const std::vector<BlockContact<D>>& contacts() const;

  /// What the last update did.
  struct Effort {
    std::size_t pairs = 0;  ///< of parts whose spheres are within reach
    std::size_t known = 0;  ///< of these, those whose plane was known before
  };
  [[nodiscard]] Effort effort() const;

  /// Forgets all planes: the next update starts as the first did.
  void forget();

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
std::vector<BlockContact<D>> joined(std::span<const BlockContact<D>> contacts);

}  // namespace abut
