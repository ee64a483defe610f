// A run that is killed again and again ends like one that never was.
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
  const ProgramResult outcome = run({"state", folder.path(name)});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\nhash "));
  return outcome.out;
}

std::uint64_t step_in(const Folder& folder, const std::string& name) {
  return std::stoull(state_in(folder, name).substr(std::string("step ").size()));
}

/// Random times, such that about every other run gets to its next checkpoint, however fast the
/// machine is.
class KillTimes {
 public:
  microseconds next() { return microseconds(1 + random_() % static_cast<unsigned>(max_duration_)); }
  void record_duration(bool got_on) {
    max_duration_ = std::max(1000.0, max_duration_ * (got_on ? 0.9 : 1.1));
  }

 private:
  std::mt19937 random_{5};
  double max_duration_ = 20000;
};

/// What became of a run that was killed.
struct KilledRun {
  int kills = 0;
  std::uint64_t step = 0;
};

KilledRun kill_repeatedly(const Folder& folder, const std::string& out, int kills) {
  KillTimes moments;
  KilledRun all{0, step_in(folder, out)};
  for (int k = 0; k < kills; ++k) {
    const ProgramResult outcome =
        run({"run", "--resume", folder.path(out), "--threads", k % 2 == 0 ? "2" : "1"},
            {.kill_after = moments.next()});
    EXPECT_EQ(outcome.status, 128 + SIGKILL) << "kill " << k << ": " << outcome.err;
    all.kills += outcome.status == 128 + SIGKILL ? 1 : 0;
    const std::uint64_t now = step_in(folder, out);
    EXPECT_GE(now, all.step);
    moments.record_duration(now > all.step);
    all.step = now;
  }
  return all;
}

/// Frames of particles and contacts, and tables.
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

TEST(RunCommand, GoesOnAsIfItHadNeverBeenKilled) {
  constexpr int kills = trial_count(200);
  const Folder folder;
  // Grains come, fall through the pipe and leave, without end before the last kill. It is set then,
  // at a time with a frame.
  const std::string stream = replaced(box_case, "count = 60", "count = 1000000");
  folder.write("case.toml", replaced(stream, "end = 0.6", "end = 600"));
  const ProgramResult first =
      run({"run", folder.path("case.toml"), "--out", folder.path("out")},
          {.signal_on_start = SIGKILL, .start_marker = folder.path("out") + "/run.pvd"});
  ASSERT_EQ(first.status, 128 + SIGKILL) << first.err;
  const KilledRun all = kill_repeatedly(folder, "out", kills - 1);
  EXPECT_EQ(1 + all.kills, kills);
  RecordProperty("steps", static_cast<int>(all.step));
  EXPECT_GT(all.step, 50U * kills / 10);  // a checkpoint every 50 steps: some got on
  constexpr std::uint64_t frame = 500;
  const std::uint64_t tenths = all.step / frame + 1;
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
  // A file of walls has the step it was written at in its name.
  EXPECT_EQ(std::ranges::count(folder.read("out/run.pvd"), '\n'),
            std::ranges::count(folder.read("whole/run.pvd"), '\n'));
}

}  // namespace
}  // namespace abut::testing
