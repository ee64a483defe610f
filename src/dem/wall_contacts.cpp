#include "dem/wall_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "core/make_room.hpp"
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

template <std::size_t D>
Spheres<D> part_of(const Spheres<D>& all, std::size_t first, std::size_t count) {
  std::array<std::span<const double>, D> axes;
  for (std::size_t k = 0; k < D; ++k) axes[k] = all.axis(k).subspan(first, count);
  return {axes, all.radius().subspan(first, count)};
}

template <std::size_t D>
Point<D> place_of(const Spheres<D>& all, std::size_t particle) {
  Point<D> place;
  for (std::size_t k = 0; k < D; ++k) place[k] = all.axis(k)[particle];
  return place;
}

}  // namespace

template <std::size_t D>
void WallContacts<D>::add(StandingWall<D> body) {
  bodies_.push_back(std::move(body));
  build();
}

template <std::size_t D>
void WallContacts<D>::set_open(std::size_t body, bool open) {
  bodies_[body].open = open;
  build();
}

// Pieces are numbered as they are added, so the numbers of others change; springs are found again
// by body and direction.
template <std::size_t D>
void WallContacts<D>::build() {
  walls_ = {};
  built_.clear();
  first_piece_.clear();
  plane_normal_.assign(bodies_.size(), {});
  plane_point_.assign(bodies_.size(), {});
  spin_.assign(bodies_.size(), {});
  material_.clear();
  for (const StandingWall<D>& body : bodies_) material_.push_back(body.material);
  for (std::size_t body = 0; body < bodies_.size(); ++body) {
    if (bodies_[body].open) continue;
    first_piece_.push_back(walls_.size());
    built_.push_back(body);
    std::visit([&](const auto& shape) { walls_.add(shape); }, bodies_[body].shape);
    if (const auto* plane = std::get_if<Plane<D>>(&bodies_[body].shape)) {
      plane_normal_[body] = record_of<D>(unit(plane->normal));
      plane_point_[body] = record_of<D>(plane->point);
    }
  }
  move_to(time_);
}

