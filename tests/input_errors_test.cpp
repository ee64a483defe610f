// Invalid input: one line with file, line, column, key, value and hint; exit status 2; no files
// remain.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/message.hpp"
#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

// One line on stderr, nothing on stdout, status 2.
void expect_rejected(const ProgramResult& outcome, const std::string& problem) {
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, AllOf(::testing::StartsWith("abut: "), HasSubstr(problem)));
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
}

struct InvalidFile {
  std::string text;
  std::string problem;
};

void expect_all_rejected(const std::string& name, const std::vector<InvalidFile>& files,
                         const std::string& bounds = "") {
  for (const auto& [text, problem] : files) {
    const Folder folder;
    std::vector<std::string> arguments{"detect", "--elements", folder.write(name, text), "--out",
                                       folder.path("contacts.txt")};
    if (!bounds.empty()) {
      arguments.emplace_back("--bounds");
      arguments.push_back(folder.write("limits", bounds));
    }
    expect_rejected(run(arguments), problem);
    std::vector<std::string> remaining = folder.files();
    std::erase(remaining, "limits");
    EXPECT_THAT(remaining, ElementsAre(name)) << "remaining after: " << problem;
  }
}

TEST(ElementsErrors, ReportsLineColumnKeyAndValue) {
  expect_all_rejected(
      "e.txt",
      {
          {"", "e.txt:1: empty; the first line must be the number of elements"},
          {"\n \n", "e.txt:3: empty"},
          {"nine 0.5\n", "e.txt:1:1: number of elements = nine: must be an integer"},
          {"-3 0.5\n", "number of elements = -3"},
          {"particles in a box\n", "e.txt:1: unknown format; abut reads CSV with a header"},
          {"2.5 0.5\n", "e.txt:1:1: number of elements = 2.5: must be an integer"},
          {"99999999999999999999 0.5\n", "number of elements = 99999999999999999999: out of range"},
          {"2", "e.txt:1: common radius: missing"},
          {"2 zero\n", "e.txt:1:3: common radius = zero: must be a number"},
          {"2 0\n0 0\n1 1\n", "e.txt:1:3: common radius = 0: must be positive"},
          {"2 -1\n0 0\n1 1\n", "e.txt:1:3: common radius = -1: must be positive"},
          {"2 nan\n0 0\n1 1\n", "e.txt:1:3: common radius = nan: must be finite"},
          {"2 0.5 7\n0 0\n1 1\n", "e.txt:1: the first line must have only the number of elements"},
          {"2 0.5\n0 0\n1 abc\n", "e.txt:3:3: y of element 2 = abc: must be a number"},
          {"2 0.5\n0 0\nnan 1\n", "e.txt:3:1: x of element 2 = nan: must be finite"},
          {"2 0.5\n0 0\n1 -inf\n", "e.txt:3:3: y of element 2 = -inf: must be finite"},
          {"2 0.5\n0 0\n1 1e999\n", "e.txt:3:3: y of element 2 = 1e999: out of range"},
          {"2 0.5\n0 0\n1 1e200\n", "e.txt:3: y of element 2 = 1e+200: must lie within 1e150"},
          {"2 0.5\n0 0\n+-1 1\n", "e.txt:3:1: x of element 2 = +-1: must be a number"},
          {"2 0.5\n0 0\n+ 1\n", "e.txt:3:1: x of element 2 = +: must be a number"},
          {"2 0.5\n0 0\n1\n", "e.txt:3: y of element 2: missing"},
          {"2 0.5\n0 0\n1 1 1 1\n",
           "e.txt:3: element 2 has more than 3 columns; in 2D it is x y [radius]"},
          {"2 0.5\n0 0 0\n1 1 1 1 1\n", "e.txt:3: element 2 has more than 4 columns; in 3D"},
          {"2 0.5\n0\n1\n", "e.txt:2: 1 columns; an element is"},
          {"2 0.5\n0 0\n1 1 0\n", "e.txt:3: radius of element 2 = 0: must be positive"},
          {"2 0.5\n0 0\n1 1 -2\n", "e.txt:3: radius of element 2 = -2: must be positive"},
          {"2 0.5\n0 0\n1 1 inf\n", "e.txt:3:5: radius of element 2 = inf: must be finite"},
          {"2 0.5\n0 0\n",
           "e.txt:3: ends after 1 of 2 elements; the file is truncated, or the number in line 1"},
          {"3 0.5\n0 0\n1 1\n2 ", "e.txt:4: y of element 3: missing"},
          {"2147483647 0.5\n0 0\n", "ends after 1 of 2147483647 elements"},
          {"18446744073709551615 0.5\n0 0\n", "ends after 1 of 18446744073709551615 elements"},
          {"1 0.5\n0 0\n1 1\n", "e.txt:3: text after the last of 1 elements"},
          {"2 0,5\n0 0\n1 1\n",
           "e.txt:1:3: common radius = 0,5: must be a number; write decimal points (1.5)"},
          {"2 0.5\n0 0\n1,5 1\n",
           "e.txt:3:1: x of element 2 = 1,5: must be a number; write decimal points (1.5)"},
          {"2 0.5\n0;0\n1;1\n", "e.txt:2: 1 columns"},
          {"2 0.5\n0 0\n1.5D0 1\n",
           "x of element 2 = 1.5D0: must be a number; write the exponent with e"},
          {std::string("2 0.5\n0 0\n1\0 1\n", 15),
           "e.txt:3:1: x of element 2 = 1\\x00: must be a number"},
          {"2 0.5\n0 0\n\xff\xfe 1\n", "e.txt:3:1: x of element 2 = \\xff\\xfe: must be a number"},
          {"2 0.5\n0 0\n" + std::string(200, '7') + "x 1\n", "77777777…: must be a number"},
      });
}

