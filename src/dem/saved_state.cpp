#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
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

std::string section_key(const char* section) { return message("section '", section, "'"); }

void check(const char* section, bool fits, const char* problem) {
  if (!fits)
    throw Error(
        ErrorCode::invalid_input, {.key = section_key(section)},
        message("the saved state does not fit: ", problem, "; resume with the case that wrote it"));
}

/// Throws unless `is_valid` is true for all values from index `first` on, in steps of `stride`.
template <class IsValid>
void check_values(const char* section, const std::vector<double>& values, std::size_t first,
                  std::size_t stride, const IsValid& is_valid, const char* requirement) {
  for (std::size_t i = first; i < values.size(); i += stride)
    if (!is_valid(values[i]))
      throw Error(ErrorCode::invalid_input,
                  {.key = section_key(section), .value = message(values[i])}, requirement);
}

void check_finite(const char* section, const std::vector<double>& values) {
  check_values(
      section, values, 0, 1, [](double v) { return std::isfinite(v); }, "must be finite");
}

/// Of each particle, 1/mass or 1/moment of inertia: 0 of the fixed ones, which come first.
void check_inverse_masses(const char* section, const std::vector<double>& values,
                          std::size_t fixed) {
  for (std::size_t i = 0; 4 * i + 3 < values.size(); ++i) {
    const double inverse = values[4 * i + 3];
    if (i < fixed ? inverse != 0 : !(inverse > 0))
      throw Error(ErrorCode::invalid_input,
                  {.key = section_key(section), .value = message(inverse)},
                  i < fixed ? "the inverse mass of a fixed particle must be 0"
                            : "an inverse mass must be positive");
  }
}

/// Disks stay in the plane z = 0 and rotate about the z axis.
void check_is_planar(const SavedState& saved) {
  constexpr const char* requirement = "must be 0 in 2D";
  const auto is_zero = [](double value) { return value == 0; };
  check_values("position", saved.position, 2, 4, is_zero, requirement);
  check_values("velocity", saved.velocity, 2, 4, is_zero, requirement);
  check_values("force", saved.force, 2, 4, is_zero, requirement);
  for (const std::size_t axis : {std::size_t{0}, std::size_t{1}}) {
    check_values("angular_velocity", saved.angular_velocity, axis, 4, is_zero, requirement);
    check_values("torque", saved.torque, axis, 4, is_zero, requirement);
  }
}

void check_ids(const SavedState& saved) {
  constexpr std::uint64_t max_id = std::numeric_limits<std::uint32_t>::max();
  check("counts",
        saved.fixed <= saved.id.size() && saved.removed <= max_id && saved.next_id <= max_id &&
            saved.next_id == saved.removed + saved.id.size(),
        "its particle counts are inconsistent");
  std::vector<std::uint32_t> ids = saved.id;
  std::ranges::sort(ids);
  check("id",
        (ids.empty() || ids.back() < saved.next_id) && std::ranges::adjacent_find(ids) == ids.end(),
        "its particle ids are inconsistent");
}

void check_contacts(const SavedState& saved, const SavedStateRequirements& required) {
  const std::size_t count = saved.id.size();
  const auto rolling_fits = [&](const std::vector<double>& rolling,
                                const std::vector<double>& friction) {
    return rolling.size() == (required.rolling_springs ? friction.size() : 0);
  };
  check("contact",
        saved.contact.size() % 2 == 0 &&
            3 * saved.contact.size() == 2 * saved.friction_spring.size() &&
            saved.contact_image.size() == saved.friction_spring.size() &&
            rolling_fits(saved.rolling_spring, saved.friction_spring),
        "its contact springs are incomplete");
  check("contact", std::ranges::all_of(saved.contact, [&](std::uint32_t i) { return i < count; }),
        "it has a contact of a particle that does not exist");
  for (std::size_t k = 0; k < saved.contact.size(); k += 2) {
    const Pair pair{saved.contact[k], saved.contact[k + 1]};
    check(
        "contact",
        pair.a <= pair.b && (k == 0 || !(pair < Pair{saved.contact[k - 2], saved.contact[k - 1]})),
        "its contacts are not sorted");
  }
  const std::size_t wall_contacts = saved.wall_contact.size() / 2;
  check("wall_contact",
        saved.wall_contact.size() % 2 == 0 && saved.wall_normal.size() == 4 * wall_contacts &&
            saved.wall_force.size() == 3 * wall_contacts &&
            saved.wall_friction_spring.size() == 3 * wall_contacts &&
            rolling_fits(saved.wall_rolling_spring, saved.wall_friction_spring),
        "its wall contact springs are incomplete");
  for (std::size_t k = 0; k < 2 * wall_contacts; k += 2) {
    check("wall_contact",
          saved.wall_contact[k] < count && saved.wall_contact[k + 1] < required.walls,
          "it has a contact with a wall or particle that does not exist");
    check("wall_contact", k == 0 || saved.wall_contact[k - 2] <= saved.wall_contact[k],
          "its wall contacts are not sorted");
  }
}

