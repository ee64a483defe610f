// The neighbor list and the list of particles near walls are complete in every step, for any motion
// at any speed. Random simulations of one kind of motion each, with any integrator, search method
// and sizes 1:10; `verify_neighbors` compares with brute force.
#include <gtest/gtest.h>

#include <abut/insertion.hpp>
#include <abut/simulation.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/statistics.hpp"
#include "sanitized.hpp"
#include "scenes/mesh_scene.hpp"

namespace abut::testing {
namespace {

enum class Motion : std::uint8_t {
  shear,       // periodic along all axes
  rotation,    // of the whole packing about its center
  jet,         // a fast group hits a slow one
  crossing,    // two groups, mixed at random, pass each other
  walls,       // moving and rotating walls pass through the particles, and are opened and closed
  exchange,    // particles are added, and removed by a sink or because they leave the domain
  random_kick  // new velocities in every step
};

constexpr std::array motion_names{"shear", "rotation", "jet",        "crossing",
                                  "walls", "exchange", "random_kick"};

template <std::size_t D>
class MovingParticles {
 public:
  MovingParticles(Motion motion, std::uint64_t seed)
      : motion_(motion), random_(seed), simulation_(random_model()) {
    add_particles(false);
    if (motion_ == Motion::exchange) {
      Box<D> sink = box_;
      sink.max[0] = width / 4;
      simulation_.add(Sink<D>{"sink", sink});
    }
    for (const ParticleId id : simulation_.ids()) set_velocity(id);
    if (motion_ == Motion::walls)
      for (std::size_t k = 0; k < wall_count_; ++k) add_wall();
  }

  // Most calls advance by one step. Several steps at once take other branches, and count the motion
  // of walls once per step.
  void advance() {
    if (motion_ == Motion::random_kick)
      for (const ParticleId id : simulation_.ids()) set_velocity(id);
    if (motion_ == Motion::exchange && random_.below(6) == 0) add_particles(true);
    if (motion_ == Motion::walls && random_.below(10) == 0) {
      const WallId wall{random_.below(wall_count_)};
      simulation_.set_open(wall, !simulation_.is_open(wall));
    }
    simulation_.advance(random_.below(3) > 0 ? 1 : 1 + random_.below(12));
  }

  [[nodiscard]] const Simulation<D>& simulation() const { return simulation_; }

 private:
  static constexpr double width = D == 2 ? 24 : 10;

  Model<D> random_model() {
    for (std::size_t k = 0; k < D; ++k) box_.max[k] = width;
    Model<D> model;
    model.max_displacement_ratio = 0;   // motions are as fast as possible …
    model.max_energy_growth_ratio = 0;  // … and too fast to integrate collisions accurately
    model.materials = {{"grain", 1.5}};
    ContactParameters& parameters = model.contact_parameters.emplace_back().parameters;
    parameters.stiffness = 1e4;
    parameters.restitution = random_.uniform(0.3, 1);
    parameters.friction = random_.below(2) == 0 ? 0 : 0.5;
    parameters.cohesion_force = random_.below(2) == 0 ? 0 : random_.uniform(0, 1500);
    // Far below the critical time step, forces hardly change velocities. A single fast particle
    // would cause searches before most others need them.
    model.time_step = random_.below(2) == 0 ? 0 : 1e-6;
    model.integrator = std::array{Integrator::central_difference, Integrator::velocity_verlet,
                                  Integrator::predictor_corrector}[random_.below(3)];
    model.search_method =
        std::array{Method::automatic, Method::nbs, Method::mr, Method::cgrid}[random_.below(4)];
    model.track_energy = random_.below(4) == 0;
    model.min_radius = {min_radius_};
    if (is_periodic_) {
      model.domain = box_;
      model.periodic.fill(true);
    } else if (motion_ == Motion::exchange) {
      model.domain = box_;
      model.allow_outflow = true;
    }
    return model;
  }

