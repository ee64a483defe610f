// abut bench-dem: its tables, stored packings, and errors.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Arguments of a short benchmark with these additional options.
std::vector<std::string> small_bench(const std::vector<std::string>& more) {
  std::vector<std::string> all{"bench-dem", "--n", "60", "--steps", "100", "--repeat", "1"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(BenchDem, ReportsSpeedWithAndWithoutFriction) {
  const ProgramResult table = run(small_bench({}));
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_THAT(table.out,
              AllOf(HasSubstr("M particle-steps/s"), HasSubstr("none"), HasSubstr("history"),
                    HasSubstr("speedup"), HasSubstr("integration")));
  EXPECT_THAT(run(small_bench({"--markdown", "--friction"})).out,
              HasSubstr("| abut | 60 | history |"));
}

TEST(BenchDem, ReusesStoredPacking) {
  const Folder folder;
  const auto energy = [&] {
    const ProgramResult result =
        run(small_bench({"--frictionless", "--json", "--out", folder.path("")}));
    EXPECT_EQ(result.status, 0) << result.err;
    const auto rows = nlohmann::json::parse(result.out);
    EXPECT_EQ(rows.size(), 2);
    EXPECT_GT(rows[0]["million_particle_steps_per_second"], 0);
    EXPECT_EQ(rows[0]["kinetic_energy"], rows[1]["kinetic_energy"]);  // for any number of threads
    return rows[0]["kinetic_energy"]["100"].get<double>();
  };
  const double settled = energy();
  EXPECT_THAT(folder.files(), ElementsAre("settled-frictionless-60-1.abut"));
  EXPECT_EQ(energy(), settled);  // read from the file
  folder.write("settled-frictionless-60-1.abut", "damaged");
  const ProgramResult damaged = run(small_bench({"--frictionless", "--out", folder.path("")}));
  EXPECT_EQ(damaged.status, 2);
  EXPECT_THAT(damaged.err, HasSubstr("settled-frictionless-60-1.abut"));
}

TEST(BenchDem, RejectsInvalidOptions) {
  EXPECT_THAT(run({"bench-dem", "--n", "0"}).err, HasSubstr("--n = 0"));
  EXPECT_THAT(run({"bench-dem", "--steps", "0"}).err, HasSubstr("--steps = 0"));
  const Folder empty;
  const ProgramResult without_lammps = run({"bench-dem", "--libraries"}, {.path = empty.path("")});
  EXPECT_EQ(without_lammps.status, 2);
  EXPECT_THAT(without_lammps.err, HasSubstr("run bench/dem to install it"));
}

}  // namespace
}  // namespace abut::testing
