#include "dem/simulation_state.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/arrays.hpp"
#include "core/message.hpp"
#include "core/periodic_domain.hpp"
#include "dem/particle_store.hpp"

namespace abut {
namespace {

template <std::size_t D>
void check_model(const Model<D>& model) {
  if (model.materials.empty()) throw Error("a simulation needs at least one material");
  if (model.materials.size() > 255) throw Error("at most 255 materials");
  for (const Material& material : model.materials)
    if (!(material.density > 0) || !std::isfinite(material.density))
      throw Error(message("material ", material.name, ": density = ", material.density,
                          ", must be above 0"));
  if (!(model.time_step >= 0) || !std::isfinite(model.time_step))
    throw Error(message("time_step = ", model.time_step, ", must be above 0"));
  for (std::size_t k = 0; k < D; ++k) {
    if (!std::isfinite(model.gravity[k]))
      throw Error(message("gravity[", k, "] = ", model.gravity[k], " is no number"));
    if (model.periodic[k] && !model.domain) throw Error("a periodic axis needs a domain");
    if (model.domain && !(model.domain->min[k] < model.domain->max[k]))
      throw Error(message("domain: min[", k, "] = ", model.domain->min[k], " is not below max[", k,
                          "] = ", model.domain->max[k]));
  }
}

}  // namespace

template <std::size_t D>
Simulation<D>::State::State(Model<D> given)
    : model((check_model(given), std::move(given))),
      coefficients(coefficient_table(model.law, model.materials, model.contact_parameters)),
      wall_contacts(!model.track_energy),
      threads(std::make_shared<ThreadPool>(model.threads)),
      pool(*threads),
      kernels{} {
  for (const ContactCoefficients& pair : coefficients.pairs) {
    has_friction = has_friction || pair.friction > 0 || pair.rolling_friction > 0;
    has_rolling = has_rolling || pair.rolling_friction > 0;
    has_restitution = has_restitution || pair.damping_factor > 0;
    has_cohesion = has_cohesion || pair.cohesion_range > 0;
    cohesion_range = std::max(cohesion_range, pair.cohesion_range);
  }
  kernels = step_kernels(model.law, has_friction, model.track_energy);
}

template <std::size_t D>
double Simulation<D>::State::mass_of(double radius, std::size_t material) const {
  const double volume = D == 2 ? std::numbers::pi * radius * radius
                               : 4.0 / 3 * std::numbers::pi * radius * radius * radius;
  return model.materials[material].density * volume;
}

template <std::size_t D>
double Simulation<D>::State::inverse_inertia(double radius, double mass) const {
  return (D == 2 ? 2 : 2.5) / (mass * radius * radius);
}

template <std::size_t D>
void Simulation<D>::State::check(const NewParticles<D>& more) const {
  if (more.material >= model.materials.size())
    throw Error(message("material ", more.material, ", of ", model.materials.size()));
  if (more.fixed && (step > 0 || particles.size() > particles.fixed_count))
    throw Error("fixed particles are added before all others");
  const std::size_t count = more.spheres.size();
  for (const std::size_t given : {more.velocity.size(), more.angular_velocity.size()})
    if (given > 1 && given != count)
      throw Error(message(given, " velocities or spins for ", count,
                          " particles: none, one, or one for each"));
  const auto check_number = [](const char* what, std::size_t i, double number) {
    if (!std::isfinite(number)) throw Error(message(what, "[", i, "] = ", number, " is no number"));
  };
  for (std::size_t i = 0; i < count; ++i) {
    const double r = more.spheres.radius(i);
    if (!(r > 0) || !std::isfinite(r))
      throw Error(message("radius[", i, "] = ", r, ", must be above 0"));
    for (std::size_t k = 0; k < D; ++k) check_number("place", i, more.spheres.coordinate(k, i));
  }
  for (std::size_t i = 0; i < more.velocity.size(); ++i)
    for (const double part : more.velocity[i]) check_number("velocity", i, part);
  for (std::size_t i = 0; i < more.angular_velocity.size(); ++i)
    for (const double part : more.angular_velocity[i]) check_number("spin", i, part);
}

template <std::size_t D>
void Simulation<D>::State::add(const NewParticles<D>& more) {
  check(more);
  check_coincident_centers(particles, more, next_id);
  track_input([&] { append(more); });
  resize_forces(particles.size() - more.spheres.size());
  neighbor_list_valid = false;
  time_step_checked = false;
}

template <std::size_t D>
void Simulation<D>::State::append(const NewParticles<D>& more) {
  const auto value = [](const auto& values, std::size_t i) {
    return values.empty() ? typename std::decay_t<decltype(values)>::value_type{}
                          : values[values.size() == 1 ? 0 : i];
  };
  particles.reserve(particles.size() + more.spheres.size());
  for (std::size_t i = 0; i < more.spheres.size(); ++i) {
    const double r = more.spheres.radius(i);
    const double mass = mass_of(r, more.material);
    Point<D> place;
    for (std::size_t k = 0; k < D; ++k) place[k] = more.spheres.coordinate(k, i);
    particles.position.push_back(to_vec4(place, r));
    particles.velocity.push_back(to_vec4(value(more.velocity, i), more.fixed ? 0 : 1 / mass));
    particles.angular_velocity.push_back(
        to_vec4(value(more.angular_velocity, i), more.fixed ? 0 : inverse_inertia(r, mass)));
    particles.id.push_back(next_id++);
    particles.material.push_back(static_cast<std::uint8_t>(more.material));
  }
  if (more.fixed) particles.fixed_count += more.spheres.size();
}

template <std::size_t D>
void Simulation<D>::State::set_open(std::size_t wall, bool open) {
  if (wall_contacts.wall_states()[wall].is_open == open) return;
  track_input([&] { wall_contacts.set_open(wall, open); });
  neighbor_list_valid = false;
}

// Nothing has pushed those that are new; slots that stood behind the others are empty now.
template <std::size_t D>
void Simulation<D>::State::resize_forces(std::size_t before) {
  const auto grow = [&](std::vector<Vec4>& records) {
    records.resize(before);
    reserve_with_slack(records, particles.size());
    records.resize(particles.size());
  };
  grow(force_sum);
  if (has_friction) grow(torque_sum);
  if (!has_forces || model.integrator != Integrator::predictor_corrector) return;
  grow(acceleration);
  grow(angular_acceleration);
}

template <std::size_t D>
WallOptions<D> Simulation<D>::State::wall_options(double margin) const {
  WallOptions<D> options;
  options.margin = margin;
  options.domain = model.domain;
  options.periodic = model.periodic;
  options.threads = model.threads;
  return options;
}

template <std::size_t D>
DetectorOptions<D> Simulation<D>::State::search_options(const Spheres<D>& all) const {
  DetectorOptions<D> options;
  options.method = model.search_method;
  options.margin = cohesion_range + skin;
  options.fixed_count = particles.fixed_count;
  options.threads = model.threads;
  options.track_motion = false;
  options.periodic = model.periodic;
  if (std::none_of(model.periodic.begin(), model.periodic.end(), [](bool p) { return p; }))
    return options;
  // With room for those that fly out: they are taken care of later.
  options.domain = enclosing_domain(*model.domain, model.periodic, all);
  for (std::size_t k = 0; k < D; ++k) {
    const double size = options.domain->max[k] - options.domain->min[k];
    if (model.periodic[k]) continue;
    options.domain->min[k] -= size;
    options.domain->max[k] += size;
  }
  return options;
}

/// The law once more for one pair, in a place of its own.
template <std::size_t D>
ContactState<D> Simulation<D>::State::contact(std::size_t pair) const {
  const auto [a, b] = neighbor_list.pairs()[pair];
  const std::array<Vec4, 2> place{particles.position[a], particles.position[b]};
  const std::array<Vec4, 2> velocity{particles.velocity[a], particles.velocity[b]};
  const std::array<Vec4, 2> spin{particles.angular_velocity[a], particles.angular_velocity[b]};
  const std::array<std::uint8_t, 2> material{particles.material[a], particles.material[b]};
  std::array<Vec4, 2> felt{};
  std::array<Vec4, 2> twisted{};
  Spring spring = neighbor_list.spring(pair);
  const NeighborList::Image image = neighbor_list.image(pair);
  std::array<double, 3> shift{};
  if (model.domain)
    for (std::size_t k = 0; k < D; ++k)
      shift[k] = image[k] * (model.domain->max[k] - model.domain->min[k]);
  const Vec4 moved{shift[0], shift[1], shift[2], 0};
  const ImageIndex number = 0;
  const Pair both{0, 1};
  PairChunk run{&both, 1, {}, &number, &moved, 2, 2};
  for (std::size_t axis = 0; axis < spring.size(); ++axis) run.spring[axis] = &spring[axis];
  kernels.pairs(
      force_parameters(0),
      {place.data(), velocity.data(), spin.data(), material.data(), felt.data(), twisted.data()},
      run);
  ContactState<D> state{particles.id[a], particles.id[b], false, 0, {}, {}, {}};
  const std::array<double, 3> apart{place[0].x - place[1].x - shift[0],
                                    place[0].y - place[1].y - shift[1],
                                    place[0].z - place[1].z - shift[2]};
  const double distance =
      std::sqrt(apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]);
  state.overlap = place[0].w + place[1].w - distance;
  const std::array<double, 3> centre{place[0].x, place[0].y, place[0].z};
  const std::array<double, 3> force{felt[0].x, felt[0].y, felt[0].z};
  for (std::size_t k = 0; k < D; ++k) {
    state.normal[k] = apart[k] / distance;
    state.point[k] = centre[k] - (place[0].w - state.overlap / 2) * state.normal[k];
    state.force[k] = force[k];
  }
  return state;
}

