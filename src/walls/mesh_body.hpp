#pragma once

#include <bit>
#include <utility>

#include "core/statistics.hpp"
#include "walls/distance_grid.hpp"
#include "walls/facet_packets.hpp"
#include "walls/facets.hpp"
#include "walls/octree.hpp"
#include "walls/wall_body.hpp"

namespace abut {

/// A mesh in its tree. Which of its facets are left out is for the caller to say.
template <std::size_t D>
class MeshBody : public WallBody<D> {
 public:
  /// Facets are numbered from `first`. They are held in the order of their places, so that those
  /// that are near each other lie near each other in memory.
  MeshBody(const Mesh<D>& mesh, Index first, const std::vector<bool>& left_out) {
    std::vector<Box<D>> boxes;
    for (const std::uint32_t i : spatial_order(mesh, left_out)) {
      const std::array<Point<D>, D> vertices = facet_vertices(mesh, i);
      facets_.add(vertices, first + i);
      boxes.push_back(abut::bounding_box_of<D>(vertices));
    }
    if (boxes.empty()) return;
    box_ = bounding_box_of_all(boxes);
    const double side = max_abs(difference(box_.max, box_.min));
    coarse_grid_ = DistanceGrid<D>(facets_, boxes, box_, side, coarse_max_cells);
    has_fine_grid_ = boxes.size() > min_facets_for_fine_grid;
    if (has_fine_grid_)
      fine_grid_ =
          DistanceGrid<D>(facets_, boxes, box_, side, fine_max_cells, fine_max_cells_away, true);
    slack_ = 1e-12 * side;
    packets_ = FacetPackets<D>(facets_, boxes, box_);
    build_octree();
  }

  // The coarse clearance is always at hand, and enough for most; the fine one may have to be
  // fetched from far away in memory.
  void prefilter(const ParticleBlock<D>& block, Selection& picked) const override {
    picked.size = 0;
    if (facets_.size() == 0) return;
    kernels_->prefilter(coarse_grid_.view(), block, picked);
    if (has_fine_grid_) kernels_->refine(fine_grid_.view(), block, picked);
  }

  void find_closest_points(const Point<D>& center, double cutoff, VisitedSet& seen,
                           std::vector<ClosestPoint<D>>& found) const override {
    ClosestPoint<D> touch;
    for_each_packet(center, cutoff, seen, [&](std::uint32_t packet) {
      for (unsigned met = packets_.facets_within(packet, center, cutoff); met != 0; met &= met - 1) {
        const std::size_t facet = packet * FacetPackets<D>::lane_count + lowest_bit(met);
        if (facets_.find_closest(facet, center, cutoff, touch)) found.push_back(touch);
      }
    });
  }

  void find_closest_points_of(std::span<const std::uint32_t> facets, const Point<D>& center,
                              double cutoff, std::vector<ClosestPoint<D>>& found) const override {
    ClosestPoint<D> touch;
    for (const std::uint32_t facet : facets)
      if (facets_.find_closest(facet, center, cutoff, touch)) found.push_back(touch);
  }

  void quick_query(std::span<WallQuery<D>> all) const override {
    std::array<PacketQuery<D>, WallQuery<D>::batch_size> questions;
    std::array<PacketResult, WallQuery<D>::batch_size> answers;
    std::array<bool, WallQuery<D>::batch_size> told;
    std::array<CapBox<D>, WallQuery<D>::batch_size> boxes;
    std::array<typename Octree<D>::LeafLookup, WallQuery<D>::batch_size> starts;
    kernels_->bound_caps(all, boxes.data());
    for (std::size_t i = 0; i < all.size(); ++i) starts[i] = octree_.begin_lookup(boxes[i].center);
    for (std::size_t i = 0; i < all.size(); ++i) octree_.prefetch_next(starts[i]);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const CapBox<D>& box = boxes[i];
      told[i] = max_abs(box.half_extent) * (1 + 1e-9) + slack_ <= padding_;
      std::span<const std::uint32_t> packets;
      if (told[i])
        octree_.visit_leaf(starts[i], [&](std::uint32_t first, std::uint32_t last) {
          packets = octree_.entries(first, last);
          for (std::size_t j = 0; j < packets.size(); j += 16) __builtin_prefetch(&packets[j]);
        });
      packets_.make_query(packets, box, all[i], questions[i]);
    }
    packets_.query(facets_, std::span(questions).first(all.size()), answers.data());
    for (std::size_t i = 0; i < all.size(); ++i) finish_query(told[i], answers[i], all[i]);
  }