TEST(ElementsErrors, RejectsCentersOutsideBounds) {
  expect_all_rejected(
      "e.txt",
      {
          {"2 0.5\n1 1\n1 3.5\n",
           "e.txt:3: y of element 2 = 3.5: must lie between 0 and 3, the bounds in "},
          {"2 0.5\n-1e-9 1\n1 3\n", "e.txt:2: x of element 1 = -1e-09: must lie between 0 and 3"},
          {"1 0.5\n1 1 1 1\n", "element 1 has more than 3 columns; in 2D"},
      },
      "2\n0 3\n0 3\n");
}

TEST(BoundsErrors, ReportsLineColumnKeyAndValue) {
  const std::vector<InvalidFile> files{
      {"", "b.txt:1: empty; the first line must be the dimension, 2 or 3"},
      {"two\n", "b.txt:1:1: dimension = two: must be an integer"},
      {"4\n0 1\n", "b.txt:1:1: dimension = 4: must be 2 or 3"},
      {"2\n0 1\n", "b.txt:3: y min: missing"},
      {"2\n0 1\n0\n", "b.txt:3: y max: missing"},
      {"2\n0 1\n3 1\n", "b.txt:3:3: y max = 1: must exceed the minimum 3"},
      {"2\n0 1\n1 1\n", "b.txt:3:3: y max = 1: must exceed the minimum 1"},
      {"2\n0 nan\n0 1\n", "b.txt:2:3: x max = nan: must be finite"},
      {"2\n0 1\n0 1\n0 1\n", "b.txt:4: text after the last axis"},
      {"2\n0,5 1\n0 1\n", "b.txt:2:1: x min = 0,5: must be a number; write decimal points (1.5)"},
  };
  for (const auto& [text, problem] : files) {
    const Folder folder;
    const ProgramResult outcome =
        run({"detect", "--bounds", folder.write("b.txt", text), "--elements",
             folder.write("e.txt", "1 1\n0 0\n"), "--out", folder.path("contacts.txt")});
    expect_rejected(outcome, problem);
    EXPECT_THAT(folder.files(), ElementsAre("b.txt", "e.txt"));
  }
}

