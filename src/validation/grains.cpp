#include "validation/grains.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/ball_volume.hpp"

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

template <std::size_t D>
std::vector<char> find_rattlers(const std::vector<ContactState<D>>& contacts, std::size_t ids,
                                double weight) {
  std::vector<char> rattles(ids, 0);
  for (bool changed = true; changed;) {
    std::vector<char> pressed(ids, 0);
    for (const ContactState<D>& contact : contacts) {
      if (contact.wall || rattles[contact.a] != 0 || rattles[contact.b] != 0) continue;
      const double up = contact.force[D - 1];
      if (std::abs(up) > 1e-3 * weight) pressed[up < 0 ? contact.a : contact.b] = 1;
    }
    changed = false;
    for (std::size_t id = 0; id < ids; ++id) {
      if (pressed[id] != 0 || rattles[id] != 0) continue;
      rattles[id] = 1;
      changed = true;
    }
  }
  return rattles;
}

}  // namespace

template <std::size_t D>
Model<D> grain_model(const GrainLaw& law, double smallest_radius) {
  Model<D> model;
  model.materials = {{"grain", 1}, {"wall", 1}};
  Interaction grains{.stiffness = law.stiffness, .restitution = law.restitution};
  grains.friction = law.friction;
  Interaction wall = grains;
  wall.friction = law.wall_friction;
  model.interactions = {{0, 0, grains}, {0, wall_material, wall}};
  model.gravity[D - 1] = -1;
  // An impact of two takes some fifteen steps, π/2·10.
  const double reduced_mass = ball_volume<D>(smallest_radius) / 2;
  model.time_step = 0.2 * std::sqrt(reduced_mass / law.stiffness);
  return model;
}

template <std::size_t D>
double solid_fraction(const Simulation<D>& run, double low, double high, double base) {
  double volume = 0;
  for (std::size_t i = 0; i < run.size(); ++i) {
    const auto grain = run.particle(i);
    const double lowest = grain.place[D - 1] - grain.radius;
    volume +=
        volume_below<D>(grain.radius, high - lowest) - volume_below<D>(grain.radius, low - lowest);
  }
  return volume / (base * (high - low));
}

template <std::size_t D>
Touching touching(const Simulation<D>& run, double low, double high) {
  const auto contacts = run.contacts();
  const std::size_t ids = run.population().released;
  const std::vector<char> rattles = find_rattlers<D>(contacts, ids, ball_volume<D>(0.5));
  std::vector<char> counts(ids, 0);
  double all = 0;
  double firm = 0;
  for (std::size_t i = 0; i < run.size(); ++i) {
    const auto grain = run.particle(i);
    if (grain.place[D - 1] < low || grain.place[D - 1] > high) continue;
    ++all;
    if (rattles[grain.id] != 0) continue;
    ++firm;
    counts[grain.id] = 1;
  }
  double ends = 0;
  double overlaps = 0;
  for (const ContactState<D>& contact : contacts) {
    if (contact.wall || rattles[contact.a] != 0 || rattles[contact.b] != 0) continue;
    const double here = counts[contact.a] + counts[contact.b];
    ends += here;
    overlaps += here * contact.overlap;
  }
  return {ends / firm, 1 - firm / all, overlaps / ends};
}

double mass_of_grains(const Simulation3& run) {
  double mass = 0;
  for (std::size_t i = 0; i < run.size(); ++i) mass += run.particle(i).mass;
  return mass;
}

template Model<2> grain_model(const GrainLaw&, double);
template Model<3> grain_model(const GrainLaw&, double);
template double solid_fraction(const Simulation<2>&, double, double, double);
template double solid_fraction(const Simulation<3>&, double, double, double);
template Touching touching(const Simulation<2>&, double, double);
template Touching touching(const Simulation<3>&, double, double);

}  // namespace abut
