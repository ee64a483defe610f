#include "bench/dem_scenes.hpp"

#include <abut/error.hpp>
#include <abut/insertion.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "core/message.hpp"
#include "core/portable_math.hpp"
#include "core/statistics.hpp"
#include "core/vec.hpp"
#include "io/checkpoint_file.hpp"

namespace abut {
namespace {

constexpr std::array<std::pair<std::string_view, DemSceneKind>, 5> scene_names{
    {{"settled", DemSceneKind::settled},
     {"chute", DemSceneKind::chute},
     {"silo", DemSceneKind::silo},
     {"drum", DemSceneKind::drum},
     {"polydisperse", DemSceneKind::polydisperse}}};

constexpr double unit_mass_density = 6 / std::numbers::pi;  // a sphere of diameter 1 has mass 1
constexpr double max_diameter = 1.05;                       // except of polydisperse spheres
constexpr double max_poly_diameter = 4;

Model<3> model_of(const ContactParameters& contact, double density, const Vec<3>& gravity,
                  double time_step) {
  return {.materials = {{"grain", density}},
          .contact_parameters = {{.parameters = contact}},
          .gravity = gravity,
          .time_step = time_step};
}

// Spheres of unit mass under vertical gravity.
Model<3> grain_model(bool has_friction, double damping_rate) {
  return model_of({.stiffness = 1e4,
                   .damping_rate = damping_rate,
                   .friction = has_friction ? 0.5 : 0,
                   .tangential_stiffness_ratio = 2.0 / 7},
                  unit_mass_density, {0, 0, -1}, 1e-3);
}

// The chute of the LAMMPS benchmark bench/in.chute. Tangential damping is off.
Model<3> chute_model() {
  constexpr double inclination = 26 * std::numbers::pi / 180;
  Model<3> model =
      model_of({.stiffness = 2e5,
                .damping_rate = 50,
                .friction = 0.5,
                .tangential_stiffness_ratio = 2.0 / 7,
                .tangential_damping_ratio = 0},
               1, {portable_math::sin(inclination), 0, -portable_math::cos(inclination)}, 1e-4);
  model.periodic = {true, true, false};
  return model;
}

// The model of a scene apart from its domain.
Model<3> model_of(DemSceneKind kind, bool has_friction) {
  if (kind == DemSceneKind::chute) return chute_model();
  return grain_model(has_friction, kind == DemSceneKind::polydisperse ? 10 : 60);
}

// For falling and settling: the motion need not be accurate, only come to rest soon.
Model<3> damped(Model<3> model) {
  model.contact_parameters.front().parameters.damping_rate = 100;
  model.time_step = 2e-3;
  return model;
}

// 1.5 times the free-fall time from this height, because spheres obstruct each other.
std::size_t falling_steps(double height, const Model<3>& model) {
  return static_cast<std::size_t>(1.5 * std::sqrt(2 * height) / model.time_step);
}

// Walls at the sides of the box and a floor, or periodic boundaries. The domain of a periodic
// scene reaches far above the particles.
void enclose(DemScene& scene, const Box<3>& box) {
  scene.box = box;
  if (scene.kind == DemSceneKind::chute) {
    constexpr double clearance = 20;
    scene.model.domain = box;
    scene.model.domain->min[2] -= 1;
    scene.model.domain->max[2] = scene.particles.highest() + clearance;
    return;
  }
  for (const auto& corner : {box.min, box.max}) {
    scene.walls.push_back({"", Plane<3>{{corner[0], 0, 0}, {1, 0, 0}}});
    scene.walls.push_back({"", Plane<3>{{0, corner[1], 0}, {0, 1, 0}}});
  }
  scene.walls.push_back({"", Plane<3>{{0, 0, box.min[2]}, {0, 0, 1}}});
}

// A large packing oscillates for long: it is stopped several times, with some steps between.
std::vector<PreparationPhase> settling(const Model<3>& model, double height) {
  constexpr std::size_t stop_count = 4;
  const Model<3> falling = damped(model);
  std::vector<PreparationPhase> phases{{falling_steps(height, falling), falling, false, {}}};
  phases.insert(phases.end(), stop_count, {300, falling, true, {}});
  phases.push_back({1000, model, false, {}});
  return phases;
}

// Cells of a lattice in layers of nx by ny. Layers continue upward without limit.
struct Lattice {
  Point<3> origin{};
  Vec<3> spacing{};
  std::size_t nx = 1;
  std::size_t ny = 1;
  bool is_staggered = false;  // every second layer is shifted by half a cell along x and y

