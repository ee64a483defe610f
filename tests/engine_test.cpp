// What only the engine has: levels, folded space, kept candidates, two kinds of inner loops.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "conformance.hpp"
#include "core/statistics.hpp"
#include "engine/size_classes.hpp"

namespace abut::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

template <std::size_t D>
std::vector<Pair> pairs_by(Method method, const Scene<D>& scene) {
  return find_contacts(scene.view(), {.method = method});
}

template <std::size_t D>
std::vector<Pair> streamed(const Scene<D>& scene, unsigned threads) {
  Detector<D> search({.method = Method::engine, .threads = threads});
  search.update(scene.view());
  std::vector<Pair> pairs;
  search.for_each_pair([&](Pair pair) { pairs.push_back(pair); });
  return pairs;
}

// Enough particles for several chunks and buckets.
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

TEST(Engine, FindsThePairsOfEveryScene2D) { expect_pairs_of_every_scene<2>(); }
TEST(Engine, FindsThePairsOfEveryScene3D) { expect_pairs_of_every_scene<3>(); }

TEST(Engine, IsWhatAutomaticMeans) {
  EXPECT_EQ(find_method("auto"), Method::engine);
  EXPECT_EQ(find_method("automatic"), Method::engine);
  EXPECT_EQ(DetectorOptions<3>{}.method, Method::engine);
}

// The environment as it was is restored, whatever the test does.
class WithoutVectors {
 public:
  WithoutVectors() { setenv("ABUT_SIMD", "none", 1); }
  ~WithoutVectors() {
    if (before_)
      setenv("ABUT_SIMD", before_->c_str(), 1);
    else
      unsetenv("ABUT_SIMD");
  }
  WithoutVectors(const WithoutVectors&) = delete;
  WithoutVectors& operator=(const WithoutVectors&) = delete;

 private:
  static std::optional<std::string> now() {
    const char* value = std::getenv("ABUT_SIMD");
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  }
  std::optional<std::string> before_ = now();
};

TEST(Engine, StreamsTheSameBitsOnEveryMachineWithAnyNumberOfThreads) {
  for (const char* name : {"lattice-shuffled", "random", "polydisperse", "clusters"}) {
    const Scene<3> scene = make_scene<3>(name, {.count = 50000});
    const std::vector<Pair> here = streamed(scene, 1);
    EXPECT_GT(here.size(), 0U);
    for (const unsigned threads : {1U, 2U, 3U, 8U}) {
      EXPECT_TRUE(streamed(scene, threads) == here) << name << ", " << threads;
      const WithoutVectors elsewhere;
      EXPECT_TRUE(streamed(scene, threads) == here) << name << ", " << threads << " without";
    }
  }
}

TEST(EngineMemory, IsAtMost64BytesAParticleWhateverTheSpace) {
  for (const SceneInfo& info : scenes()) {
    const Scene<3> scene = make_scene<3>(info.name, {.count = 200000});
    Detector<3> search({.method = Method::engine});
    search.update(scene.view());
    search.for_each_pair([](Pair) {});
    EXPECT_LE(search.statistics().structure_bytes, 64 * scene.size() + (1U << 18U)) << info.name;
  }
}

// Adds a particle far away from all the others.
template <std::size_t D>
void add_outlier(Scene<D>& scene, double where) {
  for (auto& axis : scene.coordinates) axis.push_back(where);
  scene.radii.push_back(0.5);
}

template <std::size_t D>
DetectorStatistics searched_folded(const Scene<D>& scene) {
  Detector<D> search({.method = Method::engine});
  search.update(scene.view());
  std::size_t pairs = 0;
  search.for_each_pair([&](Pair) { ++pairs; });
  EXPECT_EQ(pairs, pairs_by(Method::sorting, scene).size());
  EXPECT_THAT(search.description(), HasSubstr("folded"));
  return search.statistics();
}

