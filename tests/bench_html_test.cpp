// What benchmarks measured, as pages.
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
  const ProgramResult outcome = run(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(folder.files(), ::testing::ElementsAre("page.html"));
  return folder.read("page.html");
}

TEST(BenchPage, PlotsTimeOverTheNumberOfParticles) {
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

TEST(BenchPage, DrawsBarsForOneNumber) {
  const Folder folder;
  const std::string page = page_of(
      folder, {"bench", "--scene", "random", "--n", "800", "--methods", "engine", "--repeat", "1"});
  EXPECT_THAT(page, AllOf(HasSubstr("800 particles."), HasSubstr(">engine</text>"),
                          HasSubstr(">ns per particle</text>")));
}

TEST(BenchPage, EveryBenchmarkHasOne) {
  const std::vector<std::vector<std::string>> all{
      {"bench-walls", "--n", "2000", "--triangles", "500", "--repeat", "1"},
      {"bench-polygons", "--n", "20", "--stream", "50", "--repeat", "1"},
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

TEST(BenchPage, IsRefusedBeforeAnythingIsMeasured) {
  const Folder folder;
  EXPECT_THAT(
      error_line(folder, {"bench", "--n", "1e9", "--report", folder.path("none/page.html")}),
      HasSubstr("none/page.html"));
}

TEST(BarChart, LengthsFollowTheNumbersOrTheirLogarithms) {
  const std::string even = draw(BarChart{"a <chart>", "ns", {{"one & all", 1}, {"two", 2}}});
  EXPECT_THAT(even, AllOf(HasSubstr("<title>a &lt;chart&gt;</title>"), HasSubstr(">one &amp; all<"),
                          HasSubstr(">ns</text>"), Not(HasSubstr("logarithmic"))));
  const auto width_after = [](const std::string& text, const char* name) {
    const std::size_t at = text.find("width=\"", text.find(name));
    return std::stod(text.substr(at + 7));
  };
  EXPECT_NEAR(width_after(even, ">two<"), 2 * width_after(even, "all<"), 0.02);
  const std::string wide = draw(BarChart{"", "ns", {{"a", 1}, {"b", 100}, {"c", 1e4}}});
  EXPECT_THAT(wide, HasSubstr(">ns, logarithmic</text>"));
  EXPECT_NEAR(width_after(wide, ">c<"), 2 * width_after(wide, ">b<"), 0.02);
}

}  // namespace
}  // namespace abut::testing
