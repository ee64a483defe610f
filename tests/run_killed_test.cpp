// A run that is killed and resumed many times must end with the same results as an undisturbed one.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "box_case.hpp"
#include "program.hpp"
#include "sanitized.hpp"

namespace abut::testing {
namespace {

using std::chrono::microseconds;
using ::testing::HasSubstr;

std::string state_in(const Folder& folder, const std::string& name) {
  const ProgramResult result = run({"state", folder.path(name)});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\nhash "));
  return result.out;
}

std::uint64_t step_in(const Folder& folder, const std::string& name) {
  return std::stoull(state_in(folder, name).substr(std::string("step ").size()));
}

/// Random delays, adapted to the machine so that about every other run reaches its next checkpoint.
class KillTimes {
 public:
  microseconds next() { return microseconds(1 + random_() % static_cast<unsigned>(max_duration_)); }
  void adapt(bool reached_checkpoint) {
    max_duration_ = std::max(1000.0, max_duration_ * (reached_checkpoint ? 0.7 : 1.4));
  }

 private:
  std::mt19937 random_{5};
  double max_duration_ = 20000;
};

/// Number of kills, and the step of the last checkpoint.
struct KilledRun {
  int kills = 0;
  std::uint64_t step = 0;
};

KilledRun kill_repeatedly(const Folder& folder, const std::string& out, int kills) {
  KillTimes kill_times;
  KilledRun killed{0, step_in(folder, out)};
  for (int k = 0; k < kills; ++k) {
    const ProgramResult result =
        run({"run", "--resume", folder.path(out), "--threads", k % 2 == 0 ? "2" : "1"},
            {.kill_after = kill_times.next()});
    EXPECT_EQ(result.status, 128 + SIGKILL) << "kill " << k << ": " << result.err;
    killed.kills += result.status == 128 + SIGKILL ? 1 : 0;
    const std::uint64_t step = step_in(folder, out);
    EXPECT_GE(step, killed.step);
    kill_times.adapt(step > killed.step);
    killed.step = step;
  }
  return killed;
}

/// Names of the tables and of the frames of particles and contacts.
std::vector<std::string> results_in(const std::string& folder) {
  std::vector<std::string> names{"probes.csv", "profile.csv"};
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if ((name.starts_with("particles-") || name.starts_with("contacts-")) && name.ends_with(".vtp"))
      names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

TEST(RunCommand, IsBitwiseIdenticalAfterKillsAndResumes) {
  constexpr int kills = trial_count(200);
  const Folder folder;
  // Particles are inserted, fall through the pipe and leave. The end of the run is set after the
  // last kill, to a time at which a frame is written.
  const std::string stream = replaced(box_case, "count = 60", "count = 1000000");
  folder.write("case.toml", replaced(stream, "end = 0.6", "end = 600"));
  const ProgramResult first =
      run({"run", folder.path("case.toml"), "--out", folder.path("out")},
          {.signal_on_start = SIGKILL, .start_marker = folder.path("out") + "/run.pvd"});
  ASSERT_EQ(first.status, 128 + SIGKILL) << first.err;
  const KilledRun killed = kill_repeatedly(folder, "out", kills - 1);
  EXPECT_EQ(1 + killed.kills, kills);
  RecordProperty("steps", static_cast<int>(killed.step));
  EXPECT_GT(killed.step, 50U * kills / 10);  // checkpoints are 50 steps apart; some were reached
  constexpr std::uint64_t frame = 500;
  const std::uint64_t tenths = killed.step / frame + 1;
  const std::string ended =
      replaced(stream, "end = 0.6",
               "end = " + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10));
  folder.write("out/case.toml", ended);
  folder.write("case.toml", ended);
  const ProgramResult last = run({"run", "--resume", folder.path("out")});
  EXPECT_EQ(last.status, 0) << last.err;
  EXPECT_EQ(run({"run", folder.path("case.toml"), "--out", folder.path("whole")}).status, 0);
  EXPECT_EQ(step_in(folder, "whole"), tenths * frame);
  EXPECT_EQ(state_in(folder, "out"), state_in(folder, "whole"));
  const std::vector<std::string> results = results_in(folder.path("whole"));
  EXPECT_EQ(results_in(folder.path("out")), results);
  for (const std::string& name : results)
    EXPECT_EQ(folder.read("out/" + name), folder.read("whole/" + name)) << name;
  // Wall files are named after the step at which they were written, so compare only their number.
  EXPECT_EQ(std::ranges::count(folder.read("out/run.pvd"), '\n'),
            std::ranges::count(folder.read("whole/run.pvd"), '\n'));
}

}  // namespace
}  // namespace abut::testing
