#pragma once

#include <span>
#include <vector>

#include "walls/images.hpp"
#include "walls/kernel.hpp"
#include "walls/resolve.hpp"
#include "walls/wall_body.hpp"

namespace abut {

/// A particle as the caller has it.
template <std::size_t D>
struct Given {
  Point<D> centre;
  double radius;
  Index particle;
};

/// A particle and a view of a body (see `WallSearch`) that it may touch.
template <std::size_t D>
struct NearWall {
  Given<D> given;
  Cap cap;
  std::uint32_t view;
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
    std::array<Looking<D>, Looking<D>::most> looking;
  };

  /// Throws `Error` for particles that cannot be worked with, as do `pick` and `contacts`.
  WallSearch(std::span<const PlacedBody<D>> bodies, const Spheres<D>& particles,
             const WallOptions<D>& options);

  /// Adds who of the particles `first` to `last`−1 may be near which body, ordered by particle.
  void pick(std::size_t first, std::size_t last, Workspace& own,
            std::vector<NearWall<D>>& near) const;

  /// Adds the contacts of one particle with the views it may be near, ordered by wall.
  void contacts(const Given<D>& given, std::span<const std::uint32_t> views, Workspace& own,
                std::vector<WallContact<D>>& found) const;

  /// Somebody who is to look at a view.
  void aim(const Given<D>& given, const Cap& cap, std::uint32_t view, Looking<D>& looking) const {
    const Point<D> at = wrapped(given.centre);
    looking.centre = as_seen(views_[view], at);
    looking.reach = reach(given.radius);
    looking.rounding = rounding(given, at);
    looking.cap = cap;
  }

  /// Up to `Looking::most` look.
  void glance(std::span<Looking<D>> all, std::uint32_t view) const {
    views_[view].body->body->glance(all);
  }

  /// The contact with a face that one of them saw. Put where it is to be: on the way through other
  /// memory the machine would wait for it.
  void put_contact(const Given<D>& given, std::uint32_t view, Touch<D>& touch,
                   WallContact<D>& contact) const {
    tell(views_[view], given, wrapped(given.centre), touch);
    contact.particle = given.particle;
    contact.wall = touch.wall;
    contact.feature = touch.feature;
    contact.gap = touch.distance - given.radius;
    contact.normal = touch.normal;
    contact.point = touch.point;
  }

  /// Adds the contacts of one who saw more: all that may be within reach are known.
  void contacts(const Given<D>& given, std::uint32_t view, std::span<const std::uint32_t> pieces,
                Workspace& own, std::vector<WallContact<D>>& found) const;

  /// Whether contacts with a single view can be told at a glance.
  [[nodiscard]] bool glances() const { return margin_ == 0; }

  [[nodiscard]] std::size_t most_pieces() const { return most_pieces_; }

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
  void pick_in_block(std::size_t first, Workspace& own, std::vector<NearWall<D>>& near) const;
  void put_given(std::size_t particle, Given<D>& given) const {
    for (std::size_t k = 0; k < D; ++k) given.centre[k] = particles_.axis(k)[particle];
    given.radius = particles_.radius()[particle];
    given.particle = static_cast<Index>(particle);
  }
  [[nodiscard]] Point<D> wrapped(Point<D> point) const {
    if (images_.any())
      for (std::size_t k = 0; k < D; ++k) point[k] = images_.wrapped(k, point[k]);
    return point;
  }
  [[nodiscard]] Point<D> as_seen(const View& view, const Point<D>& wrapped) const {
    return view.direct ? wrapped : as_seen_from_afar(view, wrapped);
  }
  [[nodiscard]] Point<D> as_seen_from_afar(const View& view, const Point<D>& wrapped) const;
  void tell(const View& view, const Given<D>& given, const Point<D>& wrapped,
            Touch<D>& touch) const {
    if (!view.direct || images_.any()) tell_from_afar(view, given, wrapped, touch);
  }
  void tell_from_afar(const View& view, const Given<D>& given, const Point<D>& wrapped,
                      Touch<D>& touch) const;
  [[nodiscard]] double rounding(const Given<D>& given, const Point<D>& wrapped) const {
    const double size = largest_part(wrapped) + largest_part(given.centre) + largest_shift_;
    return 16 * std::numeric_limits<double>::epsilon() * size;
  }
  void gather(const View& view, const Given<D>& given, const Point<D>& wrapped,
              Workspace& own) const;
  void resolve(const Given<D>& given, const Point<D>& wrapped, Workspace& own,
               std::vector<WallContact<D>>& found) const;

  const WallKernels<D>* kernels_ = &wall_kernels<D>();
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