// What an outlier must not do is make cells so large that all the others share one.
TEST(EngineSpace, OutliersDoNotMakeCellsLarge) {
  for (const double where : {1e3, -1e6, 1e8, -3e8})
    for (const int more : {1, 5}) {
      Scene<3> scene = make_scene<3>("random", {.count = 20000});
      for (int i = 0; i < more; ++i) add_outlier(scene, where * (1 + 0.3 * i));
      const DetectorStatistics seen = searched_folded(scene);
      EXPECT_LT(seen.structure_bytes, 64 * scene.size() + (1U << 18U)) << where;
    }
}

TEST(EngineSpace, FarOutliersAreSearchedToo) {
  for (const double where : {1e15, -1e60, 1e149}) {
    Scene<3> scene = make_scene<3>("random", {.count = 1500});
    add_outlier(scene, where);
    add_outlier(scene, where);  // a pair out there
    EXPECT_EQ(find_contacts(scene.view()), pairs_by(Method::brute_force, scene)) << where;
  }
}

TEST(EngineSpace, SaysThatItFolds) {
  Scene<3> scene = make_scene<3>("random", {.count = 20000});
  add_outlier(scene, 1e8);
  Detector<3> search;
  search.update(scene.view());
  EXPECT_THAT(search.description(), HasSubstr("folded"));
  scene = make_scene<3>("random", {.count = 20000});
  search.update(scene.view());
  EXPECT_THAT(search.description(), AllOf(HasSubstr("one level"), Not(HasSubstr("folded"))));
}

// Neighbours on both sides of where folded space begins anew, in every direction.
template <std::size_t D>
void expect_pairs_across_the_fold() {
  for (int seed = 1; seed <= 6; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Scene<D> scene;
    for (int i = 0; i < 900; ++i) {  // thirty clouds, wide apart, denser than cells
      const double cloud = (i % 30) * 1000.0 * seed;
      for (auto& axis : scene.coordinates) axis.push_back(cloud + random.uniform(-3, 3));
      scene.radii.push_back(random.uniform(0.2, 0.5));
    }
    EXPECT_EQ(pairs_by(Method::engine, scene), pairs_by(Method::brute_force, scene)) << seed;
  }
}

TEST(EngineSpace, LosesNothingWhereItFolds) {
  expect_pairs_across_the_fold<2>();
  expect_pairs_across_the_fold<3>();
}

// A place where rounding of a giant's reach is many cells wide, and space is cut off.
TEST(EngineSpace, LosesNothingAtItsEnd) {
  for (const double end : {0x1p40, 0x1p46}) {
    const double far = end * 2 * (1 + (end + 4) * 0x1p-50);
    Scene<2> scene;
    const auto add = [&](double x, double y, double radius) {
      scene.coordinates[0].push_back(x);
      scene.coordinates[1].push_back(y);
      scene.radii.push_back(radius);
    };
    for (int i = 0; i < 1000; ++i) add(0, i % 40, 1);
    for (int i = 0; i < 8; ++i) add(far - 1000, 0, 1);
    for (int i = 1; i <= 8; ++i) add(1.37e19 * i, 0, 1.37e19 * i - far);
    EXPECT_EQ(find_contacts(scene.view(), {.tolerance = 0}),
              find_contacts(scene.view(), {.method = Method::brute_force, .tolerance = 0}));
  }
}

// Two clouds far apart along one axis: the fold must not take its shape from the space between.
TEST(EngineSpace, FoldsInTheShapeOfWhatIsThere) {
  Scene<3> scene = make_scene<3>("random", {.count = 40000});
  for (std::size_t i = 0; i < scene.size(); i += 2) scene.coordinates[0][i] += 1e9;
  Detector<3> search;
  search.update(scene.view());
  EXPECT_TRUE(search.pairs() == pairs_by(Method::sorting, scene));
  EXPECT_THAT(search.description(), HasSubstr("32 x 32 x 32 cells, folded"));
}

