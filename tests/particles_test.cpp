#include "dem/particles.hpp"

#include <gmock/gmock.h>

#include <abut/error.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

namespace abut {
namespace {

Particles particles_at(const std::vector<Vec4>& positions, std::size_t fixed_count) {
  Particles particles;
  for (std::size_t i = 0; i < positions.size(); ++i)
    particles.add({.position = positions[i], .velocity = {}, .angular_velocity = {}, .material = 0},
                  i < fixed_count);
  return particles;
}

void sort_spatially(Particles& particles) {
  particles.renumber(particles.spatial_order(), particles.size());
}

std::vector<Vec4> one_per_cell(int cells, int layers) {
  std::vector<Vec4> positions;
  for (int z = 0; z < layers; ++z)
    for (int x = 0; x < cells; ++x)
      for (int y = 0; y < cells; ++y)
        positions.push_back({0.2 * x + 0.1, 0.2 * y + 0.1, 0.2 * z + 0.1, 0.05});
  return positions;
}

double distance(const Vec4& a, const Vec4& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

TEST(Particles, SpatialOrderVisitsNeighboringCellsConsecutively) {
  Particles particles = particles_at(one_per_cell(8, 8), 0);
  sort_spatially(particles);
  for (std::size_t i = 1; i < particles.size(); ++i)
    EXPECT_NEAR(distance(particles.position()[i - 1], particles.position()[i]), 0.2, 1e-9) << i;
}

TEST(Particles, SpatialOrderMovesAllDataOfAParticleTogether) {
  const std::vector<Vec4> positions = one_per_cell(5, 3);
  Particles particles = particles_at(positions, 0);
  sort_spatially(particles);
  for (std::size_t i = 0; i < particles.size(); ++i) {
    EXPECT_EQ(distance(particles.position()[i], positions[particles.id()[i]]), 0);
    EXPECT_EQ(particles.index_of(ParticleId{particles.id()[i]}), i);
  }
  std::vector<std::uint32_t> all(positions.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  EXPECT_THAT(particles.id(), ::testing::UnorderedElementsAreArray(all));
}

TEST(Particles, SpatialOrderKeepsFixedParticlesFirst) {
  Particles particles = particles_at(one_per_cell(4, 4), 20);
  sort_spatially(particles);
  for (std::size_t i = 0; i < particles.size(); ++i) EXPECT_EQ(particles.id()[i] < 20, i < 20) << i;
}

TEST(Particles, RemovalKeepsOrderAndForgetsTheId) {
  Particles particles = particles_at(one_per_cell(2, 1), 0);
  particles.renumber(std::vector<std::uint32_t>{0, removed_particle, 1, 2}, 3);
  EXPECT_THAT(particles.id(), ::testing::ElementsAre(0, 2, 3));
  EXPECT_FALSE(particles.find(ParticleId{1}).has_value());
  EXPECT_EQ(particles.index_of(ParticleId{3}), 2U);
  EXPECT_THROW((void)particles.index_of(ParticleId{1}), Error);
  EXPECT_EQ(particles.next_id(), 4U);
}

}  // namespace
}  // namespace abut
