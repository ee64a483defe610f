// Bad walls: one line that names file, line or byte, field, number, value and remedy; and whatever
// the bytes are, an error or a mesh, never a crash.
#include <gmock/gmock.h>

#include <abut/error.hpp>
#include <limits>
#include <random>

#include "mesh_samples.hpp"
#include "sanitized.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

struct InvalidMesh {
  std::string text;
  std::string problem;
};

std::string mesh_error(const std::string& path, int dimension) {
  try {
    read_mesh(path, dimension);
  } catch (const Error& error) {
    return error.what();
  }
  return "read without complaint";
}

void expect_mesh_error(const std::string& name, const InvalidMesh& wall, int dimension) {
  const Folder folder;
  const std::string problem = mesh_error(folder.write(name, wall.text), dimension);
  EXPECT_THAT(problem, AllOf(HasSubstr(wall.problem), Not(HasSubstr("\n"))));
}

void expect_mesh_errors(const std::string& name, int dimension,
                        const std::vector<InvalidMesh>& walls) {
  for (const InvalidMesh& wall : walls) expect_mesh_error(name, wall, dimension);
}

TEST(MeshErrors, ReportsUnreadableFile) {
  const Folder folder;
  EXPECT_THAT(mesh_error(folder.path("none.stl"), 3),
              EndsWith("none.stl: No such file or directory"));
  EXPECT_THAT(mesh_error(folder.path(""), 3), EndsWith("Is a directory"));
  EXPECT_EQ(mesh_error(folder.write("w.stl", two_triangles_text), 4),
            "dimension of a wall = 4: must be 2 or 3");
}

TEST(MeshErrors, RejectsEmptyFiles) {
  for (const char* name : {"w.stl", "w.obj", "w.csv", "w"})
    for (const char* text : {"", " \r\n\t\n", "\xEF\xBB\xBF"}) {
      expect_mesh_error(name, {text, ": empty; walls in 3D are STL or faces (f) of an OBJ"}, 3);
      expect_mesh_error(name, {text, ": empty; walls in 2D are CSV with the header x1,y1,x2,y2"},
                        2);
    }
}

TEST(MeshErrors, RejectsBinaryStlOfWrongSize) {
  const std::string good = binary_stl(two_triangles);
  const std::string solid = binary_stl(two_triangles, 3, "solid cube");
  expect_mesh_errors(
      "w.stl", 3,
      {
          {good.substr(0, 183),
           "w.stl: 183 bytes, but no binary STL, as the 2 triangles its header"
           " counts take 184 bytes (1 are missing); no ASCII STL, as it does"
           " not begin with 'solid'; no OBJ, as no line begins with v, f or"
           " l; walls in 3D are STL or faces (f) of an OBJ"},
          {good + "\n",
           "185 bytes, but no binary STL, as the 2 triangles its header counts take"
           " 184 bytes (1 too many)"},
          {good.substr(0, 84), "84 bytes, but no binary STL, as the 2 triangles"},
          {good.substr(0, 83), "83 bytes, but no binary STL, which has at least 84 bytes"},
          {solid,
           "as the 3 triangles its header counts take 234 bytes (50 are missing); no ASCII"
           " STL, as it begins with 'solid' but has no facet"},
          {binary_stl(two_triangles, 2 ^ 0x100), "as the 258 triangles"},
          {binary_stl(two_triangles, 0xFFFFFFFF),
           "as the 4294967295 triangles its header counts take 214748364834 bytes"},
          {binary_stl(two_triangles, 0), "as the 0 triangles its header counts take 84 bytes"},
          {binary_stl(two_triangles, 3, "header\nv 0 0 0\nf 1 2 3\n"), "as the 3 triangles"},
          {binary_stl({}), "w.stl: has no triangles: its header counts 0"},
          {binary_stl({}, 0, "solid"), "w.stl: has no triangles: its header counts 0"},
      });
}

TEST(MeshErrors, RejectsNonFiniteVerticesOfBinaryStl) {
  std::vector<Triangle> triangles = two_triangles;
  triangles[1][2][1] = std::numeric_limits<float>::quiet_NaN();
  // 84 + 50 + 12 bytes of normal + two corners of 12 + x
  expect_mesh_error("w.stl",
                    {binary_stl(triangles),
                     "w.stl: byte 174: y of corner 3 of triangle 2 = nan: must be finite"},
                    3);
  triangles[0][0][0] = -std::numeric_limits<float>::infinity();
  expect_mesh_error("w.stl",
                    {binary_stl(triangles),
                     "w.stl: byte 96: x of corner 1 of triangle 1 = -inf: must be finite"},
                    3);
}

