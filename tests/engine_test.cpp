// Features of the engine only: levels, modular grids, neighbor-list reuse, SIMD kernels.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "conformance.hpp"
#include "core/simd.hpp"
#include "core/statistics.hpp"
#include "engine/plan.hpp"

namespace abut::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

template <std::size_t D>
std::vector<Pair> pairs_by(Method method, const Scene<D>& scene) {
  return find_contacts(scene.view(), {.method = method});
}

template <std::size_t D>
std::vector<Pair> unsorted_pairs(const Scene<D>& scene, unsigned threads) {
  Detector<D> detector({.method = Method::engine, .threads = threads});
  detector.update(scene.view());
  std::vector<Pair> pairs;
  detector.for_each_pair([&](Pair pair) { pairs.push_back(pair); });
  return pairs;
}

// Uses enough particles for several chunks and buckets.
template <std::size_t D>
void expect_pairs_of_every_scene() {
  for (const SceneInfo& info : scenes())
    for (const double ratio : {32.0, 1e3, 1e6}) {
      const bool mixed = info.name.starts_with("polydisperse");
      if (!mixed && ratio != 32) continue;
      const Scene<D> scene = make_scene<D>(info.name, {.count = 35000, .size_ratio = ratio});
      EXPECT_TRUE(
          find_contacts(scene.view(), {.method = Method::engine, .threads = test_thread_count()}) ==
          pairs_by(mixed ? Method::mmr : Method::sorting, scene))
          << info.name << " " << D << "D, ratio " << ratio;
    }
}

TEST(Engine, FindsPairsOfEveryScene2D) { expect_pairs_of_every_scene<2>(); }
TEST(Engine, FindsPairsOfEveryScene3D) { expect_pairs_of_every_scene<3>(); }

TEST(Engine, IsTheDefaultMethod) {
  EXPECT_EQ(find_method("auto"), Method::engine);
  EXPECT_EQ(find_method("automatic"), Method::engine);
  EXPECT_EQ(DetectorOptions<3>{}.method, Method::engine);
}

// Selects an instruction set; restores the previous one when it goes out of scope.
class SelectedSimdTarget {
 public:
  explicit SelectedSimdTarget(std::string_view name) { select_simd_target(name); }
  ~SelectedSimdTarget() { select_simd_target(previous_); }
  SelectedSimdTarget(const SelectedSimdTarget&) = delete;
  SelectedSimdTarget& operator=(const SelectedSimdTarget&) = delete;

 private:
  std::string previous_ = simd_target_name();
};

TEST(Engine, HasSamePairOrderWithAnyKernelsAndThreadCount) {
  for (const char* name : {"lattice-shuffled", "random", "polydisperse", "clusters"}) {
    const Scene<3> scene = make_scene<3>(name, {.count = 50000});
    const std::vector<Pair> serial = unsorted_pairs(scene, 1);
    EXPECT_GT(serial.size(), 0U);
    for (const unsigned threads : {1U, 2U, 3U, 8U})
      for (const char* simd : {"avx512", "avx2", "neon", "none"}) {
        const SelectedSimdTarget selected(simd);
        EXPECT_TRUE(unsorted_pairs(scene, threads) == serial)
            << name << ", " << threads << ", " << simd;
      }
  }
}

TEST(EngineMemory, IsAtMost64BytesPerParticleForAnyExtent) {
  for (const SceneInfo& info : scenes()) {
    const Scene<3> scene = make_scene<3>(info.name, {.count = 200000});
    Detector<3> detector({.method = Method::engine});
    detector.update(scene.view());
    detector.for_each_pair([](Pair) {});
    EXPECT_LE(detector.statistics().structure_bytes, 64 * scene.size() + (1U << 18U)) << info.name;
  }
}

// Adds a particle far away from all others.
template <std::size_t D>
void add_outlier(Scene<D>& scene, double coordinate) {
  for (auto& axis : scene.coordinates) axis.push_back(coordinate);
  scene.radii.push_back(0.5);
}

template <std::size_t D>
DetectorStatistics search_modular(const Scene<D>& scene) {
  Detector<D> detector({.method = Method::engine});
  detector.update(scene.view());
  std::size_t pairs = 0;
  detector.for_each_pair([&](Pair) { ++pairs; });
  EXPECT_EQ(pairs, pairs_by(Method::sorting, scene).size());
  EXPECT_THAT(detector.description(), HasSubstr("modular"));
  return detector.statistics();
}

