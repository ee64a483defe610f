// Cases that are wrong: one line with file, line, column and remedy, and nothing is left behind.
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "box_case.hpp"
#include "error_line.hpp"
#include "program.hpp"
#include "sanitized.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string case_error(const std::string& text) {
  const Folder folder;
  folder.write("case.toml", text);
  return error_line(folder, {"run", folder.path("case.toml"), "--out", folder.path("out")});
}

TEST(BadCase, NamesLineColumnAndTheNearestKey) {
  EXPECT_THAT(case_error(replaced(box_case, "friction", "frction")),
              HasSubstr("case.toml:15:1: unknown key \"frction\" in [[contact]]; did you mean "
                        "\"friction\"?"));
  EXPECT_THAT(case_error(replaced(box_case, "[[sink]]", "[[sinc]]")),
              HasSubstr("did you mean \"sink\"?"));
}

TEST(BadCase, NamesWhatIsMissingOrOfTheWrongType) {
  EXPECT_THAT(case_error(replaced(box_case, "density = 1000\n", "")),
              HasSubstr("[[material]]: needs \"density\""));
  EXPECT_THAT(case_error(replaced(box_case, "density = 1000", "density = \"much\"")),
              HasSubstr("case.toml:10:11: density must be a number"));
  EXPECT_THAT(case_error(replaced(box_case, "density = 1000", "density = -1")),
              HasSubstr("density = -1, must be above 0"));
  EXPECT_THAT(case_error(replaced(box_case, "density = 1000", "density = nan")),
              HasSubstr("density must be a finite number"));
  EXPECT_THAT(case_error(replaced(box_case, "[0, 0, -10]", "[0, 0]")),
              HasSubstr("gravity must be 3 numbers in [ ]"));
  EXPECT_THAT(case_error(replaced(box_case, "\"plane\"", "\"plain\"")),
              HasSubstr("shape = \"plain\", must be one of \"plane\", \"cylinder\""));
  EXPECT_THAT(case_error(replaced(box_case, "count = 60", "count = 6.5")),
              HasSubstr("count must be a whole number"));
}

TEST(BadCase, NamesNumbersThatMakeNoSense) {
  EXPECT_THAT(case_error(replaced(box_case, "restitution = 0.5", "restitution = 1.5")),
              HasSubstr("restitution = 1.5, must be from 0 to 1"));
  EXPECT_THAT(case_error(replaced(box_case, "stiffness = 1e4", "stiffness = -1")),
              HasSubstr("stiffness = -1, must be above 0"));
  EXPECT_THAT(case_error(replaced(box_case, "step = 2e-4", "step = 0")),
              HasSubstr("step = 0, must be above 0"));
  EXPECT_THAT(case_error(replaced(box_case, "step = 2e-4", "step = 1")),
              HasSubstr("is not stable; at most "));
  EXPECT_THAT(case_error(replaced(box_case, "radius = [0.04, 0.05]", "radius = [0.05, 0.04]")),
              HasSubstr("the smaller one first"));
  EXPECT_THAT(case_error(replaced(box_case, "radius = 0.3", "radius = -3")),
              HasSubstr("case.toml:"));
  EXPECT_THAT(case_error(replaced(
                  box_case, "[[wall]]\nname = \"floor\"",
                  "[[wall]]\nmesh = \"none.stl\"\nname = \"x\"\n[[wall]]\nname = \"floor\"")),
              HasSubstr("none.stl"));
  EXPECT_THAT(case_error("gravity = [0, 0\n"), HasSubstr("case.toml:"));
  EXPECT_THAT(case_error(""), HasSubstr("needs \"time\""));
}

std::string error_after_edit(const std::string& from, const std::string& to) {
  return case_error(replaced(box_case, from, to));
}

TEST(BadCase, TellsASlipFromWhatIsMissing) {
  EXPECT_THAT(error_after_edit("gravity", "gravyty"),
              HasSubstr("case.toml:2:1: unknown key \"gravyty\"; did you mean \"gravity\"?"));
  EXPECT_THAT(error_after_edit("{ from =", "{ frm ="),
              HasSubstr("unknown key \"frm\" in [region]; did you mean \"from\"?"));
  EXPECT_THAT(error_after_edit("min = [-1, -1, -9]\n", ""),
              AllOf(HasSubstr("case.toml:38:1: [[sink]]: needs \"min\""), Not(HasSubstr("max"))));
  EXPECT_THAT(error_after_edit("open_time = 0.4", "close_time = 0.4"),
              HasSubstr("case.toml:22:1: \"closes\" has no meaning here, with the other keys of "
                        "this [[wall]]"));
}

