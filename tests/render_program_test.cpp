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

TEST(RenderProgram, WritesIdenticalFilesForAnyThreadCount) {
  const Folder folder;
  const std::string cube = filled_cube(folder);
  for (const char* threads : {"1", "2"}) {
    const ProgramResult result =
        testing::run({"render", cube, "--size", "200x160", "--clip", "y=2.5", "--threads", threads,
                      "--out", folder.path(std::string(threads) + ".png")});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("200x160 pixels, one frame"));
  }
  EXPECT_EQ(folder.read("1.png"), folder.read("2.png"));
  EXPECT_THAT(folder.read("1.png"), ::testing::StartsWith("\x89PNG\r\n"));
}

TEST(RenderProgram, RendersTheFrameNearestToATime) {
  const Folder folder;
  write_moving_sphere_run(folder);
  const auto rendered = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"render", folder.path("run"),  "--size", "220x160",
                                       "--out",  folder.path("a.png")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramResult result = testing::run(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    return folder.read("a.png");
  };
  const std::string last = rendered({});
  EXPECT_EQ(rendered({"--time", "1.5"}), last);
  EXPECT_NE(rendered({"--time", "0"}), last);
  EXPECT_EQ(rendered({"--time", "0.6"}), rendered({"--time", "0.5"}));
  EXPECT_EQ(rendered({"--all"}), rendered({"--montage"}));
}

TEST(RenderProgram, ReportsInvalidOptions) {
  const Folder folder;
  write_moving_sphere_run(folder);
  const std::string disks = folder.write("d/disks.csv", "x,y,r\n0,0,1\n");
  const auto error = [&](const std::string& path, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"render", path});
    if (std::ranges::find(arguments, "--out") == arguments.end()) {
      arguments.emplace_back("--out");
      arguments.push_back(folder.path("a.png"));
    }
    return error_line(folder, arguments);
  };
  const std::string run = folder.path("run");
  EXPECT_THAT(error(folder.path("nowhere"), {}), HasSubstr("no such file or folder"));
  EXPECT_THAT(error(run, {"--time", "9"}),
              HasSubstr("--time = 9: must be within the frames of " + run + ", 0 to 1.5"));
  EXPECT_THAT(error(run, {"--time", "1", "--all"}), HasSubstr("give one of them"));
  EXPECT_THAT(error(run, {"--color", "smell"}),
              HasSubstr("--color = smell: no such field; available: radius, id, speed"));
  EXPECT_THAT(error(run, {"--color", "coordination_number"}),
              HasSubstr("--color = coordination_number: no such field"));
  EXPECT_THAT(error(run, {"--color", "force"}),
              HasSubstr("--color = force: the frames have no contact forces"));
  EXPECT_THAT(error(run, {"--force-chains"}), HasSubstr("--force-chains: there are no contacts"));
  for (const char* size : {"10x10", "1600", "1600x", "x5", "99999x100", "-5x100", "1e3x1e3"})
    EXPECT_THAT(error(run, {"--size=" + std::string(size)}), HasSubstr("WIDTHxHEIGHT in pixels"));
  for (const char* clip : {"w", "y=", "y=1x", "yy"})
    EXPECT_THAT(error(run, {"--clip", clip}), HasSubstr("x, y or z"));
  EXPECT_THAT(error(disks, {"--clip", "y"}), HasSubstr("--clip: requires a 3D dataset"));
  EXPECT_THAT(error(run, {"--out", folder.path("a.jpg")}), HasSubstr("image (.png)"));
  EXPECT_THAT(error(run, {"--out", folder.path("a.mp4")}), HasSubstr("add --all"));
  EXPECT_THAT(error(disks, {"--out", disks}), HasSubstr("image (.png)"));
}

TEST(RenderProgram, EncodesAnimationsWithFfmpeg) {
  const Folder folder;
  write_moving_sphere_run(folder);
  const std::vector<std::string> arguments{
      "render", folder.path("run"), "--size", "64x64", "--all", "--out", folder.path("a.mp4")};
  const ProgramResult missing = testing::run(arguments, {.path = "/nowhere"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, ::testing::AllOf(HasSubstr("ffmpeg"), HasSubstr("not installed")));

  const std::string program = folder.write("bin/ffmpeg",
                                           "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\n"
                                           "/bin/grep -c -a IHDR\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const ProgramResult encoded = testing::run(arguments, {.path = folder.path("bin")});
  EXPECT_EQ(encoded.status, 0) << encoded.err;
  EXPECT_EQ(folder.read("a.mp4"), "4\n");  // one image per frame of the run

  folder.write("bin/ffmpeg",
               "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\n"
               "/bin/cat > /dev/null\necho 'no such codec' >&2\nexit 1\n");
  const ProgramResult failed = testing::run(arguments, {.path = folder.path("bin")});
  EXPECT_EQ(failed.status, 2);
  EXPECT_THAT(failed.err, ::testing::AllOf(HasSubstr("ffmpeg"), HasSubstr("no such codec")));
}

}  // namespace
}  // namespace abut
