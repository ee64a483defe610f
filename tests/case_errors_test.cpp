// Invalid cases: one line with file, line, column, key, value and hint; no output folder remains.
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "box_case.hpp"
#include "dem/contact_coefficients.hpp"
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

TEST(CaseErrors, ReportsUnknownKeyWithSuggestion) {
  EXPECT_THAT(
      case_error(replaced(box_case, "friction", "frction")),
      HasSubstr("case.toml:15:1: frction: unknown key in [[contact]]; did you mean friction?"));
  EXPECT_THAT(case_error(replaced(box_case, "[[sink]]", "[[sinc]]")),
              HasSubstr("sinc: unknown key; did you mean sink?"));
}

struct FormerName {
  std::string from;
  std::string to;
  std::string problem;
};

// Keys of earlier versions are unknown keys; the message gives the current name.
TEST(CaseErrors, ReportsNewNameOfRenamedKeys) {
  const auto renamed = [](const std::string& key, const std::string& table,
                          const std::string& now) {
    return key + ": unknown key" + (table.empty() ? "" : " in " + table) + "; it is now named " +
           now;
  };
  const std::string annulus = "shape = \"annulus\"\ncenter = [0, 0, 0]\n";
  const std::string plane = "shape = \"plane\"\npoint = [0, 0, 0]\n";
  const std::vector<FormerName> names{
      {"[[insertion]]", "[[release]]", "case.toml:31:3: " + renamed("release", "", "insertion")},
      {"gravity", "detector = \"engine\"\ngravity", renamed("detector", "", "search_method")},
      {"gravity", "ledger = true\ngravity", renamed("ledger", "", "track_energy")},
      {"friction", "between = [\"a\", \"b\"]\nfriction",
       renamed("between", "[[contact]]", "materials")},
      {"friction", "tension = true\nfriction",
       renamed("tension", "[[contact]]", "limit_damping") + "; its meaning is inverted"},
      {"friction", "tangential_stiffness = 1\nfriction",
       renamed("tangential_stiffness", "[[contact]]", "tangential_stiffness_ratio")},
      {"friction", "tangential_damping = 1\nfriction",
       renamed("tangential_damping", "[[contact]]", "tangential_damping_ratio")},
      {"friction", "cohesion = 1\nfriction", renamed("cohesion", "[[contact]]", "cohesion_force")},
      {plane, annulus + "outer = 2\ninner_radius = 1\n",
       renamed("outer", "[[wall]]", "outer_radius")},
      {plane, annulus + "outer_radius = 2\ninner = 1\n",
       renamed("inner", "[[wall]]", "inner_radius")},
      {plane, "shape = \"disk\"\ncentre = [0, 0, 0]\n", renamed("centre", "[[wall]]", "center")},
      {"open_time = 0.4", "opens = 0.4", renamed("opens", "[[wall]]", "open_time")},
      {"open_time = 0.4", "open_time = 0.4\ncloses = 1",
       renamed("closes", "[[wall]]", "close_time")},
      {"open_time", "motion = { turning = 1 }\nopen_time",
       renamed("turning", "[motion]", "angular_velocity")},
      {"open_time", "motion = { centre = 1 }\nopen_time", renamed("centre", "[motion]", "center")},
      {"open_time", "motion = { from = 1 }\nopen_time", renamed("from", "[motion]", "start_time")},
      {"open_time", "motion = { until = 1 }\nopen_time", renamed("until", "[motion]", "end_time")},
      {"interval = 0.02", "spin = [0, 0, 1]", renamed("spin", "[[insertion]]", "angular_velocity")},
      {"interval = 0.02", "from = 1", renamed("from", "[[insertion]]", "start_time")},
      {"interval = 0.02", "every = 0.02", renamed("every", "[[insertion]]", "interval")},
      {"batch_size = 10", "batch = 10", renamed("batch", "[[insertion]]", "batch_size")},
      {"{ from = [0, 0, 0.5]", "{ inside = \"a.stl\"", renamed("inside", "[region]", "mesh")},
      {"{ from = [0, 0, 0.5]", "{ centre = [0, 0, 0.5]", renamed("centre", "[region]", "center")},
      {"frame_interval", "frames", renamed("frames", "[output]", "frame_interval")},
      {"probe_interval", "probes", renamed("probes", "[output]", "probe_interval")},
      {"checkpoint_interval", "checkpoints",
       renamed("checkpoints", "[output]", "checkpoint_interval")},
      {"frame_interval", "solid_fraction = 1\nframe_interval",
       renamed("solid_fraction", "[output]", "solid_fraction_box")},
      {"shape = \"plane\"", "shape = \"ring\"",
       "shape = \"ring\": unknown value; it is now named annulus"},
      {"shape = \"plane\"", "shape = \"disc\"",
       "shape = \"disc\": unknown value; it is now named disk"},
  };
  for (const auto& [from, to, problem] : names)
    EXPECT_THAT(case_error(replaced(box_case, from, to)),
                AllOf(HasSubstr("case.toml:"), HasSubstr(problem)));
}

