// The commands detect --walls, mesh, insert and bench-walls, run as a user runs them.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/message.hpp"
#include "error_line.hpp"
#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// A floor of two triangles at z = 0.
constexpr const char* floor_stl =
    "solid floor\n"
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 4 0 0\nvertex 4 4 0\nendloop\nendfacet\n"
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 4 4 0\nvertex 0 4 0\nendloop\nendfacet\n"
    "endsolid floor\n";

TEST(DetectWalls, WritesContacts) {
  const Folder folder;
  folder.write("floor.stl", floor_stl);
  folder.write("p.csv",
               "x,y,z,r,id\n1,2,0.25,0.5,11\n3,3,2,0.5,12\n2,2,-0.5,0.5,13\n4.25,2,0,0.5,14\n");
  const ProgramResult result =
      run({"detect", folder.path("p.csv"), "--walls", folder.path("floor.stl"), "--out",
           folder.path("pairs.csv"), "--wall-contacts", folder.path("walls.csv")});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("3 contacts with 2 wall elements"));
  EXPECT_EQ(folder.read("walls.csv"),
            "particle,facet,feature,gap,nx,ny,nz,px,py,pz\n"
            "11,1,face,-0.25,0,0,1,1,2,0\n"
            "13,0,face,0,0,0,-1,2,2,0\n"
            "14,0,edge,-0.25,1,0,0,4,2,0\n");
  EXPECT_THAT(folder.read("pairs.csv"), StartsWith("a,b,gap\n"));
}

TEST(DetectWalls, ReadsSegmentsIn2D) {
  const Folder folder;
  folder.write("walls.csv", "x1,y1,x2,y2\n0,0,4,0\n4,0,4,4\n");
  folder.write("p.csv", "x,y,r\n1,0.5,0.5\n3.75,0.25,0.5\n");
  EXPECT_EQ(run({"detect", folder.path("p.csv"), "--walls", folder.path("walls.csv"),
                 "--wall-contacts", folder.path("o.csv"), "--svg", folder.path("o.svg")})
                .status,
            0);
  // Two walls and one line for each of three contacts.
  const std::string svg = folder.read("o.svg");
  std::size_t lines = 0;
  for (std::size_t at = svg.find("<line"); at != std::string::npos; at = svg.find("<line", at + 1))
    ++lines;
  EXPECT_EQ(lines, 2 + 3);
  EXPECT_EQ(folder.read("o.csv"),
            "particle,facet,feature,gap,nx,ny,px,py\n"
            "0,0,face,0,0,1,1,0\n"
            "1,0,face,-0.25,0,1,3.75,0\n"
            "1,1,face,-0.25,-1,0,4,0.25\n");
}

TEST(DetectWalls, NumbersFacetsOverAllFiles) {
  const Folder folder;
  folder.write("floor.stl", floor_stl);
  folder.write("lid.obj", "v 0 0 1\nv 4 0 1\nv 4 4 1\nv 0 4 1\nf 1 2 3 4\n");
  folder.write("p.csv", "x,y,z,r\n1,2,0.5,0.5\n");
  (void)run({"detect", folder.path("p.csv"), "--walls", folder.path("floor.stl"),
             folder.path("lid.obj"), "--wall-contacts", folder.path("o.csv")});
  EXPECT_EQ(folder.read("o.csv"),
            "particle,facet,feature,gap,nx,ny,nz,px,py,pz\n"
            "0,1,face,0,0,0,1,1,2,0\n"
            "0,3,face,0,0,0,-1,1,2,1\n");
}

TEST(DetectWalls, FindsContactsAcrossPeriodicFaces) {
  const Folder folder;
  folder.write("floor.stl", floor_stl);
  folder.write("p.csv", "x,y,z,r\n0.1,2,0.25,0.5\n-0.375,1,0.25,0.5\n");
  (void)run({"detect", folder.path("p.csv"), "--walls", folder.path("floor.stl"), "--box",
             "0,4,0,4,0,4", "--periodic", "x", "--wall-contacts", folder.path("o.csv")});
  EXPECT_EQ(folder.read("o.csv"),
            "particle,facet,feature,gap,nx,ny,nz,px,py,pz\n"
            "0,1,face,-0.25,0,0,1,0.1,2,0\n"
            "1,0,face,-0.25,0,0,1,-0.375,1,0\n");
}

