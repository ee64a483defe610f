#include "validation/granular_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/vec.hpp"

namespace abut {
namespace {

// What of a ball is below a height above its lowest point.
template <std::size_t D>
double volume_below(double radius, double height) {
  const double h = std::clamp(height, 0.0, 2 * radius);
  if (D == 3) return std::numbers::pi * h * h * (radius - h / 3);
  const double off = radius - h;
  return radius * radius * std::acos(off / radius) - off * std::sqrt(h * (2 * radius - h));
}

// Of those that are looked at: rattlers leave them, until all that stay are pressed by others.
template <std::size_t D>
void remove_rattlers(const std::vector<ContactState<D>>& contacts, const std::vector<char>& above,
                     std::vector<char>& firm) {
  constexpr double presses = 1e-3;  // of a weight
  for (bool changed = true; changed;) {
    std::vector<char> pressed(firm.size(), 0);
    for (const ContactState<D>& contact : contacts) {
      const double up = contact.force[D - 1];
      if (contact.is_wall || std::abs(up) < presses * sphere_volume<D>(0.5)) continue;
      const std::size_t lower = (up < 0 ? contact.a : contact.b).value();
      const std::size_t upper = (up < 0 ? contact.b : contact.a).value();
      if (above[upper] != 0 || firm[upper] != 0) pressed[lower] = 1;
    }
    changed = false;
    for (std::size_t id = 0; id < firm.size(); ++id) {
      if (firm[id] == 0 || pressed[id] != 0) continue;
      firm[id] = 0;
      changed = true;
    }
  }
}

}  // namespace

template <std::size_t D>
Model<D> granular_model(const GranularContact& law, double smallest_radius) {
  Model<D> model;
  model.materials = {{"grain", 1}, {"wall", 1}};
  ContactParameters grains{.stiffness = law.stiffness, .restitution = law.restitution};
  grains.friction = law.friction;
  grains.rolling_friction = law.rolling_friction;
  ContactParameters wall = grains;
  wall.friction = law.wall_friction;
  model.contact_parameters = {{.parameters = grains}, {MaterialId{0}, wall_material, wall}};
  model.gravity[D - 1] = -1;
  // An impact of two takes some fifteen steps, π/2·10.
  const double reduced_mass = sphere_volume<D>(smallest_radius) / 2;
  model.time_step = 0.2 * std::sqrt(reduced_mass / law.stiffness);
  return model;
}

template <std::size_t D>
double solid_fraction(const Simulation<D>& run, double low, double high, double base) {
  double volume = 0;
  for (std::size_t i = 0; i < run.particle_count(); ++i) {
    const auto grain = run.particle(ParticleIndex{i});
    const double lowest = grain.position[D - 1] - grain.radius;
    volume +=
        volume_below<D>(grain.radius, high - lowest) - volume_below<D>(grain.radius, low - lowest);
  }
  return volume / (base * (high - low));
}

template <std::size_t D>
ContactStatistics contact_statistics(const Simulation<D>& run, double low, double high) {
  const auto contacts = run.contacts();
  std::vector<char> here(run.particle_counts().inserted, 0);
  std::vector<char> elsewhere(here.size(), 0);
  for (std::size_t i = 0; i < run.particle_count(); ++i) {
    const auto grain = run.particle(ParticleIndex{i});
    const bool inside = low <= grain.position[D - 1] && grain.position[D - 1] <= high;
    (inside ? here : elsewhere)[grain.id.value()] = 1;
  }
  std::vector<char> firm = here;
  remove_rattlers<D>(contacts, elsewhere, firm);
  double ends = 0;
  double overlaps = 0;
  for (const ContactState<D>& contact : contacts) {
    const auto carries = [&](ParticleId id) {
      return firm[id.value()] != 0 || elsewhere[id.value()] != 0;
    };
    if (contact.is_wall || !carries(contact.a) || !carries(contact.b)) continue;
    const double counted = firm[contact.a.value()] + firm[contact.b.value()];
    ends += counted;
    overlaps += counted * contact.overlap;
  }
  const auto carrying = static_cast<double>(std::ranges::count(firm, 1));
  const auto all = static_cast<double>(std::ranges::count(here, 1));
  return {ends / carrying, 1 - carrying / all, overlaps / ends};
}

double particle_mass(const Simulation3& run) {
  double mass = 0;
  for (std::size_t i = 0; i < run.particle_count(); ++i)
    mass += run.particle(ParticleIndex{i}).mass;
  return mass;
}

template Model<2> granular_model(const GranularContact&, double);
template Model<3> granular_model(const GranularContact&, double);
template double solid_fraction(const Simulation<2>&, double, double, double);
template double solid_fraction(const Simulation<3>&, double, double, double);
template ContactStatistics contact_statistics(const Simulation<2>&, double, double);
template ContactStatistics contact_statistics(const Simulation<3>&, double, double);

}  // namespace abut