// An outlier must not enlarge the cells so much that all other particles share one.
TEST(EngineExtent, IsNotEnlargedByOutliers) {
  for (const double where : {1e3, -1e6, 1e8, -3e8})
    for (const int outliers : {1, 5}) {
      Scene<3> scene = make_scene<3>("random", {.count = 20000});
      for (int i = 0; i < outliers; ++i) add_outlier(scene, where * (1 + 0.3 * i));
      const DetectorStatistics statistics = search_modular(scene);
      EXPECT_LT(statistics.structure_bytes, 64 * scene.size() + (1U << 18U)) << where;
    }
}

TEST(EngineExtent, FindsPairsOfFarOutliers) {
  for (const double where : {1e15, -1e60, 1e149}) {
    Scene<3> scene = make_scene<3>("random", {.count = 1500});
    add_outlier(scene, where);
    add_outlier(scene, where);  // a distant pair
    EXPECT_EQ(find_contacts(scene.view()), pairs_by(Method::brute_force, scene)) << where;
  }
}

TEST(EngineExtent, ReportsModularGrid) {
  Scene<3> scene = make_scene<3>("random", {.count = 20000});
  add_outlier(scene, 1e8);
  Detector<3> detector;
  detector.update(scene.view());
  EXPECT_THAT(detector.description(), HasSubstr("modular"));
  scene = make_scene<3>("random", {.count = 20000});
  detector.update(scene.view());
  EXPECT_THAT(detector.description(), AllOf(HasSubstr("one level"), Not(HasSubstr("modular"))));
}

// Neighbors on both sides of the wrap of a modular grid, in every direction.
template <std::size_t D>
void expect_pairs_across_wrap() {
  for (int seed = 1; seed <= 6; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Scene<D> scene;
    for (int i = 0; i < 900;
         ++i) {  // thirty distant clusters, each with several particles per cell
      const double cluster = (i % 30) * 1000.0 * seed;
      for (auto& axis : scene.coordinates) axis.push_back(cluster + random.uniform(-3, 3));
      scene.radii.push_back(random.uniform(0.2, 0.5));
    }
    EXPECT_EQ(pairs_by(Method::engine, scene), pairs_by(Method::brute_force, scene)) << seed;
  }
}

TEST(EngineExtent, FindsPairsAcrossModularWrap) {
  expect_pairs_across_wrap<2>();
  expect_pairs_across_wrap<3>();
}

// Coordinates where the cutoff of a huge particle is rounded by many cells, at the limit to which
// cell coordinates are clamped.
TEST(EngineExtent, FindsPairsAtCellCoordinateLimit) {
  for (const double limit : {0x1p40, 0x1p46}) {
    const double far = limit * 2 * (1 + (limit + 4) * 0x1p-50);
    Scene<2> scene;
    const auto add = [&](double x, double y, double radius) { scene.push_back({x, y}, radius); };
    for (int i = 0; i < 1000; ++i) add(0, i % 40, 1);
    for (int i = 0; i < 8; ++i) add(far - 1000, 0, 1);
    for (int i = 1; i <= 8; ++i) add(1.37e19 * i, 0, 1.37e19 * i - far);
    EXPECT_EQ(find_contacts(scene.view(), {.tolerance = 0}),
              find_contacts(scene.view(), {.method = Method::brute_force, .tolerance = 0}));
  }
}

// Two clusters far apart along one axis: the shape of the modular grid must not follow
// their distance.
TEST(EngineExtent, ShapesModularGridLikeTheClusters) {
  Scene<3> scene = make_scene<3>("random", {.count = 40000});
  for (std::size_t i = 0; i < scene.size(); i += 2) scene.coordinates[0][i] += 1e9;
  Detector<3> detector;
  detector.update(scene.view());
  EXPECT_TRUE(detector.pairs() == pairs_by(Method::sorting, scene));
  EXPECT_THAT(detector.description(), HasSubstr("32 x 32 x 32 cells, modular"));
}

// Every n-th particle is in a dilute gas, all others are in one cluster: a sample with a fixed
// stride would see the gas only.
TEST(EngineExtent, SamplesIndependentlyOfParticleOrder) {
  for (const std::size_t step : {2UL, 3UL, 6UL, 7UL, 8UL, 24UL}) {
    Scene<3> scene = make_scene<3>("random", {.count = 100000});
    Random random(1);
    for (std::size_t i = 0; i < scene.size(); i += step)
      for (auto& axis : scene.coordinates) axis[i] = random.uniform(-1e4, 1e4);
    Detector<3> detector;
    detector.update(scene.view());
    EXPECT_THAT(detector.description(), HasSubstr("modular")) << step;
  }
}

