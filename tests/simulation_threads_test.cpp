// Simulations by several threads, also under the thread sanitizer.

#include <gtest/gtest.h>

#include "heap.hpp"
#include "sanitized.hpp"

namespace abut::testing {
namespace {

TEST(SimulationBits, AreTheSameForAnyNumberOfThreads) {
  const auto with = [](unsigned threads) {
    Model<3> model = rough_model<3>();
    model.threads = threads;
    return run_heap<3>(model, 1500, tries(2500));
  };
  const auto one = with(1);
  EXPECT_EQ(one, with(2));
  EXPECT_EQ(one, with(3));
}

}  // namespace
}  // namespace abut::testing
