#pragma once

#include <bit>
#include <utility>

#include "core/median.hpp"
#include "walls/clearance.hpp"
#include "walls/facets.hpp"
#include "walls/packets.hpp"
#include "walls/tree.hpp"
#include "walls/wall_body.hpp"

namespace abut {

/// A mesh in its tree. Which of its pieces are left out is for the caller to say.
template <std::size_t D>
class MeshBody : public WallBody<D> {
 public:
  /// Pieces are numbered from `first`. They are held in the order of their places, so that those
  /// that are near each other lie near each other in memory.
  MeshBody(const Mesh<D>& mesh, Index first, const std::vector<bool>& left_out) {
    std::vector<Box<D>> boxes;
    for (const std::uint32_t i : by_place(mesh, left_out)) {
      const std::array<Point<D>, D> corners = corners_of(mesh, i);
      facets_.add(corners, first + i);
      boxes.push_back(abut::around<D>(corners));
    }
    if (boxes.empty()) return;
    box_ = around_all(boxes);
    const double side = largest_part(difference(box_.max, box_.min));
    coarse_ = Clearance<D>(facets_, boxes, box_, side, coarse_cells);
    has_fine_ = boxes.size() > many;
    if (has_fine_)
      fine_ = Clearance<D>(facets_, boxes, box_, side, fine_cells, fine_farthest, true);
    slack_ = 1e-12 * side;
    packets_ = Packets<D>(facets_, boxes, box_);
    plant();
  }

  // The coarse clearance is always at hand, and enough for most; the fine one may have to be
  // fetched from far away in memory.
  void pick(const Block<D>& block, Picked& picked) const override {
    picked.size = 0;
    if (facets_.size() == 0) return;
    kernels_->pick(coarse_.grid(), block, picked);
    if (has_fine_) kernels_->pick_again(fine_.grid(), block, picked);
  }

  void touches(const Point<D>& centre, double reach, Seen& seen,
               std::vector<Touch<D>>& found) const override {
    Touch<D> touch;
    each_packet(centre, reach, seen, [&](std::uint32_t packet) {
      for (unsigned met = packets_.met(packet, centre, reach); met != 0; met &= met - 1) {
        const std::size_t piece = packet * Packets<D>::many + lowest_bit(met);
        if (facets_.near(piece, centre, reach, touch)) found.push_back(touch);
      }
    });
  }

  void touches_of(std::span<const std::uint32_t> pieces, const Point<D>& centre, double reach,
                  std::vector<Touch<D>>& found) const override {
    Touch<D> touch;
    for (const std::uint32_t piece : pieces)
      if (facets_.near(piece, centre, reach, touch)) found.push_back(touch);
  }

  void glance(std::span<Looking<D>> all) const override {
    std::array<PacketQuestion<D>, Looking<D>::most> questions;
    std::array<PacketAnswer, Looking<D>::most> answers;
    std::array<bool, Looking<D>::most> told;
    std::array<CapBox<D>, Looking<D>::most> boxes;
    std::array<typename Tree<D>::Start, Looking<D>::most> starts;
    kernels_->put_boxes(all, boxes.data());
    for (std::size_t i = 0; i < all.size(); ++i) starts[i] = tree_.start(boxes[i].middle);
    for (std::size_t i = 0; i < all.size(); ++i) tree_.fetch_next(starts[i]);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const CapBox<D>& box = boxes[i];
      told[i] = largest_part(box.half) * (1 + 1e-9) + slack_ <= pad_;
      std::span<const std::uint32_t> packets;
      if (told[i])
        tree_.leaf_at(starts[i], [&](std::uint32_t first, std::uint32_t last) {
          packets = tree_.entries(first, last);
          for (std::size_t j = 0; j < packets.size(); j += 16) __builtin_prefetch(&packets[j]);
        });
      packets_.put_question(packets, box, all[i], questions[i]);
    }
    packets_.ask(facets_, std::span(questions).first(all.size()), answers.data());
    for (std::size_t i = 0; i < all.size(); ++i) conclude(told[i], answers[i], all[i]);
  }

  [[nodiscard]] double distance(const Point<D>& centre) const override {
    Touch<D> touch;
    return tree_.each_nearer_leaf(
        centre, std::numeric_limits<double>::infinity(),
        [&](std::uint32_t first, std::uint32_t last, double least) {
          for (std::uint32_t i = first; i < last; ++i) {
            const std::uint32_t packet = tree_.entry(i);
            for (unsigned met = packets_.met(packet, centre, least); met != 0; met &= met - 1)
              if (facets_.near(packet * Packets<D>::many + lowest_bit(met), centre, least, touch))
                least = touch.distance;
          }
          return least;
        });
  }

  [[nodiscard]] Box<D> box(const Placement<D>& where) const override {
    return facets_.size() == 0 ? Box<D>{} : placed(box_, where);
  }

  [[nodiscard]] std::size_t pieces() const override { return facets_.size(); }

  static std::array<Point<D>, D> corners_of(const Mesh<D>& mesh, std::size_t piece) {
    std::array<Point<D>, D> corners;
    for (std::size_t k = 0; k < D; ++k) corners[k] = mesh.corners[mesh.pieces[piece][k]];
    return corners;
  }

 private:
  static std::size_t lowest_bit(unsigned bits) {
    return static_cast<unsigned>(__builtin_ctz(bits));
  }

