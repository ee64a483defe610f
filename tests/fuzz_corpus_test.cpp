// Differential fuzzing without a fuzzer: runs the check of fuzz/ on the files of fuzz/corpus and on
// random bytes, for every method. A failure prints the seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "conformance.hpp"
#include "differential_check.hpp"
#include "program.hpp"
#include "sanitized.hpp"

namespace abut::testing {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Many short strings, some long ones.
Bytes random_bytes(unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(8 + random() % (seed % 4 == 0 ? 400 : 80));
  std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random() >> 24U); });
  return bytes;
}

std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(ABUT_SOURCE_DIR) + "/fuzz/corpus"))
    files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

Bytes bytes_in(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

class FuzzedMethod : public ::testing::TestWithParam<MethodInfo> {};

TEST_P(FuzzedMethod, EqualsBruteForceOnCorpus) {
  const auto files = corpus();
  EXPECT_GE(files.size(), 8);
  for (const auto& file : files)
    EXPECT_EQ(fuzz::differential_check(bytes_in(file), GetParam().method), "") << file;
}

TEST_P(FuzzedMethod, EqualsBruteForceOnRandomBytes) {
  const unsigned count = is_sanitized ? 300 : 3000;
  for (unsigned seed = 0; seed < count; ++seed)
    ASSERT_EQ(fuzz::differential_check(random_bytes(seed), GetParam().method), "")
        << "seed " << seed;
}

INSTANTIATE_TEST_SUITE_P(Methods, FuzzedMethod,
                         ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

// Fuzzing finds nothing if its scenarios have no contacts.
TEST(FuzzedScenarios, HaveParticlesStepsAndContacts) {
  std::size_t steps = 0;
  std::size_t with_many_particles = 0;
  std::size_t with_contacts = 0;
  std::size_t invalid = 0;
  const auto count = [&]<std::size_t D>(const fuzz::Scenario<D>& scenario) {
    for (const fuzz::Step<D>& step : scenario.steps) {
      ++steps;
      with_many_particles += step.scene.size() >= 20 ? 1U : 0U;
      try {
        with_contacts += find_contacts(step.scene.view(), scenario.options).empty() ? 0U : 1U;
      } catch (const MemoryLimitError&) {
      } catch (const Error&) {
        ++invalid;
      }
    }
  };
  constexpr unsigned scenarios = 500;
  for (unsigned seed = 0; seed < scenarios; ++seed)
    std::visit([&](const auto& scenario) { count(scenario); },
               fuzz::scenario_from_bytes(random_bytes(seed)));
  EXPECT_GT(steps, 2 * scenarios);
  EXPECT_GT(with_many_particles, steps / 4);
  EXPECT_GT(with_contacts, steps / 4);
  EXPECT_GT(invalid, 0);
  EXPECT_LT(invalid, steps / 3);
}

TEST(FuzzedScenarios, AreReproducible) {
  const auto text = [](const Bytes& bytes) {
    return std::visit(
        [](const auto& scenario) {
          std::string all = fuzz::describe(scenario.options);
          for (const auto& step : scenario.steps) all += fuzz::to_csv(step.scene);
          return all;
        },
        fuzz::scenario_from_bytes(bytes));
  };
  for (unsigned seed = 0; seed < 20; ++seed)
    EXPECT_EQ(text(random_bytes(seed)), text(random_bytes(seed))) << seed;
  EXPECT_EQ(text({}), "2D, margin 0, tolerance 1e-12, fixed 0, threads 1, group ratio 2x,y,r\n");
}

TEST(FirstDifference, ReportsPair) {
  const std::vector<Pair> expected{{0, 1}, {0, 2}, {1, 2}};
  const auto difference = [&](const std::vector<Pair>& found) {
    return fuzz::first_difference(found, expected);
  };
  EXPECT_EQ(difference(expected), "");
  EXPECT_EQ(difference({{0, 1}, {1, 2}}), "pair (0, 2) is missing; 2 pairs instead of 3");
  EXPECT_EQ(difference({{0, 1}, {0, 2}}), "pair (1, 2) is missing; 2 pairs instead of 3");
  EXPECT_EQ(difference({{0, 1}, {0, 1}, {0, 2}, {1, 2}}),
            "pair (0, 1) is duplicated; 4 pairs instead of 3");
  EXPECT_EQ(difference({{0, 1}, {0, 2}, {1, 2}, {1, 3}}),
            "pair (1, 3) is not expected; 4 pairs instead of 3");
}

}  // namespace
}  // namespace abut::testing