TEST(ParticleCsvErrors, ReportsLineColumnKeyAndValue) {
  expect_all_rejected(
      "p.csv",
      {
          {"", "p.csv:1: empty; the header must name the columns"},
          {"0,0,1\n1,0,1\n", "p.csv:1: x: missing column; the header must name the columns"},
          {"x,z,r\n", "p.csv:1: y: missing column"},
          {"x,y\n0,0\n", "p.csv:1: r: missing column"},
          {"x,y,r,x\n", "p.csv:1: x: duplicate column"},
          {"x;y;r\n0;0;1\n", "p.csv:1: columns must be separated by commas, not ';'"},
          {"x,y,r\n0,0,1\n1,oops,1\n", "p.csv:3:3: y of particle 1 = oops: must be a number"},
          {"x,y,r\n0,0,1\n,1,1\n", "p.csv:3: x of particle 1: missing"},
          {"x,y,r\n0,0,1\n1,1\n", "p.csv:3: particle 1 has 2 fields, but the header has 3"},
          {"x,y,r\n0,0,1\n1,5,1,5,2\n",
           "p.csv:3: particle 1 has more than the 3 fields of the header"},
          {"x,y,r\n0,0,NaN\n", "p.csv:2:5: r of particle 0 = NaN: must be finite"},
          {"x,y,r\n0,0,0\n", "p.csv:2: radius of particle 0 = 0: must be positive"},
          {"x,y,r\n0,0,-1\n", "p.csv:2: radius of particle 0 = -1: must be positive"},
          {"x,y,r,id\n0,0,1,7\n3,0,1,a\n", "p.csv:3:7: id of particle 1 = a: must be an integer"},
          {"x,y,r,id\n0,0,1,7\n3,0,1,9\n5,0,1,7\n",
           "p.csv:4: id of particle 2 = 7: must be unique, but is also the id of particle 0"},
          {"\n x,y,r,n,id\n\n0,0,1,\"a,b\",7\n\n3,0,1,,9\n5,0,1,c,7\n9,0,1,d,1\n",
           "p.csv:7: id of particle 2 = 7: must be unique, but is also the id of particle 0"},
      });
  expect_all_rejected(
      "p.csv",
      {
          {"x,y,z,r\n0,0,0,1\n", "p.csv:1: the header is 3D, but "},
          {"x,y,r\n0,0,1\n9,0,1\n", "p.csv:3: x of particle 1 = 9: must lie between 0 and 3"},
      },
      "2\n0 3\n0 3\n");
}

