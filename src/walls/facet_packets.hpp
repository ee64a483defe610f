#pragma once

#include <abut/box.hpp>
#include <span>
#include <vector>

#include "core/buffers.hpp"
#include "walls/facets.hpp"
#include "walls/kernel.hpp"

namespace abut {

/// The facets of a mesh in packets of eight consecutive ones, for conservative tests in single
/// precision that leave few facets for the exact test. Consecutive facets should be close in space.
template <std::size_t D>
class FacetPackets {
 public:
  static constexpr std::size_t lane_count = Packet<D>::lane_count;

  FacetPackets() = default;
  /// `boxes` are the bounding boxes of the facets, `bounds` is that of the mesh.
  FacetPackets(const Facets<D>& facets, std::span<const Box<D>> boxes, const Box<D>& bounds)
      : origin_(bounds.min), inverse_size_(1 / max_abs(difference(bounds.max, bounds.min))) {
    for (std::size_t first = 0; first < boxes.size(); first += lane_count)
      add(facets, first, boxes.subspan(first, std::min(lane_count, boxes.size() - first)));
  }

  [[nodiscard]] std::size_t size() const { return packets_.size(); }

  /// Of all facets of packet i.
  [[nodiscard]] const Box<D>& bounding_box(std::size_t i) const { return bounding_boxes_[i]; }

  /// Bit j: whether facet 8i + j may be within the cutoff of the point.
  [[nodiscard]] unsigned facets_within(std::size_t i, const Point<D>& point, double cutoff) const {
    for (std::size_t k = 0; k < D; ++k)
      if (point[k] - cutoff > bounding_boxes_[i].max[k] ||
          point[k] + cutoff < bounding_boxes_[i].min[k])
        return 0;
    return kernels_->facets_within(packets_[i], point, cutoff);
  }

  /// Prepares a test of a particle against some packets, restricted to facets in a box. Written in
  /// place: a copy would stall on store forwarding.
  void make_query(std::span<const std::uint32_t> packets, const CapBox<D>& box,
                  const WallQuery<D>& query, PacketQuery<D>& result) const {
    result.packets = packets;
    for (std::size_t k = 0; k < D; ++k) {
      result.box_center[k] = static_cast<float>((box.center[k] - origin_[k]) * inverse_size_);
      result.box_half_extent[k] =
          static_cast<float>(box.half_extent[k] * inverse_size_ * (1 + 1e-6) + box_slack);
    }
    for (std::size_t k = D; k < result.box_center.size(); ++k)
      result.box_center[k] = result.box_half_extent[k] = 0;
    result.center = query.center;
    result.cutoff = query.cutoff;
    result.inverse_cutoff = 1 / query.cutoff;
    result.relative_rounding = query.rounding_error * result.inverse_cutoff;
  }

  /// Answers up to `WallQuery::batch_size` queries.
  void query(const Facets<D>& facets, std::span<const PacketQuery<D>> queries,
             PacketResult* results) const {
    kernels_->query_packets(
        {packets_.data(), float_boxes_.data(), facets.raw_data(), Facets<D>::record_bytes}, queries,
        results);
  }

 private:
  static constexpr double box_slack = 1e-6;

  void add(const Facets<D>& facets, std::size_t first, std::span<const Box<D>> boxes) {
    Box<D> box = boxes[0];
    for (const Box<D>& other : boxes)
      for (std::size_t k = 0; k < D; ++k) {
        box.min[k] = std::min(box.min[k], other.min[k]);
        box.max[k] = std::max(box.max[k], other.max[k]);
      }
    bounding_boxes_.push_back(box);
    PacketBox float_box{};
    for (std::size_t k = 0; k < D; ++k) {
      float_box.center[k] =
          static_cast<float>((box.min[k] / 2 + box.max[k] / 2 - origin_[k]) * inverse_size_);
      float_box.half_extent[k] =
          static_cast<float>((box.max[k] / 2 - box.min[k] / 2) * inverse_size_);
    }
    float_boxes_.push_back(float_box);
    packets_.push_back(make_packet(facets, first, box, boxes.size()));
  }

  static Packet<D> make_packet(const Facets<D>& facets, std::size_t first, const Box<D>& box,
                               std::size_t count) {
    Packet<D> packet{};
    packet.center = sum(scaled(box.min, 0.5), scaled(box.max, 0.5));
    packet.scale = max_abs(difference(box.max, box.min)) / 2;
    packet.inverse_scale = 1 / packet.scale;
    const double rounding =
        8 * std::numeric_limits<double>::epsilon() * (max_abs(box.min) + max_abs(box.max));
    packet.slack = float_slack + rounding * packet.inverse_scale;
    packet.occupied = (1U << count) - 1;
    for (std::size_t j = 0; j < count; ++j) store_facet(facets.slab(first + j), j, packet);
    return packet;
  }

  static void store_facet(const FacetSlab<D>& slab, std::size_t lane, Packet<D>& packet) {
    const Point<D> middle = difference(packet.center, slab.vertex);
    const auto put_side = [&](typename Packet<D>::Side& side, const Point<D>& normal, double from) {
      for (std::size_t k = 0; k < D; ++k) side.normal[k][lane] = static_cast<float>(normal[k]);
      side.offset[lane] = static_cast<float>((dot(normal, middle) + from) * packet.inverse_scale);
    };
    put_side(packet.plane, slab.normal, 0);
    for (std::size_t k = 0; k < D; ++k) put_side(packet.sides[k], slab.inward[k], slab.offset[k]);
  }

  const WallKernels<D>* kernels_ = &wall_kernels<D>();
  Point<D> origin_{};
  double inverse_size_ = 0;
  HugePageVector<Packet<D>> packets_;
  HugePageVector<PacketBox> float_boxes_;
  std::vector<Box<D>> bounding_boxes_;
};

}  // namespace abut
