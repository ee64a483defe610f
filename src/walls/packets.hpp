#pragma once

#include <abut/box.hpp>
#include <bit>
#include <span>
#include <vector>

#include "walls/facets.hpp"

namespace abut {

/// Compilers make one instruction for four numbers of it, on any machine that has it.
using FourFloats [[gnu::vector_size(16)]] = float;

/// Eight pieces side by side, which of them may be near a point: all are asked at once, and few are
/// left for the exact question. Pieces that follow each other should lie near each other.
///
/// The distance of a piece is at least that of the slab it is cut from, by its plane and its sides.
/// Numbers are seen from the middle of the packet, in units of its size, so that the precision of a
/// float is enough: what it rounds, `slack` gives back.
template <std::size_t D>
class Packets {
 public:
  static constexpr std::size_t many = 8;

  Packets() = default;
  Packets(const Facets<D>& facets, std::span<const Box<D>> boxes) {
    for (std::size_t first = 0; first < boxes.size(); first += many) {
      const std::size_t count = std::min(many, boxes.size() - first);
      packets_.push_back(packed(facets, first, boxes.subspan(first, count)));
    }
  }

  [[nodiscard]] std::size_t size() const { return packets_.size(); }

  /// Around all pieces of a packet.
  [[nodiscard]] Box<D> box(std::size_t i) const {
    const Packet& own = packets_[i];
    return {difference(own.middle, own.half), sum(own.middle, own.half)};
  }

  /// Bit j: whether piece 8i + j may be within reach of the point.
  [[nodiscard]] unsigned met(std::size_t i, const Point<D>& point, double reach) const {
    const Packet& own = packets_[i];
    std::array<float, D> at;
    bool apart = false;
    for (std::size_t k = 0; k < D; ++k) {
      const double from_middle = point[k] - own.middle[k];
      apart |= std::abs(from_middle) > own.half[k] + reach;
      at[k] = static_cast<float>(from_middle * own.per_size);
    }
    if (apart) return 0;
    const double far = reach * own.per_size;
    if (far > beyond_float) return own.present;
    const auto wide = static_cast<float>(far + slack * (1 + far));
    return own.lanes[0].met(at, wide * wide) | own.lanes[1].met(at, wide * wide) << 4U;
  }

 private:
  static constexpr double slack = 1e-5;
  static constexpr double beyond_float = 1e6;  // sizes of a packet

  struct Lanes {
    // normal·at + from, for the plane and for each side, positive inside.
    struct Side {
      std::array<FourFloats, D> normal{};
      FourFloats from{};

      [[nodiscard]] FourFloats height(const std::array<float, D>& at) const {
        FourFloats sum = from;
        for (std::size_t k = 0; k < D; ++k) sum += normal[k] * at[k];
        return sum;
      }
    };
    Side plane;
    std::array<Side, D> sides;

    [[nodiscard]] unsigned met(const std::array<float, D>& at, float squared_reach) const {
      const FourFloats above = plane.height(at);
      FourFloats inside{};  // or so far beyond a side
      for (const Side& side : sides) {
        const FourFloats height = side.height(at);
        inside = height < inside ? height : inside;
      }
      const auto near = above * above + inside * inside <= squared_reach;
#ifdef __SSE__
      return static_cast<unsigned>(__builtin_ia32_movmskps(std::bit_cast<FourFloats>(near)));
#else
      const auto bits = std::bit_cast<std::array<std::uint32_t, 4>>(near);
      return (bits[0] & 1U) | (bits[1] & 2U) | (bits[2] & 4U) | (bits[3] & 8U);
#endif
    }
  };

  struct Packet {
    Point<D> middle;
    Point<D> half;
    double per_size;
    unsigned present;
    std::array<Lanes, 2> lanes;
  };

  static Packet packed(const Facets<D>& facets, std::size_t first, std::span<const Box<D>> boxes) {
    Box<D> all = boxes[0];
    for (const Box<D>& box : boxes)
      for (std::size_t k = 0; k < D; ++k) {
        all.min[k] = std::min(all.min[k], box.min[k]);
        all.max[k] = std::max(all.max[k], box.max[k]);
      }
    Packet packet{};
    packet.middle = sum(scaled(all.min, 0.5), scaled(all.max, 0.5));
    for (std::size_t k = 0; k < D; ++k)  // a little more, for rounding
      packet.half[k] = (all.max[k] / 2 - all.min[k] / 2) * (1 + 1e-12) +
                       1e-15 * std::max(std::abs(all.min[k]), std::abs(all.max[k]));
    packet.per_size = 1 / largest_part(packet.half);
    for (std::size_t j = 0; j < many; ++j) {
      Lanes& lanes = packet.lanes[j / 4];
      if (j < boxes.size()) {
        packet.present |= 1U << j;
        put(facets.slab(first + j), packet, lanes, j % 4);
      } else {
        lanes.plane.from[j % 4] = 1e15F;  // out of anyone's reach
      }
    }
    return packet;
  }

  static void put(const Slab<D>& slab, const Packet& packet, Lanes& lanes, std::size_t lane) {
    const Point<D> middle = difference(packet.middle, slab.corner);
    const auto put_side = [&](typename Lanes::Side& side, const Point<D>& normal, double from) {
      for (std::size_t k = 0; k < D; ++k) side.normal[k][lane] = static_cast<float>(normal[k]);
      side.from[lane] = static_cast<float>((dot(normal, middle) + from) * packet.per_size);
    };
    put_side(lanes.plane, slab.normal, 0);
    for (std::size_t k = 0; k < D; ++k) put_side(lanes.sides[k], slab.inward[k], slab.from[k]);
  }

  std::vector<Packet> packets_;
};

}  // namespace abut
