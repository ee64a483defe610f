// abut reproduce: files, data and verdicts of each paper; rejected arguments; gnuplot failures.
#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <sstream>

#include "program.hpp"
#include "report_page.hpp"
#include "sanitized.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

// Columns of a CSV file by name.
std::map<std::string, std::vector<double>> columns_of(const std::string& csv) {
  const auto cells = [](const std::string& line) {
    std::vector<std::string> result;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) result.push_back(cell);
    return result;
  };
  std::istringstream stream(csv);
  std::string line;
  std::getline(stream, line);
  const std::vector<std::string> names = cells(line);
  std::map<std::string, std::vector<double>> columns;
  while (std::getline(stream, line)) {
    const std::vector<std::string> row = cells(line);
    EXPECT_THAT(row, SizeIs(names.size())) << line;
    for (std::size_t i = 0; i < row.size(); ++i) columns[names[i]].push_back(std::stod(row[i]));
  }
  return columns;
}

// Maps the values of the column `key` to those of the column `value`.
std::map<double, double> column_map(const std::map<std::string, std::vector<double>>& columns,
                                    const std::string& key, const std::string& value) {
  std::map<double, double> result;
  for (std::size_t i = 0; i < columns.at(key).size(); ++i)
    result[columns.at(key)[i]] = columns.at(value)[i];
  return result;
}

void expect_page(const std::string& page, const std::string& paper) {
  expect_report_page(page, "abut reproduce " + paper + " --quick");
  EXPECT_THAT(page, HasSubstr("✓ holds"));
}

// Reproduces a paper in a quick run. The folder must then contain the report, and data and plot of
// each figure; the output must contain `verdicts`, those that do not depend on measured times.
void expect_reproduced(const Folder& folder, const std::string& paper,
                       const std::vector<std::string>& figures,
                       const std::vector<std::string>& verdicts) {
  const ProgramResult outcome = run({"reproduce", paper, "--quick", "--out", folder.path("out")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out,
              AllOf(ContainsRegex("\nholds          [A-Z]"), HasSubstr("report.html\n")));
  for (const std::string& verdict : verdicts) EXPECT_THAT(outcome.out, HasSubstr("\n" + verdict));
  std::vector<std::string> files{"report.html"};
  for (const std::string& figure : figures)
    for (const char* ending : {".csv", ".svg"}) files.push_back(figure + ending);
  std::ranges::sort(files);
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("out")))
    found.push_back(entry.path().filename().string());
  std::ranges::sort(found);
  EXPECT_EQ(found, files);
  expect_page(folder.read("out/report.html"), paper);
  for (const std::string& figure : figures) {
    EXPECT_THAT(folder.read("out/" + figure + ".svg"), StartsWith("<svg"));
    EXPECT_THAT(columns_of(folder.read("out/" + figure + ".csv")), Not(IsEmpty()));
  }
}

TEST(Reproduce, WritesFiguresAndVerdictsOfDemcda) {
  const Folder folder;
  folder.write("out/report.html", "of a previous run");
  expect_reproduced(folder, "demcda", {"figure-12", "memory"},
                    {"holds          At low density NBS needs less memory than screening",
                     "holds          The advantage shrinks with increasing density"});
  const auto times = columns_of(folder.read("out/figure-12.csv"));
  EXPECT_THAT(times.at("nbs_3d_s"), Each(::testing::Gt(0)));
  const auto memory = columns_of(folder.read("out/memory.csv"));
  EXPECT_GT(memory.at("screening_3d_bytes").back(), 10 * memory.at("nbs_3d_bytes").back());
}

TEST(Reproduce, WritesFiguresAndVerdictsOfMr) {
  if (is_sanitized) GTEST_SKIP() << "takes a minute with sanitizers";
  const Folder folder;
  expect_reproduced(folder, "mr",
                    {"figure-20", "figure-21", "figure-22", "figure-24", "figure-25", "figure-26",
                     "figure-28", "figure-30"},
                    {"holds          All contacting pairs are found",
                     "holds          Memory is 4 N integers", "holds          Packing B: 122",
                     "holds          Packing C: 245", "holds          Packing D: 367"});
  for (const char* figure : {"20", "21", "22"})
    EXPECT_THAT(
        column_map(columns_of(folder.read(std::string("out/figure-") + figure + ".csv")), "n",
                   "pairs"),
        AllOf(Contains(::testing::Pair(8000, 22800)), Contains(::testing::Pair(125000, 367500))));
  const auto pairs = [&](const std::string& figure) {
    return column_map(columns_of(folder.read("out/figure-" + figure + ".csv")), "spacing_diameters",
                      "pairs");
  };
  EXPECT_THAT(pairs("24"), ElementsAre(::testing::Pair(1, 122500), ::testing::Pair(2, 0),
                                       ::testing::Pair(200, 0)));
  EXPECT_THAT(pairs("28"), ElementsAre(::testing::Pair(1, 245000), ::testing::Pair(2, 0),
                                       ::testing::Pair(200, 0)));
  EXPECT_THAT(pairs("30"), ElementsAre(::testing::Pair(1, 367500), ::testing::Pair(2, 0),
                                       ::testing::Pair(200, 0)));
}

