// The commands run and state, run as a user runs them.
#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "box_case.hpp"
#include "error_line.hpp"
#include "io/output_file.hpp"
#include "io/system.hpp"
#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string state_of(const Folder& folder, const std::string& name) {
  const ProgramResult result = run({"state", folder.path(name)});
  EXPECT_EQ(result.status, 0) << result.err;
  return result.out;
}

ProgramResult run_case(const Folder& folder, const std::string& out,
                       const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"run", folder.path("case.toml"), "--out", folder.path(out)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run(arguments);
}

TEST(RunCommand, WritesFramesProbesAndCheckpoints) {
  const Folder folder;
  folder.write("case.toml", box_case);
  const ProgramResult result = run_case(folder, "out");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("\nstep 3000, t = 0.6 s: 60 inserted"),
                                HasSubstr("below: "), HasSubstr("out/run.pvd (for ParaView)")));
  const std::string probes = folder.read("out/probes.csv");
  EXPECT_THAT(probes, StartsWith("step,time,particles,inserted,removed,mass,"));
  EXPECT_EQ(std::ranges::count(probes, '\n'), 1 + 1 + 30);
  EXPECT_THAT(folder.read("out/run.pvd"), HasSubstr("particles-0000003000.vtp"));
  EXPECT_THAT(state_of(folder, "out"),
              AllOf(StartsWith("step 3000\ntime 0.6\ntime_step 0.0002\n"), HasSubstr("\nhash ")));
}

TEST(RunCommand, PrintsParametersAtStart) {
  const Folder folder;
  folder.write("case.toml", box_case);
  const std::string out = folder.path("out");
  const std::string parameters =
      "time step 0.0002 s \\(stability limit 0\\.00[0-9]+ s\\); end at step 3000, t = 0.6 s; "
      "search "
      "method engine, ";
  EXPECT_THAT(run_case(folder, "out", {"--threads", "3"}).out,
              ContainsRegex("^starting: 10 particles and 50 to insert; " + parameters +
                            "3 threads\nstep 3000, "));
  EXPECT_THAT(run({"run", "--resume", out, "--threads", "1"}).out,
              ContainsRegex("^resuming at step 3000, t = 0.6 s: 31 particles; " + parameters +
                            "1 thread\nstep 3000, "));
}

TEST(RunCommand, PrintsParametersToFileBeforeItEnds) {
  const Folder folder;
  folder.write("case.toml", replaced(box_case, "end = 0.6", "end = 600"));
  const ProgramResult result =
      run({"run", folder.path("case.toml"), "--out", folder.path("out")},
          {.signal_on_start = SIGKILL, .start_marker = folder.path("out") + "/run.pvd"});
  EXPECT_EQ(result.status, 128 + SIGKILL);
  EXPECT_THAT(result.out, AllOf(StartsWith("starting: "), EndsWith("threads\n")));
}

TEST(RunCommand, PrintsLinesOfProgressToFile) {
  const Folder folder;
  folder.write("case.toml", replaced(box_case, "end = 0.6", "end = 600"));
  const ProgramResult result = run({"run", folder.path("case.toml"), "--out", folder.path("out")},
                                   {.kill_after = std::chrono::milliseconds(2500),
                                    .kill_signal = SIGINT,
                                    .progress_interval = "0.2"});
  EXPECT_EQ(result.status, 130);
  EXPECT_THAT(result.err,
              ContainsRegex("(^|\n)step [0-9]+ of 3000000, [0-9]+ particles, t = [0-9.]+ s, [0-9]+ "
                            "steps/s: [0-9]+ %, [0-9]+ (s|min [0-9]+ s) left\n"));
  EXPECT_LE(std::ranges::count(result.err, '\n'), 20) << result.err;
}

TEST(RunCommand, PrintsNoUnitsForCaseWithoutUnits) {
  const Folder folder;
  folder.write("case.toml", replaced(box_case, "title", "units = \"none\"\ntitle"));
  const ProgramResult result = run_case(folder, "out");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(ContainsRegex("time step 0.0002 \\(stability limit [0-9.]+\\); end "
                                              "at step 3000, t = 0.6; search method engine"),
                                HasSubstr("\nstep 3000, t = 0.6: 60 inserted"),
                                ContainsRegex("below: [0-9]+ particles, mass [0-9.]+\n")));
}