// Large particles that fill the box and as many small ones in one spot: for a uniform distribution
// one level would suffice.
TEST(EngineSizes, AreDividedWhereSmallParticlesCluster) {
  constexpr std::size_t half = 20000;
  Scene<3> scene = make_scene<3>("random", {.count = 2 * half});
  Random random(1);
  for (std::size_t i = half; i < 2 * half; ++i) {
    for (auto& axis : scene.coordinates) axis[i] = 15 + random.uniform(0, 0.03);
    scene.radii[i] = 0.0005;
  }
  Detector<3> detector({.method = Method::engine, .threads = test_thread_count()});
  detector.update(scene.view());
  EXPECT_THAT(detector.description(), HasSubstr("2 levels"));
  EXPECT_TRUE(detector.pairs() == pairs_by(Method::mmr, scene));
}

TEST(EngineSizes, FormOneClassForEqualRadii) {
  const std::vector<double> radii(1000, 0.5);
  const SizeCostModel cost{.dimension = 3, .volume = 1000, .cutoff_per_radius = 2, .margin = 0};
  EXPECT_EQ(make_size_classes(radii, 0.5, 0.5, cost).size(), 1U);
}

TEST(EngineSizes, AreDividedIntoClassesThatContainEveryParticle) {
  for (const double ratio : {32.0, 1e3, 1e6, 1e20}) {
    std::vector<double> radii(5000);
    for (std::size_t i = 0; i < radii.size(); ++i)
      radii[i] = 0.5 * std::pow(ratio, static_cast<double>(i) / -4999.0);
    const SizeCostModel cost{.dimension = 3, .volume = 500, .cutoff_per_radius = 2, .margin = 0};
    const auto classes = make_size_classes(radii, radii.front(), radii.back(), cost);
    EXPECT_GT(classes.size(), 1U) << ratio;
    std::size_t total = 0;
    double previous_max = std::numeric_limits<double>::infinity();
    for (const SizeClass& size_class : classes) {
      EXPECT_LT(size_class.max_radius, previous_max);
      const auto members = std::ranges::count_if(
          radii, [&](double r) { return r > size_class.min_radius && r <= size_class.max_radius; });
      EXPECT_EQ(size_class.count, static_cast<std::size_t>(members)) << ratio;
      total += size_class.count;
      previous_max = size_class.max_radius;
    }
    EXPECT_EQ(total, radii.size()) << ratio;
    EXPECT_EQ(classes.back().min_radius, 0);
  }
}

template <std::size_t D>
void expect_pairs(Detector<D>& detector, const Scene<D>& scene, int step) {
  detector.update(scene.view());
  ASSERT_TRUE(detector.pairs() == pairs_by(Method::sorting, scene)) << D << "D, step " << step;
}

template <std::size_t D>
void expect_pairs_in_motion(double motion, unsigned threads) {
  Scene<D> scene = make_scene<D>("random", {.count = 20000});
  Detector<D> detector({.method = Method::engine, .threads = threads});
  int reused = 0;
  for (int step = 0; step < 25; ++step) {
    expect_pairs(detector, scene, step);
    reused += detector.description().find("neighbor list reused") != std::string::npos ? 1 : 0;
    perturb(scene, motion, static_cast<unsigned>(step));
  }
  EXPECT_EQ(reused > 10, motion <= 0.01) << motion;
}

TEST(EngineMotion, ReusesNeighborListForSlowMotion) {
  for (const double motion : {1e-5, 0.001, 0.01, 0.3}) {
    expect_pairs_in_motion<2>(motion, test_thread_count());
    expect_pairs_in_motion<3>(motion, test_thread_count());
  }
}

