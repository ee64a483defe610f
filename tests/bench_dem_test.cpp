// abut bench-dem: its tables, scenes, stored and given particles, and errors.
#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

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
              HasSubstr("| settled | abut | 60 | history |"));
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

// The objects that the benchmark prints.
nlohmann::json rows_of(const std::vector<std::string>& options) {
  std::vector<std::string> arguments = small_bench(options);
  arguments.insert(arguments.end(), {"--json", "--threads", "1"});
  const ProgramResult result = run(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  return nlohmann::json::parse(result.out);
}

TEST(BenchDem, RunsEveryScene) {
  for (const char* scene : {"settled", "chute", "silo", "drum", "polydisperse"}) {
    const auto rows = rows_of({"--scene", scene, "--friction"});
    ASSERT_EQ(rows.size(), 1) << scene;
    EXPECT_EQ(rows[0]["scene"], scene);
    EXPECT_EQ(rows[0]["program"], "abut");
    EXPECT_EQ(rows[0]["friction"], true);
    EXPECT_EQ(rows[0]["cores"], 1);
    if (scene == std::string("chute"))
      EXPECT_GT(rows[0]["particles"], 60);  // and those of the base
    else
      EXPECT_EQ(rows[0]["particles"], 60);
    EXPECT_GT(rows[0]["particle_steps_per_second"], 0);
    EXPECT_GT(rows[0]["kinetic_energy"]["100"], 0);
    EXPECT_GT(rows[0]["rotational_energy"]["100"], 0);
  }
}

TEST(BenchDem, ReusesStoredParticlesOfEveryScene) {
  for (const char* scene : {"chute", "silo", "drum", "polydisperse"}) {
    const Folder folder;
    const std::vector<std::string> options{"--scene", scene, "--out", folder.path("")};
    const auto prepared = rows_of(options);
    EXPECT_THAT(folder.files(), ElementsAre(std::string(scene) + "-friction-60-1.abut"));
    EXPECT_EQ(rows_of(options)[0]["kinetic_energy"], prepared[0]["kinetic_energy"]) << scene;
  }
}

TEST(BenchDem, RejectsStoredParticlesOfAnotherScene) {
  const Folder folder;
  rows_of({"--scene", "drum", "--out", folder.path("")});
  folder.write("polydisperse-friction-60-1.abut", folder.read("drum-friction-60-1.abut"));
  const ProgramResult result =
      run(small_bench({"--scene", "polydisperse", "--out", folder.path("")}));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("holds a different scene; delete the file"));
}

// A sphere of mass 1 that falls freely between fixed ones, with image flags.
constexpr const char* falling_sphere =
    "a sphere\n\n3 atoms\n2 atom types\n0 8 xlo xhi\n0 8 ylo yhi\n0 8 zlo zhi\n\n"
    "Atoms # sphere\n\n"
    "7 2 1 1.909859317102744 1 1 0 0 0 0\n"
    "3 1 1 1.909859317102744 4 4 6 33 -1 0\n"
    "9 2 1 1.909859317102744 7 7 0 0 0 0\n\n"
    "Velocities\n\n3 0.5 0 0 0 2 0\n7 0 0 0 0 0 0\n9 0 0 0 0 0 0\n";

TEST(BenchDem, TakesParticlesFromLammpsFile) {
  const Folder folder;
  const std::string file = folder.write("chute.data", falling_sphere);
  std::vector<std::string> arguments{"bench-dem", "--scene", "chute",     "--input", file,
                                     "--frozen",  "2",       "--json",    "--steps", "100",
                                     "--repeat",  "1",       "--threads", "1"};
  const ProgramResult result = run(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  const auto rows = nlohmann::json::parse(result.out);
  ASSERT_EQ(rows.size(), 1);
  EXPECT_EQ(rows[0]["particles"], 3);
  // v = (0.5 + sin 26° t, 0, −cos 26° t) at t = 0.01; moment of inertia 1/10.
  const double time = 0.01;
  const double speed_squared = 0.25 + 2 * 0.5 * 0.4383711467890774 * time + time * time;
  EXPECT_NEAR(rows[0]["kinetic_energy"]["100"].get<double>(), speed_squared / 2, 1e-12);
  EXPECT_NEAR(rows[0]["rotational_energy"]["100"].get<double>(), 0.2, 1e-12);
}

TEST(BenchDem, RejectsInvalidLammpsFileAndType) {
  const Folder folder;
  const std::string file = folder.write("chute.data", falling_sphere);
  const auto error = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"bench-dem", "--steps", "100"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.status, 2);
    return result.err;
  };
  EXPECT_THAT(error({"--input", file, "--frozen", "5"}),
              AllOf(HasSubstr("--frozen = 5"), HasSubstr("its largest type is 2")));
  EXPECT_THAT(error({"--frozen", "2"}), HasSubstr("needs --input"));
  EXPECT_THAT(error({"--input", file, "--scene", "drum"}), HasSubstr("walls of --scene drum"));
  EXPECT_THAT(error({"--input", file, "--n", "10"}), HasSubstr("--n"));
  EXPECT_THAT(error({"--input", folder.path("none")}), HasSubstr("cannot read"));
  std::string other_density = falling_sphere;
  other_density.replace(other_density.find("7 2 1 1.9"), 9, "7 2 1 2.9");
  EXPECT_THAT(
      error({"--input", folder.write("two.data", other_density)}),
      AllOf(StartsWith("abut: "), HasSubstr("density of atom 3 = 1.9"), HasSubstr("must be 2.9")));
}

TEST(BenchDem, ComparesEnergiesWithLammps) {
  if (std::system("lmp -help >/dev/null 2>&1") != 0) GTEST_SKIP() << "LAMMPS is not installed";
  for (const char* scene : {"chute", "polydisperse"}) {
    const auto rows = rows_of({"--scene", scene, "--lammps"});
    ASSERT_EQ(rows.size(), 2) << scene;
    EXPECT_THAT(rows[1]["program"].get<std::string>(), StartsWith("LAMMPS, skin "));
    const double ours = rows[0]["kinetic_energy"]["100"];
    const double reference = rows[1]["kinetic_energy"]["100"];
    EXPECT_NEAR(ours, reference, 0.02 * reference) << scene;
  }
}

TEST(BenchDem, RejectsInvalidOptions) {
  EXPECT_THAT(run({"bench-dem", "--scene", "heap"}).err,
              HasSubstr("--scene = heap: must be settled, chute, silo, drum or polydisperse"));
  EXPECT_THAT(run({"bench-dem", "--scene", "drum", "--frictionless"}).err,
              HasSubstr("--frictionless: --scene drum has friction"));
  EXPECT_THAT(run({"bench-dem", "--scene", "silo", "--lammps"}).err,
              HasSubstr("--lammps: LAMMPS is not compared with --scene silo"));
  EXPECT_THAT(run({"bench-dem", "--n", "0"}).err, HasSubstr("--n = 0"));
  EXPECT_THAT(run({"bench-dem", "--steps", "0"}).err, HasSubstr("--steps = 0"));
  const Folder empty;
  const ProgramResult without_lammps = run({"bench-dem", "--libraries"}, {.path = empty.path("")});
  EXPECT_EQ(without_lammps.status, 2);
  EXPECT_THAT(without_lammps.err, HasSubstr("run bench/dem to install it"));
}

}  // namespace
}  // namespace abut::testing