  // At random in the box; a tenth of the initial ones are fixed in half of the cases.
  void add_particles(bool later) {
    SphereArrays<D> existing;
    for (std::size_t i = 0; i < simulation_.particle_count(); ++i) {
      const ParticleState<D> particle = simulation_.particle(ParticleIndex{i});
      existing.push_back(particle.position, particle.radius);
    }
    const InsertionResult<D> inserted =
        insert_particles<D>({.count = later ? 5 : 50 + random_.below(150),
                             .region = box_,
                             .sizes = uniform_by_mass<D>(min_radius_, 1),
                             .max_overlap = 0.1,
                             .max_attempts = 30,
                             .seed = random_.below(1000000),
                             .existing = existing.view()});
    SphereArrays<D> fixed;
    SphereArrays<D> moving;
    const std::size_t fixed_count = later || random_.below(2) == 0 ? 0 : inserted.size() / 10;
    for (std::size_t i = 0; i < inserted.size(); ++i)
      (i < fixed_count ? fixed : moving).push_back(inserted.center(i), inserted.radii[i]);
    if (fixed.size() > 0) simulation_.add({.spheres = fixed.view(), .fixed = true});
    std::vector<Vec<D>> velocity;
    if (later) velocity.push_back(random_vector(speed()));
    simulation_.add({.spheres = moving.view(), .velocity = velocity});
  }

  // In m/s, so that a particle moves by a fraction of the skin, or several times the skin per step.
  [[nodiscard]] double speed() const { return distance_per_step_ / simulation_.time_step(); }

  Vec<D> random_vector(double length) {
    Vec<D> vector;
    for (double& component : vector) component = length * random_.uniform(-1, 1);
    return vector;
  }

  void set_velocity(ParticleId id) {
    const ParticleState<D> particle = simulation_.particle(id);
    if (particle.fixed) return;
    const Point<D>& x = particle.position;
    Vec<D> velocity = random_vector(0.05 * speed());
    const std::size_t other = (axis_ + 1) % D;
    switch (motion_) {
      case Motion::shear:
        velocity[axis_] += speed() * (2 * x[other] / width - 1);
        break;
      case Motion::rotation:
        velocity[axis_] += -speed() * (2 * x[other] / width - 1);
        velocity[other] += speed() * (2 * x[axis_] / width - 1);
        break;
      case Motion::jet:
        if ((is_reversed_ ? width - x[axis_] : x[axis_]) < width / 3)
          velocity[axis_] += is_reversed_ ? -speed() : speed();
        break;
      case Motion::crossing:
        velocity = {};
        velocity[axis_] = random_.below(2) == 0 ? speed() : -speed();
        break;
      case Motion::walls:
        if (at_rest_) velocity = {};
        break;
      default:
        velocity = random_vector(speed());
    }
    simulation_.set_velocity(id, velocity);
  }

  // A wall that starts to move at some time: a mesh, a plane or a frustum.
  void add_wall() {
    const std::uint64_t kind = random_.below(3);
    Point<D> low;
    Point<D> high;
    low.fill(width * random_.uniform(0.1, 0.4));
    high.fill(width * random_.uniform(0.6, 0.9));
    Wall<D> wall{"mesh", box_mesh(low, high, 2)};
    WallMotion<D>& motion = wall.motion;
    motion.center.fill(width * random_.uniform());
    motion.axis = {random_.uniform(), random_.uniform(), 1};
    motion.velocity = random_vector(speed());
    motion.start_time = simulation_.time_step() * random_.uniform(0, 40);
    motion.end_time = motion.start_time + simulation_.time_step() * random_.uniform(20, 90);
    if (kind == 1 && !is_periodic_)
      wall.shape = Plane<D>{low, random_.below(2) == 0 ? motion.velocity : random_vector(1)};
    if (random_.below(kind == 1 ? 5 : 2) == 0) {
      motion.angular_velocity = 2 * speed() / width * random_.uniform(-1, 1);
      if (random_.below(2) == 0) motion.velocity = {};
    }
    if constexpr (D == 3)
      if (kind == 2) wall.shape = Frustum{low, high, 0.2 * width, 0.4 * width};
    simulation_.add(std::move(wall));
  }

