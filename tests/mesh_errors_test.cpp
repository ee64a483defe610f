// Invalid meshes: one line with file, line or byte, key, value and hint. For any bytes there is an
// error or a valid mesh, never a crash.
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
  return "no error";
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
            "dimension = 4: must be 2 or 3");
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
           "w.stl: unknown format of 183 bytes; not binary STL: the 2 facets of its header take"
           " 184 bytes (1 are missing); not ASCII STL: does not begin with 'solid'; not OBJ: no"
           " line begins with v, f or l; walls in 3D are STL or faces (f) of an OBJ"},
          {good + "\n",
           "unknown format of 185 bytes; not binary STL: the 2 facets of its header take 184 bytes"
           " (1 too many)"},
          {good.substr(0, 84), "84 bytes; not binary STL: the 2 facets"},
          {good.substr(0, 83), "83 bytes; not binary STL: shorter than 84 bytes"},
          {solid,
           "the 3 facets of its header take 234 bytes (50 are missing); not ASCII STL: begins with"
           " 'solid' but has no facet"},
          {binary_stl(two_triangles, 2 ^ 0x100), "the 258 facets"},
          {binary_stl(two_triangles, 0xFFFFFFFF),
           "the 4294967295 facets of its header take 214748364834 bytes"},
          {binary_stl(two_triangles, 0), "the 0 facets of its header take 84 bytes"},
          {binary_stl(two_triangles, 3, "header\nv 0 0 0\nf 1 2 3\n"), "the 3 facets"},
          {binary_stl({}), "w.stl: no facets; its header has 0"},
          {binary_stl({}, 0, "solid"), "w.stl: no facets; its header has 0"},
      });
}

