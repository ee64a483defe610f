#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "walls/wall_body.hpp"

namespace abut {

/// All pieces near a cell lie between two parallel planes: `low` ≤ normal·y ≤ `high` for every
/// point y of them, seen from the middle of the cell, in cells. Where a wall is nearly flat that
/// says how far it is much better than the distance from the middle does.
struct CellSlab {
  static constexpr double max_normal_length = 128;  ///< no normal is longer
  std::array<std::int8_t, 3> normal;                ///< rounded, so not of length one
  std::uint8_t distance_steps = 0;                  ///< as in the grid, at hand
  std::int16_t low = -32768;
  std::int16_t high = 32767;
};

/// How far it is to the nearest piece from the middle of every cell of a grid, see `DistanceGrid`.
template <std::size_t D>
struct DistanceGridView {
  static constexpr double steps_per_cell = 16;  ///< steps a cell
  Point<D> min{};
  Point<D> max_position{};  ///< the largest place along each axis, in cells
  std::array<std::int32_t, D> stride{};
  double cells_per_length = 0;
  const std::uint8_t* distance_steps = nullptr;
  const CellSlab* slabs = nullptr;           ///< if there are
  static constexpr double slab_range = 0.6;  ///< cells: slabs know pieces that are no farther away
};

/// Eight pieces side by side. The distance of a piece is at least that of the slab it is cut from,
/// by its plane and its sides. Seen from the middle of the packet, in units of its size, so that
/// the precision of a float is enough.
template <std::size_t D>
struct alignas(32) Packet {
  static constexpr std::size_t lane_count = 8;
  using Lanes = std::array<float, lane_count>;

  /// normal·x + from: the height above the plane, or how far inside of a side.
  struct Side {
    std::array<Lanes, D> normal;
    Lanes offset;
  };
  Side plane;
  std::array<Side, D> sides;
  Point<D> center;
  double scale;
  double inverse_scale;
  double slack;  ///< what rounds off, in sizes: so much at the middle, as much again a size away
  unsigned occupied;  ///< bit j: whether there is a piece j
};

/// The box around a packet, seen from the corner of the box around all, in units of that.
struct alignas(32) PacketBox {
  std::array<float, 4> center;
  std::array<float, 4> half_extent;
};

/// What floats round off, in sizes of a packet: a height is a sum of four numbers that are not
/// larger than √3 sizes and the distance of the point, of which the steps on the way lose 2⁻²⁴ each
/// not more than six times. Given back nearly twice over.
inline constexpr double float_slack = 2e-6;

/// The packets of a mesh.
template <std::size_t D>
struct PacketView {
  const Packet<D>* packets;
  const PacketBox* boxes;
  const char* facet_data;  ///< where exact pieces are: memory is asked for those that are found
  std::size_t facet_bytes;
};

/// Whether a particle touches pieces of some packets.
template <std::size_t D>
struct PacketQuery {
  std::span<const std::uint32_t> packets;       ///< numbers of packets
  alignas(16) std::array<float, 4> box_center;  ///< the middle of a box around all within reach, as
                                                ///< packets have theirs
  alignas(16) std::array<float, 4> box_half_extent;  ///< half of it along each axis, with slack
  Point<D> center;
  double cutoff;
  double inverse_cutoff;
  double relative_rounding;  ///< how exact distances are, as a part of the reach
};

/// What there is to see. The pieces are the face, if it is one, or all that may be within reach, if
/// it is more; none if there is no room for them.
struct PacketResult {
  QuickResult result;
  FacetList facets;
};

/// The loops that most of a search is spent in.
template <std::size_t D>
struct WallKernels {
  /// How far the particles of a block reach: radius·stretch + margin. False if one of them cannot
  /// be worked with.
  bool (*load_block)(const double* radius, double stretch, double margin, ParticleBlock<D>&);
  /// Particles of the block that the clearance cannot tell to be free.
  void (*prefilter)(const DistanceGridView<D>&, const ParticleBlock<D>&, Selection&);
  /// Of those already picked, by a grid that has slabs.
  void (*refine)(const DistanceGridView<D>&, const ParticleBlock<D>&, Selection&);
  /// Boxes around caps.
  void (*bound_caps)(std::span<const WallQuery<D>>, CapBox<D>*);
  /// Bit j: whether piece j may be within reach.
  unsigned (*facets_within)(const Packet<D>&, const Point<D>& centre, double reach);
  /// For up to `WallQuery::most` at once.
  void (*query_packets)(const PacketView<D>&, std::span<const PacketQuery<D>>, PacketResult*);
};

/// Chosen once a mesh (see `use_avx2`).
template <std::size_t D>
const WallKernels<D>& wall_kernels();

/// The loops for processors with AVX2, or null if they may not run.
template <std::size_t D>
const WallKernels<D>* avx2_wall_kernels();

extern template const WallKernels<2>* avx2_wall_kernels();
extern template const WallKernels<3>* avx2_wall_kernels();
extern template const WallKernels<2>& wall_kernels();
extern template const WallKernels<3>& wall_kernels();

}  // namespace abut
