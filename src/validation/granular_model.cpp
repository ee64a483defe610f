#include "validation/granular_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/vec.hpp"

namespace abut {
namespace {

// Volume (area in 2D) of the part of a sphere up to `height` above its lowest point.
template <std::size_t D>
double volume_below(double radius, double height) {
  const double h = std::clamp(height, 0.0, 2 * radius);
  if (D == 3) return std::numbers::pi * h * h * (radius - h / 3);
  const double depth = radius - h;  // of the chord below the center
  return radius * radius * std::acos(depth / radius) - depth * std::sqrt(h * (2 * radius - h));
}

// Removes rattlers from the set `load_bearing` until every grain in it is loaded from above by a
// grain of the set or of `elsewhere`.
template <std::size_t D>
void remove_rattlers(const std::vector<ContactState<D>>& contacts,
                     const std::vector<char>& elsewhere, std::vector<char>& load_bearing) {
  constexpr double min_force = 1e-3;  // vertical, as a fraction of the weight of a grain
  for (bool changed = true; changed;) {
    std::vector<char> loaded(load_bearing.size(), 0);
    for (const ContactState<D>& contact : contacts) {
      const double vertical_force = contact.force[D - 1];  // on a
      if (contact.is_wall || std::abs(vertical_force) < min_force * sphere_volume<D>(0.5)) continue;
      const std::size_t lower = (vertical_force < 0 ? contact.a : contact.b).value();
      const std::size_t upper = (vertical_force < 0 ? contact.b : contact.a).value();
      if (elsewhere[upper] != 0 || load_bearing[upper] != 0) loaded[lower] = 1;
    }
    changed = false;
    for (std::size_t id = 0; id < load_bearing.size(); ++id) {
      if (load_bearing[id] == 0 || loaded[id] != 0) continue;
      load_bearing[id] = 0;
      changed = true;
    }
  }
}

}  // namespace

template <std::size_t D>
Model<D> granular_model(const GranularContact& law, double min_radius) {
  Model<D> model;
  model.materials = {{"grain", 1}, {"wall", 1}};
  ContactParameters grains{.stiffness = law.stiffness, .restitution = law.restitution};
  grains.friction = law.friction;
  grains.rolling_friction = law.rolling_friction;
  ContactParameters wall = grains;
  wall.friction = law.wall_friction;
  model.contact_parameters = {{.parameters = grains}, {MaterialId{0}, wall_material, wall}};
  model.gravity[D - 1] = -1;
  // A binary collision takes π/0.2 ≈ 16 steps.
  const double reduced_mass = sphere_volume<D>(min_radius) / 2;
  model.time_step = 0.2 * std::sqrt(reduced_mass / law.stiffness);
  return model;
}

template <std::size_t D>
double solid_fraction(const Simulation<D>& simulation, double low, double high, double base) {
  double volume = 0;
  for (std::size_t i = 0; i < simulation.particle_count(); ++i) {
    const auto grain = simulation.particle(ParticleIndex{i});
    const double lowest = grain.position[D - 1] - grain.radius;
    volume +=
        volume_below<D>(grain.radius, high - lowest) - volume_below<D>(grain.radius, low - lowest);
  }
  return volume / (base * (high - low));
}

template <std::size_t D>
ContactStatistics contact_statistics(const Simulation<D>& simulation, double low, double high) {
  const auto contacts = simulation.contacts();
  std::vector<char> in_slice(simulation.particle_counts().inserted, 0);
  std::vector<char> elsewhere(in_slice.size(), 0);
  for (std::size_t i = 0; i < simulation.particle_count(); ++i) {
    const auto grain = simulation.particle(ParticleIndex{i});
    const bool is_inside = low <= grain.position[D - 1] && grain.position[D - 1] <= high;
    (is_inside ? in_slice : elsewhere)[grain.id.value()] = 1;
  }
  std::vector<char> load_bearing = in_slice;
  remove_rattlers<D>(contacts, elsewhere, load_bearing);
  double contact_ends = 0;  // one per load-bearing grain of a contact
  double overlap_sum = 0;
  for (const ContactState<D>& contact : contacts) {
    const auto is_load_bearing = [&](ParticleId id) {
      return load_bearing[id.value()] != 0 || elsewhere[id.value()] != 0;
    };
    if (contact.is_wall || !is_load_bearing(contact.a) || !is_load_bearing(contact.b)) continue;
    const double counted = load_bearing[contact.a.value()] + load_bearing[contact.b.value()];
    contact_ends += counted;
    overlap_sum += counted * contact.overlap;
  }
  const auto bearing_count = static_cast<double>(std::ranges::count(load_bearing, 1));
  const auto count = static_cast<double>(std::ranges::count(in_slice, 1));
  return {contact_ends / bearing_count, 1 - bearing_count / count, overlap_sum / contact_ends};
}

double particle_mass(const Simulation3& simulation) {
  double mass = 0;
  for (std::size_t i = 0; i < simulation.particle_count(); ++i)
    mass += simulation.particle(ParticleIndex{i}).mass;
  return mass;
}

template Model<2> granular_model(const GranularContact&, double);
template Model<3> granular_model(const GranularContact&, double);
template double solid_fraction(const Simulation<2>&, double, double, double);
template double solid_fraction(const Simulation<3>&, double, double, double);
template ContactStatistics contact_statistics(const Simulation<2>&, double, double);
template ContactStatistics contact_statistics(const Simulation<3>&, double, double);

}  // namespace abut
