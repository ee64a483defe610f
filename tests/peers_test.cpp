// Other libraries are measured only for what brute force finds, whether at rest or moving.
#include <gmock/gmock.h>

#include <abut/detector.hpp>
#include <algorithm>

#include "bench/peer.hpp"
#include "scenes/scene.hpp"

namespace abut::testing {
namespace {

constexpr std::size_t several = 3000;

template <std::size_t D>
std::vector<Pair> found_by(Peer<D>& peer, const Spheres<D>& particles) {
  std::vector<Pair> pairs{{7, 7}};  // what was there before must go
  peer.find(particles, pairs);
  std::ranges::sort(pairs);
  return pairs;
}

template <std::size_t D>
void expect_pairs_of_brute_force(const Spheres<D>& particles, Peer<D>& peer,
                                 const std::string& what) {
  const auto expected = find_contacts(particles, {.method = Method::brute_force});
  EXPECT_TRUE(found_by(peer, particles) == expected) << what;
}

template <std::size_t D>
void expect_all_scenes(const PeerInfo<D>& info, unsigned threads) {
  for (const SceneInfo& known : scenes()) {
    Scene<D> scene = make_scene<D>(known.name, {.count = several});
    const auto peer = info.make(threads);
    const auto what = [&](const char* when) {
      return std::string(info.name) + " on " + std::string(known.name) + " " + when;
    };
    expect_pairs_of_brute_force(scene.particles(), *peer, what("at first"));
    for (unsigned step = 0; step < 3; ++step) {
      shake(scene, 0.3, step);
      expect_pairs_of_brute_force(scene.particles(), *peer, what("moved"));
    }
    peer->forget();
    expect_pairs_of_brute_force(scene.particles(), *peer, what("forgotten"));
  }
}

template <std::size_t D>
void expect_every_peer() {
  if (peers<D>().empty()) GTEST_SKIP() << "built without ABUT_PEERS";
  for (const PeerInfo<D>& info : peers<D>()) {
    expect_all_scenes(info, 1);
    if (info.parallel) expect_all_scenes(info, 2);
  }
}

TEST(Peers, FindThePairsOfBruteForceIn2D) { expect_every_peer<2>(); }
TEST(Peers, FindThePairsOfBruteForceIn3D) { expect_every_peer<3>(); }

TEST(Peers, FindNothingAmongNoneAndOne) {
  if (peers<3>().empty()) GTEST_SKIP() << "built without ABUT_PEERS";
  for (const PeerInfo<3>& info : peers<3>())
    for (const std::size_t few : {0U, 1U}) {
      const Scene<3> scene = make_scene<3>("random", {.count = few});
      EXPECT_TRUE(found_by(*info.make(2), scene.particles()).empty()) << info.name;
    }
}

// Far outside of what floats hold every box would overlap every other.
TEST(Peers, SayWhereSinglePrecisionEnds) {
  if (peers<3>().empty()) GTEST_SKIP() << "built without ABUT_PEERS";
  const Scene<3> scene = make_scene<3>("random", {.count = 10, .diameter = 1e40});
  for (const PeerInfo<3>& info : peers<3>()) {
    if (info.name != "embree" && info.name != "bullet") continue;
    try {
      (void)found_by(*info.make(1), scene.particles());
      ADD_FAILURE() << info.name;
    } catch (const PeerRefused& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("single precision: radius[0] = 5e+39"));
    }
  }
}

}  // namespace
}  // namespace abut::testing
