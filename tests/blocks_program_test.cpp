// The command detect for polygons and polyhedra, run as a user runs it.
#include <gmock/gmock.h>

#include <algorithm>

#include "error_line.hpp"
#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* squares =
    "particle,x,y\n"
    "4,0,0\n4,1,0\n4,1,1\n4,0,1\n"
    "5,0.75,0.5\n5,0.75,1.5\n5,1.75,1.5\n5,1.75,0.5\n"  // clockwise
    "9,1.875,0\n9,2.875,0\n9,2.875,1\n9,1.875,1\n";

constexpr const char* cubes =
    R"({"dimension": 3,
        "shapes": {"cube": {"points": [[0,0,0],[1,0,0],[0,1,0],[1,1,0],
                                       [0,0,1],[1,0,1],[0,1,1],[1,1,1]]}},
        "particles": [{"shape": "cube", "id": 8},
                      {"shape": "cube", "id": 3, "position": [0.5, 0.25, 0.875]}]})";

std::string error_of(const std::string& text, const std::string& name = "b.csv") {
  const Folder folder;
  folder.write(name, text);
  return error_line(folder, {"detect", folder.path(name), "--out", folder.path("o.csv")});
}

TEST(DetectBlocks, ReadsPolygonsAndWritesContacts) {
  const Folder folder;
  folder.write("b.csv", squares);
  const ProgramResult result = run({"detect", folder.path("b.csv"), "--out", folder.path("o.csv")});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("3 particles of 3 convex parts in 2D, 1 contacts"));
  EXPECT_EQ(folder.read("o.csv"), "a,b,gap,nx,ny,px,py,area\n4,5,-0.25,1,0,0.875,0.75,0.5\n");
}

TEST(DetectBlocks, MarginAddsSeparatedPairs) {
  const Folder folder;
  folder.write("b.csv", squares);
  const ProgramResult result = run({"detect", folder.path("b.csv"), "--margin", "0.125", "--out",
                                    folder.path("o.csv"), "--svg", folder.path("o.svg")});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("2 contacts, 1 of them overlap"));
  EXPECT_EQ(folder.read("o.csv"),
            "a,b,gap,nx,ny,px,py,area\n4,5,-0.25,1,0,0.875,0.75,0.5\n"
            "5,9,0.125,1,0,1.8125,0.75,0\n");
  EXPECT_THAT(folder.read("o.svg"), AllOf(StartsWith("<svg"), HasSubstr("<polygon points=")));
}

