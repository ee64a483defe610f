// Insertions of a run: from a file, with an angular velocity, and reports of incomplete ones.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include "box_case.hpp"
#include "error_line.hpp"
#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// box_case with a particle file in place of a region; its key is in line 32.
std::string particle_list(const std::string& more = "") {
  const std::size_t begin = box_case.find("count = 60");
  const std::size_t end = box_case.find("\n[[sink]]");
  std::string text = box_case;
  return replaced(text.replace(begin, end - begin, "particles = \"grains.csv\"\n" + more),
                  "[output]", "[domain]\nmin = [-1, -1, -9]\nmax = [1, 1, 2]\n[output]");
}

constexpr auto grains = "x,y,z,r,id\n0,0,0.1,0.05,7\n0.06,0,0.18,0.04,3\n-0.1,0,1.5,0.05,1\n";

ProgramResult run_particle_list(const Folder& folder, const std::string& out) {
  return run({"run", folder.path("case.toml"), "--out", folder.path(out)});
}

/// A column of the first line of probes.csv.
double first_probe_value(const Folder& folder, std::size_t column) {
  const std::string probes = folder.read("out/probes.csv");
  std::size_t at = probes.find('\n') + 1;
  for (; column > 0; --column) at = probes.find(',', at) + 1;
  return std::stod(probes.substr(at));
}

constexpr std::size_t mass_column = 5;
constexpr std::size_t rotational_column = 13;

double mass_of(double r) { return 1000 * 4 * std::numbers::pi / 3 * r * r * r; }

TEST(RunInsertion, InsertsParticlesOfFileUnchanged) {
  const Folder folder;
  folder.write("grains.csv", grains);
  folder.write("case.toml", particle_list());
  EXPECT_THAT(run_particle_list(folder, "out").out, HasSubstr("3 inserted, "));
  EXPECT_THAT(folder.read("out/probes.csv"), HasSubstr("\n0,0,3,3,0,"));
  EXPECT_NEAR(first_probe_value(folder, mass_column), 2 * mass_of(0.05) + mass_of(0.04), 1e-9);
}

/// The checkpoints in the folder of a run, the newest last.
std::vector<std::string> checkpoints_in(const std::string& folder) {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().starts_with("checkpoint-"))
      all.push_back(entry.path().string());
  std::ranges::sort(all);
  return all;
}

TEST(RunInsertion, InsertsParticlesOfFileLaterAfterResume) {
  const Folder folder;
  folder.write("grains.csv", grains);
  const std::string text = particle_list("start_time = 0.1\n");
  folder.write("case.toml", text);
  EXPECT_EQ(run_particle_list(folder, "whole").status, 0);
  const auto expect_same_as_whole = [&](const std::string& out) {
    folder.write(out + "/case.toml", text);
    EXPECT_EQ(run({"run", "--resume", folder.path(out)}).status, 0);
    EXPECT_EQ(run({"state", folder.path(out)}).out, run({"state", folder.path("whole")}).out);
    for (const std::string file : {"/probes.csv", "/profile.csv"})
      EXPECT_EQ(folder.read(out + file), folder.read("whole" + file)) << out;
  };
  for (const std::string end : {"0.1", "0.2"}) {  // at the time of insertion, and later
    folder.write("case.toml", replaced(text, "end = 0.6", "end = " + end));
    EXPECT_EQ(run_particle_list(folder, end).status, 0);
  }
  std::filesystem::copy(folder.path("0.1"), folder.path("earlier"));
  std::filesystem::remove(checkpoints_in(folder.path("earlier")).back());
  for (const std::string out : {"earlier", "0.1", "0.2"}) expect_same_as_whole(out);
}

std::string insertion_error(const std::string& file, const std::string& text = particle_list()) {
  const Folder folder;
  folder.write("grains.csv", file);
  folder.write("case.toml", text);
  return error_line(folder, {"run", folder.path("case.toml"), "--out", folder.path("out")});
}

