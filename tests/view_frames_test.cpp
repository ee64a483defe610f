// What the page is told: frames as the files have them.
#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "expect_error.hpp"
#include "frames/dataset.hpp"
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

/// A message read back by the rules its header tells, as the page does.
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
      std::vector<Number> all(array["count"].get<std::size_t>() *
                              array["components"].get<std::size_t>());
      EXPECT_LE(data + begin + all.size() * sizeof(Number), bytes.size());
      if (!all.empty())
        std::memcpy(all.data(), bytes.data() + data + begin, all.size() * sizeof(Number));
      return all;
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

TEST(ViewFrames, CarryEveryNumber) {
  const DecodedMessage frame(encode_frame(two_sphere_frame()));
  EXPECT_EQ(frame.header["time"], 0.25);
  EXPECT_EQ(frame.header["dimension"], 3);
  EXPECT_EQ(frame.header["contacts"], 1);
  EXPECT_THAT(frame.values<float>("particles.place", "float32"), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(frame.values<float>("particles.radius", "float32"), ElementsAre(0.5, 0.25));
  EXPECT_THAT(frame.values<std::int32_t>("particles.id", "int32"), ElementsAre(7, 9));
  EXPECT_THAT(frame.values<float>("field.speed", "float32"), ElementsAre(1.5, 2.5));
  EXPECT_THAT(frame.values<std::uint32_t>("walls.triangles", "uint32"), ElementsAre(0, 1, 2));
  EXPECT_THAT(frame.values<std::int32_t>("walls.body", "int32"), ElementsAre(4));
  EXPECT_THAT(frame.values<float>("blocks.corners", "float32"), IsEmpty());
  const DecodedMessage contacts(encode_contacts(two_sphere_frame()));
  EXPECT_THAT(contacts.values<float>("contacts.ends", "float32"), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(contacts.values<std::int32_t>("contacts.b", "int32"), ElementsAre(9));
  EXPECT_THAT(contacts.values<float>("field.force", "float32"), ElementsAre(1, 2, 2));
}

TEST(ViewFrames, LargeIdsStayWhatTheyAre) {
  FrameData frame = two_sphere_frame();
  frame.particles.id = {7, std::int64_t{1} << 40};
  EXPECT_THAT(DecodedMessage(encode_frame(frame)).values<double>("particles.id", "float64"),
              ElementsAre(7, 1099511627776.0));
}

constexpr const char* falling_sphere_case = R"(
title = "A ball falls"
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
name = "ball"
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
  const auto outcome = testing::run(
      {"run", folder.write("ball.toml", falling_sphere_case), "--out", folder.path("out")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
}

TEST(ViewFrames, ARunShowsUpInAnEmptyFolder) {
  const Folder folder;
  std::filesystem::create_directory(folder.path("out"));
  ViewSession room(folder.path("out"));
  const json before = json::parse(room.summary(0));
  EXPECT_TRUE(before["waiting"]);
  EXPECT_NE(before["problem"], "");
  EXPECT_NE(testing::error_message([&] { (void)room.frame(0); }), "");
  write_falling_sphere_run(folder);
  const json after = json::parse(room.summary(0));
  EXPECT_EQ(after["title"], "A ball falls");
  EXPECT_EQ(after["times"], json({0.0, 0.01, 0.02}));
  EXPECT_TRUE(after["probes"]);
  EXPECT_THAT(room.probes(), HasSubstr("time"));
  EXPECT_EQ(DecodedMessage(room.frame(2)).header["time"], 0.02);
}

TEST(ViewFrames, TimesThatAreKnownAreNotToldAgain) {
  const Folder folder;
  write_falling_sphere_run(folder);
  ViewSession room(folder.path("out"));
  EXPECT_EQ(json::parse(room.summary(2))["times"], json({0.02}));
  EXPECT_EQ(json::parse(room.summary(3))["times"], json::array());
  EXPECT_EQ(json::parse(room.summary(99))["from"], 3);
}

TEST(ViewFrames, ADamagedFrameLeavesTheOthers) {
  const Folder folder;
  write_falling_sphere_run(folder);
  for (const std::string& name : folder.files())
    ASSERT_THAT(name, ::testing::AnyOf("out", "ball.toml"));
  std::string second;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("out")))
    if (entry.path().filename() == "particles-0000000100.vtp") second = entry.path();
  ASSERT_NE(second, "");
  std::filesystem::resize_file(second, std::filesystem::file_size(second) / 2);
  ViewSession room(folder.path("out"));
  EXPECT_EQ(json::parse(room.summary(0))["frames"], 3);
  EXPECT_THAT(testing::error_message([&] { (void)room.frame(1); }),
              HasSubstr("particles-0000000100.vtp"));
  EXPECT_EQ(DecodedMessage(room.frame(0)).values<float>("particles.radius", "float32").size(), 1U);
  EXPECT_EQ(DecodedMessage(room.frame(2)).values<float>("particles.radius", "float32").size(), 1U);
}

TEST(ViewFrames, WhatIsNoParticleFileIsNamed) {
  const Folder folder;
  ViewSession room(folder.write("shown.vtp", "no such thing"));
  const json told = json::parse(room.summary(0));
  EXPECT_FALSE(told["waiting"]);
  EXPECT_THAT(told["problem"].get<std::string>(), HasSubstr("shown.vtp"));
}

TEST(ViewFrames, NamesOfAnyBytesAreTold) {
  const Folder folder;
  ViewSession room(folder.write("\xff\xfe.csv", "x,y,z,r\n0,0,0,1\n"));
  EXPECT_EQ(json::parse(room.summary(0))["frames"], 1);
}

}  // namespace
}  // namespace abut