TEST(DetectBlocks, DecomposesConcavePolygons) {
  const Folder folder;
  folder.write("b.csv",
               "particle,x,y\n1,0,0\n1,2,0\n1,2,1\n1,1,1\n1,1,2\n1,0,2\n"
               "2,1.125,1.125\n2,1.75,1.125\n2,1.75,1.75\n2,1.125,1.75\n");
  const ProgramResult result =
      run({"detect", folder.path("b.csv"), "--margin", "0.2", "--out", "-"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("2 particles of 3 convex parts"));
  EXPECT_THAT(result.out, AllOf(HasSubstr("1,2,0.125,1,0"), HasSubstr("1,2,0.125,0,1")));
}

TEST(DetectBlocks, ReadsJson) {
  const Folder folder;
  folder.write("s.json", cubes);
  const ProgramResult result =
      run({"detect", folder.path("s.json"), "--out", folder.path("o.csv")});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(folder.read("o.csv"),
              StartsWith("a,b,gap,nx,ny,nz,px,py,pz,area\n8,3,-0.125,0,0,1,0.75,0.625,0.9375,"));
}

TEST(DetectBlocks, ReadsFolderOfMeshes) {
  const Folder folder;
  std::filesystem::create_directory(folder.path("rocks"));
  EXPECT_EQ(run({"mesh", "box", "--n", "12", "--out", folder.path("rocks/b.stl")}).status, 0);
  folder.write("rocks/a.obj",
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  const ProgramResult result =
      run({"detect", folder.path("rocks"), "--out", folder.path("o.csv"), "--verbose"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("2 particles of 2 convex parts in 3D, 1 contacts"));
  EXPECT_THAT(folder.read("o.csv"), HasSubstr("\n0,1,-"));
}

TEST(DetectBlocks, FindsContactsAcrossPeriodicFaces) {
  const Folder folder;
  folder.write("b.csv", squares);
  const ProgramResult result = run({"detect", folder.path("b.csv"), "--box", "0,2.75,0,4",
                                    "--periodic", "x", "--out", folder.path("o.csv")});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(folder.read("o.csv"),
            "a,b,gap,nx,ny,px,py,area,ix,iy\n4,5,-0.25,1,0,0.875,0.75,0.5,0,0\n"
            "4,9,-0.125,-1,0,0.0625,0.5,1,-1,0\n");
}

TEST(PolygonScene, GeneratesTouchingPolygons) {
  const Folder folder;
  const std::string file = folder.path("p.csv");
  const ProgramResult generated =
      run({"scene", "polygons", "--n", "60", "--seed", "3", "--out", file});
  EXPECT_EQ(generated.status, 0) << generated.err;
  EXPECT_THAT(generated.out, StartsWith("wrote 60 polygons to "));
  const ProgramResult found = run({"detect", file});
  EXPECT_EQ(found.status, 0) << found.err;
  EXPECT_THAT(found.out, AllOf(StartsWith("60 particles of 60 convex parts in 2D"),
                               Not(HasSubstr(" 0 contacts"))));
  EXPECT_THAT(error_line(folder, {"scene", "polygons", "--out", folder.path("p.txt")}),
              HasSubstr("give a .csv file"));
}

TEST(BadBlocks, ReportsLineAndField) {
  EXPECT_THAT(error_of("particle,x,y\n1,0,0\n1,1,0\n"),
              AllOf(HasSubstr("b.csv:2: particle 1: "), HasSubstr("2 vertices")));
  EXPECT_THAT(error_of("particle,x,y\n1,0,0\n1,1,1\n1,1,0\n1,0,1\n"), HasSubstr("crosses"));
  EXPECT_THAT(error_of("particle,x,y\n1,0,0\n1,1,0\n1,2,0\n"), HasSubstr("no area"));
  EXPECT_THAT(error_of("particle,x,y\n1,0,0\n1,nan,0\n1,2,0\n"),
              AllOf(HasSubstr("b.csv:3:3: x of vertex 1"), HasSubstr("nan")));
  EXPECT_THAT(error_of("particle,x,y\n1,0,0\n1,1,0\n1,0,1\n2,5,5\n1,3,3\n"),
              AllOf(HasSubstr("b.csv:6: particle = 1: "),
                    HasSubstr("must be consecutive, but it began at line 2")));
  EXPECT_THAT(error_of("particle,x\n1,0\n"), HasSubstr("y: missing column"));
  EXPECT_THAT(error_of("particle,x,y,z\n1,0,0,0\n"), HasSubstr("column z"));
  EXPECT_THAT(error_of("particle,x,y\n"), HasSubstr("no vertices"));
  EXPECT_THAT(error_of("particle,x,y\n1,0\n"), HasSubstr("2 fields, but the header has 3"));
  EXPECT_THAT(error_of("particle,x,y\n1.5,0,0\n"),
              HasSubstr("particle of vertex 0 = 1.5: must be an integer"));
}

TEST(BadBlocks, ReportsParticlesOutsideDomain) {
  const Folder folder;
  const std::string file = folder.write("b.csv", squares);
  const std::string polyhedra = folder.write("s.json", cubes);
  EXPECT_THAT(error_line(folder, {"detect", file, "--box", "5,6,5,6"}),
              AllOf(HasSubstr("b.csv:2: particle "), HasSubstr(" centered at x = "),
                    HasSubstr(": outside --box, 5 to 6")));
  EXPECT_THAT(error_line(folder, {"detect", polyhedra, "--box", "-9,9,-9,9,0,1"}),
              AllOf(HasSubstr("s.json: particles[1]: "), HasSubstr(" centered at z = ")));
  EXPECT_THAT(error_line(folder, {"detect", file, "--box", "0,9,0,9,0,9"}),
              HasSubstr("--box is 3D, but the particles of "));
  EXPECT_THAT(error_line(folder, {"detect", file, "--box", "0,9,0,9", "--periodic", "q"}),
              HasSubstr("--periodic q: must be one or more of x, y and z"));
}

TEST(BadBlocks, RejectsOptionsOfSpheres) {
  const Folder folder;
  const std::string file = folder.write("b.csv", squares);
  EXPECT_THAT(error_line(folder, {"detect", file, "--expansion", "0.1"}),
              HasSubstr("--expansion: only for disks and spheres"));
  EXPECT_THAT(error_line(folder, {"detect", file, "--tolerance", "0.1"}),
              HasSubstr("--tolerance: only for disks and spheres"));
}

TEST(BadBlocks, ReportsFieldOfJson) {
  const auto error_for = [](const std::string& shape, const std::string& particle) {
    return error_of(
        R"({"dimension": 2, "shapes": {"a": )" + shape + R"(}, "particles": [)" + particle + "]}",
        "s.json");
  };
  const std::string square = R"({"points": [[0,0],[1,0],[1,1],[0,1]]})";
  EXPECT_THAT(error_for(square, R"({"shape": "b"})"),
              HasSubstr("particles[0].shape = \"b\": unknown shape"));
  EXPECT_THAT(error_for(square, R"({"shape": "a", "pos": [1, 2]})"),
              AllOf(HasSubstr("particles[0].pos: unknown key"), HasSubstr("position")));
  EXPECT_THAT(error_for(square, R"({"shape": "a", "position": [1, 2, 3]})"),
              HasSubstr("particles[0].position: has 3 numbers"));
  EXPECT_THAT(error_for(square, R"({"shape": "a", "axis": [1, 2, 3]})"),
              HasSubstr("particles[0].axis: only for 3D"));
  EXPECT_THAT(error_for(square, ""), HasSubstr("particles: must not be empty"));
  EXPECT_THAT(error_for(R"({"points": [[0,0],[1,0],["x",1]]})", R"({"shape": "a"})"),
              HasSubstr("shapes.a.points[2][0] = \"x\": must be a number"));
  EXPECT_THAT(error_for(R"({"points": [[0,0],[1,0],[0.2,0.2],[0,1]]})", R"({"shape": "a"})"),
              HasSubstr("shapes.a: vertex 2 of a polygon, (0.2, 0.2), is reflex"));
  EXPECT_THAT(error_for(R"({"mesh": "a.stl"})", R"({"shape": "a"})"),
              HasSubstr("shapes.a.mesh = \"a.stl\": only for 3D"));
  EXPECT_THAT(error_for(R"({"mesh": "a.stl", "parts": []})", R"({"shape": "a"})"),
              HasSubstr("exactly one of"));
  EXPECT_THAT(error_for(square, R"({"shape": "a", "id": 1}, {"shape": "a"})"),
              HasSubstr("particles[1]: id 1 is also that of particles[0]"));
  EXPECT_THAT(error_for(R"({"points": [[0,0],[1e999,0],[0,1]]})", R"({"shape": "a"})"),
              HasSubstr("s.json: has a number"));
  EXPECT_THAT(error_of("{\"dimension\": 2,\n", "s.json"), HasSubstr("s.json:2: invalid JSON"));
  EXPECT_THAT(error_of("{\"dimension\": 4, \"shapes\": {}, \"particles\": []}", "s.json"),
              HasSubstr("dimension = 4: must be 2 or 3"));
  EXPECT_THAT(error_of(R"({"dimension": 3, "shapes": {"a": {"points": [[0,0,0],[1,0,0],[0,1,0],
                               [1,1,0]]}}, "particles": [{"shape": "a"}]})",
                       "s.json"),
              HasSubstr("shapes.a: all 4 points are coplanar"));
}

