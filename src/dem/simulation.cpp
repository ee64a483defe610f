#include <abut/error.hpp>
#include <abut/simulation.hpp>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/message.hpp"
#include "dem/simulation_core.hpp"

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

}  // namespace

template <std::size_t D>
Simulation<D>::Simulation(Model<D> model) : core_(std::make_unique<Core>(std::move(model))) {}
template <std::size_t D>
Simulation<D>::~Simulation() = default;
template <std::size_t D>
Simulation<D>::Simulation(Simulation&&) noexcept = default;
template <std::size_t D>
Simulation<D>& Simulation<D>::operator=(Simulation&&) noexcept = default;

template <std::size_t D>
typename Simulation<D>::Core& Simulation<D>::core() {
  if (!core_) throw Error("this Simulation has been moved from", ErrorCode::moved_from);
  return *core_;
}

template <std::size_t D>
const typename Simulation<D>::Core& Simulation<D>::core() const {
  if (!core_) throw Error("this Simulation has been moved from", ErrorCode::moved_from);
  return *core_;
}

template <std::size_t D>
void Simulation<D>::add(const NewParticles<D>& particles) {
  core().add(particles);
}

template <std::size_t D>
WallId Simulation<D>::add(Wall<D> wall) {
  check_index("material", wall.material.value(), core().model().materials.size());
  core().add(WallState<D>{std::move(wall.name), std::move(wall.shape),
                          static_cast<std::uint8_t>(wall.material.value()), wall.motion, false});
  return WallId{core().walls().wall_states().size() - 1};
}

template <std::size_t D>
SinkId Simulation<D>::add(Sink<D> sink) {
  return SinkId{core().add(std::move(sink))};
}

template <std::size_t D>
void Simulation<D>::set_open(WallId wall, bool open) {
  check_index("wall", wall.value(), core().walls().wall_states().size());
  core().set_open(wall.value(), open);
}

template <std::size_t D>
bool Simulation<D>::is_open(WallId wall) const {
  check_index("wall", wall.value(), core().walls().wall_states().size());
  return core().walls().wall_states()[wall.value()].is_open;
}

template <std::size_t D>
void Simulation<D>::advance(std::size_t steps) {
  core().advance(steps);
}

template <std::size_t D>
std::uint64_t Simulation<D>::step() const {
  return core().step();
}

template <std::size_t D>
double Simulation<D>::time() const {
  return core().time();
}

template <std::size_t D>
double Simulation<D>::time_step() const {
  return core().time_step();
}

template <std::size_t D>
double Simulation<D>::critical_time_step() const {
  return core().critical_time_step();
}

template <std::size_t D>
std::size_t Simulation<D>::particle_count() const {
  return core().particles().size();
}

template <std::size_t D>
ParticleState<D> Simulation<D>::particle(ParticleIndex index) const {
  const Particles& particles = core().particles();
  const std::size_t i = index.value();
  check_index("particle index", i, particles.size());
  return {ParticleId{particles.id()[i]},
          MaterialId{particles.material()[i]},
          i < particles.fixed_count(),
          particles.position()[i].w,
          core().mass(i),
          core().wrapped_position(i).position,
          core().wrapped_position(i).image,
          to_point<D>(particles.velocity()[i]),
          to_point<3>(particles.angular_velocity()[i])};
}

template <std::size_t D>
bool Simulation<D>::contains(ParticleId id) const {
  return core().particles().find(id).has_value();
}

template <std::size_t D>
ParticleState<D> Simulation<D>::particle(ParticleId id) const {
  return particle(ParticleIndex{core().particles().index_of(id)});
}

template <std::size_t D>
Point<D> Simulation<D>::position(ParticleId id) const {
  return core().wrapped_position(core().particles().index_of(id)).position;
}

template <std::size_t D>
std::array<std::int32_t, D> Simulation<D>::image(ParticleId id) const {
  return core().wrapped_position(core().particles().index_of(id)).image;
}

template <std::size_t D>
Point<D> Simulation<D>::unwrapped_position(ParticleId id) const {
  const auto wrapped = core().wrapped_position(core().particles().index_of(id));
  return core().domain().periodic().shifted(wrapped.position, wrapped.image);
}

template <std::size_t D>
Point<D> Simulation<D>::velocity(ParticleId id) const {
  const Particles& particles = core().particles();
  return to_point<D>(particles.velocity()[particles.index_of(id)]);
}