TEST(RunCommand, StateIsIndependentOfThreadsAndSearchMethod) {
  const Folder folder;
  folder.write("case.toml", box_case);
  EXPECT_EQ(run_case(folder, "one", {"--threads", "1"}).status, 0);
  const std::string expected = state_of(folder, "one");
  EXPECT_EQ(run_case(folder, "three", {"--threads", "3", "--verify-every", "50"}).status, 0);
  EXPECT_EQ(state_of(folder, "three"), expected);
  for (const std::string method : {"nbs", "mr", "fixed-cubes"}) {
    folder.write("case.toml",
                 replaced(box_case, "title", "search_method = \"" + method + "\"\ntitle"));
    EXPECT_EQ(run_case(folder, method).status, 0);
    EXPECT_EQ(state_of(folder, method), expected) << method;
  }
}

TEST(RunCommand, WritesCheckpointOnSignal) {
  const Folder folder;
  folder.write("case.toml", replaced(box_case, "end = 0.6", "end = 600"));
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string out = "out" + std::to_string(signal);
    const ProgramResult result =
        run({"run", folder.path("case.toml"), "--out", folder.path(out)},
            {.signal_on_start = signal, .start_marker = folder.path(out) + "/checkpoint-"});
    EXPECT_EQ(result.status, 128 + signal);
    EXPECT_THAT(result.out,
                EndsWith("interrupted; resume with: abut run --resume " + folder.path(out) + "\n"));
    EXPECT_THAT(state_of(folder, out), StartsWith("step "));
  }
}

TEST(RunCommand, RunsDisksWithHertzLawOnSegments) {
  const Folder folder;
  folder.write("wall.csv", "x1,y1,x2,y2\n0,1,1,0\n1,0,2,0\n2,0,3,1\n");
  folder.write("case.toml", R"(dimension = 2
gravity = [0, -9.81]
law = "hertz"
[time]
end = 0.5
[[material]]
name = "disk"
density = 1000
young = 1e6
poisson = 0.3
[[contact]]
restitution = 0.3
friction = 0.5
[[wall]]
name = "trough"
mesh = "wall.csv"
[[insertion]]
count = 30
radius = 0.06
region = { min = [0.8, 0.8], max = [2.2, 2.4] }
[domain]
min = [-1, -1]
max = [4, 4]
)");
  const ProgramResult result = run_case(folder, "out");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("30 inserted, 0 removed, 30 active"));
  EXPECT_THAT(folder.read("out/probes.csv"), HasSubstr(",force_trough_x,force_trough_y\n"));
}

TEST(RunCommand, ReportsParticleThatLeftTheDomain) {
  const Folder folder;
  folder.write("case.toml", replaced(box_case, "[output]",
                                     "[domain]\nmin = [-1, -1, -0.2]\n"
                                     "max = [1, 1, 3]\n\n[output]"));
  const ProgramResult result = run_case(folder, "out");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("particle "), HasSubstr(" left the domain in step "),
                                HasSubstr("outflow = \"allowed\" lets particles leave")));
  // The run up to the error can still be used.
  EXPECT_THAT(state_of(folder, "out"), StartsWith("step "));
}

TEST(RunCommand, RemovesParticlesIfOutflowIsAllowed) {
  const Folder folder;
  folder.write("case.toml", replaced(replaced(box_case, "[output]",
                                              "[domain]\nmin = [-1, -1, -0.2]\nmax = [1, 1, 3]\n"
                                              "outflow = \"allowed\"\n\n[output]"),
                                     "end = 0.6", "end = 0.9"));
  const ProgramResult result = run_case(folder, "out");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("60 inserted, 60 removed, 0 active"),
                                HasSubstr("below: 0 particles, mass 0 kg")));
}

TEST(RunCommand, WritesFramesThatVtkReads) {
  const Folder folder;
  folder.write("case.toml", box_case);
  EXPECT_EQ(run_case(folder, "out").status, 0);
  const auto dump = [&](const std::string& name) {
    const auto result = run_process(
        {"/usr/bin/python3", ABUT_SOURCE_DIR "/tests/vtk_dump.py", folder.path("out/" + name)}, "");
    return result ? result->output + result->error_output : std::string("no /usr/bin/python3");
  };
  EXPECT_THAT(dump("particles-0000001500.vtp"),
              AllOf(StartsWith("60 points, 60 cells\n"), HasSubstr("\npoint 'radius' double x1: "),
                    HasSubstr("\npoint 'velocity' double x3: "),
                    HasSubstr("\nframe 'step' long x1: 1500\n")));
  EXPECT_THAT(dump("contacts-0000001500.vtp"),
              AllOf(HasSubstr("\nline 0 1\n"), HasSubstr("\ncell 'force' double x3: ")));
  EXPECT_THAT(dump("walls-0000000000.vtp"),
              AllOf(HasSubstr("\ntriangle "), HasSubstr("\ncell 'wall_id' int x1: 0, ")));
}