TEST(OptionErrors, ReportsOptionAndValue) {
  const Folder folder;
  const std::string good = folder.write("p.csv", "x,y,r\n0,0,1\n1,0,1\n");
  const std::string out = folder.path("c.csv");
  expect_rejected(run({"detect", good, "--out", out, "--method", "voodoo"}),
                  "no method is called 'voodoo'; there are brute_force, binary_tree");
  expect_rejected(run({"detect", good, "--out", out, "--method", "3"}), "no method is called '3'");
  expect_rejected(run({"detect", good, "--out", out, "--margin", "-1"}), "margin = -1");
  expect_rejected(run({"detect", good, "--out", out, "--margin", "nan"}), "margin = nan");
  expect_rejected(run({"detect", good, "--out", out, "--margin", "wide"}), "wide");
  expect_rejected(run({"detect", good, "--out", out, "--tolerance", "2"}), "tolerance = 2");
  expect_rejected(run({"detect", good, "--out", out, "--threads", "1000000"}),
                  "--threads: Value 1000000 not in range 0 to 1024");
  expect_rejected(run({"detect", good, "--out", out, "--threads", "-2"}), "--threads");
  expect_rejected(run({"detect", good, "--out", out, "--memory-limit", "lots"}),
                  "--memory-limit = 'lots': must be a size, such as 500M or 4G");
  expect_rejected(run({"detect", good, "--out", out, "--dim", "4"}), "--dim");
  expect_rejected(run({"detect", good, "--out", out, "--dim", "3"}), "the header is 2D, but 3D");
  expect_rejected(run({"detect", good, "--elements", good}), "particles given twice");
  expect_rejected(run({"detect"}), "no particles given");
  expect_rejected(run({"detect", good, "--out", good}), "would overwrite an input file");
  expect_rejected(run({"detect", good, "--svg", folder.path("no/p.svg")}), "cannot write");
  expect_rejected(run({"scene", "lattice", "--n", "-5", "--out", out}), "--n = '-5'");
  expect_rejected(run({"scene", "lattice", "--n", "1e10", "--out", out}), "--n = '1e10'");
  expect_rejected(run({"scene", "lattice", "--n", "2.5", "--out", out}), "--n = '2.5'");
  expect_rejected(run({"scene", "random", "--solid-fraction", "0", "--out", out}), "fraction = 0");
  expect_rejected(run({"scene", "random", "--diameter", "nan", "--out", out}), "diameter = nan");
  expect_rejected(run({"scene", "nosuch", "--out", out}), "no scene is called 'nosuch'");
  expect_rejected(run({"scene", "nosuch", "--out", out}), ", polygons");
  expect_rejected(run({"bench", "--scene", "nosuch"}), "no scene is called 'nosuch'");
  expect_rejected(run({"bench", "--methods", "nosuch"}), "no method is called 'nosuch'");
  expect_rejected(run({"bench", "--motion", "nan"}),
                  "--motion = nan: must be in [0, 1e6] (diameters)");
  expect_rejected(run({"bench", "--motion", "-1"}),
                  "--motion = -1: must be in [0, 1e6] (diameters)");
  expect_rejected(run({"compare", folder.path("none.csv")}), "No such file");
  expect_rejected(run({"compare"}), "files is required");
  expect_rejected(run({"nosuch"}), "no command is called 'nosuch' (see abut --help)");
  expect_rejected(run({"detect", good, "--out", ""}), "an argument is empty");
  expect_rejected(run({"scene", "random", "--seed", "-1", "--out", out}), "--seed");
  expect_rejected(run({"insert", "--solid-fraction", "0.1", "--seed", "-1", "--out", out}),
                  "--seed");
  expect_rejected(run({"bench-walls", "--n", "10", "--seed", "-1"}), "--seed");
  for (const std::string seed : {"18446744073709551616", "99999999999999999999999", "1e3", "x"}) {
    expect_rejected(run({"scene", "random", "--n", "9", "--seed", seed, "--out", out}),
                    "--seed: Value " + seed + " is not an integer from 0 to 18446744073709551615");
    expect_rejected(run({"insert", "--solid-fraction", "0.1", "--seed", seed, "--out", out}), seed);
  }
  expect_rejected(run({"insert", "--solid-fraction", "0", "--out", out}),
                  "--solid-fraction = 0: must be positive and below 1");
  expect_rejected(run({"insert", "--solid-fraction", "nan", "--out", out}),
                  "--solid-fraction = nan");
  expect_rejected(run({"mesh", "box", "--radius", "1e50", "--out", out}),
                  "--radius = 1e+50: must be from 1e-30 to 1e30");
  expect_rejected(run({"detect", good, "--periodic", "xy", "--box", "0,1e300,0,1"}),
                  "must be within 1e150");
  expect_rejected(run({"render", good, "--threads", "99999", "--out", folder.path("p.png")}),
                  "--threads: Value 99999 not in range 0 to 1024");
  expect_rejected(run({"detect", "no\nsuch.csv"}), "cannot read no\\x0asuch.csv");
  expect_rejected(run({"bench", "--scene", "lattice,nosuch"}), "no scene is called 'nosuch'");
  expect_rejected(run({"bench", "--out", folder.path("no/such")}), "cannot write");
  expect_rejected(run({}), "subcommand is required");
  EXPECT_THAT(folder.files(), ElementsAre("p.csv"));
}

TEST(OptionErrors, RejectsListsWithMissingValues) {
  const Folder folder;
  const std::string out = folder.path("p.csv");
  for (const std::string list : {"0,0,,5", "0,0,0,5,", ",0,0,0,5"})
    expect_rejected(run({"insert", "--n", "10", "--sphere", list, "--out", out}),
                    "--sphere = " + list + ": a value before or after a comma is missing");
  expect_rejected(run({"insert", "--n", "10", "--box=0,9,,0,9,0,9", "--out", out}),
                  "--box = 0,9,,0,9,0,9: a value before or after a comma is missing");
  EXPECT_THAT(folder.files(), ElementsAre());
  EXPECT_EQ(run({"mesh", "sphere", "--n", "20", "--out", folder.path("a,,b.stl")}).status, 0);
}

TEST(OptionErrors, RejectsRegionsThatReachTooFar) {
  const Folder folder;
  expect_rejected(
      run({"insert", "--n", "10", "--sphere", "0,0,0,1e300", "--out", folder.path("p.csv")}),
      "region: x from -1e+300 to 1e+300: must lie within 1e150 of the origin");
  EXPECT_THAT(folder.files(), ElementsAre());
}

TEST(OptionErrors, RejectsNamesOfOtherFormatsForMeshes) {
  const Folder folder;
  expect_rejected(run({"mesh", "sphere", "--out", folder.path("m.obj")}),
                  "m.obj: meshes are binary STL; give a .stl file");
  EXPECT_THAT(folder.files(), ElementsAre());
}

