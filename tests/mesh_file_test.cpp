// Meshes are read exactly as their files give them, for the dialects of many programs.
#include "io/mesh_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <abut/error.hpp>
#include <limits>
#include <regex>

#include "core/message.hpp"
#include "io/output_file.hpp"
#include "mesh_samples.hpp"

namespace abut::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// The text with every match of a pattern replaced.
std::string edited(const std::string& text, const std::string& pattern, const std::string& by) {
  return std::regex_replace(text, std::regex(pattern), by);
}

TEST(MeshFile, ReadsBinaryStl) {
  const MeshFile file = read_text("wall.stl", binary_stl(two_triangles));
  EXPECT_EQ(file.format, "binary STL");
  EXPECT_THAT(file.file, ::testing::EndsWith("wall.stl"));
  EXPECT_EQ(file.dimension, 3);
  EXPECT_THAT(file.warnings, IsEmpty());
  expect_equal(file.mesh<3>(), two_triangles_mesh);
  EXPECT_TRUE(file.mesh<2>().facets.empty());
}

TEST(MeshFile, DetectsBinaryStlBySize) {
  for (const char* header : {"solid", "solid cube\n facet normal 0 0 1", "\xEF\xBB\xBFmark", ""})
    for (const char* name : {"wall.stl", "wall.obj", "wall.csv", "wall"}) {
      const MeshFile file = read_text(name, binary_stl(two_triangles, 2, header));
      EXPECT_EQ(file.format, "binary STL") << header;
      expect_equal(file.triangles, two_triangles_mesh);
    }
}

TEST(MeshFile, WeldsEqualVerticesAndNegativeZero) {
  const MeshFile file =
      read_text("wall.stl", binary_stl({{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
                                        {{{-0.0F, 0, -0.0F}, {1, -0.0F, 0}, {0, 0, 1e-30F}}}}));
  expect_equal(file.triangles, Mesh<3>{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, double{1e-30F}}},
                                       {{0, 1, 2}, {0, 1, 3}}});
}

TEST(MeshFile, KeepsDegenerateAndDuplicateFacets) {
  const Triangle point{{{2, 2, 2}, {2, 2, 2}, {2, 2, 2}}};
  const MeshFile file = read_text(
      "wall.stl", binary_stl({two_triangles[0], point, two_triangles[0], two_triangles[1]}));
  expect_equal(file.triangles, Mesh<3>{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 2, 2}, {1, 1.5, -2}},
                                       {{0, 1, 2}, {3, 3, 3}, {0, 1, 2}, {1, 4, 2}}});
}

