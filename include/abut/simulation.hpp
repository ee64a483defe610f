#pragma once

#include <abut/box.hpp>
#include <abut/contact_parameters.hpp>
#include <abut/detector_options.hpp>
#include <abut/export.hpp>
#include <abut/index.hpp>
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

/// Simulation of spheres (3D) and disks (2D) with the discrete element method.
///
/// Units in the comments are SI; any other consistent system works as well. All vectors are given
/// in one fixed right-handed Cartesian frame. In 2D the particles are disks of thickness 1 (m) in
/// the xy plane; angular velocities and torques then have a z component only, and positive values
/// are counterclockwise.

namespace abut {

/// Time integration scheme. `central_difference` is the leapfrog scheme: velocities are known half
/// a time step before the positions.
enum class Integrator : std::uint8_t { central_difference, velocity_verlet, predictor_corrector };

/// A material. `young` and `poisson` are used only by `ContactLaw::hertz`.
struct Material {
  std::string name;
  double density = 0;  ///< ρ in kg/m³
  double young = 0;    ///< Young's modulus E in Pa
  double poisson = 0;  ///< Poisson's ratio ν, −1 < ν ≤ 0.5
};

/// The contact parameters of materials `a` and `b`. The order of the two does not matter.
struct MaterialPair {
  MaterialId a{};
  MaterialId b{};
  ContactParameters parameters = {};
};

/// Rigid motion of a wall from `start_time` to `end_time`: translation with `velocity` and rotation
/// about an axis through `center`, a point given for `start_time` that translates with the wall. In
/// 2D the axis is z and `axis` is ignored. The wall keeps its last position after `end_time`.
template <std::size_t D>
struct WallMotion {
  Vec<D> velocity{};  ///< m/s
  Point<D> center{};  ///< m
  Vec<3> axis{0, 0, 1};
  double angular_velocity = 0;  ///< rad/s, right-handed about `axis`
  double start_time = 0;        ///< s
  double end_time = 1e300;      ///< s
};

/// Geometry of a wall: a mesh or a primitive shape.
template <std::size_t D>
using WallShape = std::conditional_t<D == 2, std::variant<Mesh<2>, Plane<2>>,
                                     std::variant<Mesh<3>, Plane<3>, Frustum, Annulus>>;

/// What a simulation needs before particles and walls are added.
template <std::size_t D>
struct Model {
  std::vector<Material> materials;  ///< `MaterialId{k}` is the k-th; at most 255
  std::vector<MaterialPair> contact_parameters;
  ContactLaw law = ContactLaw::hooke;
  Vec<D> gravity{};  ///< m/s²
  Integrator integrator = Integrator::velocity_verlet;

  /// In s; 0: a tenth of the critical time step of normal forces alone (Hertz's law: a fifth), but
  /// at most twice this fraction of the critical time step.
  double time_step = 0;

  /// For each material, the smallest radius (m) of particles that will be added after the first
  /// step; it enters the critical time step. 0: unknown.
  std::vector<double> min_radius = {};
  Method search_method = Method::automatic;
  unsigned threads = 1;  ///< 0: all cores; results do not depend on it

  /// A particle whose center leaves this box (m) is an error, or is removed with `allow_outflow`.
  /// Required if an axis is periodic.
  std::optional<Box<D>> domain = {};
  std::array<bool, D> periodic{};  ///< axes along which the domain is periodic
  bool allow_outflow = false;
  bool track_energy = false;  ///< compute elastic, dissipated and input energy

  /// A particle that moves more than this multiple of its radius in one step is an error, because
  /// it may pass another one unnoticed; likewise a wall, with the smallest radius. 0: no limit.
  double max_displacement_ratio = 0.5;

