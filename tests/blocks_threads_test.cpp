// Block detection with several threads.
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

// Over several steps of motion, contacts must be bitwise identical for one and several threads, and
// gaps of separated particles equal to those found without history.
template <std::size_t D>
void expect_same_history(Blocks<D> blocks, double width) {
  BlockDetector<D> serial({.margin = 0.1});
  BlockDetector<D> parallel({.margin = 0.1, .threads = 3});
  Random random(9);
  std::vector<RigidTransform<D>> transforms;
  for (Index i = 0; i < blocks.particle_count(); ++i)
    transforms.push_back(random_block_transform<D>(random, width));
  std::size_t warm_started = 0;
  for (int step = 0; step < 12; ++step) {
    for (Index i = 0; i < blocks.particle_count(); ++i) {
      for (double& x : transforms[i].translation) x += random.uniform(-0.02, 0.02);
      blocks.set_transform(i, transforms[i]);
    }
    serial.update(blocks);
    parallel.update(blocks);
    ASSERT_EQ(serial.contacts().size(), parallel.contacts().size());
    for (std::size_t i = 0; i < serial.contacts().size(); ++i)
      EXPECT_TRUE(are_identical(serial.contacts()[i], parallel.contacts()[i])) << "step " << step;
    warm_started += serial.statistics().warm_started;
    for (const BlockContact<D>& contact : serial.contacts()) {
      const double cold =
          common_plane(blocks.part(contact.part_a), blocks.part(contact.part_b)).gap;
      if (cold > 0) {
        EXPECT_NEAR(contact.plane.gap, cold, 1e-12);
      }
      EXPECT_LE(contact.plane.gap, cold + 1e-12);
    }
  }
  EXPECT_GT(warm_started, 200U);
}

TEST(BlockDetectorThreads, IsBitwiseIdenticalForAnyThreadCount) {
  expect_same_history(random_blocks<2>(2000, 60, 7), 60);
  expect_same_history(random_blocks<3>(600, 12, 8), 12);
}

}  // namespace
}  // namespace abut::testing