  [[nodiscard]] Point<3> center(std::size_t i) const {
    const std::array<std::size_t, 3> cell{i % nx, i / nx % ny, i / nx / ny};
    const double shift = is_staggered && cell[2] % 2 == 1 ? 1 : 0.5;
    return {origin[0] + (static_cast<double>(cell[0]) + shift) * spacing[0],
            origin[1] + (static_cast<double>(cell[1]) + shift) * spacing[1],
            origin[2] + (static_cast<double>(cell[2]) + 0.5) * spacing[2]};
  }
};

// As many cells as fit into a width.
std::size_t cells_in(double width, double spacing) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(width / spacing));
}

// Adds a sphere of diameter 1 to 1.05 in each of the first `count` cells that `accepts` selects.
// Small random displacements make the lattice collapse.
template <class Accepts>
void add_lattice(SceneParticles& particles, std::size_t count, const Lattice& lattice,
                 Random& random, const Accepts& accepts) {
  constexpr double disorder = 0.005;
  for (std::size_t i = 0; count > 0; ++i) {
    Point<3> center = lattice.center(i);
    if (!accepts(center)) continue;
    for (double& coordinate : center) coordinate += random.uniform(-disorder, disorder);
    particles.add(center, random.uniform(1, max_diameter) / 2);
    --count;
  }
}

constexpr double loose_spacing = 1.08;

// About as wide as high after settling.
DemScene settled_scene(const DemSceneOptions& options) {
  DemScene scene{.kind = options.kind, .model = model_of(options.kind, options.has_friction)};
  Random random(options.seed);
  const double width =
      std::max(2.0, std::ceil(portable_math::cbrt(static_cast<double>(options.count))));
  const std::size_t cells = cells_in(width, loose_spacing);
  const double spacing = width / static_cast<double>(cells);
  add_lattice(scene.particles, options.count,
              {.spacing = {spacing, spacing, loose_spacing}, .nx = cells, .ny = cells}, random,
              [](const Point<3>&) { return true; });
  enclose(scene, {{0, 0, 0}, {width, width, scene.particles.highest()}});
  scene.preparation = settling(scene.model, scene.particles.highest());
  return scene;
}

// Radii are uniformly distributed by mass, hence the mean of r³.
DemScene polydisperse_scene(const DemSceneOptions& options) {
  constexpr double min_radius = 0.5;
  constexpr double max_radius = max_poly_diameter / 2;
  constexpr double mean_cube = 2 * (max_radius - min_radius) /
                               (1 / (min_radius * min_radius) - 1 / (max_radius * max_radius));
  constexpr double mean_volume = 4 * std::numbers::pi / 3 * mean_cube;
  constexpr double solid_fraction_settled = 0.62;
  constexpr double solid_fraction_inserted = 0.4;
  DemScene scene{.kind = options.kind, .model = model_of(options.kind, true)};
  const double volume = static_cast<double>(options.count) * mean_volume;
  const double width = std::max(2 * max_poly_diameter,
                                std::ceil(portable_math::cbrt(volume / solid_fraction_settled)));
  const double height = max_poly_diameter + volume / (solid_fraction_inserted * width * width);
  const InsertionResult<3> loose =
      insert_particles<3>({.count = options.count,
                           .region = Box<3>{{0, 0, 0}, {width, width, height}},
                           .sizes = uniform_by_mass<3>(min_radius, max_radius),
                           .seed = options.seed});
  if (!loose.report.is_complete()) throw Error(loose.report.summary());
  for (std::size_t i = 0; i < loose.size(); ++i)
    scene.particles.add(loose.center(i), loose.radii[i]);
  enclose(scene, {{0, 0, 0}, {width, width, height}});
  scene.preparation = settling(scene.model, height);
  return scene;
}

