#include "dem/wall_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "core/arrays.hpp"
#include "core/vec.hpp"
#include "walls/wall_motion.hpp"

namespace abut {
namespace {

double max_distance(const Point<3>& centre, const Frustum& shell) {
  return std::max(length(difference(shell.from, centre)) + shell.from_radius,
                  length(difference(shell.to, centre)) + shell.to_radius);
}

double max_distance(const Point<3>& centre, const Annulus& ring) {
  return length(difference(ring.center, centre)) + ring.outer_radius;
}

template <std::size_t D>
double max_distance(const Point<D>& centre, const Mesh<D>& mesh) {
  double far = 0;
  for (const Point<D>& corner : mesh.vertices)
    far = std::max(far, length(difference(corner, centre)));
  return far;
}

// A plane has no end; where it turns, only points near particles matter, and those are looked for
// in every step.
template <std::size_t D>
double max_distance(const Point<D>&, const Plane<D>&) {
  return 1e300;
}

template <std::size_t D>
Spheres<D> subrange(const Spheres<D>& all, std::size_t first, std::size_t count) {
  std::array<std::span<const double>, D> axes;
  for (std::size_t k = 0; k < D; ++k) axes[k] = all.coordinates(k).subspan(first, count);
  return {axes, all.radii().subspan(first, count)};
}

template <std::size_t D>
Point<D> center_of(const Spheres<D>& all, std::size_t particle) {
  Point<D> place;
  for (std::size_t k = 0; k < D; ++k) place[k] = all.coordinates(k)[particle];
  return place;
}

}  // namespace

template <std::size_t D>
void WallContacts<D>::add(WallState<D> body) {
  wall_states_.push_back(std::move(body));
  rebuild_geometry();
}

template <std::size_t D>
void WallContacts<D>::set_open(std::size_t body, bool open) {
  wall_states_[body].is_open = open;
  rebuild_geometry();
}

// Pieces are numbered as they are added, so the numbers of others change; springs are found again
// by body and direction.
template <std::size_t D>
void WallContacts<D>::rebuild_geometry() {
  geometry_ = {};
  closed_walls_.clear();
  first_element_.clear();
  plane_normal_.assign(wall_states_.size(), {});
  plane_point_.assign(wall_states_.size(), {});
  angular_velocity_.assign(wall_states_.size(), {});
  material_.clear();
  for (const WallState<D>& body : wall_states_) material_.push_back(body.material);
  for (std::size_t body = 0; body < wall_states_.size(); ++body) {
    if (wall_states_[body].is_open) continue;
    first_element_.push_back(static_cast<Index>(geometry_.element_count()));
    closed_walls_.push_back(body);
    std::visit([&](const auto& shape) { geometry_.add(shape); }, wall_states_[body].shape);
    if (const auto* plane = std::get_if<Plane<D>>(&wall_states_[body].shape)) {
      plane_normal_[body] = to_vec4<D>(normalized(plane->normal));
      plane_point_[body] = to_vec4<D>(plane->point);
    }
  }
  move_to(time_);
}

template <std::size_t D>
void WallContacts<D>::move_to(double time) {
  time_ = time;
  for (std::size_t k = 0; k < closed_walls_.size(); ++k) {
    const WallMotion<D>& motion = wall_states_[closed_walls_[k]].motion;
    if (!has_motion(motion)) continue;
    geometry_.set_transform(WallId(k), transform_at(motion, time));
    angular_velocity_[closed_walls_[k]] =
        is_moving(motion, time) ? to_vec4<3>(angular_velocity_of(motion)) : Vec4{};
  }
}

template <std::size_t D>
double WallContacts<D>::max_speed(double time) const {
  double fastest = 0;
  for (const std::size_t body : closed_walls_) {
    const WallMotion<D>& motion = wall_states_[body].motion;
    if (!has_motion(motion) || !is_moving(motion, time)) continue;
    const double arm =
        motion.angular_velocity == 0
            ? 0
            : std::visit([&](const auto& s) { return max_distance(motion.center, s); },
                         wall_states_[body].shape);
    fastest = std::max(fastest, length(motion.velocity) + std::abs(motion.angular_velocity) * arm);
  }
  return fastest;
}

/// A plane that never moves.
template <std::size_t D>
bool WallContacts<D>::is_static_plane(std::size_t body) const {
  return std::holds_alternative<Plane<D>>(wall_states_[body].shape) &&
         !has_motion(wall_states_[body].motion);
}

// Planes at right angles, or that face each other, each push as if alone.
template <std::size_t D>
bool WallContacts<D>::are_static_planes(std::span<const WallContact<D>> near) const {
  return std::ranges::all_of(near, [&](const WallContact<D>& one) {
    return is_static_plane(wall_of(one.element)) &&
           std::ranges::all_of(near, [&](const WallContact<D>& other) {
             return &one == &other || dot(one.normal, other.normal) <= 0;
           });
  });
}

template <std::size_t D>
void WallContacts<D>::update_candidates(const Spheres<D>& all, std::size_t fixed,
                                        const WallOptions<D>& options) {
  std::swap(static_contacts_, previous_static_contacts_);
  static_contacts_.clear();
  reserve_with_slack(static_contacts_, previous_static_contacts_.size());
  list_candidates(all, fixed, options);
  transfer_history(all);
}

template <std::size_t D>
void WallContacts<D>::list_candidates(const Spheres<D>& all, std::size_t fixed,
                                      const WallOptions<D>& options) {
  searched_particles_.clear();
  const bool periodic =
      std::any_of(options.periodic.begin(), options.periodic.end(), [](bool axis) { return axis; });
  if (!periodic &&
      std::ranges::all_of(closed_walls_, [&](std::size_t body) { return is_static_plane(body); }))
    return list_plane_candidates(all, fixed, options.margin);
  // Some at a time, so that what the search notes down of each takes little memory.
  const std::size_t many = options.threads == 1 ? 1U << 12U : 1U << 14U;
  for (std::size_t first = fixed; first < all.size() && !closed_walls_.empty(); first += many) {
    geometry_.contacts(subrange(all, first, std::min(many, all.size() - first)), options, found_);
    reserve_with_slack(static_contacts_, static_contacts_.size() + found_.size());
    for (std::size_t k = 0, next = 0; k < found_.size(); k = next) {
      while (next < found_.size() && found_[next].particle == found_[k].particle) ++next;
      const auto particle = static_cast<Index>(first + found_[k].particle);
      const std::span<const WallContact<D>> near(found_.data() + k, next - k);
      if (periodic)
        searched_particles_.push_back(particle);
      else
        add_candidate(particle, near);
    }
  }
  resize_search_arrays();
}

// Where there is nothing but planes that never move, it takes no search to see who is near one.
template <std::size_t D>
void WallContacts<D>::list_plane_candidates(const Spheres<D>& all, std::size_t fixed,
                                            double margin) {
  constexpr double rounding = 1e-9;
  std::vector<WallContact<D>> near;
  for (std::size_t i = fixed; i < all.size(); ++i) {
    near.clear();
    const Point<D> centre = center_of(all, i);
    const double reach = all.radii()[i] * (1 + rounding) + margin;
    for (std::size_t k = 0; k < closed_walls_.size(); ++k) {
      const auto normal = to_point<D>(plane_normal_[closed_walls_[k]]);
      const double height =
          dot(normal, difference(centre, to_point<D>(plane_point_[closed_walls_[k]])));
      if (std::abs(height) > reach) continue;
      WallContact<D>& contact = near.emplace_back();
      contact.element = WallElementId(first_element_[k]);
      contact.normal = height < 0 ? scaled(normal, -1) : normal;
    }
    if (!near.empty()) add_candidate(static_cast<Index>(i), near);
  }
  resize_search_arrays();
}

template <std::size_t D>
void WallContacts<D>::add_candidate(Index particle, std::span<const WallContact<D>> near) {
  if (use_static_planes_ && are_static_planes(near))
    for (const WallContact<D>& contact : near)
      static_contacts_.push_back(
          {{}, {}, particle, static_cast<std::uint16_t>(wall_of(contact.element))});
  else
    searched_particles_.push_back(particle);
}

template <std::size_t D>
void WallContacts<D>::resize_search_arrays() {
  for (auto& axis : coordinates_) axis.resize(searched_particles_.size());
  radii_.resize(searched_particles_.size());
}

// Springs and forces go to those that rest now; what rested before and does not any more is among
// the touches until the next step takes its spring.
template <std::size_t D>
void WallContacts<D>::transfer_history(const Spheres<D>& all) {
  const std::span<const StaticPlaneContact> before = previous_static_contacts_;
  std::size_t old = 0;
  std::size_t touch = 0;
  for (StaticPlaneContact& now : static_contacts_) {
    while (old < before.size() && before[old].particle < now.particle) ++old;
    while (touch < contacts_.size() && contacts_[touch].particle < now.particle) ++touch;
    for (std::size_t k = old; k < before.size() && before[k].particle == now.particle; ++k)
      if (before[k].wall == now.wall) now = before[k];
    for (std::size_t k = touch; k < contacts_.size() && contacts_[k].particle == now.particle; ++k)
      if (contacts_[k].wall == now.wall) {
        now.spring = contacts_[k].spring;
        now.force = to_point<3>(contacts_[k].force);
      }
  }
  const auto rests = [&](const auto& one) {
    const auto at =
        std::ranges::lower_bound(static_contacts_, one.particle, {}, &StaticPlaneContact::particle);
    return at != static_contacts_.end() && at->particle == one.particle;
  };
  std::erase_if(contacts_, rests);
  for (const StaticPlaneContact& one : before)
    if (!rests(one))
      contacts_.push_back(
          contact_state(one, center_of(all, one.particle), all.radii()[one.particle]));
  std::ranges::stable_sort(contacts_, {}, &WallContactState::particle);
}

template <std::size_t D>
void WallContacts<D>::update_contacts(const ParticleStore& particles,
                                      const WallOptions<D>& options) {
  std::swap(contacts_, previous_contacts_);
  contacts_.clear();
  search_contacts(particles, options);
  for (const WallContact<D>& found : found_) {
    const std::size_t body = wall_of(found.element);
    WallContactState& touch = contacts_.emplace_back();
    touch.normal = to_vec4<D>(found.normal, -found.gap);
    touch.velocity = to_vec4<D>(velocity_at(wall_states_[body].motion, time_, found.point));
    touch.particle = searched_particles_[found.particle];
    touch.material = wall_states_[body].material;
    touch.wall = static_cast<std::uint16_t>(body);
  }
  match_history();
}

// As the search has it, to the last bit: whether there is one depends on what else is near.
template <std::size_t D>
WallContactState WallContacts<D>::contact_state(const StaticPlaneContact& rest,
                                                const Point<D>& centre, double radius) const {
  const auto normal = to_point<D>(plane_normal_[rest.wall]);
  const double height = dot(normal, difference(centre, to_point<D>(plane_point_[rest.wall])));
  WallContactState push;
  push.normal = to_vec4<D>(height < 0 ? scaled(normal, -1) : normal, radius - std::abs(height));
  push.velocity = {};
  push.spring = rest.spring;
  push.force = to_vec4<3>(rest.force);
  push.particle = rest.particle;
  push.wall = rest.wall;
  push.material = material_[rest.wall];
  push.history_taken = false;
  return push;
}

template <std::size_t D>
void WallContacts<D>::search_contacts(const ParticleStore& particles,
                                      const WallOptions<D>& options) {
  found_.clear();
  if (searched_particles_.empty()) return;
  std::array<std::span<const double>, D> views;
  for (std::size_t k = 0; k < D; ++k) {
    for (std::size_t j = 0; j < searched_particles_.size(); ++j)
      coordinates_[k][j] = particles.position[searched_particles_[j]].*vec4_axes[k];
    views[k] = coordinates_[k];
  }
  for (std::size_t j = 0; j < searched_particles_.size(); ++j)
    radii_[j] = particles.position[searched_particles_[j]].w;
  geometry_.contacts(Spheres<D>(views, radii_), options, found_);
}

template <std::size_t D>
std::size_t WallContacts<D>::wall_of(WallElementId element) const {
  const auto after =
      std::upper_bound(first_element_.begin(), first_element_.end(), element.value());
  return closed_walls_[static_cast<std::size_t>(after - first_element_.begin()) - 1];
}

/// A particle that rolls over the pieces of a body takes its spring along: it belongs to the touch
/// of the same body that pushes most nearly the same way.
template <std::size_t D>
void WallContacts<D>::match_history() {
  std::size_t first = 0;
  for (WallContactState& now : contacts_) {
    while (first < previous_contacts_.size() && previous_contacts_[first].particle < now.particle)
      ++first;
    double best = 0.5;  // not more than 60° away
    WallContactState* from = nullptr;
    for (std::size_t k = first;
         k < previous_contacts_.size() && previous_contacts_[k].particle == now.particle; ++k) {
      WallContactState& old = previous_contacts_[k];
      const double alike =
          now.normal.x * old.normal.x + now.normal.y * old.normal.y + now.normal.z * old.normal.z;
      if (old.wall != now.wall || old.history_taken || alike <= best) continue;
      best = alike;
      from = &old;
    }
    if (from == nullptr) continue;
    now.spring = from->spring;
    from->history_taken = true;
  }
}

template <std::size_t D>
void WallContacts<D>::renumber(std::span<const std::uint32_t> to) {
  const auto move = [&](auto& some, auto particle) {
    std::erase_if(some,
                  [&](const auto& one) { return to[one.*particle] == ParticleStore::removed; });
    for (auto& one : some) one.*particle = to[one.*particle];
    std::ranges::stable_sort(some, {}, particle);
  };
  move(contacts_, &WallContactState::particle);
  move(static_contacts_, &StaticPlaneContact::particle);
}

template <std::size_t D>
std::vector<WallContactState> WallContacts<D>::overlapping(const ParticleStore& particles) const {
  std::vector<WallContactState> all;
  for (const StaticPlaneContact& one : static_contacts_) {
    const Vec4& at = particles.position[one.particle];
    all.push_back(contact_state(one, to_point<D>(at), at.w));
  }
  all.insert(all.end(), contacts_.begin(), contacts_.end());
  std::erase_if(all, [](const WallContactState& one) { return one.normal.w < 0; });
  std::ranges::stable_sort(all, {}, &WallContactState::particle);
  return all;
}

template <std::size_t D>
void WallContacts<D>::restore(std::vector<WallContactState> touches) {
  static_contacts_.clear();
  contacts_ = std::move(touches);
}

template <std::size_t D>
StaticPlaneChunk WallContacts<D>::static_plane_chunk(std::size_t first, std::size_t last) {
  const auto begin =
      std::ranges::lower_bound(static_contacts_, first, {}, &StaticPlaneContact::particle);
  const auto end =
      std::ranges::lower_bound(static_contacts_, last, {}, &StaticPlaneContact::particle);
  return {static_contacts_.data() + (begin - static_contacts_.begin()),
          static_cast<std::size_t>(end - begin), plane_normal_.data(), plane_point_.data(),
          material_.data()};
}

template <std::size_t D>
WallContactChunk WallContacts<D>::searched_chunk(std::size_t first, std::size_t last) {
  const auto begin = std::ranges::lower_bound(contacts_, first, {}, &WallContactState::particle);
  const auto end = std::ranges::lower_bound(contacts_, last, {}, &WallContactState::particle);
  return {contacts_.data() + (begin - contacts_.begin()), static_cast<std::size_t>(end - begin),
          angular_velocity_.data()};
}

template class WallContacts<2>;
template class WallContacts<3>;

}  // namespace abut
