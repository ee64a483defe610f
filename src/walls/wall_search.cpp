#include "walls/wall_search.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <limits>

#include "core/message.hpp"
#include "core/survey.hpp"

namespace abut {
namespace {

constexpr auto most_particles = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());

template <std::size_t D>
[[noreturn]] void refuse(const Spheres<D>& particles) {
  (void)survey(particles, Options<D>{});  // names the first
  throw Error("particles that cannot be worked with");
}

}  // namespace

template <std::size_t D>
WallSearch<D>::WallSearch(std::span<const PlacedBody<D>> bodies, const Spheres<D>& particles,
                          const WallOptions<D>& options)
    : particles_(particles),
      images_(options),
      stretch_(1 + options.tolerance),
      margin_(options.margin) {
  // Otherwise what is wrong with them is seen on the way.
  const bool first_of_all = images_.any() || particles.size() > most_particles;
  const double largest_radius = first_of_all ? survey(particles, Options<D>{}).largest_radius : 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const PlacedBody<D>& body = bodies[i];
    if (body.body->pieces() == 0) continue;
    most_pieces_ = std::max(most_pieces_, body.body->pieces());
    largest_shift_ = std::max(largest_shift_, largest_part(body.where.shift));
    const Box<D> box = body.body->box(body.where);
    for (const Point<D>& shift : images_.shifts(body, reach(largest_radius), i)) {
      largest_shift_ = std::max(largest_shift_, largest_part(shift));
      views_.push_back({&body, shift, box, !body.moved && shift == Point<D>{}});
    }
  }
}

template <std::size_t D>
void WallSearch<D>::pick(std::size_t first, std::size_t last, Workspace& own,
                         std::vector<NearWall<D>>& near) const {
  for (std::size_t from = first; from < last; from += Block<D>::most) {
    load(from, std::min(last, from + Block<D>::most), own.block);
    pick_in_block(from, own, near);
  }
}

template <std::size_t D>
void WallSearch<D>::contacts(const Given<D>& given, std::span<const std::uint32_t> views,
                             Workspace& own, std::vector<WallContact<D>>& found) const {
  const Point<D> at = wrapped(given.centre);
  own.seen.at_least(most_pieces_);
  own.touches.clear();
  for (const std::uint32_t view : views) gather(views_[view], given, at, own);
  resolve(given, at, own, found);
}

template <std::size_t D>
void WallSearch<D>::contacts(const Given<D>& given, std::uint32_t view,
                             std::span<const std::uint32_t> pieces, Workspace& own,
                             std::vector<WallContact<D>>& found) const {
  const Point<D> at = wrapped(given.centre);
  own.touches.clear();
  views_[view].body->body->touches_of(pieces, as_seen(views_[view], at), reach(given.radius),
                                      own.touches);
  for (Touch<D>& touch : own.touches) tell(views_[view], given, at, touch);
  resolve(given, at, own, found);
}

template <std::size_t D>
void WallSearch<D>::load(std::size_t first, std::size_t last, Block<D>& block) const {
  block.size = last - first;
  const double* const radius = particles_.radius().data() + first;
  for (std::size_t k = 0; k < D; ++k) block.axes[k] = particles_.axis(k).data() + first;
  if (!kernels_->load(radius, stretch_, margin_, block)) refuse(particles_);
  if (!images_.any()) return;
  for (std::size_t k = 0; k < D; ++k) {
    for (std::size_t i = 0; i < block.size; ++i)
      block.own[k][i] = images_.wrapped(k, block.axes[k][i]);
    block.axes[k] = block.own[k].data();
  }
}

// Most particles are not near a shifted body at all; those that are, as the body sees them.
template <std::size_t D>
void WallSearch<D>::look(const View& view, const Block<D>& block, Block<D>& as_seen) const {
  as_seen.size = 0;
  for (std::size_t k = 0; k < D; ++k) as_seen.axes[k] = as_seen.own[k].data();
  for (std::size_t i = 0; i < block.size; ++i) {
    const Point<D> shifted = sum(block.centre(i), view.shift);
    bool near = true;
    for (std::size_t k = 0; k < D; ++k)
      near = near && shifted[k] + block.reach[i] >= view.box.min[k] &&
             shifted[k] - block.reach[i] <= view.box.max[k];
    if (!near) continue;
    const Point<D> at = view.body->moved ? into_body(view.body->where, shifted) : shifted;
    for (std::size_t k = 0; k < D; ++k) as_seen.own[k][as_seen.size] = at[k];
    as_seen.reach[as_seen.size] = block.reach[i];
    as_seen.id[as_seen.size] = static_cast<std::uint16_t>(i);
    ++as_seen.size;
  }
}

template <std::size_t D>
void WallSearch<D>::pick_in_block(std::size_t first, Workspace& own,
                                  std::vector<NearWall<D>>& near) const {
  const std::size_t before = near.size();
  for (std::uint32_t i = 0; i < views_.size(); ++i) {
    const View& view = views_[i];
    if (!view.direct) look(view, own.block, own.as_seen);
    const Block<D>& block = view.direct ? own.block : own.as_seen;
    own.picked.with_caps = false;
    view.body->body->pick(block, own.picked);
    for (std::size_t j = 0; j < own.picked.size; ++j) {
      NearWall<D>& one = near.emplace_back();
      put_given(first + block.id[own.picked.places[j]], one.given);
      if (own.picked.with_caps) one.cap = own.picked.caps[j];
      one.view = i;
    }
  }
  if (views_.size() < 2) return;
  std::stable_sort(near.begin() + static_cast<std::ptrdiff_t>(before), near.end(),
                   [](const NearWall<D>& a, const NearWall<D>& b) {
                     return a.given.particle < b.given.particle;
                   });
}

template <std::size_t D>
Point<D> WallSearch<D>::as_seen_from_afar(const View& view, const Point<D>& wrapped) const {
  const Point<D> shifted = sum(wrapped, view.shift);
  return view.body->moved ? into_body(view.body->where, shifted) : shifted;
}

// Touches are found where the body sees them and told where the caller has the particle.
template <std::size_t D>
void WallSearch<D>::tell_from_afar(const View& view, const Given<D>& given, const Point<D>& wrapped,
                                   Touch<D>& touch) const {
  const PlacedBody<D>& body = *view.body;
  if (body.moved) {
    touch.normal = rotated(body.where, touch.normal);
    touch.point = sum(rotated(body.where, touch.point), body.where.shift);
  }
  const Point<D> shifted = sum(wrapped, view.shift);
  if (shifted != given.centre) touch.point = sum(touch.point, difference(given.centre, shifted));
}

template <std::size_t D>
void WallSearch<D>::gather(const View& view, const Given<D>& given, const Point<D>& wrapped,
                           Workspace& own) const {
  const std::size_t before = own.touches.size();
  view.body->body->touches(as_seen(view, wrapped), reach(given.radius), own.seen, own.touches);
  for (std::size_t i = before; i < own.touches.size(); ++i)
    tell(view, given, wrapped, own.touches[i]);
}

template <std::size_t D>
void WallSearch<D>::resolve(const Given<D>& given, const Point<D>& wrapped, Workspace& own,
                            std::vector<WallContact<D>>& found) const {
  if (own.touches.empty()) return;
  const double radius = given.radius;
  for (const auto& [touch, gap] : own.resolution.of(
           own.touches, {radius, radius * stretch_, reach(radius), rounding(given, wrapped)}))
    found.push_back({given.particle, touch.wall, touch.feature, gap, touch.normal, touch.point});
}

template class WallSearch<2>;
template class WallSearch<3>;

}  // namespace abut
