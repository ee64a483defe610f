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

TEST(CaseErrors, ReportsParticlesThatCoincideAcrossAPeriodicBoundary) {
  const std::string text = replaced(particle_list(), "[domain]\n", "[domain]\nperiodic = \"y\"\n");
  EXPECT_THAT(
      insertion_error("x,y,z,r\n0,-0.5,1,0.1\n0,1.5,1,0.1\n", text),
      HasSubstr("grains.csv:3: particle 1: coincides with the particle in line 2; move one"));
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

// particle_list with a second material, "rock"; the key of the particle file is in line 45.
std::string two_materials(const std::string& more = "") {
  std::string contacts;
  for (const std::string pair : {"grain\", \"grain", "grain\", \"rock", "rock\", \"rock"})
    contacts += "[[contact]]\nmaterials = [\"" + pair + "\"]\nstiffness = 1e4\n\n";
  std::string text = particle_list(more);
  const std::size_t begin = text.find("[[contact]]");
  text.replace(begin, text.find("[[wall]]") - begin,
               "[[material]]\nname = \"rock\"\ndensity = 2000\n\n" + contacts);
  text = replaced(text, "name = \"floor\"\n", "name = \"floor\"\nmaterial = \"rock\"\n");
  return replaced(text, "name = \"pipe\"\n", "name = \"pipe\"\nmaterial = \"rock\"\n");
}

constexpr auto moving_grains =
    "x,y,z,r,id,vx,vy,vz,wx,wy,wz,material\n"
    "0,0,0.1,0.05,7,0.5,0,1,0,0,3,rock\n0.06,0,0.18,0.04,3,0,0,0,0,0,0,grain\n"
    "-0.1,0,1.5,0.05,1,0,0.25,0,2,0,0,\"rock\"\n";

constexpr std::size_t kinetic_column = 12;

void expect_moving_grains(const Folder& folder) {
  const double rock = 2 * mass_of(0.05);
  EXPECT_NEAR(first_probe_value(folder, mass_column), 2 * rock + mass_of(0.04), 1e-9);
  EXPECT_NEAR(first_probe_value(folder, kinetic_column), rock * (1.25 + 0.0625) / 2, 1e-9);
  EXPECT_NEAR(first_probe_value(folder, rotational_column), 0.4 * rock * 0.0025 * (9 + 4) / 2,
              1e-9);
}

TEST(RunInsertion, TakesVelocitiesAndMaterialsFromFile) {
  const Folder folder;
  folder.write("grains.csv", moving_grains);
  folder.write("case.toml", two_materials());
  const ProgramResult result = run_particle_list(folder, "out");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err.find("ignored"), std::string::npos) << result.err;
  expect_moving_grains(folder);
}

TEST(RunInsertion, OfMovingParticlesIsBitwiseIdenticalAfterResume) {
  const Folder folder;
  folder.write("grains.csv", moving_grains);
  for (const std::string start : {"", "start_time = 0.1\n"}) {
    const std::string text = two_materials(start);
    const std::string whole = start.empty() ? "whole" : "whole_late";
    const std::string parts = start.empty() ? "parts" : "parts_late";
    folder.write("case.toml", text);
    EXPECT_EQ(run_particle_list(folder, whole).status, 0);
    folder.write("case.toml", replaced(text, "end = 0.6", "end = 0.1"));
    EXPECT_EQ(run_particle_list(folder, parts).status, 0);
    std::filesystem::remove(checkpoints_in(folder.path(parts)).back());
    folder.write(parts + "/case.toml", text);
    EXPECT_EQ(run({"run", "--resume", folder.path(parts)}).status, 0);
    EXPECT_EQ(run({"state", folder.path(parts)}).out, run({"state", folder.path(whole)}).out);
    EXPECT_EQ(folder.read(parts + "/probes.csv"), folder.read(whole + "/probes.csv"));
  }
}

TEST(CaseErrors, RejectsColumnAndKeyForTheSame) {
  EXPECT_THAT(insertion_error(moving_grains, two_materials("material = \"rock\"\n")),
              AllOf(HasSubstr("material = \"rock\": given twice, also by the column material of "),
                    HasSubstr("grains.csv; delete one of them")));
  EXPECT_THAT(
      insertion_error(moving_grains, two_materials("velocity = [0, 0, 1]\n")),
      HasSubstr("velocity = [0, 0, 1]: given twice, also by the columns vx, vy and vz of "));
  EXPECT_THAT(insertion_error(moving_grains, two_materials("angular_velocity = [0, 0, 1]\n")),
              HasSubstr("given twice, also by the columns wx, wy and wz of "));
  EXPECT_THAT(insertion_error(moving_grains, two_materials("types = { 1 = \"rock\" }\n")),
              HasSubstr("grains.csv has names of materials; delete types"));
  EXPECT_THAT(insertion_error(grains, two_materials("types = { 1 = \"rock\" }\n")),
              HasSubstr("grains.csv has no types; use material"));
}