// Fixed spheres on a square lattice, so close that no sphere passes, with random heights.
void add_rough_base(SceneParticles& particles, double length, double width, Random& random) {
  constexpr double spacing = 0.95;
  constexpr double max_height = 0.5;
  const std::size_t nx = cells_in(length, spacing) + 1;
  const std::size_t ny = cells_in(width, spacing) + 1;
  for (std::size_t j = 0; j < ny; ++j)
    for (std::size_t i = 0; i < nx; ++i)
      particles.add(
          {static_cast<double>(i) * length / static_cast<double>(nx),
           static_cast<double>(j) * width / static_cast<double>(ny), random.uniform(0, max_height)},
          0.5);
  particles.fixed_count = nx * ny;
}

// The spheres start with the velocity profile of Bagnold, v(0) = 0 and dv/dz = 1.5 a sqrt(h - z);
// the coefficient a is that of the steady flow at 26 degrees. Softer contacts, with the same
// restitution, make the lattice disordered in fewer steps.
DemScene chute_scene(const DemSceneOptions& options) {
  constexpr double solid_fraction = 0.57;
  constexpr double bagnold_coefficient = 0.064;
  constexpr double fluctuation = 0.3;
  constexpr double softening = 10;
  constexpr double lattice_spacing = 1.1;
  DemScene scene{.kind = options.kind, .model = chute_model()};
  Random random(options.seed);
  const double width =
      std::max(6.0, std::ceil(0.63 * portable_math::cbrt(static_cast<double>(options.count))));
  const double length = 2 * width;
  const double volume = static_cast<double>(options.count) * std::numbers::pi / 6 / solid_fraction;
  const double height = volume / (length * width);
  add_rough_base(scene.particles, length, width, random);
  const std::size_t nx = cells_in(length, lattice_spacing);
  const std::size_t ny = cells_in(width, lattice_spacing);
  const Lattice lattice{
      .origin = {0, 0, 1.2},
      .spacing = {length / static_cast<double>(nx), width / static_cast<double>(ny),
                  volume / static_cast<double>(options.count) /
                      (length / static_cast<double>(nx) * width / static_cast<double>(ny))},
      .nx = nx,
      .ny = ny,
      .is_staggered = true};
  for (std::size_t i = 0; i < options.count; ++i) {
    const Point<3> center = lattice.center(i);
    const double depth = std::max(0.0, height - (center[2] - lattice.origin[2]));
    Vec<3> velocity{
        bagnold_coefficient * (portable_math::pow(height, 1.5) - portable_math::pow(depth, 1.5)), 0,
        0};
    for (double& component : velocity) component += random.uniform(-fluctuation, fluctuation);
    scene.particles.add(center, 0.5, velocity,
                        {0, 0.75 * bagnold_coefficient * std::sqrt(depth), 0});
  }
  enclose(scene, {{0, 0, 0}, {length, width, scene.particles.highest()}});
  Model<3> soft = scene.model;
  soft.time_step *= std::sqrt(softening);
  ContactParameters& contact = soft.contact_parameters.front().parameters;
  contact.stiffness /= softening;
  contact.damping_rate = *contact.damping_rate / std::sqrt(softening);
  scene.preparation = {{6000, soft, false, {}}, {1000, scene.model, false, {}}};
  return scene;
}

constexpr double wall_clearance = 0.55;  // of centers on a lattice

