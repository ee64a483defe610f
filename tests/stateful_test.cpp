// Detectors that keep data between updates: the pairs must be those of brute force after every kind
// of change to the particles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conformance.hpp"
#include "core/statistics.hpp"
#include "sanitized.hpp"

namespace abut::testing {
namespace {

template <std::size_t D>
class ChangingParticles {
 public:
  explicit ChangingParticles(std::uint64_t seed) : random_(seed) {
    for (int i = 0; i < 150; ++i) insert();
  }

  // Moves all particles slightly and applies one random change; returns its name.
  std::string step() {
    perturb();
    switch (random_.below(8)) {
      case 0:
        return insert(), "insertion";
      case 1:
        return remove(), "removal";
      case 2:
        return teleport(), "teleport";
      case 3:
        return wrap(), "periodic wrap";
      case 4:
        return swap(), "index swap";
      case 5:
        return eject(), "leaving the grid";
      case 6:
        return resize(), "change of radius";
      default:
        return "motion";
    }
  }

  [[nodiscard]] Spheres<D> view() const { return scene_.view(); }

 private:
  static constexpr double width = D == 2 ? 14 : 6;

  std::size_t random_index() { return random_.below(scene_.size()); }

  void perturb() {
    for (auto& axis : scene_.coordinates)
      for (double& x : axis) x = std::clamp(x + random_.uniform(-0.2, 0.2), -30.0, 30.0);
  }
  void insert() {
    for (auto& axis : scene_.coordinates) axis.push_back(random_.uniform(0, width));
    scene_.radii.push_back(random_.uniform(0.3, 0.5));
  }
  void remove() {
    if (scene_.size() < 50) return;
    const auto at = static_cast<std::ptrdiff_t>(random_index());
    for (auto& axis : scene_.coordinates) axis.erase(axis.begin() + at);
    scene_.radii.erase(scene_.radii.begin() + at);
  }
  void teleport() {
    const std::size_t i = random_index();
    for (auto& axis : scene_.coordinates) axis[i] = random_.uniform(0, width);
  }
  void wrap() {
    auto& axis = scene_.coordinates[random_.below(D)];
    for (double& x : axis)
      if (x > width - 0.5) x -= width;
  }
  // Two particles swap indices: the set of positions is unchanged, but both particles have moved.
  void swap() {
    const std::size_t i = random_index();
    const std::size_t j = random_index();
    for (auto& axis : scene_.coordinates) std::swap(axis[i], axis[j]);
  }
  void eject() { scene_.coordinates[random_.below(D)][random_index()] += random_.uniform(5, 10); }
  void resize() { scene_.radii[random_index()] = random_.uniform(0.4, 0.6); }

