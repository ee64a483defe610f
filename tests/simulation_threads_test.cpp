// Simulations with several threads, also run with the thread sanitizer.

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace abut::testing