TEST(MeshFile, ReadsAsciiStlInAnyLayout) {
  const std::string& text = two_triangles_text;
  std::string capitals = text;
  std::ranges::transform(capitals, capitals.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  for (const std::string& written :
       {text, capitals, edited(text, "\n", "\r\n"), edited(text, "\n", "\r"),
        text.substr(0, text.size() - 1), edited(text, "endsolid two\n", "endsolid"),
        edited(text, " ", "\t \t"), edited(text, "\n", "\n\n \n"), edited(text, "\n *", "\n"),
        edited(text, " +(?!two)", "\n").replace(0, 6, "solid "),
        "solid " + edited(text.substr(6), "\\s+", " "), "\n \n" + text, "\xEF\xBB\xBF" + text,
        edited(text, "two", "a wall, part facet 2 of solid"), edited(text, "two", ""),
        edited(text, "1\\.5 -2", "+15.e-1 -0.2E+1"), edited(text, "normal 0 0 1", "normal 7 7 7"),
        edited(text, "vertex 0 0 0", "vertex -0.0 0e5 +0")}) {
    const MeshFile file = read_text("wall.txt", written);
    EXPECT_EQ(file.format, "ASCII STL");
    EXPECT_THAT(file.warnings, IsEmpty()) << written;
    expect_equal(file.triangles, two_triangles_mesh);
  }
}

TEST(MeshFile, ReadsSeveralSolidsAsOneMesh) {
  const std::string first = two_triangles_text.substr(0, two_triangles_text.find("  facet", 20));
  const MeshFile file =
      read_text("wall.stl", "solid empty\nendsolid empty\n" + first + "endsolid\n" + first +
                                "endsolid two\n" + two_triangles_text);
  EXPECT_THAT(file.warnings, ElementsAre("4 solids, read as one wall"));
  expect_equal(file.triangles,
               Mesh<3>{two_triangles_mesh.vertices, {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {1, 3, 2}}});
}

TEST(MeshFile, WarnsAboutNonFiniteNormals) {
  for (const char* normal :
       {"nan nan nan", "-nan(ind) 0 0", "0 0 1.#QNAN", "0 -inf 0", "0,5 0 0"}) {
    const MeshFile file = read_text(
        "wall.stl",
        two_triangles_text + edited(two_triangles_text, "0 0 1\n", normal + std::string("\n")));
    EXPECT_THAT(file.warnings, ElementsAre("2 solids, read as one wall",
                                           "2 of 4 facets have a normal that is not finite;"
                                           " normals are ignored"));
    EXPECT_EQ(file.triangles.vertices, two_triangles_mesh.vertices);
  }
}

TEST(MeshFile, ReadsObjInAnyLayout) {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1.5 -2\n";
  for (const std::string& written : std::vector<std::string>{
           vertices + "f 1 2 3\nf 2 4 3\n",
           vertices + "f 1 2 3\r\nf 2 4 3",
           vertices + "f 1/1 2/2 3/1\nf 2/9 4/9 3/9\n",
           vertices + "f 1//1 2//1 3//1\nf 2//-1 4//-1 3//-1\n",
           vertices + "f 1/1/1 2/2/1 3/3/1\nf 2/1/1 4/2/1 3/3/1\n",
           vertices + "f -4 -3 -2\nf -3 -1 -2\n",
           vertices + "\tf  1\t2 3 \n f 2 4 3 # the other\n",
           vertices + "f 1 \\\n 2 3\nf 2 4\\\r\n3\n",
           "mtllib c:\\a\\b.mtl\no Wall\n# made, in c:\\a\\\n" + vertices +
               "vn 0 0 1\nvt 0 0\ns off\nusemtl gray\ng a b\nf 1 2 3\nparm u \\\n f\nf 2 4 3\np "
               "1\n",
           "v 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 1 1 1 1\nf 1 2 3\nv 1 1.5 -2\nf 2 4 3\n",
           "v 9 9 9\n" + vertices + "f 2 3 4\nf 3 5 4\n",
           "v 0 -0 0\nv 1 0 0\nv 0 1 0\nv 1e0 0 0\nv +1 15e-1 -2.\nv 0 1 0\nf 1 2 3\nf 4 5 6\n",
       })
    for (const char* name : {"wall.obj", "WALL.OBJ", "wall"}) {
      const MeshFile file = read_text(name, written);
      EXPECT_EQ(file.format, "OBJ");
      EXPECT_THAT(file.warnings, IsEmpty()) << written;
      expect_equal(file.triangles, two_triangles_mesh);
    }
}

TEST(MeshFile, TriangulatesPolygonsAsFans) {
  const MeshFile file = read_text(
      "wall.obj", "v 0 0 0\nv 2 0 0\nv 3 1 0\nv 2 2 0\nv 0 2 0\nf 1 2 3 4 5\nf 1 2 4\nl 1 2\n");
  expect_equal(file.triangles, Mesh<3>{{{0, 0, 0}, {2, 0, 0}, {3, 1, 0}, {2, 2, 0}, {0, 2, 0}},
                                       {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 1, 3}}});
  EXPECT_THAT(file.warnings, ElementsAre("ignored 1 lines (l); walls in 3D are faces (f)",
                                         "triangulated 1 polygons of more than 3 vertices"));
}

// A fan from the second vertex covers the arrow; one from the first would overlap itself.
TEST(MeshFile, ChoosesApexOfConcavePolygon) {
  const MeshFile file = read_text("wall.obj", "v 4 0 0\nv 1 1 0\nv 0 4 0\nv 0 0 0\nf 1 2 3 4\n");
  expect_equal(file.triangles,
               Mesh<3>{{{1, 1, 0}, {0, 4, 0}, {0, 0, 0}, {4, 0, 0}}, {{0, 1, 2}, {0, 2, 3}}});
  EXPECT_EQ(file.warnings.size(), 1U);
}

