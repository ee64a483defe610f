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

/// A mesh wall. Queries pass three filters, each conservative: two distance grids exclude most
/// particles; an octree yields packets of eight facets near a particle; the packets are tested in
/// single precision. The facets that remain are tested exactly.
template <std::size_t D>
class MeshBody : public WallBody<D> {
 public:
  /// Facet i of the mesh becomes element `first` + i, unless omitted[i] (degenerate and duplicate
  /// facets). Facets are stored in spatial order, so that neighbors are close in memory.
  MeshBody(const Mesh<D>& mesh, Index first, const std::vector<bool>& omitted) {
    std::vector<Box<D>> boxes;
    for (const std::uint32_t i : spatial_order(mesh, omitted)) {
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

  // The coarse grid fits into the cache and excludes most particles. The fine one may not.
  void prefilter(const ParticleBlock<D>& block, Selection& selection) const override {
    selection.size = 0;
    if (facets_.size() == 0) return;
    kernels_->prefilter(coarse_grid_.view(), block, selection);
    if (has_fine_grid_) kernels_->refine(fine_grid_.view(), block, selection);
  }

  void find_closest_points(const Point<D>& center, double cutoff, VisitedSet& visited,
                           std::vector<ClosestPoint<D>>& found) const override {
    ClosestPoint<D> closest;
    for_each_packet(center, cutoff, visited, [&](std::uint32_t packet) {
      for (unsigned bits = packets_.facets_within(packet, center, cutoff); bits != 0;
           bits &= bits - 1) {
        const std::size_t facet = packet * FacetPackets<D>::lane_count + lowest_bit(bits);
        if (facets_.find_closest(facet, center, cutoff, closest)) found.push_back(closest);
      }
    });
  }

  void find_closest_points_of(std::span<const std::uint32_t> facets, const Point<D>& center,
                              double cutoff, std::vector<ClosestPoint<D>>& found) const override {
    ClosestPoint<D> closest;
    for (const std::uint32_t facet : facets)
      if (facets_.find_closest(facet, center, cutoff, closest)) found.push_back(closest);
  }

  void quick_query(std::span<WallQuery<D>> queries) const override {
    std::array<PacketQuery<D>, WallQuery<D>::batch_size> packet_queries;
    std::array<PacketResult, WallQuery<D>::batch_size> packet_results;
    std::array<bool, WallQuery<D>::batch_size> is_local;
    std::array<CapBox<D>, WallQuery<D>::batch_size> boxes;
    std::array<typename Octree<D>::LeafLookup, WallQuery<D>::batch_size> lookups;
    kernels_->bound_caps(queries, boxes.data());
    for (std::size_t i = 0; i < queries.size(); ++i)
      lookups[i] = octree_.begin_lookup(boxes[i].center);
    for (std::size_t i = 0; i < queries.size(); ++i) octree_.prefetch_next(lookups[i]);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const CapBox<D>& box = boxes[i];
      is_local[i] = max_abs(box.half_extent) * (1 + 1e-9) + slack_ <= padding_;
      std::span<const std::uint32_t> packets;
      if (is_local[i])
        octree_.visit_leaf(lookups[i], [&](std::uint32_t first, std::uint32_t last) {
          packets = octree_.entries(first, last);
          for (std::size_t j = 0; j < packets.size(); j += 16) __builtin_prefetch(&packets[j]);
        });
      packets_.make_query(packets, box, queries[i], packet_queries[i]);
    }
    packets_.query(facets_, std::span(packet_queries).first(queries.size()), packet_results.data());
    for (std::size_t i = 0; i < queries.size(); ++i)
      finish_query(is_local[i], packet_results[i], queries[i]);
  }

  [[nodiscard]] double distance(const Point<D>& center) const override {
    ClosestPoint<D> closest;
    return octree_.for_each_nearer_leaf(
        center, std::numeric_limits<double>::infinity(),
        [&](std::uint32_t first, std::uint32_t last, double min_distance) {
          for (std::uint32_t i = first; i < last; ++i) {
            const std::uint32_t packet = octree_.entry(i);
            for (unsigned bits = packets_.facets_within(packet, center, min_distance); bits != 0;
                 bits &= bits - 1)
              if (facets_.find_closest(packet * FacetPackets<D>::lane_count + lowest_bit(bits),
                                       center, min_distance, closest))
                min_distance = closest.distance;
          }
          return min_distance;
        });
  }

  [[nodiscard]] Box<D> bounding_box(const RigidTransform<D>& transform) const override {
    return facets_.size() == 0 ? Box<D>{} : transformed_box(box_, transform);
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
    Box<D> bounds = boxes[0];
    for (const Box<D>& box : boxes)
      for (std::size_t k = 0; k < D; ++k) {
        bounds.min[k] = std::min(bounds.min[k], box.min[k]);
        bounds.max[k] = std::max(bounds.max[k], box.max[k]);
      }
    return bounds;
  }

  static Box<D> cube_around(const Point<D>& center, double half_side) {
    Box<D> box;
    for (std::size_t k = 0; k < D; ++k) {
      box.min[k] = center[k] - half_side;
      box.max[k] = center[k] + half_side;
    }
    return box;
  }

  static constexpr double coarse_max_cells = 0x1p18;
  static constexpr double fine_max_cells = 0x1p22;
  static constexpr int fine_max_cells_away = 4;  // the coarse grid covers the rest
  static constexpr std::size_t min_facets_for_fine_grid = 2048;
  static constexpr unsigned packets_per_leaf = 4;
  static constexpr unsigned max_entries_per_packet = 64;   // octree entries
  static constexpr double padding_ratio = 0.3;             // of the median packet size
  static constexpr double padding_ratio_with_caps = 0.25;  // caps need smaller boxes

  // The face is tested exactly. If it turns out to be beyond the cutoff, no facet is within it.
  void finish_query(bool is_local, const PacketResult& packet_result, WallQuery<D>& query) const {
    query.candidates.size = 0;
    query.result = is_local ? packet_result.result : QuickResult::undecided;
    if (!is_local) return;
    if (query.result == QuickResult::undecided) query.candidates = packet_result.facets;
    if (query.result == QuickResult::face &&
        !facets_.find_closest(packet_result.facets.facets[0], query.center, query.cutoff,
                              query.closest))
      query.result = QuickResult::none;
  }

  // Visits all packets within the cutoff. A leaf also holds packets up to `padding_` outside it, so
  // for small cutoffs the leaf of the center suffices.
  template <class Visit>
  void for_each_packet(const Point<D>& center, double cutoff, VisitedSet& visited,
                       const Visit& visit) const {
    const double half_side = cutoff * (1 + 1e-9) + slack_ - padding_;
    if (half_side <= 0) {
      octree_.visit_leaf(octree_.begin_lookup(center),
                         [&](std::uint32_t first, std::uint32_t last) {
                           for (std::uint32_t i = first; i < last; ++i) visit(octree_.entry(i));
                         });
      return;
    }
    visited.begin_query();
    octree_.for_each_leaf(cube_around(center, half_side),
                          [&](std::uint32_t first, std::uint32_t last) {
                            for (std::uint32_t i = first; i < last; ++i)
                              if (visited.insert(octree_.entry(i))) visit(octree_.entry(i));
                          });
  }

  // Octree over packet boxes enlarged by a padding of about a quarter of the typical packet size:
  // particles with a smaller cutoff find all packets near them in one leaf.
  void build_octree() {
    std::vector<double> sizes;
    for (std::size_t i = 0; i < packets_.size(); ++i) {
      const Box<D> box = packets_.bounding_box(i);
      sizes.push_back(max_abs(difference(box.max, box.min)));
    }
    padding_ = sizes.empty()
                   ? 0
                   : (has_fine_grid_ ? padding_ratio_with_caps : padding_ratio) * median_of(sizes);
    std::vector<OctreeItem<D>> items;
    for (std::size_t i = 0; i < packets_.size(); ++i) {
      Box<D> box = packets_.bounding_box(i);
      for (std::size_t k = 0; k < D; ++k) {
        box.min[k] -= padding_;
        box.max[k] += padding_;
      }
      items.push_back({box, {}, {}});
    }
    octree_ = Octree<D>(items, packets_per_leaf, max_entries_per_packet);
  }

  // The facets that are not omitted, in an order in which each packet is spatially compact:
  // bisected recursively along the longest side of the bounding box of their centers.
  static std::vector<std::uint32_t> spatial_order(const Mesh<D>& mesh,
                                                  const std::vector<bool>& omitted) {
    std::vector<Point<D>> centers(mesh.facets.size());
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < mesh.facets.size(); ++i) {
      if (omitted[i]) continue;
      const Box<D> box = abut::bounding_box_of<D>(facet_vertices(mesh, i));
      centers[i] = sum(scaled(box.min, 0.5), scaled(box.max, 0.5));
      order.push_back(i);
    }
    bisect(order, centers);
    return order;
  }

