#pragma once

#include "walls/clearance.hpp"
#include "walls/facets.hpp"
#include "walls/tree.hpp"
#include "walls/wall_body.hpp"

namespace abut {

/// A mesh in its tree. Which of its pieces are left out is for the caller to say.
template <std::size_t D>
class MeshBody : public WallBody<D> {
 public:
  /// Pieces are numbered from `first`.
  MeshBody(const Mesh<D>& mesh, Index first, const std::vector<bool>& left_out) {
    std::vector<Box<D>> boxes;
    std::vector<TreePiece<D>> pieces;
    for (std::size_t i = 0; i < mesh.pieces.size(); ++i) {
      if (left_out[i]) continue;
      const std::array<Point<D>, D> corners = corners_of(mesh, i);
      facets_.add(corners, first + static_cast<Index>(i));
      boxes.push_back(around<D>(corners));
      const std::size_t last = facets_.size() - 1;
      pieces.push_back({boxes.back(), facets_.corner(last), facets_.normal(last)});
    }
    tree_ = Tree<D>(pieces);
    clearance_ = Clearance<D>(facets_, boxes, tree_.box(), tree_.side());
    slack_ = 1e-12 * tree_.side();
  }

  void pick(const Block<D>& block, Picked& picked) const override {
    picked.size = 0;
    if (facets_.size() == 0) return;
    for (std::size_t i = 0; i < block.size; ++i)
      picked.offer(i, !clearance_.free(block.centre(i), block.reach[i]));
  }

  void touches(const Point<D>& centre, double reach, Seen& seen,
               std::vector<Touch<D>>& found) const override {
    seen.begin();
    Touch<D> touch;
    tree_.each_leaf(reached(centre, reach), [&](std::span<const std::uint32_t> pieces) {
      for (const std::uint32_t piece : pieces)
        if (seen.first_time(piece) && facets_.near(piece, centre, reach, touch))
          found.push_back(touch);
    });
  }

  [[nodiscard]] double distance(const Point<D>& centre) const override {
    Touch<D> touch;
    return tree_.each_nearer_leaf(centre, std::numeric_limits<double>::infinity(),
                                  [&](std::span<const std::uint32_t> pieces, double least) {
                                    for (const std::uint32_t piece : pieces)
                                      if (facets_.near(piece, centre, least, touch))
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

  Facets<D> facets_;
  Tree<D> tree_;
  Clearance<D> clearance_;
  double slack_ = 0;
};

}  // namespace abut
