#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "error_line.hpp"
#include "program.hpp"
#include "render_fixtures.hpp"

namespace abut {
namespace {

using testing::error_line;
using testing::filled_cube;
using testing::Folder;
using ::testing::HasSubstr;
using testing::ProgramResult;
using testing::write_moving_sphere_run;

TEST(RenderProgram, WritesTheSameFileAgain) {
  const Folder folder;
  const std::string cube = filled_cube(folder);
  for (const char* threads : {"1", "2"}) {
    const ProgramResult outcome =
        testing::run({"render", cube, "--size", "200x160", "--clip", "y=2.5", "--threads", threads,
                      "--out", folder.path(std::string(threads) + ".png")});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("200x160 pixels, one frame"));
  }
  EXPECT_EQ(folder.read("1.png"), folder.read("2.png"));
  EXPECT_THAT(folder.read("1.png"), ::testing::StartsWith("\x89PNG\r\n"));
}

TEST(RenderProgram, TimesAreChosen) {
  const Folder folder;
  write_moving_sphere_run(folder);
  const auto picture = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"render", folder.path("run"),  "--size", "220x160",
                                   "--out",  folder.path("a.png")};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult outcome = testing::run(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return folder.read("a.png");
  };
  const std::string last = picture({});
  EXPECT_EQ(picture({"--time", "1.5"}), last);
  EXPECT_NE(picture({"--time", "0"}), last);
  EXPECT_EQ(picture({"--time", "0.6"}), picture({"--time", "0.5"}));
  EXPECT_EQ(picture({"--all"}), picture({"--montage"}));
}

TEST(RenderProgram, MistakesAreNamed) {
  const Folder folder;
  write_moving_sphere_run(folder);
  const std::string discs = folder.write("d/discs.csv", "x,y,r\n0,0,1\n");
  const auto said = [&](const std::string& path, std::vector<std::string> more) {
    more.insert(more.begin(), {"render", path});
    if (std::ranges::find(more, "--out") == more.end()) {
      more.emplace_back("--out");
      more.push_back(folder.path("a.png"));
    }
    return error_line(folder, more);
  };
  const std::string run = folder.path("run");
  EXPECT_THAT(said(folder.path("nowhere"), {}), HasSubstr("there is no such file or folder"));
  EXPECT_THAT(said(run, {"--time", "9"}), HasSubstr("--time = 9: " + run + " goes from 0 to 1.5"));
  EXPECT_THAT(said(run, {"--time", "1", "--all"}), HasSubstr("give one of them"));
  EXPECT_THAT(said(run, {"--color", "smell"}),
              HasSubstr("--color smell: there is no such field here; there are radius, id, speed"));
  EXPECT_THAT(said(run, {"--color", "coordination"}),
              HasSubstr("--color coordination: there is no"));
  EXPECT_THAT(said(run, {"--color", "force"}),
              HasSubstr("--color force: the frames hold no contacts"));
  EXPECT_THAT(said(run, {"--force-chains"}),
              HasSubstr("--force-chains: there are no contacts here"));
  for (const char* size : {"10x10", "1600", "1600x", "x5", "99999x100", "-5x100", "1e3x1e3"})
    EXPECT_THAT(said(run, {"--size=" + std::string(size)}), HasSubstr("is WIDTHxHEIGHT in pixels"));
  for (const char* cut : {"w", "y=", "y=1x", "yy"})
    EXPECT_THAT(said(run, {"--clip", cut}), HasSubstr("is x, y or z"));
  EXPECT_THAT(said(discs, {"--clip", "y"}), HasSubstr("--clip: this is in the plane"));
  EXPECT_THAT(said(run, {"--out", folder.path("a.jpg")}), HasSubstr("is a picture (.png)"));
  EXPECT_THAT(said(run, {"--out", folder.path("a.mp4")}), HasSubstr("add --all"));
  EXPECT_THAT(said(discs, {"--out", discs}), HasSubstr("is a picture (.png)"));
}

TEST(RenderProgram, AnimationsArePackedByFfmpeg) {
  const Folder folder;
  write_moving_sphere_run(folder);
  const std::vector<std::string> words{"render", folder.path("run"),  "--size", "64x64", "--all",
                                       "--out",  folder.path("a.mp4")};
  const ProgramResult without = testing::run(words, {.path = "/nowhere"});
  EXPECT_EQ(without.status, 2);
  EXPECT_THAT(without.err, HasSubstr("ffmpeg, which is not installed; on Debian: apt-get install"));

  const std::string program = folder.write("bin/ffmpeg",
                                           "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\n"
                                           "/bin/grep -c -a IHDR\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const ProgramResult packed = testing::run(words, {.path = folder.path("bin")});
  EXPECT_EQ(packed.status, 0) << packed.err;
  EXPECT_NE(folder.read("a.mp4"), "0\n");  // it was given pictures

  folder.write("bin/ffmpeg",
               "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\n"
               "/bin/cat > /dev/null\necho 'no such codec' >&2\nexit 1\n");
  const ProgramResult failed = testing::run(words, {.path = folder.path("bin")});
  EXPECT_EQ(failed.status, 2);
  EXPECT_THAT(failed.err, HasSubstr("ffmpeg cannot pack it: no such codec"));
}

}  // namespace
}  // namespace abut
