// Simulations as a user runs them.
#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <random>

#include "complaint.hpp"
#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A few balls that fall into a box with a floor that opens.
const std::string box_case = R"(title = "a box"
gravity = [0, 0, -10]

[time]
end = 0.6
step = 2e-4

[[material]]
name = "grain"
density = 1000

[[contact]]
stiffness = 1e4
restitution = 0.5
friction = 0.4

[[wall]]
name = "floor"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
opens = 0.4

[[wall]]
name = "pipe"
shape = "cylinder"
from = [0, 0, -1]
to = [0, 0, 2]
radius = 0.3

[[release]]
count = 60
radius = [0.04, 0.05]
region = { from = [0, 0, 0.5], to = [0, 0, 0.9], radius = 0.28 }
every = 0.02
batch = 10

[[sink]]
name = "below"
min = [-1, -1, -9]
max = [1, 1, -0.3]

[output]
frames = 0.1
probes = 0.02
checkpoints = 0.01
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string state_of(const Folder& folder, const std::string& name) {
  const Outcome outcome = run({"state", folder.path(name)});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return outcome.out;
}

Outcome run_case(const Folder& folder, const std::string& out,
                 const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"run", folder.path("case.toml"), "--out", folder.path(out)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run(arguments);
}

TEST(RunCommand, FillsAndEmptiesAndLeavesFiles) {
  const Folder folder;
  folder.write("case.toml", box_case);
  const Outcome outcome = run_case(folder, "out");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(StartsWith("step 3000, t = 0.6 s: 60 released"),
                                 HasSubstr("below: "), HasSubstr("out/run.pvd for ParaView")));
  const std::string probes = folder.read("out/probes.csv");
  EXPECT_THAT(probes, StartsWith("step,time,particles,released,left,mass,"));
  EXPECT_EQ(std::ranges::count(probes, '\n'), 1 + 1 + 30);
  EXPECT_THAT(folder.read("out/run.pvd"), HasSubstr("particles-0000003000.vtp"));
  EXPECT_THAT(state_of(folder, "out"),
              AllOf(StartsWith("step 3000\ntime 0.6\n"), HasSubstr("\nhash ")));
}

TEST(RunCommand, GivesTheSameStateForAnyThreadsAndMethods) {
  const Folder folder;
  folder.write("case.toml", box_case);
  EXPECT_EQ(run_case(folder, "one", {"--threads", "1"}).status, 0);
  const std::string expected = state_of(folder, "one");
  EXPECT_EQ(run_case(folder, "three", {"--threads", "3", "--check", "50"}).status, 0);
  EXPECT_EQ(state_of(folder, "three"), expected);
  for (const std::string method : {"nbs", "mr", "fixed-cubes"}) {
    folder.write("case.toml", with(box_case, "title", "detector = \"" + method + "\"\ntitle"));
    EXPECT_EQ(run_case(folder, method).status, 0);
    EXPECT_EQ(state_of(folder, method), expected) << method;
  }
}

TEST(RunCommand, GoesOnAsIfItHadNeverBeenKilled) {
  const Folder folder;
  folder.write("case.toml", box_case);
  EXPECT_EQ(run_case(folder, "whole").status, 0);
  const std::string expected = state_of(folder, "whole");
  std::mt19937 random(5);
  Circumstances circumstances;
  const auto some_time = [&] { return std::chrono::microseconds(1000 + random() % 30000); };
  // Until there is a first checkpoint to go on from.
  int kills = 0;
  Outcome outcome =
      run({"run", folder.path("case.toml"), "--out", folder.path("out")},
          {.signal_when_started = SIGKILL, .started = folder.path("out") + "/run.pvd"});
  for (int tries = 0; tries < 400 && outcome.status != 0; ++tries) {
    EXPECT_THAT(state_of(folder, "out"), HasSubstr("hash "));
    outcome = run({"run", "--resume", folder.path("out"), "--threads", tries % 2 == 0 ? "2" : "1"},
                  {.killed_after = (1 + tries / 20) * some_time()});
    ASSERT_TRUE(outcome.status == 0 || outcome.status == 128 + SIGKILL) << outcome.err;
    kills += outcome.status != 0 ? 1 : 0;
  }
  EXPECT_EQ(outcome.status, 0) << kills;
  EXPECT_GT(kills, 3);
  EXPECT_EQ(state_of(folder, "out"), expected);
  // Files that grow are the same too.
  EXPECT_EQ(folder.read("out/profile.csv"), folder.read("whole/profile.csv"));
  EXPECT_EQ(std::ranges::count(folder.read("out/run.pvd"), '\n'),
            std::ranges::count(folder.read("whole/run.pvd"), '\n'));
}

TEST(RunCommand, EndsWithACheckpointWhenToldToStop) {
  const Folder folder;
  folder.write("case.toml", with(box_case, "end = 0.6", "end = 600"));
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string out = "out" + std::to_string(signal);
    const Outcome outcome =
        run({"run", folder.path("case.toml"), "--out", folder.path(out)},
            {.signal_when_started = signal, .started = folder.path(out) + "/checkpoint-"});
    EXPECT_EQ(outcome.status, 128 + signal);
    EXPECT_THAT(outcome.out,
                EndsWith("stopped; go on with  abut run --resume " + folder.path(out) + "\n"));
    EXPECT_THAT(state_of(folder, out), StartsWith("step "));
  }
}

