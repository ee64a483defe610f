#include "dem/wall_forces.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <variant>

#include "core/buffers.hpp"
#include "core/vec.hpp"
#include "walls/wall_motion.hpp"

namespace abut {
namespace {

double max_distance(const Point<3>& center, const Frustum& shell) {
  return std::max(length(difference(shell.from, center)) + shell.from_radius,
                  length(difference(shell.to, center)) + shell.to_radius);
}

double max_distance(const Point<3>& center, const Annulus& annulus) {
  return length(difference(annulus.center, center)) + annulus.outer_radius;
}

template <std::size_t D>
double max_distance(const Point<D>& center, const Mesh<D>& mesh) {
  double result = 0;
  for (const Point<D>& vertex : mesh.vertices)
    result = std::max(result, length(difference(vertex, center)));
  return result;
}

// A plane is unbounded, so a rotating plane forces a search for candidates in every step.
template <std::size_t D>
double max_distance(const Point<D>&, const Plane<D>&) {
  return 1e300;
}

template <std::size_t D>
Spheres<D> subrange(const Spheres<D>& spheres, std::size_t first, std::size_t count) {
  std::array<std::span<const double>, D> coordinates;
  for (std::size_t k = 0; k < D; ++k) coordinates[k] = spheres.coordinates(k).subspan(first, count);
  return {coordinates, spheres.radii().subspan(first, count)};
}

template <std::size_t D>
Point<D> center_of(const Spheres<D>& spheres, std::size_t particle) {
  Point<D> center;
  for (std::size_t k = 0; k < D; ++k) center[k] = spheres.coordinates(k)[particle];
  return center;
}

// Lowers the squared distances (m²) of the centers to a nearest plane if this plane is nearer.
template <std::size_t D>
void include_plane(const Spheres<D>& spheres, const Point<D>& normal, const Point<D>& point,
                   std::span<double> distance_squared) {
  std::array<const double*, D> coordinates;
  for (std::size_t k = 0; k < D; ++k) coordinates[k] = spheres.coordinates(k).data();
  double* const nearest = distance_squared.data();
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    double distance = 0;
    for (std::size_t k = 0; k < D; ++k) distance += normal[k] * (coordinates[k][i] - point[k]);
    const double square = distance * distance;
    nearest[i] = square < nearest[i] ? square : nearest[i];
  }
}

}  // namespace

template <std::size_t D>
void WallForces<D>::add(WallState<D> wall) {
  wall_states_.push_back(std::move(wall));
  rebuild_geometry();
}

template <std::size_t D>
void WallForces<D>::set_open(std::size_t wall, bool open) {
  wall_states_[wall].is_open = open;
  rebuild_geometry();
}

// Elements are numbered in the order of addition, so opening a wall renumbers those of later walls.
// Springs are not affected: they are matched by wall and normal, see `match_history`.
template <std::size_t D>
void WallForces<D>::rebuild_geometry() {
  has_candidates_ = false;
  candidates_valid_ = false;
  geometry_ = {};
  closed_walls_.clear();
  first_element_.clear();
  plane_normal_.assign(wall_states_.size(), {});
  plane_point_.assign(wall_states_.size(), {});
  angular_velocity_.assign(wall_states_.size(), {});
  material_.clear();
  for (const WallState<D>& wall : wall_states_) material_.push_back(wall.material);
  for (std::size_t wall = 0; wall < wall_states_.size(); ++wall) {
    if (wall_states_[wall].is_open) continue;
    first_element_.push_back(static_cast<Index>(geometry_.element_count()));
    closed_walls_.push_back(wall);
    std::visit([&](const auto& shape) { geometry_.add(shape); }, wall_states_[wall].shape);
    if (const auto* plane = std::get_if<Plane<D>>(&wall_states_[wall].shape)) {
      plane_normal_[wall] = to_vec4<D>(normalized(plane->normal));
      plane_point_[wall] = to_vec4<D>(plane->point);
    }
  }
  move_to(time_);
}

