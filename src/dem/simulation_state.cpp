#include "dem/simulation_state.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/buffers.hpp"
#include "core/message.hpp"
#include "core/periodic_domain.hpp"
#include "dem/particle_store.hpp"

namespace abut {
namespace {

[[noreturn]] void reject(const std::string& key, double value, const char* requirement) {
  throw Error(ErrorCode::invalid_argument, {.key = key, .value = message(value)}, requirement);
}

template <std::size_t D>
void check_model(const Model<D>& model) {
  if (model.materials.empty()) throw Error("a simulation needs at least one material");
  if (model.materials.size() > 255) throw Error("a simulation can have at most 255 materials");
  for (const Material& material : model.materials)
    if (!(material.density > 0) || !std::isfinite(material.density))
      throw Error(message("material ", material.name, ": density = ", material.density,
                          ": must be positive"),
                  ErrorCode::invalid_argument,
                  {.key = "density", .value = message(material.density)});
  if (!(model.time_step >= 0) || !std::isfinite(model.time_step))
    reject("time_step", model.time_step, "must be positive, or 0 to choose it automatically");
  for (std::size_t k = 0; k < D; ++k) {
    if (!std::isfinite(model.gravity[k]))
      reject(message("gravity[", k, "]"), model.gravity[k], "must be finite");
    if (model.periodic[k] && !model.domain) throw Error("a periodic axis needs a domain");
    if (model.domain && !(model.domain->min[k] < model.domain->max[k]))
      throw Error(message("domain: min[", k, "] = ", model.domain->min[k],
                          ": must be less than max[", k, "] = ", model.domain->max[k]));
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
void Simulation<D>::State::check(const NewParticles<D>& added) const {
  if (added.material.value() >= model.materials.size())
    throw Error(message("material ", added.material.value(), " does not exist; there are ",
                        model.materials.size()),
                ErrorCode::out_of_range);
  if (added.fixed && (step > 0 || particles.size() > particles.fixed_count))
    throw Error("fixed particles must be added before all moving particles and the first step");
  const std::size_t count = added.spheres.size();
  for (const std::size_t given : {added.velocity.size(), added.angular_velocity.size()})
    if (given > 1 && given != count)
      throw Error(message(given, " velocities or angular velocities for ", count,
                          " particles: give none, one, or one per particle"));
  const auto check_finite = [](const char* name, std::size_t i, double value) {
    if (!std::isfinite(value)) reject(message(name, "[", i, "]"), value, "must be finite");
  };
  for (std::size_t i = 0; i < count; ++i) {
    const double radius = added.spheres.radius(i);
    if (!(radius > 0) || !std::isfinite(radius))
      reject(message("radius[", i, "]"), radius, "must be positive");
    for (std::size_t k = 0; k < D; ++k) check_finite("position", i, added.spheres.coordinate(k, i));
  }
  for (std::size_t i = 0; i < added.velocity.size(); ++i)
    for (const double component : added.velocity[i]) check_finite("velocity", i, component);
  for (std::size_t i = 0; i < added.angular_velocity.size(); ++i)
    for (const double component : added.angular_velocity[i])
      check_finite("angular_velocity", i, component);
}

template <std::size_t D>
void Simulation<D>::State::add(const NewParticles<D>& added) {
  check(added);
  check_coincident_centers(particles, added, next_id);
  track_input([&] { append(added); });
  resize_forces(particles.size() - added.spheres.size());
  neighbor_list_valid = false;
  time_step_checked = false;
}

template <std::size_t D>
void Simulation<D>::State::append(const NewParticles<D>& added) {
  const auto value = [](const auto& values, std::size_t i) {
    return values.empty() ? typename std::decay_t<decltype(values)>::value_type{}
                          : values[values.size() == 1 ? 0 : i];
  };
  index_by_id.clear();
  const std::size_t material = added.material.value();
  particles.reserve(particles.size() + added.spheres.size());
  for (std::size_t i = 0; i < added.spheres.size(); ++i) {
    const double radius = added.spheres.radius(i);
    const double mass = mass_of(radius, material);
    Point<D> position;
    for (std::size_t k = 0; k < D; ++k) position[k] = added.spheres.coordinate(k, i);
    particles.position.push_back(to_vec4(position, radius));
    particles.velocity.push_back(to_vec4(value(added.velocity, i), added.fixed ? 0 : 1 / mass));
    particles.angular_velocity.push_back(
        to_vec4(value(added.angular_velocity, i), added.fixed ? 0 : inverse_inertia(radius, mass)));
    particles.id.push_back(next_id++);
    particles.material.push_back(static_cast<std::uint8_t>(material));
  }
  if (added.fixed) particles.fixed_count += added.spheres.size();
}

template <std::size_t D>
void Simulation<D>::State::update_index_by_id() {
  if (!index_by_id.empty() || particles.size() == 0) return;
  const std::size_t max_id = *std::max_element(particles.id.begin(), particles.id.end());
  index_by_id.assign(max_id + 1, ParticleStore::removed);
  for (std::size_t i = 0; i < particles.size(); ++i)
    index_by_id[particles.id[i]] = static_cast<std::uint32_t>(i);
}

template <std::size_t D>
std::optional<std::size_t> Simulation<D>::State::find(ParticleId id) {
  update_index_by_id();
  if (id.value() >= index_by_id.size() || index_by_id[id.value()] == ParticleStore::removed)
    return std::nullopt;
  return index_by_id[id.value()];
}

template <std::size_t D>
std::size_t Simulation<D>::State::index_of(ParticleId id) {
  if (const auto index = find(id)) return *index;
  throw Error(id.value() < next_id
                  ? message("particle ", id.value(), " has been removed")
                  : message("particle ", id.value(), " does not exist; the next id is ", next_id),
              ErrorCode::out_of_range);
}

template <std::size_t D>
std::size_t Simulation<D>::State::index_of_moving(ParticleId id) {
  const std::size_t index = index_of(id);
  if (index < particles.fixed_count) throw Error(message("particle ", id.value(), " is fixed"));
  return index;
}

template <std::size_t D>
void Simulation<D>::State::set_open(std::size_t wall, bool open) {
  if (wall_contacts.wall_states()[wall].is_open == open) return;
  track_input([&] { wall_contacts.set_open(wall, open); });
  neighbor_list_valid = false;
}

// Forces on new particles are 0. The slots behind the particles are dropped: the next rebuild of
// the neighbor list creates them again.
template <std::size_t D>
void Simulation<D>::State::resize_forces(std::size_t previous_count) {
  const auto resize = [&](std::vector<Vec4>& vectors) {
    vectors.resize(previous_count);
    reserve_with_slack(vectors, particles.size());
    vectors.resize(particles.size());
  };
  resize(force_sum);
  if (has_friction) resize(torque_sum);
  if (!has_forces || model.integrator != Integrator::predictor_corrector) return;
  resize(acceleration);
  resize(angular_acceleration);
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
DetectorOptions<D> Simulation<D>::State::search_options(const Spheres<D>& spheres) const {
  DetectorOptions<D> options;
  options.method = model.search_method;
  options.margin = cohesion_range + skin;
  options.fixed_count = particles.fixed_count;
  options.threads = model.threads;
  options.track_motion = false;
  options.periodic = model.periodic;
  if (std::none_of(model.periodic.begin(), model.periodic.end(), [](bool p) { return p; }))
    return options;
  // Three times the size along axes that are not periodic, so that particles that leave the domain
  // stay within until they are removed.
  options.domain = enclosing_domain(*model.domain, model.periodic, spheres);
  for (std::size_t k = 0; k < D; ++k) {
    const double size = options.domain->max[k] - options.domain->min[k];
    if (model.periodic[k]) continue;
    options.domain->min[k] -= size;
    options.domain->max[k] += size;
  }
  return options;
}

/// Evaluates the contact law for one pair on copies of its data, without advancing its springs.
/// `index` is that of the pair in the neighbor list.
template <std::size_t D>
ContactState<D> Simulation<D>::State::contact(std::size_t index, const Pair& pair) const {
  const auto [a, b] = pair;
  const std::array<Vec4, 2> position{particles.position[a], particles.position[b]};
  const std::array<Vec4, 2> velocity{particles.velocity[a], particles.velocity[b]};
  const std::array<Vec4, 2> angular_velocity{particles.angular_velocity[a],
                                             particles.angular_velocity[b]};
  const std::array<std::uint8_t, 2> material{particles.material[a], particles.material[b]};
  std::array<Vec4, 2> force{};
  std::array<Vec4, 2> torque{};
  const NeighborList::Image image = neighbor_list.image(index);
  std::array<double, 3> shift{};
  if (model.domain)
    for (std::size_t k = 0; k < D; ++k)
      shift[k] = image[k] * (model.domain->max[k] - model.domain->min[k]);
  // A list of one pair; the entries after it are read, but not used.
  const std::array<Vec4, 2> shifts{{{}, {shift[0], shift[1], shift[2], 0}}};
  const std::array<ImageIndex, 4> image_index{1};
  const std::array<Index, 3> row_begin{0, 1, 1};
  const std::array<Index, 4> neighbors{1};
  const std::array<Index, 2> slot_offset{};
  constexpr std::uint32_t stamp = 1;
  const Spring spring = neighbor_list.spring(index);
  PairSpring friction_spring{spring[0], spring[1], spring[2], stamp};
  PairSpring rolling_spring{spring[3], spring[4], spring[5], stamp};
  kernels.pairs(force_parameters(0),
                {position.data(), velocity.data(), angular_velocity.data(), material.data(),
                 force.data(), torque.data()},
                {0, 2, row_begin.data(), neighbors.data(), slot_offset.data(), image_index.data(),
                 shifts.data(), &friction_spring, &rolling_spring, stamp, stamp});
  // From b to a, rounded as in the kernels.
  const std::array<double, 3> difference{position[0].x - position[1].x - shift[0],
                                         position[0].y - position[1].y - shift[1],
                                         position[0].z - position[1].z - shift[2]};
  const double distance = std::sqrt(difference[0] * difference[0] + difference[1] * difference[1] +
                                    difference[2] * difference[2]);
  ContactState<D> result{
      ParticleId{particles.id[a]}, ParticleId{particles.id[b]}, {}, false, 0, {}, {}, {}};
  result.overlap = position[0].w + position[1].w - distance;
  for (std::size_t k = 0; k < D; ++k) {
    result.normal[k] = -difference[k] / distance;
    result.point[k] =
        position[0].*vec4_axes[k] + (position[0].w - result.overlap / 2) * result.normal[k];
    result.force[k] = force[0].*vec4_axes[k];
  }
  return result;
}

template <std::size_t D>
void Simulation<D>::State::verify_neighbors(std::size_t stride) const {
  const auto minimum_image = [&](double difference, std::size_t k) {
    if (k >= D || !model.periodic[k]) return difference;
    const double period = model.domain->max[k] - model.domain->min[k];
    return difference - period * std::round(difference / period);
  };
  // Particles added after the last search enter the list in the next step.
  const auto is_new = [&](std::size_t i) { return particles.id[i] >= listed_id_end; };
  for (std::size_t i = step % stride; i < particles.size(); i += stride)
    for (std::size_t j = 0; j < particles.size(); ++j) {
      if (i == j || is_new(i) || is_new(j) ||
          (i < particles.fixed_count && j < particles.fixed_count))
        continue;
      const Vec4& p = particles.position[i];
      const Vec4& q = particles.position[j];
      const std::array<double, 3> difference{
          minimum_image(p.x - q.x, 0), minimum_image(p.y - q.y, 1), minimum_image(p.z - q.z, 2)};
      const double gap = std::hypot(difference[0], difference[1], difference[2]) - (p.w + q.w);
      const Pair pair{static_cast<Index>(std::min(i, j)), static_cast<Index>(std::max(i, j))};
      if (gap < 0 && !neighbor_list.contains(pair))
        throw Error(
            message("step ", step, ": particles ", particles.id[i], " and ", particles.id[j],
                    " overlap by ", -gap, " but are not in the neighbor list"),
            ErrorCode::simulation);
    }
}

template class Simulation<2>::State;
template class Simulation<3>::State;

}  // namespace abut
