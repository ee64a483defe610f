#include "io/vtk_writer.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "expect_error.hpp"
#include "full_disk.hpp"
#include "io/system.hpp"
#include "program.hpp"

namespace abut {
namespace {

using ::testing::ElementsAre;
using testing::error_message;
using testing::Folder;
using testing::FullDisk;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// The contents as read by VTK. Uses the Python of Debian, which has the package of VTK.
std::string dump(const std::string& path) {
  const std::optional<ProcessResult> outcome =
      run_process({"/usr/bin/python3", ABUT_SOURCE_DIR "/tests/vtk_dump.py", path}, "");
  if (!outcome) return "no /usr/bin/python3: tools/setup test installs it";
  EXPECT_EQ(outcome->status, 0) << outcome->error_output;
  return outcome->output + outcome->error_output;
}

std::string write_and_read(const Folder& folder, const VtkFrame& frame) {
  write_vtk(folder.path("a.vtp"), frame);
  return dump(folder.path("a.vtp"));
}

TEST(VtkWriter, VtkReadsParticlesUnchanged) {
  const Folder folder;
  const std::vector<double> x{0, 0.1, -2e300};
  const std::vector<double> y{1, 2, 3};
  const std::vector<double> z{4, 5, 6};
  const std::vector<float> f{0.5F, 1.5F, 2.5F};
  const std::vector<std::int32_t> i{-1, 2147483647, 0};
  const std::vector<std::int64_t> l{-1, 0, 9007199254740992};
  const std::vector<std::uint8_t> u{0, 128, 255};
  EXPECT_EQ(write_and_read(folder, {.time = 0.1,
                                    .step = 12345678901,
                                    .points = {x, y, z},
                                    .has_vertices = true,
                                    .point_fields = {{"radius", y},
                                                     {"v", {z, y, x}},
                                                     {"f", f},
                                                     {"w", {f, f, f}},
                                                     {"i", i},
                                                     {"l", l},
                                                     {"u", {u, u, u}}},
                                    .cell_fields = {{"number", i}}}),
            "3 points, 3 cells\n"
            "at 0 1 4\n"
            "at 0.10000000000000001 2 5\n"
            "at -2.0000000000000001e+300 3 6\n"
            "vertex 0\nvertex 1\nvertex 2\n"
            "point 'radius' double x1: 1, 2, 3\n"
            "point 'v' double x3: 4 1 0, 5 2 0.10000000000000001, 6 3 -2.0000000000000001e+300\n"
            "point 'f' float x1: 0.5, 1.5, 2.5\n"
            "point 'w' float x3: 0.5 0.5 0.5, 1.5 1.5 1.5, 2.5 2.5 2.5\n"
            "point 'i' int x1: -1, 2147483647, 0\n"
            "point 'l' long x1: -1, 0, 9007199254740992\n"
            "point 'u' unsigned char x3: 0 0 0, 128 128 128, 255 255 255\n"
            "cell 'number' int x1: -1, 2147483647, 0\n"
            "frame 'TimeValue' double x1: 0.10000000000000001\n"
            "frame 'step' long x1: 12345678901\n");
}

TEST(VtkWriter, VtkReadsLinesAndTriangles) {
  const Folder folder;
  const std::vector<std::array<double, 3>> vertices{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<std::array<Index, 2>> lines{{3, 0}, {0, 1}};
  const std::vector<std::array<Index, 3>> triangles{{0, 2, 1}, {1, 2, 3}};
  const std::vector<std::uint8_t> kind{1, 1, 2, 3};
  EXPECT_EQ(write_and_read(folder, {.points = vertices,
                                    .lines = lines,
                                    .triangles = triangles,
                                    .point_fields = {{"normal", vertices}},
                                    .cell_fields = {{"kind", kind}}}),
            "4 points, 4 cells\nat 0 0 0\nat 1 0 0\nat 0 1 0\nat 0 0 1\n"
            "line 3 0\nline 0 1\ntriangle 0 2 1\ntriangle 1 2 3\n"
            "point 'normal' double x3: 0 0 0, 1 0 0, 0 1 0, 0 0 1\n"
            "cell 'kind' unsigned char x1: 1, 1, 2, 3\n"
            "frame 'TimeValue' double x1: 0\nframe 'step' long x1: 0\n");
}

TEST(VtkWriter, WritesZeroForMissingZ) {
  const Folder folder;
  const std::vector<double> x{1, 2};
  const std::vector<double> none;
  const std::vector<std::array<double, 2>> vertices{{3, 4}, {5, 6}};
  EXPECT_THAT(write_and_read(folder, {.points = {x, x, none}, .point_fields = {{"c", vertices}}}),
              StartsWith("2 points, 0 cells\nat 1 1 0\nat 2 2 0\n"
                         "point 'c' double x3: 3 4 0, 5 6 0\n"));
  EXPECT_THAT(write_and_read(folder, {.points = vertices}),
              StartsWith("2 points, 0 cells\nat 3 4 0\nat 5 6 0\n"));
}

TEST(VtkWriter, WritesEmptyFrame) {
  const Folder folder;
  const std::string time = "frame 'TimeValue' double x1: 2\nframe 'step' long x1: 7\n";
  EXPECT_EQ(write_and_read(folder, {.time = 2, .step = 7, .has_vertices = true}),
            "0 points, 0 cells\n" + time);
  const std::vector<double> none;
  EXPECT_EQ(write_and_read(folder, {.time = 2,
                                    .step = 7,
                                    .points = {none, none, none},
                                    .point_fields = {{"r", none}, {"v", {none, none, none}}},
                                    .cell_fields = {{"c", none}}}),
            "0 points, 0 cells\npoint 'r' double x1: \npoint 'v' double x3: \n"
            "cell 'c' double x1: \n" +
                time);
}

TEST(VtkWriter, WritesNonFiniteValues) {
  const Folder folder;
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const std::vector<double> x{std::nan(""), infinite, -infinite, 5e-324};
  EXPECT_THAT(write_and_read(folder, {.points = {x, x, x}, .point_fields = {{"x", x}}}),
              HasSubstr("point 'x' double x1: nan, inf, -inf, 4.9406564584124654e-324\n"));
}

TEST(VtkWriter, EscapesFieldNames) {
  const Folder folder;
  const std::vector<double> x{1};
  EXPECT_THAT(write_and_read(folder, {.points = {x, x, x},
                                      .point_fields = {{"<a & \"b\">", x}, {"|σ|² [Pa]", x}},
                                      .cell_fields = {}}),
              HasSubstr("point '<a & \"b\">' double x1: 1\npoint '|σ|² [Pa]' double x1: 1\n"));
}

// More points than a block of rows and than the buffer of the file.
TEST(VtkWriter, KeepsOrderOfManyPoints) {
  const Folder folder;
  std::vector<double> x(5000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  std::vector<std::array<Index, 2>> lines;
  for (Index i = 0; i + 1 < x.size(); ++i) lines.push_back({i, i + 1});
  const std::string read = write_and_read(folder, {.points = {x, x, x}, .lines = lines});
  EXPECT_THAT(read, StartsWith("5000 points, 4999 cells\nat 0 0 0\nat 1 1 1\n"));
  EXPECT_THAT(read, HasSubstr("\nat 1023 1023 1023\nat 1024 1024 1024\nat 1025 1025 1025\n"));
  EXPECT_THAT(read, HasSubstr("\nat 4999 4999 4999\nline 0 1\nline 1 2\n"));
  EXPECT_THAT(read, HasSubstr("\nline 4998 4999\nframe"));
}

// Tuples of two components are padded in blocks of rows.
TEST(VtkWriter, KeepsOrderOfManyTuples) {
  const Folder folder;
  std::vector<std::array<double, 2>> points(3000);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = {static_cast<double>(i), -static_cast<double>(i)};
  const std::string read = write_and_read(folder, {.points = points});
  EXPECT_THAT(read, HasSubstr("\nat 1023 -1023 0\nat 1024 -1024 0\nat 1025 -1025 0\n"));
  EXPECT_THAT(read, HasSubstr("\nat 2999 -2999 0\n"));
}

TEST(VtkWriter, RejectsInconsistentFrameBeforeWriting) {
  const Folder folder;
  const std::string path = folder.path("a.vtp");
  const std::vector<double> two{1, 2};
  const std::vector<double> three{1, 2, 3};
  const std::vector<std::array<Index, 2>> lines{{0, 1}, {1, 2}};
  const auto error = [&](const VtkFrame& frame) {
    return error_message([&] { write_vtk(path, frame); });
  };
  const VtkValues points{two, two, two};
  EXPECT_EQ(error({.points = points, .point_fields = {{"r", three}}}),
            "cannot write " + path + ": point field 'r': has 3 values for 2 points");
  EXPECT_EQ(error({.points = points, .cell_fields = {{"r", two}}}),
            "cannot write " + path + ": cell field 'r': has 2 values for 0 cells");
  EXPECT_EQ(error({.points = points, .lines = lines}),
            "cannot write " + path + ": lines[1]: refers to point 2, but there are only 2");
  EXPECT_THAT(error({.points = points, .point_fields = {{"r", two}, {"r", two}}}),
              HasSubstr("point field 'r': names of fields must be unique"));
  EXPECT_THAT(error({.points = two}), HasSubstr("points: must have coordinates x, y and z"));
  for (const char* name : {"", "a\nb", "a\x01", "\xff", "\xc3", "\xed\xa0\x80", "\xc0\x80"})
    EXPECT_THAT(error({.points = points, .point_fields = {{name, two}}}),
                HasSubstr("point field 0: its name must be UTF-8"));
  EXPECT_THAT(error_message([&] { VtkValues(two, three, two); }), HasSubstr("2, 3 and 2 values"));
  EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(VtkWriter, CleansUpOnFullDisk) {
  const Folder folder;
  const std::string path = folder.write("a.vtp", "previous contents");
  const std::vector<double> x(100000);
  const std::string error = error_message([&] {
    const FullDisk full(100000);
    write_vtk(path, {.points = {x, x, x}});
  });
  EXPECT_EQ(error, "cannot write " + path + ": File too large");
  EXPECT_THAT(folder.files(), ElementsAre("a.vtp"));
  EXPECT_EQ(folder.read("a.vtp"), "previous contents");
  EXPECT_EQ(error_message([&] {
              write_vtk("/dev/full", {.points = {x, x, x}});
            }),
            "cannot write /dev/full: No space left on device");
}

}  // namespace
}  // namespace abut