void check_numbers(const SavedState& saved) {
  constexpr double max_spring = std::numeric_limits<float>::max();  // stored in single precision
  const auto is_spring = [&](double value) { return std::abs(value) <= max_spring; };
  const auto is_positive = [](double value) { return value > 0; };
  const auto is_not_negative = [](double value) { return value >= 0; };
  check_finite("time_step", {saved.time_step});
  check_values(
      "time_step", {saved.time_step}, 0, 1,
      [&](double value) { return saved.step > 0 ? value > 0 : value >= 0; }, "must be positive");
  check_finite("position", saved.position);
  check_values("position", saved.position, 3, 4, is_positive, "a radius must be positive");
  check_finite("velocity", saved.velocity);
  check_inverse_masses("velocity", saved.velocity, saved.fixed);
  check_finite("angular_velocity", saved.angular_velocity);
  check_inverse_masses("angular_velocity", saved.angular_velocity, saved.fixed);
  check_finite("force", saved.force);
  check_finite("torque", saved.torque);
  check_finite("acceleration", saved.acceleration);
  check_finite("angular_acceleration", saved.angular_acceleration);
  check_finite("wall_normal", saved.wall_normal);
  check_finite("wall_force", saved.wall_force);
  constexpr const char* spring_range = "must be finite in single precision";
  check_values("friction_spring", saved.friction_spring, 0, 1, is_spring, spring_range);
  check_values("rolling_spring", saved.rolling_spring, 0, 1, is_spring, spring_range);
  check_values("wall_friction_spring", saved.wall_friction_spring, 0, 1, is_spring, spring_range);
  check_values("wall_rolling_spring", saved.wall_rolling_spring, 0, 1, is_spring, spring_range);
  check_finite("sink_mass", saved.sink_mass);
  check_values("sink_mass", saved.sink_mass, 0, 1, is_not_negative, "must be at least 0");
  check_finite("energy_totals", saved.energy_totals);
}

}  // namespace

void check(const SavedState& saved, const SavedStateRequirements& required) {
  const std::size_t count = saved.id.size();
  const auto is_complete = [&](const std::vector<double>& values) {
    return values.size() == 4 * count;
  };
  constexpr const char* lengths_differ = "its particle arrays differ in length";
  check("material", saved.material.size() == count, lengths_differ);
  check("position", is_complete(saved.position), lengths_differ);
  check("velocity", is_complete(saved.velocity), lengths_differ);
  check("angular_velocity", is_complete(saved.angular_velocity), lengths_differ);
  check("force", is_complete(saved.force), lengths_differ);
  check("image", saved.image.empty() || saved.image.size() == 3 * count,
        "its particle images are incomplete");
  check("torque",
        required.torques ? is_complete(saved.torque)
                         : saved.torque.empty() || is_complete(saved.torque),
        "torques, which friction requires, are missing");
  check("acceleration",
        (required.accelerations ? is_complete(saved.acceleration)
                                : saved.acceleration.empty() || is_complete(saved.acceleration)) &&
            saved.acceleration.size() == saved.angular_acceleration.size(),
        "accelerations, which predictor-corrector requires, are missing");
  check_ids(saved);
  check("material",
        std::ranges::all_of(saved.material, [&](std::uint8_t m) { return m < required.materials; }),
        "it has a material that the model does not have");
  check_contacts(saved, required);
  check("sink_count",
        saved.sink_count.size() == required.sinks && saved.sink_mass.size() == required.sinks,
        "its number of sinks differs");
  check("energy_totals", saved.energy_totals.size() == 6, "its energy totals are incomplete");
  check_numbers(saved);
  if (required.dimension == 2) check_is_planar(saved);
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
    saved.wall_force.insert(saved.wall_force.end(),
                            {contact.force.x, contact.force.y, contact.force.z});
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
    const double* force = &saved.wall_force[3 * k];
    contacts[k].force = {force[0], force[1], force[2], 0};
    contacts[k].spring = spring_at(k, saved.wall_friction_spring, saved.wall_rolling_spring);
  }
  return contacts;
}

}  // namespace abut