TEST(MeshFile, WarnsAboutPolygonsWithoutValidFan) {
  const MeshFile nonplanar = read_text(
      "wall.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0.1\nv 0 1 0\nf 1 2 3 4\nf 4 3 2 1\nf 1 2 3\n");
  EXPECT_THAT(nonplanar.warnings, ElementsAre("triangulated 2 polygons of more than 3 vertices",
                                              StartsWith("2 polygons are not planar")));
  const MeshFile comb = read_text("wall.obj",
                                  "v 0 0 0\nv 5 0 0\nv 5 5 0\nv 4 5 0\nv 4 1 0\nv 3 1 0\nv 3 5 0\n"
                                  "v 2 5 0\nv 2 1 0\nv 1 1 0\nv 1 5 0\nv 0 5 0\n"
                                  "f 1 2 3 4 5 6 7 8 9 10 11 12\n");
  EXPECT_THAT(comb.warnings, ElementsAre("triangulated 1 polygons of more than 3 vertices",
                                         StartsWith("1 polygons are so concave")));
  EXPECT_EQ(comb.triangles.facets.size(), 10U);
  EXPECT_EQ(comb.triangles.facets[9], (std::array<Index, 3>{0, 10, 11}));
}

// More vertices than apexes are tried: the fan begins at the first.
TEST(MeshFile, TriesLimitedNumberOfApexes) {
  constexpr int teeth = 100;
  std::string vertices = "v 0 -1 0\nv 100 -1 0\n";
  std::string face = "f 1 2";
  for (int x = teeth; x >= 0; --x) {
    vertices += message("v ", x, x % 2 == 0 ? " 0 0\n" : " 5 0\n");
    face += message(" ", teeth - x + 3);
  }
  const MeshFile file = read_text("wall.obj", vertices + face);
  EXPECT_THAT(file.warnings.back(), StartsWith("1 polygons are so concave"));
  ASSERT_EQ(file.triangles.facets.size(), 101U);
  EXPECT_EQ(file.triangles.vertices[0], (Point<3>{0, -1, 0}));
  for (Index i = 0; i < 101; ++i)
    EXPECT_EQ(file.triangles.facets[i], (std::array<Index, 3>{0, i + 1, i + 2}));
}

TEST(MeshFile, ReadsSegmentsFromCsv) {
  const Mesh<2> expected{{{0, 0}, {1, 0}, {1, 2.5}}, {{0, 1}, {1, 2}, {2, 2}, {0, 1}}};
  for (const char* text : {
           "x1,y1,x2,y2\n0,0,1,0\n1,0,1,2.5\n1,2.5,1,2.5\n0,0,1,0\n",
           "x1,y1,x2,y2\r\n0,0,1,0\r\n1,0,1,2.5\r\n1,2.5,1,2.5\r\n0,0,1,0",
           "\"X1\", Y1 ,name,x2,y2\n0,0,\"a, b\",1,0\n1,0,,1,2.5\n\n1,2.5,c,1,2.5\n -0,0,d,1, -0\n",
           "\xEF\xBB\xBFx2,y2,x1,y1\n1,0,0,0\n1,25e-1,1,0\n1,2.5,1,2.5\n1,0,0,0\n",
       })
    for (const char* name : {"wall.csv", "wall.CSV", "wall"}) {
      const MeshFile file = read_text(name, text, 2);
      EXPECT_EQ(file.format, "CSV");
      EXPECT_EQ(file.dimension, 2);
      EXPECT_THAT(file.warnings, IsEmpty());
      expect_equal(file.mesh<2>(), expected);
    }
}

TEST(MeshFile, ReadsLinesFromObj) {
  const MeshFile file = read_text("wall.obj",
                                  "v 0 0 3\nv 1 0 3\nv 1 2.5 3\nv 8 8 8\nl 1 2 3/7 -4\nf 1 2 4\n"
                                  "v 0 -0 3\nl 5 2\n",
                                  2);
  EXPECT_EQ(file.format, "OBJ");
  expect_equal(file.segments,
               Mesh<2>{{{0, 0}, {1, 0}, {1, 2.5}}, {{0, 1}, {1, 2}, {2, 0}, {0, 1}}});
  EXPECT_THAT(file.warnings, ElementsAre("ignored 1 faces (f); walls in 2D are lines (l)"));
}