TEST(RunCommand, DrawsMovingWallsWhereTheyAre) {
  for (const std::string motion :
       {"velocity = [0, 0, -2]", "angular_velocity = 1, axis = [0, 0, 1], center = [0, 0, 0]"}) {
    const Folder folder;
    folder.write("case.toml",
                 replaced(replaced(replaced(box_case, "end = 0.6", "end = 0.02"),
                                   "frame_interval = 0.1", "frame_interval = 0.01"),
                          "from = [0, 0, -1]", "motion = { " + motion + " }\nfrom = [0, 0, -1]"));
    const ProgramResult result = run_case(folder, "out");
    EXPECT_EQ(result.status, 0) << result.err;
    for (const std::string step : {"0000000000", "0000000050", "0000000100"})
      EXPECT_TRUE(std::filesystem::exists(folder.path("out/walls-" + step + ".vtp"))) << motion;
  }
}

TEST(RunCommand, ShowsProgressOnTerminal) {
  const Folder folder;
  folder.write("case.toml",
               replaced(replaced(box_case, "end = 0.6", "end = 600"), "count = 60", "count = 20"));
  const std::string out = folder.path("out");
  const auto shown = [&](const std::vector<std::string>& arguments) {
    return run_on_terminal("xterm", arguments, "", std::chrono::milliseconds(0), SIGTERM,
                           std::chrono::milliseconds(3000));
  };
  const std::string line =
      "\r[0-9]+ particles, t = [0-9.]+ s, [0-9]+ steps/s \\[[#.]+\\] +[0-9]+ %, "
      "[0-9]+ (s|min [0-9]+ s) left";
  EXPECT_THAT(shown({"run", folder.path("case.toml"), "--out", out}), ContainsRegex(line));
  EXPECT_THAT(shown({"run", "--resume", out}), ContainsRegex(line));
}

TEST(RunCommand, WarnsAboutChangedCaseAndUsesIt) {
  const Folder folder;
  const std::string shorter = replaced(box_case, "end = 0.6", "end = 0.02");
  folder.write("case.toml", shorter);
  EXPECT_EQ(run_case(folder, "out").err, "");
  EXPECT_EQ(run({"run", "--resume", folder.path("out")}).err, "");
  folder.write("out/case.toml", replaced(shorter, "end = 0.02", "end = 0.04"));
  const ProgramResult longer = run({"run", "--resume", folder.path("out")});
  EXPECT_EQ(longer.err, "abut: " + folder.path("out/case.toml") +
                            ":5: warning: changed since the checkpoint; using the current file\n");
  EXPECT_THAT(longer.out, HasSubstr("\nstep 200, "));
  EXPECT_EQ(run({"run", "--resume", folder.path("out")}).err, "");
}

TEST(RunCommand, WarnsAboutChangedMesh) {
  const Folder folder;
  const std::string triangle = "v -9 -9 -8\nv 9 -9 -8\nv 0 9 -8\nf 1 2 3\n";
  folder.write("low.obj", triangle);
  folder.write("case.toml",
               replaced(replaced(box_case, "end = 0.6", "end = 0.02"), "[[insertion]]",
                        "[[wall]]\nname = \"low\"\nmesh = \"low.obj\"\n\n[[insertion]]"));
  EXPECT_EQ(run_case(folder, "out").err, "");
  EXPECT_EQ(run({"run", "--resume", folder.path("out")}).err, "");
  folder.write("low.obj", replaced(triangle, "0 9 -8", "0 9 -7"));
  EXPECT_THAT(run({"run", "--resume", folder.path("out")}).err,
              AllOf(HasSubstr("low.obj: warning: changed since the checkpoint"), EndsWith("\n")));
}

const std::string low_triangle = "v -9 -9 -8\nv 9 -9 -8\nv 0 9 -8\nf 1 2 3\n";
const std::string changed_triangle = replaced(low_triangle, "0 9 -8", "0 9 -7");

/// A short case that reads this mesh.
std::string case_with_mesh(const std::string& mesh) {
  return replaced(replaced(box_case, "end = 0.6", "end = 0.02"), "[[insertion]]",
                  "[[wall]]\nname = \"low\"\nmesh = \"" + mesh + "\"\n\n[[insertion]]");
}

