// Messages of `abut view` to the page.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <nlohmann/json.hpp>
#include <string>

#include "expect_error.hpp"
#include "frames/dataset.hpp"
#include "io/vtk_writer.hpp"
#include "program.hpp"
#include "serve/binary_message.hpp"
#include "serve/view_server.hpp"

namespace abut {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A message decoded like in the page.
struct DecodedMessage {
  explicit DecodedMessage(std::string text) : bytes(std::move(text)) {
    EXPECT_EQ(bytes.substr(0, 4), "ABUT");
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + 4, sizeof length);
    header = json::parse(bytes.substr(8, length));
    data = 8 + length;
    EXPECT_EQ(data % 8, 0U);
  }

  template <class Number>
  [[nodiscard]] std::vector<Number> values(const std::string& name, const std::string& type) const {
    for (const json& array : header["arrays"]) {
      if (array["name"] != name) continue;
      EXPECT_EQ(array["type"], type) << name;
      const std::size_t begin = array["begin"];
      EXPECT_EQ(begin % 8, 0U);
      std::vector<Number> result(array["count"].get<std::size_t>() *
                                 array["components"].get<std::size_t>());
      EXPECT_LE(data + begin + result.size() * sizeof(Number), bytes.size());
      if (!result.empty())
        std::memcpy(result.data(), bytes.data() + data + begin, result.size() * sizeof(Number));
      return result;
    }
    ADD_FAILURE() << name << " is missing";
    return {};
  }

  std::string bytes;
  json header;
  std::size_t data = 0;
};

FrameData two_sphere_frame() {
  FrameData frame;
  frame.time = 0.25;
  frame.particles = {{{0, 1, 2}, {3, 4, 5}}, {0.5F, 0.25F}, {7, 9}, {{"speed", 1, {1.5F, 2.5F}}}};
  frame.contacts = {{{{{0, 1, 2}, {3, 4, 5}}}}, {7}, {9}, {{"force", 3, {1, 2, 2}}}};
  frame.walls = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, {}, {4}};
  return frame;
}

TEST(ViewFrames, ContainAllValues) {
  const DecodedMessage frame(encode_frame(two_sphere_frame()));
  EXPECT_EQ(frame.header["time"], 0.25);
  EXPECT_EQ(frame.header["dimension"], 3);
  EXPECT_EQ(frame.header["contact_count"], 1);
  EXPECT_THAT(frame.values<float>("particles.position", "float32"), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(frame.values<float>("particles.radius", "float32"), ElementsAre(0.5, 0.25));
  EXPECT_THAT(frame.values<std::int32_t>("particles.id", "int32"), ElementsAre(7, 9));
  EXPECT_THAT(frame.values<float>("field.speed", "float32"), ElementsAre(1.5, 2.5));
  EXPECT_THAT(frame.values<std::uint32_t>("walls.triangles", "uint32"), ElementsAre(0, 1, 2));
  EXPECT_THAT(frame.values<std::int32_t>("walls.wall_id", "int32"), ElementsAre(4));
  EXPECT_THAT(frame.values<float>("blocks.vertices", "float32"), IsEmpty());
  const DecodedMessage contacts(encode_contacts(two_sphere_frame()));
  EXPECT_THAT(contacts.values<float>("contacts.ends", "float32"), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(contacts.values<std::int32_t>("contacts.b", "int32"), ElementsAre(9));
  EXPECT_THAT(contacts.values<float>("field.force", "float32"), ElementsAre(1, 2, 2));
}

TEST(ViewFrames, PreserveLargeIds) {
  FrameData frame = two_sphere_frame();
  frame.particles.id = {7, std::int64_t{1} << 40};
  EXPECT_THAT(DecodedMessage(encode_frame(frame)).values<double>("particles.id", "float64"),
              ElementsAre(7, 1099511627776.0));
}

constexpr const char* falling_sphere_case = R"(
title = "Falling sphere"
gravity = [0, 0, -9.81]
[time]
end = 0.02
step = 1e-4
[[material]]
name = "grain"
density = 1000
[[contact]]
materials = ["grain", "grain"]
stiffness = 1e5
[[insertion]]
name = "sphere"
material = "grain"
count = 1
radius = 0.5
region = { min = [-2, -2, 0], max = [2, 2, 2] }
[domain]
min = [-10, -10, -10]
max = [10, 10, 10]
[output]
frame_interval = 0.01
probe_interval = 0.01
)";

void write_falling_sphere_run(const Folder& folder) {
  const auto result = testing::run(
      {"run", folder.write("sphere.toml", falling_sphere_case), "--out", folder.path("out")});
  ASSERT_EQ(result.status, 0) << result.err;
}

TEST(ViewSession, DetectsARunInAnEmptyFolder) {
  const Folder folder;
  std::filesystem::create_directory(folder.path("out"));
  ViewSession session(folder.path("out"));
  const json before = json::parse(session.summary(0));
  EXPECT_TRUE(before["waiting"]);
  EXPECT_NE(before["error"], "");
  EXPECT_NE(testing::error_message([&] { (void)session.frame(0); }), "");
  write_falling_sphere_run(folder);
  const json after = json::parse(session.summary(0));
  EXPECT_EQ(after["title"], "Falling sphere");
  EXPECT_EQ(after["units"], "SI");
  EXPECT_EQ(after["times"], json({0.0, 0.01, 0.02}));
  EXPECT_TRUE(after["probes"]);
  EXPECT_THAT(session.probes(), HasSubstr("time"));
  EXPECT_EQ(DecodedMessage(session.frame(2)).header["time"], 0.02);
}

TEST(ViewSession, ReturnsOnlyNewTimes) {
  const Folder folder;
  write_falling_sphere_run(folder);
  ViewSession session(folder.path("out"));
  EXPECT_EQ(json::parse(session.summary(2))["times"], json({0.02}));
  EXPECT_EQ(json::parse(session.summary(3))["times"], json::array());
  EXPECT_EQ(json::parse(session.summary(99))["from"], 3);
}

// A run that is repeated while it is viewed replaces its frames.
TEST(ViewSession, ReadsFrameAgainIfItsTimeHasChanged) {
  const Folder folder;
  const auto write_run = [&](double time) {
    const std::vector<std::array<double, 3>> position{{time, 0, 0}};
    const std::vector<double> radius{1};
    const std::vector<std::int32_t> id{0};
    write_vtk(folder.path("particles.vtp"), {.time = time,
                                             .points = position,
                                             .has_vertices = true,
                                             .point_fields = {{"radius", radius}, {"id", id}}});
    VtkSeries series(folder.path("run.pvd"));
    series.add({time, "particles", "particles.vtp"});
    series.write();
  };
  write_run(1);
  ViewSession session(folder.path("."));
  EXPECT_EQ(DecodedMessage(session.frame(0)).header["time"], 1);
  write_run(2);
  EXPECT_EQ(json::parse(session.summary(0))["times"], json({2.0}));
  const DecodedMessage frame(session.frame(0));
  EXPECT_EQ(frame.header["time"], 2);
  EXPECT_EQ(frame.values<float>("particles.position", "float32")[0], 2);
}

TEST(ViewSession, ReadsOtherFramesIfOneIsDamaged) {
  const Folder folder;
  write_falling_sphere_run(folder);
  for (const std::string& name : folder.files())
    ASSERT_THAT(name, ::testing::AnyOf("out", "sphere.toml"));
  std::string second;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("out")))
    if (entry.path().filename() == "particles-0000000100.vtp") second = entry.path();
  ASSERT_NE(second, "");
  std::filesystem::resize_file(second, std::filesystem::file_size(second) / 2);
  ViewSession session(folder.path("out"));
  EXPECT_EQ(json::parse(session.summary(0))["frames"], 3);
  EXPECT_THAT(testing::error_message([&] { (void)session.frame(1); }),
              HasSubstr("particles-0000000100.vtp"));
  EXPECT_EQ(DecodedMessage(session.frame(0)).values<float>("particles.radius", "float32").size(),
            1U);
  EXPECT_EQ(DecodedMessage(session.frame(2)).values<float>("particles.radius", "float32").size(),
            1U);
}

