// HTML pages of the benchmarks, and bar charts.
#include <gmock/gmock.h>

#include <filesystem>

#include "error_line.hpp"
#include "program.hpp"
#include "report/plot.hpp"
#include "report_page.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string page_of(const Folder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--report", folder.path("page.html")});
  const ProgramResult result = run(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(folder.files(), ::testing::ElementsAre("page.html"));
  return folder.read("page.html");
}

TEST(BenchHtml, PlotsTimeOverParticleCount) {
  const Folder folder;
  const std::string page =
      page_of(folder, {"bench", "--scene", "random,sparse", "--n", "500,1000", "--dim", "2,3",
                       "--methods", "nbs,mr", "--repeat", "1"});
  expect_report_page(page,
                     "abut bench --scene random,sparse --n 500,1000 --dim 2,3 --methods nbs,mr "
                     "--repeat 1 --report ");
  for (const char* title : {"random, 2D", "random, 3D", "sparse, 2D", "sparse, 3D"})
    EXPECT_THAT(page, HasSubstr(std::string("<h2>") + title + "</h2>"));
  EXPECT_THAT(page, AllOf(HasSubstr(">particles<"), HasSubstr("ns per particle<"),
                          HasSubstr("<th>candidates/particle</th>"),
                          HasSubstr("<th>peak memory</th>"), HasSubstr("medians")));
}

TEST(BenchHtml, DrawsBarsForOneParticleCount) {
  const Folder folder;
  const std::string page = page_of(
      folder, {"bench", "--scene", "random", "--n", "800", "--methods", "engine", "--repeat", "1"});
  EXPECT_THAT(page, AllOf(HasSubstr("800 particles."), HasSubstr(">engine</text>"),
                          HasSubstr(">ns per particle</text>")));
}

TEST(BenchHtml, IsWrittenByEveryBenchmark) {
  const std::vector<std::vector<std::string>> all{
      {"bench-walls", "--n", "2000", "--triangles", "500", "--repeat", "1"},
      {"bench-polygons", "--n", "20", "--n-uncached", "50", "--repeat", "1"},
      {"bench-polyhedra", "--n", "20", "--repeat", "1"},
      {"bench-dem", "--n", "200", "--steps", "20", "--threads", "1", "--frictionless", "--repeat",
       "1"}};
  for (const std::vector<std::string>& arguments : all) {
    const Folder folder;
    const std::string page = page_of(folder, arguments);
    expect_report_page(page, "abut " + arguments[0]);
    EXPECT_THAT(page, HasSubstr(" per p")) << arguments[0];
  }
}

TEST(BenchHtml, RejectsUnwritableFileBeforeMeasuring) {
  const Folder folder;
  EXPECT_THAT(
      error_line(folder, {"bench", "--n", "1e9", "--report", folder.path("none/page.html")}),
      HasSubstr("none/page.html"));
}

TEST(BarChart, ScalesLengthsLinearlyOrLogarithmically) {
  const std::string linear = draw(BarChart{"a <chart>", "ns", {{"one & all", 1}, {"two", 2}}});
  EXPECT_THAT(linear,
              AllOf(HasSubstr("<title>a &lt;chart&gt;</title>"), HasSubstr(">one &amp; all<"),
                    HasSubstr(">ns</text>"), Not(HasSubstr("logarithmic"))));
  const auto width_after = [](const std::string& text, const char* name) {
    const std::size_t at = text.find("width=\"", text.find(name));
    return std::stod(text.substr(at + 7));
  };
  EXPECT_NEAR(width_after(linear, ">two<"), 2 * width_after(linear, "all<"), 0.02);
  const std::string logarithmic = draw(BarChart{"", "ns", {{"a", 1}, {"b", 100}, {"c", 1e4}}});
  EXPECT_THAT(logarithmic, HasSubstr(">ns, logarithmic</text>"));
  EXPECT_NEAR(width_after(logarithmic, ">c<"), 2 * width_after(logarithmic, ">b<"), 0.02);
}

}  // namespace
}  // namespace abut::testing
