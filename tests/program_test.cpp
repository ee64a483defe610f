// The commands detect, compare, methods and scene, run as a user runs them.
#include "program.hpp"

#include <gmock/gmock.h>

#include <abut/detector_options.hpp>
#include <abut/version.hpp>
#include <csignal>
#include <nlohmann/json.hpp>

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* nine_disks =
    "9 0.5\n"
    "0.5 0.5\n1.5 0.5\n2.5 0.5\n"
    "0.5 1.5\n1.5 1.5\n2.5 1.5\n"
    "0.5 2.5\n1.5 2.5\n2.5 2.5\n";
constexpr const char* table_1 = "9 6\n9 8\n8 5\n8 7\n7 4\n6 3\n6 5\n5 2\n5 4\n4 1\n3 2\n2 1\n";

TEST(Detect, WritesTable1OfDemcdaPaperInItsOrder) {
  for (const char* method : {"1", "2", "screening", "nbs", "brute-force", "brute_force"}) {
    const Folder folder;
    const ProgramResult result =
        run({"detect", "--method", method, "--bounds", folder.write("bounds.txt", "2\n0 3\n0 3\n"),
             "--elements", folder.write("elements.txt", nine_disks), "--out",
             folder.path("contacts.txt")});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(folder.read("contacts.txt"), table_1);
    EXPECT_THAT(result.out,
                ContainsRegex("^9 particles in 2D, 12 contacts, method [a-z_]+, detection [0-9.]+ "
                              ".*s, reading [0-9.]+ .*s, writing [0-9.]+ .*s\n$"));
    EXPECT_THAT(folder.files(), ElementsAre("bounds.txt", "contacts.txt", "elements.txt"));
  }
}

TEST(Detect, ReadsAndWritesDemcdaFolder) {
  const Folder folder;
  EXPECT_EQ(run({"scene", "lattice", "--n", "27", "--out", folder.path("demcda/")}).status, 0);
  EXPECT_EQ(run({"detect", folder.path("demcda")}).status, 0);
  const std::string contacts = folder.read("demcda/contacts.txt");
  EXPECT_THAT(contacts, StartsWith("27 18\n27 24\n27 26\n26 17\n26 23\n26 25\n"));
  EXPECT_EQ(std::ranges::count(contacts, '\n'), 54);
}

TEST(Detect, ReadsIndividualRadii) {
  const Folder folder;
  const std::string elements = folder.write("elements.txt", "3 0.5\n0 0\n5 0 4.5\n5 9\n");
  const ProgramResult result = run({"detect", elements, "--out", "-"});
  EXPECT_EQ(result.out, "2 1\n");
  // Three columns are x y z unless --dim or the bounds make the third a radius.
  const std::string spheres = folder.write("spheres.txt", "2 0.5\n0 0 0\n0 0 1\n");
  EXPECT_THAT(run({"detect", spheres}).out, StartsWith("2 particles in 3D, 1 contacts"));
  const std::string disks = folder.write("disks.txt", "2 0.5\n0 0 3\n6 0 3\n");
  EXPECT_THAT(run({"detect", disks}).out, StartsWith("2 particles in 3D, 0 contacts"));
  EXPECT_THAT(run({"detect", disks, "--dim", "2"}).out,
              StartsWith("2 particles in 2D, 1 contacts"));
}

TEST(Detect, ReadsAndWritesCsv) {
  const Folder folder;
  const std::string particles =
      folder.write("p.csv", "mass,X, y ,radius,id\n1,0,0,1,70\n\"1,5\",2.5,0,1,-3\n,9,9,1,5\n");
  EXPECT_EQ(run({"detect", particles, "--margin", "0.5", "--out", folder.path("c.csv")}).status, 0);
  EXPECT_EQ(folder.read("c.csv"), "a,b,gap\n70,-3,0.5\n");
  const std::string plain = folder.write("q.csv", "x,y,z,r\n0,0,0,1\n0,0,1.5,1\n");
  const ProgramResult result = run({"detect", plain, "--out", "-"});
  EXPECT_EQ(result.out, "a,b,gap\n0,1,-0.5\n");
  EXPECT_THAT(result.err, StartsWith("2 particles in 3D, 1 contacts"));
}

TEST(Detect, ReadsStandardInputInEitherFormat) {
  EXPECT_EQ(run({"detect", "-", "--out", "-"}, {.input = nine_disks}).out, table_1);
  EXPECT_EQ(run({"detect", "-", "--out", "-"}, {.input = "x,y,r\n0,0,1\n1,0,1"}).out,
            "a,b,gap\n0,1,-1\n");
}