TEST(RunCommand, RunsDiscsWithHertzsLawOnAWallOfSegments) {
  const Folder folder;
  folder.write("wall.csv", "x1,y1,x2,y2\n0,1,1,0\n1,0,2,0\n2,0,3,1\n");
  folder.write("case.toml", R"(dimension = 2
gravity = [0, -9.81]
law = "hertz"
[time]
end = 0.5
[[material]]
name = "disc"
density = 1000
young = 1e6
poisson = 0.3
[[contact]]
restitution = 0.3
friction = 0.5
[[wall]]
name = "trough"
mesh = "wall.csv"
[[release]]
count = 30
radius = 0.06
region = { min = [0.8, 0.8], max = [2.2, 2.4] }
[domain]
min = [-1, -1]
max = [4, 4]
)");
  const Outcome outcome = run_case(folder, "out");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("30 released, 0 left, 30 inside"));
  EXPECT_THAT(folder.read("out/probes.csv"), HasSubstr(",force_trough_x,force_trough_y\n"));
}

TEST(RunCommand, NamesAParticleThatIsLost) {
  const Folder folder;
  folder.write("case.toml", with(box_case, "[output]",
                                 "[domain]\nmin = [-1, -1, -0.2]\n"
                                 "max = [1, 1, 3]\n\n[output]"));
  const Outcome outcome = run_case(folder, "out");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("particle "), HasSubstr(" left the domain in step "),
                                 HasSubstr("outflow = \"allowed\" lets particles leave")));
  // What there was is still of use.
  EXPECT_THAT(state_of(folder, "out"), StartsWith("step "));
}

std::string case_refusal(const std::string& text) {
  const Folder folder;
  folder.write("case.toml", text);
  return complaint(folder, {"run", folder.path("case.toml"), "--out", folder.path("out")});
}

TEST(BadCase, NamesLineColumnAndTheNearestKey) {
  EXPECT_THAT(case_refusal(with(box_case, "friction", "frction")),
              HasSubstr("case.toml:15:1: unknown key \"frction\" in [[contact]]; did you mean "
                        "\"friction\"?"));
  EXPECT_THAT(case_refusal(with(box_case, "[[sink]]", "[[sinc]]")),
              HasSubstr("did you mean \"sink\"?"));
}

TEST(BadCase, NamesWhatIsMissingOrOfTheWrongType) {
  EXPECT_THAT(case_refusal(with(box_case, "density = 1000\n", "")),
              HasSubstr("[[material]]: needs \"density\""));
  EXPECT_THAT(case_refusal(with(box_case, "density = 1000", "density = \"much\"")),
              HasSubstr("case.toml:10:11: density must be a number"));
  EXPECT_THAT(case_refusal(with(box_case, "density = 1000", "density = -1")),
              HasSubstr("density = -1, must be above 0"));
  EXPECT_THAT(case_refusal(with(box_case, "density = 1000", "density = nan")),
              HasSubstr("density must be a finite number"));
  EXPECT_THAT(case_refusal(with(box_case, "[0, 0, -10]", "[0, 0]")),
              HasSubstr("gravity must be 3 numbers in [ ]"));
  EXPECT_THAT(case_refusal(with(box_case, "\"plane\"", "\"plain\"")),
              HasSubstr("shape = \"plain\", must be one of \"plane\", \"cylinder\""));
  EXPECT_THAT(case_refusal(with(box_case, "count = 60", "count = 6.5")),
              HasSubstr("count must be a whole number"));
}

TEST(BadCase, NamesNumbersThatMakeNoSense) {
  EXPECT_THAT(case_refusal(with(box_case, "restitution = 0.5", "restitution = 1.5")),
              HasSubstr("restitution = 1.5, must be from 0 to 1"));
  EXPECT_THAT(case_refusal(with(box_case, "stiffness = 1e4", "stiffness = -1")),
              HasSubstr("stiffness = -1, must be at least 0"));
  EXPECT_THAT(case_refusal(with(box_case, "step = 2e-4", "step = 0")),
              HasSubstr("step = 0, must be above 0"));
  EXPECT_THAT(case_refusal(with(box_case, "step = 2e-4", "step = 1")),
              HasSubstr("is not stable; at most "));
  EXPECT_THAT(case_refusal(with(box_case, "radius = [0.04, 0.05]", "radius = [0.05, 0.04]")),
              HasSubstr("the smaller one first"));
  EXPECT_THAT(case_refusal(with(box_case, "radius = 0.3", "radius = -3")), HasSubstr("case.toml:"));
  EXPECT_THAT(
      case_refusal(with(box_case, "[[wall]]\nname = \"floor\"",
                        "[[wall]]\nmesh = \"none.stl\"\nname = \"x\"\n[[wall]]\nname = \"floor\"")),
      HasSubstr("none.stl"));
  EXPECT_THAT(case_refusal("gravity = [0, 0\n"), HasSubstr("case.toml:"));
  EXPECT_THAT(case_refusal(""), HasSubstr("needs \"time\""));
}

TEST(BadCase, RefusesFoldersThatDoNotFit) {
  const Folder folder;
  folder.write("case.toml", box_case);
  EXPECT_THAT(complaint(folder, {"run", folder.path("case.toml")}),
              HasSubstr("--out DIR is needed"));
  EXPECT_THAT(complaint(folder, {"run", "--resume", folder.path("none")}), HasSubstr("none"));
  EXPECT_THAT(complaint(folder, {"state", folder.path("none")}), HasSubstr("none"));
  EXPECT_EQ(run_case(folder, "out").status, 0);
  EXPECT_THAT(complaint(folder, {"run", folder.path("case.toml"), "--out", folder.path("out")}),
              HasSubstr("holds a run already"));
}

}  // namespace
}  // namespace abut::testing
