// Simulations with several threads, also run with the thread sanitizer.

#include <gtest/gtest.h>

#include <abut/detector.hpp>
#include <thread>
#include <vector>

#include "sanitized.hpp"
#include "sphere_fixtures.hpp"

namespace abut::testing {
namespace {

TEST(SimulationReproducibility, IsIndependentOfThreadCount) {
  const auto result_with = [](unsigned threads) {
    Model<3> model = frictional_model<3>();
    model.threads = threads;
    return run_packing<3>(model, 1500, trial_count<std::size_t>(2500));
  };
  const auto expected = result_with(1);
  EXPECT_EQ(expected, result_with(2));
  EXPECT_EQ(expected, result_with(3));
}

TEST(SimulationThreads, TwoSimulationsRunInTwoThreads) {
  const auto result = [](unsigned threads) {
    Model<3> model = frictional_model<3>();
    model.threads = threads;
    return run_packing<3>(model, 400, trial_count<std::size_t>(1000));
  };
  const std::vector<double> expected = result(1);
  std::vector<double> first;
  std::vector<double> second;
  std::thread other([&] { first = result(2); });
  second = result(2);
  other.join();
  EXPECT_EQ(first, expected);
  EXPECT_EQ(second, expected);
}

TEST(DetectorThreads, TwoDetectorsRunInTwoThreads) {
  const auto pairs_of = [](unsigned threads) {
    const LoosePacking<3> packing(3000, 16);
    Detector3 detector{{.margin = 0.2, .threads = threads}};
    std::vector<Pair> pairs;
    for (int k = 0; k < 5; ++k) {
      detector.update(packing.view());
      pairs = detector.pairs();
    }
    return pairs;
  };
  const std::vector<Pair> expected = pairs_of(1);
  std::vector<Pair> first;
  std::vector<Pair> second;
  std::thread other([&] { first = pairs_of(2); });
  second = pairs_of(2);
  other.join();
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(first, expected);
  EXPECT_EQ(second, expected);
}

}  // namespace
}  // namespace abut::testing
