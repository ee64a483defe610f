#include "frames/dataset.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "expect_error.hpp"
#include "program.hpp"

namespace abut {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::error_message;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* three_spheres_case = R"(
title = "Three spheres on a floor"
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
[[wall]]
name = "side"
material = "grain"
shape = "plane"
point = [9, 0, 0]
normal = [-1, 0, 0]
[[wall]]
name = "floor"
material = "grain"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
[[insertion]]
name = "spheres"
material = "grain"
count = 3
radius = 0.5
region = { min = [-2, -2, 0], max = [2, 2, 1.001] }
[domain]
min = [-10, -10, -1]
max = [10, 10, 10]
[output]
frame_interval = 0.01
probe_interval = 0.01
)";

/// Writes a finished run to the folder "out".
void write_three_spheres_run(const Folder& folder) {
  const auto result = testing::run(
      {"run", folder.write("three.toml", three_spheres_case), "--out", folder.path("out")});
  ASSERT_EQ(result.status, 0) << result.err;
}

std::vector<std::string> field_names(const std::vector<FrameField>& fields) {
  std::vector<std::string> names;
  names.reserve(fields.size());
  for (const FrameField& field : fields) names.push_back(field.name);
  return names;
}

TEST(Dataset, ReadsParticlesAndWallsOfARun) {
  const Folder folder;
  write_three_spheres_run(folder);
  const Dataset run(folder.path("out"));
  EXPECT_EQ(run.title(), "Three spheres on a floor");
  EXPECT_THAT(run.times(), ElementsAre(0, 0.01, 0.02));
  const FrameData last = run.frame(2);
  EXPECT_EQ(last.time, 0.02);
  EXPECT_EQ(last.dimension, 3);
  EXPECT_THAT(last.particles.radius, ElementsAre(0.5F, 0.5F, 0.5F));
  EXPECT_THAT(field_names(last.particles.fields),
              ElementsAre("velocity", "speed", "angular_velocity", "material",
                          "coordination_number", "fixed"));
  EXPECT_EQ(last.walls.triangles.size(), last.walls.wall_id.size());
  EXPECT_THAT(last.walls.wall_id, Contains(1));
}

TEST(Dataset, ReadsIdsOfContacts) {
  const Folder folder;
  write_three_spheres_run(folder);
  const FrameContacts contacts = Dataset(folder.path("out")).frame(2).contacts;
  ASSERT_EQ(contacts.ends.size(), 3U);  // each sphere with the floor, which is wall 1
  std::vector<std::int64_t> a = contacts.a;
  std::ranges::sort(a);
  EXPECT_THAT(a, ElementsAre(0, 1, 2));
  EXPECT_THAT(contacts.b, ElementsAre(-2, -2, -2));
  EXPECT_THAT(field_names(contacts.fields),
              ElementsAre("force", "force_magnitude", "overlap", "is_wall"));
}

TEST(Dataset, ReturnsCompleteLinesOfProbes) {
  const Folder folder;
  write_three_spheres_run(folder);
  const Dataset run(folder.path("out/"));
  const std::string before = run.probes();
  EXPECT_EQ(std::ranges::count(before, '\n'), 4);
  folder.write("out/probes.csv", before + "3,0.0");
  EXPECT_EQ(run.probes(), before);
  std::filesystem::remove(folder.path("out/probes.csv"));
  EXPECT_THAT(run.probes(), IsEmpty());
}

TEST(Dataset, RefreshFindsNewFrames) {
  const Folder folder;
  write_three_spheres_run(folder);
  const std::string all = folder.read("out/run.pvd");
  const std::size_t third = all.find("    <DataSet timestep=\"0.02\"");
  folder.write("out/run.pvd", all.substr(0, third) + "  </Collection>\n</VTKFile>\n");
  Dataset run(folder.path("out/run.pvd"));
  EXPECT_EQ(run.times().size(), 2U);
  EXPECT_FALSE(run.refresh());
  folder.write("out/run.pvd", all);
  EXPECT_TRUE(run.refresh());
  EXPECT_EQ(run.times().size(), 3U);
}

