// Progress of long work: how often lines are printed, and what insertions report.
#include <gmock/gmock.h>

#include <abut/insertion.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "cli/terminal.hpp"
#include "program.hpp"

namespace abut {
namespace {

using ::testing::ContainsRegex;

TEST(LineThrottle, IsDueOncePerInterval) {
  LineThrottle throttle(30, 100);
  EXPECT_FALSE(throttle.is_due(100));
  EXPECT_FALSE(throttle.is_due(129.9));
  EXPECT_DOUBLE_EQ(throttle.remaining(125), 5);
  EXPECT_TRUE(throttle.is_due(130));
  EXPECT_FALSE(throttle.is_due(130));
  EXPECT_FALSE(throttle.is_due(159.9));
  EXPECT_EQ(throttle.remaining(200), 0);
  EXPECT_TRUE(throttle.is_due(200));  // late: the next interval begins now
  EXPECT_DOUBLE_EQ(throttle.remaining(200), 30);
}

TEST(LineThrottle, LimitsLinesOfFrequentCalls) {
  LineThrottle throttle(30);
  int lines = 0;
  for (int tenths = 0; tenths <= 6000; ++tenths) lines += throttle.is_due(0.1 * tenths) ? 1 : 0;
  EXPECT_EQ(lines, 20);  // in 600 s
}

/// A validation that takes some seconds prints lines of progress to a file.
TEST(ValidateCommand, PrintsLinesOfProgressToFile) {
  const testing::Folder folder;
  const testing::ProgramResult result =
      testing::run({"validate", "packing", "--quick", "--out", folder.path("out")},
                   {.kill_after = std::chrono::milliseconds(2500),
                    .kill_signal = SIGTERM,
                    .progress_interval = "0.2"});
  EXPECT_THAT(result.err,
              ContainsRegex("(^|\n)validating packing: [0-9]+ (%, [0-9]+ (s|min [0-9]+ s) left|s "
                            "elapsed)\n"));
}

// A sphere that fills the region: no particle fits.
TEST(InsertParticles, ReportsProgressWhileNothingFits) {
  const std::vector<double> x{0.5};
  const std::vector<double> y{0.5};
  const std::vector<double> z{0.5};
  const std::vector<double> r{5};
  std::vector<double> fractions;
  InsertionOptions<3> options{.count = 2, .region = Box<3>{{0, 0, 0}, {1, 1, 1}}};
  options.sizes = monodisperse(0.1);
  options.max_attempts = 10000;
  options.existing = Spheres<3>{x, y, z, r};
  options.progress = [&](double fraction) { fractions.push_back(fraction); };
  EXPECT_EQ(insert_particles(options).report.no_space, 2U);
  EXPECT_GT(fractions.size(), 20U);
  EXPECT_TRUE(std::ranges::is_sorted(fractions));
  EXPECT_GT(fractions.back(), 0.9);
  EXPECT_LE(fractions.back(), 1);
}

}  // namespace
}  // namespace abut
