// abut validate: files and status of a quick run; rejected arguments.
#include <gmock/gmock.h>

#include <algorithm>

#include "program.hpp"
#include "report_page.hpp"
#include "sanitized.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Validate, PassesAllChecksOfAQuickRun) {
  if (is_sanitized) GTEST_SKIP() << "takes minutes with sanitizers";
  const Folder folder;
  const ProgramResult outcome = run({"validate", "--quick", "--out", folder.path("out"),
                                     "--markdown", folder.path("validation.md")});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, AllOf(StartsWith("pass  "), Not(HasSubstr("fail")),
                                 Not(HasSubstr("nan")), HasSubstr("report.html\n")));
  for (const char* file : {"two-bodies", "oblique", "at-rest", "janssen", "janssen-stress",
                           "beverloo", "fill-height", "packing"}) {
    EXPECT_THAT(folder.read(std::string("out/") + file + ".svg"), StartsWith("<svg")) << file;
    EXPECT_THAT(folder.read(std::string("out/") + file + ".csv"), HasSubstr(",")) << file;
    EXPECT_THAT(folder.read("validation.md"), HasSubstr(std::string("out/") + file + ".svg"));
  }
  expect_report_page(folder.read("out/report.html"), "abut validate --quick");
  EXPECT_THAT(folder.read("out/report.html"), AllOf(HasSubstr("✓ pass"), Not(HasSubstr("✗"))));
}

TEST(Validate, RunsTheNamedExperiment) {
  const Folder folder;
  const ProgramResult outcome =
      run({"validate", "two-bodies", "--quick", "--out", folder.path("out")});
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_THAT(outcome.out, Not(HasSubstr("Beverloo")));
  EXPECT_THAT(folder.read("out/two-bodies.csv"),
              ContainsRegex("prescribed restitution 0.5,0.5,0\\.(4999|5000)"));
}

TEST(Validate, RejectsInvalidArgumentsInOneLine) {
  const Folder folder;
  const std::string out = folder.path("out");
  const auto expect_error = [](const ProgramResult& outcome, const std::string& error) {
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, AllOf(StartsWith("abut: "), HasSubstr(error)));
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  };
  expect_error(
      run({"validate", "nosuch", "--out", out}),
      "no experiment is called 'nosuch'; there are two-bodies, janssen, beverloo, packing");
  expect_error(run({"validate", "--out", "-"}), "--out = -: the results are several files");
  expect_error(run({"validate", "--out", out, "--markdown", folder.path("no/such.md")}), "such.md");
  EXPECT_THAT(folder.files(), IsEmpty());
}

}  // namespace
}  // namespace abut::testing
