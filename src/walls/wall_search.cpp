#include "walls/wall_search.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <limits>

#include "core/message.hpp"
#include "core/survey.hpp"

namespace abut {
namespace {

template <std::size_t D>
void refuse_oblique(const PlacedBody<D>& body, std::size_t number, const Box<D>& box,
                    const std::array<bool, D>& periodic) {
  for (std::size_t k = 0; k < D; ++k)
    if (periodic[k] && !std::isfinite(box.max[k]) && !body.body->unchanged_along(k, body.where))
      throw Error(message("body ", number, " is an endless plane oblique to the periodic ",
                          axis_names[k], " axis; it cannot repeat"));
}

}  // namespace

template <std::size_t D>
WallSearch<D>::WallSearch(std::span<const PlacedBody<D>> bodies, const Spheres<D>& particles,
                          const WallOptions<D>& options, double largest_radius)
    : particles_(particles),
      images_(options),
      stretch_(1 + options.tolerance),
      margin_(options.margin) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const PlacedBody<D>& body = bodies[i];
    if (body.body->pieces() == 0) continue;
    most_pieces_ = std::max(most_pieces_, body.body->pieces());
    largest_shift_ = std::max(largest_shift_, largest_part(body.where.shift));
    const Box<D> box = body.body->box(body.where);
    refuse_oblique(body, i, box, options.periodic);
    for (const Point<D>& shift : images_.shifts(box, reach(largest_radius), i)) {
      largest_shift_ = std::max(largest_shift_, largest_part(shift));
      views_.push_back({&body, shift, box, !body.moved && shift == Point<D>{}});
    }
  }
}

template <std::size_t D>
void WallSearch<D>::pick(std::size_t first, std::size_t last, Workspace& own,
                         std::vector<NearWall>& near) const {
  for (std::size_t from = first; from < last; from += Block<D>::most) {
    load(from, std::min(last, from + Block<D>::most), own.block);
    pick_in_block(from, own, near);
  }
}

template <std::size_t D>
void WallSearch<D>::contacts(const Given<D>& given, std::span<const NearWall> near, Workspace& own,
                             std::vector<WallContact<D>>& found) const {
  own.seen.at_least(most_pieces_);
  own.touches.clear();
  const Point<D> at = wrapped(given.centre);
  for (const NearWall& wall : near) gather(views_[wall.view], given, at, own);
  resolve(given, at, own, found);
}

template <std::size_t D>
void WallSearch<D>::load(std::size_t first, std::size_t last, Block<D>& block) const {
  block.size = last - first;
  for (std::size_t k = 0; k < D; ++k) {
    const double* const axis = particles_.axis(k).data() + first;
    for (std::size_t i = 0; i < block.size; ++i) block.axes[k][i] = axis[i];
    if (!images_.any()) continue;
    for (std::size_t i = 0; i < block.size; ++i)
      block.axes[k][i] = images_.wrapped(k, block.axes[k][i]);
  }
  const double* const radius = particles_.radius().data() + first;
  for (std::size_t i = 0; i < block.size; ++i) {
    block.reach[i] = reach(radius[i]);
    block.id[i] = static_cast<std::uint16_t>(i);
  }
}

// Most particles are not near a shifted body at all; those that are, as the body sees them.
template <std::size_t D>
void WallSearch<D>::look(const View& view, const Block<D>& block, Block<D>& as_seen) const {
  as_seen.size = 0;
  for (std::size_t i = 0; i < block.size; ++i) {
    const Point<D> shifted = sum(block.centre(i), view.shift);
    bool near = true;
    for (std::size_t k = 0; k < D; ++k)
      near = near && shifted[k] + block.reach[i] >= view.box.min[k] &&
             shifted[k] - block.reach[i] <= view.box.max[k];
    if (!near) continue;
    const Point<D> at = view.body->moved ? into_body(view.body->where, shifted) : shifted;
    for (std::size_t k = 0; k < D; ++k) as_seen.axes[k][as_seen.size] = at[k];
    as_seen.reach[as_seen.size] = block.reach[i];
    as_seen.id[as_seen.size] = static_cast<std::uint16_t>(i);
    ++as_seen.size;
  }
}

template <std::size_t D>
void WallSearch<D>::pick_in_block(std::size_t first, Workspace& own,
                                  std::vector<NearWall>& near) const {
  const std::size_t before = near.size();
  for (std::uint32_t i = 0; i < views_.size(); ++i) {
    const View& view = views_[i];
    if (!view.direct) look(view, own.block, own.as_seen);
    const Block<D>& block = view.direct ? own.block : own.as_seen;
    view.body->body->pick(block, own.picked);
    for (std::size_t j = 0; j < own.picked.size; ++j)
      near.push_back({static_cast<Index>(first + block.id[own.picked.places[j]]), i});
  }
  if (views_.size() > 1) std::sort(near.begin() + static_cast<std::ptrdiff_t>(before), near.end());
}

// Touches are found where the body sees them and told where the caller has the particle.
template <std::size_t D>
void WallSearch<D>::gather(const View& view, const Given<D>& given, const Point<D>& wrapped,
                           Workspace& own) const {
  const std::size_t before = own.touches.size();
  const PlacedBody<D>& body = *view.body;
  const double far = reach(given.radius);
  if (view.direct && !images_.any()) {
    body.body->touches(wrapped, far, own.seen, own.touches);
    return;
  }
  const Point<D> shifted = sum(wrapped, view.shift);
  const Point<D> at = body.moved ? into_body(body.where, shifted) : shifted;
  body.body->touches(at, far, own.seen, own.touches);
  for (std::size_t i = before; i < own.touches.size(); ++i) {
    Touch<D>& touch = own.touches[i];
    if (body.moved) {
      touch.normal = rotated(body.where, touch.normal);
      touch.point = sum(rotated(body.where, touch.point), body.where.shift);
    }
    if (shifted != given.centre) touch.point = sum(touch.point, difference(given.centre, shifted));
  }
}

template <std::size_t D>
Point<D> WallSearch<D>::wrapped(Point<D> point) const {
  if (images_.any())
    for (std::size_t k = 0; k < D; ++k) point[k] = images_.wrapped(k, point[k]);
  return point;
}

template <std::size_t D>
Given<D> WallSearch<D>::given(Index particle) const {
  Given<D> given{{}, particles_.radius()[particle], particle};
  for (std::size_t k = 0; k < D; ++k) given.centre[k] = particles_.axis(k)[particle];
  return given;
}

template <std::size_t D>
void WallSearch<D>::resolve(const Given<D>& given, const Point<D>& wrapped, Workspace& own,
                            std::vector<WallContact<D>>& found) const {
  if (own.touches.empty()) return;
  const double size = largest_part(wrapped) + largest_part(given.centre) + largest_shift_;
  const double rounding = 16 * std::numeric_limits<double>::epsilon() * size;
  const double radius = given.radius;
  for (const auto& [touch, gap] :
       own.resolution.of(own.touches, {radius, radius * stretch_, reach(radius), rounding}))
    found.push_back({given.particle, touch.wall, touch.feature, gap, touch.normal, touch.point});
}

template class WallSearch<2>;
template class WallSearch<3>;

}  // namespace abut