  [[nodiscard]] double distance(const Point<D>& center) const override {
    ClosestPoint<D> touch;
    return octree_.for_each_nearer_leaf(
        center, std::numeric_limits<double>::infinity(),
        [&](std::uint32_t first, std::uint32_t last, double least) {
          for (std::uint32_t i = first; i < last; ++i) {
            const std::uint32_t packet = octree_.entry(i);
            for (unsigned met = packets_.facets_within(packet, center, least); met != 0;
                 met &= met - 1)
              if (facets_.find_closest(packet * FacetPackets<D>::lane_count + lowest_bit(met),
                                       center, least, touch))
                least = touch.distance;
          }
          return least;
        });
  }

  [[nodiscard]] Box<D> bounding_box(const RigidTransform<D>& where) const override {
    return facets_.size() == 0 ? Box<D>{} : transformed_box(box_, where);
  }

  [[nodiscard]] std::size_t facet_count() const override { return facets_.size(); }

  static std::array<Point<D>, D> facet_vertices(const Mesh<D>& mesh, std::size_t facet) {
    std::array<Point<D>, D> vertices;
    for (std::size_t k = 0; k < D; ++k) vertices[k] = mesh.vertices[mesh.facets[facet][k]];
    return vertices;
  }

 private:
  static std::size_t lowest_bit(unsigned bits) {
    return static_cast<unsigned>(__builtin_ctz(bits));
  }

  static Box<D> bounding_box_of_all(const std::vector<Box<D>>& boxes) {
    Box<D> all = boxes[0];
    for (const Box<D>& box : boxes)
      for (std::size_t k = 0; k < D; ++k) {
        all.min[k] = std::min(all.min[k], box.min[k]);
        all.max[k] = std::max(all.max[k], box.max[k]);
      }
    return all;
  }

  static Box<D> cube_around(const Point<D>& center, double wide) {
    Box<D> box;
    for (std::size_t k = 0; k < D; ++k) {
      box.min[k] = center[k] - wide;
      box.max[k] = center[k] + wide;
    }
    return box;
  }

  static constexpr double coarse_max_cells = 0x1p18;
  static constexpr double fine_max_cells = 0x1p22;
  static constexpr int fine_max_cells_away = 4;                  // the coarse one tells the rest
  static constexpr std::size_t min_facets_for_fine_grid = 2048;  // facets that deserve a fine one
  static constexpr unsigned packets_per_leaf = 4;
  static constexpr unsigned max_entries_per_packet = 64;  // entries a packet
  static constexpr double padding_ratio = 0.3;
  static constexpr double padding_ratio_with_caps = 0.25;  // for who knows where to look

  // A face is measured exactly; it may turn out to be out of cutoff, and nothing else is within.
  void finish_query(bool told, const PacketResult& answer, WallQuery<D>& looking) const {
    looking.candidates.size = 0;
    looking.result = told ? answer.result : QuickResult::undecided;
    if (!told) return;
    if (looking.result == QuickResult::undecided) looking.candidates = answer.facets;
    if (looking.result == QuickResult::face &&
        !facets_.find_closest(answer.facets.facets[0], looking.center, looking.cutoff,
                              looking.closest))
      looking.result = QuickResult::none;
  }