  static void bisect(std::span<std::uint32_t> facets, const std::vector<Point<D>>& centers) {
    constexpr std::size_t lane_count = FacetPackets<D>::lane_count;
    if (facets.size() <= lane_count) return;
    Box<D> box{centers[facets[0]], centers[facets[0]]};
    for (const std::uint32_t facet : facets)
      for (std::size_t k = 0; k < D; ++k) {
        box.min[k] = std::min(box.min[k], centers[facet][k]);
        box.max[k] = std::max(box.max[k], centers[facet][k]);
      }
    const Point<D> sides = difference(box.max, box.min);
    const auto longest = static_cast<std::size_t>(std::ranges::max_element(sides) - sides.begin());
    const std::size_t packets = (facets.size() + lane_count - 1) / lane_count;
    const std::size_t half = packets / 2 * lane_count;
    std::nth_element(facets.begin(), facets.begin() + static_cast<std::ptrdiff_t>(half),
                     facets.end(), [&](std::uint32_t a, std::uint32_t b) {
                       return std::pair(centers[a][longest], a) < std::pair(centers[b][longest], b);
                     });
    bisect(facets.first(half), centers);
    bisect(facets.subspan(half), centers);
  }

  Facets<D> facets_;
  Octree<D> octree_;  // over packets
  Box<D> box_{};
  DistanceGrid<D> coarse_grid_;
  DistanceGrid<D> fine_grid_;
  bool has_fine_grid_ = false;
  FacetPackets<D> packets_;
  const WallKernels<D>* kernels_ = &wall_kernels<D>();
  double padding_ = 0;  // of packet boxes in the octree
  double slack_ = 0;    // rounding error of coordinates
};

}  // namespace abut