// The orifice is at z = 0, below a hopper with walls at 45 degrees. A lid is removed when the
// spheres have settled; they discharge for some time before the benchmark. Spheres far below the
// orifice are removed.
DemScene silo_scene(const DemSceneOptions& options) {
  constexpr double drop_height = 50;
  constexpr std::size_t discharge_steps = 3000;
  DemScene scene{.kind = options.kind, .model = model_of(options.kind, true)};
  Random random(options.seed);
  const double radius = std::max(
      4.0, 0.46 * portable_math::cbrt(static_cast<double>(options.count)));  // height: 3 radii
  const double orifice_radius = std::max(2.5, radius / 4);
  const double hopper_height = radius - orifice_radius;
  const std::size_t cells = cells_in(2 * radius, loose_spacing);
  add_lattice(scene.particles, options.count,
              {.origin = {-radius, -radius, 0},
               .spacing = {2 * radius / static_cast<double>(cells),
                           2 * radius / static_cast<double>(cells), loose_spacing},
               .nx = cells,
               .ny = cells},
              random, [&](const Point<3>& center) {
                const double distance = portable_math::hypot(center[0], center[1]);
                return distance < radius - wall_clearance &&
                       distance < orifice_radius + center[2] - std::numbers::sqrt2 * wall_clearance;
              });
  const double top = scene.particles.highest() + 10;
  scene.walls = {{"hopper", cone({0, 0, 0}, {0, 0, hopper_height}, orifice_radius, radius)},
                 {"cylinder", cylinder({0, 0, hopper_height}, {0, 0, top}, radius)}};
  scene.box = {{-radius, -radius, -drop_height}, {radius, radius, top}};
  scene.model.domain = {{-2 * radius, -2 * radius, -drop_height},
                        {2 * radius, 2 * radius, 2 * top}};
  scene.model.allow_outflow = true;
  const Wall<3> lid{"lid", Annulus{{0, 0, 0}, {0, 0, 1}, orifice_radius + 1}};
  const Model<3> falling = damped(scene.model);
  scene.preparation = {{falling_steps(0.4 * top, falling), falling, false, {lid}},
                       {300, falling, true, {lid}},
                       {discharge_steps, scene.model, false, {}}};
  return scene;
}

// The axis is y. The lattice is inclined by the angle of the flowing surface, so that few rotations
// are needed until the flow is steady.
DemScene drum_scene(const DemSceneOptions& options) {
  constexpr double surface_angle = 0.5;   // rad
  constexpr double froude_number = 0.05;  // angular velocity² · radius / gravity
  DemScene scene{.kind = options.kind, .model = model_of(options.kind, true)};
  Random random(options.seed);
  const double radius =
      std::max(5.0, 1.12 * portable_math::cbrt(static_cast<double>(options.count)));
  const double width = radius / 2;
  const std::size_t nx = cells_in(2 * radius, loose_spacing);
  const std::size_t ny = cells_in(width, loose_spacing);
  add_lattice(scene.particles, options.count,
              {.origin = {-radius, 0, -radius},
               .spacing = {2 * radius / static_cast<double>(nx), width / static_cast<double>(ny),
                           loose_spacing},
               .nx = nx,
               .ny = ny},
              random, [&](const Point<3>& center) {
                return portable_math::hypot(center[0], center[2]) < radius - wall_clearance;
              });
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    double& x = scene.particles.spheres.coordinates[0][i];
    double& z = scene.particles.spheres.coordinates[2][i];
    const std::array<double, 2> before{x, z};
    x = portable_math::cos(surface_angle) * before[0] +
        portable_math::sin(surface_angle) * before[1];
    z = portable_math::cos(surface_angle) * before[1] -
        portable_math::sin(surface_angle) * before[0];
  }
  const WallMotion<3> rotation{.axis = {0, 1, 0},
                               .angular_velocity = std::sqrt(froude_number / radius)};
  scene.walls = {{"cylinder", cylinder({0, 0, 0}, {0, width, 0}, radius), MaterialId{0}, rotation},
                 {"front", Annulus{{0, 0, 0}, {0, 1, 0}, radius}, MaterialId{0}, rotation},
                 {"back", Annulus{{0, width, 0}, {0, 1, 0}, radius}, MaterialId{0}, rotation}};
  scene.box = {{-radius, 0, -radius}, {radius, width, radius}};
  const Model<3> falling = damped(scene.model);
  scene.preparation = {{falling_steps(0.6 * radius, falling), falling, false, {}},
                       {1000, scene.model, false, {}}};
  return scene;
}