ProgramResult run_in(const Folder& folder, const std::string& name,
                     const std::vector<std::string>& arguments) {
  return run(arguments, {.folder = folder.path(name)});
}

TEST(RunCommand, ComparesInputFilesOfRelativeCasePath) {
  const Folder folder;
  folder.write("project/meshes/low.obj", low_triangle);
  folder.write("project/cases/case.toml", case_with_mesh("../meshes/low.obj"));
  EXPECT_EQ(run_in(folder, "project/cases", {"run", "case.toml", "--out", "../out"}).err, "");
  EXPECT_EQ(run_in(folder, "project/cases", {"run", "--resume", "../out"}).err, "");
  EXPECT_EQ(run_in(folder, "project", {"run", "--resume", "out"}).err, "");
  EXPECT_EQ(run({"run", "--resume", folder.path("project/out")}).err, "");
  folder.write("project/meshes/low.obj", changed_triangle);
  const ProgramResult changed = run_in(folder, "", {"run", "--resume", "project/out"});
  EXPECT_THAT(changed.err,
              ContainsRegex("^abut: [^\n]*low.obj: warning: changed since the checkpoint; using "
                            "the current file\n$"));
}

TEST(RunCommand, ComparesParticleFileOfRelativePath) {
  const Folder folder;
  folder.write("grains.csv", "x,y,z,r\n0,0,0.5,0.05\n");
  const std::size_t begin = box_case.find("[[insertion]]");
  const std::size_t end = box_case.find("[[sink]]");
  std::string text = replaced(box_case, "end = 0.6", "end = 0.02");
  text.replace(text.find("[[insertion]]"), end - begin,
               "[[insertion]]\nparticles = \"grains.csv\"\n\n");
  folder.write("case.toml", text);
  EXPECT_EQ(run_in(folder, "", {"run", "case.toml", "--out", "out"}).err, "");
  EXPECT_EQ(run_in(folder, "out", {"run", "--resume", "."}).err, "");
  folder.write("grains.csv", "x,y,z,r\n0,0,0.6,0.05\n");
  EXPECT_THAT(run_in(folder, "out", {"run", "--resume", "."}).err,
              HasSubstr("grains.csv: warning: changed since the checkpoint"));
}

TEST(RunCommand, ComparesContentsOfLinkedMesh) {
  const Folder folder;
  folder.write("versions/1/low.obj", low_triangle);
  folder.write("versions/2/low.obj", low_triangle);
  folder.write("versions/3/low.obj", changed_triangle);
  const std::filesystem::path link = folder.path("current");
  const auto link_to = [&](const std::string& version) {
    std::filesystem::remove(link);
    std::filesystem::create_directory_symlink(folder.path("versions/" + version), link);
  };
  link_to("1");
  folder.write("case.toml", case_with_mesh("current/low.obj"));
  EXPECT_EQ(run_in(folder, "", {"run", "case.toml", "--out", "out"}).err, "");
  EXPECT_EQ(run_in(folder, "out", {"run", "--resume", "."}).err, "");
  link_to("2");  // another file with the same contents
  EXPECT_EQ(run_in(folder, "out", {"run", "--resume", "."}).err, "");
  link_to("3");
  EXPECT_THAT(run_in(folder, "out", {"run", "--resume", "."}).err,
              HasSubstr("current/low.obj: warning: changed since the checkpoint"));
}

TEST(RunCommand, ReportsExchangedMeshes) {
  const Folder folder;
  folder.write("a.obj", low_triangle);
  folder.write("b.obj", changed_triangle);
  folder.write("case.toml",
               replaced(case_with_mesh("a.obj"), "[[insertion]]",
                        "[[wall]]\nname = \"other\"\nmesh = \"b.obj\"\n\n[[insertion]]"));
  EXPECT_EQ(run_in(folder, "", {"run", "case.toml", "--out", "out"}).err, "");
  folder.write("a.obj", changed_triangle);
  folder.write("b.obj", low_triangle);
  EXPECT_THAT(run_in(folder, "", {"run", "--resume", "out"}).err,
              AllOf(HasSubstr("a.obj: warning: changed"), HasSubstr("b.obj: warning: changed")));
}

