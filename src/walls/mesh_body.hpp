#pragma once

#include <bit>
#include <utility>

#include "walls/clearance.hpp"
#include "walls/facets.hpp"
#include "walls/tree.hpp"
#include "walls/wall_body.hpp"

namespace abut {

/// Compilers make one instruction for four numbers of it, on any machine that has it.
using FourFloats [[gnu::vector_size(16)]] = float;

/// A mesh in its tree. Which of its pieces are left out is for the caller to say.
template <std::size_t D>
class MeshBody : public WallBody<D> {
 public:
  /// Pieces are numbered from `first`. They are held in the order of their places, so that those
  /// that are near each other lie near each other in memory.
  MeshBody(const Mesh<D>& mesh, Index first, const std::vector<bool>& left_out) {
    std::vector<Box<D>> boxes;
    std::vector<TreePiece<D>> pieces;
    for (const std::uint32_t i : by_place(mesh, left_out)) {
      const std::array<Point<D>, D> corners = corners_of(mesh, i);
      facets_.add(corners, first + i);
      boxes.push_back(around<D>(corners));
      const std::size_t last = facets_.size() - 1;
      pieces.push_back({boxes.back(), facets_.corner(last), facets_.normal(last)});
    }
    tree_ = Tree<D>(pieces);
    coarse_ = Clearance<D>(facets_, boxes, tree_.box(), tree_.side(), coarse_cells);
    has_fine_ = pieces.size() > many;
    if (has_fine_)
      fine_ = Clearance<D>(facets_, boxes, tree_.box(), tree_.side(), fine_cells, fine_farthest);
    slack_ = 1e-12 * tree_.side();
    surround(boxes);
  }

  // The coarse clearance is always at hand, and enough for most; the fine one may have to be
  // fetched from far away in memory.
  void pick(const Block<D>& block, Picked& picked) const override {
    picked.size = 0;
    if (facets_.size() == 0) return;
    coarse_.pick(block, picked);
    if (!has_fine_) return;
    const std::size_t left = std::exchange(picked.size, 0);
    for (std::size_t j = 0; j < left; ++j) {
      const std::size_t i = picked.places[j];
      picked.offer(i, !fine_.free(block.centre(i), block.reach[i]));
    }
  }

  void touches(const Point<D>& centre, double reach, Seen& seen,
               std::vector<Touch<D>>& found) const override {
    Touch<D> touch;
    each_near(centre, reach, seen, [&](std::uint32_t piece) {
      if (facets_.near(piece, centre, reach, touch)) found.push_back(touch);
    });
  }

  [[nodiscard]] double distance(const Point<D>& centre) const override {
    Touch<D> touch;
    return tree_.each_nearer_leaf(centre, std::numeric_limits<double>::infinity(),
                                  [&](std::uint32_t first, std::uint32_t last, double least) {
                                    for (std::uint32_t i = first; i < last; ++i)
                                      if (facets_.near(tree_.entry(i), centre, least, touch))
                                        least = touch.distance;
                                    return least;
                                  });
  }

  [[nodiscard]] Box<D> box(const Placement<D>& where) const override {
    return facets_.size() == 0 ? Box<D>{} : placed(tree_.box(), where);
  }

  [[nodiscard]] std::size_t pieces() const override { return facets_.size(); }

  static std::array<Point<D>, D> corners_of(const Mesh<D>& mesh, std::size_t piece) {
    std::array<Point<D>, D> corners;
    for (std::size_t k = 0; k < D; ++k) corners[k] = mesh.corners[mesh.pieces[piece][k]];
    return corners;
  }

 private:
  [[nodiscard]] Box<D> reached(const Point<D>& centre, double reach) const {
    const double wide = reach * (1 + 1e-9) + slack_;
    Box<D> box;
    for (std::size_t k = 0; k < D; ++k) {
      box.min[k] = centre[k] - wide;
      box.max[k] = centre[k] + wide;
    }
    return box;
  }

  // Balls around the pieces of a leaf, four side by side: most pieces are out of reach, and this
  // tells without looking at them. Seen from the corner of the tree, which has side one; a little
  // too large. Places that fill a leaf up have a radius below zero.
  struct Around {
    static constexpr std::uint32_t many = 4;
    std::array<FourFloats, D> middle;
    FourFloats radius;

