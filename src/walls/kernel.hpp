#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "walls/wall_body.hpp"

namespace abut {

/// Two parallel planes that enclose all facets near a grid cell: low ≤ normal·y ≤ high for every
/// point y of a facet, relative to the cell center and in units of the cell size. Near a flat wall
/// this bounds the distance much more tightly than the distance from the cell center.
struct CellSlab {
  static constexpr double max_normal_length = 128;  ///< upper bound of |normal|
  std::array<std::int8_t, 3> normal;                ///< 127 · unit normal, rounded
  std::uint8_t distance_steps = 0;                  ///< copy of the grid's value, for locality
  std::int16_t low = -32768;
  std::int16_t high = 32767;
};

/// Distance from every cell center of a grid to the nearest facet, see `DistanceGrid`. Does not own
/// the arrays.
template <std::size_t D>
struct DistanceGridView {
  static constexpr double steps_per_cell = 16;  ///< resolution of the distances
  Point<D> min{};
  Point<D> max_position{};  ///< largest position along each axis, in cells
  std::array<std::int32_t, D> stride{};
  double cells_per_length = 0;
  const std::uint8_t* distance_steps = nullptr;  ///< by cell, rounded down
  const CellSlab* slabs = nullptr;               ///< by cell; null if the grid has none
  static constexpr double slab_range = 0.6;      ///< cutoff up to which slabs are valid, in cells
};

/// Eight facets in structure-of-arrays layout, for lower bounds of their distances: a facet is at
/// least as far away as its `FacetSlab`. Coordinates are relative to the center of the packet and
/// in units of its scale, so that single precision suffices.
template <std::size_t D>
struct alignas(32) Packet {
  static constexpr std::size_t lane_count = 8;
  using Lanes = std::array<float, lane_count>;

  /// normal·x + offset: the signed height above the plane, or the distance inside a side.
  struct Side {
    std::array<Lanes, D> normal;
    Lanes offset;
  };
  Side plane;
  std::array<Side, D> sides;
  Point<D> center;
  double scale;  ///< half of the longest side of the bounding box
  double inverse_scale;
  double slack;       ///< rounding error of a height at |x| = r is slack · (1 + r)
  unsigned occupied;  ///< bit j: whether facet j exists
};

/// Bounding box of a packet, relative to the bounding box of the mesh: its minimum is the origin
/// and its longest side the unit of length.
struct alignas(32) PacketBox {
  std::array<float, 4> center;
  std::array<float, 4> half_extent;
};

/// Bound of the rounding error of heights in single precision, in units of the packet's scale. A
/// height is a sum of four terms of magnitude ≤ √3 plus the distance of the point, with at most six
/// roundings of relative error 2⁻²⁴ each; the value is nearly twice that.
inline constexpr double float_slack = 2e-6;

/// The packets of a mesh. Does not own the arrays.
template <std::size_t D>
struct PacketView {
  const Packet<D>* packets;
  const PacketBox* boxes;
  const char* facet_data;   ///< exact facets, prefetched when they are found
  std::size_t facet_bytes;  ///< per facet
};

/// A particle to be tested against the facets of some packets.
template <std::size_t D>
struct PacketQuery {
  std::span<const std::uint32_t> packets;            ///< indices
  alignas(16) std::array<float, 4> box_center;       ///< relative, as in `PacketBox`
  alignas(16) std::array<float, 4> box_half_extent;  ///< with slack
  Point<D> center;
  double cutoff;
  double inverse_cutoff;
  double relative_rounding;  ///< error of distances, as a fraction of the cutoff
};

/// The result of a `PacketQuery`. `facets` holds the face if that is the result. If undecided, it
/// holds all facets that may be within the cutoff, or none if they exceed its capacity.
struct PacketResult {
  QuickResult result;
  FacetList facets;
};

/// The hot loops of a wall search.
template <std::size_t D>
struct WallKernels {
  /// Sets the cutoffs of a block: radius · tolerance_factor + margin. False if a coordinate or
  /// radius is invalid.
  bool (*load_block)(const double* radius, double tolerance_factor, double margin,
                     ParticleBlock<D>&);
  /// Selects the particles for which the grid cannot exclude a contact.
  void (*prefilter)(const DistanceGridView<D>&, const ParticleBlock<D>&, Selection&);
  /// Reduces a selection by means of a grid with slabs, and determines the caps.
  void (*refine)(const DistanceGridView<D>&, const ParticleBlock<D>&, Selection&);
  /// Bounding boxes of the caps.
  void (*bound_caps)(std::span<const WallQuery<D>>, CapBox<D>*);
  /// Bit j: whether facet j may be within the cutoff.
  unsigned (*facets_within)(const Packet<D>&, const Point<D>& center, double cutoff);
  /// For up to `WallQuery::batch_size` queries.
  void (*query_packets)(const PacketView<D>&, std::span<const PacketQuery<D>>, PacketResult*);
};

/// The kernels for the selected instruction set (see core/simd.hpp); called once per mesh.
template <std::size_t D>
const WallKernels<D>& wall_kernels();

}  // namespace abut
