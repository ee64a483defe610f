// Contacts of polygons and polyhedra, found by several threads.
#include <gmock/gmock.h>

#include "block_fixtures.hpp"

namespace abut::testing {
namespace {

template <std::size_t D>
bool are_identical(const BlockContact<D>& a, const BlockContact<D>& b) {
  return a.part_a == b.part_a && a.part_b == b.part_b && a.plane.gap == b.plane.gap &&
         a.plane.normal == b.plane.normal && a.point == b.point && a.area == b.area &&
         a.age == b.age && a.previous_index == b.previous_index;
}

// Steps of motion: the table of one thread is that of several, bit by bit, and where particles are
// apart its gaps are those found without history.
template <std::size_t D>
void expect_same_history(Blocks<D> blocks, double wide) {
  BlockDetector<D> alone({.margin = 0.1});
  BlockDetector<D> together({.margin = 0.1, .threads = 3});
  Random random(9);
  std::vector<RigidTransform<D>> where;
  for (Index i = 0; i < blocks.particle_count(); ++i)
    where.push_back(random_block_transform<D>(random, wide));
  std::size_t known = 0;
  for (int step = 0; step < 12; ++step) {
    for (Index i = 0; i < blocks.particle_count(); ++i) {
      for (double& x : where[i].translation) x += random.uniform(-0.02, 0.02);
      blocks.set_transform(i, where[i]);
    }
    alone.update(blocks);
    together.update(blocks);
    ASSERT_EQ(alone.contacts().size(), together.contacts().size());
    for (std::size_t i = 0; i < alone.contacts().size(); ++i)
      EXPECT_TRUE(are_identical(alone.contacts()[i], together.contacts()[i])) << "step " << step;
    known += alone.statistics().warm_started;
    for (const BlockContact<D>& contact : alone.contacts()) {
      const double cold =
          common_plane(blocks.part(contact.part_a), blocks.part(contact.part_b)).gap;
      if (cold > 0) {
        EXPECT_NEAR(contact.plane.gap, cold, 1e-12);
      }
      EXPECT_LE(contact.plane.gap, cold + 1e-12);
    }
  }
  EXPECT_GT(known, 200U);
}

TEST(BlockThreads, HistoryIsTheSameForAnyNumber) {
  expect_same_history(random_blocks<2>(2000, 60, 7), 60);
  expect_same_history(random_blocks<3>(600, 12, 8), 12);
}

}  // namespace
}  // namespace abut::testing