TEST(Dataset, ReadsSingleVtpFiles) {
  const Folder folder;
  write_three_spheres_run(folder);
  EXPECT_EQ(Dataset(folder.path("out/particles-0000000200.vtp")).frame(0).particles.id.size(), 3U);
  EXPECT_EQ(Dataset(folder.path("out/contacts-0000000200.vtp")).frame(0).contacts.a.size(), 3U);
  const Dataset walls(folder.path("out/walls-0000000000.vtp"));
  EXPECT_FALSE(walls.frame(0).walls.triangles.empty());
}

TEST(Dataset, ReportsDamagedAndMissingFrames) {
  const Folder folder;
  write_three_spheres_run(folder);
  const Dataset run(folder.path("out"));
  const std::string name = "out/particles-0000000100.vtp";
  folder.write(name, folder.read(name).substr(0, 2500));
  EXPECT_THAT(error_message([&] { (void)run.frame(1); }), HasSubstr("truncated after 2500 bytes"));
  std::filesystem::remove(folder.path(name));
  EXPECT_THAT(error_message([&] { (void)run.frame(1); }),
              HasSubstr("particles-0000000100.vtp: No such"));
  EXPECT_THAT(error_message([&] { (void)run.frame(7); }),
              HasSubstr("there is no frame 7; number of frames: 3"));
}

TEST(Dataset, RejectsFoldersWithoutData) {
  const Folder folder;
  std::filesystem::create_directory(folder.path("empty"));
  const std::string missing =
      "no run.pvd, no elements.txt, and no CSV, OBJ or STL file of particles";
  EXPECT_THAT(error_message([&] { Dataset{folder.path("empty")}; }), HasSubstr(missing));
  std::filesystem::create_directory(folder.path("other"));
  folder.write("other/notes.csv", "day,weather\n1,2\n");
  folder.write("other/README", "hello\n");
  EXPECT_THAT(error_message([&] { Dataset{folder.path("other")}; }), HasSubstr(missing));
  EXPECT_THAT(error_message([&] { Dataset{folder.path("nowhere")}; }),
              HasSubstr("no such file or folder"));
  std::filesystem::create_directory(folder.path("started"));
  folder.write("started/run.pvd", "<?xml version=\"1.0\"?>\nwhat?\n");
  EXPECT_THAT(error_message([&] { Dataset{folder.path("started")}; }),
              HasSubstr("run.pvd:1: not a collection written by abut"));
  folder.write("started/run.pvd",
               "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
               "byte_order=\"LittleEndian\">\n  <Collection>\n  </Collection>\n</VTKFile>\n");
  EXPECT_THAT(error_message([&] { Dataset{folder.path("started")}; }), HasSubstr("no frames"));
}

TEST(Dataset, RejectsFramesOutsideTheRunFolder) {
  const Folder folder;
  write_three_spheres_run(folder);
  std::string list = folder.read("out/run.pvd");
  list.replace(list.find("file=\"particles"), 6, "file=\"../out/");
  folder.write("out/run.pvd", list);
  EXPECT_THAT(error_message([&] { Dataset{folder.path("out")}; }),
              HasSubstr("is not in this folder"));
}

TEST(Dataset, FindsMatchingPairsOfParticles) {
  const Folder folder;
  const std::string disks = folder.write("disks.csv", "x,y,r,id\n0,0,1,7\n1.5,0,1,8\n9,9,1,9\n");
  folder.write("a-pairs.csv", "a,b,gap\n7,8,-0.4\n");  // the gap differs
  folder.write("b-pairs.csv", "a,b,gap\n7,6,-0.5\n");  // there is no particle 6
  folder.write("c-pairs.csv", "a,b,gap\n7,8,-0.5\n");
  folder.write("d-pairs.csv", "a,b,gap\n7,8,-0.5\n7,9,10.7\n");
  const Dataset dataset(disks);
  EXPECT_THAT(dataset.times(), ElementsAre(0));
  EXPECT_FALSE(Dataset(disks).refresh());
  const FrameData frame = dataset.frame(0);
  EXPECT_EQ(frame.dimension, 2);
  EXPECT_THAT(frame.particles.id, ElementsAre(7, 8, 9));
  EXPECT_THAT(frame.contacts.a, ElementsAre(7));
  EXPECT_THAT(frame.contacts.b, ElementsAre(8));
  ASSERT_EQ(frame.particles.fields.size(), 1U);
  EXPECT_EQ(frame.particles.fields[0].name, "coordination_number");
  EXPECT_THAT(frame.particles.fields[0].values, ElementsAre(1, 1, 0));
  EXPECT_EQ(frame.contacts.fields[1].values, std::vector<float>{0.5F});
  EXPECT_THAT(Dataset(folder.path(".")).frame(0).particles.id, ElementsAre(7, 8, 9));
  EXPECT_THAT(error_message([&] { Dataset{folder.path("c-pairs.csv")}; }),
              HasSubstr("contains contacts"));
  folder.write("more.csv", "x,y,r\n0,0,1\n");
  EXPECT_THAT(error_message([&] { Dataset{folder.path(".")}; }),
              HasSubstr("several files of particles"));
}