  /// With `track_energy`: energy that grows without a source by more than this fraction of what was
  /// put in is an error, because the time step is too large. 0: no limit.
  double max_energy_growth_ratio = 0.01;
};

/// A wall of a simulation.
template <std::size_t D>
struct Wall {
  std::string name;
  WallShape<D> shape;
  MaterialId material{};
  WallMotion<D> motion = {};
};

/// Particles to be added. `velocity` and `angular_velocity` have no entry (zero), one entry (for
/// all particles), or one entry per particle. The spheres are copied by `Simulation::add`.
template <std::size_t D>
struct NewParticles {
  Spheres<D> spheres;
  MaterialId material{};
  std::vector<Vec<D>> velocity = {};          ///< m/s
  std::vector<Vec<3>> angular_velocity = {};  ///< rad/s
  bool fixed = false;  ///< never moves; only before the first step and all moving particles
  std::vector<MaterialId> materials = {};  ///< of each particle; empty: all have `material`
};

/// Energies in J. At any time kinetic + rotational + potential + elastic + dissipated − input is
/// constant up to the integration error. With `Model::track_energy`, `Simulation::advance` checks
/// this every 100 steps.
struct Energy {
  double kinetic = 0;     ///< of translation
  double rotational = 0;  ///< kinetic energy of rotation
  double potential = 0;   ///< in gravity, relative to the origin
  double elastic = 0;     ///< in contact springs; this and the next two need `track_energy`
  double dissipated = 0;  ///< by damping, friction, rolling resistance and cohesion since the start
  double input =
      0;  ///< by moving walls, adding and removing particles and walls, setting velocities
};

/// A particle at the current step.
template <std::size_t D>
struct ParticleState {
  ParticleId id;
  MaterialId material;
  bool fixed;
  double radius;      ///< m
  double mass;        ///< kg
  Point<D> position;  ///< center, m; wrapped into a periodic domain

  /// Number of periods by which the particle has left the domain: it has moved from its initial
  /// position, without jumps, to position + image · period. 0 along axes that are not periodic.
  std::array<std::int32_t, D> image;
  Vec<D> velocity;          ///< m/s
  Vec<3> angular_velocity;  ///< rad/s
};

/// A contact at the current step: of particle `a` with particle `b`, or with `wall` if `is_wall`.
template <std::size_t D>
struct ContactState {
  ParticleId a;
  ParticleId b;  ///< `ParticleId{}` if `is_wall`
  WallId wall;   ///< `WallId{}` unless `is_wall`
  bool is_wall;
  double overlap;  ///< m, positive
  Point<D> point;  ///< contact point, m, near the wrapped position of a
  Vec<D> normal;   ///< unit vector from a to b or to the wall
  Vec<D> force;    ///< on a, N
};

/// Numbers of moving particles: inserted = active + removed.
struct ParticleCounts {
  std::uint64_t inserted = 0;
  std::uint64_t removed = 0;
  std::uint64_t active = 0;
  double removed_mass = 0;  ///< kg
};

/// A box in which particles are removed and counted. A particle is in it if its center is.
template <std::size_t D>
struct Sink {
  std::string name;
  Box<D> box;               ///< m
  std::uint64_t count = 0;  ///< of particles removed
  double mass = 0;          ///< of particles removed, kg
};

/// Wall-clock time in s spent in the parts of all steps, and the number of neighbor-list builds.
struct StepTimings {
  double neighbor_search = 0;
  double forces = 0;
  double walls = 0;
  double integration = 0;
  std::uint64_t neighbor_builds = 0;
};

/// The complete state of a simulation apart from its model, walls and sinks, which must be given
/// again: a restored simulation continues bitwise identically. Particle arrays are in memory order.
/// Vectors have three components, in 2D too, followed by a fourth value where stated.
struct SavedState {
  std::uint64_t step = 0;
  double time_step = 0;
  std::uint64_t fixed = 0;    ///< number of fixed particles, which come first
  std::uint64_t next_id = 0;  ///< of the next particle to be added
  std::uint64_t removed = 0;  ///< number of particles removed so far
  std::vector<std::uint32_t> id;
  std::vector<std::uint8_t> material;
  std::vector<double> position;          ///< and radius
  std::vector<std::int32_t> image;       ///< see `ParticleState`, three per particle; may be empty
  std::vector<double> velocity;          ///< and inverse mass; 0 for fixed particles
  std::vector<double> angular_velocity;  ///< and inverse moment of inertia
  std::vector<double> force;             ///< and 0
  std::vector<double> torque;            ///< and 0; empty without friction
  std::vector<double> acceleration;      ///< and 0; empty unless predictor-corrector
  std::vector<double> angular_acceleration;  ///< and 0; likewise
  std::vector<std::uint32_t> contact;        ///< two indices into the particle arrays per contact
  std::vector<std::int32_t> contact_image;   ///< periods by which the second is shifted, three each
  std::vector<double> friction_spring;       ///< tangential displacement of each contact
  std::vector<double> rolling_spring;        ///< rotation of each contact; empty without rolling
  std::vector<std::uint32_t> wall_contact;   ///< index into the particle arrays, and wall
  std::vector<double> wall_normal;           ///< and overlap
  std::vector<double> wall_force;            ///< on the particle, N, three per wall contact
  std::vector<double> wall_friction_spring;
  std::vector<double> wall_rolling_spring;
  std::vector<std::uint64_t> sink_count;
  std::vector<double> sink_mass;

