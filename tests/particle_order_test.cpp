#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "dem/particle_store.hpp"

namespace abut {
namespace {

ParticleStore store_of(const std::vector<Vec4>& places, std::size_t fixed) {
  ParticleStore store;
  store.position = places;
  store.velocity.resize(places.size());
  store.angular_velocity.resize(places.size());
  store.material.resize(places.size());
  for (std::uint32_t i = 0; i < places.size(); ++i) store.id.push_back(i);
  store.fixed_count = fixed;
  return store;
}

std::vector<Vec4> one_in_every_cell(int cells, int layers) {
  std::vector<Vec4> places;
  for (int z = 0; z < layers; ++z)
    for (int x = 0; x < cells; ++x)
      for (int y = 0; y < cells; ++y)
        places.push_back({0.2 * x + 0.1, 0.2 * y + 0.1, 0.2 * z + 0.1, 0.05});
  return places;
}

double apart(const Vec4& a, const Vec4& b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }

TEST(ParticleOrder, GoesFromCellToCellWithoutALeap) {
  ParticleStore store = store_of(one_in_every_cell(8, 8), 0);
  store.permute(spatial_order(store, 0.2), store.size());
  for (std::size_t i = 1; i < store.size(); ++i)
    EXPECT_NEAR(apart(store.position[i - 1], store.position[i]), 0.2, 1e-9) << i;
}

TEST(ParticleOrder, KeepsTogetherWhatIsOneParticle) {
  const std::vector<Vec4> places = one_in_every_cell(5, 3);
  ParticleStore store = store_of(places, 0);
  store.permute(spatial_order(store, 0.2), store.size());
  for (std::size_t i = 0; i < store.size(); ++i)
    EXPECT_EQ(apart(store.position[i], places[store.id[i]]), 0);
  std::vector<std::uint32_t> all(places.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  EXPECT_THAT(store.id, ::testing::UnorderedElementsAreArray(all));
}

TEST(ParticleOrder, LeavesFixedOnesBeforeAllOthers) {
  ParticleStore store = store_of(one_in_every_cell(4, 4), 20);
  store.permute(spatial_order(store, 0.2), store.size());
  for (std::size_t i = 0; i < store.size(); ++i) EXPECT_EQ(store.id[i] < 20, i < 20) << i;
}

}  // namespace
}  // namespace abut
