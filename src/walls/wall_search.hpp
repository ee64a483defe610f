#pragma once

#include <span>
#include <vector>

#include "walls/images.hpp"
#include "walls/resolve.hpp"
#include "walls/wall_body.hpp"

namespace abut {

/// One search for contacts with walls. Particles are taken some hundred at a time: every body picks
/// those that may be near it, which are few; for these pieces are looked up and resolved.
template <std::size_t D>
class WallSearch {
 public:
  /// What a thread needs for itself.
  struct Workspace {
    Block<D> block;
    Block<D> seen_by_body;
    Picked picked;
    Seen seen;
    std::vector<Touch<D>> touches;
    Resolution<D> resolution;
    struct Near {
      std::uint16_t place;
      std::uint16_t image;  // which shift of which body
      auto operator<=>(const Near&) const = default;
    };
    std::vector<Near> near;
  };

  WallSearch(std::span<const PlacedBody<D>> bodies, const Spheres<D>& particles,
             const WallOptions<D>& options, double largest_radius);

  /// The contacts of particles `first` to `last`−1 are added to the list.
  void run(std::size_t first, std::size_t last, Workspace& own,
           std::vector<WallContact<D>>& found) const;

 private:
  using Near = typename Workspace::Near;

  // A body as particles see it after a shift by whole periods.
  struct View {
    const PlacedBody<D>* body;
    Point<D> shift;
    Box<D> box;
    bool direct;  // neither moved nor shifted: the block serves as it is
  };

  [[nodiscard]] double reach(double radius) const { return radius * stretch_ + margin_; }

  void load(std::size_t first, std::size_t last, Block<D>& block) const;
  void look(const View& view, const Block<D>& block, Block<D>& as_seen) const;
  void pick(Workspace& own) const;
  void gather(const View& view, std::size_t particle, const Point<D>& centre, double reach,
              Workspace& own) const;
  void resolve(std::size_t particle, const Point<D>& centre, Workspace& own,
               std::vector<WallContact<D>>& found) const;
  [[nodiscard]] Point<D> centre(std::size_t particle) const;

  const Spheres<D>& particles_;
  Images<D> images_;
  double stretch_;
  double margin_;
  double largest_shift_ = 0;  // of bodies: it is lost to rounding
  std::size_t most_pieces_ = 0;
  std::vector<View> views_;
};

extern template class WallSearch<2>;
extern template class WallSearch<3>;

}  // namespace abut
