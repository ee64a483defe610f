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
  static constexpr double longest = 128;  ///< no normal is longer
  std::array<std::int8_t, 3> normal;      ///< rounded, so not of length one
  std::uint8_t steps = 0;                 ///< as in the grid, at hand
  std::int16_t low = -32768;
  std::int16_t high = 32767;
};

/// How far it is to the nearest piece from the middle of every cell of a grid, see `Clearance`.
template <std::size_t D>
struct ClearanceGrid {
  static constexpr double fineness = 16;  ///< steps a cell
  Point<D> min{};
  Point<D> last{};  ///< the largest place along each axis, in cells
  std::array<std::int32_t, D> stride{};
  double per_cell = 0;
  const std::uint8_t* steps = nullptr;
  const CellSlab* slabs = nullptr;           ///< if there are
  static constexpr double slab_reach = 0.6;  ///< cells: slabs know pieces that are no farther away
};

/// Eight pieces side by side. The distance of a piece is at least that of the slab it is cut from,
/// by its plane and its sides. Seen from the middle of the packet, in units of its size, so that
/// the precision of a float is enough.
template <std::size_t D>
struct alignas(32) Packet {
  static constexpr std::size_t many = 8;
  using Lanes = std::array<float, many>;

  /// normal·x + from: the height above the plane, or how far inside of a side.
  struct Side {
    std::array<Lanes, D> normal;
    Lanes from;
  };
  Side plane;
  std::array<Side, D> sides;
  Point<D> middle;
  double size;
  double per_size;
  double slack;  ///< what rounds off, in sizes: so much at the middle, as much again a size away
  unsigned present;  ///< bit j: whether there is a piece j
};

/// The box around a packet, seen from the corner of the box around all, in units of that.
struct alignas(32) PacketBox {
  std::array<float, 4> middle;
  std::array<float, 4> half;
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
  const char* exact;  ///< where exact pieces are: memory is asked for those that are found
  std::size_t exact_bytes;
};

/// Whether a particle touches pieces of some packets.
template <std::size_t D>
struct PacketQuestion {
  std::span<const std::uint32_t> asked;    ///< numbers of packets
  alignas(16) std::array<float, 4> place;  ///< the middle of a box around all within reach, as
                                           ///< packets have theirs
  alignas(16) std::array<float, 4> wide;   ///< half of it along each axis, with slack
  Point<D> centre;
  double reach;
  double per_reach;
  double rounding;  ///< how exact distances are, as a part of the reach
};

/// What there is to see. The pieces are the face, if it is one, or all that may be within reach, if
/// it is more; none if there is no room for them.
struct PacketAnswer {
  Glance glance;
  NearPieces pieces;
};

/// The loops that most of a search is spent in.
template <std::size_t D>
struct WallKernels {
  /// How far the particles of a block reach: radius·stretch + margin. False if one of them cannot
  /// be worked with.
  bool (*load)(const double* radius, double stretch, double margin, Block<D>&);
  /// Particles of the block that the clearance cannot tell to be free.
  void (*pick)(const ClearanceGrid<D>&, const Block<D>&, Picked&);
  /// Of those already picked, by a grid that has slabs.
  void (*pick_again)(const ClearanceGrid<D>&, const Block<D>&, Picked&);
  /// Boxes around caps.
  void (*put_boxes)(std::span<const Looking<D>>, CapBox<D>*);
  /// Bit j: whether piece j may be within reach.
  unsigned (*met)(const Packet<D>&, const Point<D>& centre, double reach);
  /// For up to `Looking::most` at once.
  void (*ask)(const PacketView<D>&, std::span<const PacketQuestion<D>>, PacketAnswer*);
};

/// Chosen once a mesh (see `runs_avx2`).
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