// Every so manieth particle is gas, all others are one cluster: a sample that counts off would see
// gas only.
TEST(EngineSpace, IsNotFooledByTheOrderOfNumbers) {
  for (const std::size_t step : {2UL, 3UL, 6UL, 7UL, 8UL, 24UL}) {
    Scene<3> scene = make_scene<3>("random", {.count = 100000});
    Random random(1);
    for (std::size_t i = 0; i < scene.size(); i += step)
      for (auto& axis : scene.coordinates) axis[i] = random.uniform(-1e4, 1e4);
    Detector<3> search;
    search.update(scene.view());
    EXPECT_THAT(search.description(), HasSubstr("folded")) << step;
  }
}

// Giants that fill the box, and as many small ones in one spot: sizes look as if one level would
// do.
TEST(EngineSizes, AreDividedWhereSmallOnesCrowdTogether) {
  constexpr std::size_t half = 20000;
  Scene<3> scene = make_scene<3>("random", {.count = 2 * half});
  Random random(1);
  for (std::size_t i = half; i < 2 * half; ++i) {
    for (auto& axis : scene.coordinates) axis[i] = 15 + random.uniform(0, 0.03);
    scene.radii[i] = 0.0005;
  }
  Detector<3> search({.method = Method::engine, .threads = test_thread_count()});
  search.update(scene.view());
  EXPECT_THAT(search.description(), HasSubstr("2 levels"));
  EXPECT_TRUE(search.pairs() == pairs_by(Method::mmr, scene));
}

TEST(EngineSizes, AreOneClassWhereNothingIsWon) {
  const std::vector<double> radius(1000, 0.5);
  const SizeCostModel cost{.dimension = 3, .volume = 1000, .cutoff_per_radius = 2, .margin = 0};
  EXPECT_EQ(make_size_classes(radius, 0.5, 0.5, cost).size(), 1U);
}

TEST(EngineSizes, AreDividedWithoutLosingAny) {
  for (const double ratio : {32.0, 1e3, 1e6, 1e20}) {
    std::vector<double> radius(5000);
    for (std::size_t i = 0; i < radius.size(); ++i)
      radius[i] = 0.5 * std::pow(ratio, static_cast<double>(i) / -4999.0);
    const SizeCostModel cost{.dimension = 3, .volume = 500, .cutoff_per_radius = 2, .margin = 0};
    const auto classes = make_size_classes(radius, radius.front(), radius.back(), cost);
    EXPECT_GT(classes.size(), 1U) << ratio;
    std::size_t all = 0;
    double above = std::numeric_limits<double>::infinity();
    for (const SizeClass& sizes : classes) {
      EXPECT_LT(sizes.max_radius, above);
      const auto members = std::ranges::count_if(
          radius, [&](double r) { return r > sizes.min_radius && r <= sizes.max_radius; });
      EXPECT_EQ(sizes.count, static_cast<std::size_t>(members)) << ratio;
      all += sizes.count;
      above = sizes.max_radius;
    }
    EXPECT_EQ(all, radius.size()) << ratio;
    EXPECT_EQ(classes.back().min_radius, 0);
  }
}

template <std::size_t D>
void expect_pairs(Detector<D>& search, const Scene<D>& scene, int step) {
  search.update(scene.view());
  ASSERT_TRUE(search.pairs() == pairs_by(Method::sorting, scene)) << D << "D, step " << step;
}

template <std::size_t D>
void expect_pairs_in_motion(double motion, unsigned threads) {
  Scene<D> scene = make_scene<D>("random", {.count = 20000});
  Detector<D> search({.method = Method::engine, .threads = threads});
  int kept = 0;
  for (int step = 0; step < 25; ++step) {
    expect_pairs(search, scene, step);
    kept += search.description().find("candidates kept") != std::string::npos ? 1 : 0;
    perturb(scene, motion, static_cast<unsigned>(step));
  }
  EXPECT_EQ(kept > 10, motion <= 0.01) << motion;
}

TEST(EngineMotion, KeepsCandidatesAsLongAsTheyAreAll) {
  for (const double motion : {1e-5, 0.001, 0.01, 0.3}) {
    expect_pairs_in_motion<2>(motion, test_thread_count());
    expect_pairs_in_motion<3>(motion, test_thread_count());
  }
}