    // Bit j: whether ball j comes within `far` of the point.
    [[nodiscard]] unsigned met(const std::array<float, D>& at, float far) const {
      FourFloats squared{};
      for (std::size_t k = 0; k < D; ++k) squared += (at[k] - middle[k]) * (at[k] - middle[k]);
      const FourFloats reach = radius + far;
      const auto near = (squared <= reach * reach) & (radius >= 0);
#ifdef __SSE__
      return static_cast<unsigned>(__builtin_ia32_movmskps(std::bit_cast<FourFloats>(near)));
#else
      const auto bits = std::bit_cast<std::array<std::uint32_t, many>>(near);
      return (bits[0] & 1U) | (bits[1] & 2U) | (bits[2] & 4U) | (bits[3] & 8U);
#endif
    }
  };
  static constexpr double coarse_cells = 0x1p16;
  static constexpr double fine_cells = 0x1p22;
  static constexpr int fine_farthest = 4;    // the coarse one tells the rest
  static constexpr std::size_t many = 2048;  // pieces that deserve a fine one
  static constexpr double rounding = 1e-6;   // of a float after some sums and squares

  template <class Visit>
  void each_near(const Point<D>& centre, double reach, Seen& seen, const Visit& visit) const {
    seen.begin();
    const Point<D> from = scaled(difference(centre, tree_.box().min), per_side_);
    std::array<float, D> at;
    for (std::size_t k = 0; k < D; ++k) at[k] = static_cast<float>(from[k]);
    const auto far = static_cast<float>(reach * per_side_ * (1 + rounding));
    tree_.each_leaf(reached(centre, reach), [&](std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t i = first; i < last; i += Around::many)
        for (unsigned met = around_[i / Around::many].met(at, far); met != 0; met &= met - 1) {
          const std::uint32_t piece = tree_.entry(i + static_cast<unsigned>(__builtin_ctz(met)));
          if (seen.first_time(piece)) visit(piece);
        }
    });
  }

  // The ball around the box of a piece is larger than one around the piece, but not by much.
  void surround(const std::vector<Box<D>>& boxes) {
    per_side_ = tree_.side() > 0 ? 1 / tree_.side() : 0;
    const FourFloats none{-1, -1, -1, -1};
    around_.assign(tree_.leaf_entries() / Around::many, {{}, none});
    for (std::uint32_t i = 0; i < tree_.leaf_entries(); ++i) {
      if (tree_.entry(i) == Tree<D>::no_piece) continue;
      const Box<D>& box = boxes[tree_.entry(i)];
      Around& own = around_[i / Around::many];
      const std::size_t j = i % Around::many;
      for (std::size_t k = 0; k < D; ++k)
        own.middle[k][j] =
            static_cast<float>(((box.min[k] + box.max[k]) / 2 - tree_.box().min[k]) * per_side_);
      const double half = length(scaled(difference(box.max, box.min), per_side_ / 2));
      own.radius[j] = static_cast<float>(half * (1 + rounding) + rounding);
    }
  }

  // Pieces that are not left out, along a curve that fills space (Morton): the bits of their places
  // along the axes in turn.
  static std::vector<std::uint32_t> by_place(const Mesh<D>& mesh,
                                             const std::vector<bool>& left_out) {
    Box<D> box{};
    if (!mesh.corners.empty()) box = {mesh.corners[0], mesh.corners[0]};
    for (const Point<D>& corner : mesh.corners)
      for (std::size_t k = 0; k < D; ++k) {
        box.min[k] = std::min(box.min[k], corner[k]);
        box.max[k] = std::max(box.max[k], corner[k]);
      }
    const double side = largest_part(difference(box.max, box.min));
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // place, piece
    for (std::uint32_t i = 0; i < mesh.pieces.size(); ++i) {
      if (left_out[i]) continue;
      const Point<D>& corner = mesh.corners[mesh.pieces[i][0]];
      std::uint32_t place = 0;
      for (std::size_t k = 0; k < D; ++k)
        place |= spread(static_cast<std::uint32_t>((corner[k] - box.min[k]) / side * 1023)) << k;
      order.emplace_back(place, i);
    }
    std::ranges::sort(order);
    std::vector<std::uint32_t> pieces;
    pieces.reserve(order.size());
    for (const auto& [place, piece] : order) pieces.push_back(piece);
    return pieces;
  }

  // Ten bits with D − 1 others between each.
  static std::uint32_t spread(std::uint32_t bits) {
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 10; ++i) result |= (bits >> i & 1U) << (D * i);
    return result;
  }

  Facets<D> facets_;
  Tree<D> tree_;
  Clearance<D> coarse_;
  Clearance<D> fine_;
  bool has_fine_ = false;
  std::vector<Around> around_;  // four entries of the tree each
  double slack_ = 0;
  double per_side_ = 0;
};

}  // namespace abut
