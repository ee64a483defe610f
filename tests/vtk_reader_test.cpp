#include "io/vtk_reader.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "expect_error.hpp"
#include "io/vtk_writer.hpp"
#include "program.hpp"

namespace abut {
namespace {

using ::testing::ElementsAre;
using testing::error_message;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Triple = std::array<double, 3>;

const std::vector<Triple> frame_points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0.5}};
const std::vector<double> frame_radii{0.1, 0.25, 3e300};
const std::vector<std::int32_t> frame_ids{-1, 2147483647, 0};
const std::vector<std::uint8_t> frame_marks{0, 128, 255};

void write_particle_frame(const std::string& path) {
  write_vtk(
      path,
      {.time = 0.1,
       .step = 12345678901,
       .points = frame_points,
       .has_vertices = true,
       .point_fields = {{"radius", frame_radii}, {"velocity", frame_points}, {"<id>", frame_ids}},
       .cell_fields = {{"mark", frame_marks}}});
}

TEST(VtkReader, ReadsWrittenFrame) {
  const Folder folder;
  write_particle_frame(folder.path("a.vtp"));
  const VtkContent read(folder.path("a.vtp"));
  EXPECT_EQ(read.time(), 0.1);
  EXPECT_EQ(read.step(), 12345678901);
  EXPECT_TRUE(read.has_vertices());
  EXPECT_THAT(read.points().as<double>(), ElementsAre(0, 0, 0, 1, 0, 0, 0, 1, 0.5));
  EXPECT_EQ(read.point_field("radius")->as<double>(), frame_radii);
  EXPECT_EQ(read.point_field("velocity")->components, 3U);
  EXPECT_EQ(read.point_field("<id>")->as<std::int32_t>(), frame_ids);
  EXPECT_THAT(read.cell_field("mark")->as<std::int64_t>(), ElementsAre(0, 128, 255));
  EXPECT_EQ(read.point_field("mark"), nullptr);
}

TEST(VtkReader, ReadsLinesAndTriangles) {
  const Folder folder;
  const std::vector<std::array<Index, 2>> lines{{2, 0}, {0, 1}};
  const std::vector<std::array<Index, 3>> triangles{{0, 2, 1}};
  const std::vector<float> size{1, 2, 3};
  write_vtk(folder.path("a.vtp"), {.points = frame_points,
                                   .lines = lines,
                                   .triangles = triangles,
                                   .cell_fields = {{"size", size}}});
  const VtkContent read(folder.path("a.vtp"));
  EXPECT_FALSE(read.has_vertices());
  EXPECT_EQ(read.lines(), lines);
  EXPECT_EQ(read.triangles(), triangles);
  EXPECT_EQ(read.cell_field("size")->as<float>(), size);
}

TEST(VtkReader, ReadsEmptyFrame) {
  const Folder folder;
  write_vtk(folder.path("a.vtp"), {.has_vertices = true});
  const VtkContent read(folder.path("a.vtp"));
  EXPECT_THAT(read.points().as<double>(), IsEmpty());
  EXPECT_THAT(read.lines(), IsEmpty());
}

// A truncated file is rejected wherever it ends, and never read beyond its end.
TEST(VtkReader, RejectsEveryTruncation) {
  const Folder folder;
  write_particle_frame(folder.path("a.vtp"));
  const std::string whole = folder.read("a.vtp");
  for (std::size_t size = 0; size < whole.size(); size += 5) {
    const std::string path = folder.write("cut.vtp", whole.substr(0, size));
    EXPECT_THAT(error_message([&] { VtkContent{path}; }), HasSubstr("cut.vtp")) << size;
  }
}

TEST(VtkReader, ReportsTruncatedArray) {
  const Folder folder;
  write_particle_frame(folder.path("a.vtp"));
  const std::string whole = folder.read("a.vtp");
  const std::string path =
      folder.write("cut.vtp", whole.substr(0, whole.find("encoding=\"raw\">") + 30));
  EXPECT_EQ(error_message([&] { VtkContent{path}; }),
            path + ": radius: truncated after " + std::to_string(folder.read("cut.vtp").size()) +
                " bytes; the file is damaged: copy it again, or repeat the run");
}

// Changed bytes are rejected, or have a meaning within the bounds of the file.
TEST(VtkReader, SurvivesChangedBytes) {
  const Folder folder;
  write_particle_frame(folder.path("a.vtp"));
  const std::string whole = folder.read("a.vtp");
  std::mt19937 random(1);
  int rejected = 0;
  for (int i = 0; i < 400; ++i) {
    std::string changed = whole;
    changed[random() % changed.size()] = static_cast<char>(random());
    const std::string path = folder.write("b.vtp", changed);
    try {
      const VtkContent read(path);
      EXPECT_LE(read.points().as<double>().size(), 9U);
    } catch (const Error&) {
      ++rejected;
    }
  }
  EXPECT_GT(rejected, 200);
}

std::string read_error(const std::string& find, const std::string& put) {
  const Folder folder;
  write_particle_frame(folder.path("a.vtp"));
  std::string text = folder.read("a.vtp");
  text.replace(text.find(find), find.size(), put);
  const std::string path = folder.write("b.vtp", text);
  return error_message([&] { VtkContent{path}; }).substr(path.size());
}

TEST(VtkReader, ReportsLineOrArray) {
  const std::string unreadable =
      ": not a frame written by abut run; it is damaged or from another program";
  EXPECT_EQ(read_error("<?xml", "<?html"), ":1" + unreadable);
  EXPECT_EQ(read_error("NumberOfPoints=\"3\"", "NumberOfPoints=\"999999999999\""),
            ":8" + unreadable);
  EXPECT_EQ(read_error("NumberOfVerts=\"3\"", "NumberOfVerts=\"2\""), ":9" + unreadable);
  EXPECT_EQ(read_error("Float64\" Name=\"radius", "Float16\" Name=\"radius"), ":11" + unreadable);
  EXPECT_EQ(read_error("Float64\" Name=\"radius", "Float32\" Name=\"radius"), ":12" + unreadable);
  EXPECT_THAT(read_error("_\x18", "_\x19"), HasSubstr("radius: has 25 bytes instead of 24"));
}

TEST(VtkReader, RejectsCellsOfMissingPoints) {
  const Folder folder;
  const std::vector<std::array<Index, 2>> lines{{2, 0}};
  write_vtk(folder.path("a.vtp"), {.points = frame_points, .lines = lines});
  std::string text = folder.read("a.vtp");
  const std::size_t at = text.rfind(std::string("\x02\0\0\0\0\0\0\0", 8));
  ASSERT_NE(at, std::string::npos);
  const std::size_t line = text.find(std::string("\x02\0\0\0\0\0\0\0\x08", 9));
  ASSERT_NE(line, std::string::npos);
  text[line] = 3;
  const std::string path = folder.write("b.vtp", text);
  EXPECT_THAT(error_message([&] { VtkContent{path}; }),
              HasSubstr("line 0: refers to a point that does not exist"));
}

}  // namespace
}  // namespace abut
