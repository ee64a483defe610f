// The command bench-polyhedra.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(BenchPolyhedra, TimesExactAndCundallPlanes) {
  const ProgramResult table = run({"bench-polyhedra", "--n", "40", "--repeat", "1"});
  EXPECT_EQ(table.status, 0);  // would be 1 if an exact plane were wrong
  EXPECT_THAT(table.out, AllOf(HasSubstr("common plane, warm"), HasSubstr("Cundall")));
  const auto rows =
      nlohmann::json::parse(run({"bench-polyhedra", "--n", "40", "--repeat", "1", "--json"}).out);
  ASSERT_EQ(rows.size(), 8);
  for (const auto& row : rows) {
    EXPECT_GT(row["ns_per_pair"], 0);
    if (row["search"].get<std::string>().starts_with("common plane")) {
      EXPECT_EQ(row["wrong"], 0) << row;
    }
  }
  const ProgramResult none = run({"bench-polyhedra", "--n", "0"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("--n"));
}

}  // namespace
}  // namespace abut::testing