template <std::size_t D>
void WallContacts<D>::move_to(double time) {
  time_ = time;
  for (std::size_t k = 0; k < built_.size(); ++k) {
    const Motion<D>& motion = bodies_[built_[k]].motion;
    if (!ever_moves(motion)) continue;
    walls_.place(k, placement(motion, time));
    spin_[built_[k]] = moves(motion, time) ? record_of<3>(spin_of(motion)) : Record{};
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

/// A plane that never moves.
template <std::size_t D>
bool WallContacts<D>::is_still(std::size_t body) const {
  return std::holds_alternative<Plane<D>>(bodies_[body].shape) && !ever_moves(bodies_[body].motion);
}

// Planes at right angles, or that face each other, each push as if alone.
template <std::size_t D>
bool WallContacts<D>::can_rest(std::span<const WallContact<D>> near) const {
  return std::ranges::all_of(near, [&](const WallContact<D>& one) {
    return is_still(body_of(one.wall)) &&
           std::ranges::all_of(near, [&](const WallContact<D>& other) {
             return &one == &other || dot(one.normal, other.normal) <= 0;
           });
  });
}

template <std::size_t D>
void WallContacts<D>::find_near(const Spheres<D>& all, std::size_t fixed,
                                const WallOptions<D>& options) {
  std::swap(resting_, rested_);
  resting_.clear();
  make_room(resting_, rested_.size());
  list_near(all, fixed, options);
  hand_over(all);
}

template <std::size_t D>
void WallContacts<D>::list_near(const Spheres<D>& all, std::size_t fixed,
                                const WallOptions<D>& options) {
  searched_.clear();
  const bool periodic =
      std::any_of(options.periodic.begin(), options.periodic.end(), [](bool axis) { return axis; });
  if (!periodic && std::ranges::all_of(built_, [&](std::size_t body) { return is_still(body); }))
    return list_near_planes(all, fixed, options.margin);
  // Some at a time, so that what the search notes down of each takes little memory.
  const std::size_t many = options.threads == 1 ? 1U << 12U : 1U << 14U;
  for (std::size_t first = fixed; first < all.size() && !built_.empty(); first += many) {
    walls_.contacts(part_of(all, first, std::min(many, all.size() - first)), options, found_);
    make_room(resting_, resting_.size() + found_.size());
    for (std::size_t k = 0, next = 0; k < found_.size(); k = next) {
      while (next < found_.size() && found_[next].particle == found_[k].particle) ++next;
      const auto particle = static_cast<Index>(first + found_[k].particle);
      const std::span<const WallContact<D>> near(found_.data() + k, next - k);
      if (periodic)
        searched_.push_back(particle);
      else
        put_near(particle, near);
    }
  }
  make_room_for_search();
}

// Where there is nothing but planes that never move, it takes no search to see who is near one.
template <std::size_t D>
void WallContacts<D>::list_near_planes(const Spheres<D>& all, std::size_t fixed, double margin) {
  constexpr double rounding = 1e-9;
  std::vector<WallContact<D>> near;
  for (std::size_t i = fixed; i < all.size(); ++i) {
    near.clear();
    const Point<D> centre = place_of(all, i);
    const double reach = all.radius()[i] * (1 + rounding) + margin;
    for (std::size_t k = 0; k < built_.size(); ++k) {
      const auto normal = vector_of<D>(plane_normal_[built_[k]]);
      const double height = dot(normal, difference(centre, vector_of<D>(plane_point_[built_[k]])));
      if (std::abs(height) > reach) continue;
      WallContact<D>& contact = near.emplace_back();
      contact.wall = first_piece_[k];
      contact.normal = height < 0 ? scaled(normal, -1) : normal;
    }
    if (!near.empty()) put_near(static_cast<Index>(i), near);
  }
  make_room_for_search();
}

template <std::size_t D>
void WallContacts<D>::put_near(Index particle, std::span<const WallContact<D>> near) {
  if (some_rest_ && can_rest(near))
    for (const WallContact<D>& contact : near)
      resting_.push_back({{}, {}, particle, static_cast<std::uint16_t>(body_of(contact.wall))});
  else
    searched_.push_back(particle);
}

template <std::size_t D>
void WallContacts<D>::make_room_for_search() {
  for (auto& axis : axes_) axis.resize(searched_.size());
  radius_.resize(searched_.size());
}

// Springs and forces go to those that rest now; what rested before and does not any more is among
// the touches until the next step takes its spring.
template <std::size_t D>
void WallContacts<D>::hand_over(const Spheres<D>& all) {
  const std::span<const RestPush> before = rested_;
  std::size_t old = 0;
  std::size_t touch = 0;
  for (RestPush& now : resting_) {
    while (old < before.size() && before[old].particle < now.particle) ++old;
    while (touch < touches_.size() && touches_[touch].particle < now.particle) ++touch;
    for (std::size_t k = old; k < before.size() && before[k].particle == now.particle; ++k)
      if (before[k].body == now.body) now = before[k];
    for (std::size_t k = touch; k < touches_.size() && touches_[k].particle == now.particle; ++k)
      if (touches_[k].body == now.body) {
        now.spring = touches_[k].spring;
        now.force = vector_of<3>(touches_[k].force);
      }
  }
  const auto rests = [&](const auto& one) {
    const auto at = std::ranges::lower_bound(resting_, one.particle, {}, &RestPush::particle);
    return at != resting_.end() && at->particle == one.particle;
  };
  std::erase_if(touches_, rests);
  for (const RestPush& one : before)
    if (!rests(one))
      touches_.push_back(push_of(one, place_of(all, one.particle), all.radius()[one.particle]));
  std::ranges::stable_sort(touches_, {}, &WallPush::particle);
}

template <std::size_t D>
void WallContacts<D>::touch(const ParticleStore& particles, const WallOptions<D>& options) {
  std::swap(touches_, before_);
  touches_.clear();
  search(particles, options);
  for (const WallContact<D>& found : found_) {
    const std::size_t body = body_of(found.wall);
    WallPush& touch = touches_.emplace_back();
    touch.normal = record_of<D>(found.normal, -found.gap);
    touch.velocity = record_of<D>(velocity_at(bodies_[body].motion, time_, found.point));
    touch.particle = searched_[found.particle];
    touch.material = bodies_[body].material;
    touch.body = static_cast<std::uint16_t>(body);
  }
  take_springs();
}

// As the search has it, to the last bit: whether there is one depends on what else is near.
template <std::size_t D>
WallPush WallContacts<D>::push_of(const RestPush& rest, const Point<D>& centre,
                                  double radius) const {
  const auto normal = vector_of<D>(plane_normal_[rest.body]);
  const double height = dot(normal, difference(centre, vector_of<D>(plane_point_[rest.body])));
  WallPush push;
  push.normal = record_of<D>(height < 0 ? scaled(normal, -1) : normal, radius - std::abs(height));
  push.velocity = {};
  push.spring = rest.spring;
  push.force = record_of<3>(rest.force);
  push.particle = rest.particle;
  push.body = rest.body;
  push.material = material_[rest.body];
  push.taken = false;
  return push;
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
  const auto move = [&](auto& some, auto particle) {
    std::erase_if(some, [&](const auto& one) { return to[one.*particle] == ParticleStore::gone; });
    for (auto& one : some) one.*particle = to[one.*particle];
    std::ranges::stable_sort(some, {}, particle);
  };
  move(touches_, &WallPush::particle);
  move(resting_, &RestPush::particle);
}

template <std::size_t D>
std::vector<WallPush> WallContacts<D>::touches(const ParticleStore& particles) const {
  std::vector<WallPush> all;
  for (const RestPush& one : resting_) {
    const Record& at = particles.place[one.particle];
    all.push_back(push_of(one, vector_of<D>(at), at.w));
  }
  all.insert(all.end(), touches_.begin(), touches_.end());
  std::erase_if(all, [](const WallPush& one) { return one.normal.w < 0; });
  std::ranges::stable_sort(all, {}, &WallPush::particle);
  return all;
}

template <std::size_t D>
void WallContacts<D>::restore(std::vector<WallPush> touches) {
  resting_.clear();
  touches_ = std::move(touches);
}

template <std::size_t D>
RestRun WallContacts<D>::resting(std::size_t first, std::size_t last) {
  const auto begin = std::ranges::lower_bound(resting_, first, {}, &RestPush::particle);
  const auto end = std::ranges::lower_bound(resting_, last, {}, &RestPush::particle);
  return {resting_.data() + (begin - resting_.begin()), static_cast<std::size_t>(end - begin),
          plane_normal_.data(), plane_point_.data(), material_.data()};
}

template <std::size_t D>
WallRun WallContacts<D>::searched(std::size_t first, std::size_t last) {
  const auto begin = std::ranges::lower_bound(touches_, first, {}, &WallPush::particle);
  const auto end = std::ranges::lower_bound(touches_, last, {}, &WallPush::particle);
  return {touches_.data() + (begin - touches_.begin()), static_cast<std::size_t>(end - begin),
          spin_.data()};
}

template class WallContacts<2>;
template class WallContacts<3>;

}  // namespace abut