void copy_state(const Simulation3& simulation, const DemScene& scene, SceneParticles& particles) {
  for (std::size_t i = 0; i < simulation.particle_count(); ++i) {
    const ParticleState<3> state = simulation.particle(ParticleIndex{i});
    for (std::size_t k = 0; k < 3; ++k) {
      double& coordinate = particles.spheres.coordinates[k][state.id.value()];
      coordinate = state.position[k];
      if (!scene.model.periodic[k]) continue;
      const double period = scene.box.max[k] - scene.box.min[k];
      coordinate -= period * std::floor((coordinate - scene.box.min[k]) / period);
    }
    particles.velocity[state.id.value()] = state.velocity;
    particles.angular_velocity[state.id.value()] = state.angular_velocity;
  }
}

Simulation3 simulation_of(const DemScene& scene, Model<3> model, unsigned threads) {
  model.threads = threads;
  Simulation3 simulation{std::move(model)};
  const SceneParticles& all = scene.particles;
  const auto add = [&](std::size_t begin, std::size_t end, bool fixed) {
    if (begin == end) return;
    const auto values = [&](const std::vector<double>& from) {
      return std::span(from).subspan(begin, end - begin);
    };
    const auto vectors = [&](const std::vector<Vec<3>>& from) {
      const auto part = std::span(from).subspan(begin, end - begin);
      return fixed ? std::vector<Vec<3>>{} : std::vector<Vec<3>>(part.begin(), part.end());
    };
    simulation.add(
        {.spheres = {{values(all.spheres.coordinates[0]), values(all.spheres.coordinates[1]),
                      values(all.spheres.coordinates[2])},
                     values(all.spheres.radii)},
         .velocity = vectors(all.velocity),
         .angular_velocity = vectors(all.angular_velocity),
         .fixed = fixed});
  };
  add(0, all.fixed_count, true);
  add(all.fixed_count, all.size(), false);
  for (const Wall<3>& wall : scene.walls) simulation.add(wall);
  return simulation;
}

}  // namespace

DemSceneKind parse_dem_scene(std::string_view name) {
  const auto* found =
      std::ranges::find(scene_names, name, [](const auto& one) { return one.first; });
  if (found == scene_names.end())
    throw Error(
        message("--scene = ", name, ": must be settled, chute, silo, drum or polydisperse"));
  return found->second;
}

std::string_view name_of(DemSceneKind kind) {
  return std::ranges::find(scene_names, kind, [](const auto& one) { return one.second; })->first;
}

double SceneParticles::highest() const {
  return size() == 0 ? 0 : std::ranges::max(spheres.coordinates[2]);
}

void SceneParticles::add(const Point<3>& center, double sphere_radius,
                         const Vec<3>& sphere_velocity, const Vec<3>& sphere_angular_velocity) {
  spheres.push_back(center, sphere_radius);
  velocity.push_back(sphere_velocity);
  angular_velocity.push_back(sphere_angular_velocity);
}

DemScene dem_scene(const DemSceneOptions& options) {
  switch (options.kind) {
    case DemSceneKind::settled:
      return settled_scene(options);
    case DemSceneKind::chute:
      return chute_scene(options);
    case DemSceneKind::silo:
      return silo_scene(options);
    case DemSceneKind::drum:
      return drum_scene(options);
    case DemSceneKind::polydisperse:
      return polydisperse_scene(options);
  }
  throw Error("unknown scene");
}

DemScene dem_scene(const LammpsData& data, DemSceneKind kind, bool has_friction,
                   std::optional<std::uint32_t> frozen_type) {
  if (kind == DemSceneKind::silo || kind == DemSceneKind::drum)
    throw Error(message("--input: the walls of --scene ", name_of(kind),
                        " are not in the file; use --scene settled, chute or polydisperse"));
  DemScene scene{.kind = kind, .model = model_of(kind, has_friction)};
  const auto is_frozen = [&](std::size_t i) { return frozen_type && data.type[i] == *frozen_type; };
  for (const bool adds_frozen : {true, false}) {
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (is_frozen(i) != adds_frozen) continue;
      if (data.density[i] != data.density.front())
        throw Error(ErrorCode::invalid_input,
                    {.file = data.file,
                     .key = message("density of atom ", data.id[i]),
                     .value = message(data.density[i])},
                    message("must be ", data.density.front(),
                            ", that of the first atom; bench-dem ", "simulates one material"));
      scene.particles.add(data.spheres.center(i), data.spheres.radii[i],
                          adds_frozen ? Vec<3>{} : data.velocity[i],
                          adds_frozen ? Vec<3>{} : data.angular_velocity[i]);
    }
    if (adds_frozen) scene.particles.fixed_count = scene.particles.size();
  }
  if (frozen_type && scene.particles.fixed_count == 0)
    throw Error(message("--frozen = ", *frozen_type, ": ", data.file,
                        " has no atom of this type; its largest type is ",
                        std::ranges::max(data.type)));
  if (scene.particles.fixed_count == scene.particles.size())
    throw Error(message("--frozen = ", frozen_type.value_or(0), ": all atoms of ", data.file,
                        " are of this type; some must move"));
  scene.model.materials.front().density = data.density.front();
  enclose(scene, data.box);
  return scene;
}

