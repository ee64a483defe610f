#include <abut/error.hpp>
#include <abut/simulation.hpp>
#include <algorithm>
#include <utility>

#include "core/message.hpp"
#include "core/vec.hpp"
#include "dem/simulation_state.hpp"

namespace abut {
namespace {

template <std::size_t D>
Point<D> point_of(const Vec4& record) {
  if constexpr (D == 2)
    return {record.x, record.y};
  else
    return {record.x, record.y, record.z};
}

}  // namespace

template <std::size_t D>
Simulation<D>::Simulation(Model<D> model) : state_(std::make_unique<State>(std::move(model))) {}
template <std::size_t D>
Simulation<D>::~Simulation() = default;
template <std::size_t D>
Simulation<D>::Simulation(Simulation&&) noexcept = default;
template <std::size_t D>
Simulation<D>& Simulation<D>::operator=(Simulation&&) noexcept = default;

template <std::size_t D>
void Simulation<D>::add(const NewParticles<D>& particles) {
  state_->add(particles);
}

template <std::size_t D>
std::size_t Simulation<D>::add(Wall<D> wall) {
  if (wall.material >= state_->model.materials.size())
    throw Error(message("wall ", wall.name, ": material ", wall.material, ", of ",
                        state_->model.materials.size()));
  state_->track_input([&] {
    state_->wall_contacts.add({std::move(wall.name), std::move(wall.shape),
                               static_cast<std::uint8_t>(wall.material), wall.motion, false});
  });
  state_->neighbor_list_valid = false;
  return state_->wall_contacts.wall_states().size() - 1;
}

template <std::size_t D>
std::size_t Simulation<D>::add(Sink<D> sink) {
  state_->sinks.push_back(std::move(sink));
  return state_->sinks.size() - 1;
}

template <std::size_t D>
void Simulation<D>::set_open(std::size_t wall, bool open) {
  state_->set_open(wall, open);
}

template <std::size_t D>
bool Simulation<D>::is_open(std::size_t wall) const {
  return state_->wall_contacts.wall_states()[wall].is_open;
}

template <std::size_t D>
void Simulation<D>::advance(std::size_t steps) {
  state_->advance(steps);
}

template <std::size_t D>
std::uint64_t Simulation<D>::step() const {
  return state_->step;
}

template <std::size_t D>
double Simulation<D>::time() const {
  return static_cast<double>(state_->step) * state_->time_step;
}

template <std::size_t D>
double Simulation<D>::time_step() const {
  state_->choose_time_step();
  return state_->time_step;
}

template <std::size_t D>
double Simulation<D>::critical_time_step() const {
  state_->choose_time_step();
  return state_->critical_time_step;
}

template <std::size_t D>
std::size_t Simulation<D>::particle_count() const {
  return state_->particles.size();
}

template <std::size_t D>
ParticleState<D> Simulation<D>::particle(std::size_t i) const {
  const ParticleStore& all = state_->particles;
  return {all.id[i],
          all.material[i],
          i < all.fixed_count,
          all.position[i].w,
          state_->mass_of(all.position[i].w, all.material[i]),
          point_of<D>(all.position[i]),
          point_of<D>(all.velocity[i]),
          point_of<3>(all.angular_velocity[i])};
}

template <std::size_t D>
Energy Simulation<D>::energy() const {
  return state_->energy();
}

template <std::size_t D>
ParticleCounts Simulation<D>::particle_counts() const {
  const std::size_t fixed = state_->particles.fixed_count;
  return {state_->next_id - fixed, state_->removed, state_->particles.size() - fixed,
          state_->removed_mass};
}

template <std::size_t D>
std::span<const Sink<D>> Simulation<D>::sinks() const {
  return state_->sinks;
}

template <std::size_t D>
std::vector<ContactState<D>> Simulation<D>::contacts() const {
  if (!state_->has_neighbor_list) state_->rebuild_for_query();
  std::vector<ContactState<D>> all;
  for (std::size_t k = 0; k < state_->neighbor_list.pairs().size(); ++k) {
    const ContactState<D> contact = state_->contact(k);
    if (contact.overlap > 0) all.push_back(contact);
  }
  for (const WallContactState& touch : state_->wall_contacts.overlapping(state_->particles)) {
    const Vec4& at = state_->particles.position[touch.particle];
    const Point<D> normal = point_of<D>(touch.normal);
    const double overlap = touch.normal.w;
    if (overlap > 0)
      all.push_back({state_->particles.id[touch.particle], touch.wall, true, overlap,
                     add_scaled(point_of<D>(at), overlap - at.w, normal), normal,
                     point_of<D>(touch.force)});
  }
  return all;
}

template <std::size_t D>
Point<D> Simulation<D>::wall_force(std::size_t wall) const {
  Point<D> sum{};
  for (const WallContactState& touch : state_->wall_contacts.overlapping(state_->particles)) {
    if (touch.wall != wall) continue;
    const Point<D> force = point_of<D>(touch.force);
    for (std::size_t k = 0; k < D; ++k) sum[k] -= force[k];
  }
  return sum;
}

template <std::size_t D>
double Simulation<D>::coordination_number() const {
  const ParticleStore& all = state_->particles;
  std::size_t ends = 0;
  for (const ContactState<D>& contact : contacts()) ends += contact.is_wall ? 1 : 2;
  const std::size_t moving = all.size() - all.fixed_count;
  return moving == 0 ? 0 : static_cast<double>(ends) / static_cast<double>(moving);
}

template <std::size_t D>
StepTimings Simulation<D>::timings() const {
  return state_->timings;
}

template <std::size_t D>
const Walls<D>& Simulation<D>::walls() const {
  return state_->wall_contacts.geometry();
}

template <std::size_t D>
void Simulation<D>::verify_neighbors(std::size_t one_in) const {
  state_->verify_neighbors(std::max<std::size_t>(1, one_in));
}

template class Simulation<2>;
template class Simulation<3>;

}  // namespace abut