TEST(MeshErrors, RejectsNonFiniteVerticesOfBinaryStl) {
  std::vector<Triangle> triangles = two_triangles;
  triangles[1][2][1] = std::numeric_limits<float>::quiet_NaN();
  // 84 + 50 + 12 bytes of the normal + two vertices of 12 + x
  expect_mesh_error(
      "w.stl",
      {binary_stl(triangles),
       "w.stl: y of vertex 3 of facet 2 = nan: must be finite; the file is damaged at byte 174"},
      3);
  triangles[0][0][0] = -std::numeric_limits<float>::infinity();
  expect_mesh_error(
      "w.stl",
      {binary_stl(triangles),
       "w.stl: x of vertex 1 of facet 1 = -inf: must be finite; the file is damaged at byte 96"},
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
          {"solid empty\nendsolid\n", "w.stl:3: no facets before endsolid"},
          {"solid a", "7 bytes; not binary STL"},
          {"solid a\n" + facet,
           "w.stl:9: ends before facet or endsolid (facet 1); the file is truncated"},
          {"solid\n" + facet + "endsolid\nmore\n",
           "w.stl:10:1: keyword = more: must be solid (facet 1)"},
          {"solid\n" + facet + "endsolid a " + facet,
           "w.stl:9:12: keyword = facet: must be solid (facet 1)"},
          {"solid\nendfacet\n",
           "w.stl:2:1: keyword = endfacet: must be facet or endsolid (before the first facet)"},
          {"solid\nfacet\nouter loop\n", "w.stl:3:1: keyword = outer: must be normal (facet 1)"},
          {"solid\nfacet normal 0 0\nouter loop\n", "w.stl:3: z of the normal of facet 1: missing"},
          {"solid\nfacet normal 0", "w.stl:2: y of the normal of facet 1: missing"},
          {loop("vertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\n"),
           "w.stl:14: facet 2 has more than 3 vertices; triangulate it"},
          {loop("vertex 0 0 0\nvertex 1 0 0\n"), "w.stl:13: facet 2 has 2 vertices instead of 3"},
          {loop(""), "w.stl:11: facet 2 has 0 vertices instead of 3"},
          {loop("vertex 0 0 0\nvertx 1 0 0\n"),
           "w.stl:12:1: keyword = vertx: must be vertex (facet 2)"},
          {loop("vertex 0 0 0\nvertex 1,5 0 0\n"),
           "w.stl:12:8: x of vertex 2 of facet 2 = 1,5: must be a number; write decimal points "
           "(1.5)"},
          {loop("vertex 0 nan 0\n"), "w.stl:11:10: y of vertex 1 of facet 2 = nan: must be finite"},
          {loop("vertex 0 0 -inf\n"),
           "w.stl:11:12: z of vertex 1 of facet 2 = -inf: must be finite"},
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
          {"hello\n", "w.obj:2: no faces (f), which make up a wall in 3D"},
          {v, "w.obj:4: no faces (f)"},
          {v + "l 1 2\n",
           "no faces (f), which make up a wall in 3D; lines (l) are walls in 2D only"},
          {"v 0 0\n", "w.obj:1: z of vertex 1: missing"},
          {"v 0 0 # 0\n", "w.obj:1: z of vertex 1: missing"},
          {"v 0 0,5 0\n",
           "w.obj:1:5: y of vertex 1 = 0,5: must be a number; write decimal points (1.5)"},
          {"v 0 0 0\nv 0 nan 0\n", "w.obj:2:5: y of vertex 2 = nan: must be finite"},
          {"v 0 0 inf\n", "w.obj:1:7: z of vertex 1 = inf: must be finite"},
          {"v 0 0 1e200\n", "z of vertex 1 = 1e200: must lie within 1e150 of the origin"},
          {"v 0 0 0 red\n", "weight or color of vertex 1 = red: must be a number"},
          {"v 0 0 0 1 1 1 1 1\n", "w.obj:1: vertex 1 has more than 7 numbers; it is x y z"},
          {v + "f 1 2\n", "w.obj:4: face 1 has 2 vertices; it needs 3"},
          {v + "f\n", "w.obj:4: face 1 has 0 vertices; it needs 3"},
          {v + "f 1 2 3\nf 1 0 3\n",
           "w.obj:5:5: vertex of face 2 = 0: must not be 0; vertices are numbered from 1"},
          {v + "f 1 2 4\n",
           "w.obj:4:7: vertex of face 1 = 4: must refer to one of the 3 vertices before this line"},
          {v + "f 1 2 -4\n", "vertex of face 1 = -4: must refer to one of the 3 vertices"},
          {v + "f 1 2 9223372036854775807\n", "must refer to one of the 3 vertices"},
          {v + "f 1 2 -9223372036854775808\n", "must refer to one of the 3 vertices"},
          {v + "f 1 2 9223372036854775808\n", "must be a vertex number"},
          {v + "f 1 2 x\n",
           "vertex of face 1 = x: must be a vertex number, as 5, 5/2, 5//3 or 5/2/3"},
          {v + "f 1 2 3.0\n", "vertex of face 1 = 3.0: must be a vertex number"},
          {v + "f 1,2,3\n", "vertex of face 1 = 1,2,3: must be a vertex number"},
          {v + "f 1 2 /3\n", "vertex of face 1 = /3: must be a vertex number"},
          {v + "f 1 2 3/a\n", "vertex of face 1 = 3/a: must be a vertex number"},
          {v + "f 1 2 \\ 3\n", "w.obj:4: a backslash must end its line"},
          {v + "f 1 2 \\\n 4\n", "w.obj:5:2: vertex of face 1 = 4: must refer to one of the 3"},
          {v + "f 1 2 \\", "w.obj:4: face 1 has 2 vertices; it needs 3"},
      });
  expect_mesh_errors(
      "w.obj", 2,
      {
          {v + "f 1 2 3\n",
           "no lines (l), which make up a wall in 2D; faces (f) are walls in 3D only"},
          {v + "l 1\n", "w.obj:4: line 1 has 1 vertices; it needs 2"},
          {v + "l 1 2\nl 2 4\n",
           "w.obj:5:5: vertex of line 2 = 4: must refer to one of the 3 vertices"},
          {v + "v 0 0 0.5\nl 1 2\nl 3 4\n",
           "w.obj:6: z of vertex 4 = 0.5: must equal z of vertex 1, 0; walls in 2D lie in one "
           "plane"},
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
          {header, "w.csv:2: no segments, only a header"},
          {header + "0,0,1,1\n0,0,1\n", "w.csv:3: segment 1 has 3 fields, but the header has 4"},
          {header + "0,5,0,1,1\n",
           "w.csv:2: segment 0 has more than the 4 fields of the header;"
           " write decimal points (1.5), not commas"},
          {header + "0,0,,1\n", "w.csv:2: x2 of segment 0: missing"},
          {header + "0,0,1,one\n", "w.csv:2:7: y2 of segment 0 = one: must be a number"},
          {header + "nan,0,1,1\n", "w.csv:2:1: x1 of segment 0 = nan: must be finite"},
          {header + "0,inf,1,1\n", "w.csv:2:3: y1 of segment 0 = inf: must be finite"},
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
                     "w.stl: unknown format of 6 bytes; not binary STL: shorter than 84 bytes;"
                     " not ASCII STL: does not begin with 'solid'"},
                    3);
  expect_mesh_error("w",
                    {"hello\n",
                     "w: unknown format of 6 bytes; not CSV: the first line is not a header; not"
                     " OBJ: no line begins with v, f or l; walls in 2D are CSV"},
                    2);
}

// Reading gives an error of one line or a valid mesh.
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

// Only the name after endsolid can be truncated without notice.
TEST(MeshErrors, RejectsTruncatedAsciiStl) {
  const std::string& text = two_triangles_text;
  const Folder folder;
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string problem = mesh_error(folder.write("w.stl", text.substr(0, size)), 3);
    const bool is_complete = size >= text.find("endsolid") + 8;
    EXPECT_EQ(problem == "no error", is_complete) << size << ": " << problem;
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
  std::mt19937 random(20240607);  // a fixed seed
  for (const auto& [name, text, dimension] : samples)
    for (int trial = 0; trial < trial_count(500); ++trial)
      expect_mesh_or_error(folder.write(name, mutated(text, random)), dimension);
}

// Any bits of a coordinate are a finite number or rejected.
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