TEST(OptionErrors, RejectsMeshesWithoutExtent) {
  const Folder folder;
  const std::string out = folder.path("m.stl");
  expect_rejected(run({"mesh", "box", "--height", "0", "--out", out}),
                  "--height = 0: must be positive and at most 1e30");
  expect_rejected(run({"mesh", "torus", "--outlet", "0", "--out", out}),
                  "--outlet = 0: must be positive and at most 1e30");
  EXPECT_THAT(folder.files(), ElementsAre());
}

TEST(OptionErrors, RejectsPolygonSceneIn3D) {
  const Folder folder;
  expect_rejected(run({"scene", "polygons", "--dim", "3", "--out", folder.path("p.csv")}),
                  "--dim = 3: polygons are in 2D; omit it");
  EXPECT_THAT(folder.files(), ElementsAre());
}

TEST(PathErrors, NamesLinkToMissingMesh) {
  const Folder folder;
  std::filesystem::create_directory(folder.path("meshes"));
  std::filesystem::create_symlink("none", folder.path("meshes/a.obj"));
  expect_rejected(run({"detect", folder.path("meshes")}),
                  "cannot read " + folder.path("meshes/a.obj") + ": No such file or directory");
}

TEST(PathErrors, RejectsPipesAsCheckpoints) {
  const Folder folder;
  const std::string checkpoint = folder.path("checkpoint-000000000100.abut");
  ASSERT_EQ(mkfifo(checkpoint.c_str(), 0600), 0);
  expect_rejected(run({"state", folder.path("")}),
                  "cannot read " + checkpoint + ": not a regular file; run the case from");
}

TEST(TextErrors, ReportsUtf16) {
  const Folder folder;
  const std::string utf_16("\xFF\xFEx\0,\0y\0,\0r\0\n\0", 14);
  const std::string problem = ": the text is encoded in UTF-16; save it in UTF-8";
  const std::string csv = folder.write("p.csv", utf_16);
  expect_rejected(run({"detect", csv}), csv + problem);
  expect_rejected(run({"render", csv, "--out", folder.path("p.png")}), csv + problem);
  expect_rejected(run({"run", folder.write("a.toml", utf_16), "--out", folder.path("out")}),
                  "a.toml" + problem);
  expect_rejected(run({"insert", "--inside", folder.write("a.obj", "\xFE\xFF"), "--out",
                       folder.path("out.csv")}),
                  "a.obj" + problem);
}

TEST(SeedErrors, OfCasesReportTheValue) {
  for (const std::string seed : {"18446744073709551616", "9223372036854775808", "-1", "1.5"}) {
    const Folder folder;
    const std::string file = folder.write("c.toml", "dimension = 3\nseed = " + seed + "\n");
    expect_rejected(run({"run", file, "--out", folder.path("run")}), seed);
    EXPECT_THAT(folder.files(), ElementsAre("c.toml"));
  }
}

TEST(SeedLimits, LargestSeedIsAccepted) {
  const Folder folder;
  const std::string out = folder.path("p.csv");
  EXPECT_EQ(
      run({"scene", "random", "--n", "9", "--seed", "18446744073709551615", "--out", out}).status,
      0);
}

// A value of any length is shortened, also as a key or as the name of a file.
TEST(ValueErrors, AreShort) {
  const std::string text(6000, 'k');
  const std::string points = R"({"points": [[0,0],[1,0],["x",1]]})";
  const std::vector<std::pair<std::string, std::string>> files{
      {"p.csv", "x,y,r\n0,0," + text + "\n"},
      {"e.txt", text + " 0.5\n"},
      {"b.csv", "particle,x,y\n" + text + ",0,1\n"},
      {"k.json", R"({"dimension": 2, ")" + text + R"(": 1})"},
      {"v.json", R"({"dimension": ")" + text + R"("})"},
      {"s.json", R"({"dimension": 2, "shapes": {")" + text + R"(": )" + points + "}}"},
      {"m.json", R"({"dimension": 3, "shapes": {"a": {"mesh": ")" + text + R"("}}})"},
  };
  for (const auto& [name, contents] : files) {
    const Folder folder;
    const ProgramResult outcome = run({"detect", folder.write(name, contents)});
    expect_rejected(outcome, "…");
    EXPECT_LT(outcome.err.size(), 300) << name;
  }
  for (const std::string& contents :
       {message(text, " = 1\n"), message("[", text, "]\na = 1\n[", text, "]\n"),
        message(text, " = 1\n", text, " = 2\n"), message("dimension = \"", text, "\"\n"),
        message("dimension = [\"", text, "\", \"", text, "\", \"", text, "\"]\n")}) {
    const Folder folder;
    const ProgramResult outcome =
        run({"run", folder.write("c.toml", contents), "--out", folder.path("run")});
    expect_rejected(outcome, "…");
    EXPECT_LT(outcome.err.size(), 300);
  }
}