TEST(Reproduce, WritesFiguresAndVerdictsOfMmr) {
  if (is_sanitized) GTEST_SKIP() << "takes a minute with sanitizers";
  const Folder folder;
  expect_reproduced(folder, "mmr", {"figure-32"},
                    {"holds          Memory does not depend on the size distribution"});
  const auto table = columns_of(folder.read("out/figure-32.csv"));
  EXPECT_THAT(column_map(table, "n", "pairs_packing_a"), Contains(::testing::Pair(8000, 22800)));
  EXPECT_THAT(table.at("mmr_by_number_s"), Each(::testing::Gt(0)));
}

TEST(Reproduce, WritesFiguresAndVerdictsOfCubes) {
  const Folder folder;
  expect_reproduced(
      folder, "cubes", {"figure-5", "examinations", "overlapped-cubes", "mean-cubes"},
      {"holds          A sphere needs 6 to 10 examinations", "holds          The mean of",
       "does not hold  No cube contains more than 20 spheres"});
  const auto percentages = column_map(columns_of(folder.read("out/examinations.csv")),
                                      "examinations", "measured_percent");
  EXPECT_THAT(percentages, SizeIs(5));
  EXPECT_NEAR(percentages.at(6), 4.0, 0.3);
  EXPECT_NEAR(percentages.at(7), 27.9, 0.5);
  EXPECT_EQ(percentages.at(8), 0);
  EXPECT_NEAR(percentages.at(9), 28.2, 0.5);
  EXPECT_NEAR(percentages.at(10), 39.9, 0.5);
  const auto mean = column_map(columns_of(folder.read("out/mean-cubes.csv")), "rho", "mean_cubes");
  EXPECT_NEAR(mean.at(0.44), 5.82, 0.02);
}

TEST(Reproduce, WritesFiguresAndVerdictsOfCommonPlane) {
  const Folder folder;
  expect_reproduced(folder, "common-plane", {"table-1", "campaign", "polyhedra"},
                    {"holds          Both algorithms find the same planes",
                     "does not hold  The five candidates lead to the plane with the largest gap",
                     "holds          If both nearest vertices are considered, no gap is wrong",
                     "holds          No plane of Cundall's algorithm has a larger gap (3D)"});
  const auto polyhedra = columns_of(folder.read("out/polyhedra.csv"));
  ASSERT_THAT(polyhedra.at("pair"), SizeIs(16));
  for (std::size_t i = 0; i < 16; ++i)
    EXPECT_NEAR(polyhedra.at("gap_abut")[i], i < 8 ? 0.05 : -0.05, 1e-6) << i;
  const auto table = columns_of(folder.read("out/table-1.csv"));
  ASSERT_THAT(table.at("pair"), SizeIs(16));
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(table.at("gap_abut")[i] > 0, i < 8) << i;
    EXPECT_LE(table.at("gap_as_published")[i], table.at("gap_abut")[i] + 1e-12) << i;
    EXPECT_LE(table.at("gap_cundall")[i], table.at("gap_abut")[i]) << i;
    EXPECT_NEAR(table.at("gap_cundall")[i], table.at("gap_abut")[i], 1e-3) << i;
    EXPECT_GE(table.at("iterations")[i], 10) << i;
    EXPECT_LE(table.at("iterations")[i], 30) << i;
  }
  const std::string svg = folder.read("out/table-1.svg");
  const auto occurrences = [&](const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(occurrences("<polygon"), 32U);
  EXPECT_EQ(occurrences("<line"), 16U);
  EXPECT_EQ(occurrences("<text"), 16U);
}

TEST(Reproduce, CleansUpOnInterrupt) {
  const Folder folder;
  const ProgramResult outcome = run({"reproduce", "mr", "--out", folder.path("a/b/out")},
                                    {.signal_on_start = SIGINT, .start_marker = folder.path("a")});
  EXPECT_EQ(outcome.status, 128 + SIGINT);
  EXPECT_THAT(folder.files(), IsEmpty());
}