TEST(CaseErrors, ReportsMissingKeysAndWrongTypes) {
  EXPECT_THAT(case_error(replaced(box_case, "density = 1000\n", "")),
              HasSubstr("case.toml:8:1: density: missing in [[material]]"));
  EXPECT_THAT(case_error(replaced(box_case, "density = 1000", "density = \"much\"")),
              HasSubstr("case.toml:10:11: density = \"much\": must be a number"));
  EXPECT_THAT(case_error(replaced(box_case, "density = 1000", "density = -1")),
              HasSubstr("density = -1: must be positive"));
  EXPECT_THAT(case_error(replaced(box_case, "density = 1000", "density = nan")),
              HasSubstr("density = nan: must be finite"));
  EXPECT_THAT(case_error(replaced(box_case, "[0, 0, -10]", "[0, 0]")),
              HasSubstr("gravity = [0, 0]: must be 3 numbers in [ ]"));
  EXPECT_THAT(case_error(replaced(box_case, "\"plane\"", "\"plain\"")),
              HasSubstr("shape = \"plain\": must be one of \"plane\", \"cylinder\""));
  EXPECT_THAT(case_error(replaced(box_case, "count = 60", "count = 6.5")),
              HasSubstr("count = 6.5: must be a non-negative integer"));
}

TEST(CaseErrors, RejectsInvalidValues) {
  EXPECT_THAT(case_error(replaced(box_case, "restitution = 0.5", "restitution = 1.5")),
              HasSubstr("restitution = 1.5: must be "));
  EXPECT_THAT(case_error(replaced(box_case, "stiffness = 1e4", "stiffness = -1")),
              HasSubstr("stiffness = -1: must be "));
  EXPECT_THAT(case_error(replaced(box_case, "step = 2e-4", "step = 0")),
              HasSubstr("step = 0: must be positive"));
  EXPECT_THAT(case_error(replaced(box_case, "step = 2e-4", "step = 1")),
              HasSubstr("case.toml:6:8: step: time_step = 1"));
  EXPECT_THAT(case_error(replaced(box_case, "radius = [0.04, 0.05]", "radius = [0.05, 0.04]")),
              HasSubstr("radius = [0.05, 0.04]: must give the smaller radius first"));
  EXPECT_THAT(case_error(replaced(box_case, "radius = 0.3", "radius = -3")),
              HasSubstr("case.toml:"));
  EXPECT_THAT(case_error(replaced(
                  box_case, "[[wall]]\nname = \"floor\"",
                  "[[wall]]\nmesh = \"none.stl\"\nname = \"x\"\n[[wall]]\nname = \"floor\"")),
              HasSubstr("none.stl"));
  EXPECT_THAT(case_error("gravity = [0, 0\n"), HasSubstr("case.toml:"));
  EXPECT_THAT(case_error(""), HasSubstr("time: missing"));
}