// Straight at each other, from just beyond the candidates: the most a skin has to hold.
void expect_pairs_head_on(double spacing) {
  Random random(1);
  Scene<3> scene;
  std::array<std::vector<double>, 3> velocity;
  for (int i = 0; i < 4000; ++i) {
    const double gap = random.uniform(0, 0.4);
    const std::size_t along = static_cast<std::size_t>(i) % 3;
    for (std::size_t k = 0; k < 3; ++k) {
      const double centre = spacing * (i /
                                       (k == 0   ? 1
                                        : k == 1 ? 16
                                                 : 256) %
                                       16) +
                            random.uniform(0, spacing / 4);
      const double apart = k == along ? (1 + gap) / 2 : 0;
      scene.coordinates[k].insert(scene.coordinates[k].end(), {centre - apart, centre + apart});
      velocity[k].insert(velocity[k].end(), {k == along ? 0.002 : 0.0, k == along ? -0.002 : 0.0});
    }
    scene.radii.insert(scene.radii.end(), {0.5, 0.5});
  }
  Detector<3> search({.method = Method::engine, .threads = test_thread_count()});
  for (int step = 0; step < 60; ++step) {
    expect_pairs(search, scene, step);
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < scene.size(); ++i) scene.coordinates[k][i] += velocity[k][i];
  }
}

// Also where cells are wide and most particles need to look at no other cell.
TEST(EngineMotion, FindsThoseThatMeetHeadOn) {
  expect_pairs_head_on(4);
  expect_pairs_head_on(12);
}

// Packed coordinates repeat after eight cells: a jump that they cannot see must be seen elsewhere.
// Whatever the cells are, one of these jumps is as long as eight of them.
TEST(EngineMotion, SeesAJumpOfWholePeriods) {
  Detector<3> search({.method = Method::engine});
  for (double jump = 8; jump < 9.2; jump += 0.01) {
    Scene<3> scene = make_scene<3>("lattice", {.count = 1728});
    search.reset();
    for (int step = 0; step < 4; ++step) {
      expect_pairs(search, scene, step);
      perturb(scene, 1e-4, static_cast<unsigned>(step));
    }
    scene.coordinates[0][0] += jump;
    expect_pairs(search, scene, 4);
  }
}

TEST(EngineMotion, SeesWhatIsNoMotion) {
  Scene<3> scene = make_scene<3>("random", {.count = 5000});
  Detector<3> search({.method = Method::engine});
  for (int step = 0; step < 60; ++step) {
    expect_pairs(search, scene, step);
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

TEST(EngineMotion, SurvivesAVisitorThatThrows) {
  Scene<3> scene = make_scene<3>("random", {.count = 40000});
  Detector<3> search({.method = Method::engine, .threads = test_thread_count()});
  for (int step = 0; step < 10; ++step) {
    search.update(scene.view());
    if (step % 2 == 0) {
      EXPECT_THROW(search.for_each_pair([](Pair) { throw Error("enough"); }), Error);
    }
    if (step % 3 != 0) {
      ASSERT_TRUE(search.pairs() == pairs_by(Method::sorting, scene)) << step;
    }
    perturb(scene, 1e-4, static_cast<unsigned>(step));
  }
}

TEST(EngineMotion, StaysWithinItsMemory) {
  for (const char* name : {"random", "lattice", "silo", "clusters"}) {
    Scene<3> scene = make_scene<3>(name, {.count = 200000});
    Detector<3> search({.method = Method::engine});
    for (unsigned step = 0; step < 5; ++step) {
      search.update(scene.view());
      search.for_each_pair([](Pair) {});
      EXPECT_LE(search.statistics().structure_bytes, 64 * scene.size() + (1U << 20U))
          << name << ": " << search.description();
      perturb(scene, 0.003, step);
    }
  }
}

}  // namespace
}  // namespace abut::testing
