// Short tests of the parts that a simulation consists of, each on its own.

#include <gmock/gmock.h>

#include <abut/error.hpp>
#include <abut/simulation.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/machine.hpp"
#include "core/scratch_arena.hpp"
#include "dem/contact_forces.hpp"
#include "dem/contact_model.hpp"
#include "dem/energy_balance.hpp"
#include "dem/neighbor_list.hpp"
#include "dem/particles.hpp"
#include "dem/simulation_domain.hpp"
#include "dem/time_integration.hpp"
#include "dem/wall_forces.hpp"

namespace abut {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ContactModel contact_model(double friction = 0.5, bool track_energy = false) {
  return {ContactLaw::hooke,
          {{"grain", 1000}},
          {{.parameters = {.stiffness = 1000, .restitution = 0.5, .friction = friction}}},
          track_energy};
}

Particles::Record grain(double x, double y, double z, double radius = 0.5) {
  const double mass = particle_mass<3>(1000, radius);
  return {.position = {x, y, z, radius},
          .velocity = {0, 0, 0, 1 / mass},
          .angular_velocity = {0, 0, 0, inverse_inertia<3>(mass, radius)},
          .material = 0};
}

Particles random_grains(std::size_t count, double width, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> coordinate(0, width);
  std::uniform_real_distribution<double> component(-1, 1);
  Particles particles;
  for (std::size_t i = 0; i < count; ++i) {
    Particles::Record particle = grain(coordinate(random), coordinate(random), coordinate(random));
    particle.velocity.x = component(random);
    particle.velocity.y = component(random);
    particle.angular_velocity.z = component(random);
    particles.add(particle, false);
  }
  return particles;
}

/// A neighbor list with its own arena.
struct ListFixture {
  explicit ListFixture(const typename NeighborList<3>::Options& options) : list(options) {}

  void build(const Particles& particles, ContactForces* forces = nullptr) {
    arena.reset();
    list.choose_skin(particles);
    FoundPairs<3> found(arena, particles.size(), 4);
    list.search(sphere_arrays<3>(particles, arena, pool), particles.fixed_count(), found, arena);
    if (forces != nullptr) forces->begin_rebuild(list.rows(), arena);
    list.replace(found, particles);
    if (forces != nullptr) forces->end_rebuild(list.rows(), particles.order(), arena, pool);
  }

