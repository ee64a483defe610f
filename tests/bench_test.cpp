// abut bench: its reports, other libraries, and instruction counts.
#include <gmock/gmock.h>

#include <abut/detector_options.hpp>
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "bench/measurement.hpp"
#include "libraries/library.hpp"
#include "program.hpp"
#include "sanitized.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::StartsWith;

TEST(Bench, ReportsEachMethodAsJson) {
  const auto rows = nlohmann::json::parse(
      run({"bench", "--scene", "lattice", "--n", "1e3", "--dim", "2,3", "--methods", "nbs,1",
           "--threads", "1,2", "--repeat", "1", "--json"})
          .out);
  ASSERT_EQ(rows.size(), 8);
  const std::array fields{"scene",
                          "n",
                          "dim",
                          "method",
                          "threads",
                          "ns_per_particle",
                          "pairs",
                          "candidates_per_particle",
                          "bytes_per_particle"};
  for (const auto& row : rows)
    for (const char* field : fields) EXPECT_TRUE(row.contains(field)) << field;
  EXPECT_EQ(rows[0]["method"], "nbs");
  EXPECT_EQ(rows[1]["threads"], 2);
  EXPECT_EQ(rows[4]["dim"], 3);
  EXPECT_EQ(rows[4]["pairs"], 2700);
  EXPECT_GT(rows[4]["ns_per_particle"].get<double>(), 0);
  EXPECT_GT(rows[4]["candidates_per_particle"].get<double>(), 2.7);
  EXPECT_GE(rows[4]["bytes_per_particle"].get<double>(), 12);
}

TEST(Bench, WritesTableCsvAndPlot) {
  const Folder folder;
  const ProgramResult table =
      run({"bench", "--n", "1e3,2e3", "--repeat", "1", "--plot", folder.path("t.svg")});
  EXPECT_THAT(table.out, AllOf(HasSubstr("build ns/particle"), HasSubstr("brute_force"),
                               HasSubstr("screening"), HasSubstr("nbs")));
  EXPECT_THAT(folder.read("t.svg"), AllOf(StartsWith("<svg"), HasSubstr("nbs 3D")));
  const ProgramResult csv = run({"bench", "--n", "1e3", "--repeat", "1", "--csv"});
  EXPECT_THAT(csv.out, StartsWith("scene,n,dim,method,threads,ns_per_particle,"));
  EXPECT_EQ(std::ranges::count(csv.out, '\n'), 1 + std::ssize(methods()));
}

TEST(Bench, ReportsPairsOfMovedParticles) {
  const auto pairs = [](const char* motion) {
    return nlohmann::json::parse(run({"bench", "--n", "1e3", "--methods", "mr,nbs", "--motion",
                                      motion, "--repeat", "2", "--json"})
                                     .out);
  };
  EXPECT_EQ(pairs("0")[0]["pairs"], 2700);
  const auto moved = pairs("0.05");
  EXPECT_LT(moved[0]["pairs"], 2700);
  EXPECT_EQ(moved[0]["pairs"], moved[1]["pairs"]);
  EXPECT_GT(moved[0]["build_ns_per_particle"], 0);
  const auto far_apart =
      nlohmann::json::parse(run({"bench", "--n", "1e3", "--methods", "direct_mapping,nbs",
                                 "--motion", "1e5", "--repeat", "1", "--json"})
                                .out);
  EXPECT_THAT(far_apart[0]["skip_reason"].get<std::string>(), HasSubstr("direct_mapping on"));
  EXPECT_FALSE(far_apart[1].contains("skip_reason"));
}

TEST(Bench, WritesMarkdownTablesWithMovingScene) {
  const ProgramResult result =
      run({"bench", "--scene", "lattice,moving", "--n", "1e3", "--methods", "nbs,cgrid",
           "--threads", "1,2", "--repeat", "1", "--markdown"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, ContainsRegex("^1000 particles in 3D, 1 thread:\n\n"
                                        "\\| \\| lattice \\| moving \\|\n\\|---\\|---\\|---\\|\n"
                                        "\\| nbs \\| [0-9]+ \\| [0-9]+ \\|\n"
                                        "\\| cgrid \\| [0-9]+ \\| [0-9]+ \\|\n\n"
                                        "1000 particles in 3D, 2 threads:\n"));
}

TEST(Bench, CountsStreamedPairs) {
  const std::vector<std::string> words{"bench",      "--n",      "1000", "--methods",
                                       "engine,nbs", "--repeat", "1",    "--csv"};
  std::vector<std::string> streamed = words;
  streamed.emplace_back("--stream");
  for (const auto& command : {words, streamed})
    EXPECT_THAT(run(command).out, ContainsRegex("engine,.*,2700,")) << command.size();
  streamed.emplace_back("--libraries");
  EXPECT_EQ(run(streamed).status, 2);
}

TEST(Bench, ReportsWhyAMethodWasSkipped) {
  const auto rows =
      nlohmann::json::parse(run({"bench", "--scene", "packing-d", "--spacing", "1e4", "--n", "1e5",
                                 "--repeat", "1", "--methods", "screening,nbs", "--json"})
                                .out);
  ASSERT_EQ(rows.size(), 2);
  EXPECT_THAT(rows[0]["skip_reason"].get<std::string>(), HasSubstr("screening on"));
  EXPECT_EQ(rows[1]["pairs"], 0);
}

bool shell(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

// Valgrind cannot run programs that are built with sanitizers.
bool can_count() { return !is_sanitized && shell("valgrind --version"); }

void expect_one_line_error(const ProgramResult& result, const std::string& problem) {
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, AllOf(StartsWith("abut: --"), HasSubstr(problem), EndsWith("\n")));
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
}

TEST(BenchLibraries, AreReportedAsMissing) {
  if (!libraries<3>().empty()) GTEST_SKIP() << "built with ABUT_BENCH_LIBRARIES";
  expect_one_line_error(run({"bench", "--libraries"}),
                        "--libraries: this program was built without the other libraries; run "
                        "bench/library_bench to install them, build and measure");
}

TEST(BenchLibraries, AreMeasuredWithOwnMethods) {
  if (libraries<3>().empty()) GTEST_SKIP() << "built without ABUT_BENCH_LIBRARIES";
  const ProgramResult result = run({"bench", "--libraries", "--n", "500", "--dim", "2,3",
                                    "--threads", "1,2", "--repeat", "1", "--json"});
  EXPECT_EQ(result.status, 0) << result.err;
  const auto rows = nlohmann::json::parse(result.out);
  for (const auto& info : libraries<3>()) {
    const auto measured = std::ranges::count_if(
        rows, [&](const nlohmann::json& row) { return row["method"] == info.name; });
    EXPECT_EQ(measured, 6 * 2 * (info.is_parallel ? 2 : 1)) << info.name;
  }
  for (const auto& row : rows)
    EXPECT_TRUE(row.contains("skip_reason") || row.contains("pair_sort_ns_per_particle")) << row;
}

TEST(BenchLibraries, CanBeSelectedByName) {
  if (libraries<3>().empty()) GTEST_SKIP() << "built without ABUT_BENCH_LIBRARIES";
  const auto rows =
      nlohmann::json::parse(run({"bench", "--libraries", "--n", "500", "--scene", "random",
                                 "--methods", "nbs,cgal", "--repeat", "1", "--json"})
                                .out);
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[1]["method"], "cgal");
  EXPECT_EQ(rows[0]["pairs"], rows[1]["pairs"]);
}

