#include <abut/error.hpp>
#include <abut/simulation.hpp>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/message.hpp"
#include "core/vec.hpp"
#include "dem/simulation_state.hpp"

namespace abut {
namespace {

void check_index(const char* kind, std::size_t index, std::size_t count) {
  if (index < count) return;
  throw Error(message(kind, " ", index, " does not exist; there are ", count),
              ErrorCode::out_of_range);
}

template <std::size_t D>
void check_finite(const char* key, const std::array<double, D>& vector) {
  for (const double component : vector)
    if (!std::isfinite(component))
      throw Error(ErrorCode::invalid_argument, {.key = key, .value = message(component)},
                  "must be finite");
}

double squared_length(const Vec4& v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

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
typename Simulation<D>::State& Simulation<D>::state() const {
  if (!state_) throw Error("this Simulation has been moved from", ErrorCode::moved_from);
  return *state_;
}

template <std::size_t D>
void Simulation<D>::add(const NewParticles<D>& particles) {
  state().add(particles);
}

template <std::size_t D>
WallId Simulation<D>::add(Wall<D> wall) {
  State& state = this->state();
  check_index("material", wall.material.value(), state.model.materials.size());
  state.track_input([&] {
    state.wall_contacts.add({std::move(wall.name), std::move(wall.shape),
                             static_cast<std::uint8_t>(wall.material.value()), wall.motion, false});
  });
  state.neighbor_list_valid = false;
  return WallId{state.wall_contacts.wall_states().size() - 1};
}

template <std::size_t D>
SinkId Simulation<D>::add(Sink<D> sink) {
  state().sinks.push_back(std::move(sink));
  return SinkId{state().sinks.size() - 1};
}

template <std::size_t D>
void Simulation<D>::set_open(WallId wall, bool open) {
  check_index("wall", wall.value(), state().wall_contacts.wall_states().size());
  state().set_open(wall.value(), open);
}

template <std::size_t D>
bool Simulation<D>::is_open(WallId wall) const {
  check_index("wall", wall.value(), state().wall_contacts.wall_states().size());
  return state().wall_contacts.wall_states()[wall.value()].is_open;
}

template <std::size_t D>
void Simulation<D>::advance(std::size_t steps) {
  state().advance(steps);
}

template <std::size_t D>
std::uint64_t Simulation<D>::step() const {
  return state().step;
}

template <std::size_t D>
double Simulation<D>::time() const {
  return static_cast<double>(state().step) * state().time_step;
}

template <std::size_t D>
double Simulation<D>::time_step() const {
  state().choose_time_step();
  return state().time_step;
}

template <std::size_t D>
double Simulation<D>::critical_time_step() const {
  state().choose_time_step();
  return state().critical_time_step;
}

template <std::size_t D>
std::size_t Simulation<D>::particle_count() const {
  return state().particles.size();
}

template <std::size_t D>
ParticleState<D> Simulation<D>::particle(ParticleIndex index) const {
  const ParticleStore& particles = state().particles;
  const std::size_t i = index.value();
  check_index("particle index", i, particles.size());
  return {ParticleId{particles.id[i]},
          MaterialId{particles.material[i]},
          i < particles.fixed_count,
          particles.position[i].w,
          state().mass_of(particles.position[i].w, particles.material[i]),
          to_point<D>(particles.position[i]),
          to_point<D>(particles.velocity[i]),
          to_point<3>(particles.angular_velocity[i])};
}

template <std::size_t D>
bool Simulation<D>::contains(ParticleId id) const {
  return state().find(id).has_value();
}

template <std::size_t D>
ParticleState<D> Simulation<D>::particle(ParticleId id) const {
  return particle(ParticleIndex{state().index_of(id)});
}

template <std::size_t D>
Point<D> Simulation<D>::position(ParticleId id) const {
  return to_point<D>(state().particles.position[state().index_of(id)]);
}

template <std::size_t D>
Point<D> Simulation<D>::velocity(ParticleId id) const {
  return to_point<D>(state().particles.velocity[state().index_of(id)]);
}

template <std::size_t D>
Point<3> Simulation<D>::angular_velocity(ParticleId id) const {
  return to_point<3>(state().particles.angular_velocity[state().index_of(id)]);
}

template <std::size_t D>
std::vector<ParticleId> Simulation<D>::ids() const {
  return state().by_id([&](std::size_t i) { return ParticleId{state().particles.id[i]}; });
}

template <std::size_t D>
std::vector<Point<D>> Simulation<D>::positions() const {
  return state().by_id([&](std::size_t i) { return to_point<D>(state().particles.position[i]); });
}

template <std::size_t D>
std::vector<Point<D>> Simulation<D>::velocities() const {
  return state().by_id([&](std::size_t i) { return to_point<D>(state().particles.velocity[i]); });
}

template <std::size_t D>
std::vector<Point<3>> Simulation<D>::angular_velocities() const {
  return state().by_id(
      [&](std::size_t i) { return to_point<3>(state().particles.angular_velocity[i]); });
}

template <std::size_t D>
std::vector<double> Simulation<D>::radii() const {
  return state().by_id([&](std::size_t i) { return state().particles.position[i].w; });
}

template <std::size_t D>
void Simulation<D>::set_velocity(ParticleId id, const Point<D>& velocity) {
  check_finite("velocity", velocity);
  Vec4& current = state().particles.velocity[state().index_of_moving(id)];
  const Vec4 changed = to_vec4<D>(velocity, current.w);
  if (state().model.track_energy)
    state().energy_totals.input +=
        (squared_length(changed) - squared_length(current)) / (2 * current.w);
  current = changed;
}

template <std::size_t D>
void Simulation<D>::set_angular_velocity(ParticleId id, const Point<3>& angular_velocity) {
  check_finite("angular_velocity", angular_velocity);
  if (D == 2 && (angular_velocity[0] != 0 || angular_velocity[1] != 0))
    throw Error("angular_velocity: in 2D its x and y components must be 0");
  Vec4& current = state().particles.angular_velocity[state().index_of_moving(id)];
  const Vec4 changed = to_vec4<3>(angular_velocity, current.w);
  if (state().model.track_energy)
    state().energy_totals.input +=
        (squared_length(changed) - squared_length(current)) / (2 * current.w);
  current = changed;
}

template <std::size_t D>
Energy Simulation<D>::energy() const {
  return state().energy();
}

template <std::size_t D>
ParticleCounts Simulation<D>::particle_counts() const {
  const State& state = this->state();
  const std::size_t fixed_count = state.particles.fixed_count;
  return {state.next_id - fixed_count, state.removed, state.particles.size() - fixed_count,
          state.removed_mass};
}

template <std::size_t D>
std::span<const Sink<D>> Simulation<D>::sinks() const {
  return state().sinks;
}

template <std::size_t D>
const Sink<D>& Simulation<D>::sink(SinkId sink) const {
  check_index("sink", sink.value(), state().sinks.size());
  return state().sinks[sink.value()];
}

template <std::size_t D>
std::vector<ContactState<D>> Simulation<D>::contacts() const {
  State& state = this->state();
  if (!state.has_neighbor_list) state.rebuild_for_query();
  std::vector<ContactState<D>> all;
  state.neighbor_list.for_each_pair([&](Index k, const Pair& pair) {
    const ContactState<D> contact = state.contact(k, pair);
    if (contact.overlap > 0) all.push_back(contact);
  });
  for (const WallContactState& contact : state.wall_contacts.overlapping(state.particles)) {
    const Vec4& center = state.particles.position[contact.particle];
    const Point<D> normal = scaled(to_point<D>(contact.normal), -1);
    const double overlap = contact.normal.w;
    if (overlap > 0)
      all.push_back({ParticleId{state.particles.id[contact.particle]},
                     {},
                     WallId{contact.wall},
                     true,
                     overlap,
                     add_scaled(to_point<D>(center), center.w - overlap, normal),
                     normal,
                     to_point<D>(contact.force)});
  }
  return all;
}

template <std::size_t D>
Point<D> Simulation<D>::wall_force(WallId wall) const {
  const State& state = this->state();
  check_index("wall", wall.value(), state.wall_contacts.wall_states().size());
  Point<D> sum{};
  for (const WallContactState& contact : state.wall_contacts.overlapping(state.particles)) {
    if (contact.wall != wall.value()) continue;
    const auto force = to_point<D>(contact.force);
    for (std::size_t k = 0; k < D; ++k) sum[k] -= force[k];
  }
  return sum;
}

template <std::size_t D>
double Simulation<D>::coordination_number() const {
  const ParticleStore& particles = state().particles;
  std::size_t contact_ends = 0;
  for (const ContactState<D>& contact : contacts()) contact_ends += contact.is_wall ? 1 : 2;
  const std::size_t moving = particles.size() - particles.fixed_count;
  return moving == 0 ? 0 : static_cast<double>(contact_ends) / static_cast<double>(moving);
}

template <std::size_t D>
StepTimings Simulation<D>::timings() const {
  return state().timings;
}

template <std::size_t D>
const Walls<D>& Simulation<D>::walls() const {
  return state().wall_contacts.geometry();
}

template <std::size_t D>
void Simulation<D>::verify_neighbors(std::size_t stride) const {
  state().verify_neighbors(std::max<std::size_t>(1, stride));
}

template class Simulation<2>;
template class Simulation<3>;

}  // namespace abut
