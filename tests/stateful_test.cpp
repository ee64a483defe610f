// Detectors that keep an order from step to step, through everything particles can do between two
// steps: the pairs must be those of brute force after every one of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conformance.hpp"
#include "core/statistics.hpp"
#include "sanitized.hpp"

namespace abut::testing {
namespace {

template <std::size_t D>
class Crowd {
 public:
  explicit Crowd(std::uint64_t seed) : random_(seed) {
    for (int i = 0; i < 150; ++i) insert();
  }

  // One step: small motions always, and now and then something worse. Returns what it was.
  std::string step() {
    shake();
    switch (random_.below(8)) {
      case 0:
        return insert(), "insertion";
      case 1:
        return remove(), "removal";
      case 2:
        return teleport(), "teleport";
      case 3:
        return jump(), "periodic jump";
      case 4:
        return exchange(), "exchange";
      case 5:
        return leave(), "leaving the cells";
      case 6:
        return grow(), "another largest particle";
      default:
        return "motion";
    }
  }

  [[nodiscard]] Spheres<D> particles() const { return scene_.view(); }

 private:
  static constexpr double width = D == 2 ? 14 : 6;

  std::size_t any() { return random_.below(scene_.size()); }

  void shake() {
    for (auto& axis : scene_.coordinates)
      for (double& x : axis) x = std::clamp(x + random_.uniform(-0.2, 0.2), -30.0, 30.0);
  }
  void insert() {
    for (auto& axis : scene_.coordinates) axis.push_back(random_.uniform(0, width));
    scene_.radii.push_back(random_.uniform(0.3, 0.5));
  }
  void remove() {
    if (scene_.size() < 50) return;
    const auto at = static_cast<std::ptrdiff_t>(any());
    for (auto& axis : scene_.coordinates) axis.erase(axis.begin() + at);
    scene_.radii.erase(scene_.radii.begin() + at);
  }
  void teleport() {
    const std::size_t i = any();
    for (auto& axis : scene_.coordinates) axis[i] = random_.uniform(0, width);
  }
  void jump() {
    auto& axis = scene_.coordinates[random_.below(D)];
    for (double& x : axis)
      if (x > width - 0.5) x -= width;
  }
  // Two numbers change places: nothing has moved, and yet both have.
  void exchange() {
    const std::size_t i = any();
    const std::size_t j = any();
    for (auto& axis : scene_.coordinates) std::swap(axis[i], axis[j]);
  }
  void leave() { scene_.coordinates[random_.below(D)][any()] += random_.uniform(5, 10); }
  void grow() { scene_.radii[any()] = random_.uniform(0.4, 0.6); }

