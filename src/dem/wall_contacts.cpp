#include "dem/wall_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "core/vec.hpp"
#include "dem/wall_motion.hpp"

namespace abut {
namespace {

double farthest(const Point<3>& centre, const Revolved& shell) {
  return std::max(length(difference(shell.from, centre)) + shell.from_radius,
                  length(difference(shell.to, centre)) + shell.to_radius);
}

double farthest(const Point<3>& centre, const Ring& ring) {
  return length(difference(ring.centre, centre)) + ring.outer;
}

template <std::size_t D>
double farthest(const Point<D>& centre, const Mesh<D>& mesh) {
  double far = 0;
  for (const Point<D>& corner : mesh.corners)
    far = std::max(far, length(difference(corner, centre)));
  return far;
}

// A plane has no end; where it turns, only points near particles matter, and those are looked for
// in every step.
template <std::size_t D>
double farthest(const Point<D>&, const Plane<D>&) {
  return 1e300;
}

}  // namespace

template <std::size_t D>
void WallContacts<D>::add(StandingWall<D> body) {
  bodies_.push_back(std::move(body));
  build();
}

template <std::size_t D>
bool WallContacts<D>::set_open(std::size_t body, bool open) {
  if (bodies_[body].open == open) return false;
  bodies_[body].open = open;
  build();
  return true;
}

// Pieces are numbered as they are added, so the numbers of others change; springs are found again
// by body and direction.
template <std::size_t D>
void WallContacts<D>::build() {
  walls_ = {};
  built_.clear();
  first_piece_.clear();
  planes_.assign(bodies_.size(), {});
  for (std::size_t body = 0; body < bodies_.size(); ++body) {
    if (bodies_[body].open) continue;
    first_piece_.push_back(walls_.size());
    built_.push_back(body);
    std::visit([&](const auto& shape) { walls_.add(shape); }, bodies_[body].shape);
    if (const auto* plane = std::get_if<Plane<D>>(&bodies_[body].shape))
      planes_[body] = {plane->point, unit(plane->normal)};
  }
  move_to(time_);
}

template <std::size_t D>
void WallContacts<D>::move_to(double time) {
  time_ = time;
  for (std::size_t k = 0; k < built_.size(); ++k) {
    const Motion<D>& motion = bodies_[built_[k]].motion;
    if (ever_moves(motion)) walls_.place(k, placement(motion, time));
  }
}

template <std::size_t D>
double WallContacts<D>::fastest(double time) const {
  double fastest = 0;
  for (const std::size_t body : built_) {
    const Motion<D>& motion = bodies_[body].motion;
    if (!ever_moves(motion) || !moves(motion, time)) continue;
    const double arm = motion.turning == 0
                           ? 0
                           : std::visit([&](const auto& s) { return farthest(motion.centre, s); },
                                        bodies_[body].shape);
    fastest = std::max(fastest, length(motion.velocity) + std::abs(motion.turning) * arm);
  }
  return fastest;
}

template <std::size_t D>
Index WallContacts<D>::resting_plane(Index piece) const {
  const std::size_t body = body_of(piece);
  const bool rests =
      std::holds_alternative<Plane<D>>(bodies_[body].shape) && !ever_moves(bodies_[body].motion);
  return rests ? static_cast<Index>(body) : several;
}

template <std::size_t D>
void WallContacts<D>::find_near(const Spheres<D>& all, const WallOptions<D>& options) {
  near_.clear();
  searched_.clear();
  if (built_.empty()) return;
  walls_.contacts(all, options, found_);
  const bool periodic =
      std::any_of(options.periodic.begin(), options.periodic.end(), [](bool axis) { return axis; });
  for (const auto& contact : found_) {
    if (!near_.empty() && near_.back().particle == contact.particle)
      near_.back().plane = several;
    else
      near_.push_back({contact.particle, periodic ? several : resting_plane(contact.wall)});
  }
  for (const Near& near : near_)
    if (near.plane == several) searched_.push_back(near.particle);
  for (auto& axis : axes_) axis.resize(searched_.size());
  radius_.resize(searched_.size());
}

template <std::size_t D>
void WallContacts<D>::touch(const ParticleStore& particles, const WallOptions<D>& options) {
  std::swap(touches_, before_);
  touches_.clear();
  search(particles, options);
  std::size_t next = 0;
  for (const Near& near : near_) {
    if (near.particle < particles.fixed) continue;
    if (near.plane != several) {
      touch_plane(particles, near);
      continue;
    }
    const auto seen = [&](const WallContact<D>& contact) { return searched_[contact.particle]; };
    while (next < found_.size() && seen(found_[next]) < near.particle) ++next;
    for (; next < found_.size() && seen(found_[next]) == near.particle; ++next) {
      const WallContact<D>& found = found_[next];
      put(near.particle, body_of(found.wall), -found.gap, found.normal, found.point);
    }
  }
  take_springs();
}

template <std::size_t D>
void WallContacts<D>::search(const ParticleStore& particles, const WallOptions<D>& options) {
  found_.clear();
  if (searched_.empty()) return;
  std::array<std::span<const double>, D> views;
  for (std::size_t k = 0; k < D; ++k) {
    for (std::size_t j = 0; j < searched_.size(); ++j)
      axes_[k][j] = particles.place[searched_[j]].*record_axes[k];
    views[k] = axes_[k];
  }
  for (std::size_t j = 0; j < searched_.size(); ++j) radius_[j] = particles.place[searched_[j]].w;
  walls_.contacts(Spheres<D>(views, radius_), options, found_);
}

// As the search has it, to the last bit: which of the two is taken depends on what else is near.
template <std::size_t D>
void WallContacts<D>::touch_plane(const ParticleStore& particles, const Near& near) {
  const Record& at = particles.place[near.particle];
  const Plane<D>& plane = planes_[near.plane];
  const auto centre = vector_of<D>(at);
  const double height = dot(plane.normal, difference(centre, plane.point));
  const double gap = std::abs(height) - at.w;
  if (gap <= 0)
    put(near.particle, near.plane, -gap, height < 0 ? scaled(plane.normal, -1) : plane.normal,
        along(centre, -height, plane.normal));
}

template <std::size_t D>
void WallContacts<D>::put(Index particle, std::size_t body, double overlap, const Point<D>& normal,
                          const Point<D>& point) {
  WallPush& touch = touches_.emplace_back();
  touch.normal = record_of<D>(normal, overlap);
  touch.point = record_of<D>(point);
  touch.velocity = record_of<D>(velocity_at(bodies_[body].motion, time_, point));
  touch.particle = particle;
  touch.material = bodies_[body].material;
  touch.body = static_cast<std::uint16_t>(body);
}

template <std::size_t D>
std::size_t WallContacts<D>::body_of(Index piece) const {
  const auto after = std::upper_bound(first_piece_.begin(), first_piece_.end(), piece);
  return built_[static_cast<std::size_t>(after - first_piece_.begin()) - 1];
}

/// A particle that rolls over the pieces of a body takes its spring along: it belongs to the touch
/// of the same body that pushes most nearly the same way.
template <std::size_t D>
void WallContacts<D>::take_springs() {
  std::size_t first = 0;
  for (WallPush& now : touches_) {
    while (first < before_.size() && before_[first].particle < now.particle) ++first;
    double best = 0.5;  // not more than 60° away
    WallPush* from = nullptr;
    for (std::size_t k = first; k < before_.size() && before_[k].particle == now.particle; ++k) {
      WallPush& old = before_[k];
      const double alike =
          now.normal.x * old.normal.x + now.normal.y * old.normal.y + now.normal.z * old.normal.z;
      if (old.body != now.body || old.taken || alike <= best) continue;
      best = alike;
      from = &old;
    }
    if (from == nullptr) continue;
    now.spring = from->spring;
    from->taken = true;
  }
}

template <std::size_t D>
void WallContacts<D>::relabel(std::span<const std::uint32_t> to) {
  std::erase_if(touches_,
                [&](const WallPush& one) { return to[one.particle] == ParticleStore::gone; });
  for (WallPush& one : touches_) one.particle = to[one.particle];
  std::stable_sort(touches_.begin(), touches_.end(),
                   [](const WallPush& x, const WallPush& y) { return x.particle < y.particle; });
}

template <std::size_t D>
WallRun WallContacts<D>::run(std::size_t first, std::size_t last) {
  const auto before = [](const WallPush& touch, std::size_t particle) {
    return touch.particle < particle;
  };
  const auto begin = std::lower_bound(touches_.begin(), touches_.end(), first, before);
  const auto end = std::lower_bound(begin, touches_.end(), last, before);
  return {touches_.data() + (begin - touches_.begin()), static_cast<std::size_t>(end - begin)};
}

template class WallContacts<2>;
template class WallContacts<3>;

}  // namespace abut