TEST(MeshErrors, ReportsLineAndFacetOfAsciiStl) {
  const std::string facet =
      "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
      "0\nendloop\nendfacet\n";
  const auto loop = [&](const std::string& vertices) {
    return "solid\n" + facet + "facet normal 0 0 1\nouter loop\n" + vertices +
           "endloop\nendfacet\nendsolid\n";
  };
  expect_mesh_errors(
      "w.stl", 3,
      {
          {"solid empty\nendsolid\n",
           "w.stl:3: has no triangles: there is no facet before endsolid"},
          {"solid a", "7 bytes, but no binary STL"},
          {"solid a\n" + facet,
           "w.stl:9: ends where facet or endsolid must follow (facet 1); the file is cut short"},
          {"solid\n" + facet + "endsolid\nmore\n",
           "w.stl:10: 'more' where solid must follow (facet 1)"},
          {"solid\n" + facet + "endsolid a " + facet,
           "w.stl:9: 'facet' where solid must follow (facet 1)"},
          {"solid\nendfacet\n",
           "w.stl:2: 'endfacet' where facet or endsolid must follow (before the first facet)"},
          {"solid\nfacet\nouter loop\n", "w.stl:3: 'outer' where normal must follow (facet 1)"},
          {"solid\nfacet normal 0 0\nouter loop\n",
           "w.stl:3: z of the normal of facet 1: missing"},
          {"solid\nfacet normal 0", "w.stl:2: y of the normal of facet 1: missing"},
          {loop("vertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\n"),
           "w.stl:14: facet 2 has more than 3 vertices; cut it into triangles"},
          {loop("vertex 0 0 0\nvertex 1 0 0\n"), "w.stl:13: facet 2 has 2 vertices instead of 3"},
          {loop(""), "w.stl:11: facet 2 has 0 vertices instead of 3"},
          {loop("vertex 0 0 0\nvertx 1 0 0\n"),
           "w.stl:12: 'vertx' where vertex must follow (facet 2)"},
          {loop("vertex 0 0 0\nvertex 1,5 0 0\n"),
           "w.stl:12: x of vertex 2 of facet 2 = 1,5: must be a number; write decimal points (1.5)"},
          {loop("vertex 0 nan 0\n"),
           "w.stl:11: y of vertex 1 of facet 2 = nan: must be finite"},
          {loop("vertex 0 0 -inf\n"),
           "w.stl:11: z of vertex 1 of facet 2 = -inf: must be finite"},
          {loop("vertex 0 0 1e999\n"), "z of vertex 1 of facet 2 = 1e999: out of range"},
          {loop("vertex 0 0 -1e151\n"),
           "z of vertex 1 of facet 2 = -1e151: must lie within 1e150 of the origin"},
          {loop("vertex 0 0 0x1\n"), "z of vertex 1 of facet 2 = 0x1: must be a number"},
          {loop("vertex 0 0 1.5d3\n"), "write the exponent with e"},
          {loop(std::string("vertex 0 0 \0\n", 13)), "facet 2 = \\x00: must be a number"},
          {"solid\nfacet normal 0 0 1\nouter loop\nvertex 1 2",
           "w.stl:4: z of vertex 1 of facet 1: missing"},
      });
}