TEST(DetectWalls, RejectsParticlesTooManyPeriodsAway) {
  const Folder folder;
  folder.write("floor.stl", floor_stl);
  folder.write("p.csv", "x,y,z,r\n1e12,2,0.25,0.5\n");
  EXPECT_THAT(
      error_line(folder, {"detect", folder.path("p.csv"), "--walls", folder.path("floor.stl"),
                          "--box", "0,4,0,4,0,4", "--periodic", "x"}),
      HasSubstr("1e9 periods away"));
}

TEST(DetectWalls, WarnsAboutDefectsOfMesh) {
  const Folder folder;
  folder.write("m.obj",
               "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 2 0 0\n"
               "f 1 2 3\nf 1 2 5\nf 3 1 2\nf 1 4 3\n");
  folder.write("p.csv", "x,y,z,r\n1,2,0.25,0.5\n");
  const ProgramResult result = run({"detect", folder.path("p.csv"), "--walls", folder.path("m.obj"),
                                    "--wall-contacts", folder.path("o.csv")});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.err, HasSubstr("ignored 1 degenerate triangle, the first is triangle 1"));
  EXPECT_THAT(result.err, HasSubstr("ignored 1 duplicate triangle, the first is triangle 2"));
  EXPECT_THAT(result.err, HasSubstr("opposite orientation"));
  EXPECT_THAT(folder.read("o.csv"), HasSubstr("\n0,3,face,-0.25,0,0,1,1,2,0\n"));
}

TEST(DetectWalls, RejectsBadMeshesInOneLine) {
  const Folder folder;
  folder.write("p.csv", "x,y,z,r\n1,2,0.25,0.5\n");
  const auto error_for = [&](const std::string& name, const std::string& content) {
    folder.write(name, content);
    return error_line(folder, {"detect", folder.path("p.csv"), "--walls", folder.path(name),
                               "--wall-contacts", folder.path("o.csv")});
  };
  std::string header(80, 'x');
  header.replace(0, 5, "solid");
  EXPECT_THAT(error_for("count.stl", header + std::string("\x05\0\0\0", 4) + std::string(50, '\0')),
              AllOf(HasSubstr("count.stl"), HasSubstr("5"), HasSubstr("334")));
  EXPECT_THAT(error_for("huge.stl", header + std::string("\xff\xff\xff\xff", 4)),
              HasSubstr("huge.stl"));
  EXPECT_THAT(error_for("empty.stl", ""), HasSubstr("empty.stl"));
  EXPECT_THAT(error_for("nan.obj", "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n"),
              AllOf(HasSubstr("nan.obj:2"), HasSubstr("nan")));
  EXPECT_THAT(error_for("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"),
              HasSubstr("all 1 triangles are degenerate"));
  EXPECT_THAT(
      error_line(folder, {"detect", folder.path("p.csv"), "--walls", folder.path("no.stl")}),
      HasSubstr("no.stl"));
  EXPECT_THAT(
      error_line(folder, {"detect", folder.path("p.csv"), "--wall-contacts", folder.path("o.csv")}),
      HasSubstr("--walls"));
}

TEST(MeshCommand, WritesMeshesThatDetectReads) {
  for (const char* name : {"hopper", "box", "sphere", "torus"}) {
    const Folder folder;
    EXPECT_EQ(run({"mesh", name, "--n", "500", "--out", folder.path("m.stl")}).status, 0);
    folder.write("p.csv", "x,y,z,r\n0,0,0,10\n");
    const ProgramResult result =
        run({"detect", folder.path("p.csv"), "--walls", folder.path("m.stl")});
    EXPECT_THAT(result.out, ContainsRegex("[1-9][0-9]* contacts with [0-9]+ wall elements"))
        << name;
    EXPECT_THAT(result.err, IsEmpty()) << name;
  }
  const Folder folder;
  EXPECT_THAT(error_line(folder, {"mesh", "teapot", "--out", folder.path("m.stl")}),
              HasSubstr("hopper, box, sphere, torus"));
  EXPECT_THAT(
      error_line(folder, {"mesh", "hopper", "--outlet", "2", "--out", folder.path("m.stl")}),
      HasSubstr("--outlet = 2"));
}

