#pragma once

#include <abut/box.hpp>
#include <abut/detector_options.hpp>
#include <abut/mesh.hpp>
#include <abut/shapes.hpp>
#include <abut/spheres.hpp>
#include <abut/walls.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace abut {

/// How overlap becomes force: a spring, or two elastic spheres.
enum class ContactLaw : std::uint8_t { hooke, hertz };

enum class Integrator : std::uint8_t { central_difference, velocity_verlet, predictor_corrector };

/// Young's modulus and Poisson's ratio serve Hertz's law alone.
struct Material {
  std::string name;
  double density = 0;
  double young = 0;
  double poisson = 0;
};

/// How two materials act on each other. Damping is given by at most one of the three; without any
/// the contact is elastic.
struct ContactParameters {
  double stiffness = 0;                     ///< of Hooke's law, force over overlap
  std::optional<double> restitution = {};   ///< what is left of the speed after an impact, 0 … 1
  std::optional<double> damping = {};       ///< force over speed; Hooke's law
  std::optional<double> damping_rate = {};  ///< the same over the reduced mass; Hooke's law
  bool limit_damping = false;  ///< the dashpot may not make the normal force attractive
  double friction = 0;
  std::optional<double> tangential_stiffness_ratio =
      {};                                 ///< over the stiffness, or 2/7; Hooke's law
  double tangential_damping_ratio = 0.5;  ///< as a part of the damping
  double rolling_friction = 0;            ///< largest torque over normal force and reduced radius
  double cohesion_force = 0;  ///< the largest force that holds two together; Hooke's law
};

/// Materials by their number.
struct MaterialPair {
  std::size_t a;
  std::size_t b;
  ContactParameters parameters;
};

/// How a wall moves, without end: with a velocity, and turning about an axis through a point that
/// moves along. In 2D it turns in the plane, counterclockwise, and the axis is not asked for.
template <std::size_t D>
struct WallMotion {
  Point<D> velocity{};
  Point<D> center{};
  Point<3> axis{0, 0, 1};
  double angular_velocity = 0;  ///< radians a second
  double start_time = 0;        ///< it begins to move,
  double end_time = 1e300;      ///< and stops
};

template <std::size_t D>
using WallShape = std::conditional_t<D == 2, std::variant<Mesh<2>, Plane<2>>,
                                     std::variant<Mesh<3>, Plane<3>, Frustum, Annulus>>;

template <std::size_t D>
struct Model {
  std::vector<Material> materials;
  std::vector<MaterialPair> contact_parameters;
  ContactLaw law = ContactLaw::hooke;
  Point<D> gravity{};
  Integrator integrator = Integrator::velocity_verlet;
  double time_step = 0;  ///< 0 takes a tenth of the largest that is stable, or a fifth
  std::vector<double> min_radius = {};  ///< by material, of particles that come later; or 0
  Method search_method = Method::automatic;
  unsigned threads = 1;               ///< 0 takes every core; no bit depends on it
  std::optional<Box<D>> domain = {};  ///< a particle that leaves it is an error, or leaves
  std::array<bool, D> periodic{};
  bool allow_outflow = false;  ///< whether particles may leave the domain
  bool track_energy = false;   ///< keep account of what damping and friction take
};

/// A wall of a simulation.
template <std::size_t D>
struct Wall {
  std::string name;
  WallShape<D> shape;
  std::size_t material = 0;
  WallMotion<D> motion = {};
};

/// Particles to be added. Velocities and spins are none, one for all, or one for each.
template <std::size_t D>
struct NewParticles {
  Spheres<D> spheres;
  std::size_t material = 0;
  std::vector<Point<D>> velocity = {};
  std::vector<Point<3>> angular_velocity = {};
  bool fixed = false;  ///< never moves; only before the first step
};

/// Where energy is. Its parts add up to what was put in.
struct Energy {
  double kinetic = 0;     ///< kinetic
  double rotational = 0;  ///< kinetic, of rotation
  double potential = 0;   ///< potential in gravity, from the origin
  double elastic = 0;     ///< in springs; this and the next two only with `Model::track_energy`
  double dissipated = 0;  ///< since the beginning
  double input = 0;       ///< by walls that move, particles that came and those that left
};

/// A particle as it is now.
template <std::size_t D>
struct ParticleState {
  std::uint32_t id;
  std::size_t material;
  bool fixed;
  double radius;
  double mass;
  Point<D> position;
  Point<D> velocity;
  Point<3> angular_velocity;
};

/// A contact as it is now, and what a feels: of two particles, or of a particle and a wall.
template <std::size_t D>
struct ContactState {
  std::uint32_t a;  ///< the id of a particle
  std::uint32_t b;  ///< of another, or the number of a wall
  bool is_wall;
  double overlap;
  Point<D> point;
  Point<D> normal;  ///< from b to a
  Point<D> force;
};

/// How many there are and were, without fixed ones: released = inside + left.
struct ParticleCounts {
  std::uint64_t inserted = 0;
  std::uint64_t removed = 0;
  std::uint64_t active = 0;
  double removed_mass = 0;
};

