#pragma once

#include <abut/box.hpp>
#include <span>
#include <vector>

#include "core/huge_vector.hpp"
#include "walls/facets.hpp"
#include "walls/kernel.hpp"

namespace abut {

/// The pieces of a mesh in packets of eight, ready to be asked whether one may be near a point: few
/// are then left for the exact question. Pieces that follow each other should lie near each other.
template <std::size_t D>
class Packets {
 public:
  static constexpr std::size_t many = Packet<D>::many;

  Packets() = default;
  /// `all` is the box around all boxes.
  Packets(const Facets<D>& facets, std::span<const Box<D>> boxes, const Box<D>& all)
      : corner_(all.min), per_side_(1 / largest_part(difference(all.max, all.min))) {
    for (std::size_t first = 0; first < boxes.size(); first += many)
      add(facets, first, boxes.subspan(first, std::min(many, boxes.size() - first)));
  }

  [[nodiscard]] std::size_t size() const { return packets_.size(); }

  /// Around all pieces of a packet.
  [[nodiscard]] const Box<D>& box(std::size_t i) const { return whole_[i]; }

  /// Bit j: whether piece 8i + j may be within reach of the point.
  [[nodiscard]] unsigned met(std::size_t i, const Point<D>& point, double reach) const {
    for (std::size_t k = 0; k < D; ++k)
      if (point[k] - reach > whole_[i].max[k] || point[k] + reach < whole_[i].min[k]) return 0;
    return kernels_->met(packets_[i], point, reach);
  }

  /// A question to some packets, about pieces in a box. Put where it is to be: a copy of what was
  /// just written would have to wait for it.
  void put_question(std::span<const std::uint32_t> packets, const CapBox<D>& box,
                    const Looking<D>& looking, PacketQuestion<D>& asked) const {
    asked.asked = packets;
    for (std::size_t k = 0; k < D; ++k) {
      asked.place[k] = static_cast<float>((box.middle[k] - corner_[k]) * per_side_);
      asked.wide[k] = static_cast<float>(box.half[k] * per_side_ * (1 + 1e-6) + box_slack);
    }
    for (std::size_t k = D; k < asked.place.size(); ++k) asked.place[k] = asked.wide[k] = 0;
    asked.centre = looking.centre;
    asked.reach = looking.reach;
    asked.per_reach = 1 / looking.reach;
    asked.rounding = looking.rounding * asked.per_reach;
  }

  /// Answers to up to `Looking::most` questions.
  void ask(const Facets<D>& facets, std::span<const PacketQuestion<D>> questions,
           PacketAnswer* answers) const {
    kernels_->ask({packets_.data(), short_.data(), facets.bytes(), Facets<D>::bytes_each},
                  questions, answers);
  }

 private:
  static constexpr double box_slack = 1e-6;

  void add(const Facets<D>& facets, std::size_t first, std::span<const Box<D>> boxes) {
    Box<D> box = boxes[0];
    for (const Box<D>& one : boxes)
      for (std::size_t k = 0; k < D; ++k) {
        box.min[k] = std::min(box.min[k], one.min[k]);
        box.max[k] = std::max(box.max[k], one.max[k]);
      }
    whole_.push_back(box);
    PacketBox in_short{};
    for (std::size_t k = 0; k < D; ++k) {
      in_short.middle[k] =
          static_cast<float>((box.min[k] / 2 + box.max[k] / 2 - corner_[k]) * per_side_);
      in_short.half[k] = static_cast<float>((box.max[k] / 2 - box.min[k] / 2) * per_side_);
    }
    short_.push_back(in_short);
    packets_.push_back(packed(facets, first, box, boxes.size()));
  }

  static Packet<D> packed(const Facets<D>& facets, std::size_t first, const Box<D>& box,
                          std::size_t count) {
    Packet<D> packet{};
    packet.middle = sum(scaled(box.min, 0.5), scaled(box.max, 0.5));
    packet.size = largest_part(difference(box.max, box.min)) / 2;
    packet.per_size = 1 / packet.size;
    const double rounding = 8 * std::numeric_limits<double>::epsilon() *
                            (largest_part(box.min) + largest_part(box.max));
    packet.slack = float_slack + rounding * packet.per_size;
    packet.present = (1U << count) - 1;
    for (std::size_t j = 0; j < count; ++j) put(facets.slab(first + j), j, packet);
    return packet;
  }

  static void put(const Slab<D>& slab, std::size_t lane, Packet<D>& packet) {
    const Point<D> middle = difference(packet.middle, slab.corner);
    const auto put_side = [&](typename Packet<D>::Side& side, const Point<D>& normal, double from) {
      for (std::size_t k = 0; k < D; ++k) side.normal[k][lane] = static_cast<float>(normal[k]);
      side.from[lane] = static_cast<float>((dot(normal, middle) + from) * packet.per_size);
    };
    put_side(packet.plane, slab.normal, 0);
    for (std::size_t k = 0; k < D; ++k) put_side(packet.sides[k], slab.inward[k], slab.from[k]);
  }

  const WallKernels<D>* kernels_ = &wall_kernels<D>();
  Point<D> corner_{};
  double per_side_ = 0;
  HugeVector<Packet<D>> packets_;
  HugeVector<PacketBox> short_;
  std::vector<Box<D>> whole_;
};

}  // namespace abut