TEST(InsertCommand, FillsRegionReproducibly) {
  const Folder folder;
  const ProgramResult result =
      run({"insert", "--n", "200", "--solid-fraction", "0.2", "--out", folder.path("a.csv")});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("inserted 200 of 200 particles (solid fraction 0.2"));
  EXPECT_THAT(run({"detect", folder.path("a.csv")}).out,
              HasSubstr("200 particles in 3D, 0 contacts"));
  (void)run({"insert", "--n", "200", "--solid-fraction", "0.2", "--out", folder.path("b.csv")});
  EXPECT_EQ(folder.read("a.csv"), folder.read("b.csv"));
  (void)run({"insert", "--n", "200", "--solid-fraction", "0.2", "--seed", "2", "--out",
             folder.path("b.csv")});
  EXPECT_NE(folder.read("a.csv"), folder.read("b.csv"));
}

TEST(InsertCommand, ReportsParticlesThatDidNotFit) {
  const Folder folder;
  const ProgramResult result = run({"insert", "--n", "100", "--box", "0,3,0,3", "--max-attempts",
                                    "50", "--out", folder.path("a.csv")});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, ContainsRegex("inserted [0-9] of 100 particles.*did not fit"));
}

// A tetrahedron as ASCII STL, one corner of which has another x in one facet.
std::string torn_tetrahedron(const std::string& x) {
  const char* const a = "vertex 0 0 0\n";
  const char* const b = "vertex 9 0 0\n";
  const char* const c = "vertex 0 9 0\n";
  const char* const d = "vertex 0 0 9\n";
  const std::string torn = message("vertex ", x, " 0 0\n");
  std::string text = "solid a\n";
  for (const std::string& facet :
       {message(a, c, b), message(torn, b, d), message(a, d, c), message(b, c, d)})
    text += message("facet normal 0 0 0\nouter loop\n", facet, "endloop\nendfacet\n");
  return text + "endsolid a\n";
}

TEST(InsertCommand, AcceptsClosedMeshWithRoundingErrors) {
  const Folder folder;
  const auto insert = [&](const std::string& x, const std::vector<std::string>& options) {
    const std::string mesh = folder.write("t.stl", torn_tetrahedron(x));
    std::vector<std::string> command{
        "insert", "--n", "5", "--inside", mesh, "--out", folder.path("o.csv"), "--diameter", "0.5"};
    command.insert(command.end(), options.begin(), options.end());
    return run(command);
  };
  EXPECT_EQ(insert("1e-17", {}).status, 0);
  EXPECT_THAT(insert("1e-5", {}).err,
              HasSubstr("not closed: 4 edges belong to only one triangle, 0 to more than two; the "
                        "first is the edge from (0, 0, 0) to (9, 0, 0) of triangle 0; close the "
                        "mesh, or let vertices that are farther apart count as one with "
                        "--weld-tolerance (now 1e-09)\n"));
  EXPECT_EQ(insert("1e-5", {"--weld-tolerance", "1e-5"}).status, 0);
  EXPECT_THAT(insert("0", {"--weld-tolerance", "2"}).err,
              HasSubstr("weld_tolerance = 2: must be from 0 to 0.1"));
}

TEST(InsertCommand, AvoidsExistingParticlesAndWalls) {
  const Folder folder;
  (void)run({"mesh", "sphere", "--n", "2000", "--radius", "3", "--out", folder.path("s.stl")});
  EXPECT_EQ(run({"insert", "--n", "40", "--inside", folder.path("s.stl"), "--diameter", "0.5",
                 "--out", folder.path("a.csv")})
                .status,
            0);
  EXPECT_EQ(run({"insert", "--n", "40", "--sphere", "0,0,0,3", "--diameter", "0.2,0.4", "--by-mass",
                 "--existing", folder.path("a.csv"), "--walls", folder.path("s.stl"), "--out",
                 folder.path("b.csv")})
                .status,
            0);
  const ProgramResult checked =
      run({"detect", folder.path("b.csv"), "--walls", folder.path("s.stl")});
  EXPECT_THAT(checked.out,
              AllOf(HasSubstr("80 particles in 3D, 0 contacts"), HasSubstr("0 contacts with ")));
}

