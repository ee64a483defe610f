// Wall contacts do not depend on the number of threads.
#include <gmock/gmock.h>

#include <algorithm>

#include "scenes/mesh_scene.hpp"
#include "wall_cases.hpp"

namespace abut::testing {
namespace {

TEST(WallThreads, FindSameContactsInSameOrder) {
  Walls3 walls;
  walls.add(hopper_mesh(3000, 2, 8, 6, 16));
  walls.add(Annulus{{0, 0, 3}, {0, 0, 1}, 7});
  const WallId stirrer = walls.add(box_mesh(Point<3>{-5, -0.2, 8}, {5, 0.2, 9}, 3));
  walls.set_transform(stirrer, rotation_about({0, 0, 0}, {0, 0, 1}, 0.4));
  const Scene<3> scene = random_spheres<3>(40000, -9, 16, 0.1, 0.8, 41);
  const WallOptions<3> sequential{.margin = 0.05,
                                  .domain = Box<3>{{-9, -9, -9}, {16, 16, 16}},
                                  .periodic = {false, true, false}};
  const auto expected = walls.contacts(scene.view(), sequential);
  EXPECT_GT(expected.size(), 1000U);
  EXPECT_TRUE(std::ranges::is_sorted(expected, {}, [](const auto& contact) {
    return std::pair(contact.particle, contact.element);
  }));
  for (const unsigned threads : {2U, 3U, 8U}) {
    WallOptions<3> options = sequential;
    options.threads = threads;
    EXPECT_TRUE(walls.contacts(scene.view(), options) == expected) << threads;
  }
  const Mesh<3> hopper = hopper_mesh(300, 2, 8, 6, 16);
  const Scene<3> spheres = random_spheres<3>(9000, -9, 16, 0.1, 0.8, 42);
  EXPECT_TRUE(walls_of(hopper).contacts(spheres.view(), {.threads = 3}) ==
              brute_force_contacts<3>({hopper}, spheres.view()));
}

}  // namespace
}  // namespace abut::testing