TEST(MeshErrors, ReportsLineAndFaceOfObj) {
  const std::string v = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  expect_mesh_errors(
      "w.obj", 3,
      {
          {"hello\n", "w.obj:2: has no faces (f), of which a wall in 3D is made"},
          {v, "w.obj:4: has no faces (f)"},
          {v + "l 1 2\n",
           "has no faces (f), of which a wall in 3D is made; lines (l) are walls in 2D only"},
          {"v 0 0\n", "w.obj:1: z of vertex 1: missing"},
          {"v 0 0 # 0\n", "w.obj:1: z of vertex 1: missing"},
          {"v 0 0,5 0\n", "w.obj:1: y of vertex 1 = 0,5: must be a number; write decimal points (1.5)"},
          {"v 0 0 0\nv 0 nan 0\n", "w.obj:2: y of vertex 2 = nan: must be finite"},
          {"v 0 0 inf\n", "w.obj:1: z of vertex 1 = inf: must be finite"},
          {"v 0 0 1e200\n", "z of vertex 1 = 1e200: must lie within 1e150 of the origin"},
          {"v 0 0 0 red\n", "weight or colour of vertex 1 = red: must be a number"},
          {"v 0 0 0 1 1 1 1 1\n", "w.obj:1: vertex 1 has more than 7 numbers; it is x y z"},
          {v + "f 1 2\n", "w.obj:4: face 1 has 2 vertices; it needs 3"},
          {v + "f\n", "w.obj:4: face 1 has 0 vertices; it needs 3"},
          {v + "f 1 2 3\nf 1 0 3\n",
           "w.obj:5: vertex of face 2 = 0: vertices are numbered from 1"},
          {v + "f 1 2 4\n",
           "w.obj:4: vertex of face 1 = 4: there are only 3 vertices before this line"},
          {v + "f 1 2 -4\n", "vertex of face 1 = -4: there are only 3 vertices"},
          {v + "f 1 2 9223372036854775807\n", "there are only 3 vertices"},
          {v + "f 1 2 -9223372036854775808\n", "there are only 3 vertices"},
          {v + "f 1 2 9223372036854775808\n", "must be a number"},
          {v + "f 1 2 x\n", "vertex of face 1 = x: must be a number, as 5, 5/2, 5//3 or 5/2/3"},
          {v + "f 1 2 3.0\n", "vertex of face 1 = 3.0: must be a number"},
          {v + "f 1,2,3\n", "vertex of face 1 = 1,2,3: must be a number"},
          {v + "f 1 2 /3\n", "vertex of face 1 = /3: must be a number"},
          {v + "f 1 2 3/a\n", "vertex of face 1 = 3/a: must be a number"},
          {v + "f 1 2 \\ 3\n", "w.obj:4: a backslash must be the last in its line"},
          {v + "f 1 2 \\\n 4\n", "w.obj:5: vertex of face 1 = 4: there are only 3"},
          {v + "f 1 2 \\", "w.obj:4: face 1 has 2 vertices; it needs 3"},
      });
  expect_mesh_errors(
      "w.obj", 2,
      {
          {v + "f 1 2 3\n",
           "has no lines (l), of which a wall in 2D is made; faces (f) are walls in 3D only"},
          {v + "l 1\n", "w.obj:4: line 1 has 1 vertices; it needs 2"},
          {v + "l 1 2\nl 2 4\n", "w.obj:5: vertex of line 2 = 4: there are only 3 vertices"},
          {v + "v 0 0 0.5\nl 1 2\nl 3 4\n",
           "w.obj:6: z of vertex 4 = 0.5, but z of vertex 1 = 0: walls in 2D must have one z"},
      });
}

TEST(MeshErrors, ReportsLineAndFieldOfCsv) {
  const std::string header = "x1,y1,x2,y2\n";
  expect_mesh_errors(
      "w.csv", 2,
      {
          {"0,0,1,1\n", "w.csv:1: x1: missing column; the header must be x1,y1,x2,y2"},
          {"x,y,r\n0,0,1\n", "w.csv:1: x1: missing column"},
          {"x1,y1,x2\n", "w.csv:1: y2: missing column"},
          {"x1,y1,x2,y2,x1\n", "w.csv:1: x1: duplicate column"},
          {"x1;y1;x2;y2\n0;0;1;1\n", "w.csv:1: columns must be separated by commas, not ';'"},
          {header, "w.csv:2: has no segments, only a header"},
          {header + "0,0,1,1\n0,0,1\n", "w.csv:3: segment 1 has 3 fields, but the header has 4"},
          {header + "0,5,0,1,1\n",
           "w.csv:2: segment 0 has more than the 4 fields of the header;"
           " numbers are written 1.5, not 1,5"},
          {header + "0,0,,1\n", "w.csv:2: x2 of segment 0: missing"},
          {header + "0,0,1,one\n", "w.csv:2: y2 of segment 0 = one: must be a number"},
          {header + "nan,0,1,1\n", "w.csv:2: x1 of segment 0 = nan: must be finite"},
          {header + "0,inf,1,1\n", "w.csv:2: y1 of segment 0 = inf: must be finite"},
          {header + "0,1e160,1,1\n", "y1 of segment 0 = 1e160: must lie within 1e150"},
      });
}