TEST(MeshFile, ReadsStandardInput) {
  const Folder folder;
  const int original = dup(STDIN_FILENO);
  const int file = open(folder.write("wall", binary_stl(two_triangles)).c_str(), O_RDONLY);
  dup2(file, STDIN_FILENO);
  ::close(file);
  const MeshFile mesh = read_mesh("-", 3);
  dup2(original, STDIN_FILENO);
  ::close(original);
  EXPECT_EQ(mesh.file, "standard input");
  expect_equal(mesh.triangles, two_triangles_mesh);
}

TEST(MeshFile, ReportsIncreasingProgress) {
  const std::vector<Triangle> many(200000, two_triangles[1]);
  const Folder folder;
  std::vector<double> fractions;
  read_mesh(folder.write("wall.stl", binary_stl(many)), 3,
            [&](double fraction) { fractions.push_back(fraction); });
  EXPECT_EQ(fractions.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(fractions));
  EXPECT_TRUE(fractions.front() > 0 && fractions.back() <= 1);
}

// More vertices than the hash table has at first, on a lattice, where poor hashes collide.
TEST(MeshFile, WeldsVerticesOfLargeSheet) {
  constexpr std::size_t side = 120;
  std::vector<Triangle> sheet;
  const auto at = [](std::size_t i, std::size_t j) {
    return std::array<float, 3>{static_cast<float>(i), static_cast<float>(j) / 4, -7};
  };
  for (std::size_t i = 0; i < side; ++i)
    for (std::size_t j = 0; j < side; ++j) {
      sheet.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
      sheet.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  const Mesh<3> mesh = read_text("wall.stl", binary_stl(sheet)).triangles;
  EXPECT_EQ(mesh.vertices.size(), (side + 1) * (side + 1));
  ASSERT_EQ(mesh.facets.size(), sheet.size());
  for (std::size_t i = 0; i < sheet.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_TRUE(std::ranges::equal(mesh.vertices[mesh.facets[i][k]], sheet[i][k]));
}

TEST(StlWriter, WritesStandardBinaryStl) {
  const Folder folder;
  OutputFile out(folder.path("wall.stl"));
  write_stl(out, two_triangles_mesh, {});
  EXPECT_THAT(folder.files(), ElementsAre(StartsWith("wall.stl.unfinished")));
  out.commit();
  EXPECT_THAT(folder.files(), ElementsAre("wall.stl"));
  const std::string bytes = folder.read("wall.stl");
  ASSERT_EQ(bytes.size(), 184U);
  EXPECT_FALSE(bytes.starts_with("solid"));
  EXPECT_EQ(bytes.substr(80, 4), bytes_of(std::uint32_t{2}));
  EXPECT_EQ(bytes.substr(84, 12), bytes_of(0.0F) + bytes_of(0.0F) + bytes_of(1.0F));
  EXPECT_EQ(bytes.substr(132, 2), std::string(2, '\0'));
  expect_equal(read_mesh(folder.path("wall.stl"), 3).triangles, two_triangles_mesh);
}

TEST(StlWriter, RoundsToFloatAndKeepsDegenerateFacets) {
  const Folder folder;
  OutputFile out(folder.path("wall.stl"));
  write_stl(out, Mesh<3>{{{0.1, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}, {1, 1, 1}}}, {});
  out.commit();
  EXPECT_EQ(folder.read("wall.stl").substr(84, 12), std::string(12, '\0'));
  expect_equal(read_mesh(folder.path("wall.stl"), 3).triangles,
               Mesh<3>{{{double{0.1F}, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}, {1, 1, 1}}});
}

TEST(StlWriter, RejectsUnrepresentableMeshAndCleansUp) {
  const Folder folder;
  const auto problem = [&](const Mesh<3>& mesh) -> std::string {
    try {
      OutputFile out(folder.path("wall.stl"));
      write_stl(out, mesh, {});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(problem({{{0, 0, 0}, {0, 1e39, 0}}, {{0, 1, 0}}}),
            "y of vertex 1 of the mesh = 1e+39: must be at most 3.4e38 to be written as STL");
  EXPECT_EQ(problem({{{0, 0, nan}}, {{0, 0, 0}}}),
            "z of vertex 0 of the mesh = nan: must be at most 3.4e38 to be written as STL");
  EXPECT_EQ(problem({{{0, 0, 0}}, {{0, 0, 1}}}),
            "vertex of the mesh = 1: must be less than 1, the number of vertices");
  EXPECT_THAT(folder.files(), IsEmpty());
}

}  // namespace
}  // namespace abut::testing
