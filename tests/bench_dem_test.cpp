// abut bench-dem: its tables, the boxes it keeps, and what it refuses.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> small_with(const std::vector<std::string>& more) {
  std::vector<std::string> all{"bench-dem", "--n", "60", "--steps", "100", "--repeat", "1"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(BenchDem, TimesSmoothAndRoughSpheresWithOneThreadAndTwo) {
  const ProgramResult table = run(small_with({}));
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_THAT(table.out, AllOf(HasSubstr("M/s"), HasSubstr("none"), HasSubstr("history"),
                               HasSubstr("integrate")));
  EXPECT_THAT(run(small_with({"--markdown", "--friction"})).out,
              HasSubstr("| abut | 60 | history |"));
}

TEST(BenchDem, KeepsTheSettledBoxAndStartsFromItAgain) {
  const Folder folder;
  const auto energy = [&] {
    const ProgramResult outcome =
        run(small_with({"--frictionless", "--json", "--out", folder.path("")}));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const auto rows = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(rows.size(), 2);
    EXPECT_GT(rows[0]["million_per_second"], 0);
    EXPECT_EQ(rows[0]["kinetic_energy"], rows[1]["kinetic_energy"]);  // whatever the threads
    return rows[0]["kinetic_energy"]["100"].get<double>();
  };
  const double settled_now = energy();
  EXPECT_THAT(folder.files(), ElementsAre("settled-smooth-60-1.abut"));
  EXPECT_EQ(energy(), settled_now);
  folder.write("settled-smooth-60-1.abut", "damaged");
  const ProgramResult damaged = run(small_with({"--frictionless", "--out", folder.path("")}));
  EXPECT_EQ(damaged.status, 2);
  EXPECT_THAT(damaged.err, HasSubstr("settled-smooth-60-1.abut"));
}

TEST(BenchDem, RefusesInOneLine) {
  EXPECT_THAT(run({"bench-dem", "--n", "0"}).err, HasSubstr("--n = 0"));
  EXPECT_THAT(run({"bench-dem", "--steps", "0"}).err, HasSubstr("--steps = 0"));
  const Folder empty;
  const ProgramResult alone = run({"bench-dem", "--libraries"}, {.path = empty.path("")});
  EXPECT_EQ(alone.status, 2);
  EXPECT_THAT(alone.err, HasSubstr("bench/dem installs it"));
}

}  // namespace
}  // namespace abut::testing