void prepare(DemScene& scene, const std::function<void(double)>& progress) {
  constexpr std::size_t progress_interval = 100;
  std::size_t total = 0;
  for (const PreparationPhase& phase : scene.preparation) total += phase.steps;
  std::size_t previous_steps = 0;
  for (const PreparationPhase& phase : scene.preparation) {
    if (phase.from_rest) {
      std::ranges::fill(scene.particles.velocity, Vec<3>{});
      std::ranges::fill(scene.particles.angular_velocity, Vec<3>{});
    }
    Simulation3 simulation = simulation_of(scene, phase.model, 0);
    for (const Wall<3>& wall : phase.additional_walls) simulation.add(wall);
    for (std::size_t done = 0; done < phase.steps; done += progress_interval) {
      simulation.advance(std::min(progress_interval, phase.steps - done));
      progress(static_cast<double>(previous_steps + done) / static_cast<double>(total));
    }
    copy_state(simulation, scene, scene.particles);
    previous_steps += phase.steps;
  }
  scene.preparation.clear();
}

Simulation3 simulation_of(const DemScene& scene, unsigned threads) {
  return simulation_of(scene, scene.model, threads);
}

void write_scene_state(const std::string& path, const DemScene& scene) {
  const SceneParticles& particles = scene.particles;
  const std::array<std::uint8_t, 1> has_friction{
      static_cast<std::uint8_t>(scene.has_friction() ? 1 : 0)};
  std::vector<double> velocity;
  std::vector<double> angular_velocity;
  for (const Vec<3>& v : particles.velocity) velocity.insert(velocity.end(), v.begin(), v.end());
  for (const Vec<3>& w : particles.angular_velocity)
    angular_velocity.insert(angular_velocity.end(), w.begin(), w.end());
  CheckpointSections sections;
  sections.add("has_friction", has_friction);
  sections.add("x", particles.spheres.coordinates[0]);
  sections.add("y", particles.spheres.coordinates[1]);
  sections.add("z", particles.spheres.coordinates[2]);
  sections.add("radius", particles.spheres.radii);
  sections.add("velocity", velocity);
  sections.add("angular_velocity", angular_velocity);
  write_checkpoint_file(path, 0, sections);
}

void read_scene_state(const std::string& path, DemScene& scene) {
  const Checkpoint file(path);
  SceneParticles& particles = scene.particles;
  const auto numbers = [&](const char* name) { return file.get<double>(name, particles.size()); };
  const auto vectors = [&](const char* name, std::vector<Vec<3>>& values) {
    const auto saved = file.get<double>(name, 3 * particles.size());
    for (std::size_t i = 0; i < saved.size(); ++i) values[i / 3][i % 3] = saved[i];
  };
  if ((file.value<std::uint8_t>("has_friction") != 0) != scene.has_friction() ||
      !std::ranges::equal(numbers("radius"), particles.spheres.radii))
    throw Error(path + ": holds a different scene; delete the file");
  constexpr std::array axes{"x", "y", "z"};
  for (std::size_t k = 0; k < 3; ++k)
    std::ranges::copy(numbers(axes[k]), particles.spheres.coordinates[k].begin());
  vectors("velocity", particles.velocity);
  vectors("angular_velocity", particles.angular_velocity);
  scene.preparation.clear();
}

}  // namespace abut