template <std::size_t D>
void Simulation<D>::State::verify_neighbors(std::size_t one_in) const {
  const auto shortest = [&](double apart, std::size_t k) {
    if (k >= D || !model.periodic[k]) return apart;
    const double period = model.domain->max[k] - model.domain->min[k];
    return apart - period * std::round(apart / period);
  };
  // Those that came after the last search take part in the next step.
  const auto is_new = [&](std::size_t i) { return particles.id[i] >= listed_id_end; };
  for (std::size_t i = step % one_in; i < particles.size(); i += one_in)
    for (std::size_t j = 0; j < particles.size(); ++j) {
      if (i == j || is_new(i) || is_new(j) ||
          (i < particles.fixed_count && j < particles.fixed_count))
        continue;
      const Vec4& p = particles.position[i];
      const Vec4& q = particles.position[j];
      const std::array<double, 3> apart{shortest(p.x - q.x, 0), shortest(p.y - q.y, 1),
                                        shortest(p.z - q.z, 2)};
      const double gap = std::hypot(apart[0], apart[1], apart[2]) - (p.w + q.w);
      const Pair pair{static_cast<Index>(std::min(i, j)), static_cast<Index>(std::max(i, j))};
      if (gap < 0 &&
          !std::binary_search(neighbor_list.pairs().begin(), neighbor_list.pairs().end(), pair))
        throw Error(message("step ", step, ": particles ", particles.id[i], " and ",
                            particles.id[j], " overlap by ", -gap,
                            ", and the search has not found them"));
    }
}

template class Simulation<2>::State;
template class Simulation<3>::State;

}  // namespace abut
