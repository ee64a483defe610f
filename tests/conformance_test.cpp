// Conformance of every registered method: the pairs of brute force for all inputs known to be
// difficult for a contact search.
#include "conformance.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace abut::testing {
namespace {

class Conformance : public ::testing::TestWithParam<MethodInfo> {};

template <std::size_t D>
void expect_conformance(Method method) {
  for (const ConformanceCase<D>& test_case : conformance_cases<D>())
    EXPECT_EQ(mismatch(finder<D>(method), test_case), "") << D << "D";
}

TEST_P(Conformance, FindsBruteForcePairsIn2D) { expect_conformance<2>(GetParam().method); }
TEST_P(Conformance, FindsBruteForcePairsIn3D) { expect_conformance<3>(GetParam().method); }

// Only methods with a dense cell array may exceed the memory limit on sparse scenes.
TEST(ConformanceOfSparseMethods, NeverExceedsMemoryLimit) {
  for (const MethodInfo& method : methods()) {
    if (method.method == Method::direct_mapping || method.method == Method::screening ||
        method.method == Method::fixed_cubes)
      continue;
    for (ConformanceCase<3> test_case : conformance_cases<3>()) {
      if (!std::exchange(test_case.may_exceed_memory, false)) continue;
      EXPECT_EQ(mismatch(finder<3>(method.method), test_case), "") << method.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Conformance,
                         ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

// The suite must detect methods that are almost correct.
template <std::size_t D>
std::size_t mismatch_count(const Finder<D>& find) {
  std::size_t mismatches = 0;
  for (const ConformanceCase<D>& test_case : conformance_cases<D>())
    mismatches += mismatch(find, test_case).empty() ? 0U : 1U;
  return mismatches;
}

TEST(ConformanceSuite, DetectsOneMissingPairInTenThousand) {
  EXPECT_GT(mismatch_count<2>(lossy(finder<2>(Method::nbs), 10000)), 0);
  EXPECT_GT(mismatch_count<3>(lossy(finder<3>(Method::nbs), 10000)), 0);
}

TEST(ConformanceSuite, DetectsDuplicatePair) {
  const Finder<2> duplicating = [](const Spheres<2>& particles, const DetectorOptions<2>& options) {
    auto pairs = find_contacts(particles, options);
    if (!pairs.empty()) pairs.push_back(pairs.back());
    return pairs;
  };
  EXPECT_GT(mismatch_count<2>(duplicating), 0);
}

TEST(ConformanceSuite, ReportsFirstWrongPair) {
  const Finder<2> finds_nothing = [](const Spheres<2>&, const DetectorOptions<2>&) {
    return std::vector<Pair>{};
  };
  const Scene<2> touching = scene_of<2>({{0, 0, 1}, {1, 0, 1}});
  EXPECT_EQ(mismatch(finds_nothing, {"two", touching}),
            "two: pair 0 is none instead of (0, 1); 0 pairs instead of 1");
}

}  // namespace
}  // namespace abut::testing