  Random random_;
  Scene<D> scene_;
};

class Stateful : public ::testing::TestWithParam<MethodInfo> {};

template <std::size_t D>
void expect_pairs_after_every_step(Method method, unsigned threads, double margin) {
  constexpr std::uint64_t seed = 20250611;
  Crowd<D> crowd(seed);
  Detector<D> search({.method = method, .margin = margin, .threads = threads});
  for (int step = 0; step < 200; ++step) {
    const std::string what = crowd.step();
    search.update(crowd.particles());
    ASSERT_TRUE(search.pairs() ==
                find_contacts(crowd.particles(), {.method = Method::brute_force, .margin = margin}))
        << D << "D, seed " << seed << ", step " << step << ": " << what;
  }
}

TEST_P(Stateful, FindsThePairsOfBruteForceIn2D) {
  expect_pairs_after_every_step<2>(GetParam().method, test_thread_count(), 0);
}
TEST_P(Stateful, FindsThePairsOfBruteForceIn3D) {
  expect_pairs_after_every_step<3>(GetParam().method, test_thread_count(), 0);
}
TEST_P(Stateful, FindsThemWithAMarginAndThreads) {
  expect_pairs_after_every_step<3>(GetParam().method, 3, 0.1);
}

// Steps that nobody asked for the pairs of must not be missed either.
TEST_P(Stateful, MayBeUpdatedSeveralTimesBeforeItIsAsked) {
  Crowd<3> crowd(7);
  Detector<3> search({.method = GetParam().method});
  for (int step = 0; step < 60; ++step) {
    crowd.step();
    search.update(crowd.particles());
    if (step % 3 != 2) continue;
    ASSERT_TRUE(search.pairs() == find_contacts(crowd.particles(), {.method = Method::brute_force}))
        << step;
    std::size_t streamed = 0;  // and once more from the same structure
    search.for_each_pair([&](Pair) { ++streamed; });
    ASSERT_EQ(streamed, search.pairs().size()) << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Stateful, ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

// More particles than a list has marks, and numbers exchanged between places that are near in the
// order of the list: what looks like small motion, but is not that of any particle.
template <std::size_t D>
void expect_pairs_of_many(Method method) {
  for (std::uint64_t seed = 1; seed <= trial_count(40U); ++seed) {
    Scene<D> scene = make_scene<D>("random", {.count = 13000,
                                              .seed = seed,
                                              .solid_fraction = D == 2 ? 0.4 : 0.1,
                                              .spatial_order = true});
    Detector<D> search({.method = method});
    Random random(seed);
    for (int step = 0; step < 4; ++step) {
      search.update(scene.view());
      ASSERT_TRUE(search.pairs() == find_contacts(scene.view(), {.method = Method::screening}))
          << D << "D, seed " << seed << ", step " << step;
      perturb(scene, 0.05, seed + static_cast<unsigned>(step));
      for (int swaps = 0; swaps < 60; ++swaps) {
        const std::size_t length = 1 + random.below(30);
        const auto first = static_cast<std::ptrdiff_t>(random.below(scene.size() - 2 * length));
        const auto middle = first + static_cast<std::ptrdiff_t>(length);
        for (auto& axis : scene.coordinates)
          std::swap_ranges(axis.begin() + first, axis.begin() + middle, axis.begin() + middle);
      }
    }
  }
}

TEST(StatefulLists, FindThePairsOfMany) {
  for (const Method method : {Method::mr, Method::mr_recomputed}) {
    expect_pairs_of_many<2>(method);
    expect_pairs_of_many<3>(method);
  }
}

// Walls that stay, walls that are others after all, and particles that move among them.
template <std::size_t D>
void expect_walls(Method method) {
  Scene<D> scene = make_scene<D>("random", {.count = 600, .seed = 3, .solid_fraction = 1});
  constexpr std::size_t walls = 200;
  const DetectorOptions<D> options{.method = method, .fixed_count = walls};
  Detector<D> search(options);
  Random random(9);
  for (int step = 0; step < 40; ++step) {
    const std::size_t first = step == 20 ? 0 : walls;  // once they move
    for (auto& axis : scene.coordinates)
      for (std::size_t i = first; i < scene.size(); ++i) axis[i] += random.uniform(-0.1, 0.1);
    if (step == 30) scene.radii[5] *= 1.5;  // and once one grows
    search.update(scene.view());
    std::vector<Pair> expected = find_contacts(scene.view(), {.method = Method::brute_force});
    std::erase_if(expected, [](Pair pair) { return pair.b < walls; });
    ASSERT_TRUE(search.pairs() == expected) << step;
  }
}

class StatefulWalls : public ::testing::TestWithParam<MethodInfo> {};

TEST_P(StatefulWalls, AreLeftOutAmongThemselvesAndNeverMissed) {
  expect_walls<2>(GetParam().method);
  expect_walls<3>(GetParam().method);
}

TEST_P(StatefulWalls, MayBeAllOfThemButNotMore) {
  const Scene<3> scene = make_scene<3>("lattice", {.count = 27});
  EXPECT_TRUE(
      find_contacts(scene.view(), {.method = GetParam().method, .fixed_count = 27}).empty());
  EXPECT_EQ(find_contacts(scene.view(), {.method = GetParam().method, .fixed_count = 26}).size(),
            3);
  EXPECT_THROW((void)find_contacts(scene.view(), {.method = GetParam().method, .fixed_count = 28}),
               Error);
}

INSTANTIATE_TEST_SUITE_P(Every, StatefulWalls,
                         ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace abut::testing