// Opening a pipe for reading blocks until another process opens it for writing.
TEST(ViewSession, ReadsRegularFilesOnly) {
  const Folder folder;
  write_falling_sphere_run(folder);
  const auto replace_by_pipe = [&](const std::string& name) {
    std::filesystem::remove(folder.path(name));
    EXPECT_EQ(mkfifo(folder.path(name).c_str(), 0600), 0);
    return folder.path(name);
  };
  const auto result_of = [](const std::string& pipe, const std::function<std::string()>& read) {
    std::future<std::string> result = std::async(std::launch::async, read);
    const bool is_done = result.wait_for(std::chrono::seconds(3)) == std::future_status::ready;
    EXPECT_TRUE(is_done) << pipe;
    while (result.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready)
      close(open(pipe.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
    return result.get();
  };
  ViewSession session(folder.path("out"));
  const std::string frame = replace_by_pipe("out/particles-0000000100.vtp");
  EXPECT_EQ(
      result_of(frame, [&] { return testing::error_message([&] { (void)session.frame(1); }); }),
      "cannot read " + frame + ": not a regular file");
  const auto title = [&] {
    return json::parse(ViewSession(folder.path("out")).summary(0))["title"].get<std::string>();
  };
  EXPECT_EQ(result_of(replace_by_pipe("out/case.toml"), title), "out");
  const std::string list = replace_by_pipe("out/run.pvd");
  EXPECT_EQ(
      result_of(list, [&] { return json::parse(session.summary(0))["error"].get<std::string>(); }),
      "cannot read " + list + ": not a regular file");
}

TEST(ViewSession, ReportsUnits) {
  const Folder folder;
  const auto units = [](const std::string& path) {
    return json::parse(ViewSession(path).summary(0))["units"].get<std::string>();
  };
  write_falling_sphere_run(folder);
  EXPECT_EQ(units(folder.path("out")), "SI");
  folder.write("out/case.toml", "units = \"none\"\n" + folder.read("out/case.toml"));
  EXPECT_EQ(units(folder.path("out")), "none");
  EXPECT_EQ(units(folder.write("p.csv", "x,y,z,r\n0,0,0,1\n")), "none");
}

TEST(ViewSession, ReportsInvalidFiles) {
  const Folder folder;
  ViewSession session(folder.write("invalid.vtp", "not VTK"));
  const json summary = json::parse(session.summary(0));
  EXPECT_FALSE(summary["waiting"]);
  EXPECT_THAT(summary["error"].get<std::string>(), HasSubstr("invalid.vtp"));
}

TEST(ViewSession, AcceptsFileNamesThatAreNotUtf8) {
  const Folder folder;
  ViewSession session(folder.write("\xff\xfe.csv", "x,y,z,r\n0,0,0,1\n"));
  EXPECT_EQ(json::parse(session.summary(0))["frames"], 1);
}

}  // namespace
}  // namespace abut
