// abut bench-polygons: its table and errors.
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

TEST(BenchPolygons, ReportsAllSearches) {
  const ProgramResult table = run(small);
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_THAT(table.out, AllOf(HasSubstr("common plane, cold"), HasSubstr("common plane, warm"),
                               HasSubstr("five candidates"), HasSubstr("cundall")));
  const auto rows = nlohmann::json::parse(run(joined(small, {"--json"})).out);
  ASSERT_EQ(rows.size(), 8);
  EXPECT_EQ(rows[0]["pairs"], 50);
  EXPECT_EQ(rows[4]["pairs"], 100);
  EXPECT_EQ(rows[0]["cold_ratio"], 1);
  EXPECT_EQ(rows[1]["warm_ratio"], 1);
  for (const auto& row : rows) EXPECT_GT(row["ns_per_pair"], 0);
}

TEST(BenchPolygons, MeasuresBox2dIfAvailable) {
  const ProgramResult result = run(joined(small, {"--libraries"}));
  if (make_box2d() == nullptr) {
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, HasSubstr("run bench/polygons to install them"));
    return;
  }
  EXPECT_EQ(result.status, 0) << result.err;  // all searches find the same distances
  EXPECT_THAT(result.out, AllOf(HasSubstr("b2Distance"), HasSubstr("b2CollidePolygons")));
}

TEST(BenchPolygons, RejectsInvalidOptions) {
  const auto error_of = [](const std::vector<std::string>& more) {
    const ProgramResult result = run(joined({"bench-polygons"}, more));
    EXPECT_EQ(result.status, 2);
    return result.err;
  };
  EXPECT_THAT(error_of({"--max-gap", "0"}), HasSubstr("--max-gap = 0"));
  EXPECT_THAT(error_of({"--max-gap", "nan"}), HasSubstr("--max-gap = nan"));
  EXPECT_THAT(error_of({"--motion", "-1"}), HasSubstr("--motion = -1"));
  EXPECT_THAT(error_of({"--n", "many"}), HasSubstr("--n"));
  EXPECT_THAT(error_of({"--n-uncached", "0"}), HasSubstr("--n-uncached"));
}

}  // namespace
}  // namespace abut::testing
