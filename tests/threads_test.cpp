// What uses threads: the pool, and the promise that pairs and their order do not depend on it.
#include <gmock/gmock.h>

#include <atomic>
#include <numeric>

#include "conformance.hpp"
#include "core/thread_pool.hpp"

namespace abut::testing {
namespace {

TEST(ThreadPool, DoesEveryTaskOnce) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const std::size_t tasks : {0UL, 1UL, 3UL, 1000UL}) {
      std::vector<std::atomic<int>> done(tasks);
      pool.run(tasks, [&](std::size_t task, unsigned worker) {
        EXPECT_LT(worker, threads);
        ++done[task];
      });
      for (const auto& times : done) EXPECT_EQ(times, 1);
    }
  }
}

TEST(ThreadPool, ThrowsWhatATaskThrewAndGoesOn) {
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
  Detector<D> search({.method = method, .threads = threads, .collect_counts = true});
  search.update(scene.view());
  std::vector<Pair> pairs;
  search.for_each_pair([&](Pair pair) { pairs.push_back(pair); });
  return pairs;
}

class Threads : public ::testing::TestWithParam<MethodInfo> {};

// More particles than a chunk and more lists than a batch, so that threads do meet.
template <std::size_t D>
void expect_same_stream(Method method) {
  const std::size_t count = method == Method::brute_force   ? 2000
                            : method == Method::binary_tree ? 20000
                                                            : 40000;
  for (const char* name : {"lattice-shuffled", "random"}) {
    const Scene<D> scene = make_scene<D>(name, {.count = count});
    const std::vector<Pair> alone = streamed(scene, method, 1);
    EXPECT_GT(alone.size(), count / 2);
    for (const unsigned threads : {2U, 3U, 8U})
      EXPECT_TRUE(streamed(scene, method, threads) == alone) << name << ", " << threads;
  }
}

TEST_P(Threads, StreamTheSamePairsInTheSameOrderIn2D) { expect_same_stream<2>(GetParam().method); }
TEST_P(Threads, StreamTheSamePairsInTheSameOrderIn3D) { expect_same_stream<3>(GetParam().method); }

// Also where rows have neighbours beyond a face, and an odd number of them.
TEST_P(Threads, StreamTheSameAcrossPeriodicFaces) {
  const bool slow =
      GetParam().method == Method::brute_force || GetParam().method == Method::binary_tree;
  const Scene<3> scene = make_scene<3>("random", {.count = slow ? 2000UL : 20000UL});
  const auto across_faces = [&](unsigned threads) {
    Detector<3> search({.method = GetParam().method,
                        .domain = scene.bounds,
                        .periodic = {true, true, true},
                        .threads = threads});
    search.update(scene.view());
    std::vector<PeriodicPair<3>> pairs;
    search.for_each_pair([&](const PeriodicPair<3>& pair) { pairs.push_back(pair); });
    return pairs;
  };
  const auto alone = across_faces(1);
  EXPECT_GT(alone.size(), scene.size());
  for (const unsigned threads : {2U, 3U, 8U})
    EXPECT_TRUE(across_faces(threads) == alone) << threads;
}

TEST_P(Threads, CountTheSameCandidates) {
  const Scene<3> scene = make_scene<3>("random", {.count = 3000});
  const auto candidates = [&](unsigned threads) {
    Detector<3> search({.method = GetParam().method, .threads = threads, .collect_counts = true});
    search.update(scene.view());
    search.for_each_pair([](Pair) {});
    return search.statistics().candidates;
  };
  EXPECT_GT(candidates(1), 0);
  EXPECT_EQ(candidates(4), candidates(1));
}

TEST_P(Threads, PassOnWhatAVisitorThrows) {
  const std::size_t count = GetParam().method == Method::brute_force ? 2000 : 20000;
  const Scene<3> scene = make_scene<3>("random", {.count = count});
  Detector<3> search({.method = GetParam().method, .threads = 3});
  search.update(scene.view());
  EXPECT_THROW(search.for_each_pair([](Pair) { throw Error("enough"); }), Error);
  std::size_t pairs = 0;
  search.for_each_pair([&](Pair) { ++pairs; });
  EXPECT_EQ(pairs, find_contacts(scene.view()).size());
}

INSTANTIATE_TEST_SUITE_P(Every, Threads, ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace abut::testing