TEST(CaseErrors, ReportsUnknownMaterialOfParticleFile) {
  EXPECT_THAT(insertion_error(replaced(moving_grains, ",grain\n", ",gravel\n"), two_materials()),
              AllOf(HasSubstr("case.toml:45:13: particles: "),
                    HasSubstr("grains.csv:3: material of particle 1 = gravel: no [[material]] has "
                              "this name; known names: \"grain\", \"rock\"")));
  EXPECT_THAT(insertion_error(grains, two_materials()), HasSubstr("material: missing in [[ins"));
}

TEST(RunInsertion, NeedsContactsOfTheMaterialsInTheFile) {
  std::string text = two_materials();
  const std::size_t begin = text.rfind("[[contact]]");
  text.erase(begin, text.find("[[wall]]") - begin);
  EXPECT_THAT(insertion_error(moving_grains, text),
              HasSubstr("contact: missing for the materials \"rock\" and \"rock\""));
}

TEST(RunInsertion, WarnsAboutUnknownColumnsInOneLine) {
  const Folder folder;
  folder.write("grains.csv", "x,y,z,r,color,tag\n0,0,0.1,0.05,red,1\n");
  folder.write("case.toml", particle_list());
  const ProgramResult result = run_particle_list(folder, "out");
  EXPECT_THAT(result.err, AllOf(HasSubstr("abut: "),
                                HasSubstr("grains.csv: warning: ignored columns color, tag; abut "
                                          "reads x, y, z, r, radius, id, vx")));
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
}

// Two atoms of type 1, rock, and 3, grain.
constexpr auto lammps_data =
    "LAMMPS data file\n\n2 atoms\n3 atom types\n\n-1 1 xlo xhi\n-1 1 ylo yhi\n-9 2 zlo zhi\n\n"
    "Atoms # sphere\n\n8 1 0.1 2000 0 0 0.1\n2 3 0.08 1000 0.06 0 0.18 0 0 0\n\n"
    "Velocities\n\n2 0 0 0 0 0 0\n8 0.5 0 1 0 0 3\n";

TEST(RunInsertion, ReadsLammpsData) {
  const Folder folder;
  folder.write("grains.csv", lammps_data);
  folder.write("case.toml",
               two_materials("types = { 1 = \"rock\", 2 = \"rock\", 3 = \"grain\" }\n"));
  const ProgramResult result = run_particle_list(folder, "out");
  EXPECT_EQ(result.status, 0) << result.err;
  const double rock = 2 * mass_of(0.05);
  EXPECT_NEAR(first_probe_value(folder, mass_column), rock + mass_of(0.04), 1e-9);
  EXPECT_NEAR(first_probe_value(folder, kinetic_column), rock * 1.25 / 2, 1e-9);
  EXPECT_NEAR(first_probe_value(folder, rotational_column), 0.4 * rock * 0.0025 * 9 / 2, 1e-9);
}

TEST(CaseErrors, ChecksLammpsParticlesAgainstCase) {
  const std::string types = "types = { 1 = \"rock\", 3 = \"grain\" }\n";
  EXPECT_THAT(insertion_error(lammps_data, two_materials()),
              AllOf(HasSubstr("types: missing; "),
                    HasSubstr("grains.csv has a number for each material: write types = { 1 = "
                              "\"NAME\", 3 = \"NAME\" }")));
  EXPECT_THAT(insertion_error(lammps_data, two_materials("types = { 1 = \"rock\" }\n")),
              HasSubstr("grains.csv:13: type of atom 2 = 3: has no material; add it to the key "
                        "types, with one of \"grain\", \"rock\""));
  EXPECT_THAT(insertion_error(lammps_data, two_materials("types = { 1 = \"ruck\" }\n")),
              HasSubstr("no [[material]] is named \"ruck\"; did you mean \"rock\"?"));
  EXPECT_THAT(insertion_error(lammps_data, two_materials("types = { one = \"rock\" }\n")),
              HasSubstr("one = \"rock\": must be a number of a type"));
  EXPECT_THAT(insertion_error(lammps_data, two_materials("types = 1\n")), HasSubstr("types = 1"));
  EXPECT_THAT(insertion_error(replaced(lammps_data, "0.1 2000", "0.1 2001"), two_materials(types)),
              HasSubstr("grains.csv:12: density of atom 8 = 2001: must be 2000, the density of the "
                        "material \"rock\"; change one of them"));
  EXPECT_THAT(insertion_error(lammps_data, two_materials(types + "velocity = [0, 0, 1]\n")),
              HasSubstr("given twice, also by the section Velocities of "));
  EXPECT_THAT(insertion_error(lammps_data, two_materials(types + "material = \"rock\"\n")),
              HasSubstr("given twice, also by the column type of "));
  EXPECT_THAT(
      insertion_error(replaced(lammps_data, "0 0 0.1\n", "0 0 5\n"), two_materials(types)),
      HasSubstr("grains.csv:12: z of atom 8 = 5: must lie between -9 and 2, the bounds in "));
}

