// Other libraries that the benchmarks measure find the same pairs as brute force, at rest and
// moving.
#include <gmock/gmock.h>

#include <abut/detector.hpp>
#include <algorithm>

#include "libraries/library.hpp"
#include "scenes/scene.hpp"

namespace abut::testing {
namespace {

constexpr std::size_t particle_count = 3000;

template <std::size_t D>
std::vector<Pair> found_by(Library<D>& library, const Spheres<D>& particles) {
  std::vector<Pair> pairs{{7, 7}};  // previous contents must be replaced
  library.find(particles, pairs);
  std::ranges::sort(pairs);
  return pairs;
}

template <std::size_t D>
void expect_pairs_of_brute_force(const Spheres<D>& particles, Library<D>& library,
                                 const std::string& what) {
  const auto expected = find_contacts(particles, {.method = Method::brute_force});
  EXPECT_TRUE(found_by(library, particles) == expected) << what;
}

template <std::size_t D>
void expect_all_scenes(const LibraryInfo<D>& info, unsigned threads) {
  for (const SceneInfo& scene_info : scenes()) {
    Scene<D> scene = make_scene<D>(scene_info.name, {.count = particle_count});
    const auto library = info.make(threads);
    const auto what = [&](const char* when) {
      return std::string(info.name) + " on " + std::string(scene_info.name) + " " + when;
    };
    expect_pairs_of_brute_force(scene.view(), *library, what("initially"));
    for (unsigned step = 0; step < 3; ++step) {
      perturb(scene, 0.3, step);
      expect_pairs_of_brute_force(scene.view(), *library, what("after motion"));
    }
    library->reset();
    expect_pairs_of_brute_force(scene.view(), *library, what("after reset"));
  }
}

template <std::size_t D>
void expect_brute_force_pairs_of_all() {
  if (libraries<D>().empty()) GTEST_SKIP() << "built without ABUT_BENCH_LIBRARIES";
  for (const LibraryInfo<D>& info : libraries<D>()) {
    expect_all_scenes(info, 1);
    if (info.is_parallel) expect_all_scenes(info, 2);
  }
}

TEST(Libraries, FindBruteForcePairsIn2D) { expect_brute_force_pairs_of_all<2>(); }
TEST(Libraries, FindBruteForcePairsIn3D) { expect_brute_force_pairs_of_all<3>(); }

TEST(Libraries, HandleZeroAndOneParticle) {
  if (libraries<3>().empty()) GTEST_SKIP() << "built without ABUT_BENCH_LIBRARIES";
  for (const LibraryInfo<3>& info : libraries<3>())
    for (const std::size_t count : {0U, 1U}) {
      const Scene<3> scene = make_scene<3>("random", {.count = count});
      EXPECT_TRUE(found_by(*info.make(2), scene.view()).empty()) << info.name;
    }
}

// Outside the range of floats, boxes would be infinite and all overlap.
TEST(Libraries, RejectRadiiOutsideSinglePrecision) {
  if (libraries<3>().empty()) GTEST_SKIP() << "built without ABUT_BENCH_LIBRARIES";
  const Scene<3> scene = make_scene<3>("random", {.count = 10, .diameter = 1e40});
  for (const LibraryInfo<3>& info : libraries<3>()) {
    if (info.name != "embree" && info.name != "bullet") continue;
    try {
      (void)found_by(*info.make(1), scene.view());
      ADD_FAILURE() << info.name << " accepts a radius outside the range of floats";
    } catch (const UnsupportedInput& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("single precision: radius[0] = 5e+39"));
    }
  }
}

}  // namespace
}  // namespace abut::testing
