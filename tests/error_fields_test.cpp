// Errors of all readers have a code and structured fields, so that no program has to parse their
// text.
#include <gmock/gmock.h>

#include <abut/error.hpp>
#include <optional>

#include "box_case.hpp"
#include "io/block_file.hpp"
#include "io/case_file.hpp"
#include "io/checkpoint_file.hpp"
#include "io/contact_csv.hpp"
#include "io/mesh_file.hpp"
#include "io/particle_file.hpp"
#include "io/vtk_reader.hpp"
#include "mesh_samples.hpp"
#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::Optional;

// The error of reading a text as a file of the given name.
template <class Read>
Error error_of(const Folder& folder, const std::string& name, const std::string& text,
               const Read& read) {
  const std::string path = folder.write(name, text);
  try {
    read(path);
  } catch (const Error& error) {
    EXPECT_THAT(error.details().file, Optional(path));
    return error;
  }
  ADD_FAILURE() << "no error for " << name;
  return Error("none");
}

struct Expected {
  ErrorCode code = ErrorCode::invalid_input;
  std::optional<std::size_t> line{};
  std::optional<std::size_t> column{};
  std::optional<std::string> key{};
  std::optional<std::string> value{};
};

void expect_fields(const Error& error, const Expected& expected) {
  EXPECT_EQ(error.code(), expected.code) << error.what();
  EXPECT_EQ(error.details().line, expected.line) << error.what();
  EXPECT_EQ(error.details().column, expected.column) << error.what();
  EXPECT_EQ(error.details().key, expected.key) << error.what();
  EXPECT_EQ(error.details().value, expected.value) << error.what();
}

void read_particle_file(const std::string& path) { (void)read_particles(path, {}, 0, {}); }
void read_case_file(const std::string& path) { (void)read_case(path); }
void read_mesh_3d(const std::string& path) { (void)read_mesh(path, 3); }
void read_mesh_2d(const std::string& path) { (void)read_mesh(path, 2); }
void read_block_file(const std::string& path) { (void)read_blocks(path, {}); }
void read_checkpoint(const std::string& path) { (void)Checkpoint(path); }
void read_contact_file(const std::string& path) { (void)read_contacts(path); }
void read_vtk(const std::string& path) { (void)VtkContent(path); }

TEST(ErrorFields, AreSetForParticleCsv) {
  const Folder folder;
  const auto error = [&](const std::string& text) {
    return error_of(folder, "p.csv", text, read_particle_file);
  };
  expect_fields(error("x,y,r\n0,0,1\n1,oops,1\n"),
                {.line = 3, .column = 3, .key = "y of particle 1", .value = "oops"});
  expect_fields(error("x,y,r\n0,0,-1\n"),
                {.line = 2, .key = "radius of particle 0", .value = "-1"});
  expect_fields(error("x,y,r\n0,,1\n"), {.line = 2, .key = "y of particle 0"});
  expect_fields(error("x,r\n"), {.line = 1, .key = "y"});
  expect_fields(error("x,y,r,id\n0,0,1,7\n3,0,1,7\n"),
                {.line = 3, .key = "id of particle 1", .value = "7"});
}

TEST(ErrorFields, AreSetForContactCsv) {
  const Folder folder;
  expect_fields(error_of(folder, "c.csv", "a,b,gap\n0,1,x\n", read_contact_file),
                {.line = 2, .column = 5, .key = "gap of contact 0", .value = "x"});
  const Error former = error_of(folder, "c.csv", "a,b,gap,measure\n", read_contact_file);
  expect_fields(former, {.line = 1, .key = "measure"});
  EXPECT_THAT(former.what(), ::testing::HasSubstr("now named area"));
}

TEST(ErrorFields, AreSetForDemcdaElements) {
  const Folder folder;
  expect_fields(error_of(folder, "e.txt", "2 0.5\n0 0\n1 abc\n", read_particle_file),
                {.line = 3, .column = 3, .key = "y of element 2", .value = "abc"});
}

TEST(ErrorFields, AreSetForStl) {
  const Folder folder;
  std::string text = two_triangles_text;
  text.replace(text.find("vertex 1 0 0"), 12, "vertex 1 x 0");
  const Error ascii = error_of(folder, "w.stl", text, read_mesh_3d);
  EXPECT_EQ(ascii.details().key, "y of vertex 2 of facet 1");
  EXPECT_EQ(ascii.details().value, "x");
  EXPECT_TRUE(ascii.details().line && ascii.details().column);
  std::vector<Triangle> triangles = two_triangles;
  triangles[1][2][1] = std::numeric_limits<float>::infinity();
  expect_fields(error_of(folder, "w.stl", binary_stl(triangles), read_mesh_3d),
                {.key = "y of vertex 3 of facet 2", .value = "inf"});
}