  ThreadPool pool{2};
  ScratchArena arena;
  NeighborList<3> list;
};

constexpr NeighborList<3>::Options open_space{Method::automatic, {}, {}, 1, 0};

std::vector<Pair> listed_pairs(const PairRows& rows) {
  std::vector<Pair> pairs;
  rows.for_each_pair([&](Index, const Pair& pair) { pairs.push_back(pair); });
  return pairs;
}

TEST(ScratchArena, ReusesItsMemoryAfterReset) {
  ScratchArena arena;
  for (int round = 0; round < 3; ++round) {
    arena.reset();
    (void)arena.allocate<double>(1000);
    (void)arena.allocate<Vec4>(500);
  }
  const std::size_t bytes = arena.bytes();
  arena.reset();
  const auto first = arena.allocate<double>(1000);
  const auto second = arena.allocate<Vec4>(500);
  EXPECT_EQ(arena.bytes(), bytes);
  first.back() = 7;
  second.front() = {1, 2, 3, 4};
  EXPECT_EQ(first.back(), 7);
  EXPECT_TRUE(arena.allocate<double>(0).empty());
}

TEST(ScratchArena, ReleaseFreesWhatWasAllocatedAfterTheMark) {
  ScratchArena arena;
  (void)arena.allocate<double>(4096);
  arena.reset();
  (void)arena.allocate<double>(8);
  const ScratchArena::Mark mark = arena.mark();
  double* const released = arena.allocate<double>(8).data();
  arena.release(mark);
  EXPECT_EQ(arena.allocate<double>(8).data(), released);
}

TEST(ScratchArena, HasOneBlockOfTheRequestedSizeAfterReset) {
  ScratchArena arena;
  (void)arena.allocate<double>(10);
  arena.reset(1000);
  (void)arena.allocate<double>(100);
  const std::span<std::byte> rest = arena.allocate_rest();
  EXPECT_GE(arena.bytes(), 1000U);
  EXPECT_GE(rest.size() + 100 * sizeof(double), 950U);
  EXPECT_LE(rest.size() + 100 * sizeof(double), arena.bytes());
  EXPECT_TRUE(arena.allocate_rest().empty());
  EXPECT_TRUE(ScratchArena().allocate_rest().empty());
}

TEST(NeighborList, HasSortedRowsOfPairsWithinTheSkin) {
  Particles particles;
  for (const double x : {0.0, 1.0, 2.05, 10.0}) particles.add(grain(x, 0, 0), false);
  ListFixture fixture(open_space);
  EXPECT_FALSE(fixture.list.exists());
  fixture.build(particles);
  EXPECT_TRUE(fixture.list.is_valid());
  EXPECT_NEAR(fixture.list.skin(), 0.05, 1e-12);
  EXPECT_THAT(listed_pairs(fixture.list.rows()), ElementsAre(Pair{0, 1}, Pair{1, 2}));
}

TEST(NeighborList, ContainsPairsAcrossPeriodicBoundariesWithTheirImages) {
  Particles particles;
  for (const double x : {0.2, 9.4}) particles.add(grain(x, 5, 5), false);
  ListFixture fixture(
      {Method::automatic, Box<3>{{0, 0, 0}, {10, 10, 10}}, {true, false, false}, 1, 0});
  fixture.build(particles);
  const PairRows rows = fixture.list.rows();
  ASSERT_EQ(rows.pair_count(), 1U);
  EXPECT_THAT(rows.image(0), ElementsAre(-1, 0, 0));
  EXPECT_EQ(rows.shift(0).x, -10);
}

TEST(NeighborList, RemovalKeepsTheOtherPairs) {
  Particles particles;
  for (const double x : {0.0, 1.0, 2.0, 3.0}) particles.add(grain(x, 0, 0), false);
  ListFixture fixture(open_space);
  fixture.build(particles);
  fixture.list.remove(std::vector<std::uint32_t>{0, removed_particle, 1, 2}, 3);
  EXPECT_FALSE(fixture.list.is_valid());
  EXPECT_THAT(listed_pairs(fixture.list.rows()), ElementsAre(Pair{1, 2}));
}

TEST(NeighborList, StaysValidInUniformMotionAndNotInRelativeMotion) {
  Particles particles = random_grains(500, 8, 1);
  ListFixture fixture(open_space);
  fixture.build(particles);
  const auto displace = [&](double low, double high) {
    DisplacementBounds* bounds = fixture.list.motion().bounds();
    for (std::size_t block = 0; block * DisplacementBounds::block_size < particles.size();
         ++block) {
      bounds[block].low.x += low;
      bounds[block].high.x += high;
    }
    fixture.list.check_motion();
  };
  for (int step = 0; step < 5; ++step) displace(0.09, 0.09);  // 9 times the skin in all
  EXPECT_TRUE(fixture.list.is_valid());
  displace(-0.02, 0.04);  // two particles may have approached by 0.06 > skin
  EXPECT_FALSE(fixture.list.is_valid());
}

TEST(NeighborList, HasBoundedMemoryIfParticlesAreNotSorted) {
  const Particles particles = random_grains(30000, 40, 4);  // every block spans the whole box
  ListFixture fixture(open_space);
  fixture.build(particles);
  EXPECT_TRUE(fixture.list.is_valid());
  fixture.list.motion().bounds()[7].high.x += 0.4 * fixture.list.skin();
  fixture.list.check_motion();
  EXPECT_TRUE(fixture.list.is_valid());
  fixture.list.motion().bounds()[7].high.x += 0.2 * fixture.list.skin();
  fixture.list.check_motion();
  EXPECT_FALSE(fixture.list.is_valid());
}

/// Forces and springs after some evaluations of particles that do not move.
struct EvaluatedForces {
  std::vector<double> force;
  std::vector<double> torque;
  std::vector<PairHistory> history;
};

TEST(ContactForces, AreEqualAndOppositeAlongTheNormal) {
  const ContactModel model = contact_model();
  Particles particles;
  particles.add(grain(0, 0, 0), false);
  particles.add(grain(0.9, 0, 0), false);
  ListFixture fixture(open_space);
  ContactForces forces(model);
  fixture.build(particles, &forces);
  ScratchArena arena;
  ForceSums sums(model.has_rotation());
  sums.allocate(2, forces.slot_count(), arena);
  forces.begin_evaluation();
  for (std::size_t chunk = 0; chunk < forces.chunk_count(); ++chunk)
    (void)forces.add_pair_forces(chunk, fixture.list.rows(), particles, 1e-4, sums);
  for (std::size_t chunk = 0; chunk < forces.chunk_count(); ++chunk)
    forces.add_stored_forces(chunk, sums);
  EXPECT_NEAR(sums.force()[0].x, -100, 1e-9);
  EXPECT_EQ(sums.force()[1].x, -sums.force()[0].x);
  const auto contact = forces.evaluate(0, {0, 1}, fixture.list.rows(), particles);
  EXPECT_NEAR(contact.overlap, 0.1, 1e-12);
  EXPECT_EQ(contact.normal[0], 1);
  EXPECT_EQ(contact.force.x, sums.force()[0].x);
}

EvaluatedForces evaluate(const ContactModel& model, const Particles& particles, int evaluations,
                         bool rebuild) {
  ListFixture fixture(open_space);
  ContactForces forces(model);
  fixture.build(particles, &forces);
  ScratchArena arena;
  ForceSums sums(model.has_rotation());
  for (int k = 0; k < evaluations; ++k) {
    if (rebuild) fixture.build(particles, &forces);
    sums.allocate(particles.size(), forces.slot_count(), arena);
    forces.begin_evaluation();
    for (std::size_t chunk = 0; chunk < forces.chunk_count(); ++chunk)
      (void)forces.add_pair_forces(chunk, fixture.list.rows(), particles, 1e-4, sums);
    for (std::size_t chunk = 0; chunk < forces.chunk_count(); ++chunk)
      forces.add_stored_forces(chunk, sums);
  }
  return {flatten(sums.force(), particles.size()), flatten(sums.torque(), particles.size()),
          forces.history(fixture.list.rows())};
}

TEST(ContactForces, KeepTheHistoryOfContactsWhenTheListIsRebuilt) {
  const ContactModel model = contact_model();
  const Particles particles = random_grains(400, 6, 2);
  const EvaluatedForces kept = evaluate(model, particles, 5, false);
  const EvaluatedForces rebuilt = evaluate(model, particles, 5, true);
  ASSERT_FALSE(kept.history.empty());
  EXPECT_EQ(kept.force, rebuilt.force);
  EXPECT_EQ(kept.torque, rebuilt.torque);
  ASSERT_EQ(kept.history.size(), rebuilt.history.size());
  for (std::size_t k = 0; k < kept.history.size(); ++k)
    EXPECT_EQ(kept.history[k].spring, rebuilt.history[k].spring);
  EXPECT_NE(evaluate(model, particles, 1, false).force, kept.force);  // the springs grow
}

// A subset as in a distributed run: the particles with x < 4 and copies of their neighbors.
TEST(ContactForces, OfASubsetAreBitwiseEqualToThoseOfAllParticles) {
  const ContactModel model = contact_model();
  Particles all = random_grains(3000, 12, 3);
  all.renumber(all.spatial_order(), all.size());
  const EvaluatedForces whole = evaluate(model, all, 1, false);
  Particles part;
  std::vector<std::uint64_t> positions;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all.position()[i].x > 4 + 1.2) continue;
    part.add({all.position()[i], all.velocity()[i], all.angular_velocity()[i], 0}, false);
    positions.push_back(i);
  }
  ListFixture fixture(open_space);
  ContactForces forces(model);
  fixture.build(part);
  forces.begin_rebuild(fixture.list.rows(), fixture.arena);
  forces.end_rebuild(fixture.list.rows(), GlobalOrder(positions, all.size()), fixture.arena,
                     fixture.pool);
  ScratchArena arena;
  ForceSums sums(model.has_rotation());
  sums.allocate(part.size(), forces.slot_count(), arena);
  forces.begin_evaluation();
  for (std::size_t chunk = 0; chunk < forces.chunk_count(); ++chunk)
    (void)forces.add_pair_forces(chunk, fixture.list.rows(), part, 1e-4, sums);
  for (std::size_t chunk = 0; chunk < forces.chunk_count(); ++chunk)
    forces.add_stored_forces(chunk, sums);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part.position()[i].x > 4) continue;
    ++compared;
    EXPECT_EQ(sums.force()[i].x, whole.force[4 * positions[i]]) << i;
    EXPECT_EQ(sums.torque()[i].z, whole.torque[4 * positions[i] + 2]) << i;
  }
  EXPECT_GT(compared, 500U);
}