TEST(InsertCommand, StaysWithinDomain) {
  const Folder folder;
  const ProgramResult result =
      run({"insert", "--n", "3", "--diameter", "0.3", "--sphere", "0,0,0,3", "--box", "0,1,0,1,0,1",
           "--out", folder.path("a.csv")});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(run({"detect", folder.path("a.csv"), "--box", "0.15,0.85,0.15,0.85,0.15,0.85"}).status,
            0);
  EXPECT_THAT(error_line(folder, {"insert", "--sphere", "9,0,0,1", "--box", "0,1,0,1,0,1", "--out",
                                  folder.path("b.csv")}),
              HasSubstr("region: x from 8 to 10: must overlap the domain, 0 to 1"));
}

TEST(InsertCommand, AvoidsPeriodicImagesOfWalls) {
  const Folder folder;
  const std::string floor =
      folder.write("f.obj", "v -10 -10 6\nv 10 -10 6\nv 10 10 6\nv -10 10 6\nf 1 2 3 4\n");
  EXPECT_EQ(run({"insert", "--n", "40", "--diameter", "0.5", "--box", "0,4,0,4,0,4", "--periodic",
                 "z", "--walls", floor, "--out", folder.path("a.csv")})
                .status,
            0);
  EXPECT_THAT(run({"detect", folder.path("a.csv"), "--box", "0,4,0,4,0,4", "--periodic", "z",
                   "--walls", floor})
                  .out,
              HasSubstr("\n0 contacts with "));
}

TEST(InsertCommand, RejectsBadOptionsInOneLine) {
  const Folder folder;
  const auto error_for = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "insert");
    arguments.insert(arguments.end(), {"--out", folder.path("a.csv")});
    return error_line(folder, arguments);
  };
  EXPECT_THAT(error_for({}), HasSubstr("no region given"));
  EXPECT_THAT(error_for({"--solid-fraction", "0.2", "--sphere", "0,0,0,1"}),
              HasSubstr("one of them"));
  EXPECT_THAT(error_for({"--solid-fraction", "1.5"}), HasSubstr("--solid-fraction = 1.5"));
  EXPECT_THAT(error_for({"--sphere", "0,0,0,1,5"}), HasSubstr("--sphere: has 5 numbers"));
  EXPECT_THAT(error_for({"--cylinder", "0,0,0,1"}), HasSubstr("--cylinder: has 4 numbers"));
  EXPECT_THAT(error_for({"--box", "0,1,0,1", "--cylinder", "0,0,0,0,0,1,1"}),
              HasSubstr("only in 3D"));
  EXPECT_THAT(error_for({"--box", "0,1,0,1", "--diameter", "0"}), HasSubstr("must be positive"));
  EXPECT_THAT(error_for({"--box", "0,1,0,1", "--diameter", "1,2,3"}), HasSubstr("--diameter"));
  EXPECT_THAT(error_for({"--box", "0,1,0,1", "--max-overlap", "-1"}),
              HasSubstr("max_overlap = -1"));
  EXPECT_THAT(error_for({"--box", "0,1,0,1", "--n", "many"}), HasSubstr("--n"));
  EXPECT_THAT(error_for({"--solid-fraction", "0.1", "--periodic", "xw"}), HasSubstr("x, y and z"));
  (void)run({"mesh", "hopper", "--out", folder.path("h.stl")});
  EXPECT_THAT(error_for({"--inside", folder.path("h.stl")}), HasSubstr("not closed"));
}

TEST(BenchWalls, TimesPairAndWallSearch) {
  const ProgramResult table =
      run({"bench-walls", "--n", "2e3", "--triangles", "500", "--repeat", "1"});
  EXPECT_THAT(table.out, AllOf(HasSubstr("engine (pairs)"), HasSubstr("walls")));
  const auto rows = nlohmann::json::parse(
      run({"bench-walls", "--n", "2e3", "--triangles", "500", "--repeat", "1", "--json"}).out);
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[1]["search"], "walls");
  EXPECT_GT(rows[1]["found"], 50);
  EXPECT_GT(rows[1]["ns_per_particle"], 0);
  const Folder folder;
  EXPECT_THAT(error_line(folder, {"bench-walls", "--near-fraction", "2"}),
              HasSubstr("--near-fraction = 2"));
}

}  // namespace
}  // namespace abut::testing
