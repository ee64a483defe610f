#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "expect_error.hpp"
#include "full_disk.hpp"
#include "io/checkpoint_file.hpp"
#include "program.hpp"
#include "sanitized.hpp"

namespace abut {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::error_message;
using testing::Folder;
using testing::FullDisk;
using ::testing::HasSubstr;

// A state whose values are the step.
void write_step(const std::string& folder, std::uint64_t step, std::size_t size = 100) {
  const std::vector<double> x(size, static_cast<double>(step));
  CheckpointSections sections;
  sections.add("x", x);
  write_checkpoint(folder, step, sections);
}

void damage(const Folder& folder, const std::string& name) {
  std::string bytes = folder.read(name);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  folder.write(name, bytes);
}

TEST(CheckpointFolder, KeepsTwoNewest) {
  const Folder folder;
  const std::string path = folder.path("");
  folder.write("checkpoint-7.abut", "not a name of a checkpoint");
  folder.write("case.toml", "");
  for (const std::uint64_t step : {9U, 10U, 100U, 12345U}) write_step(path, step);
  EXPECT_THAT(folder.files(), ElementsAre("case.toml", "checkpoint-000000000100.abut",
                                          "checkpoint-000000012345.abut", "checkpoint-7.abut"));
  const NewestCheckpoint newest = read_newest_checkpoint(path);
  EXPECT_EQ(newest.checkpoint.step(), 12345U);
  EXPECT_THAT(newest.checkpoint.get<double>("x", 100), Each(12345));
  EXPECT_EQ(newest.warning, "");
}

TEST(CheckpointFolder, ComparesStepsAsNumbers) {
  const Folder folder;
  write_step(folder.path(""), 999999999999);
  write_step(folder.path(""), 1000000000000);
  EXPECT_EQ(read_newest_checkpoint(folder.path("")).checkpoint.step(), 1000000000000U);
  EXPECT_THAT(folder.files(), ElementsAre("checkpoint-1000000000000.abut",  //
                                          "checkpoint-999999999999.abut"));
}

TEST(CheckpointFolder, SkipsDamagedCheckpointWithWarning) {
  const Folder folder;
  const std::string path = folder.path("");
  write_step(path, 1);
  write_step(path, 2);
  damage(folder, "checkpoint-000000000002.abut");
  const NewestCheckpoint newest = read_newest_checkpoint(path);
  EXPECT_EQ(newest.checkpoint.step(), 1U);
  EXPECT_EQ(newest.warning, folder.path("checkpoint-000000000002.abut") +
                                ": section 'x': damaged: wrong checksum; continuing from step 1");
  // A damaged checkpoint does not count as one of the two that are kept.
  write_step(path, 3);
  EXPECT_THAT(folder.files(),
              ElementsAre("checkpoint-000000000001.abut", "checkpoint-000000000003.abut"));
}

TEST(CheckpointFolder, RemovesLaterStepsAfterResume) {
  const Folder folder;
  const std::string path = folder.path("");
  write_step(path, 1);
  write_step(path, 3);
  write_step(path, 2);
  EXPECT_THAT(folder.files(),
              ElementsAre("checkpoint-000000000001.abut", "checkpoint-000000000002.abut"));
}

TEST(CheckpointFolder, RejectsRenamedCheckpoint) {
  const Folder folder;
  write_step(folder.path(""), 1);
  folder.write("checkpoint-000000000005.abut", folder.read("checkpoint-000000000001.abut"));
  const NewestCheckpoint newest = read_newest_checkpoint(folder.path(""));
  EXPECT_EQ(newest.checkpoint.step(), 1U);
  EXPECT_THAT(newest.warning,
              HasSubstr("0005.abut: contains step 1, which does not match its name"));
}

TEST(CheckpointFolder, RemovesStaleTemporaryFiles) {
  const Folder folder;
  write_step(folder.path(""), 1);
  folder.write("checkpoint-000000000002.abut.unfinished-77", "begun");
  folder.write("checkpoint-000000000002.abut.unfinished-mine", "of another program");
  folder.write("notes.unfinished-77", "of another program");
  EXPECT_EQ(read_newest_checkpoint(folder.path("")).checkpoint.step(), 1U);
  write_step(folder.path(""), 3);
  EXPECT_THAT(folder.files(), ElementsAre("checkpoint-000000000001.abut",
                                          "checkpoint-000000000002.abut.unfinished-mine",
                                          "checkpoint-000000000003.abut", "notes.unfinished-77"));
}

TEST(CheckpointFolder, FailsWithoutUsableCheckpoint) {
  const Folder folder;
  const std::string path = folder.path("");
  const auto error = [&] { return error_message([&] { (void)read_newest_checkpoint(path); }); };
  EXPECT_EQ(error(), "no usable checkpoint in " + path +
                         ": there is no checkpoint-….abut; run the case from its beginning");
  folder.write("checkpoint-000000000001.abut", "");
  folder.write("checkpoint-000000000002.abut", "two");
  EXPECT_EQ(error(), "no usable checkpoint in " + path + ": " +
                         folder.path("checkpoint-000000000002.abut") +
                         ": damaged: 3 bytes are too few for a checkpoint; run the case from "
                         "its beginning");
}

// Drops the privileges of root for its lifetime.
class NotRoot {
 public:
  NotRoot() {
    if (geteuid() == 0) changed_ = seteuid(65534) == 0;
  }
  ~NotRoot() {
    if (changed_ && seteuid(0) != 0) std::abort();
  }
  NotRoot(const NotRoot&) = delete;
  NotRoot& operator=(const NotRoot&) = delete;