TEST(WallForces, ActOnParticlesThatOverlapAWall) {
  const ContactModel model = contact_model();
  Particles particles;
  particles.add(grain(0, 0, 0.45), false);
  particles.add(grain(0, 0, 5), false);
  WallForces<3> walls(model, {{}, {}, 1, true});
  EXPECT_TRUE(walls.has_valid_candidates());  // there is no wall
  walls.add({"floor", Plane<3>{{0, 0, 0}, {0, 0, 1}}, 0, {}, false});
  EXPECT_FALSE(walls.has_valid_candidates());
  ThreadPool pool(1);
  ScratchArena arena;
  walls.update_candidates(sphere_arrays<3>(particles, arena, pool), 0, 0.1, 0, arena);
  walls.update_contacts(particles, 0);
  ForceSums sums(true);
  sums.allocate(2, 0, arena);
  (void)walls.add_forces(0, 2, particles, 1e-4, sums);
  EXPECT_NEAR(sums.force()[0].z, 50, 1e-9);
  EXPECT_EQ(sums.force()[1].z, 0);
  EXPECT_EQ(walls.overlapping(particles).size(), 1U);
  walls.check_motion(0.09, 0, 1e-4);
  EXPECT_TRUE(walls.has_valid_candidates());
  walls.check_motion(0.11, 0, 1e-4);
  EXPECT_FALSE(walls.has_valid_candidates());
}