TEST(BadCase, NamesThePlaceOfWhatOnlyTheModelKnows) {
  EXPECT_THAT(error_after_edit("restitution = 0.5", "restitution = -0.1"),
              HasSubstr("case.toml:14:15: restitution = -0.1, must be from 0 to 1"));
  EXPECT_THAT(error_after_edit("step = 2e-4", "step = 0.02"),
              HasSubstr("case.toml:6:8: step: time_step = 0.02 is not stable; at most 0.0059"));
  EXPECT_THAT(error_after_edit("end = 0.6", "end = 1e300"),
              HasSubstr("case.toml:5:7: end = 1e+300: more than 1e+15 steps of 2e-04"));
  EXPECT_THAT(error_after_edit("radius = 0.28 }", "radius = 0 }"),
              HasSubstr("case.toml:34:10: [region]: region: a cylinder of radius 0"));
  EXPECT_THAT(
      error_after_edit("open_time = 0.4",
                       "motion = { angular_velocity = 1, center = [0, 0, 0], axis = [0, 0, 0] }"),
      AllOf(HasSubstr("case.toml:22:10: [motion]: "), HasSubstr("length 0")));
}

TEST(BadCase, NamesOfWallsAndSinksCanHeadColumns) {
  for (const std::string name : {"a,b", "", "a\\nb", "a\\\"b"}) {
    EXPECT_THAT(error_after_edit("\"pipe\"", "\"" + name + "\""),
                HasSubstr("case.toml:25:8: name = "));
    EXPECT_THAT(error_after_edit("\"below\"", "\"" + name + "\""),
                HasSubstr("case.toml:39:8: name = "));
  }
  EXPECT_THAT(error_after_edit("\"pipe\"", "\"floor\""),
              HasSubstr("case.toml:25:8: name \"floor\" is there twice"));
  EXPECT_THAT(
      error_after_edit("[output]",
                       "[[sink]]\nname = \"below\"\nmin = [0, 0, 5]\nmax = [1, 1, 6]\n[output]"),
      HasSubstr("case.toml:44:8: name \"below\" is there twice"));
}

TEST(BadCase, AWallIsNotCalledLikeASilo) {
  const std::string silo =
      "[[silo]]\noutlet_diameter = 0.2\nhopper_height = 0.2\ndiameter = 0.6\nheight = 2\n"
      "radius = 0.05\nspacing = 0.08\n";
  const std::string both = replaced(box_case, "[[insertion]]", silo + "[[insertion]]");
  EXPECT_THAT(case_error(replaced(both, "\"pipe\"", "\"silo\"")),
              HasSubstr("case.toml:31:1: name \"silo\" is there twice"));
  EXPECT_THAT(case_error(replaced(both, "[[silo]]", "[[silo]]\nname = \"floor\"")),
              HasSubstr("case.toml:32:8: name \"floor\" is there twice"));
}

TEST(BadCase, ASiloOfTooManyBallsIsRefusedBeforeItIsMade) {
  EXPECT_THAT(error_after_edit("[[wall]]",
                               "[[silo]]\noutlet_diameter = 1\nhopper_height = 1\ndiameter = 1e6\n"
                               "height = 1e6\nradius = 1e-3\nspacing = 1e-3\n\n[[wall]]"),
              HasSubstr("it would take more than 1e+08 balls"));
}

TEST(BadCase, WhatFindsNoRoomLeavesNoFolder) {
  const std::string at_once = replaced(box_case, "interval = 0.02\nbatch_size = 10\n", "");
  EXPECT_THAT(case_error(replaced(at_once, "count = 60", "count = 6000")),
              AllOf(HasSubstr(" 1: inserted "), HasSubstr(" of 6000 particles")));
  EXPECT_THAT(case_error(replaced(at_once, "count = 60", "count = 99999999999999")),
              HasSubstr("at most 2147483647"));
  EXPECT_THAT(
      error_after_edit("[output]", "[domain]\nmin = [-1, -1, -9]\nmax = [1, 1, 0.6]\n[output]"),
      HasSubstr("case.toml:34:10: region: particles could be at z = 0.86, outside the domain, "
                "which is from -9 to 0.6; make the region smaller, or the domain larger"));
}

