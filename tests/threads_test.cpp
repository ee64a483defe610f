// The thread pool, and the guarantee that pairs and their order do not depend on the thread count.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <abut/research/search_counts.hpp>
#include <abut/simulation.hpp>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <numeric>
#include <thread>

#include "conformance.hpp"
#include "core/machine.hpp"
#include "sanitized.hpp"
#include "sphere_fixtures.hpp"

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

TEST(ThreadPool, RunsTasksOfATaskInItsThread) {
  const ThreadPool outer(3);
  const ThreadPool inner(4);
  std::atomic<int> done = 0;
  outer.run(20, [&](std::size_t, unsigned) {
    const std::thread::id thread = std::this_thread::get_id();
    for (const ThreadPool* pool : {&outer, &inner})
      pool->run(10, [&](std::size_t, unsigned worker) {
        EXPECT_EQ(worker, 0U);
        EXPECT_EQ(std::this_thread::get_id(), thread);
        ++done;
      });
    EXPECT_THROW(inner.run(2, [](std::size_t, unsigned) { throw Error("inner"); }), Error);
  });
  EXPECT_EQ(done, 400);
}

TEST(ThreadPool, RunsForSeveralThreadsAtOnce) {
  const auto sum_repeatedly = [](unsigned threads) {
    const ThreadPool pool(threads);
    for (int repetition = 0; repetition < 300; ++repetition) {
      std::vector<std::size_t> sums(threads);  // a race if two threads had one worker number
      pool.run(64, [&](std::size_t task, unsigned worker) { sums[worker] += task; });
      EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), std::size_t{0}), 2016U);
      if (repetition % 10 == 0) {
        EXPECT_THROW(pool.run(8, [](std::size_t, unsigned) { throw Error("task"); }), Error);
      }
    }
  };
  std::vector<std::jthread> callers;
  for (const unsigned threads : {2U, 3U, 5U, 2U}) callers.emplace_back(sum_repeatedly, threads);
}

// Each caller's task ends only after tasks of the other caller have run.
TEST(ThreadPool, DoesNotWaitForRunsOfOtherThreads) {
  std::array<std::atomic<bool>, 2> is_running{};
  const auto meet = [&](std::size_t caller) {
    ThreadPool(2).run(2, [&](std::size_t, unsigned) {
      is_running[caller] = true;
      while (!is_running[1 - caller]) std::this_thread::yield();
    });
  };
  const std::jthread other(meet, 1);
  meet(0);
}

std::ptrdiff_t thread_count() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

// Number of threads before the test starts its own. The thread sanitizer starts one of its own
// together with the first thread of the process; it is included.
std::ptrdiff_t initial_thread_count() {
  std::promise<void> counted;
  std::thread first([end = counted.get_future()] { end.wait(); });
  const std::ptrdiff_t count = thread_count() - 1;
  counted.set_value();
  first.join();
  return count;
}

// The number of threads, after waiting for at most ten seconds until it is `expected`: the kernel
// lists a thread for a short time after it was joined.
std::ptrdiff_t thread_count_after_exits(std::ptrdiff_t expected) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (thread_count() != expected && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return thread_count();
}

TEST(ThreadPool, SharesThreadsInTheProcess) {
  const std::ptrdiff_t before = initial_thread_count();
  {
    const Scene<3> scene = make_scene<3>("random", {.count = 10000});
    const LoosePacking<3> packing(300);
    std::vector<Detector<3>> detectors;
    std::vector<Simulation<3>> simulations;
    for (unsigned k = 0; k < 25; ++k) {
      detectors.emplace_back(DetectorOptions<3>{.threads = 1 + k % 4});
      detectors.back().update(scene.view());
      EXPECT_FALSE(detectors.back().pairs().empty());
      Model<3> model = frictional_model<3>();
      model.threads = 4;
      simulations.emplace_back(std::move(model));
      simulations.back().add({.spheres = packing.view()});
      add_box<3>(simulations.back(), 6);
      simulations.back().advance(2);
    }
    EXPECT_EQ(thread_count_after_exits(before + 3), before + 3);
  }
  EXPECT_EQ(thread_count_after_exits(before), before);
}

TEST(ThreadPool, StartsNoThreadsUntilTheyAreNeeded) {
  const std::ptrdiff_t before = initial_thread_count();
  const ThreadPool pool(64);
  pool.run(1, [](std::size_t, unsigned worker) { EXPECT_EQ(worker, 0U); });
  EXPECT_EQ(thread_count_after_exits(before), before);
}

TEST(ThreadPool, CanBeCreatedAfterFork) {
  if (is_sanitized || is_thread_sanitized)
    GTEST_SKIP() << "locks of the sanitizers may be held by another thread at the time of the fork";
  const ThreadPool inherited(3);
  inherited.run(100, [](std::size_t, unsigned) {});
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);  // ends a child that waits for a thread which it does not have
    std::atomic<int> done = 0;
    ThreadPool(3).run(100, [&](std::size_t, unsigned) { ++done; });
    _exit(done == 100 && thread_count() == 1 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
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

TEST_P(Threads, MaySearchAtOnce) {
  const std::size_t count = GetParam().method == Method::brute_force ? 1000 : 10000;
  const Scene<3> scene = make_scene<3>("random", {.count = count});
  const std::vector<Pair> expected = streamed(scene, GetParam().method, 1);
  const auto search = [&](unsigned threads) {
    for (int repetition = 0; repetition < 3; ++repetition)
      EXPECT_TRUE(streamed(scene, GetParam().method, threads) == expected) << threads;
  };
  const std::jthread other(search, 3);
  search(2);
}

// A visitor is called during a search: detectors that it uses have no other threads.
TEST_P(Threads, MaySearchInAVisitor) {
  const Scene<3> scene = make_scene<3>("random", {.count = 1000});
  const std::vector<Pair> expected = streamed(scene, GetParam().method, 1);
  Detector<3> detector({.method = GetParam().method, .threads = 3});
  detector.update(scene.view());
  bool is_first = true;
  detector.for_each_pair([&](Pair) {
    if (std::exchange(is_first, false)) {
      EXPECT_TRUE(streamed(scene, GetParam().method, 3) == expected);
    }
  });
  EXPECT_FALSE(is_first);
}

INSTANTIATE_TEST_SUITE_P(Every, Threads, ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace abut::testing