TEST(PathErrors, NeverOverwritesInputsOrOutputs) {
  const Folder folder;
  run({"scene", "lattice", "--n", "9", "--dim", "2", "--out", folder.path("d/")});
  const std::string good = folder.write("p.csv", "x,y,r\n0,0,1\n1,0,1\n");
  const std::string out = folder.path("c.csv");
  expect_rejected(run({"detect", good, "--svg", good}), "would overwrite an input file");
  expect_rejected(run({"detect", folder.path("d"), "--out", folder.path("d/bounds.txt")}),
                  "would overwrite an input file");
  expect_rejected(run({"detect", good, "--out", out, "--svg", out}),
                  "another output is written there");
  expect_rejected(run({"scene", "random", "--out", out, "--bounds", out}),
                  "another output is written there");
  expect_rejected(run({"bench", "--n", "10", "--out", out, "--plot", out}),
                  "another output is written there");
  expect_rejected(run({"detect", good, "--out", "-", "--svg", "/dev/stdout"}), "another output");
  expect_rejected(run({"detect", good, "--out", "/dev/full", "--svg", folder.path("p.svg")}),
                  "No space left");
  expect_rejected(run({"scene", "lattice", "--out", "/dev/full", "--bounds", folder.path("b.txt")}),
                  "No space left");
  EXPECT_THAT(folder.files(), ElementsAre("d", "p.csv"));
  EXPECT_EQ(folder.read("p.csv"), "x,y,r\n0,0,1\n1,0,1\n");
}

TEST(PathErrors, ReportsReasonOfOperatingSystem) {
  const Folder folder;
  const std::string good = folder.write("p.csv", "x,y,r\n0,0,1\n1,0,1\n");
  expect_rejected(run({"detect", folder.path("missing.txt")}), "missing.txt: No such file");
  expect_rejected(run({"detect", folder.path("")}), "elements.txt: No such file");
  expect_rejected(run({"detect", good, "--bounds", folder.path("missing")}),
                  "missing: No such file");
  expect_rejected(run({"detect", good, "--out", folder.path("no/such/c.csv")}),
                  "c.csv: No such file or directory");
  expect_rejected(run({"detect", good, "--out", folder.path("")}), "Is a directory");
  expect_rejected(run({"detect", good, "--out", "/dev/full"}),
                  "/dev/full: No space left on device");
  EXPECT_THAT(folder.files(), ElementsAre("p.csv"));
}

TEST(PathErrors, LimitsWhatIsReadFromEndlessDevices) {
  const Folder folder;
  expect_rejected(run({"detect", "/dev/zero", "--memory-limit", "1M"}),
                  "cannot read /dev/zero: more than 1 MiB; a device or pipe is limited by "
                  "--memory-limit");
  expect_rejected(run({"run", "/dev/zero", "--out", folder.path("out")}),
                  "cannot read /dev/zero: more than 64 MiB; a case file must be smaller");
  const std::string large = folder.path("large.toml");
  std::ofstream(large).close();
  std::filesystem::resize_file(large, (64U << 20U) + 1);
  expect_rejected(run({"run", large, "--out", folder.path("out")}),
                  "large.toml: more than 64 MiB; a case file must be smaller");
  const std::string endless = folder.path("endless.csv");
  std::ofstream(endless).close();
  std::filesystem::resize_file(endless, 1UL << 42U);
  expect_rejected(run({"detect", endless}), "endless.csv: more than ");
  EXPECT_THAT(folder.files(), ElementsAre("endless.csv", "large.toml"));
}

