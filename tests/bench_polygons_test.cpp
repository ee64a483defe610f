// abut bench-polygons: its table, and what it refuses.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "libraries/body_library.hpp"
#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::vector<std::string> small{"bench-polygons", "--n", "50", "--n-uncached", "100",
                                     "--repeat",       "1"};

std::vector<std::string> joined(std::vector<std::string> arguments,
                                const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(BenchPolygons, TimesOursBesideThePapersAndCundalls) {
  const ProgramResult table = run(small);
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_THAT(table.out, AllOf(HasSubstr("common plane, cold"), HasSubstr("common plane, warm"),
                               HasSubstr("five candidates"), HasSubstr("cundall")));
  const auto rows = nlohmann::json::parse(run(joined(small, {"--json"})).out);
  ASSERT_EQ(rows.size(), 8);
  EXPECT_EQ(rows[0]["pairs"], 50);
  EXPECT_EQ(rows[4]["pairs"], 100);
  EXPECT_EQ(rows[0]["of_cold"], 1);
  EXPECT_EQ(rows[1]["of_warm"], 1);
  for (const auto& row : rows) EXPECT_GT(row["ns_per_pair"], 0);
}

TEST(BenchPolygons, MeasuresBox2dWhereItIsBuiltIn) {
  const ProgramResult outcome = run(joined(small, {"--libraries"}));
  if (make_box2d() == nullptr) {
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("bench/polygons installs them"));
    return;
  }
  EXPECT_EQ(outcome.status, 0) << outcome.err;  // all see the same distances
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("b2Distance"), HasSubstr("b2CollidePolygons")));
}

TEST(BenchPolygons, RefusesInOneLine) {
  const auto refused = [](const std::vector<std::string>& more) {
    const ProgramResult outcome = run(joined({"bench-polygons"}, more));
    EXPECT_EQ(outcome.status, 2);
    return outcome.err;
  };
  EXPECT_THAT(refused({"--max-gap", "0"}), HasSubstr("--max-gap = 0"));
  EXPECT_THAT(refused({"--max-gap", "nan"}), HasSubstr("--max-gap = nan"));
  EXPECT_THAT(refused({"--motion", "-1"}), HasSubstr("--motion = -1"));
  EXPECT_THAT(refused({"--n", "many"}), HasSubstr("--n"));
  EXPECT_THAT(refused({"--n-uncached", "0"}), HasSubstr("--n-uncached"));
}

}  // namespace
}  // namespace abut::testing