std::string error_after_edit(const std::string& from, const std::string& to) {
  return case_error(replaced(box_case, from, to));
}

TEST(CaseErrors, DistinguishesMisspelledFromMissingKeys) {
  EXPECT_THAT(error_after_edit("gravity", "gravyty"),
              HasSubstr("case.toml:2:1: gravyty: unknown key; did you mean gravity?"));
  EXPECT_THAT(error_after_edit("{ from =", "{ frm ="),
              HasSubstr("frm: unknown key in [region]; did you mean from?"));
  EXPECT_THAT(error_after_edit("min = [-1, -1, -9]\n", ""),
              AllOf(HasSubstr("case.toml:38:1: min: missing in [[sink]]"), Not(HasSubstr("max"))));
  EXPECT_THAT(
      error_after_edit("open_time = 0.4", "close_time = 0.4"),
      HasSubstr("case.toml:22:1: close_time: has no effect with the other keys of this [[wall]]"));
}

TEST(CaseErrors, LocatesErrorsOfTheModel) {
  EXPECT_THAT(error_after_edit("restitution = 0.5", "restitution = -0.1"),
              AllOf(HasSubstr("case.toml:14:15: "), HasSubstr("restitution = -0.1: must be ")));
  EXPECT_THAT(error_after_edit("step = 2e-4", "step = 0.02"),
              AllOf(HasSubstr("case.toml:6:8: step: time_step = 0.02"), HasSubstr("0.00506")));
  EXPECT_THAT(error_after_edit("end = 0.6", "end = 0.6\nmax_displacement_ratio = -1"),
              HasSubstr("case.toml:6:26: max_displacement_ratio = -1: must be positive"));
  EXPECT_THAT(error_after_edit("end = 0.6", "end = 0.6\nmax_energy_growth_ratio = -1"),
              HasSubstr("case.toml:6:27: max_energy_growth_ratio = -1: must be positive"));
  EXPECT_THAT(error_after_edit("end = 0.6", "end = 1e300"),
              HasSubstr("case.toml:5:7: end = 1e+300: must be at most 1e+15 time steps of 2e-04"));
  EXPECT_THAT(error_after_edit("radius = 0.28 }", "radius = 0 }"), HasSubstr("case.toml:34:"));
  EXPECT_THAT(
      error_after_edit("open_time = 0.4",
                       "motion = { angular_velocity = 1, center = [0, 0, 0], axis = [0, 0, 0] }"),
      HasSubstr("case.toml:22:"));
}

TEST(CaseErrors, LocatesEveryContactParameter) {
  for (const ContactParameter& parameter : contact_parameters()) {
    if (parameter.range == ParameterRange::any) continue;
    const std::string name(parameter.name);
    const std::string line = name + " = -0.25\n";
    std::string text = box_case;
    for (const char* given : {"stiffness = 1e4\n", "restitution = 0.5\n", "friction = 0.4\n"})
      if (std::string(given).starts_with(name + " ")) text = replaced(text, given, "");
    const std::string column = std::to_string(name.size() + 4);
    EXPECT_THAT(
        case_error(replaced(text, "[[contact]]\n", "[[contact]]\n" + line)),
        AllOf(HasSubstr("case.toml:13:" + column + ": "),
              HasSubstr(name + " = -0.25: must be " + std::string(text_of(parameter.range)))));
  }
}