TEST(RunCommand, ResumesInMovedProject) {
  const Folder folder;
  folder.write("old/low.obj", low_triangle);
  folder.write("old/case.toml", case_with_mesh("low.obj"));
  EXPECT_EQ(run_in(folder, "old", {"run", "case.toml", "--out", "runs/out"}).err, "");
  std::filesystem::rename(folder.path("old"), folder.path("new"));
  const ProgramResult moved = run({"run", "--resume", folder.path("new/runs/out")});
  EXPECT_EQ(moved.status, 0);
  EXPECT_EQ(moved.err, "");
  folder.write("new/low.obj", changed_triangle);
  EXPECT_THAT(run({"run", "--resume", folder.path("new/runs/out")}).err,
              HasSubstr("new/low.obj: warning: changed since the checkpoint"));
}

TEST(RunCommand, ReportsMissingMeshAtResume) {
  const Folder folder;
  folder.write("low.obj", low_triangle);
  folder.write("case.toml", case_with_mesh("low.obj"));
  EXPECT_EQ(run_in(folder, "", {"run", "case.toml", "--out", "out"}).err, "");
  std::filesystem::remove(folder.path("low.obj"));
  const ProgramResult missing = run_in(folder, "", {"run", "--resume", "out"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, ContainsRegex("^abut: [^\n]*low.obj[^\n]*\n$"));
}

TEST(RunCommand, LocksItsFolder) {
  const Folder folder;
  folder.write("case.toml", replaced(box_case, "end = 0.6", "end = 0.02"));
  EXPECT_EQ(run_case(folder, "out").status, 0);
  folder.write("out/run.pvd.unfinished-1", "left by a killed run");
  {
    const FolderLock other(folder.path("out"));
    EXPECT_THAT(error_line(folder, {"run", "--resume", folder.path("out")}),
                HasSubstr("out: folder is locked by another abut process"));
    std::filesystem::create_directory(folder.path("empty"));
    const FolderLock another(folder.path("empty"));
    EXPECT_THAT(
        error_line(folder, {"run", folder.path("case.toml"), "--out", folder.path("empty")}),
        HasSubstr("empty: folder is locked by another abut process"));
  }
  EXPECT_EQ(run({"run", "--resume", folder.path("out")}).status, 0);
  EXPECT_FALSE(std::filesystem::exists(folder.path("out/run.pvd.unfinished-1")));
}

// A copy of a project is resumed with the files of the case that it was started with.
TEST(RunCommand, ResumesCopiedRunWithTheCaseOfTheOriginal) {
  const Folder folder;
  folder.write("old/low.obj", low_triangle);
  folder.write("old/case.toml", case_with_mesh("low.obj"));
  EXPECT_EQ(run_in(folder, "old", {"run", "case.toml", "--out", "runs/out"}).err, "");
  std::filesystem::copy(folder.path("old"), folder.path("new"),
                        std::filesystem::copy_options::recursive);
  folder.write("new/low.obj", changed_triangle);
  EXPECT_EQ(run({"run", "--resume", folder.path("new/runs/out")}).err, "");
  folder.write("old/low.obj", changed_triangle);
  EXPECT_THAT(run({"run", "--resume", folder.path("new/runs/out")}).err,
              HasSubstr("old/low.obj: warning: changed since the checkpoint"));
}

TEST(RunCommand, CanBeInterruptedDuringInsertion) {
  const Folder folder;
  const std::string many = replaced(replaced(box_case, "interval = 0.02\nbatch_size = 10\n", ""),
                                    "[0, 0, 0.9]", "[0, 0, 1900]");
  folder.write("case.toml", replaced(replaced(many, "count = 60", "count = 400000"),
                                     "to = [0, 0, 2]", "to = [0, 0, 2000]"));
  const ProgramResult result =
      run({"run", folder.path("case.toml"), "--out", folder.path("out")},
          {.kill_after = std::chrono::milliseconds(300), .kill_signal = SIGINT});
  EXPECT_EQ(result.status, 130);
  EXPECT_EQ(result.out, "interrupted before the first step; nothing was written\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path("out")));
}

// Particles outside the domain that are not yet removed must not block insertion.
TEST(RunCommand, InsertsWhileParticlesLeave) {
  const Folder folder;
  std::string open = replaced(box_case, "[output]",
                              "[domain]\nmin = [-1, -1, -0.2]\nmax = [1, 1, 2]\noutflow = "
                              "\"allowed\"\n[output]");
  open = replaced(replaced(open, "interval = 0.02", "interval = 0.0006\nmax_overlap = 0.1"),
                  "batch_size = 10", "batch_size = 1");
  folder.write("case.toml", replaced(replaced(open, "count = 60", "count = 600"), "open_time = 0.4",
                                     "open_time = 0"));
  const ProgramResult result = run_case(folder, "out", {"--verify-every", "1", "--threads", "1"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, ContainsRegex(" [0-9][0-9] removed, "));
}

TEST(RunCommand, WarnsAboutLargeTimeStep) {
  const Folder folder;
  const std::string short_case = replaced(box_case, "end = 0.6", "end = 0.02");
  folder.write("case.toml", replaced(short_case, "step = 2e-4", "step = 5e-3"));
  const ProgramResult result = run_case(folder, "out");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, ContainsRegex("warning: time step is 0.[5-9][0-9]* of critical; dense "
                                        "packings may not settle above 0.5 "));
}

TEST(RunCommand, WarnsOnceIfEnergyGrows) {
  const Folder folder;
  const std::string elastic =
      replaced(replaced(replaced(replaced(box_case, "restitution = 0.5\nfriction = 0.4\n", ""),
                                 "end = 0.6", "end = 6\nmax_displacement_ratio = 0"),
                        "open_time = 0.4\n", ""),
               "probe_interval = 0.02", "probe_interval = 0.2");
  folder.write("case.toml", replaced(elastic, "step = 2e-4", "step = 3.6e-3"));
  const ProgramResult result = run_case(folder, "large");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err,
              ContainsRegex("^abut: warning: step [0-9]*: the energy has grown by [^\n]*"
                            "track_energy = true finds out\n$"));
  folder.write("case.toml", replaced(elastic, "step = 2e-4", "step = 4e-4"));
  EXPECT_EQ(run_case(folder, "small").err, "");
  folder.write("case.toml",
               "track_energy = true\n" + replaced(elastic, "step = 2e-4", "step = 3.6e-3"));
  EXPECT_THAT(run_case(folder, "tracked").err, HasSubstr("the energy has grown by"));
}

TEST(RunCommand, HelpRefersToCaseDocumentation) {
  EXPECT_THAT(run({"run", "--help"}).out,
              AllOf(HasSubstr("docs/simulation.md describes the keys of a case"),
                    HasSubstr("abut run cases/silo_small.toml --out silo\n")));
  EXPECT_THAT(run({"state", "--help"}).out, HasSubstr("Example: abut state "));
}

/// Runs a command in a mount namespace in which a disk of this size is mounted on the folder.
/// Returns nothing if mounting is not permitted.
std::optional<ProcessResult> run_on_small_disk(const std::string& folder, const std::string& size,
                                               const std::string& command) {
  const auto allowed = run_process({"unshare", "-rm", "true"}, "");
  if (!allowed || allowed->status != 0) return {};
  return run_process({"unshare", "-rm", "sh", "-c",
                      "mount -t tmpfs -o size=" + size + " tmpfs " + folder + " && " + command},
                     "");
}

TEST(RunCommand, CanBeResumedAfterFullDisk) {
  const Folder folder;
  folder.write("case.toml", replaced(box_case, "end = 0.6", "end = 60"));
  const Folder disk;
  const std::string program = program_path();
  const std::string out = disk.path("out");
  const auto result = run_on_small_disk(disk.path(""), "400k",
                                        program + " run " + folder.path("case.toml") + " --out " +
                                            out + "; echo status $?; " + program + " state " + out +
                                            "; ls " + out + " | grep -c unfinished");
  if (!result) GTEST_SKIP() << "mounting is not permitted here";
  EXPECT_THAT(result->error_output, AllOf(HasSubstr("abut: cannot write "), HasSubstr(out)));
  EXPECT_EQ(std::ranges::count(result->error_output, '\n'), 1) << result->error_output;
  EXPECT_THAT(result->output,
              AllOf(HasSubstr("status 2\nstep "), HasSubstr("\nhash "), EndsWith("\n0\n")));
}

TEST(CaseErrors, RejectsBadFolders) {
  const Folder folder;
  folder.write("case.toml", box_case);
  EXPECT_THAT(error_line(folder, {"run", folder.path("case.toml")}),
              HasSubstr("--out DIR is required"));
  EXPECT_THAT(error_line(folder, {"run", "--resume", folder.path("none")}), HasSubstr("none"));
  EXPECT_THAT(error_line(folder, {"state", folder.path("none")}), HasSubstr("none"));
  EXPECT_EQ(run_case(folder, "out").status, 0);
  EXPECT_THAT(error_line(folder, {"run", folder.path("case.toml"), "--out", folder.path("out")}),
              HasSubstr("already contains a run"));
}

}  // namespace
}  // namespace abut::testing