TEST(Detect, ReadsLineEndsAndQuotingOfOtherSystems) {
  const Folder folder;
  const auto contacts = [&](const std::string& name, const std::string& text) {
    return run({"detect", folder.write(name, text), "--out", "-"}).out;
  };
  EXPECT_EQ(contacts("crlf.txt", "2 0.5\r\n0 0\r\n1 0\r\n"), "2 1\n");
  EXPECT_EQ(contacts("no-final-newline.txt", "2 0.5\n0 0\n1 0"), "2 1\n");
  EXPECT_EQ(contacts("separate-lines.txt", "2\n0.5\n\n+0.0e0\t0\n   1.0E+00 0  \n\n"), "2 1\n");
  EXPECT_EQ(contacts("header-without-extension", "\n x,\ty,r\n0,0,1\n1,0,1\n"),
            "a,b,gap\n0,1,-1\n");
  EXPECT_EQ(contacts("quotes.csv", "x,name,y,r\n0,\"a\"\"b,c\",0,1\n1,d,0,1\n"),
            "a,b,gap\n0,1,-1\n");
  EXPECT_EQ(contacts("bom.csv", "\xEF\xBB\xBFx,y,r\r\n0,0,1\r\n1,0,1\r\n"), "a,b,gap\n0,1,-1\n");
}

TEST(Detect, HandlesZeroAndOneParticle) {
  for (const char* elements : {"0 1\n", "1 1\n3 3\n"}) {
    const ProgramResult result = run({"detect", "-", "--out", "-"}, {.input = elements});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.out, "");
  }
  EXPECT_EQ(run({"detect", "-", "--out", "-"}, {.input = "x,y,r\n"}).out, "a,b,gap\n");
}

TEST(Detect, CountsWithoutOutputAndDrawsSvg) {
  const Folder folder;
  EXPECT_THAT(run({"detect", "-"}, {.input = nine_disks}).out, HasSubstr("12 contacts"));
  EXPECT_EQ(run({"detect", "-", "--svg", folder.path("p.svg")}, {.input = nine_disks}).status, 0);
  const std::string svg = folder.read("p.svg");
  EXPECT_THAT(svg, StartsWith("<svg"));
  const auto count = [&](const std::string& tag) {
    int found = 0;
    for (std::size_t at = svg.find(tag); at != std::string::npos; at = svg.find(tag, at + 1))
      ++found;
    return found;
  };
  EXPECT_EQ(count("<circle"), 9);
  EXPECT_EQ(count("<line"), 12);
}

TEST(Detect, AppliesToleranceMarginAndThreads) {
  const std::string apart = "x,y,r\n0,0,0.5\n1.01,0,0.5\n";
  EXPECT_THAT(run({"detect", "-"}, {.input = apart}).out, HasSubstr(" 0 contacts"));
  EXPECT_THAT(run({"detect", "-", "--tolerance", "0.02"}, {.input = apart}).out,
              HasSubstr(" 1 contacts"));
  EXPECT_THAT(run({"detect", "-", "--margin", "0.02", "--threads", "3"}, {.input = apart}).out,
              HasSubstr(" 1 contacts"));
}

TEST(Detect, ReplacesTargetOfLinkAndKeepsItsMode) {
  namespace fs = std::filesystem;
  const Folder folder;
  const std::string particles = folder.write("p.csv", "x,y,r\n0,0,1\n1,0,1\n");
  const fs::perms own = fs::perms::owner_read | fs::perms::owner_write;
  fs::permissions(folder.write("kept.csv", ""), own);
  fs::create_symlink("kept.csv", folder.path("link.csv"));
  fs::create_symlink("new.csv", folder.path("dangling.csv"));
  for (const char* link : {"link.csv", "dangling.csv"}) {
    EXPECT_EQ(run({"detect", particles, "--out", folder.path(link)}).status, 0);
    EXPECT_TRUE(fs::is_symlink(folder.path(link)));
  }
  EXPECT_EQ(folder.read("kept.csv"), "a,b,gap\n0,1,-1\n");
  EXPECT_EQ(folder.read("new.csv"), "a,b,gap\n0,1,-1\n");
  EXPECT_EQ(fs::status(folder.path("kept.csv")).permissions(), own);
}

TEST(Detect, PrintsSummaryToStderrIfResultGoesToStdout) {
  const ProgramResult result = run({"detect", "-", "--svg", "-"}, {.input = nine_disks});
  EXPECT_THAT(result.out, EndsWith("</svg>\n"));
  EXPECT_THAT(result.err, StartsWith("9 particles"));
}

