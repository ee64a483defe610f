// What abut bench borrows from others: their libraries, and valgrind.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "bench/peer.hpp"
#include "cli/agreement.hpp"
#include "program.hpp"
#include "sanitized.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::StartsWith;

bool shell(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

// Valgrind and the sanitizers cannot both watch the same program.
bool can_count() { return !sanitized && shell("valgrind --version"); }

void expect_one_line(const Outcome& outcome, const std::string& problem) {
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, AllOf(StartsWith("abut: --"), HasSubstr(problem), EndsWith("\n")));
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
}

TEST(Peers, AreMissedInOneLine) {
  if (!peers<3>().empty()) GTEST_SKIP() << "built with ABUT_PEERS";
  expect_one_line(run({"bench", "--peers"}),
                  "--peers: this program was built without the other libraries; bench/peers "
                  "installs them, builds and measures");
}

TEST(Peers, AreMeasuredBesideOurMethods) {
  if (peers<3>().empty()) GTEST_SKIP() << "built without ABUT_PEERS";
  const Outcome outcome = run({"bench", "--peers", "--n", "500", "--dim", "2,3", "--threads", "1,2",
                               "--repeat", "1", "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(outcome.out);
  for (const auto& peer : peers<3>()) {
    const auto measured = std::ranges::count_if(
        rows, [&](const nlohmann::json& row) { return row["method"] == peer.name; });
    EXPECT_EQ(measured, 6 * 2 * (peer.parallel ? 2 : 1)) << peer.name;
  }
  for (const auto& row : rows)
    EXPECT_TRUE(row.contains("refused") || row.contains("sort_ns_per_particle")) << row;
}

TEST(Peers, CanBeChosen) {
  if (peers<3>().empty()) GTEST_SKIP() << "built without ABUT_PEERS";
  const auto rows =
      nlohmann::json::parse(run({"bench", "--peers", "--n", "500", "--scene", "random", "--methods",
                                 "nbs,cgal", "--repeat", "1", "--json"})
                                .out);
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[1]["method"], "cgal");
  EXPECT_EQ(rows[0]["pairs"], rows[1]["pairs"]);
}

TEST(Peers, ScriptIsWellFormed) {
  const std::string script = std::string(ABUT_SOURCE_DIR) + "/bench/peers";
  EXPECT_TRUE(shell("bash -n " + script));
  EXPECT_TRUE(shell("test -x " + script));
}

TEST(Agreement, NamesTheFirstPairThatDiffers) {
  Agreement agreement(10);
  EXPECT_EQ(agreement.complaint("ours", {{3, 4}, {0, 1}, {0, 2}}), std::nullopt);
  EXPECT_EQ(agreement.complaint("same", {{0, 2}, {0, 1}, {3, 4}}), std::nullopt);
  EXPECT_THAT(
      agreement.complaint("missing", {{3, 4}, {0, 1}}),
      Optional(std::string("missing finds 2 pairs and ours 3; they differ first at (0, 2)")));
  EXPECT_THAT(agreement.complaint("extra", {{3, 4}, {0, 1}, {0, 2}, {5, 6}}),
              Optional(HasSubstr("they differ first at (5, 6)")));
  EXPECT_THAT(agreement.complaint("twice", {{3, 4}, {0, 1}, {0, 1}, {0, 2}}),
              Optional(HasSubstr("they differ first at (0, 1)")));
  EXPECT_THAT(agreement.complaint("none", {}), Optional(HasSubstr("none finds 0 pairs")));
  agreement.start_anew();
  EXPECT_EQ(agreement.complaint("other", {{0, 9}}), std::nullopt);
  EXPECT_GE(agreement.seconds_to_sort({{5, 6}, {0, 9}}, 3), 0);
}

TEST(Instructions, AreCountedByValgrind) {
  if (!can_count()) GTEST_SKIP() << "no valgrind, or a build it cannot run";
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

// The same search takes the same instructions, on the busiest machine: that is what they are for.
TEST(Instructions, AreTheSameEachTime) {
  if (!can_count()) GTEST_SKIP() << "no valgrind, or a build it cannot run";
  const auto count = [] {
    return nlohmann::json::parse(run({"bench", "--n", "1e3", "--methods", "screening", "--repeat",
                                      "1", "--instructions", "--json"})
                                     .out)[0]["instructions_per_particle"]
        .get<double>();
  };
  const double once = count();
  EXPECT_NEAR(count(), once, 0.01 * once);
}

TEST(Instructions, SayWhatTheyNeed) {
  const Folder folder;
  expect_one_line(run({"bench", "--n", "10", "--instructions"}, {.path = folder.path("")}),
                  "--instructions: valgrind is not installed; on Debian: apt-get install valgrind");
  expect_one_line(run({"bench", "--n", "10", "--instructions", "--threads", "2"}),
                  "--threads = 2: --instructions counts those of one thread; add 1");
  expect_one_line(run({"bench", "--n", "10", "--instructions", "many"}),
                  "--instructions = 'many': must be a whole number");
}

}  // namespace
}  // namespace abut::testing
