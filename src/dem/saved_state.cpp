#include <abut/error.hpp>
#include <algorithm>
#include <utility>

#include "core/message.hpp"
#include "dem/simulation_state.hpp"

namespace abut {
namespace {

std::vector<double> flatten(const std::vector<Vec4>& records, std::size_t count) {
  std::vector<double> numbers;
  count = std::min(count, records.size());
  numbers.reserve(4 * count);
  for (std::size_t i = 0; i < count; ++i)
    numbers.insert(numbers.end(), {records[i].x, records[i].y, records[i].z, records[i].w});
  return numbers;
}

std::vector<Vec4> unflatten(const std::vector<double>& numbers) {
  std::vector<Vec4> records(numbers.size() / 4);
  for (std::size_t i = 0; i < records.size(); ++i)
    records[i] = {numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2], numbers[4 * i + 3]};
  return records;
}

void append_spring(const Spring& spring, bool rolls, std::vector<double>& friction,
                   std::vector<double>& rolled) {
  friction.insert(friction.end(), spring.begin(), spring.begin() + 3);
  if (rolls) rolled.insert(rolled.end(), spring.begin() + 3, spring.end());
}

Spring spring_at(std::size_t k, const std::vector<double>& friction,
                 const std::vector<double>& rolled) {
  Spring spring{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    spring[axis] = static_cast<float>(friction[3 * k + axis]);
    if (!rolled.empty()) spring[3 + axis] = static_cast<float>(rolled[3 * k + axis]);
  }
  return spring;
}

void check(bool right, const char* what) {
  if (!right)
    throw Error(
        message("the saved state does not fit: ", what, "; resume with the case that wrote it"));
}

/// What a model needs of a state.
struct Requirements {
  std::size_t materials, walls, sinks;
  bool torques, accelerations, rolling_springs;
};

void check(const SavedState& saved, const Requirements& needs) {
  const std::size_t count = saved.id.size();
  const auto whole = [&](const std::vector<double>& numbers) {
    return numbers.size() == 4 * count;
  };
  const auto fits = [&](const std::vector<double>& rolled, const std::vector<double>& spring) {
    return rolled.size() == (needs.rolling_springs ? spring.size() : 0);
  };
  check(saved.material.size() == count && whole(saved.position) && whole(saved.velocity) &&
            whole(saved.angular_velocity) && whole(saved.force),
        "its arrays of particles differ in length");
  check(needs.torques ? whole(saved.torque) : saved.torque.empty() || whole(saved.torque),
        "torques, which friction needs");
  check((needs.accelerations ? whole(saved.acceleration)
                             : saved.acceleration.empty() || whole(saved.acceleration)) &&
            saved.acceleration.size() == saved.angular_acceleration.size(),
        "accelerations, which the predictor and corrector need");
  check(saved.fixed <= count && saved.next_id == saved.removed + count,
        "its numbers of particles contradict each other");
  check(std::all_of(saved.material.begin(), saved.material.end(),
                    [&](std::uint8_t m) { return m < needs.materials; }),
        "a material the model does not have");
  check(saved.contact.size() % 2 == 0 &&
            3 * saved.contact.size() == 2 * saved.friction_spring.size() &&
            saved.image.size() == saved.friction_spring.size() &&
            fits(saved.rolling_spring, saved.friction_spring),
        "springs of contacts");
  check(std::all_of(saved.contact.begin(), saved.contact.end(),
                    [&](std::uint32_t i) { return i < count; }),
        "a contact of a particle that is not there");
  const std::size_t touches = saved.wall_contact.size() / 2;
  check(saved.wall_contact.size() % 2 == 0 && saved.wall_normal.size() == 4 * touches &&
            saved.wall_friction_spring.size() == 3 * touches &&
            fits(saved.wall_rolling_spring, saved.wall_friction_spring),
        "springs of walls");
  for (std::size_t k = 0; k < touches; ++k)
    check(saved.wall_contact[2 * k] < count && saved.wall_contact[2 * k + 1] < needs.walls,
          "a wall or particle that is not there");
  check(saved.sink_count.size() == needs.sinks && saved.sink_mass.size() == needs.sinks, "sinks");
  check(saved.energy_totals.size() == 5, "energies");
}

}  // namespace

template <std::size_t D>
SavedState Simulation<D>::save() const {
  const State& now = *state_;
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
  for (const NeighborList::PairHistory& kept : now.neighbor_list.history()) {
    saved.contact.insert(saved.contact.end(), {kept.pair.a, kept.pair.b});
    saved.image.insert(saved.image.end(), kept.image.begin(), kept.image.end());
    append_spring(kept.spring, now.has_rolling, saved.friction_spring, saved.rolling_spring);
  }
  for (const WallContactState& touch : now.wall_contacts.overlapping(now.particles)) {
    saved.wall_contact.insert(saved.wall_contact.end(), {touch.particle, touch.wall});
    saved.wall_normal.insert(saved.wall_normal.end(),
                             {touch.normal.x, touch.normal.y, touch.normal.z, touch.normal.w});
    append_spring(touch.spring, now.has_rolling, saved.wall_friction_spring,
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
  State& now = *state_;
  const bool moved = saved.step > 0;
  check(saved, {now.model.materials.size(), now.wall_contacts.wall_states().size(),
                now.sinks.size(), moved && now.has_friction,
                moved && now.model.integrator == Integrator::predictor_corrector, now.has_rolling});
  if (moved && now.model.time_step > 0 && now.model.time_step != saved.time_step)
    throw Error(message("time_step = ", now.model.time_step,
                        ", but the saved state was reached with ", saved.time_step,
                        "; a run goes on with the step it began with"));
  now.step = saved.step;
  now.time_step = saved.time_step;
  now.particles.fixed_count = saved.fixed;
  now.next_id = static_cast<std::uint32_t>(saved.next_id);
  now.removed = saved.removed;
  now.particles.id = saved.id;
  now.particles.material = saved.material;
  now.particles.position = unflatten(saved.position);
  now.particles.velocity = unflatten(saved.velocity);
  now.particles.angular_velocity = unflatten(saved.angular_velocity);
  now.force_sum = unflatten(saved.force);
  now.torque_sum = unflatten(saved.torque);
  now.acceleration = unflatten(saved.acceleration);
  now.angular_acceleration = unflatten(saved.angular_acceleration);
  std::vector<NeighborList::PairHistory> kept(saved.contact.size() / 2);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    kept[k].pair = {saved.contact[2 * k], saved.contact[2 * k + 1]};
    std::copy_n(saved.image.begin() + static_cast<std::ptrdiff_t>(3 * k), 3, kept[k].image.begin());
    kept[k].spring = spring_at(k, saved.friction_spring, saved.rolling_spring);
  }
  now.neighbor_list.restore(kept);
  std::vector<WallContactState> touches(saved.wall_contact.size() / 2);
  for (std::size_t k = 0; k < touches.size(); ++k) {
    touches[k].particle = saved.wall_contact[2 * k];
    touches[k].wall = static_cast<std::uint16_t>(saved.wall_contact[2 * k + 1]);
    const double* normal = &saved.wall_normal[4 * k];
    touches[k].normal = {normal[0], normal[1], normal[2], normal[3]};
    touches[k].spring = spring_at(k, saved.wall_friction_spring, saved.wall_rolling_spring);
  }
  now.wall_contacts.restore(std::move(touches));
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