TEST(Detect, RemovesUnfinishedFilesOnSignal) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    const Folder folder;
    run({"scene", "random", "--n", "3e5", "--out", folder.path("p.csv")});
    const ProgramResult result =
        run({"detect", folder.path("p.csv"), "--out", folder.path("c.csv")},
            {.signal_on_start = signal, .start_marker = folder.path("c.csv.unfinished")});
    EXPECT_EQ(result.status, 128 + signal);
    EXPECT_THAT(folder.files(), ElementsAre("p.csv"));
  }
}

TEST(Methods, PrintsTableAndJson) {
  const auto list = nlohmann::json::parse(run({"methods", "--json"}).out);
  ASSERT_EQ(list.size(), methods().size());
  const std::string table = run({"methods"}).out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(list[i]["name"], methods()[i].name);
    EXPECT_THAT(table, HasSubstr(std::string(methods()[i].name) + " "));
    EXPECT_THAT(table, HasSubstr(std::string(methods()[i].paper)));
  }
}

TEST(Compare, ChecksAllMethodsAgainstBruteForce) {
  const Folder folder;
  run({"scene", "random", "--n", "2000", "--dim", "2", "--out", folder.path("a.csv")});
  run({"scene", "polydisperse", "--n", "2000", "--out", folder.path("b.txt")});
  const ProgramResult result = run({"compare", folder.path("a.csv"), folder.path("b.txt")});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("a.csv: 2000 particles in 2D"),
                                HasSubstr("b.txt: 2000 particles in 3D"),
                                ContainsRegex("brute_force .* reference"),
                                ContainsRegex("screening .* same"), ContainsRegex("nbs .* same")));
}

TEST(Compare, OmitsBruteForceAboveItsLimit) {
  const Folder folder;
  run({"scene", "lattice", "--n", "20001", "--out", folder.path("a.csv")});
  const ProgramResult result = run({"compare", folder.path("a.csv")});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out,
              AllOf(ContainsRegex("binary_tree .* reference"), ContainsRegex("nbs .* same"),
                    Not(ContainsRegex("brute_force .* (reference|same)"))));
}