TEST(CaseErrors, ChecksParticleFileBeforeStart) {
  const std::string later = particle_list("start_time = 0.1\n");
  for (const std::string& text : {particle_list(), later}) {
    EXPECT_THAT(insertion_error("x,y,z,r\n0,0,0,0.1\n0,0,5,0.1\n", text),
                AllOf(HasSubstr("case.toml:32:13: particles: "),
                      HasSubstr("grains.csv:3: z of particle 1 = 5: must lie between -9 and 2, the "
                                "bounds in [domain] of ")));
    EXPECT_THAT(insertion_error("x,y,z,r\n0,0,0,0\n", text),
                AllOf(HasSubstr("case.toml:32:13: "), HasSubstr("grains.csv:2: radius of")));
    EXPECT_THAT(insertion_error("x,y,r\n0,0,1\n", text),
                HasSubstr("grains.csv:1: the header is 2D"));
    EXPECT_THAT(
        insertion_error("x,y,z,r\n0,0,1,0.1\n\n1,0,0,0.1\n0,0,1,0.2\n", text),
        HasSubstr("grains.csv:5: particle 2: coincides with the particle in line 2; move one"));
    EXPECT_THAT(insertion_error("x,y,z,r\n", text),
                HasSubstr("grains.csv: no particles, only a header"));
    EXPECT_THAT(insertion_error("x,y,z,r\n0,0,zero,1\n", text),
                HasSubstr("grains.csv:2:5: z of particle 0"));
  }
  EXPECT_THAT(insertion_error(grains, replaced(particle_list(), "grains.csv", "none.csv")),
              AllOf(HasSubstr("case.toml:32:13: particles: "), HasSubstr("none.csv")));
  EXPECT_THAT(insertion_error(grains, particle_list("[[insertion]]\nparticles = \"grains.csv\"\n")),
              HasSubstr("grains.csv:2: particle 0: coincides with a particle of another file"));
  EXPECT_THAT(insertion_error(grains, particle_list("start_time = 0.7\n")),
              HasSubstr("start_time = 0.7: must not be after the end of the run"));
}

TEST(CaseErrors, RejectsRegionKeysWithParticleFile) {
  for (const std::string key :
       {"count = 3", "radius = 0.1", "sizes = \"by-mass\"", "interval = 0.1", "batch_size = 2",
        "max_overlap = 0.1", "region = { min = [0, 0, 0], max = [1, 1, 1] }"})
    EXPECT_THAT(insertion_error(grains, particle_list(key + "\n")),
                HasSubstr("case.toml:33:1: " + key.substr(0, key.find(' ')) +
                          ": has no effect with the other keys of this [[insertion]]"));
}

TEST(RunInsertion, SetsAngularVelocity) {
  const Folder folder;
  folder.write("grains.csv", "x,y,z,r\n0,0,1,0.1\n");
  folder.write("case.toml", particle_list("angular_velocity = [0, 0, 5]\n"));
  EXPECT_EQ(run_particle_list(folder, "out").status, 0);
  EXPECT_NEAR(first_probe_value(folder, rotational_column), 0.4 * mass_of(0.1) * 0.01 * 25 / 2,
              1e-9);
  EXPECT_THAT(insertion_error(grains, particle_list("angular_velocity = 5\n")),
              HasSubstr("angular_velocity = 5: must be 3 numbers"));
}

TEST(RunInsertion, AngularVelocityOfDisksIsANumber) {
  const std::string case_2d = R"(dimension = 2
[time]
end = 0.001
[[material]]
name = "disk"
density = 1000
[[contact]]
stiffness = 1e5
[[insertion]]
particles = "grains.csv"
angular_velocity = 5
)";
  const Folder folder;
  folder.write("grains.csv", "x,y,r\n0,0,0.1\n");
  folder.write("case.toml", case_2d);
  EXPECT_EQ(run_particle_list(folder, "out").status, 0);
  const double mass = 1000 * std::numbers::pi * 0.01;
  EXPECT_NEAR(first_probe_value(folder, rotational_column), 0.5 * mass * 0.01 * 25 / 2, 1e-9);
  EXPECT_THAT(insertion_error("x,y,r\n0,0,0.1\n", replaced(case_2d, "angular_velocity = 5",
                                                           "angular_velocity = [0, 0, 5]")),
              AllOf(HasSubstr("angular_velocity"), HasSubstr("must be a number")));
}

TEST(RunInsertion, ReportsParticlesThatDidNotFitOnlyIfAny) {
  const Folder folder;
  folder.write("case.toml", replaced(box_case, "end = 0.6", "end = 0.05"));  // three batches of ten
  EXPECT_THAT(run_particle_list(folder, "early").out,
              AllOf(HasSubstr("insertion 1: inserted 30 of 60\n"), Not(HasSubstr("fit"))));
  const std::string narrow = replaced(replaced(box_case, "end = 0.6", "end = 0.05"),
                                      "to = [0, 0, 0.9]", "to = [0, 0, 0.61]");
  folder.write("case.toml", replaced(narrow, "batch_size = 10", "batch_size = 50"));
  EXPECT_THAT(run_particle_list(folder, "full").out,
              ContainsRegex("insertion 1: inserted [0-9]+ of 60; [0-9]+ did not fit\n"));
}

}  // namespace
}  // namespace abut::testing