TEST(BenchLibraries, ScriptsAreValidAndExecutable) {
  for (const char* name : {"library_bench", "dem", "polygons", "polyhedra", "walls"}) {
    const std::string script = std::string(ABUT_SOURCE_DIR) + "/bench/" + name;
    EXPECT_TRUE(shell("bash -n " + script)) << name;
    EXPECT_TRUE(shell("test -x " + script)) << name;
  }
}

TEST(PairCheck, ReportsFirstDifference) {
  PairCheck check(10);
  EXPECT_EQ(check.mismatch("ours", {{3, 4}, {0, 1}, {0, 2}}), std::nullopt);
  EXPECT_EQ(check.mismatch("same", {{0, 2}, {0, 1}, {3, 4}}), std::nullopt);
  EXPECT_THAT(
      check.mismatch("missing", {{3, 4}, {0, 1}}),
      Optional(std::string("missing finds 2 pairs, ours finds 3; first difference at (0, 2)")));
  EXPECT_THAT(check.mismatch("extra", {{3, 4}, {0, 1}, {0, 2}, {5, 6}}),
              Optional(HasSubstr("first difference at (5, 6)")));
  EXPECT_THAT(check.mismatch("twice", {{3, 4}, {0, 1}, {0, 1}, {0, 2}}),
              Optional(HasSubstr("first difference at (0, 1)")));
  EXPECT_THAT(check.mismatch("none", {}), Optional(HasSubstr("none finds 0 pairs")));
  check.reset();
  EXPECT_EQ(check.mismatch("other", {{0, 9}}), std::nullopt);
  EXPECT_GE(check.seconds_to_sort({{5, 6}, {0, 9}}, 3), 0);
}

TEST(BenchInstructions, AreCountedForSmallScenesOnOneThread) {
  if (!can_count()) GTEST_SKIP() << "valgrind is missing or cannot run this build";
  const auto rows = nlohmann::json::parse(
      run({"bench", "--n", "500,2e3", "--scene", "random,moving", "--methods", "nbs,screening",
           "--threads", "1,2", "--repeat", "1", "--instructions", "1e3", "--json"})
          .out);
  ASSERT_EQ(rows.size(), 16);
  for (const auto& row : rows) {
    const bool counted = row["n"] == 500 && row["threads"] == 1;
    ASSERT_EQ(row.contains("instructions_per_particle"), counted) << row;
    if (!counted) continue;
    EXPECT_GT(row["instructions_per_particle"], 50);
    EXPECT_LT(row["instructions_per_particle"], 50000);
  }
}

// Unlike times, instruction counts do not depend on the load of the machine.
TEST(BenchInstructions, AreReproducible) {
  if (!can_count()) GTEST_SKIP() << "valgrind is missing or cannot run this build";
  const auto count = [] {
    return nlohmann::json::parse(run({"bench", "--n", "1e3", "--methods", "screening", "--repeat",
                                      "1", "--instructions", "--json"})
                                     .out)[0]["instructions_per_particle"]
        .get<double>();
  };
  const double once = count();
  EXPECT_NEAR(count(), once, 0.01 * once);
}

TEST(BenchInstructions, ReportMissingRequirements) {
  const Folder folder;
  expect_one_line_error(
      run({"bench", "--n", "10", "--instructions"}, {.path = folder.path("")}),
      "--instructions: valgrind is not installed; on Debian: apt-get install valgrind");
  expect_one_line_error(run({"bench", "--n", "10", "--instructions", "--threads", "2"}),
                        "--threads = 2: must include 1, which --instructions measures");
  expect_one_line_error(run({"bench", "--n", "10", "--instructions", "many"}),
                        "--instructions = 'many': must be a whole number");
}

}  // namespace
}  // namespace abut::testing