TEST(CaseErrors, RejectsNamesThatCannotBeColumnTitles) {
  for (const std::string name : {"a,b", "", "a\\nb", "a\\\"b"}) {
    EXPECT_THAT(error_after_edit("\"pipe\"", "\"" + name + "\""),
                HasSubstr("case.toml:25:8: name = "));
    EXPECT_THAT(error_after_edit("\"below\"", "\"" + name + "\""),
                HasSubstr("case.toml:39:8: name = "));
  }
  EXPECT_THAT(error_after_edit("\"pipe\"", "\"floor\""),
              HasSubstr("case.toml:25:8: name = \"floor\": must be unique"));
  EXPECT_THAT(
      error_after_edit("[output]",
                       "[[sink]]\nname = \"below\"\nmin = [0, 0, 5]\nmax = [1, 1, 6]\n[output]"),
      HasSubstr("case.toml:44:8: name = \"below\": must be unique"));
}

TEST(CaseErrors, RejectsEmptyNamesOfMaterialsAndFiles) {
  for (const std::string name : {"\"\"", "\"a\\nb\""})
    EXPECT_THAT(error_after_edit("\"grain\"", name),
                AllOf(HasSubstr("case.toml:9:8: name = \""),
                      HasSubstr("must not be empty or contain control characters")));
  EXPECT_THAT(error_after_edit("count = 60\nradius = [0.04, 0.05]\n", "particles = \"\"\n"),
              HasSubstr("particles = \"\": must be a file name"));
  EXPECT_THAT(
      error_after_edit("shape = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]", "mesh = \"\""),
      HasSubstr("case.toml:19:8: mesh = \"\": must be a file name"));
}

TEST(CaseErrors, RejectsEqualNamesOfWallAndSilo) {
  const std::string silo =
      "[[silo]]\noutlet_diameter = 0.2\nhopper_height = 0.2\ndiameter = 0.6\nheight = 2\n"
      "radius = 0.05\nspacing = 0.08\n";
  const std::string both = replaced(box_case, "[[insertion]]", silo + "[[insertion]]");
  EXPECT_THAT(case_error(replaced(both, "\"pipe\"", "\"silo\"")),
              HasSubstr("case.toml:31:1: name: must be unique, but \"silo\" exists already"));
  EXPECT_THAT(case_error(replaced(both, "[[silo]]", "[[silo]]\nname = \"floor\"")),
              HasSubstr("case.toml:32:8: name = \"floor\": must be unique"));
}

TEST(CaseErrors, RejectsHugeSiloBeforeAllocation) {
  EXPECT_THAT(error_after_edit("[[wall]]",
                               "[[silo]]\noutlet_diameter = 1\nhopper_height = 1\ndiameter = 1e6\n"
                               "height = 1e6\nradius = 1e-3\nspacing = 1e-3\n\n[[wall]]"),
              HasSubstr("more than 1e+08 "));
}

TEST(CaseErrors, CleansUpIfParticlesDoNotFit) {
  const std::string at_once = replaced(box_case, "interval = 0.02\nbatch_size = 10\n", "");
  EXPECT_THAT(case_error(replaced(at_once, "count = 60", "count = 6000")),
              AllOf(HasSubstr("insertion 1: inserted "), HasSubstr(" of 6000 particles")));
  EXPECT_THAT(case_error(replaced(at_once, "count = 60", "count = 99999999999999")),
              HasSubstr("at most 2147483647"));
  EXPECT_THAT(
      error_after_edit("[output]", "[domain]\nmin = [-1, -1, -9]\nmax = [1, 1, 0.6]\n[output]"),
      HasSubstr(
          "case.toml:34:10: region: particles could be inserted at z = 0.86, outside the domain "
          "from -9 to 0.6; reduce the region or enlarge the domain"));
}

TEST(CaseErrors, ChecksLaterInsertionsBeforeTheRun) {
  const std::string later =
      replaced(box_case, "interval = 0.02", "start_time = 0.3\ninterval = 0.02");
  const std::string domain = "[domain]\nmin = [-1, -1, -9]\nmax = [1, 1, 0.6]\n[output]";
  EXPECT_THAT(
      case_error(replaced(later, "[output]", domain)),
      HasSubstr("case.toml:34:10: region: particles could be inserted at z = 0.86, outside"));
  EXPECT_THAT(case_error(replaced(later, "radius = [0.04, 0.05]", "radius = [0.04, 0.29]")),
              HasSubstr("case.toml:34:10: region: too small for a particle of radius 0.29"));
  EXPECT_THAT(case_error(replaced(later, "start_time = 0.3", "start_time = 0.7")),
              HasSubstr("start_time = 0.7: must not be after the end of the run at 0.6"));
}