TEST(BadCase, WhatComesLaterIsLookedAtBeforeTheStart) {
  const std::string later =
      replaced(box_case, "interval = 0.02", "start_time = 0.3\ninterval = 0.02");
  const std::string domain = "[domain]\nmin = [-1, -1, -9]\nmax = [1, 1, 0.6]\n[output]";
  EXPECT_THAT(case_error(replaced(later, "[output]", domain)),
              HasSubstr("case.toml:34:10: region: particles could be at z = 0.86, outside"));
  EXPECT_THAT(case_error(replaced(later, "radius = [0.04, 0.05]", "radius = [0.04, 0.29]")),
              HasSubstr("case.toml:34:10: region has no room for a particle of radius 0.29"));
  EXPECT_THAT(case_error(replaced(later, "start_time = 0.3", "start_time = 0.7")),
              HasSubstr("start_time = 0.7, after the end of the run at 0.6"));
}

TEST(BadCase, ABatchNeedsANextOne) {
  EXPECT_THAT(error_after_edit("interval = 0.02\n", ""),
              HasSubstr("batch_size = 10 needs \"every\", the time from one to the next"));
}

TEST(BadCase, ListsAndLinesAreLookedAtToTheirEnd) {
  EXPECT_THAT(
      error_after_edit("stiffness = 1e4", "materials = [\"grain\", 5, \"grain\"]\nstiffness = 1e4"),
      HasSubstr("between must be 2 texts in [ ]"));
  std::string parts;
  for (int k = 0; k < 50000; ++k) parts += "a.";
  EXPECT_THAT(error_after_edit("title", parts + "b = 1\ntitle"),
              HasSubstr("case.toml:1: a line of 100005 characters; at most 20000"));
}

TEST(BadCase, OptionsHaveLimits) {
  const Folder folder;
  folder.write("case.toml", box_case);
  for (const auto& [option, value] :
       {std::pair{"--threads", "100000"}, std::pair{"--threads", "-1"},
        std::pair{"--verify-every", "-1"}})
    EXPECT_THAT(error_line(folder, {"run", folder.path("case.toml"), "--out", folder.path("out"),
                                    option, value}),
                HasSubstr(option));
}

/// Whatever the bytes: it runs, or there is one line.
void expect_run_or_one_line(const Folder& folder, const std::string& text) {
  folder.write("case.toml", text);
  const std::string out = folder.path("out");
  const ProgramResult outcome =
      run({"run", folder.path("case.toml"), "--out", out, "--threads", "1"});
  if (outcome.status == 2) {
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << text;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("abut: "), HasSubstr("case.toml"))) << text;
    EXPECT_FALSE(std::filesystem::exists(out)) << text;
  } else {
    EXPECT_EQ(outcome.status, 0) << text << outcome.err;
  }
  std::filesystem::remove_all(out);
}

TEST(BadCase, DamagedFilesRunOrAreRefused) {
  const Folder folder;
  const std::string whole = replaced(box_case, "end = 0.6", "end = 2e-3");
  std::mt19937 random(11);
  for (int k = 0; k < trial_count(60); ++k) {
    std::string text = whole;
    char& flipped = text[random() % text.size()];
    flipped = static_cast<char>(flipped ^ (1 << random() % 7));
    if (text.find("end = 2e-3") != std::string::npos) expect_run_or_one_line(folder, text);
  }
  for (std::size_t size = 0; size < whole.size();
       size += whole.size() / static_cast<std::size_t>(trial_count(20)))
    expect_run_or_one_line(folder, whole.substr(0, size));
}

TEST(BadCase, LinesMayEndAsTheyLike) {
  const Folder folder;
  const std::string whole = replaced(box_case, "end = 0.6", "end = 2e-3");
  std::string carriage_returns;
  for (const char c : whole)
    carriage_returns += c == '\n' ? std::string("\r\n") : std::string(1, c);
  std::string state;
  for (const std::string& text : {whole, whole.substr(0, whole.size() - 1), carriage_returns}) {
    folder.write("case.toml", text);
    const std::string out = folder.path("out");
    EXPECT_EQ(run({"run", folder.path("case.toml"), "--out", out}).status, 0);
    const std::string now = run({"state", out}).out;
    if (state.empty()) state = now;
    EXPECT_EQ(now, state);
    std::filesystem::remove_all(out);
  }
}

TEST(BadCase, NoneAndOneParticleAreEnough) {
  const Folder folder;
  const std::string small = replaced(box_case, "end = 0.6", "end = 0.02");
  const std::size_t release = small.find("[[insertion]]");
  const std::size_t sink = small.find("[[sink]]");
  for (const std::string& text : {replaced(small, "count = 60", "count = 1"),
                                  small.substr(0, release) + small.substr(sink)}) {
    folder.write("case.toml", text);
    const ProgramResult outcome =
        run({"run", folder.path("case.toml"), "--out", folder.path("out"), "--verify-every", "10"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::filesystem::remove_all(folder.path("out"));
  }
}

}  // namespace
}  // namespace abut::testing
