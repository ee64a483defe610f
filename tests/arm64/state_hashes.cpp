// Prints a hash of the state at the end of each of a set of simulations, and of generated particles
// and meshes. tools/arm64 compares the output of this program on different processors.

#include <abut/case.hpp>
#include <abut/insertion.hpp>
#include <abut/simulation.hpp>
#include <array>
#include <bit>
#include <cstdint>
#include <exception>
#include <iomanip>
#include <iostream>
#include <numbers>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/portable_math.hpp"
#include "scenes/mesh_scene.hpp"
#include "scenes/scene.hpp"
#include "scenes/silo_wall.hpp"

namespace abut {
namespace {

/// FNV-1a (Fowler, Noll and Vo) of the bytes of values, the least significant byte first.
class Hash {
 public:
  void add(std::uint64_t value) {
    for (int byte = 0; byte < 8; ++byte, value >>= 8)
      hash_ = (hash_ ^ (value & 255U)) * 0x100000001b3U;
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }

  template <class T>
  void add(const std::vector<T>& values) {
    add(std::uint64_t{values.size()});
    for (const T& value : values) {
      if constexpr (std::is_same_v<T, double>)
        add(value);
      else
        add(static_cast<std::uint64_t>(value));
    }
  }

  template <std::size_t D>
  void add(const std::array<std::vector<double>, D>& arrays) {
    for (const std::vector<double>& array : arrays) add(array);
  }

  template <std::size_t D>
  void add(const Mesh<D>& mesh) {
    for (const Point<D>& vertex : mesh.vertices)
      for (const double x : vertex) add(x);
    for (const auto& facet : mesh.facets)
      for (const Index vertex : facet) add(std::uint64_t{vertex});
  }

  void add(const SavedState& s) {
    for (const std::uint64_t number : {s.step, s.fixed, s.next_id, s.removed}) add(number);
    add(s.time_step);
    add(s.id);
    add(s.material);
    for (const auto* values :
         {&s.position, &s.velocity, &s.angular_velocity, &s.force, &s.torque, &s.acceleration,
          &s.angular_acceleration, &s.friction_spring, &s.rolling_spring, &s.wall_normal,
          &s.wall_friction_spring, &s.wall_rolling_spring, &s.sink_mass, &s.energy_totals})
      add(*values);
    add(s.contact);
    add(s.image);
    add(s.contact_image);
    add(s.wall_contact);
    add(s.sink_count);
  }