  Random random_;
  Scene<D> scene_;
};

class Stateful : public ::testing::TestWithParam<MethodInfo> {};

template <std::size_t D>
void expect_pairs_after_every_step(Method method, unsigned threads, double margin) {
  constexpr std::uint64_t seed = 20250611;
  ChangingParticles<D> particles(seed);
  Detector<D> detector({.method = method, .margin = margin, .threads = threads});
  for (int step = 0; step < 200; ++step) {
    const std::string change = particles.step();
    detector.update(particles.view());
    ASSERT_TRUE(detector.pairs() ==
                find_contacts(particles.view(), {.method = Method::brute_force, .margin = margin}))
        << D << "D, seed " << seed << ", step " << step << ": " << change;
  }
}

TEST_P(Stateful, FindsBruteForcePairsIn2D) {
  expect_pairs_after_every_step<2>(GetParam().method, test_thread_count(), 0);
}
TEST_P(Stateful, FindsBruteForcePairsIn3D) {
  expect_pairs_after_every_step<3>(GetParam().method, test_thread_count(), 0);
}
TEST_P(Stateful, FindsBruteForcePairsWithMarginAndThreads) {
  expect_pairs_after_every_step<3>(GetParam().method, 3, 0.1);
}

// Updates without a query must be taken into account too.
TEST_P(Stateful, AllowsSeveralUpdatesBetweenQueries) {
  ChangingParticles<3> particles(7);
  Detector<3> detector({.method = GetParam().method});
  for (int step = 0; step < 60; ++step) {
    particles.step();
    detector.update(particles.view());
    if (step % 3 != 2) continue;
    ASSERT_TRUE(detector.pairs() ==
                find_contacts(particles.view(), {.method = Method::brute_force}))
        << step;
    std::size_t streamed = 0;  // a second search of the same structure
    detector.for_each_pair([&](Pair) { ++streamed; });
    ASSERT_EQ(streamed, detector.pairs().size()) << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Stateful, ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

// More particles than a list has skip pointers, and indices swapped between particles that are near
// each other in the list: the positions look like small motion, but belong to other particles.
template <std::size_t D>
void expect_pairs_of_large_lists(Method method) {
  for (std::uint64_t seed = 1; seed <= trial_count(40U); ++seed) {
    Scene<D> scene = make_scene<D>("random", {.count = 13000,
                                              .seed = seed,
                                              .solid_fraction = D == 2 ? 0.4 : 0.1,
                                              .spatial_order = true});
    Detector<D> detector({.method = method});
    Random random(seed);
    for (int step = 0; step < 4; ++step) {
      detector.update(scene.view());
      ASSERT_TRUE(detector.pairs() == find_contacts(scene.view(), {.method = Method::screening}))
          << D << "D, seed " << seed << ", step " << step;
      perturb(scene, 0.05, seed + static_cast<unsigned>(step));
      for (int n = 0; n < 60; ++n) {
        const std::size_t length = 1 + random.below(30);
        const auto first = static_cast<std::ptrdiff_t>(random.below(scene.size() - 2 * length));
        const auto middle = first + static_cast<std::ptrdiff_t>(length);
        for (auto& axis : scene.coordinates)
          std::swap_ranges(axis.begin() + first, axis.begin() + middle, axis.begin() + middle);
      }
    }
  }
}

TEST(StatefulLists, FindPairsOfManyParticles) {
  for (const Method method : {Method::mr, Method::mr_recomputed}) {
    expect_pairs_of_large_lists<2>(method);
    expect_pairs_of_large_lists<3>(method);
  }
}

// Movable particles and fixed ones. The latter must not move, but a caller may move or resize them.
template <std::size_t D>
void expect_pairs_with_fixed(Method method) {
  Scene<D> scene = make_scene<D>("random", {.count = 600, .seed = 3, .solid_fraction = 1});
  constexpr std::size_t fixed_count = 200;
  const DetectorOptions<D> options{.method = method, .fixed_count = fixed_count};
  Detector<D> detector(options);
  Random random(9);
  for (int step = 0; step < 40; ++step) {
    const std::size_t first =
        step == 20 ? 0 : fixed_count;  // at step 20 the fixed particles move too
    for (auto& axis : scene.coordinates)
      for (std::size_t i = first; i < scene.size(); ++i) axis[i] += random.uniform(-0.1, 0.1);
    if (step == 30) scene.radii[5] *= 1.5;  // a fixed particle grows
    detector.update(scene.view());
    std::vector<Pair> expected = find_contacts(scene.view(), {.method = Method::brute_force});
    std::erase_if(expected, [](Pair pair) { return pair.b < fixed_count; });
    ASSERT_TRUE(detector.pairs() == expected) << step;
  }
}

class StatefulFixed : public ::testing::TestWithParam<MethodInfo> {};

TEST_P(StatefulFixed, OmitsPairsOfTwoFixedParticlesOnly) {
  expect_pairs_with_fixed<2>(GetParam().method);
  expect_pairs_with_fixed<3>(GetParam().method);
}

TEST_P(StatefulFixed, AllowsAllParticlesFixedButNotMore) {
  const Scene<3> scene = make_scene<3>("lattice", {.count = 27});
  EXPECT_TRUE(
      find_contacts(scene.view(), {.method = GetParam().method, .fixed_count = 27}).empty());
  EXPECT_EQ(find_contacts(scene.view(), {.method = GetParam().method, .fixed_count = 26}).size(),
            3);
  EXPECT_THROW((void)find_contacts(scene.view(), {.method = GetParam().method, .fixed_count = 28}),
               Error);
}

INSTANTIATE_TEST_SUITE_P(Every, StatefulFixed,
                         ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace abut::testing