TEST(PathErrors, ReadsPipesAndStandardInputUpToTheLimit) {
  const Folder folder;
  const std::string abut = program_path();
  const auto count_of = [&](const std::string& command) {
    EXPECT_EQ(std::system((command + " > " + folder.path("log")).c_str()), 0) << command;
    return folder.read("log").substr(0, 11);
  };
  const std::string particles = "printf 'x,y,r\\n0,0,1\\n1,0,1\\n' | " + abut + " detect ";
  EXPECT_EQ(count_of(particles + "-"), "2 particles");
  EXPECT_EQ(count_of(particles + "/dev/stdin --memory-limit 16M"), "2 particles");
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(count_of("printf '2 0.5\\n0 0\\n1 0\\n' > " + pipe + " & " + abut + " detect " + pipe),
            "2 particles");
  // --memory-limit does not limit regular files, whose size is known.
  std::string csv = "x,y,r\n";
  for (int i = 0; i < 100; ++i) csv += message(2 * i, ",0,", std::string(200000, '0'), "0.5\n");
  EXPECT_EQ(run({"detect", folder.write("p.csv", csv), "--memory-limit", "16M"}).status, 0);
}

TEST(OptionErrors, RejectsMeshesWithDegenerateTriangles) {
  const Folder folder;
  const std::string out = folder.path("m.stl");
  for (const char* name : {"sphere", "box", "hopper", "torus"})
    expect_rejected(run({"mesh", name, "--radius", "1e-300", "--out", out}),
                    "--radius = 1e-300: must be from 1e-30 to 1e30");
  expect_rejected(run({"mesh", "torus", "--outlet", "1e-17", "--out", out}),
                  "triangles would be degenerate in single precision, the format of STL");
  expect_rejected(run({"mesh", "hopper", "--height", "1.000000001", "--out", out}),
                  "triangles would be degenerate in single precision, the format of STL");
  EXPECT_EQ(run({"mesh", "sphere", "--radius", "1e-30", "--out", out}).status, 0);
}

TEST(OptionErrors, RejectsRegionsWithoutVolume) {
  const Folder folder;
  const std::string out = folder.path("p.csv");
  const std::string bow_tie = folder.write(
      "bow_tie.obj", "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nl 1 2\nl 2 3\nl 3 4\nl 4 1\n");
  expect_rejected(run({"insert", "--dim", "2", "--inside", bow_tie, "--n", "3", "--diameter",
                       "0.01", "--out", out}),
                  "region: mesh: its signed area is zero; it is flat or intersects itself");
  EXPECT_THAT(folder.files(), ElementsAre("bow_tie.obj"));
}

TEST(PathErrors, ReportsFailedWritesToStandardOutput) {
  const Folder folder;
  folder.write("p.csv", "x,y,r\n0,0,1\n1,0,1\n");
  const auto expect_failure = [&](const std::string& arguments, const std::string& redirection,
                                  const std::string& reason) {
    const int status = std::system(
        message(program_path(), " ", arguments, " ", redirection, " 2> ", folder.path("err"))
            .c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2) << arguments << redirection;
    EXPECT_EQ(folder.read("err"), "abut: cannot write standard output: " + reason + "\n")
        << arguments << redirection;
  };
  const std::string detect = "detect " + folder.path("p.csv");
  for (const std::string& arguments :
       {std::string("--version"), std::string("--help"), std::string("detect --help"),
        std::string("methods"), std::string("laws"), detect, detect + " --out /dev/null"}) {
    expect_failure(arguments, "> /dev/full", "No space left on device");
    expect_failure(arguments, ">&-", "Bad file descriptor");
  }
  const std::string scene = "scene random --n 5 --out -";
  expect_failure("scene random --n 5 --out - >&-", "", "Bad file descriptor");
  EXPECT_EQ(WEXITSTATUS(std::system((program_path() + " " + scene + " 2>&- >/dev/null").c_str())),
            0);
}