 private:
  bool changed_ = false;
};

TEST(CheckpointFolder, ReportsInvalidFolder) {
  const Folder folder;
  const std::string file = folder.write("file", "");
  const std::string missing = folder.path("missing");
  EXPECT_EQ(error_message([&] { write_step(missing, 1); }),
            "cannot read the folder " + missing + ": No such file or directory");
  EXPECT_EQ(error_message([&] { (void)read_newest_checkpoint(missing); }),
            "cannot read the folder " + missing + ": No such file or directory");
  EXPECT_EQ(error_message([&] { write_step(file, 1); }),
            "cannot read the folder " + file + ": Not a directory");
  EXPECT_EQ(error_message([&] { (void)read_newest_checkpoint(file); }),
            "cannot read the folder " + file + ": Not a directory");
  EXPECT_THAT(folder.files(), ElementsAre("file"));
}

TEST(CheckpointFolder, LeavesReadOnlyFolderUnchanged) {
  const Folder folder;
  write_step(folder.path(""), 1);
  ASSERT_EQ(chmod(folder.path("").c_str(), 0555), 0);
  {
    const NotRoot unprivileged;
    EXPECT_EQ(read_newest_checkpoint(folder.path("")).checkpoint.step(), 1U);
    EXPECT_EQ(
        error_message([&] { write_step(folder.path(""), 2); }),
        "cannot write " + folder.path("checkpoint-000000000002.abut") + ": Permission denied");
  }
  EXPECT_THAT(folder.files(), ElementsAre("checkpoint-000000000001.abut"));
  ASSERT_EQ(chmod(folder.path("").c_str(), 0755), 0);
}

TEST(CheckpointFolder, KeepsPreviousCheckpointOnFullDisk) {
  const Folder folder;
  const std::string path = folder.path("");
  write_step(path, 1);
  write_step(path, 2);
  EXPECT_EQ(error_message([&] {
              const FullDisk full(100000);
              write_step(path, 3, 100000);
            }),
            "cannot write " + folder.path("checkpoint-000000000003.abut") + ": File too large");
  EXPECT_THAT(folder.files(),
              ElementsAre("checkpoint-000000000001.abut", "checkpoint-000000000002.abut"));
  EXPECT_EQ(read_newest_checkpoint(path).checkpoint.step(), 2U);
}

[[noreturn]] void write_forever(const std::string& folder, std::uint64_t step) {
  try {
    for (;;) write_step(folder, ++step, 20000);
  } catch (...) {
    _exit(1);
  }
}

// Kills a writing process after some time; returns the signal that ended it.
int kill_writer(const std::string& folder, std::uint64_t step, std::chrono::microseconds after) {
  const pid_t child = fork();
  if (child == 0) write_forever(folder, step);
  std::this_thread::sleep_for(after);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : -1;
}

TEST(CheckpointFolder, KilledWriterLeavesIntactCheckpoint) {
  constexpr int repetitions = testing::trial_count(200);
  const Folder folder;
  const std::string path = folder.path("");
  write_step(path, 1);
  std::mt19937 random(20261116);
  std::uniform_int_distribution<int> moment(0, 12000);
  std::uint64_t last = 1;
  int kills = 0;
  int interrupted = 0;
  for (int k = 0; k < repetitions; ++k) {
    ASSERT_EQ(kill_writer(path, last, std::chrono::microseconds(moment(random))), SIGKILL);
    ++kills;
    const std::vector<std::string> files = folder.files();
    interrupted += static_cast<int>(std::ranges::any_of(files, [](const std::string& name) {
      return name.find(".unfinished-") != std::string::npos;
    }));
    const NewestCheckpoint newest = read_newest_checkpoint(path);
    EXPECT_EQ(newest.warning, "");
    ASSERT_GE(newest.checkpoint.step(), last);
    last = newest.checkpoint.step();
    ASSERT_THAT(newest.checkpoint.get<double>("x"), Each(last));
  }
  EXPECT_EQ(kills, repetitions);
  EXPECT_GT(last, 1U);
  EXPECT_GT(interrupted, 0);  // some were killed while writing
  RecordProperty("interrupted", interrupted);
  write_step(path, last + 1);
  EXPECT_EQ(folder.files().size(), 2U);
}

}  // namespace
}  // namespace abut
