#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "dem/particle_store.hpp"

namespace abut {
namespace {

ParticleStore store_of(const std::vector<Vec4>& positions, std::size_t fixed_count) {
  ParticleStore store;
  store.position = positions;
  store.velocity.resize(positions.size());
  store.angular_velocity.resize(positions.size());
  store.material.resize(positions.size());
  for (std::uint32_t i = 0; i < positions.size(); ++i) store.id.push_back(i);
  store.fixed_count = fixed_count;
  return store;
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

TEST(SpatialOrder, VisitsNeighboringCellsConsecutively) {
  ParticleStore store = store_of(one_per_cell(8, 8), 0);
  store.permute(spatial_order(store, 0.2), store.size());
  for (std::size_t i = 1; i < store.size(); ++i)
    EXPECT_NEAR(distance(store.position[i - 1], store.position[i]), 0.2, 1e-9) << i;
}

TEST(SpatialOrder, MovesAllDataOfAParticleTogether) {
  const std::vector<Vec4> positions = one_per_cell(5, 3);
  ParticleStore store = store_of(positions, 0);
  store.permute(spatial_order(store, 0.2), store.size());
  for (std::size_t i = 0; i < store.size(); ++i)
    EXPECT_EQ(distance(store.position[i], positions[store.id[i]]), 0);
  std::vector<std::uint32_t> all(positions.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  EXPECT_THAT(store.id, ::testing::UnorderedElementsAreArray(all));
}

TEST(SpatialOrder, KeepsFixedParticlesFirst) {
  ParticleStore store = store_of(one_per_cell(4, 4), 20);
  store.permute(spatial_order(store, 0.2), store.size());
  for (std::size_t i = 0; i < store.size(); ++i) EXPECT_EQ(store.id[i] < 20, i < 20) << i;
}

}  // namespace
}  // namespace abut
