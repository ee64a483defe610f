#include <abut/error.hpp>
#include <algorithm>
#include <utility>

#include "core/message.hpp"
#include "dem/simulation_state.hpp"

namespace abut {
namespace {

std::vector<double> flat(const std::vector<Record>& records, std::size_t count) {
  std::vector<double> numbers;
  count = std::min(count, records.size());
  numbers.reserve(4 * count);
  for (std::size_t i = 0; i < count; ++i)
    numbers.insert(numbers.end(), {records[i].x, records[i].y, records[i].z, records[i].w});
  return numbers;
}

std::vector<Record> records_of(const std::vector<double>& numbers) {
  std::vector<Record> records(numbers.size() / 4);
  for (std::size_t i = 0; i < records.size(); ++i)
    records[i] = {numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2], numbers[4 * i + 3]};
  return records;
}

void put(const Spring& spring, bool rolls, std::vector<double>& friction,
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
struct Needs {
  std::size_t materials, walls, sinks;
  bool torques, accelerations, rolled;
};

void check(const SavedState& saved, const Needs& needs) {
  const std::size_t count = saved.id.size();
  const auto whole = [&](const std::vector<double>& numbers) {
    return numbers.size() == 4 * count;
  };
  const auto fits = [&](const std::vector<double>& rolled, const std::vector<double>& spring) {
    return rolled.size() == (needs.rolled ? spring.size() : 0);
  };
  check(saved.material.size() == count && whole(saved.place) && whole(saved.velocity) &&
            whole(saved.spin) && whole(saved.push),
        "its arrays of particles differ in length");
  check(needs.torques ? whole(saved.twist) : saved.twist.empty() || whole(saved.twist),
        "torques, which friction needs");
  check((needs.accelerations ? whole(saved.acceleration)
                             : saved.acceleration.empty() || whole(saved.acceleration)) &&
            saved.acceleration.size() == saved.turning.size(),
        "accelerations, which the predictor and corrector need");
  check(saved.fixed <= count && saved.released == saved.left + count,
        "its numbers of particles contradict each other");
  check(std::all_of(saved.material.begin(), saved.material.end(),
                    [&](std::uint8_t m) { return m < needs.materials; }),
        "a material the model does not have");
  check(saved.contact.size() % 2 == 0 && 3 * saved.contact.size() == 2 * saved.spring.size() &&
            saved.image.size() == saved.spring.size() && fits(saved.rolled, saved.spring),
        "springs of contacts");
  check(std::all_of(saved.contact.begin(), saved.contact.end(),
                    [&](std::uint32_t i) { return i < count; }),
        "a contact of a particle that is not there");
  const std::size_t touches = saved.wall_contact.size() / 2;
  check(saved.wall_contact.size() % 2 == 0 && saved.wall_normal.size() == 4 * touches &&
            saved.wall_spring.size() == 3 * touches && fits(saved.wall_rolled, saved.wall_spring),
        "springs of walls");
  for (std::size_t k = 0; k < touches; ++k)
    check(saved.wall_contact[2 * k] < count && saved.wall_contact[2 * k + 1] < needs.walls,
          "a wall or particle that is not there");
  check(saved.sink_count.size() == needs.sinks && saved.sink_mass.size() == needs.sinks, "sinks");
  check(saved.account.size() == 5, "energies");
}

}  // namespace

template <std::size_t D>
SavedState Simulation<D>::save() const {
  const State& now = *state_;
  SavedState saved;
  const std::size_t count = now.particles.size();
  saved.step = now.step;
  saved.time_step = now.time_step;
  saved.fixed = now.particles.fixed;
  saved.released = now.next_id;
  saved.left = now.left;
  saved.id = now.particles.id;
  saved.material = now.particles.material;
  saved.place = flat(now.particles.place, count);
  saved.velocity = flat(now.particles.velocity, count);
  saved.spin = flat(now.particles.spin, count);
  saved.push = flat(now.push, count);
  saved.twist = flat(now.twist, count);
  saved.acceleration = flat(now.acceleration, count);
  saved.turning = flat(now.turning, count);
  for (const ContactList::Kept& kept : now.contacts.kept()) {
    saved.contact.insert(saved.contact.end(), {kept.pair.a, kept.pair.b});
    saved.image.insert(saved.image.end(), kept.image.begin(), kept.image.end());
    put(kept.spring, now.rolls, saved.spring, saved.rolled);
  }
  for (const WallPush& touch : now.walls.touches(now.particles)) {
    saved.wall_contact.insert(saved.wall_contact.end(), {touch.particle, touch.body});
    saved.wall_normal.insert(saved.wall_normal.end(),
                             {touch.normal.x, touch.normal.y, touch.normal.z, touch.normal.w});
    put(touch.spring, now.rolls, saved.wall_spring, saved.wall_rolled);
  }
  for (const Sink<D>& sink : now.sinks) {
    saved.sink_count.push_back(sink.count);
    saved.sink_mass.push_back(sink.mass);
  }
  saved.account = {now.account.stored, now.account.dissipated, now.account.input, now.left_mass,
                   now.stored_across};
  return saved;
}

template <std::size_t D>
void Simulation<D>::restore(const SavedState& saved) {
  State& now = *state_;
  const bool moved = saved.step > 0;
  check(saved, {now.model.materials.size(), now.walls.bodies().size(), now.sinks.size(),
                moved && now.rough,
                moved && now.model.integrator == Integrator::predictor_corrector, now.rolls});
  if (moved && now.model.time_step > 0 && now.model.time_step != saved.time_step)
    throw Error(message("time_step = ", now.model.time_step,
                        ", but the saved state was reached with ", saved.time_step,
                        "; a run goes on with the step it began with"));
  now.step = saved.step;
  now.time_step = saved.time_step;
  now.particles.fixed = saved.fixed;
  now.next_id = static_cast<std::uint32_t>(saved.released);
  now.left = saved.left;
  now.particles.id = saved.id;
  now.particles.material = saved.material;
  now.particles.place = records_of(saved.place);
  now.particles.velocity = records_of(saved.velocity);
  now.particles.spin = records_of(saved.spin);
  now.push = records_of(saved.push);
  now.twist = records_of(saved.twist);
  now.acceleration = records_of(saved.acceleration);
  now.turning = records_of(saved.turning);
  std::vector<ContactList::Kept> kept(saved.contact.size() / 2);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    kept[k].pair = {saved.contact[2 * k], saved.contact[2 * k + 1]};
    std::copy_n(saved.image.begin() + static_cast<std::ptrdiff_t>(3 * k), 3, kept[k].image.begin());
    kept[k].spring = spring_at(k, saved.spring, saved.rolled);
  }
  now.contacts.restore(kept);
  std::vector<WallPush> touches(saved.wall_contact.size() / 2);
  for (std::size_t k = 0; k < touches.size(); ++k) {
    touches[k].particle = saved.wall_contact[2 * k];
    touches[k].body = static_cast<std::uint16_t>(saved.wall_contact[2 * k + 1]);
    const double* normal = &saved.wall_normal[4 * k];
    touches[k].normal = {normal[0], normal[1], normal[2], normal[3]};
    touches[k].spring = spring_at(k, saved.wall_spring, saved.wall_rolled);
  }
  now.walls.restore(std::move(touches));
  for (std::size_t k = 0; k < now.sinks.size(); ++k) {
    now.sinks[k].count = saved.sink_count[k];
    now.sinks[k].mass = saved.sink_mass[k];
  }
  now.account.stored = saved.account[0];
  now.account.dissipated = saved.account[1];
  now.account.input = saved.account[2];
  now.left_mass = saved.account[3];
  now.stored_across = saved.account[4];
  now.has_forces = saved.step > 0;
  now.step_is_checked = false;
  now.list_is_valid = false;
  now.has_list = false;
  now.detector.reset();
}

template SavedState Simulation<2>::save() const;
template SavedState Simulation<3>::save() const;
template void Simulation<2>::restore(const SavedState&);
template void Simulation<3>::restore(const SavedState&);

}  // namespace abut
