// One contract over every registered method: the pairs of brute force, on everything that has
// ever been known to trip a contact search.
#include "conformance.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace abut::testing {
namespace {

class Contract : public ::testing::TestWithParam<MethodInfo> {};

template <std::size_t D>
void expect_contract(Method method) {
  for (const ConformanceCase<D>& instance : conformance_cases<D>())
    EXPECT_EQ(mismatch(finder<D>(method), instance), "") << D << "D";
}

TEST_P(Contract, HoldsIn2D) { expect_contract<2>(GetParam().method); }
TEST_P(Contract, HoldsIn3D) { expect_contract<3>(GetParam().method); }

// Only a dense array of cells may refuse a sparse scene; lists must search it.
TEST(ContractOfLists, RefusesNothing) {
  for (const MethodInfo& method : methods()) {
    if (method.method == Method::direct_mapping || method.method == Method::screening ||
        method.method == Method::fixed_cubes)
      continue;
    for (ConformanceCase<3> instance : conformance_cases<3>()) {
      if (!std::exchange(instance.may_exceed_memory, false)) continue;
      EXPECT_EQ(mismatch(finder<3>(method.method), instance), "") << method.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Contract, ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

// The contract is only worth something if it catches a method that is almost right.
template <std::size_t D>
std::size_t complaints_about(const Finder<D>& find) {
  std::size_t complaints = 0;
  for (const ConformanceCase<D>& instance : conformance_cases<D>())
    complaints += mismatch(find, instance).empty() ? 0U : 1U;
  return complaints;
}

TEST(ContractItself, CatchesAMethodThatLosesOnePairInTenThousand) {
  EXPECT_GT(complaints_about<2>(lossy(finder<2>(Method::nbs), 10000)), 0);
  EXPECT_GT(complaints_about<3>(lossy(finder<3>(Method::nbs), 10000)), 0);
}

TEST(ContractItself, CatchesAMethodThatFindsAPairTwice) {
  const Finder<2> twice = [](const Spheres<2>& particles, const DetectorOptions<2>& options) {
    auto pairs = find_contacts(particles, options);
    if (!pairs.empty()) pairs.push_back(pairs.back());
    return pairs;
  };
  EXPECT_GT(complaints_about<2>(twice), 0);
}

TEST(ContractItself, NamesTheFirstWrongPair) {
  const Finder<2> nothing = [](const Spheres<2>&, const DetectorOptions<2>&) {
    return std::vector<Pair>{};
  };
  const Scene<2> touching = scene_of<2>({{0, 0, 1}, {1, 0, 1}});
  EXPECT_EQ(mismatch(nothing, {"two", touching}),
            "two: pair 0 is none instead of (0, 1); 0 pairs instead of 1");
}

}  // namespace
}  // namespace abut::testing
