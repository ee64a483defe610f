// The thread pool, and the guarantee that pairs and their order do not depend on the thread count.
#include <gmock/gmock.h>

#include <abut/research/search_counts.hpp>
#include <atomic>
#include <numeric>

#include "conformance.hpp"
#include "core/machine.hpp"

namespace abut::testing {
namespace {

TEST(ThreadPool, RunsEveryTaskOnce) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const std::size_t tasks : {0UL, 1UL, 3UL, 1000UL}) {
      std::vector<std::atomic<int>> run_count(tasks);
      pool.run(tasks, [&](std::size_t task, unsigned worker) {
        EXPECT_LT(worker, threads);
        ++run_count[task];
      });
      for (const auto& count : run_count) EXPECT_EQ(count, 1);
    }
  }
}

TEST(ThreadPool, RethrowsExceptionOfATaskAndRemainsUsable) {
  ThreadPool pool(3);
  EXPECT_THROW(pool.run(100,
                        [](std::size_t task, unsigned) {
                          if (task == 17) throw Error("task 17");
                        }),
               Error);
  std::atomic<int> done = 0;
  pool.run(100, [&](std::size_t, unsigned) { ++done; });
  EXPECT_EQ(done, 100);
}

template <std::size_t D>
std::vector<Pair> streamed(const Scene<D>& scene, Method method, unsigned threads) {
  Detector<D> detector({.method = method, .threads = threads, .collect_counts = true});
  detector.update(scene.view());
  std::vector<Pair> pairs;
  detector.for_each_pair([&](Pair pair) { pairs.push_back(pair); });
  return pairs;
}

class Threads : public ::testing::TestWithParam<MethodInfo> {};

// More particles than a chunk and more chunks than the queue holds, so that threads interact.
template <std::size_t D>
void expect_same_pair_order(Method method) {
  const std::size_t count = method == Method::brute_force   ? 2000
                            : method == Method::binary_tree ? 20000
                                                            : 40000;
  for (const char* name : {"lattice-shuffled", "random"}) {
    const Scene<D> scene = make_scene<D>(name, {.count = count});
    const std::vector<Pair> serial = streamed(scene, method, 1);
    EXPECT_GT(serial.size(), count / 2);
    for (const unsigned threads : {2U, 3U, 8U})
      EXPECT_TRUE(streamed(scene, method, threads) == serial) << name << ", " << threads;
  }
}

TEST_P(Threads, DoNotAffectPairOrderIn2D) { expect_same_pair_order<2>(GetParam().method); }
TEST_P(Threads, DoNotAffectPairOrderIn3D) { expect_same_pair_order<3>(GetParam().method); }

// Rows then also have neighbors across periodic faces, and their number may be odd.
TEST_P(Threads, DoNotAffectPairOrderInPeriodicDomain) {
  const bool slow =
      GetParam().method == Method::brute_force || GetParam().method == Method::binary_tree;
  const Scene<3> scene = make_scene<3>("random", {.count = slow ? 2000UL : 20000UL});
  const auto periodic_pairs = [&](unsigned threads) {
    Detector<3> detector({.method = GetParam().method,
                          .domain = scene.bounds,
                          .periodic = {true, true, true},
                          .threads = threads});
    detector.update(scene.view());
    std::vector<PeriodicPair<3>> pairs;
    detector.for_each_pair([&](const PeriodicPair<3>& pair) { pairs.push_back(pair); });
    return pairs;
  };
  const auto serial = periodic_pairs(1);
  EXPECT_GT(serial.size(), scene.size());
  for (const unsigned threads : {2U, 3U, 8U})
    EXPECT_TRUE(periodic_pairs(threads) == serial) << threads;
}

TEST_P(Threads, DoNotAffectCandidateCount) {
  const Scene<3> scene = make_scene<3>("random", {.count = 3000});
  const auto candidates = [&](unsigned threads) {
    Detector<3> detector({.method = GetParam().method, .threads = threads, .collect_counts = true});
    detector.update(scene.view());
    detector.for_each_pair([](Pair) {});
    return search_counts(detector).candidates;
  };
  EXPECT_GT(candidates(1), 0);
  EXPECT_EQ(candidates(4), candidates(1));
}

TEST_P(Threads, PropagateExceptionsOfTheVisitor) {
  const std::size_t count = GetParam().method == Method::brute_force ? 2000 : 20000;
  const Scene<3> scene = make_scene<3>("random", {.count = count});
  Detector<3> detector({.method = GetParam().method, .threads = 3});
  detector.update(scene.view());
  EXPECT_THROW(detector.for_each_pair([](Pair) { throw Error("stop"); }), Error);
  std::size_t pairs = 0;
  detector.for_each_pair([&](Pair) { ++pairs; });
  EXPECT_EQ(pairs, find_contacts(scene.view()).size());
}

INSTANTIATE_TEST_SUITE_P(Every, Threads, ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace abut::testing
