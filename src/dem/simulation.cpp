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
Point<D> point_of(const Record& record) {
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
  state_->put_in([&] {
    state_->walls.add({std::move(wall.name), std::move(wall.shape),
                       static_cast<std::uint8_t>(wall.material), wall.motion, false});
  });
  state_->list_is_valid = false;
  return state_->walls.bodies().size() - 1;
}

template <std::size_t D>
std::size_t Simulation<D>::add(Sink<D> sink) {
  state_->sinks.push_back(std::move(sink));
  return state_->sinks.size() - 1;
}

template <std::size_t D>
void Simulation<D>::open(std::size_t wall, bool open) {
  state_->open(wall, open);
}

template <std::size_t D>
bool Simulation<D>::is_open(std::size_t wall) const {
  return state_->walls.bodies()[wall].open;
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
  state_->choose_step();
  return state_->time_step;
}

template <std::size_t D>
double Simulation<D>::largest_step() const {
  state_->choose_step();
  return state_->largest_step;
}

template <std::size_t D>
std::size_t Simulation<D>::size() const {
  return state_->particles.size();
}

template <std::size_t D>
ParticleState<D> Simulation<D>::particle(std::size_t i) const {
  const ParticleStore& all = state_->particles;
  return {all.id[i],
          all.material[i],
          i < all.fixed,
          all.place[i].w,
          state_->mass_of(all.place[i].w, all.material[i]),
          point_of<D>(all.place[i]),
          point_of<D>(all.velocity[i]),
          point_of<3>(all.spin[i])};
}

template <std::size_t D>
Energy Simulation<D>::energy() const {
  return state_->energy();
}

template <std::size_t D>
Population Simulation<D>::population() const {
  const std::size_t fixed = state_->particles.fixed;
  return {state_->next_id - fixed, state_->left, state_->particles.size() - fixed,
          state_->left_mass};
}

template <std::size_t D>
std::span<const Sink<D>> Simulation<D>::sinks() const {
  return state_->sinks;
}

template <std::size_t D>
std::vector<ContactState<D>> Simulation<D>::contacts() const {
  if (!state_->has_list) state_->look();
  std::vector<ContactState<D>> all;
  for (std::size_t k = 0; k < state_->contacts.pairs().size(); ++k) {
    const ContactState<D> contact = state_->contact(k);
    if (contact.overlap > 0) all.push_back(contact);
  }
  for (const WallPush& touch : state_->walls.touches(state_->particles)) {
    const Record& at = state_->particles.place[touch.particle];
    const Point<D> normal = point_of<D>(touch.normal);
    const double overlap = touch.normal.w;
    if (overlap > 0)
      all.push_back({state_->particles.id[touch.particle], touch.body, true, overlap,
                     along(point_of<D>(at), overlap - at.w, normal), normal,
                     point_of<D>(touch.force)});
  }
  return all;
}

template <std::size_t D>
Point<D> Simulation<D>::force_on(std::size_t wall) const {
  Point<D> sum{};
  for (const WallPush& touch : state_->walls.touches(state_->particles)) {
    if (touch.body != wall) continue;
    const Point<D> force = point_of<D>(touch.force);
    for (std::size_t k = 0; k < D; ++k) sum[k] -= force[k];
  }
  return sum;
}

template <std::size_t D>
double Simulation<D>::coordination() const {
  const ParticleStore& all = state_->particles;
  std::size_t ends = 0;
  for (const ContactState<D>& contact : contacts()) ends += contact.wall ? 1 : 2;
  const std::size_t moving = all.size() - all.fixed;
  return moving == 0 ? 0 : static_cast<double>(ends) / static_cast<double>(moving);
}

template <std::size_t D>
StepTimes Simulation<D>::times() const {
  return state_->times;
}

template <std::size_t D>
const Walls<D>& Simulation<D>::walls() const {
  return state_->walls.walls();
}

template <std::size_t D>
void Simulation<D>::check_pairs(std::size_t one_in) const {
  state_->check_pairs(std::max<std::size_t>(1, one_in));
}

template class Simulation<2>;
template class Simulation<3>;

}  // namespace abut