template <std::size_t D>
void WallForces<D>::move_to(double time) {
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
double WallForces<D>::max_speed(double from, double to) const {
  double max_speed = 0;
  for (const std::size_t wall : closed_walls_) {
    const WallMotion<D>& motion = wall_states_[wall].motion;
    if (!has_motion(motion) || to <= motion.start_time || from >= motion.end_time) continue;
    const double arm =
        motion.angular_velocity == 0
            ? 0
            : std::visit([&](const auto& s) { return max_distance(motion.center, s); },
                         wall_states_[wall].shape);
    max_speed =
        std::max(max_speed, length(motion.velocity) + std::abs(motion.angular_velocity) * arm);
  }
  return max_speed;
}

template <std::size_t D>
bool WallForces<D>::is_static_plane(std::size_t wall) const {
  return std::holds_alternative<Plane<D>>(wall_states_[wall].shape) &&
         !has_motion(wall_states_[wall].motion);
}

// Whether all elements near a particle are static planes whose contacts are independent of each
// other: perpendicular or facing each other.
template <std::size_t D>
bool WallForces<D>::are_static_planes(std::span<const WallContact<D>> near) const {
  return std::ranges::all_of(near, [&](const WallContact<D>& contact) {
    return is_static_plane(wall_of(contact.element)) &&
           std::ranges::all_of(near, [&](const WallContact<D>& other) {
             return &contact == &other || dot(contact.normal, other.normal) <= 0;
           });
  });
}

template <std::size_t D>
WallOptions<D> WallForces<D>::wall_options(double margin) const {
  WallOptions<D> options;
  options.margin = margin;
  options.domain = options_.domain;
  options.periodic = options_.periodic;
  options.threads = options_.threads;
  return options;
}

template <std::size_t D>
void WallForces<D>::update_candidates(const Spheres<D>& spheres, std::size_t fixed_count,
                                      double skin, double time, ScratchArena& arena) {
  move_to(time);
  const ScratchArena::Mark mark = arena.mark();
  const std::span previous = arena.allocate<StaticPlaneContact>(static_contacts_.size());
  std::ranges::copy(static_contacts_, previous.begin());
  static_contacts_.clear();
  reserve_with_slack(static_contacts_, previous.size());
  list_candidates(spheres, fixed_count, wall_options(model_->range() + skin));
  if (static_contacts_.capacity() > static_contacts_.size() * 5 / 4)
    static_contacts_.shrink_to_fit();  // adding one by one doubles the capacity
  transfer_history(previous, spheres);
  arena.release(mark);
  has_candidates_ = true;
  candidates_valid_ = true;
  skin_ = skin;
  travel_ = 0;
}

template <std::size_t D>
void WallForces<D>::check_motion(double particle_travel, double from, double to) {
  constexpr double rounding_slack = 1e-9;
  travel_ += (1 + rounding_slack) * (to - from) * max_speed(from, to);
  if (particle_travel + travel_ > skin_) candidates_valid_ = false;
}

template <std::size_t D>
void WallForces<D>::list_candidates(const Spheres<D>& spheres, std::size_t fixed_count,
                                    const WallOptions<D>& options) {
  searched_particles_.clear();
  const bool periodic =
      std::any_of(options.periodic.begin(), options.periodic.end(), [](bool axis) { return axis; });
  if (!periodic &&
      std::ranges::all_of(closed_walls_, [&](std::size_t wall) { return is_static_plane(wall); }))
    return list_plane_candidates(spheres, fixed_count, options.margin);
  // In chunks, to limit the memory of the search.
  const std::size_t chunk_size = options.threads == 1 ? 1U << 12U : 1U << 14U;
  for (std::size_t first = fixed_count; first < spheres.size() && !closed_walls_.empty();
       first += chunk_size) {
    geometry_.contacts(subrange(spheres, first, std::min(chunk_size, spheres.size() - first)),
                       options, found_);
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
}

// Candidates if all walls are static planes: distances to them need no wall search. Most particles
// are far from all planes, which a loop per plane over a block of particles finds out first.
template <std::size_t D>
void WallForces<D>::list_plane_candidates(const Spheres<D>& spheres, std::size_t fixed_count,
                                          double margin) {
  constexpr double rounding_slack = 1e-9;
  constexpr std::size_t block_size = 256;
  std::array<double, block_size> distance_squared;  // to the nearest plane
  std::vector<WallContact<D>> near;
  for (std::size_t first = fixed_count; first < spheres.size(); first += block_size) {
    const std::size_t count = std::min(block_size, spheres.size() - first);
    distance_squared.fill(std::numeric_limits<double>::infinity());
    for (const std::size_t wall : closed_walls_)
      include_plane(subrange(spheres, first, count), to_point<D>(plane_normal_[wall]),
                    to_point<D>(plane_point_[wall]), distance_squared);
    for (std::size_t i = first; i < first + count; ++i) {
      const double cutoff = spheres.radii()[i] * (1 + rounding_slack) + margin;
      if (distance_squared[i - first] > cutoff * cutoff * (1 + rounding_slack)) continue;
      near.clear();
      find_near_planes(center_of(spheres, i), cutoff, near);
      if (!near.empty()) add_candidate(static_cast<Index>(i), near);
    }
  }
}

template <std::size_t D>
void WallForces<D>::find_near_planes(const Point<D>& center, double cutoff,
                                     std::vector<WallContact<D>>& near) const {
  for (std::size_t k = 0; k < closed_walls_.size(); ++k) {
    const auto normal = to_point<D>(plane_normal_[closed_walls_[k]]);
    const double signed_distance =
        dot(normal, difference(center, to_point<D>(plane_point_[closed_walls_[k]])));
    if (std::abs(signed_distance) > cutoff) continue;
    WallContact<D>& contact = near.emplace_back();
    contact.element = WallElementId(first_element_[k]);
    contact.normal = signed_distance < 0 ? scaled(normal, -1) : normal;
  }
}

template <std::size_t D>
void WallForces<D>::add_candidate(Index particle, std::span<const WallContact<D>> near) {
  if (options_.use_static_planes && are_static_planes(near))
    for (const WallContact<D>& contact : near)
      static_contacts_.push_back(
          {{}, {}, particle, static_cast<std::uint16_t>(wall_of(contact.element))});
  else
    searched_particles_.push_back(particle);
}

// Moves springs and forces to the new static-plane contacts. Previous ones that are no longer
// static-plane contacts are moved to `contacts_`, from which the next step takes their springs.
template <std::size_t D>
void WallForces<D>::transfer_history(std::span<const StaticPlaneContact> previous,
                                     const Spheres<D>& spheres) {
  std::size_t first_previous = 0;
  std::size_t first_contact = 0;
  for (StaticPlaneContact& now : static_contacts_) {
    while (first_previous < previous.size() && previous[first_previous].particle < now.particle)
      ++first_previous;
    while (first_contact < contacts_.size() && contacts_[first_contact].particle < now.particle)
      ++first_contact;
    for (std::size_t k = first_previous;
         k < previous.size() && previous[k].particle == now.particle; ++k)
      if (previous[k].wall == now.wall) now = previous[k];
    for (std::size_t k = first_contact;
         k < contacts_.size() && contacts_[k].particle == now.particle; ++k)
      if (contacts_[k].wall == now.wall) {
        now.spring = contacts_[k].spring;
        now.force = to_point<3>(contacts_[k].force);
      }
  }
  const auto has_static_contact = [&](const auto& contact) {
    const auto at = std::ranges::lower_bound(static_contacts_, contact.particle, {},
                                             &StaticPlaneContact::particle);
    return at != static_contacts_.end() && at->particle == contact.particle;
  };
  std::erase_if(contacts_, has_static_contact);
  for (const StaticPlaneContact& contact : previous)
    if (!has_static_contact(contact))
      contacts_.push_back(contact_state(contact, center_of(spheres, contact.particle),
                                        spheres.radii()[contact.particle]));
  std::ranges::stable_sort(contacts_, {}, &WallContactState::particle);
}

template <std::size_t D>
void WallForces<D>::update_contacts(const Particles& particles, double time) {
  move_to(time);
  std::swap(contacts_, previous_contacts_);
  contacts_.clear();
  search_contacts(particles);
  for (const WallContact<D>& found : found_)
    contacts_.push_back(contact_state(found, searched_particles_[found.particle]));
  match_history();
}

template <std::size_t D>
WallContactState WallForces<D>::contact_state(const WallContact<D>& found, Index particle) const {
  const std::size_t wall = wall_of(found.element);
  WallContactState contact{};
  contact.normal = to_vec4<D>(found.normal, -found.gap);
  contact.velocity = to_vec4<D>(velocity_at(wall_states_[wall].motion, time_, found.point));
  contact.particle = particle;
  contact.material = wall_states_[wall].material;
  contact.wall = static_cast<std::uint16_t>(wall);
  return contact;
}

// The result must be bitwise identical to that of the wall search: which of the two is used depends
// on other walls near the particle.
template <std::size_t D>
WallContactState WallForces<D>::contact_state(const StaticPlaneContact& contact,
                                              const Point<D>& center, double radius) const {
  const auto normal = to_point<D>(plane_normal_[contact.wall]);
  const double signed_distance =
      dot(normal, difference(center, to_point<D>(plane_point_[contact.wall])));
  WallContactState state;
  state.normal = to_vec4<D>(signed_distance < 0 ? scaled(normal, -1) : normal,
                            radius - std::abs(signed_distance));
  state.velocity = {};
  state.spring = contact.spring;
  state.force = to_vec4<3>(contact.force);
  state.particle = contact.particle;
  state.wall = contact.wall;
  state.material = material_[contact.wall];
  state.history_taken = false;
  return state;
}

template <std::size_t D>
void WallForces<D>::search_contacts(const Particles& particles) {
  found_.clear();
  if (searched_particles_.empty()) return;
  searched_spheres_.resize(searched_particles_.size());
  for (std::size_t j = 0; j < searched_particles_.size(); ++j) {
    const Vec4& center = particles.position()[searched_particles_[j]];
    for (std::size_t k = 0; k < D; ++k) searched_spheres_.coordinates[k][j] = center.*vec4_axes[k];
    searched_spheres_.radii[j] = center.w;
  }
  geometry_.contacts(searched_spheres_.view(), wall_options(model_->range()), found_);
}

template <std::size_t D>
std::size_t WallForces<D>::wall_of(WallElementId element) const {
  const auto next = std::upper_bound(first_element_.begin(), first_element_.end(), element.value());
  return closed_walls_[static_cast<std::size_t>(next - first_element_.begin()) - 1];
}

/// A contact takes over the spring of the previous contact of the same particle and wall with the
/// most similar normal, e.g. when a particle rolls from one facet to the next.
template <std::size_t D>
void WallForces<D>::match_history() {
  std::size_t first = 0;
  for (WallContactState& now : contacts_) {
    while (first < previous_contacts_.size() && previous_contacts_[first].particle < now.particle)
      ++first;
    double best_cosine = 0.5;  // at most 60° between the normals
    WallContactState* best = nullptr;
    for (std::size_t k = first;
         k < previous_contacts_.size() && previous_contacts_[k].particle == now.particle; ++k) {
      WallContactState& old = previous_contacts_[k];
      const double cosine =
          now.normal.x * old.normal.x + now.normal.y * old.normal.y + now.normal.z * old.normal.z;
      if (old.wall != now.wall || old.history_taken || cosine <= best_cosine) continue;
      best_cosine = cosine;
      best = &old;
    }
    if (best == nullptr) continue;
    now.spring = best->spring;
    best->history_taken = true;
  }
}

template <std::size_t D>
bool WallForces<D>::is_candidate(Index particle, std::size_t wall) const {
  if (std::ranges::binary_search(searched_particles_, particle)) return true;
  auto plane =
      std::ranges::lower_bound(static_contacts_, particle, {}, &StaticPlaneContact::particle);
  while (plane != static_contacts_.end() && plane->particle == particle && plane->wall != wall)
    ++plane;
  return plane != static_contacts_.end() && plane->particle == particle;
}

template <std::size_t D>
void WallForces<D>::renumber(std::span<const std::uint32_t> new_index) {
  has_candidates_ = false;
  const auto renumber_all = [&](auto& contacts, auto particle) {
    std::erase_if(contacts, [&](const auto& contact) {
      return new_index[contact.*particle] == removed_particle;
    });
    for (auto& contact : contacts) contact.*particle = new_index[contact.*particle];
    std::ranges::stable_sort(contacts, {}, particle);
  };
  renumber_all(contacts_, &WallContactState::particle);
  renumber_all(static_contacts_, &StaticPlaneContact::particle);
}

template <std::size_t D>
std::vector<WallContactState> WallForces<D>::overlapping(const Particles& particles) const {
  std::vector<WallContactState> all;
  for (const StaticPlaneContact& contact : static_contacts_) {
    const Vec4& center = particles.position()[contact.particle];
    all.push_back(contact_state(contact, to_point<D>(center), center.w));
  }
  all.insert(all.end(), contacts_.begin(), contacts_.end());
  std::erase_if(all, [&](const WallContactState& contact) {
    return contact.normal.w < 0 || wall_states_[contact.wall].is_open;
  });
  std::ranges::stable_sort(all, {}, &WallContactState::particle);
  return all;
}

template <std::size_t D>
std::vector<WallContactState> WallForces<D>::search_overlapping(const Particles& particles,
                                                                const Spheres<D>& spheres) const {
  std::vector<WallContactState> all;
  for (const WallContact<D>& found : find_contacts(spheres, 0))
    if (found.particle >= particles.fixed_count())
      all.push_back(contact_state(found, found.particle));
  ScratchArena arena;
  ForceSums sums(model_->has_rotation());  // the forces are taken from the contacts
  sums.allocate(particles.size(), 0, arena);
  model_->kernels().walls(model_->parameters(0), kernel_arrays(particles, sums),
                          {all.data(), all.size(), angular_velocity_.data()});
  return all;
}

template <std::size_t D>
void WallForces<D>::restore(std::vector<WallContactState> contacts) {
  has_candidates_ = false;
  static_contacts_.clear();
  contacts_ = std::move(contacts);
}

template <std::size_t D>
StaticPlaneChunk WallForces<D>::static_plane_chunk(std::size_t first, std::size_t last) {
  const auto begin =
      std::ranges::lower_bound(static_contacts_, first, {}, &StaticPlaneContact::particle);
  const auto end =
      std::ranges::lower_bound(static_contacts_, last, {}, &StaticPlaneContact::particle);
  return {static_contacts_.data() + (begin - static_contacts_.begin()),
          static_cast<std::size_t>(end - begin), plane_normal_.data(), plane_point_.data(),
          material_.data()};
}

template <std::size_t D>
WallContactChunk WallForces<D>::searched_chunk(std::size_t first, std::size_t last) {
  const auto begin = std::ranges::lower_bound(contacts_, first, {}, &WallContactState::particle);
  const auto end = std::ranges::lower_bound(contacts_, last, {}, &WallContactState::particle);
  return {contacts_.data() + (begin - contacts_.begin()), static_cast<std::size_t>(end - begin),
          angular_velocity_.data()};
}

template <std::size_t D>
ContactEnergy WallForces<D>::add_forces(std::size_t first, std::size_t last,
                                        const Particles& particles, double spring_time_step,
                                        ForceSums& sums) {
  const ForceParameters parameters = model_->parameters(spring_time_step);
  const ParticleArrays arrays = kernel_arrays(particles, sums);
  ContactEnergy energy =
      model_->kernels().static_planes(parameters, arrays, static_plane_chunk(first, last));
  energy += model_->kernels().walls(parameters, arrays, searched_chunk(first, last));
  return energy;
}

template <std::size_t D>
void WallForces<D>::add_work(double time_step, double& work) const {
  for (const WallContactState& contact : contacts_)
    work +=
        time_step * (contact.force.x * contact.velocity.x + contact.force.y * contact.velocity.y +
                     contact.force.z * contact.velocity.z + contact.force.w);
}

template <std::size_t D>
std::vector<WallContact<D>> WallForces<D>::find_contacts(const Spheres<D>& spheres,
                                                         double margin) const {
  return geometry_.contacts(spheres, wall_options(margin));
}

template class WallForces<2>;
template class WallForces<3>;

}  // namespace abut