  static Box<D> around_all(const std::vector<Box<D>>& boxes) {
    Box<D> all = boxes[0];
    for (const Box<D>& box : boxes)
      for (std::size_t k = 0; k < D; ++k) {
        all.min[k] = std::min(all.min[k], box.min[k]);
        all.max[k] = std::max(all.max[k], box.max[k]);
      }
    return all;
  }

  static Box<D> around(const Point<D>& centre, double wide) {
    Box<D> box;
    for (std::size_t k = 0; k < D; ++k) {
      box.min[k] = centre[k] - wide;
      box.max[k] = centre[k] + wide;
    }
    return box;
  }

  static constexpr double coarse_cells = 0x1p18;
  static constexpr double fine_cells = 0x1p22;
  static constexpr int fine_farthest = 4;    // the coarse one tells the rest
  static constexpr std::size_t many = 2048;  // pieces that deserve a fine one
  static constexpr unsigned few_packets = 4;
  static constexpr unsigned most_each = 64;  // entries a packet
  static constexpr double pad_sizes = 0.3;
  static constexpr double pad_with_caps = 0.25;  // for who knows where to look

  // A face is measured exactly; it may turn out to be out of reach, and nothing else is within.
  void conclude(bool told, const PacketAnswer& answer, Looking<D>& looking) const {
    looking.near.size = 0;
    looking.glance = told ? answer.glance : Glance::more;
    if (!told) return;
    if (looking.glance == Glance::more) looking.near = answer.pieces;
    if (looking.glance == Glance::face &&
        !facets_.near(answer.pieces.pieces[0], looking.centre, looking.reach, looking.touch))
      looking.glance = Glance::nothing;
  }

  // Packets in the leaves that a box around the centre meets; they know of pieces beyond the leaf,
  // as far as the pad.
  template <class Visit>
  void each_packet(const Point<D>& centre, double reach, Seen& seen, const Visit& visit) const {
    const double beyond = reach * (1 + 1e-9) + slack_ - pad_;
    if (beyond <= 0) {
      tree_.leaf_at(tree_.start(centre), [&](std::uint32_t first, std::uint32_t last) {
        for (std::uint32_t i = first; i < last; ++i) visit(tree_.entry(i));
      });
      return;
    }
    seen.begin();
    tree_.each_leaf(around(centre, beyond), [&](std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t i = first; i < last; ++i)
        if (seen.first_time(tree_.entry(i))) visit(tree_.entry(i));
    });
  }

  // As wide as half a packet, typically: particles that are not larger than that find all packets
  // in one leaf.
  void plant() {
    std::vector<double> sizes;
    for (std::size_t i = 0; i < packets_.size(); ++i) {
      const Box<D> box = packets_.box(i);
      sizes.push_back(largest_part(difference(box.max, box.min)));
    }
    pad_ = sizes.empty() ? 0 : (has_fine_ ? pad_with_caps : pad_sizes) * median_of(sizes);
    std::vector<TreePiece<D>> pieces;
    for (std::size_t i = 0; i < packets_.size(); ++i) {
      Box<D> box = packets_.box(i);
      for (std::size_t k = 0; k < D; ++k) {
        box.min[k] -= pad_;
        box.max[k] += pad_;
      }
      pieces.push_back({box, {}, {}});
    }
    tree_ = Tree<D>(pieces, few_packets, most_each);
  }

  // Pieces that are not left out, those of a packet near each other: halved along the longer side
  // of the box around their middles, again and again, until a packet is left.
  static std::vector<std::uint32_t> by_place(const Mesh<D>& mesh,
                                             const std::vector<bool>& left_out) {
    std::vector<Point<D>> middles(mesh.pieces.size());
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < mesh.pieces.size(); ++i) {
      if (left_out[i]) continue;
      const Box<D> box = abut::around<D>(corners_of(mesh, i));
      middles[i] = sum(scaled(box.min, 0.5), scaled(box.max, 0.5));
      order.push_back(i);
    }
    halve(order, middles);
    return order;
  }

  static void halve(std::span<std::uint32_t> pieces, const std::vector<Point<D>>& middles) {
    constexpr std::size_t many_pieces = Packets<D>::many;
    if (pieces.size() <= many_pieces) return;
    Box<D> box{middles[pieces[0]], middles[pieces[0]]};
    for (const std::uint32_t piece : pieces)
      for (std::size_t k = 0; k < D; ++k) {
        box.min[k] = std::min(box.min[k], middles[piece][k]);
        box.max[k] = std::max(box.max[k], middles[piece][k]);
      }
    const Point<D> sides = difference(box.max, box.min);
    const auto longest = static_cast<std::size_t>(std::ranges::max_element(sides) - sides.begin());
    const std::size_t packets = (pieces.size() + many_pieces - 1) / many_pieces;
    const std::size_t half = packets / 2 * many_pieces;
    std::nth_element(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(half),
                     pieces.end(), [&](std::uint32_t a, std::uint32_t b) {
                       return std::pair(middles[a][longest], a) < std::pair(middles[b][longest], b);
                     });
    halve(pieces.first(half), middles);
    halve(pieces.subspan(half), middles);
  }

  Facets<D> facets_;
  Tree<D> tree_;  // of packets
  Box<D> box_{};
  Clearance<D> coarse_;
  Clearance<D> fine_;
  bool has_fine_ = false;
  Packets<D> packets_;
  const WallKernels<D>* kernels_ = &wall_kernels<D>();
  double pad_ = 0;
  double slack_ = 0;
};

}  // namespace abut