  /// Elastic, dissipated and input energy; removed mass; elastic energy of tangential springs;
  /// largest energy available for motion so far.
  std::vector<double> energy_totals;
};

/// Spheres (3D) or disks (2D) that interact by contact forces, advanced in time steps.
///
///     const abut::MaterialId glass{0};
///     abut::Simulation3 simulation{{.materials = {{"glass", 2500}},
///                                   .contact_parameters = {{glass, glass, parameters}},
///                                   .gravity = {0, 0, -9.81}}};
///     simulation.add({.spheres = spheres});
///     simulation.add(abut::Wall<3>{"floor", abut::Plane<3>{{0, 0, 0}, {0, 0, 1}}});
///     simulation.advance(1000);
///
/// Results are bitwise identical for any number of threads and for every search method. An index or
/// id that does not exist, and any use of a moved-from object other than assignment and
/// destruction, throws `Error`. One object must not be used from several threads at once, const
/// functions included.
template <std::size_t D>
class ABUT_API Simulation {
 public:
  /// Throws `Error` with the invalid parameter.
  explicit Simulation(Model<D> model);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Copies the particles. Ids are assigned consecutively from 0, in the order of addition, and
  /// never reused. Throws `Error` for non-finite values, radii ≤ 0 and coincident centers.
  void add(const NewParticles<D>& particles);

  /// Walls and sinks are numbered from 0 in the order of addition.
  WallId add(Wall<D> wall);
  SinkId add(Sink<D> sink);

  /// An open wall exerts no forces until it is closed again.
  void set_open(WallId wall, bool open = true);
  [[nodiscard]] bool is_open(WallId wall) const;

  /// Advances by a number of time steps. Throws `Error` if a position is not finite or outside the
  /// domain, with the particle, its position and velocity, the step, and a likely cause; the
  /// simulation is left in the middle of the failed step. With `Model::track_energy`, also throws
  /// if the sum of all energies exceeds the input by more than 1 % of the largest energy available
  /// for motion so far (input − potential) plus Δt / Δt_critical of the dissipated energy.
  void advance(std::size_t steps);

  [[nodiscard]] std::uint64_t step() const;
  [[nodiscard]] double time() const;  ///< s

  /// The time step in use, and the largest one that is stable for two particles, or a particle and
  /// a wall, in contact, friction and rolling resistance included; in s. With Hertz's law, the
  /// stiffness is that of an overlap of 5 % of the reduced radius.
  [[nodiscard]] double time_step() const;
  [[nodiscard]] double critical_time_step() const;

  /// Particles in memory order: fixed ones first, then sorted along a space-filling curve. The
  /// order changes with `advance`, `add` and `restore`; ids do not.
  [[nodiscard]] std::size_t particle_count() const;
  [[nodiscard]] ParticleState<D> particle(ParticleIndex index) const;

