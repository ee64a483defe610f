#pragma once

#include <span>
#include <vector>

#include "walls/images.hpp"
#include "walls/resolve.hpp"
#include "walls/wall_body.hpp"

namespace abut {

/// A particle and a view of a body (see `WallSearch`) that it may touch.
struct NearWall {
  Index particle;
  std::uint32_t view;
  friend auto operator<=>(const NearWall&, const NearWall&) = default;
};

/// One search for contacts with walls, in two steps: every body picks particles that may be near
/// it, which are few; for these, pieces are looked up and resolved.
template <std::size_t D>
class WallSearch {
 public:
  /// What a thread needs for itself.
  struct Workspace {
    Block<D> block;
    Block<D> as_seen;
    Picked picked;
    Seen seen;
    std::vector<Touch<D>> touches;
    Resolution<D> resolution;
  };

  WallSearch(std::span<const PlacedBody<D>> bodies, const Spheres<D>& particles,
             const WallOptions<D>& options, double largest_radius);

  /// Adds who of the particles `first` to `last`−1 may be near which body, ordered by particle.
  void pick(std::size_t first, std::size_t last, Workspace& own, std::vector<NearWall>& near) const;

  /// Adds the contacts of one particle with the bodies it may be near, ordered by wall.
  void contacts(std::span<const NearWall> near, Workspace& own,
                std::vector<WallContact<D>>& found) const;

  [[nodiscard]] std::size_t most_pieces() const { return most_pieces_; }
  [[nodiscard]] Point<D> centre(std::size_t particle) const;

 private:
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
  void pick_in_block(std::size_t first, Workspace& own, std::vector<NearWall>& near) const;
  [[nodiscard]] Point<D> wrapped(std::size_t particle) const;
  void gather(const View& view, std::size_t particle, const Point<D>& wrapped, double reach,
              Workspace& own) const;
  void resolve(std::size_t particle, const Point<D>& wrapped, Workspace& own,
               std::vector<WallContact<D>>& found) const;

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