TEST(ErrorFields, AreSetForObj) {
  const Folder folder;
  expect_fields(error_of(folder, "w.obj", "v 0 0 0\nf 1 2 3\n", read_mesh_3d),
                {.line = 2, .column = 5, .key = "vertex of face 1", .value = "2"});
}

TEST(ErrorFields, AreSetForSegmentCsv) {
  const Folder folder;
  expect_fields(error_of(folder, "w.csv", "x1,y1,x2,y2\n0,0,1,one\n", read_mesh_2d),
                {.line = 2, .column = 7, .key = "y2 of segment 0", .value = "one"});
}

TEST(ErrorFields, AreSetForPolygonCsv) {
  const Folder folder;
  expect_fields(error_of(folder, "b.csv", "particle,x,y\n0,0,0\n0,1,?\n", read_block_file),
                {.line = 3, .column = 5, .key = "y of vertex 1", .value = "?"});
}

TEST(ErrorFields, AreSetForJson) {
  const Folder folder;
  const auto error = [&](const std::string& text) {
    return error_of(folder, "b.json", text, read_block_file);
  };
  expect_fields(error("{\n\"dimension\": 2,,\n}"), {.line = 2});
  expect_fields(error(R"({"dimension": 4, "shapes": {}, "particles": []})"),
                {.key = "dimension", .value = "4"});
  expect_fields(error(R"({"dimension": 2, "shapes": {}, "particles": [], "size": 1})"),
                {.code = ErrorCode::unknown_key, .key = "size"});
  expect_fields(error(R"({"dimension": 2, "shapes": {}, "particles": [{"shape": "a"}]})"),
                {.key = "particles[0].shape", .value = "\"a\""});
}

TEST(ErrorFields, AreSetForCase) {
  const Folder folder;
  const auto error = [&](const std::string& from, const std::string& to) {
    return error_of(folder, "case.toml", replaced(box_case, from, to), read_case_file);
  };
  expect_fields(error("density = 1000", "density = -1"),
                {.line = 10, .column = 11, .key = "density", .value = "-1"});
  expect_fields(error("density = 1000\n", ""), {.line = 8, .column = 1, .key = "density"});
  expect_fields(error("friction", "frction"),
                {.code = ErrorCode::unknown_key, .line = 15, .column = 1, .key = "frction"});
  expect_fields(error("\"plane\"", "\"plain\""),
                {.line = 19, .column = 9, .key = "shape", .value = "\"plain\""});
  expect_fields(error("[0, 0, -10]", "[0, true, -10]"),
                {.line = 2, .column = 15, .key = "gravity", .value = "true"});
  expect_fields(error("title = ", "title = ["), {.line = 2, .column = 1});
}

// The model rejects the value; the case reader locates it by the key of that error.
TEST(ErrorFields, LocateErrorsOfTheModelInTheCase) {
  const Folder folder;
  const std::string text = replaced(box_case, "restitution = 0.5", "restitution = 1.5");
  expect_fields(error_of(folder, "case.toml", text, read_case_file),
                {.code = ErrorCode::invalid_argument,
                 .line = 14,
                 .column = 15,
                 .key = "restitution",
                 .value = "1.5"});
}

TEST(ErrorFields, AreSetForCheckpoint) {
  const Folder folder;
  expect_fields(error_of(folder, "c.abut", std::string(1000, 'x'), read_checkpoint), {});
  const std::vector<double> x{1, 2};
  CheckpointSections sections;
  sections.add("x", x);
  write_checkpoint_file(folder.path("c.abut"), 1, sections);
  std::string bytes = folder.read("c.abut");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  expect_fields(error_of(folder, "c.abut", bytes, read_checkpoint), {.key = "section 'x'"});
}

TEST(ErrorFields, AreSetForVtk) {
  const Folder folder;
  expect_fields(error_of(folder, "a.vtp", "<?xml version=\"1.1\"?>\n", read_vtk), {.line = 1});
}

TEST(ErrorFields, AreSetForUnreadableFile) {
  const Folder folder;
  const std::string path = folder.path("missing.csv");
  try {
    read_particle_file(path);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_THAT(error.details().file, Optional(path));
  }
}

}  // namespace
}  // namespace abut::testing