template <std::size_t D>
Point<3> Simulation<D>::angular_velocity(ParticleId id) const {
  const Particles& particles = core().particles();
  return to_point<3>(particles.angular_velocity()[particles.index_of(id)]);
}

template <std::size_t D>
std::vector<ParticleId> Simulation<D>::ids() const {
  const Particles& particles = core().particles();
  return particles.by_id([&](std::size_t i) { return ParticleId{particles.id()[i]}; });
}

template <std::size_t D>
std::vector<Point<D>> Simulation<D>::positions() const {
  return core().particles().by_id(
      [&](std::size_t i) { return core().wrapped_position(i).position; });
}

template <std::size_t D>
std::vector<Point<D>> Simulation<D>::velocities() const {
  const Particles& particles = core().particles();
  return particles.by_id([&](std::size_t i) { return to_point<D>(particles.velocity()[i]); });
}

template <std::size_t D>
std::vector<Point<3>> Simulation<D>::angular_velocities() const {
  const Particles& particles = core().particles();
  return particles.by_id(
      [&](std::size_t i) { return to_point<3>(particles.angular_velocity()[i]); });
}

template <std::size_t D>
std::vector<double> Simulation<D>::radii() const {
  const Particles& particles = core().particles();
  return particles.by_id([&](std::size_t i) { return particles.position()[i].w; });
}

template <std::size_t D>
void Simulation<D>::set_velocity(ParticleId id, const Point<D>& velocity) {
  check_finite("velocity", velocity);
  core().set_velocity(core().particles().index_of_moving(id), to_vec4<D>(velocity));
}

template <std::size_t D>
void Simulation<D>::set_angular_velocity(ParticleId id, const Point<3>& angular_velocity) {
  check_finite("angular_velocity", angular_velocity);
  if (D == 2 && (angular_velocity[0] != 0 || angular_velocity[1] != 0))
    throw Error("angular_velocity: in 2D its x and y components must be 0");
  core().set_angular_velocity(core().particles().index_of_moving(id), to_vec4<3>(angular_velocity));
}

template <std::size_t D>
Energy Simulation<D>::energy() const {
  return core().energy();
}

template <std::size_t D>
double Simulation<D>::overlap_energy() const {
  return core().overlap_energy();
}

template <std::size_t D>
ParticleCounts Simulation<D>::particle_counts() const {
  const Particles& particles = core().particles();
  return {particles.next_id() - particles.fixed_count(), core().domain().removed(),
          particles.size() - particles.fixed_count(), core().domain().removed_mass()};
}

template <std::size_t D>
std::span<const Sink<D>> Simulation<D>::sinks() const {
  return core().domain().sinks();
}

template <std::size_t D>
const Sink<D>& Simulation<D>::sink(SinkId sink) const {
  check_index("sink", sink.value(), sinks().size());
  return sinks()[sink.value()];
}

template <std::size_t D>
std::vector<ContactState<D>> Simulation<D>::contacts() const {
  return core().contacts();
}

template <std::size_t D>
Point<D> Simulation<D>::wall_force(WallId wall) const {
  check_index("wall", wall.value(), core().walls().wall_states().size());
  Point<D> sum{};
  for (const WallContactState& contact : core().walls().overlapping(core().particles())) {
    if (contact.wall != wall.value()) continue;
    const auto force = to_point<D>(contact.force);
    for (std::size_t k = 0; k < D; ++k) sum[k] -= force[k];
  }
  return sum;
}

template <std::size_t D>
double Simulation<D>::coordination_number() const {
  const Particles& particles = core().particles();
  std::size_t contact_ends = 0;
  for (const ContactState<D>& contact : contacts()) contact_ends += contact.is_wall ? 1 : 2;
  const std::size_t moving = particles.size() - particles.fixed_count();
  return moving == 0 ? 0 : static_cast<double>(contact_ends) / static_cast<double>(moving);
}

template <std::size_t D>
StepTimings Simulation<D>::timings() const {
  return core().timings();
}

template <std::size_t D>
const Walls<D>& Simulation<D>::walls() const {
  return core().walls().geometry();
}

template <std::size_t D>
SavedState Simulation<D>::save() const {
  return core().save();
}

template <std::size_t D>
void Simulation<D>::restore(const SavedState& saved) {
  core().restore(saved);
}

template <std::size_t D>
void Simulation<D>::verify_neighbors(std::size_t stride) const {
  core().verify_neighbors(std::max<std::size_t>(1, stride));
}

template class Simulation<2>;
template class Simulation<3>;

}  // namespace abut