  void print(std::string_view name) const {
    std::cout << name << ' ' << std::hex << std::setfill('0') << std::setw(16) << hash_ << std::dec
              << '\n';
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

template <std::size_t D>
void print_state(std::string_view name, const Simulation<D>& simulation) {
  Hash hash;
  hash.add(simulation.save());
  hash.add(simulation.critical_time_step());
  const Energy energy = simulation.energy();
  for (const double e : {energy.kinetic, energy.rotational, energy.potential, energy.elastic,
                         energy.dissipated, energy.input})
    hash.add(e);
  hash.print(name);
}

template <std::size_t D>
Model<D> model_with(const ContactParameters& parameters, ContactLaw law = ContactLaw::hooke) {
  Model<D> model;
  model.materials = {{"grain", D == 2 ? 20.0 : 1500.0, 3e5, 0.3}};
  model.contact_parameters = {{.parameters = parameters}};
  model.law = law;
  model.max_displacement_ratio = 0;  // some particles miss the walls and fall freely
  model.gravity[D - 1] = -9.81;
  model.track_energy = true;
  return model;
}

constexpr ContactParameters elastic{.stiffness = 150};
constexpr ContactParameters frictional{
    .stiffness = 150, .restitution = 0.6, .friction = 0.4, .rolling_friction = 0.02};

constexpr double width = 0.1;  // m, of the boxes that contain the particles
constexpr std::size_t steps = 2000;

/// Random particles above z = 0 (2D: y = 0), their radii uniformly distributed by mass.
template <std::size_t D>
InsertionResult<D> loose_particles(std::size_t count, double margin = 0) {
  Box<D> box{};
  box.min.fill(margin);
  box.max.fill(width - margin);
  box.max[D - 1] = 2 * width;
  return insert_particles<D>(
      {.count = count, .region = box, .sizes = uniform_by_mass<D>(0.003, 0.006)});
}

template <std::size_t D>
void add_particles(Simulation<D>& simulation, std::size_t count, double margin = 0) {
  const InsertionResult<D> inserted = loose_particles<D>(count, margin);
  Vec<D> velocity{};
  velocity[0] = 0.3;
  velocity[D - 1] = -1;
  simulation.add({.spheres = inserted.view(),
                  .velocity = {velocity},
                  .angular_velocity = {{D == 3 ? 1.0 : 0.0, 0, 5}}});
}

template <std::size_t D>
void add_plane(Simulation<D>& simulation, std::size_t axis, double position) {
  Plane<D> plane{};
  plane.normal[axis] = 1;
  plane.point[axis] = position;
  simulation.add(Wall<D>{"plane", plane});
}

/// Particles in a box of planes; along periodic axes there are none.
template <std::size_t D>
void run_box(std::string_view name, Model<D> model) {
  const std::array<bool, D> periodic = model.periodic;
  Simulation<D> simulation{std::move(model)};
  add_particles<D>(simulation, D == 2 ? 60 : 150);
  for (std::size_t k = 0; k < D; ++k) {
    if (periodic[k]) continue;
    add_plane(simulation, k, 0);
    if (k + 1 < D) add_plane(simulation, k, width);
  }
  simulation.advance(steps);
  print_state(name, simulation);
}

template <std::size_t D>
Model<D> periodic_model() {
  Model<D> model = model_with<D>(frictional);
  model.domain.emplace();
  model.domain->min.fill(0);
  model.domain->max.fill(width);
  model.domain->min[D - 1] = -width;
  model.domain->max[D - 1] = 10 * width;
  model.periodic[0] = true;
  return model;
}

void run_contact_laws() {
  run_box<2>("hooke_2d", model_with<2>(elastic));
  run_box<3>("hooke_3d", model_with<3>(elastic));
  run_box<2>("friction_2d", model_with<2>(frictional));
  run_box<3>("rolling_3d", model_with<3>(frictional));
  ContactParameters parameters = frictional;
  parameters.limit_damping = true;
  run_box<3>("limit_damping_3d", model_with<3>(parameters));
  parameters = frictional;
  parameters.cohesion_force = 0.005;
  run_box<2>("cohesion_2d", model_with<2>(parameters));
  run_box<3>("cohesion_3d", model_with<3>(parameters));
  for (const bool limit_damping : {false, true}) {
    parameters = frictional;
    parameters.stiffness = 0;
    parameters.limit_damping = limit_damping;
    run_box<3>(limit_damping ? "hertz_limit_damping_3d" : "hertz_3d",
               model_with<3>(parameters, ContactLaw::hertz));
  }
}

void run_periodic_axes() {
  run_box<2>("periodic_2d", periodic_model<2>());
  Model<3> model = periodic_model<3>();
  run_box<3>("periodic_3d", model);
  model.periodic[1] = true;
  run_box<3>("two_periodic_axes_3d", model);
  model.domain->min[2] = 0;
  model.domain->max[2] = width;
  model.periodic[2] = true;
  run_box<3>("three_periodic_axes_3d", model);
}

void run_integrators() {
  Model<3> model = model_with<3>(frictional);
  model.integrator = Integrator::central_difference;
  run_box<3>("central_difference", model);
  model.integrator = Integrator::predictor_corrector;
  run_box<3>("predictor_corrector", model);
}

/// A hopper above an annulus, from which particles fall into a sink.
void run_hopper() {
  Simulation3 simulation{model_with<3>(frictional)};
  simulation.add(Wall<3>{"cone", cone({0.05, 0.05, -0.02}, {0.05, 0.05, 0.03}, 0.02, 0.08)});
  simulation.add(Wall<3>{"pipe", cylinder({0.05, 0.05, 0.03}, {0.05, 0.05, 0.5}, 0.08)});
  simulation.add(Wall<3>{"orifice", Annulus{{0.05, 0.05, -0.05}, {0.1, 0, 1}, 0.1, 0.01}});
  simulation.add(Sink<3>{"outlet", {{-1, -1, -2}, {1, 1, -0.1}}});
  add_particles(simulation, 150);
  simulation.advance(2 * steps);
  print_state("hopper_annulus", simulation);
}

/// A drum that rotates about an inclined axis, with a torus in it that rotates the other way.
void run_rotating_walls() {
  Simulation3 simulation{model_with<3>(frictional)};
  const Point<3> center{0.05, 0.05, 0.05};
  simulation.add(Wall<3>{"drum",
                         sphere_mesh(512, center, 0.2),
                         {},
                         {.center = center, .axis = {1, 0.2, 0.1}, .angular_velocity = 3}});
  simulation.add(Wall<3>{"torus",
                         torus_mesh(400, {0.05, 0.05, -0.1}, 0.06, 0.02),
                         {},
                         {.velocity = {0, 0.01, 0.02},
                          .center = {0.05, 0.05, -0.1},
                          .axis = {0, 0.3, 1},
                          .angular_velocity = -7,
                          .start_time = 0.01}});
  add_particles(simulation, 150);
  simulation.advance(2 * steps);
  print_state("rotating_meshes_3d", simulation);

  Simulation2 plane{model_with<2>(frictional)};
  plane.add(Wall<2>{"drum",
                    circle_mesh(60, {0.05, 0.1}, 0.14),
                    {},
                    {.center = {0.05, 0.1}, .angular_velocity = 2}});
  plane.add(Wall<2>{"tilting",
                    Plane<2>{{0.05, -0.02}, {0, 1}},
                    {},
                    {.center = {0.05, -0.02}, .angular_velocity = 0.2, .end_time = 0.5}});
  add_particles(plane, 60);
  plane.advance(2 * steps);
  print_state("rotating_walls_2d", plane);

  Simulation3 shapes{model_with<3>(frictional)};
  shapes.add(Wall<3>{"cone",
                     cone({0.05, 0.05, -0.1}, {0.05, 0.05, 0.3}, 0.05, 0.2),
                     {},
                     {.center = {0.05, 0.05, 0}, .axis = {0, 0.1, 1}, .angular_velocity = 5}});
  shapes.add(Wall<3>{"disk",
                     Annulus{{0.05, 0.05, -0.05}, {0, 0, 1}, 0.1},
                     {},
                     {.velocity = {0, 0, 0.05},
                      .center = {0.05, 0.05, -0.05},
                      .axis = {1, 0, 0},
                      .angular_velocity = 0.5}});
  shapes.add(Wall<3>{"floor", Plane<3>{{0, 0, -0.2}, {0, 0, 1}}});
  add_particles(shapes, 150);
  shapes.advance(2 * steps);
  print_state("rotating_shapes_3d", shapes);
}

/// A silo of fixed spheres that is filled in batches while it empties.
void run_silo() {
  Case<3> setup;
  setup.model = model_with<3>(frictional);
  setup.model.allow_outflow = true;
  setup.model.min_radius = {0.003};
  setup.model.domain = Box<3>{{-0.2, -0.2, -0.05}, {0.2, 0.2, 0.5}};
  setup.fixed_particles = {silo_wall({0.04, 0.05, 0.12, 0.1}, 0.004, 0.005, 0.007, 3)};
  Insertion<3> insertion;
  insertion.name = "filling";
  insertion.count = 200;
  insertion.region = CylinderRegion{{0, 0, 0.06}, {0, 0, 0.15}, 0.055};
  insertion.sizes = uniform_by_number(0.003, 0.006);
  insertion.interval = 0.02;
  insertion.batch_size = 60;
  setup.insertions = {insertion};
  setup.end_time = 0.4;
  Run<3> run{setup};
  while (!run.advance(1000).end) {
  }
  print_state("silo_insertion", run.simulation());
}

void print_generated() {
  Hash scenes;
  for (const char* name : {"polydisperse", "polydisperse-mass", "clusters", "silo"}) {
    const Scene<3> scene = make_scene<3>(name, {.count = 1000});
    scenes.add(scene.coordinates);
    scenes.add(scene.radii);
    const Scene<2> disks = make_scene<2>(name, {.count = 1000});
    scenes.add(disks.coordinates);
    scenes.add(disks.radii);
  }
  scenes.print("scenes");
  Hash meshes;
  meshes.add(hopper_mesh(1000, 0.1, 0.5, 0.4, 1));
  meshes.add(torus_mesh(1000, {0, 0, 0}, 1, 0.3));
  meshes.add(sphere_mesh(1000, {0, 0, 0}, 1));
  meshes.print("meshes");
  Hash functions;
  for (int k = 1; k < 20000; ++k) {
    const double x = static_cast<double>(k) * (std::numbers::pi / 256);
    for (const double value :
         {portable_math::sin(x), portable_math::cos(x * x * x), portable_math::atan2(100 - x, x),
          portable_math::exp(100 - x), portable_math::log(x), portable_math::pow(x, -0.3),
          portable_math::cbrt(x), portable_math::hypot(x, 7)})
      functions.add(value);
  }
  functions.print("portable_math");
}

}  // namespace
}  // namespace abut

int main() {
  try {
    abut::print_generated();
    abut::run_contact_laws();
    abut::run_periodic_axes();
    abut::run_integrators();
    abut::run_hopper();
    abut::run_rotating_walls();
    abut::run_silo();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
