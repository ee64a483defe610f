#include <abut/error.hpp>
#include <algorithm>
#include <utility>

#include "core/message.hpp"
#include "dem/simulation_core.hpp"

namespace abut {
namespace {

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

}  // namespace

void check(const SavedState& saved, const SavedStateRequirements& required) {
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
  check(saved.image.empty() || saved.image.size() == 3 * count,
        "its particle images are incomplete");
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
            saved.contact_image.size() == saved.friction_spring.size() &&
            rolling_fits(saved.rolling_spring, saved.friction_spring),
        "its contact springs are incomplete");
  check(std::all_of(saved.contact.begin(), saved.contact.end(),
                    [&](std::uint32_t i) { return i < count; }),
        "it has a contact of a particle that does not exist");
  for (std::size_t k = 0; k < saved.contact.size(); k += 2) {
    const Pair pair{saved.contact[k], saved.contact[k + 1]};
    check(
        pair.a <= pair.b && (k == 0 || !(pair < Pair{saved.contact[k - 2], saved.contact[k - 1]})),
        "its contacts are not sorted");
  }
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

void save_history(std::span<const PairHistory> history, bool has_rolling, SavedState& saved) {
  for (const PairHistory& entry : history) {
    saved.contact.insert(saved.contact.end(), {entry.pair.a, entry.pair.b});
    saved.contact_image.insert(saved.contact_image.end(), entry.image.begin(), entry.image.end());
    append_spring(entry.spring, has_rolling, saved.friction_spring, saved.rolling_spring);
  }
}

void save_history(std::span<const WallContactState> contacts, bool has_rolling, SavedState& saved) {
  for (const WallContactState& contact : contacts) {
    saved.wall_contact.insert(saved.wall_contact.end(), {contact.particle, contact.wall});
    saved.wall_normal.insert(saved.wall_normal.end(), {contact.normal.x, contact.normal.y,
                                                       contact.normal.z, contact.normal.w});
    append_spring(contact.spring, has_rolling, saved.wall_friction_spring,
                  saved.wall_rolling_spring);
  }
}

std::vector<PairHistory> saved_pair_history(const SavedState& saved) {
  std::vector<PairHistory> history(saved.contact.size() / 2);
  for (std::size_t k = 0; k < history.size(); ++k) {
    history[k].pair = {saved.contact[2 * k], saved.contact[2 * k + 1]};
    std::copy_n(saved.contact_image.begin() + static_cast<std::ptrdiff_t>(3 * k), 3,
                history[k].image.begin());
    history[k].spring = spring_at(k, saved.friction_spring, saved.rolling_spring);
  }
  return history;
}

std::vector<WallContactState> saved_wall_contacts(const SavedState& saved) {
  std::vector<WallContactState> contacts(saved.wall_contact.size() / 2);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    contacts[k].particle = saved.wall_contact[2 * k];
    contacts[k].wall = static_cast<std::uint16_t>(saved.wall_contact[2 * k + 1]);
    const double* normal = &saved.wall_normal[4 * k];
    contacts[k].normal = {normal[0], normal[1], normal[2], normal[3]};
    contacts[k].spring = spring_at(k, saved.wall_friction_spring, saved.wall_rolling_spring);
  }
  return contacts;
}

}  // namespace abut