// Coordinates in single precision are rounded by up to 3e-5 here.
TEST(Dataset, FindsPairsOfParticlesFarFromTheOrigin) {
  const Folder folder;
  const std::string path = folder.write("p.csv", "x,y,z,r\n1000.113,0,0,1\n1001.65,0,0,1\n");
  folder.write("pairs.csv", "a,b,gap\n0,1,-0.463\n");
  EXPECT_THAT(Dataset(path).frame(0).contacts.b, ElementsAre(1));
}

TEST(Dataset, OmitsContactsAcrossPeriodicBoundaries) {
  const Folder folder;
  const std::string path = folder.write("p.csv", "x,y,z,r\n0,0,0,1\n1.5,0,0,1\n9,0,0,1\n");
  folder.write("pairs.csv", "a,b,gap,ix,iy,iz\n0,1,-0.5,0,0,0\n0,2,-1,-1,0,0\n");
  const FrameData frame = Dataset(path).frame(0);
  EXPECT_THAT(frame.contacts.b, ElementsAre(1));
  EXPECT_THAT(frame.particles.fields[0].values, ElementsAre(2, 1, 1));
}

TEST(Dataset, ReadsElementsTxt) {
  const Folder folder;
  folder.write("elements.txt", "2 1\n0 0 0\n1 2 3\n");
  folder.write("bounds.txt", "3\n-9 9\n-9 9\n-9 9\n");
  const FrameData frame = Dataset(folder.path(".")).frame(0);
  EXPECT_EQ(frame.dimension, 3);
  EXPECT_EQ(frame.particles.position[1], (std::array<float, 3>{1, 2, 3}));
}

TEST(Dataset, ReadsPolygonsWithContacts) {
  const Folder folder;
  const std::string path = folder.write(
      "polygons.csv",
      "particle,x,y\n4,0,0\n4,1,0\n4,1,1\n4,0,1\n5,0.9,0\n5,2,0\n5,2,1\n5,0.9,1\n5,1.5,0.5\n");
  ASSERT_EQ(testing::run({"detect", path, "--out", folder.path("contacts.csv")}).status, 0);
  const FrameData frame = Dataset(path).frame(0);
  EXPECT_EQ(frame.dimension, 2);
  EXPECT_THAT(frame.blocks.outline_offsets, ElementsAre(0, 4, 9));
  EXPECT_THAT(frame.blocks.id, ElementsAre(4, 5));
  EXPECT_FALSE(frame.contacts.a.empty());
  EXPECT_THAT(frame.contacts.a, Each(4));
  EXPECT_THAT(frame.contacts.b, Each(5));
  EXPECT_THAT(field_names(frame.contacts.fields),
              ElementsAre("gap", "overlap", "point", "normal", "area"));
}

TEST(Dataset, ReadsPolyhedraAsTriangles) {
  const Folder folder;
  const std::string tetrahedron =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  std::filesystem::create_directory(folder.path("rocks"));
  folder.write("rocks/a.obj", tetrahedron);
  folder.write("rocks/b.obj", tetrahedron);
  const FrameData rocks = Dataset(folder.path("rocks")).frame(0);
  EXPECT_EQ(rocks.dimension, 3);
  EXPECT_EQ(rocks.blocks.triangles.size(), 8U);
  EXPECT_THAT(rocks.blocks.id, ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_EQ(Dataset(folder.path("rocks/b.obj")).frame(0).blocks.triangles.size(), 4U);
}

TEST(Dataset, RejectsInvalidPolygons) {
  const Folder folder;
  const std::string path = folder.write("bow.csv", "particle,x,y\n1,0,0\n1,1,1\n1,1,0\n1,0,1\n");
  EXPECT_THAT(error_message([&] { Dataset{path}; }), HasSubstr("particle 1"));
}

}  // namespace
}  // namespace abut