// Particles approach each other head-on from just outside the skin: the worst case for its width.
void expect_pairs_head_on(double spacing) {
  Random random(1);
  Scene<3> scene;
  std::array<std::vector<double>, 3> velocity;
  for (int i = 0; i < 4000; ++i) {
    const double gap = random.uniform(0, 0.4);
    const std::size_t axis = static_cast<std::size_t>(i) % 3;
    for (std::size_t k = 0; k < 3; ++k) {
      const double center = spacing * (i /
                                       (k == 0   ? 1
                                        : k == 1 ? 16
                                                 : 256) %
                                       16) +
                            random.uniform(0, spacing / 4);
      const double half_distance = k == axis ? (1 + gap) / 2 : 0;
      scene.coordinates[k].insert(scene.coordinates[k].end(),
                                  {center - half_distance, center + half_distance});
      velocity[k].insert(velocity[k].end(), {k == axis ? 0.002 : 0.0, k == axis ? -0.002 : 0.0});
    }
    scene.radii.insert(scene.radii.end(), {0.5, 0.5});
  }
  Detector<3> detector({.method = Method::engine, .threads = test_thread_count()});
  for (int step = 0; step < 60; ++step) {
    expect_pairs(detector, scene, step);
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < scene.size(); ++i) scene.coordinates[k][i] += velocity[k][i];
  }
}

// The larger spacing gives wide cells, where most particles are compared with their own cell only.
TEST(EngineMotion, FindsHeadOnContacts) {
  expect_pairs_head_on(4);
  expect_pairs_head_on(12);
}

// Quantized coordinates repeat after eight cells, so a jump by this distance must be detected
// otherwise. For any cell size one of these jumps is about as long as eight cells.
TEST(EngineMotion, DetectsJumpByThePeriodOfQuantizedCoordinates) {
  Detector<3> detector({.method = Method::engine});
  for (double jump = 8; jump < 9.2; jump += 0.01) {
    Scene<3> scene = make_scene<3>("lattice", {.count = 1728});
    detector.reset();
    for (int step = 0; step < 4; ++step) {
      expect_pairs(detector, scene, step);
      perturb(scene, 1e-4, static_cast<unsigned>(step));
    }
    scene.coordinates[0][0] += jump;
    expect_pairs(detector, scene, 4);
  }
}

// The numbers of stored candidates have eight bits.
TEST(EngineMotion, FindsPairsOfCrowdedParticles) {
  for (std::size_t count = 230; count <= 258; ++count) {
    Scene<3> scene = make_scene<3>("lattice", {.count = 4096});
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        scene.coordinates[k][i] = 8.3 + 1e-3 * static_cast<double>((i * (k + 3)) % 31);
    Detector<3> detector({.method = Method::engine});
    for (int step = 0; step < 5; ++step) {
      expect_pairs(detector, scene, step);
      perturb(scene, 1e-5, static_cast<unsigned>(step));
    }
  }
}

TEST(EngineMotion, DetectsChangedRadiiSwapsAndInsertions) {
  Scene<3> scene = make_scene<3>("random", {.count = 5000});
  Detector<3> detector({.method = Method::engine});
  for (int step = 0; step < 60; ++step) {
    expect_pairs(detector, scene, step);
    perturb(scene, 1e-4, static_cast<unsigned>(step));
    const auto at = static_cast<std::size_t>(step);
    if (step % 10 == 6) scene.radii[at] *= 1.2;
    if (step % 10 == 7)
      for (auto& axis : scene.coordinates) std::swap(axis[at], axis[4000 - at]);
    if (step % 10 == 8) {
      for (auto& axis : scene.coordinates) axis.push_back(axis[at]);
      scene.radii.push_back(0.5);
    }
  }
}

TEST(EngineMotion, RemainsUsableAfterVisitorThrows) {
  Scene<3> scene = make_scene<3>("random", {.count = 40000});
  Detector<3> detector({.method = Method::engine, .threads = test_thread_count()});
  for (int step = 0; step < 10; ++step) {
    detector.update(scene.view());
    if (step % 2 == 0) {
      EXPECT_THROW(detector.for_each_pair([](Pair) { throw Error("stop"); }), Error);
    }
    if (step % 3 != 0) {
      ASSERT_TRUE(detector.pairs() == pairs_by(Method::sorting, scene)) << step;
    }
    perturb(scene, 1e-4, static_cast<unsigned>(step));
  }
}

TEST(EngineMotion, StaysWithinMemoryBound) {
  for (const char* name : {"random", "lattice", "silo", "clusters"}) {
    Scene<3> scene = make_scene<3>(name, {.count = 200000});
    Detector<3> detector({.method = Method::engine});
    for (unsigned step = 0; step < 5; ++step) {
      detector.update(scene.view());
      detector.for_each_pair([](Pair) {});
      EXPECT_LE(detector.statistics().structure_bytes, 64 * scene.size() + (1U << 20U))
          << name << ": " << detector.description();
      perturb(scene, 0.003, step);
    }
  }
}

}  // namespace
}  // namespace abut::testing