/// Where particles are taken out, and counted.
template <std::size_t D>
struct Sink {
  std::string name;
  Box<D> box;
  std::uint64_t count = 0;
  double mass = 0;
};

/// Seconds that parts of the steps took, and how often neighbours were searched.
struct StepTimings {
  double neighbor_search = 0;
  double forces = 0;
  double walls = 0;
  double integration = 0;
  std::uint64_t neighbor_builds = 0;
};

/// All that a simulation needs to go on as if it had never been stopped; the model and the walls
/// are given anew. Vectors have three numbers each, with a fourth where it says so.
struct SavedState {
  std::uint64_t step = 0;
  double time_step = 0;
  std::uint64_t fixed = 0;
  std::uint64_t next_id = 0;
  std::uint64_t removed = 0;
  std::vector<std::uint32_t> id;
  std::vector<std::uint8_t> material;
  std::vector<double> position;              ///< and radius
  std::vector<double> velocity;              ///< and inverse mass
  std::vector<double> angular_velocity;      ///< and inverse moment of inertia
  std::vector<double> force;                 ///< and 0
  std::vector<double> torque;                ///< and 0
  std::vector<double> acceleration;          ///< and 0; of the predictor and corrector
  std::vector<double> angular_acceleration;  ///< and 0
  std::vector<std::uint32_t> contact;        ///< two particles each, by their place in these arrays
  std::vector<std::int32_t> image;
  std::vector<double> friction_spring;
  std::vector<double> rolling_spring;       ///< the springs of rolling resistance, or none
  std::vector<std::uint32_t> wall_contact;  ///< particle and wall
  std::vector<double> wall_normal;          ///< and overlap
  std::vector<double> wall_friction_spring;
  std::vector<double> wall_rolling_spring;
  std::vector<std::uint64_t> sink_count;
  std::vector<double> sink_mass;
  std::vector<double> energy_totals;  ///< energy stored, dissipated, put in; mass that left; and of
                                      ///< what is stored, the part of springs across contacts
};

/// Particles that push each other, moved on step by step.
///
///     abut::Simulation3 run{{.materials = {{"glass", 2500}}, .interactions = {{0, 0, law}},
///                            .gravity = {0, 0, -9.81}}};
///     run.add({.places = spheres});
///     run.add(abut::Wall<3>{"floor", abut::Plane<3>{{0, 0, 0}, {0, 0, 1}}});
///     run.advance(1000);
///
/// The same model gives the same bits for any number of threads and with every method of search. In
/// 2D particles are discs of thickness 1.
template <std::size_t D>
class Simulation {
 public:
  /// Throws `Error` naming what makes no sense.
  explicit Simulation(Model<D> model);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Their ids go on from those that were given before.
  void add(const NewParticles<D>& particles);

  /// Its number, counted from 0.
  std::size_t add(Wall<D> wall);
  std::size_t add(Sink<D> sink);

  /// Takes a wall away, or puts it back.
  void set_open(std::size_t wall, bool open = true);
  [[nodiscard]] bool is_open(std::size_t wall) const;

  /// Does a number of steps. `Error` names the particle that was lost or is nowhere, where, how
  /// fast, when, and a likely cause; the state is then that of the step.
  void advance(std::size_t steps);

  [[nodiscard]] std::uint64_t step() const;
  [[nodiscard]] double time() const;

  /// The step that is taken; and the largest that is stable.
  [[nodiscard]] double time_step() const;
  [[nodiscard]] double critical_time_step() const;

  /// In the order of memory, which changes; `id` stays.
  [[nodiscard]] std::size_t particle_count() const;
  [[nodiscard]] ParticleState<D> particle(std::size_t i) const;

  [[nodiscard]] Energy energy() const;
  [[nodiscard]] ParticleCounts particle_counts() const;
  [[nodiscard]] std::span<const Sink<D>> sinks() const;
  [[nodiscard]] std::vector<ContactState<D>> contacts() const;

  /// What particles push a wall with.
  [[nodiscard]] Point<D> wall_force(std::size_t wall) const;

  /// Contacts of a particle that moves, on average; each of two counts it.
  [[nodiscard]] double coordination_number() const;

  [[nodiscard]] StepTimings timings() const;

  /// The walls as they stand now, without those that are open.
  [[nodiscard]] const Walls<D>& walls() const;

  [[nodiscard]] SavedState save() const;

  /// Takes the place of all particles; walls and sinks must have been added as they were. Throws
  /// `Error` where a state does not fit.
  void restore(const SavedState& saved);

  /// Compares what some particles touch with brute force: every `one_in`-th is held against all.
  /// Throws `Error` naming the first two that touch without being known as a pair.
  void verify_neighbors(std::size_t one_in) const;

  class State;

 private:
  std::unique_ptr<State> state_;
};

using Simulation2 = Simulation<2>;
using Simulation3 = Simulation<3>;

}  // namespace abut