TEST(CaseErrors, RejectsBatchSizeWithoutInterval) {
  EXPECT_THAT(error_after_edit("interval = 0.02\n", ""),
              HasSubstr("batch_size = 10: needs interval, the time between batches"));
}

TEST(CaseErrors, ChecksWholeListsAndLines) {
  EXPECT_THAT(
      error_after_edit("stiffness = 1e4", "materials = [\"grain\", 5, \"grain\"]\nstiffness = 1e4"),
      HasSubstr("materials = [\"grain\", 5, \"grain\"]: must be 2 strings in [ ]"));
  std::string parts;
  for (int k = 0; k < 50000; ++k) parts += "a.";
  EXPECT_THAT(error_after_edit("title", parts + "b = 1\ntitle"),
              HasSubstr("case.toml:1: line of 100005 characters; must be at most 20000"));
}

TEST(CaseErrors, RejectsOptionsOutOfRange) {
  const Folder folder;
  folder.write("case.toml", box_case);
  for (const auto& [option, value] :
       {std::pair{"--threads", "100000"}, std::pair{"--threads", "-1"},
        std::pair{"--verify-every", "-1"}})
    EXPECT_THAT(error_line(folder, {"run", folder.path("case.toml"), "--out", folder.path("out"),
                                    option, value}),
                HasSubstr(option));
}

/// For any bytes, the case runs or is rejected with one line.
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

TEST(CaseErrors, SurvivesDamagedFiles) {
  const Folder folder;
  const std::string valid = replaced(box_case, "end = 0.6", "end = 2e-3");
  std::mt19937 random(11);
  for (int k = 0; k < trial_count(60); ++k) {
    std::string text = valid;
    char& flipped = text[random() % text.size()];
    flipped = static_cast<char>(flipped ^ (1 << random() % 7));
    if (text.find("end = 2e-3") != std::string::npos) expect_run_or_one_line(folder, text);
  }
  for (std::size_t size = 0; size < valid.size();
       size += valid.size() / static_cast<std::size_t>(trial_count(20)))
    expect_run_or_one_line(folder, valid.substr(0, size));
}

TEST(CaseErrors, AcceptsAnyLineEnds) {
  const Folder folder;
  const std::string valid = replaced(box_case, "end = 0.6", "end = 2e-3");
  std::string with_crlf;
  for (const char c : valid) with_crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  std::string state;
  for (const std::string& text : {valid, valid.substr(0, valid.size() - 1), with_crlf}) {
    folder.write("case.toml", text);
    const std::string out = folder.path("out");
    EXPECT_EQ(run({"run", folder.path("case.toml"), "--out", out}).status, 0);
    const std::string now = run({"state", out}).out;
    if (state.empty()) state = now;
    EXPECT_EQ(now, state);
    std::filesystem::remove_all(out);
  }
}

TEST(CaseErrors, HandlesZeroAndOneParticle) {
  const Folder folder;
  const std::string small = replaced(box_case, "end = 0.6", "end = 0.02");
  const std::size_t insertion = small.find("[[insertion]]");
  const std::size_t sink = small.find("[[sink]]");
  for (const std::string& text : {replaced(small, "count = 60", "count = 1"),
                                  small.substr(0, insertion) + small.substr(sink)}) {
    folder.write("case.toml", text);
    const ProgramResult outcome =
        run({"run", folder.path("case.toml"), "--out", folder.path("out"), "--verify-every", "10"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::filesystem::remove_all(folder.path("out"));
  }
}

}  // namespace
}  // namespace abut::testing