TEST(MeshErrors, RejectsWrongDimensionAndUnknownFormat) {
  const std::string segments = "x1,y1,x2,y2\n0,0,1,1\n";
  expect_mesh_error(
      "w", {segments, "w: CSV has segments, but the particles are 3D; walls in 3D are"}, 3);
  expect_mesh_error("w.csv", {segments, "w.csv: CSV has segments, but the particles are 3D"}, 3);
  expect_mesh_error("w",
                    {two_triangles_text,
                     "w: ASCII STL has triangles, but the particles are 2D;"
                     " walls in 2D are CSV"},
                    2);
  expect_mesh_error("w", {binary_stl(two_triangles), "w: binary STL has triangles, but"}, 2);
  expect_mesh_error("w.stl",
                    {"hello\n",
                     "w.stl: 6 bytes, but no binary STL, which has at least 84"
                     " bytes; no ASCII STL, as it does not begin with 'solid'"},
                    3);
  expect_mesh_error("w",
                    {"hello\n",
                     "w: 6 bytes, but no CSV, as its first line is no header; no OBJ,"
                     " as no line begins with v, f or l; walls in 2D are CSV"},
                    2);
}

// An error of one line, or a mesh without a flaw.
void expect_mesh_or_error(const std::string& path, int dimension) {
  try {
    const MeshFile file = read_mesh(path, dimension);
    if (dimension == 2)
      expect_sound(file.segments);
    else
      expect_sound(file.triangles);
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
    EXPECT_THAT(error.what(), HasSubstr("wall"));
  }
}

struct Sample {
  std::string name;
  std::string text;
  int dimension;
};

const std::vector<Sample> samples{
    {"wall.stl", two_triangles_text, 3},
    {"wall.stl", binary_stl(two_triangles, 2, "solid facet"), 3},
    {"wall.obj",
     "# a\nv 0 0 0\nv 1 0 0\nv 1 1 0 1\nv 0 1 0\nvn 0 0 1\nf 1 2 3\nf 1//1 2//1 3/1/1 \\\n4/2\n"
     "f -4 -3 -2 -1 1\ng \"x\n",
     3},
    {"wall", "v 0 0 1\nv 1 0 1\nv 1 1 1\nl 1 2 3\nl -1 \\\n -3\nf 1 2 3\n", 2},
    {"wall.csv", "x1,y1,name,x2,y2\n0,0,\"a,b\",1,0\n1,0,c,1.5e0,2\n1.5,2,,-0.25,+7\n", 2},
};

TEST(MeshErrors, SurvivesTruncationAnywhere) {
  const Folder folder;
  for (const auto& [name, text, dimension] : samples)
    for (std::size_t size = 0; size < text.size(); ++size)
      expect_mesh_or_error(folder.write(name, text.substr(0, size)), dimension);
}

// Only the name after endsolid can be lost without notice.
TEST(MeshErrors, RejectsTruncatedAsciiStl) {
  const std::string& text = two_triangles_text;
  const Folder folder;
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string problem = mesh_error(folder.write("w.stl", text.substr(0, size)), 3);
    const bool whole = size >= text.find("endsolid") + 8;
    EXPECT_EQ(problem == "read without complaint", whole) << size << ": " << problem;
  }
}

std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return random() % n; };
  static const std::string tokens =
      R"(0123456789.,-+eE/\#"vflnaisod )" + std::string("\n\r\t\0\xff", 5);
  for (std::size_t changes = 1 + below(3); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = below(text.size());
    switch (below(5)) {
      case 0:
        text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:
        text[at] = tokens[below(tokens.size())];
        break;
      case 2:
        text.erase(at, 1 + below(8));
        break;
      case 3:
        text.insert(at, 1, tokens[below(tokens.size())]);
        break;
      default:
        text.insert(at, text.substr(below(text.size()), 1 + below(20)));
        break;
    }
  }
  return text;
}

TEST(MeshErrors, SurvivesMutations) {
  const Folder folder;
  std::mt19937 random(20240607);  // the same bytes every time
  for (const auto& [name, text, dimension] : samples)
    for (int trial = 0; trial < trial_count(2000); ++trial)
      expect_mesh_or_error(folder.write(name, mutated(text, random)), dimension);
}

// What binary STL can survive is a change of its floats: any bits are a number or refused.
TEST(MeshErrors, SurvivesArbitraryFloatsInBinaryStl) {
  const Folder folder;
  std::mt19937 random(7);
  for (int trial = 0; trial < trial_count(2000); ++trial) {
    std::string bytes = binary_stl(two_triangles);
    for (int changes = 0; changes < 4; ++changes)
      bytes[84 + random() % 100] = static_cast<char>(random());
    expect_mesh_or_error(folder.write("wall.stl", bytes), 3);
  }
}

}  // namespace
}  // namespace abut::testing