TEST(PathErrors, InsertNeverOverwritesItsInputs) {
  const Folder folder;
  run({"mesh", "box", "--out", folder.path("b.stl")});
  run({"scene", "lattice", "--n", "8", "--out", folder.path("d/")});
  const std::string closed = folder.read("b.stl");
  const std::string floor = folder.write("f.obj", "v 0 0 -9\nv 1 0 -9\nv 0 1 -9\nf 1 2 3\n");
  const std::string bounds = folder.write("bb.txt", "3\n0 4\n0 4\n0 4\n");
  const auto refuses = [&](std::vector<std::string> arguments, const std::string& out) {
    arguments.insert(arguments.begin(), {"insert", "--n", "3", "--diameter", "0.1"});
    arguments.insert(arguments.end(), {"--out", out});
    expect_rejected(run(arguments), "--out = " + out + ": would overwrite an input file");
  };
  refuses({"--inside", folder.path("b.stl")}, folder.path("b.stl"));
  refuses({"--box", "0,4,0,4,0,4", "--walls", floor}, floor);
  refuses({"--bounds", bounds}, bounds);
  refuses({"--box", "0,9,0,9,0,9", "--existing", folder.path("d/elements.txt")},
          folder.path("d/elements.txt"));
  refuses({"--box", "0,9,0,9,0,9", "--existing", folder.path("d")}, folder.path("d/elements.txt"));
  EXPECT_EQ(folder.read("b.stl"), closed);
  EXPECT_EQ(folder.read("f.obj"), "v 0 0 -9\nv 1 0 -9\nv 0 1 -9\nf 1 2 3\n");
  EXPECT_EQ(folder.read("bb.txt"), "3\n0 4\n0 4\n0 4\n");
}

TEST(PathErrors, DetectNeverOverwritesItsShapes) {
  const Folder folder;
  const std::string polygons = folder.write("p.csv", "particle,x,y\n0,0,0\n0,1,0\n0,0,1\n");
  const std::string bounds = folder.write("b.csv", "2\n-9 9\n-9 9\n");
  expect_rejected(run({"detect", polygons, "--bounds", bounds, "--out", bounds}),
                  "would overwrite an input file");
  std::filesystem::create_directory(folder.path("m"));
  run({"mesh", "box", "--n", "12", "--out", folder.path("m/one.stl")});
  const std::string mesh = folder.read("m/one.stl");
  std::filesystem::create_symlink(folder.path("m/one.stl"), folder.path("c.csv"));
  const std::string named = folder.write(
      "m.json",
      R"({"dimension": 3, "shapes": {"a": {"mesh": "m/one.stl"}}, "particles": [{"shape": "a"}]})");
  for (const std::string& meshes : {folder.path("m"), named})
    expect_rejected(run({"detect", meshes, "--out", folder.path("c.csv")}),
                    "would overwrite an input file");
  EXPECT_EQ(folder.read("m/one.stl"), mesh);
  EXPECT_EQ(folder.read("b.csv"), "2\n-9 9\n-9 9\n");
}

// A limit on the file size simulates a disk that fills up while the file is written.
TEST(PathErrors, CleansUpOnShortWrite) {
  const Folder folder;
  folder.write("c.csv", "previous contents\n");
  EXPECT_EQ(run({"scene", "lattice", "--n", "20000", "--out", folder.path("p.csv")}).status, 0);
  expect_rejected(run({"detect", folder.path("p.csv"), "--out", folder.path("c.csv")},
                      {.max_file_size = 100000}),
                  "c.csv: File too large");
  EXPECT_THAT(folder.files(), ElementsAre("c.csv", "p.csv"));
  EXPECT_EQ(folder.read("c.csv"), "previous contents\n");
}

TEST(SizeErrors, RejectsHugeSizesBeforeAllocation) {
  const Folder folder;
  const std::string far =
      folder.write("p.csv", "x,y,z,r\n0,0,0,0.5\n0.5,0,0,0.5\n3e5,3e5,3e5,0.5\n");
  const std::string out = folder.path("c.csv");
  expect_rejected(run({"detect", far, "--method", "1", "--out", out}),
                  "screening on 300001 x 300001 x 300001 cells would take 95.9 PiB");
  const std::string farther =
      folder.write("q.csv", "x,y,z,r\n0,0,0,0.5\n0.5,0,0,0.5\n3e30,3e30,3e30,0.5\n");
  expect_rejected(run({"detect", farther, "--method", "2", "--out", out}), "method engine fits");
  EXPECT_THAT(folder.files(), ElementsAre("p.csv", "q.csv"));
  EXPECT_EQ(run({"detect", far, "--method", "2", "--out", out}).status, 0);
  EXPECT_THAT(folder.read("c.csv"), EndsWith("0,1,-0.5\n"));
}

}  // namespace
}  // namespace abut::testing