  /// Particles by id. O(1).
  [[nodiscard]] bool contains(ParticleId id) const;
  [[nodiscard]] ParticleState<D> particle(ParticleId id) const;
  [[nodiscard]] Point<D> position(ParticleId id) const;  ///< center, m; wrapped into the domain
  [[nodiscard]] std::array<std::int32_t, D> image(ParticleId id) const;  ///< see `ParticleState`
  [[nodiscard]] Point<D> unwrapped_position(ParticleId id) const;  ///< position + image · period, m
  [[nodiscard]] Vec<D> velocity(ParticleId id) const;              ///< m/s
  [[nodiscard]] Vec<3> angular_velocity(ParticleId id) const;      ///< rad/s

  /// Arrays sorted by id: entry k of each belongs to the particle `ids()[k]`, which is
  /// `ParticleId{k}` until a particle is removed. Copies, O(n).
  [[nodiscard]] std::vector<ParticleId> ids() const;
  [[nodiscard]] std::vector<Point<D>> positions() const;         ///< centers, m; wrapped
  [[nodiscard]] std::vector<Vec<D>> velocities() const;          ///< m/s
  [[nodiscard]] std::vector<Vec<3>> angular_velocities() const;  ///< rad/s
  [[nodiscard]] std::vector<double> radii() const;               ///< m

  /// Replaces the velocity (m/s) or angular velocity (rad/s) of a moving particle; the change of
  /// kinetic energy is counted in `Energy::input`. With `Integrator::central_difference` velocities
  /// are known half a time step before the positions. Throws `Error` for a fixed particle and for a
  /// value that is not finite.
  void set_velocity(ParticleId id, const Vec<D>& velocity);
  void set_angular_velocity(ParticleId id, const Vec<3>& angular_velocity);

  /// Energies at the current step. O(n).
  [[nodiscard]] Energy energy() const;

  /// Elastic energy (J) of the overlaps of all contacts, for which `Model::track_energy` is not
  /// needed. Searches for contacts; O(n).
  [[nodiscard]] double overlap_energy() const;
  [[nodiscard]] ParticleCounts particle_counts() const;

  /// Sinks with the particles removed so far. Valid until a sink is added.
  [[nodiscard]] std::span<const Sink<D>> sinks() const;
  [[nodiscard]] const Sink<D>& sink(SinkId sink) const;

  /// All contacts with positive overlap: particle pairs first, then walls. Evaluates the contact
  /// law again for every pair of the neighbor list; O(n).
  [[nodiscard]] std::vector<ContactState<D>> contacts() const;

  /// Total force (N) that the particles exert on a wall.
  [[nodiscard]] Vec<D> wall_force(WallId wall) const;

  /// Mean number of contacts per moving particle; a contact between two counts for both.
  [[nodiscard]] double coordination_number() const;

  /// Accumulated over all steps so far.
  [[nodiscard]] StepTimings timings() const;

  /// Geometry of all closed walls at the current time. The reference is valid until a wall is
  /// added, opened or closed.
  [[nodiscard]] const Walls<D>& walls() const;

  /// A copy of the state. O(n).
  [[nodiscard]] SavedState save() const;

  /// Replaces all particles and contacts; walls and sinks must have been added as they were when
  /// the state was saved. Throws `Error` if the state does not fit.
  void restore(const SavedState& saved);

  /// Checks the neighbor list against brute force for every `stride`-th particle, O(n²/stride), and
  /// the particles considered for wall contacts against a search of all, O(n). Throws `Error` with
  /// the first pair or wall contact, or gap within the range of cohesion, that is missing.
  void verify_neighbors(std::size_t stride) const;

  class ABUT_LOCAL Core;

 private:
  [[nodiscard]] Core& core();  ///< both throw `Error` if this object was moved from
  [[nodiscard]] const Core& core() const;

  std::unique_ptr<Core> core_;
};

using Simulation2 = Simulation<2>;
using Simulation3 = Simulation<3>;

}  // namespace abut