TEST(BadBlocks, RejectsIdsBeyond63Bits) {
  const auto error_for = [](const std::string& id) {
    return error_of(R"({"dimension": 2, "shapes": {"a": {"points": [[0,0],[1,0],[0,1]]}},
                        "particles": [{"shape": "a", "id": )" +
                        id + "}]}",
                    "s.json");
  };
  for (const std::string id : {"9223372036854775808", "18446744073709551615"})
    EXPECT_THAT(error_for(id), HasSubstr("particles[0].id = " + id +
                                         ": must be an integer of at most 9223372036854775807"));
  EXPECT_THAT(error_for("18446744073709551616"), HasSubstr("must be an integer"));
  EXPECT_THAT(error_for("-9223372036854775809"), HasSubstr("must be an integer"));
}

TEST(BadBlocks, LimitsDepthOfJson) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  const auto error_for = [](const std::string& shape, const std::string& id) {
    return error_of("{\"dimension\": 2, \"shapes\": {\"a[[{\\\"[\": " + shape +
                        "},\n\"particles\": [{\"shape\": \"a\", \"id\": " + id + "}]}",
                    "s.json");
  };
  for (const std::size_t depth : {65UL, 50000UL, 100000UL}) {
    EXPECT_THAT(error_for(nested(depth), "1"), HasSubstr("s.json:1: lists and objects are nested"));
    EXPECT_THAT(error_for("1", nested(depth)), HasSubstr("s.json:2: lists and objects are nested"));
  }
  EXPECT_THAT(error_for(nested(62), "1"), HasSubstr(": must be an object"));
}

TEST(BadBlocks, RejectsInconsistentOptions) {
  const Folder folder;
  folder.write("b.csv", squares);
  folder.write("s.json", cubes);
  const std::string polygons = folder.path("b.csv");
  EXPECT_THAT(error_line(folder, {"detect", polygons, "--walls", "w.stl"}), HasSubstr("--walls"));
  EXPECT_THAT(error_line(folder, {"detect", polygons, "--out", folder.path("o.txt")}),
              HasSubstr("give a .csv file"));
  EXPECT_THAT(error_line(folder, {"detect", polygons, "--dim", "3"}), HasSubstr("in 2D"));
  EXPECT_THAT(error_line(folder, {"detect", folder.path("s.json"), "--svg", folder.path("o.svg")}),
              HasSubstr("draws 2D only"));
}

}  // namespace
}  // namespace abut::testing