TEST(Compare, ReportsMemoryLimitWithoutFailing) {
  const Folder folder;
  run({"scene", "sparse", "--n", "1000", "--out", folder.path("a.csv")});
  const ProgramResult result = run({"compare", folder.path("a.csv"), "--memory-limit", "100M"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out,
              ContainsRegex("screening .* more than the 100 MiB allowed; method engine"));
}

TEST(Compare, ReportsThatNothingWasCompared) {
  const Folder folder;
  std::string diagonal = "x,y,z,r\n";
  for (int i = 0; i < 20001; ++i) {
    const std::string x = std::to_string(1000 * i);
    diagonal.append(x).append(",").append(x).append(",").append(x).append(",0.5\n");
  }
  const ProgramResult result =
      run({"compare", folder.write("far.csv", diagonal), "--memory-limit", "1K"});
  EXPECT_THAT(result.out, HasSubstr("nothing was compared"));
}

TEST(SceneCommand, IsReproducibleForTheSameSeed) {
  const auto scene = [](const char* seed) {
    return run({"scene", "random", "--n", "50", "--seed", seed, "--out", "-"}).out;
  };
  EXPECT_THAT(scene("7"), StartsWith("50 0.5\n"));
  EXPECT_EQ(scene("7"), scene("7"));
  EXPECT_NE(scene("7"), scene("8"));
}

TEST(SceneCommand, WritesFilesThatDetectReads) {
  const Folder folder;
  for (const char* dim : {"2", "3"})
    for (const char* name : {"lattice", "polydisperse", "clusters"}) {
      run({"scene", name, "--n", "500", "--dim", dim, "--out", folder.path("s/")});
      const ProgramResult text = run({"detect", folder.path("s"), "--out", "-"});
      EXPECT_EQ(text.status, 0) << text.err;
      run({"scene", name, "--n", "500", "--dim", dim, "--out", folder.path("s.csv")});
      const ProgramResult csv = run({"detect", folder.path("s.csv"), "--out", "-"});
      EXPECT_EQ(std::ranges::count(text.out, '\n') + 1, std::ranges::count(csv.out, '\n'));
    }
}

TEST(Fixed, OmitsPairsOfFixedParticles) {
  const Folder folder;
  const std::string file = folder.path("a.csv");
  run({"scene", "lattice", "--n", "27", "--out", file});
  EXPECT_THAT(run({"detect", file, "--fixed", "26"}).out, HasSubstr("3 contacts"));
  EXPECT_EQ(run({"compare", file, "--fixed", "9"}).status, 0);
  const ProgramResult too_many = run({"detect", file, "--fixed", "28"});
  EXPECT_EQ(too_many.status, 2);
  EXPECT_THAT(too_many.err, HasSubstr("fixed_count = 28: there are only 27 particles"));
  for (const char* wrong : {"-1", "-18446744073709551516", "x", "nan", "1.5", ""}) {
    const ProgramResult result = run({"detect", file, std::string("--fixed=") + wrong});
    EXPECT_EQ(result.status, 2) << wrong;
    EXPECT_THAT(result.err, HasSubstr("--fixed")) << wrong;
  }
}

TEST(GroupRatio, DoesNotChangePairsAndIsChecked) {
  const Folder folder;
  const std::string file = folder.path("a.csv");
  run({"scene", "polydisperse", "--n", "500", "--out", file});
  EXPECT_EQ(run({"detect", file, "--method", "mmr", "--out", "-", "--group-ratio", "1.2"}).out,
            run({"detect", file, "--method", "mmr", "--out", "-"}).out);
  for (const char* wrong : {"1", "0.5", "nan", "1e308"}) {
    const ProgramResult result = run({"detect", file, "--group-ratio", wrong});
    EXPECT_EQ(result.status, 2) << wrong;
    EXPECT_THAT(result.err, HasSubstr("from 1.01 to 1e150")) << wrong;
  }
}

TEST(Verbose, ReportsChoicesOfTheMethod) {
  const Folder folder;
  const std::string file = folder.path("a.csv");
  run({"scene", "polydisperse", "--n", "5000", "--out", file});
  EXPECT_THAT(run({"detect", file, "--verbose"}).err,
              ContainsRegex("engine: 5000 particles in 3D, size ratio .* 2 levels; .* cells"));
  EXPECT_THAT(run({"detect", file, "--method", "auto"}).out, HasSubstr("method engine"));
  EXPECT_THAT(run({"detect", file, "--method", "nbs", "--verbose"}).err,
              HasSubstr("nbs: makes no choices"));
}

TEST(Compare, ComparesTheGivenMethods) {
  const Folder folder;
  run({"scene", "lattice", "--n", "1000", "--out", folder.path("a.csv")});
  const ProgramResult result = run({"compare", folder.path("a.csv"), "--methods", "mr,cgrid"});
  EXPECT_THAT(result.out, AllOf(ContainsRegex("mr .* reference"), ContainsRegex("cgrid .* same"),
                                Not(HasSubstr("nbs"))));
  EXPECT_EQ(run({"compare", folder.path("a.csv"), "--methods", "nosuch"}).status, 2);
}

TEST(Help, HasAnExampleForEveryCommand) {
  for (const char* command : {"detect", "methods", "laws", "compare", "scene", "insert", "mesh",
                              "run", "state", "render", "view", "bench", "bench-dem", "bench-walls",
                              "bench-polygons", "bench-polyhedra", "reproduce", "validate"}) {
    const ProgramResult result = run({command, "--help"});
    EXPECT_EQ(result.status, 0);
    EXPECT_THAT(result.out, HasSubstr("Example")) << command;
    EXPECT_THAT(result.out, HasSubstr(std::string("abut ") + command)) << command;
  }
  EXPECT_THAT(run({"--help"}).out, HasSubstr("Example"));
}

TEST(Version, IsTheSameInHeaderLibraryAndProgram) {
  EXPECT_EQ(version(), ABUT_VERSION);
  EXPECT_EQ(ABUT_VERSION, std::to_string(ABUT_VERSION_MAJOR) + "." +
                              std::to_string(ABUT_VERSION_MINOR) + "." +
                              std::to_string(ABUT_VERSION_PATCH));
  EXPECT_EQ(run({"--version"}).out, "abut " ABUT_VERSION "\n");
}

TEST(Progress, AppearsOnTerminalAfterTwoSecondsAndIsErased) {
  using namespace std::chrono_literals;
  const auto shown = [](const char* terminal, std::chrono::milliseconds input_delay) {
    return run_on_terminal(terminal, {"detect", "-", "--out", "/dev/null"}, "2 0.5\n0 0\n1 0\n",
                           input_delay);
  };
  EXPECT_THAT(shown("xterm", 2600ms), AllOf(HasSubstr("\rreading - … 3 s"), EndsWith("\r\x1b[K")));
  EXPECT_EQ(shown("xterm", 10ms), "");
  EXPECT_EQ(shown("dumb", 2600ms), "");
}

}  // namespace
}  // namespace abut::testing