  Motion motion_;
  Random random_;
  Box<D> box_{};
  bool is_periodic_ =
      motion_ == Motion::shear || (motion_ == Motion::walls && random_.below(3) == 0);
  std::size_t axis_ = random_.below(D);  // of the motion
  bool is_reversed_ = random_.below(2) == 0;
  bool at_rest_ = random_.below(2) == 0;  // until a wall hits them
  std::size_t wall_count_ = 1 + random_.below(2);
  double min_radius_ = random_.below(2) == 0 ? 0.1 : 0.5;                // the largest is 1
  double distance_per_step_ = 0.002 * std::pow(100, random_.uniform());  // of fast particles
  Simulation<D> simulation_;
};

// Totals of all simulations of one test, to show that the lists were put to the test.
struct Coverage {
  std::uint64_t steps = 0;
  std::uint64_t neighbor_builds = 0;
  std::uint64_t contacts = 0;
  std::uint64_t wall_contacts = 0;
  std::uint64_t removed = 0;
};

template <std::size_t D>
Coverage verify_every_step(Motion motion) {
  Coverage coverage;
  for (std::uint64_t seed = 1; seed <= trial_count(30U); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    MovingParticles<D> particles(motion, seed);
    const Simulation<D>& simulation = particles.simulation();
    for (int repetition = 0; repetition < 60; ++repetition) {
      particles.advance();
      EXPECT_NO_THROW(simulation.verify_neighbors(1));
      if (::testing::Test::HasFailure()) return coverage;
      if (repetition % 10 > 0) continue;
      for (const ContactState<D>& contact : simulation.contacts())
        ++(contact.is_wall ? coverage.wall_contacts : coverage.contacts);
    }
    coverage.steps += simulation.step();
    coverage.neighbor_builds += simulation.timings().neighbor_builds;
    coverage.removed += simulation.particle_counts().removed;
  }
  return coverage;
}

class EveryStep : public ::testing::TestWithParam<Motion> {
 protected:
  template <std::size_t D>
  void expect_complete_lists() const {
    const Coverage coverage = verify_every_step<D>(GetParam());
    if (HasFailure()) return;
    EXPECT_GT(coverage.contacts, trial_count(100U));
    EXPECT_GT(coverage.neighbor_builds, coverage.steps / 50);
    EXPECT_LT(coverage.neighbor_builds, coverage.steps * 9 / 10);
    EXPECT_GE(coverage.wall_contacts, GetParam() == Motion::walls ? trial_count(100U) : 0U);
    EXPECT_GE(coverage.removed, GetParam() == Motion::exchange ? trial_count(10U) : 0U);
  }
};

TEST_P(EveryStep, ListsAreCompleteIn2D) { expect_complete_lists<2>(); }
TEST_P(EveryStep, ListsAreCompleteIn3D) { expect_complete_lists<3>(); }

// The skin of the first list is 0.1 radii. The wall is farther away, moves by 0.079 radii in the
// first step and by 0.08 in the second.
TEST(NeighborValidity, CountsMotionOfAWallThatStartsWithinAStep) {
  Model<2> model;
  model.materials = {{"grain", 1}};
  model.contact_parameters = {{.parameters = {.stiffness = 1}}};
  model.time_step = 1e-3;
  Simulation2 simulation{model};
  SphereArrays<2> disk;
  disk.push_back({0, 0}, 1);
  simulation.add({.spheres = disk.view()});
  simulation.add(Wall<2>{.name = "piston",
                         .shape = Plane<2>{{-1.12, 0}, {1, 0}},
                         .motion = {.velocity = {80, 0}, .start_time = 1e-5}});
  simulation.advance(2);
  EXPECT_NO_THROW(simulation.verify_neighbors(1));
  EXPECT_EQ(simulation.contacts().size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Of, EveryStep,
                         ::testing::Values(Motion::shear, Motion::rotation, Motion::jet,
                                           Motion::crossing, Motion::walls, Motion::exchange,
                                           Motion::random_kick),
                         [](const auto& instance) {
                           return motion_names[static_cast<std::size_t>(instance.param)];
                         });

}  // namespace
}  // namespace abut::testing
