#include <abut/error.hpp>
#include <algorithm>
#include <utility>

#include "core/message.hpp"
#include "dem/simulation_state.hpp"

namespace abut {
namespace {

std::vector<double> flatten(const std::vector<Vec4>& vectors, std::size_t count) {
  std::vector<double> values;
  count = std::min(count, vectors.size());
  values.reserve(4 * count);
  for (std::size_t i = 0; i < count; ++i)
    values.insert(values.end(), {vectors[i].x, vectors[i].y, vectors[i].z, vectors[i].w});
  return values;
}

std::vector<Vec4> unflatten(const std::vector<double>& values) {
  std::vector<Vec4> vectors(values.size() / 4);
  for (std::size_t i = 0; i < vectors.size(); ++i)
    vectors[i] = {values[4 * i], values[4 * i + 1], values[4 * i + 2], values[4 * i + 3]};
  return vectors;
}

void append_spring(const Spring& spring, bool has_rolling, std::vector<double>& friction,
                   std::vector<double>& rolling) {
  friction.insert(friction.end(), spring.begin(), spring.begin() + 3);
  if (has_rolling) rolling.insert(rolling.end(), spring.begin() + 3, spring.end());
}

Spring spring_at(std::size_t k, const std::vector<double>& friction,
                 const std::vector<double>& rolling) {
  Spring spring{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    spring[axis] = static_cast<float>(friction[3 * k + axis]);
    if (!rolling.empty()) spring[3 + axis] = static_cast<float>(rolling[3 * k + axis]);
  }
  return spring;
}

void check(bool fits, const char* problem) {
  if (!fits)
    throw Error(
        message("the saved state does not fit: ", problem, "; resume with the case that wrote it"));
}

/// Properties of a saved state that a simulation requires.
struct Requirements {
  std::size_t materials, walls, sinks;
  bool torques, accelerations, rolling_springs;
};

void check(const SavedState& saved, const Requirements& required) {
  const std::size_t count = saved.id.size();
  const auto is_complete = [&](const std::vector<double>& values) {
    return values.size() == 4 * count;
  };
  const auto rolling_fits = [&](const std::vector<double>& rolling,
                                const std::vector<double>& friction) {
    return rolling.size() == (required.rolling_springs ? friction.size() : 0);
  };
  check(saved.material.size() == count && is_complete(saved.position) &&
            is_complete(saved.velocity) && is_complete(saved.angular_velocity) &&
            is_complete(saved.force),
        "its particle arrays differ in length");
  check(required.torques ? is_complete(saved.torque)
                         : saved.torque.empty() || is_complete(saved.torque),
        "torques, which friction requires, are missing");
  check((required.accelerations ? is_complete(saved.acceleration)
                                : saved.acceleration.empty() || is_complete(saved.acceleration)) &&
            saved.acceleration.size() == saved.angular_acceleration.size(),
        "accelerations, which predictor-corrector requires, are missing");
  check(saved.fixed <= count && saved.next_id == saved.removed + count,
        "its particle counts are inconsistent");
  check(std::all_of(saved.id.begin(), saved.id.end(),
                    [&](std::uint32_t id) { return id < saved.next_id; }),
        "its particle ids are inconsistent");
  check(std::all_of(saved.material.begin(), saved.material.end(),
                    [&](std::uint8_t m) { return m < required.materials; }),
        "it has a material that the model does not have");
  check(saved.contact.size() % 2 == 0 &&
            3 * saved.contact.size() == 2 * saved.friction_spring.size() &&
            saved.image.size() == saved.friction_spring.size() &&
            rolling_fits(saved.rolling_spring, saved.friction_spring),
        "its contact springs are incomplete");
  check(std::all_of(saved.contact.begin(), saved.contact.end(),
                    [&](std::uint32_t i) { return i < count; }),
        "it has a contact of a particle that does not exist");
  const std::size_t wall_contacts = saved.wall_contact.size() / 2;
  check(saved.wall_contact.size() % 2 == 0 && saved.wall_normal.size() == 4 * wall_contacts &&
            saved.wall_friction_spring.size() == 3 * wall_contacts &&
            rolling_fits(saved.wall_rolling_spring, saved.wall_friction_spring),
        "its wall contact springs are incomplete");
  for (std::size_t k = 0; k < wall_contacts; ++k)
    check(saved.wall_contact[2 * k] < count && saved.wall_contact[2 * k + 1] < required.walls,
          "it has a contact with a wall or particle that does not exist");
  check(saved.sink_count.size() == required.sinks && saved.sink_mass.size() == required.sinks,
        "its number of sinks differs");
  check(saved.energy_totals.size() == 5, "its energy totals are incomplete");
}

}  // namespace

template <std::size_t D>
SavedState Simulation<D>::save() const {
  const State& now = state();
  SavedState saved;
  const std::size_t count = now.particles.size();
  saved.step = now.step;
  saved.time_step = now.time_step;
  saved.fixed = now.particles.fixed_count;
  saved.next_id = now.next_id;
  saved.removed = now.removed;
  saved.id = now.particles.id;
  saved.material = now.particles.material;
  saved.position = flatten(now.particles.position, count);
  saved.velocity = flatten(now.particles.velocity, count);
  saved.angular_velocity = flatten(now.particles.angular_velocity, count);
  saved.force = flatten(now.force_sum, count);
  saved.torque = flatten(now.torque_sum, count);
  saved.acceleration = flatten(now.acceleration, count);
  saved.angular_acceleration = flatten(now.angular_acceleration, count);
  for (const NeighborList::PairHistory& entry : now.neighbor_list.history()) {
    saved.contact.insert(saved.contact.end(), {entry.pair.a, entry.pair.b});
    saved.image.insert(saved.image.end(), entry.image.begin(), entry.image.end());
    append_spring(entry.spring, now.has_rolling, saved.friction_spring, saved.rolling_spring);
  }
  for (const WallContactState& contact : now.wall_contacts.overlapping(now.particles)) {
    saved.wall_contact.insert(saved.wall_contact.end(), {contact.particle, contact.wall});
    saved.wall_normal.insert(saved.wall_normal.end(), {contact.normal.x, contact.normal.y,
                                                       contact.normal.z, contact.normal.w});
    append_spring(contact.spring, now.has_rolling, saved.wall_friction_spring,
                  saved.wall_rolling_spring);
  }
  for (const Sink<D>& sink : now.sinks) {
    saved.sink_count.push_back(sink.count);
    saved.sink_mass.push_back(sink.mass);
  }
  saved.energy_totals = {now.energy_totals.elastic, now.energy_totals.dissipated,
                         now.energy_totals.input, now.removed_mass, now.tangential_energy};
  return saved;
}

template <std::size_t D>
void Simulation<D>::restore(const SavedState& saved) {
  State& now = state();
  const bool has_forces = saved.step > 0;
  check(saved,
        {now.model.materials.size(), now.wall_contacts.wall_states().size(), now.sinks.size(),
         has_forces && now.has_friction,
         has_forces && now.model.integrator == Integrator::predictor_corrector, now.has_rolling});
  if (has_forces && now.model.time_step > 0 && now.model.time_step != saved.time_step)
    throw Error(message("time_step = ", now.model.time_step, ": must be ", saved.time_step,
                        ", with which the saved state was computed"));
  now.step = saved.step;
  now.time_step = saved.time_step;
  now.particles.fixed_count = saved.fixed;
  now.next_id = static_cast<std::uint32_t>(saved.next_id);
  now.removed = saved.removed;
  now.particles.id = saved.id;
  now.index_by_id.clear();
  now.particles.material = saved.material;
  now.particles.position = unflatten(saved.position);
  now.particles.velocity = unflatten(saved.velocity);
  now.particles.angular_velocity = unflatten(saved.angular_velocity);
  now.force_sum = unflatten(saved.force);
  now.torque_sum = unflatten(saved.torque);
  now.acceleration = unflatten(saved.acceleration);
  now.angular_acceleration = unflatten(saved.angular_acceleration);
  std::vector<NeighborList::PairHistory> history(saved.contact.size() / 2);
  for (std::size_t k = 0; k < history.size(); ++k) {
    history[k].pair = {saved.contact[2 * k], saved.contact[2 * k + 1]};
    std::copy_n(saved.image.begin() + static_cast<std::ptrdiff_t>(3 * k), 3,
                history[k].image.begin());
    history[k].spring = spring_at(k, saved.friction_spring, saved.rolling_spring);
  }
  now.neighbor_list.restore(history, now.spring_count());
  std::vector<WallContactState> wall_contacts(saved.wall_contact.size() / 2);
  for (std::size_t k = 0; k < wall_contacts.size(); ++k) {
    wall_contacts[k].particle = saved.wall_contact[2 * k];
    wall_contacts[k].wall = static_cast<std::uint16_t>(saved.wall_contact[2 * k + 1]);
    const double* normal = &saved.wall_normal[4 * k];
    wall_contacts[k].normal = {normal[0], normal[1], normal[2], normal[3]};
    wall_contacts[k].spring = spring_at(k, saved.wall_friction_spring, saved.wall_rolling_spring);
  }
  now.wall_contacts.restore(std::move(wall_contacts));
  for (std::size_t k = 0; k < now.sinks.size(); ++k) {
    now.sinks[k].count = saved.sink_count[k];
    now.sinks[k].mass = saved.sink_mass[k];
  }
  now.energy_totals.elastic = saved.energy_totals[0];
  now.energy_totals.dissipated = saved.energy_totals[1];
  now.energy_totals.input = saved.energy_totals[2];
  now.removed_mass = saved.energy_totals[3];
  now.tangential_energy = saved.energy_totals[4];
  now.has_forces = saved.step > 0;
  now.time_step_checked = false;
  now.neighbor_list_valid = false;
  now.has_neighbor_list = false;
  now.detector.reset();
}

template SavedState Simulation<2>::save() const;
template SavedState Simulation<3>::save() const;
template void Simulation<2>::restore(const SavedState&);
template void Simulation<3>::restore(const SavedState&);

}  // namespace abut