TEST(TimeIntegration, AddsDisplacementsAndReportsParticlesOutside) {
  const ContactModel model = contact_model();
  Particles particles;
  Particles::Record record = grain(0, 0, 0);
  record.velocity.x = 2;
  particles.add(record, false);
  TimeIntegration integration({Integrator::velocity_verlet,
                               {0, 0, -10, 0},
                               {-1, -1, -1, 0},
                               {1, 1, 1, 0},
                               true,
                               model.kernels().integrate});
  ScratchArena arena;
  ForceSums sums(true);
  sums.allocate(1, 0, arena);
  DisplacementBounds displacements;
  const auto begin = [&](double time_step) {
    return integration.integrate(StepPhase::begin, 0, 1, time_step, particles, sums,
                                 &displacements);
  };
  const IntegrationResult result = begin(0.1);
  EXPECT_TRUE(result.is_inside);
  EXPECT_NEAR(result.max_displacement, std::hypot(0.2, 0.05), 1e-12);
  EXPECT_NEAR(particles.position()[0].x, 0.2, 1e-12);
  EXPECT_NEAR(particles.position()[0].z, -0.05, 1e-12);
  EXPECT_NEAR(displacements.high.x, 0.2, 1e-12);
  EXPECT_NEAR(displacements.low.z, -0.05, 1e-12);
  EXPECT_FALSE(begin(1).is_inside);
}

TEST(EnergyBalance, SeparatesElasticFromDissipatedEnergy) {
  EnergyBalance balance;
  const ContactEnergy first[] = {{1, 2, 2.5}, {0.5, 0, 0}};
  balance.add_step(first);
  const ContactEnergy second[] = {{0, 1, 0}};
  balance.add_step(second);
  balance.add_input(3);
  Particles particles;
  Particles::Record record = grain(0, 0, 2);
  record.velocity.x = 2;
  particles.add(record, false);
  const double mass = particle_mass<3>(1000, 0.5);
  const Energy energy = balance.energy(particles, {0, 0, -10, 0}, {});
  EXPECT_EQ(energy.elastic, 1);
  EXPECT_NEAR(energy.dissipated, 1.5, 1e-12);  // 2.5 − 2, then 0 − (1 − 2)
  EXPECT_EQ(energy.input, 3);
  EXPECT_NEAR(energy.kinetic, mass / 2 * 4, 1e-9 * mass);
  EXPECT_NEAR(energy.potential, mass * 10 * 2, 1e-9 * mass);
}

TEST(SimulationDomain, TakesParticlesThatLeftOrAreInASink) {
  SimulationDomain<3> domain(Box<3>{{0, 0, 0}, {10, 10, 10}}, {true, false, false}, true);
  domain.add({"below", {{0, 0, 0}, {10, 10, 1}}});
  Particles particles;
  particles.add(grain(12, 5, 5), false);    // outside along the periodic axis
  particles.add(grain(5, 11, 5), false);    // outside
  particles.add(grain(-8, 5, 0.5), false);  // an image is in the sink
  EXPECT_TRUE(domain.may_remove());
  EXPECT_THAT(domain.count_departed(particles), ElementsAre(1, 2));
  EXPECT_EQ(domain.removed(), 2U);
  EXPECT_EQ(domain.sinks()[0].count, 1U);
  EXPECT_THAT(SimulationDomain<3>({}, {}, false).count_departed(particles), IsEmpty());
}

}  // namespace
}  // namespace abut