void expect_error(const ProgramResult& outcome, const std::string& error) {
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, AllOf(StartsWith("abut: "), HasSubstr(error)));
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
}

TEST(Reproduce, RejectsInvalidArgumentsBeforeComputing) {
  const Folder folder;
  const std::string out = folder.path("out");
  expect_error(
      run({"reproduce", "nosuch", "--out", out}),
      "no paper is called 'nosuch'; there are demcda, mr, mmr, cubes, common-plane, and all");
  expect_error(run({"reproduce"}), "paper is required");
  expect_error(run({"reproduce", "mr", "--out", "-"}), "--out = -: the results are several files");
  const std::string file = folder.write("file", "");
  expect_error(run({"reproduce", "mr", "--out", file}), "cannot create the folder");
  expect_error(run({"reproduce", "mr", "--out", file + "/out"}), "a file of that name exists");
  expect_error(run({"reproduce", "mr", "--out", "/proc/abut"}), "cannot create the folder");
  expect_error(run({"reproduce", "mr", "--out", out + "/" + std::string(300, 'x')}),
               "File name too long");
  EXPECT_THAT(folder.files(), ElementsAre("file"));
  folder.write("taken/figure-30.csv/x", "");
  expect_error(run({"reproduce", "mr", "--out", folder.path("taken")}), "Is a directory");
  EXPECT_THAT(folder.files(), ElementsAre("file", "taken"));
}

TEST(Gnuplot, IsRequiredBeforeComputing) {
  const Folder folder;
  const RunOptions without_gnuplot{.path = "/nonexistent"};
  const std::string error = "gnuplot is not installed; on Debian: apt-get install gnuplot-nox\n";
  expect_error(run({"reproduce", "mr", "--out", folder.path("out")}, without_gnuplot), error);
  expect_error(run({"bench", "--n", "1e7", "--plot", folder.path("p.svg")}, without_gnuplot),
               error);
  EXPECT_EQ(run({"bench", "--n", "100", "--repeat", "1"}, without_gnuplot).status, 0);
  EXPECT_THAT(folder.files(), IsEmpty());
}

// Puts a script named gnuplot before the installed one in the search path.
RunOptions with_gnuplot(const Folder& folder, const std::string& script) {
  std::filesystem::permissions(folder.write("bin/gnuplot", "#!/bin/sh\n" + script),
                               std::filesystem::perms::owner_all);
  return {.path = folder.path("bin") + ":/usr/bin:/bin"};
}

TEST(Gnuplot, ReportsItsErrorMessage) {
  const Folder folder;
  const RunOptions failing =
      with_gnuplot(folder, "echo first >&2\necho 'no svg here' >&2\nexit 3\n");
  expect_error(run({"bench", "--n", "10", "--plot", folder.path("p.svg")}, failing),
               "gnuplot cannot draw 'test': no svg here");
  EXPECT_THAT(folder.files(), ElementsAre("bin"));
}

TEST(Gnuplot, MustWriteAnSvg) {
  const Folder folder;
  const RunOptions empty = with_gnuplot(folder, "echo '</svg>'\n");
  expect_error(run({"bench", "--n", "10", "--plot", folder.path("p.svg")}, empty),
               "gnuplot cannot draw 'test': it gave no reason");
  EXPECT_THAT(folder.files(), ElementsAre("bin"));
}

TEST(Gnuplot, IgnoresTerminalOfEnvironment) {
  const Folder folder;
  setenv("GNUTERM", "unknown", 1);
  const int status = run({"bench", "--n", "10", "--plot", folder.path("p.svg")}).status;
  unsetenv("GNUTERM");
  EXPECT_EQ(status, 0);
}

// The folder of the first paper creates its parent folders, which must be removed last.
TEST(Reproduce, RemovesAllFoldersOnFailure) {
  if (is_sanitized) GTEST_SKIP() << "runs papers that other tests run with sanitizers";
  const Folder folder;
  folder.write("bin/count", "");
  const RunOptions failing_at_second_plot =
      with_gnuplot(folder, "echo >> '" + folder.path("bin/count") + "'\n[ $(wc -l < '" +
                               folder.path("bin/count") +
                               "') -gt 1 ] && exit 1\nexec /usr/bin/gnuplot \"$@\"\n");
  expect_error(
      run({"reproduce", "all", "--quick", "--out", folder.path("a/b")}, failing_at_second_plot),
      "gnuplot cannot draw");
  EXPECT_THAT(folder.files(), ElementsAre("bin"));
}

}  // namespace
}  // namespace abut::testing