  // Packets in the leaves that a box around the center meets; they know of facets beyond the leaf,
  // as far as the pad.
  template <class Visit>
  void for_each_packet(const Point<D>& center, double cutoff, VisitedSet& seen,
                       const Visit& visit) const {
    const double beyond = cutoff * (1 + 1e-9) + slack_ - padding_;
    if (beyond <= 0) {
      octree_.visit_leaf(octree_.begin_lookup(center),
                         [&](std::uint32_t first, std::uint32_t last) {
                           for (std::uint32_t i = first; i < last; ++i) visit(octree_.entry(i));
                         });
      return;
    }
    seen.begin_query();
    octree_.for_each_leaf(cube_around(center, beyond),
                          [&](std::uint32_t first, std::uint32_t last) {
                            for (std::uint32_t i = first; i < last; ++i)
                              if (seen.insert(octree_.entry(i))) visit(octree_.entry(i));
                          });
  }

  // As wide as half a packet, typically: particles that are not larger than that find all packets
  // in one leaf.
  void build_octree() {
    std::vector<double> sizes;
    for (std::size_t i = 0; i < packets_.size(); ++i) {
      const Box<D> box = packets_.bounding_box(i);
      sizes.push_back(max_abs(difference(box.max, box.min)));
    }
    padding_ = sizes.empty()
                   ? 0
                   : (has_fine_grid_ ? padding_ratio_with_caps : padding_ratio) * median_of(sizes);
    std::vector<OctreeItem<D>> facets;
    for (std::size_t i = 0; i < packets_.size(); ++i) {
      Box<D> box = packets_.bounding_box(i);
      for (std::size_t k = 0; k < D; ++k) {
        box.min[k] -= padding_;
        box.max[k] += padding_;
      }
      facets.push_back({box, {}, {}});
    }
    octree_ = Octree<D>(facets, packets_per_leaf, max_entries_per_packet);
  }

  // Facets that are not left out, those of a packet near each other: halved along the longer side
  // of the box around their middles, again and again, until a packet is left.
  static std::vector<std::uint32_t> spatial_order(const Mesh<D>& mesh,
                                                  const std::vector<bool>& left_out) {
    std::vector<Point<D>> middles(mesh.facets.size());
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < mesh.facets.size(); ++i) {
      if (left_out[i]) continue;
      const Box<D> box = abut::bounding_box_of<D>(facet_vertices(mesh, i));
      middles[i] = sum(scaled(box.min, 0.5), scaled(box.max, 0.5));
      order.push_back(i);
    }
    bisect(order, middles);
    return order;
  }

  static void bisect(std::span<std::uint32_t> facets, const std::vector<Point<D>>& middles) {
    constexpr std::size_t many_pieces = FacetPackets<D>::lane_count;
    if (facets.size() <= many_pieces) return;
    Box<D> box{middles[facets[0]], middles[facets[0]]};
    for (const std::uint32_t facet : facets)
      for (std::size_t k = 0; k < D; ++k) {
        box.min[k] = std::min(box.min[k], middles[facet][k]);
        box.max[k] = std::max(box.max[k], middles[facet][k]);
      }
    const Point<D> sides = difference(box.max, box.min);
    const auto longest = static_cast<std::size_t>(std::ranges::max_element(sides) - sides.begin());
    const std::size_t packets = (facets.size() + many_pieces - 1) / many_pieces;
    const std::size_t half = packets / 2 * many_pieces;
    std::nth_element(facets.begin(), facets.begin() + static_cast<std::ptrdiff_t>(half),
                     facets.end(), [&](std::uint32_t a, std::uint32_t b) {
                       return std::pair(middles[a][longest], a) < std::pair(middles[b][longest], b);
                     });
    bisect(facets.first(half), middles);
    bisect(facets.subspan(half), middles);
  }

  Facets<D> facets_;
  Octree<D> octree_;  // of packets
  Box<D> box_{};
  DistanceGrid<D> coarse_grid_;
  DistanceGrid<D> fine_grid_;
  bool has_fine_grid_ = false;
  FacetPackets<D> packets_;
  const WallKernels<D>* kernels_ = &wall_kernels<D>();
  double padding_ = 0;
  double slack_ = 0;
};

}  // namespace abut
