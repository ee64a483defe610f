// Other libraries are measured only for what brute force finds, whether at rest or moving.
#include <gmock/gmock.h>

#include <abut/detector.hpp>
#include <algorithm>

#include "libraries/library.hpp"
#include "scenes/scene.hpp"

namespace abut::testing {
namespace {

constexpr std::size_t several = 3000;

template <std::size_t D>
std::vector<Pair> found_by(Library<D>& peer, const Spheres<D>& particles) {
  std::vector<Pair> pairs{{7, 7}};  // what was there before must go
  peer.find(particles, pairs);
  std::ranges::sort(pairs);
  return pairs;
}

template <std::size_t D>
void expect_pairs_of_brute_force(const Spheres<D>& particles, Library<D>& peer,
                                 const std::string& what) {
  const auto expected = find_contacts(particles, {.method = Method::brute_force});
  EXPECT_TRUE(found_by(peer, particles) == expected) << what;
}

template <std::size_t D>
void expect_all_scenes(const LibraryInfo<D>& info, unsigned threads) {
  for (const SceneInfo& known : scenes()) {
    Scene<D> scene = make_scene<D>(known.name, {.count = several});
    const auto peer = info.make(threads);
    const auto what = [&](const char* when) {
      return std::string(info.name) + " on " + std::string(known.name) + " " + when;
    };
    expect_pairs_of_brute_force(scene.view(), *peer, what("at first"));
    for (unsigned step = 0; step < 3; ++step) {
      perturb(scene, 0.3, step);
      expect_pairs_of_brute_force(scene.view(), *peer, what("moved"));
    }
    peer->reset();
    expect_pairs_of_brute_force(scene.view(), *peer, what("forgotten"));
  }
}

template <std::size_t D>
void expect_every_peer() {
  if (libraries<D>().empty()) GTEST_SKIP() << "built without ABUT_BENCH_LIBRARIES";
  for (const LibraryInfo<D>& info : libraries<D>()) {
    expect_all_scenes(info, 1);
    if (info.is_parallel) expect_all_scenes(info, 2);
  }
}

TEST(Peers, FindThePairsOfBruteForceIn2D) { expect_every_peer<2>(); }
TEST(Peers, FindThePairsOfBruteForceIn3D) { expect_every_peer<3>(); }

TEST(Peers, FindNothingAmongNoneAndOne) {
  if (libraries<3>().empty()) GTEST_SKIP() << "built without ABUT_BENCH_LIBRARIES";
  for (const LibraryInfo<3>& info : libraries<3>())
    for (const std::size_t few : {0U, 1U}) {
      const Scene<3> scene = make_scene<3>("random", {.count = few});
      EXPECT_TRUE(found_by(*info.make(2), scene.view()).empty()) << info.name;
    }
}

// Far outside of what floats hold every box would overlap every other.
TEST(Peers, SayWhereSinglePrecisionEnds) {
  if (libraries<3>().empty()) GTEST_SKIP() << "built without ABUT_BENCH_LIBRARIES";
  const Scene<3> scene = make_scene<3>("random", {.count = 10, .diameter = 1e40});
  for (const LibraryInfo<3>& info : libraries<3>()) {
    if (info.name != "embree" && info.name != "bullet") continue;
    try {
      (void)found_by(*info.make(1), scene.view());
      ADD_FAILURE() << info.name;
    } catch (const UnsupportedInput& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("single precision: radius[0] = 5e+39"));
    }
  }
}

}  // namespace
}  // namespace abut::testing