TEST(CaseErrors, ComparesPeriodicDomainWithBoxOfLammpsFile) {
  const std::string text = replaced(two_materials("types = { 1 = \"rock\", 3 = \"grain\" }\n"),
                                    "[domain]\n", "[domain]\nperiodic = \"y\"\n");
  EXPECT_THAT(insertion_error(replaced(lammps_data, "-1 1 ylo", "-1 1.5 ylo"), text),
              AllOf(HasSubstr("case.toml:45:13: particles: "),
                    HasSubstr("grains.csv: length of the box along y = 2.5: must be 2 as in "
                              "[domain] of ")));
  const Folder folder;
  folder.write("grains.csv",
               "ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp ff\n-3 1\n-1 "
               "1\n-9 2\nITEM: ATOMS id x y z radius\n5 0 0 0.1 0.05\n");
  folder.write("case.toml",
               replaced(particle_list(), "[domain]\n", "[domain]\nperiodic = \"y\"\n"));
  const ProgramResult result = run_particle_list(folder, "out");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("grains.csv: warning: the box of the file is periodic along x, "
                                    "but [domain] of "));
}

TEST(RunInsertion, ContinuesFromFrameOfAnotherRun) {
  const Folder folder;
  folder.write("grains.csv", moving_grains);
  folder.write("case.toml", two_materials());
  EXPECT_EQ(run_particle_list(folder, "first").status, 0);
  const std::string frame = "first/particles-0000000000.vtp";
  folder.write("case.toml", replaced(two_materials("types = { 0 = \"grain\", 1 = \"rock\" }\n"),
                                     "grains.csv", frame));
  EXPECT_EQ(run_particle_list(folder, "out").status, 0);
  expect_moving_grains(folder);
  for (const std::string out : {"first", "out"})
    folder.write(out + ".txt", run({"state", folder.path(out)}).out);
  EXPECT_EQ(folder.read("first.txt"), folder.read("out.txt"));
  EXPECT_THAT(insertion_error(folder.read(frame), two_materials()),
              HasSubstr("write types = { 1 = \"NAME\", 0 = \"NAME\" }"));
}

TEST(RunInsertion, OmitsFixedParticlesOfFrameWithWarning) {
  const Folder folder;
  folder.write("case.toml", R"([time]
end = 0.001
[[material]]
name = "grain"
density = 1000
[[contact]]
stiffness = 1e5
[[silo]]
outlet_diameter = 3
hopper_height = 1.8
diameter = 5.5
height = 6.5
radius = [0.215, 0.225]
spacing = 0.4
[[insertion]]
particles = "grains.csv"
)");
  folder.write("grains.csv", "x,y,z,r\n0,0,5,0.1\n");
  EXPECT_EQ(run_particle_list(folder, "first").status, 0);
  folder.write("grains.csv", folder.read("first/particles-0000000000.vtp"));
  folder.write("case.toml", folder.read("case.toml") + "types = { 0 = \"grain\" }\n");
  const ProgramResult result = run_particle_list(folder, "out");
  EXPECT_THAT(result.err, ContainsRegex("grains.csv: warning: ignored [0-9]+ fixed particles; "));
  EXPECT_THAT(result.out, HasSubstr(": 1 inserted, 0 removed"));
}

TEST(RunInsertion, ReadsElementsAndTextWithoutHeader) {
  for (const std::string text :
       {"2 0.05\n0 0 0.1\n0.06 0 0.3\n", "0 0 0.1 0.05\n0.06 0 0.3 0.04\n"}) {
    const Folder folder;
    folder.write("grains.txt", text);
    folder.write("case.toml", replaced(particle_list(), "grains.csv", "grains.txt"));
    EXPECT_THAT(run_particle_list(folder, "out").out, HasSubstr("2 inserted, "));
  }
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
