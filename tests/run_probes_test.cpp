// The tables of a run: probes.csv and profile.csv.
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "box_case.hpp"
#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

using Row = std::map<std::string, std::string>;

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == ',')
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

std::vector<Row> table_of(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> names = fields_of(line);
  std::vector<Row> rows;
  while (std::getline(lines, line)) {
    const std::vector<std::string> fields = fields_of(line);
    EXPECT_EQ(fields.size(), names.size()) << line;
    Row row;
    for (std::size_t k = 0; k < fields.size(); ++k) row[names.at(k)] = fields[k];
    rows.push_back(row);
  }
  return rows;
}

double number(const Row& row, const std::string& column) { return std::stod(row.at(column)); }

/// The sum of a column over the slices of a wall at one step.
double sum_of(const std::vector<Row>& profile, const std::string& step, const std::string& wall,
              const std::string& column) {
  double sum = 0;
  for (const Row& row : profile)
    if (row.at("step") == step && row.at("wall") == wall) sum += number(row, column);
  return sum;
}

void run_case_into(const Folder& folder, const std::string& text) {
  folder.write("case.toml", text);
  const ProgramResult result = run({"run", folder.path("case.toml"), "--out", folder.path("out")});
  EXPECT_EQ(result.status, 0) << result.err;
}

// A disk in a corner between floor and side wall; gravity points into the corner.
const std::string corner_case = R"(dimension = 2
gravity = [-3, -10]
[time]
end = 4
step = 2e-4
[[material]]
name = "disk"
density = 1000
[[contact]]
stiffness = 1e5
restitution = 0.1
[[wall]]
name = "floor"
shape = "plane"
point = [0, 0]
normal = [0, 1]
[[wall]]
name = "side"
shape = "plane"
point = [0, 0]
normal = [1, 0]
[[insertion]]
particles = "disk.csv"
[output]
probe_interval = 2
)";

TEST(RunProfile, SeparatesOutwardFromDownwardForce) {
  const Folder folder;
  folder.write("disk.csv", "x,y,r\n0.1,0.1,0.1\n");
  run_case_into(folder, corner_case);
  const std::vector<Row> profile = table_of(folder.read("out/profile.csv"));
  const double mass = 1000 * std::numbers::pi * 0.1 * 0.1;
  EXPECT_THAT(profile, SizeIs(3 * (1 + 20)));  // the floor has one slice
  const auto at_rest = [&](const std::string& wall, const std::string& column) {
    return sum_of(profile, "20000", wall, column);
  };
  EXPECT_THAT(at_rest("floor", "downward_force"), DoubleNear(10 * mass, 1e-3 * mass));
  EXPECT_THAT(at_rest("side", "outward_force"), DoubleNear(3 * mass, 1e-3 * mass));
  EXPECT_EQ(at_rest("floor", "outward_force"), 0);
  EXPECT_EQ(at_rest("side", "downward_force"), 0);
  for (const Row& row : profile) {
    if (row.at("wall") != "side" || number(row, "outward_force") == 0) continue;
    EXPECT_THAT(number(row, "height"), DoubleNear(0.1, 0.02));  // the contact point
  }
}

// Down is the direction of gravity, here +y.
TEST(RunProfile, DownwardForceIsAlongGravity) {
  const Folder folder;
  folder.write("disk.csv", "x,y,r\n0.5,-0.1,0.1\n");
  run_case_into(folder, replaced(corner_case, "[-3, -10]", "[0, 10]"));
  const std::vector<Row> profile = table_of(folder.read("out/profile.csv"));
  const double weight = 10 * 1000 * std::numbers::pi * 0.1 * 0.1;
  EXPECT_THAT(sum_of(profile, "20000", "floor", "downward_force"),
              DoubleNear(weight, 1e-3 * weight));
}

TEST(RunProfile, FrictionOnFloorIsNotOutwardForce) {
  const Folder folder;
  folder.write("disk.csv", "x,y,r\n0.5,0.1,0.1\n");
  run_case_into(folder, replaced(replaced(replaced(corner_case, "[-3, -10]", "[0, -10]"),
                                          "restitution = 0.1", "restitution = 0.1\nfriction = 0.5"),
                                 "particles =", "velocity = [1, 0]\nparticles ="));
  const std::vector<Row> profile = table_of(folder.read("out/profile.csv"));
  EXPECT_NE(number(table_of(folder.read("out/probes.csv"))[1], "force_floor_x"), 0);
  for (const Row& row : profile) EXPECT_EQ(number(row, "outward_force"), 0);
}

// Particles fall in from above the walls, which alone determine the slices.
TEST(RunProfile, SlicesCoverBoundedWallsOnly) {
  const Folder folder;
  run_case_into(folder, replaced(replaced(box_case, "to = [0, 0, 2]", "to = [0, 0, 0.7]"),
                                 "end = 0.6", "end = 0.02"));
  for (const Row& row : table_of(folder.read("out/profile.csv"))) {
    if (row.at("wall") != "pipe") continue;
    EXPECT_THAT(number(row, "height"), DoubleNear(-1 + 1.7 / 40, 1e-12));  // of the lowest slice
    break;
  }
}

TEST(RunProfile, HasConstantSlicesThatSumToProbes) {
  const Folder folder;
  run_case_into(folder, box_case);
  const std::string text = folder.read("out/profile.csv");
  EXPECT_THAT(text, StartsWith("step,time,wall,height,outward_force,downward_force\n"));
  const std::vector<Row> profile = table_of(text);
  std::map<std::string, std::set<std::pair<std::string, std::string>>> slices;
  for (const Row& row : profile) slices[row.at("step")].insert({row.at("wall"), row.at("height")});
  for (const auto& [step, of_step] : slices) EXPECT_EQ(of_step, slices["0"]) << step;
  EXPECT_THAT(slices["0"], SizeIs(1 + 20));
  for (const Row& row : table_of(folder.read("out/probes.csv")))
    for (const std::string wall : {"floor", "pipe"})
      EXPECT_THAT(sum_of(profile, row.at("step"), wall, "downward_force"),
                  DoubleNear(-number(row, "force_" + wall + "_z"), 1e-9));
  double outward = 0;
  for (const Row& row : profile)
    if (row.at("wall") == "pipe") outward += number(row, "outward_force");
  EXPECT_GT(outward, 0);
}

const std::string silo = R"([[silo]]
outlet_diameter = 0.2
hopper_height = 0.2
diameter = 0.6
height = 2
radius = 0.05
spacing = 0.08
)";

/// Rows by step.
std::map<std::string, Row> rows_by_step(const std::string& text) {
  std::map<std::string, Row> rows;
  for (const Row& row : table_of(text)) rows[row.at("step")] = row;
  return rows;
}

/// A case that is run up to `middle`, changed, and resumed up to `end`, while particles leave.
class ResumedProbes : public ::testing::Test {
 protected:
  ResumedProbes() {
    folder_.write("case.toml", ending_at(box_case, end_));
    EXPECT_EQ(run({"run", folder_.path("case.toml"), "--out", folder_.path("whole")}).status, 0);
    folder_.write("case.toml", ending_at(box_case, middle_));
    EXPECT_EQ(run({"run", folder_.path("case.toml"), "--out", folder_.path("out")}).status, 0);
    whole_ = rows_by_step(folder_.read("whole/probes.csv"));
  }

  static std::string ending_at(const std::string& text, const std::string& time) {
    return replaced(text, "end = 0.6", "end = " + time);
  }

  ProgramResult resume(const std::string& text) const {
    folder_.write("out/case.toml", ending_at(text, end_));
    ProgramResult result = run({"run", "--resume", folder_.path("out")});
    EXPECT_EQ(result.status, 0) << result.err;
    return result;
  }

  const std::string middle_ = "0.6";
  const std::string end_ = "0.72";
  const std::string last_step_before_ = "3000";
  Folder folder_;
  std::map<std::string, Row> whole_;  ///< of an uninterrupted run
};

const std::string renamed_case = replaced(box_case, "name = \"pipe\"", "name = \"tube\"");

TEST_F(ResumedProbes, KeepLinesIfWallIsRenamed) {
  const std::string profile_before = folder_.read("out/profile.csv");
  const ProgramResult result = resume(renamed_case);
  EXPECT_THAT(
      result.err,
      HasSubstr("abut: " + folder_.path("out/probes.csv") +
                ": warning: columns differ from those before the checkpoint; new: force_tube_x, "
                "force_tube_y, force_tube_z; empty from now on: force_pipe_x, force_pipe_y, "
                "force_pipe_z\n"));
  const std::string text = folder_.read("out/probes.csv");
  EXPECT_THAT(text, HasSubstr(",force_floor_z,force_tube_x,force_tube_y,force_tube_z,force_pipe_x,"
                              "force_pipe_y,force_pipe_z\n"));
  const std::map<std::string, Row> rows = rows_by_step(text);
  ASSERT_EQ(rows.size(), whole_.size());
  for (const auto& [step, expected] : whole_) {
    const Row& row = rows.at(step);
    const bool is_before = std::stoul(step) <= std::stoul(last_step_before_);
    for (const auto& [column, field] : expected) {
      if (column.starts_with("force_pipe")) {
        const std::string renamed = replaced(column, "pipe", "tube");
        EXPECT_EQ(row.at(is_before ? column : renamed), field) << step << " " << column;
        EXPECT_EQ(row.at(is_before ? renamed : column), "") << step << " " << column;
      } else {
        EXPECT_EQ(row.at(column), field) << step << " " << column;
      }
    }
  }
  EXPECT_THAT(folder_.read("out/profile.csv"), StartsWith(profile_before));
  // Repeating it changes nothing.
  EXPECT_EQ(run({"run", "--resume", folder_.path("out")}).err, "");
  EXPECT_EQ(rows_by_step(folder_.read("out/probes.csv")), rows);
}

TEST_F(ResumedProbes, ContinueDischargeRateIfFileIsMissing) {
  const Row& before = whole_.at(last_step_before_);
  EXPECT_GT(number(before, "removed_mass"), 0);
  std::filesystem::remove(folder_.path("out/probes.csv"));
  EXPECT_THAT(resume(box_case).err, Not(HasSubstr("probes.csv")));
  const std::vector<Row> rows = table_of(folder_.read("out/probes.csv"));
  ASSERT_FALSE(rows.empty());
  for (const Row& row : rows)
    EXPECT_EQ(row.at("discharge_rate"), whole_.at(row.at("step")).at("discharge_rate"));
}

TEST_F(ResumedProbes, KeepUnreadableFileUnderAnotherName) {
  const std::string edited = "time;step\n1;2\n";
  folder_.write("out/probes.csv", edited);
  folder_.write("out/probes-old.csv", "of the user");
  EXPECT_THAT(resume(box_case).err,
              HasSubstr("abut: " + folder_.path("out/probes.csv") +
                        ": warning: not a table of steps; renamed to probes-old-2.csv\n"));
  EXPECT_EQ(folder_.read("out/probes-old-2.csv"), edited);
  EXPECT_EQ(folder_.read("out/probes-old.csv"), "of the user");
  for (const Row& row : table_of(folder_.read("out/probes.csv")))
    EXPECT_EQ(row, whole_.at(row.at("step")));
}

TEST(RunProbes, SumForcesOnFixedParticlesOfSilo) {
  const Folder folder;
  const std::size_t pipe = box_case.find("[[wall]]\nname = \"pipe\"");
  const std::size_t insertion = box_case.find("[[insertion]]");
  std::string text = box_case;
  run_case_into(folder, text.replace(pipe, insertion - pipe, silo));
  const std::vector<Row> probes = table_of(folder.read("out/probes.csv"));
  const std::vector<Row> profile = table_of(folder.read("out/profile.csv"));
  double max_force = 0;
  for (const Row& row : probes) {
    const double down = sum_of(profile, row.at("step"), "silo", "downward_force");
    EXPECT_THAT(down, DoubleNear(-number(row, "force_silo_z"), 1e-9));
    max_force = std::max(max_force, down);
  }
  EXPECT_GT(max_force, 0.1);
  const std::string state = run({"state", folder.path("out")}).out;
  EXPECT_THAT(state, HasSubstr("\nparticles " + probes.back().at("particles") + "\nfixed "));
}

TEST(RunProbes, NumberSeveralSilos) {
  const Folder folder;
  run_case_into(folder, replaced(replaced(box_case, "[[wall]]", silo + silo + "\n[[wall]]"),
                                 "end = 0.6", "end = 0.002"));
  EXPECT_THAT(folder.read("out/probes.csv"), HasSubstr(",force_silo 1_x,force_silo 1_y,"));
  EXPECT_THAT(folder.read("out/profile.csv"), HasSubstr(",silo 2,"));
}

TEST(RunProbes, HaveColumnsForEverySink) {
  const Folder folder;
  run_case_into(
      folder, replaced(box_case, "[output]",
                       "[[sink]]\nname = \"aside\"\nmin = [2, 2, 2]\nmax = [3, 3, 3]\n\n[output]"));
  const Row last = table_of(folder.read("out/probes.csv")).back();
  EXPECT_NE(last.at("sink_below_count"), "0");
  EXPECT_EQ(last.at("sink_below_count"), last.at("removed"));
  EXPECT_EQ(last.at("sink_below_mass"), last.at("removed_mass"));
  EXPECT_EQ(last.at("sink_aside_count"), "0");
  EXPECT_EQ(last.at("sink_aside_mass"), "0");
}

TEST(RunProbes, LeaveUnmeasuredFieldsEmpty) {
  const Folder folder;
  const std::string short_case = replaced(box_case, "end = 0.6", "end = 0.04");
  run_case_into(folder, short_case);
  for (const std::string column : {"solid_fraction", "elastic", "dissipated", "input"})
    for (const Row& row : table_of(folder.read("out/probes.csv")))
      EXPECT_EQ(row.at(column), "") << column;
  const Folder measured;
  run_case_into(measured,
                replaced(replaced(short_case, "title", "track_energy = true\ntitle"), "[output]",
                         "[output]\nsolid_fraction_box = { min = [-1, -1, 0], max = [1, 1, 1] }"));
  for (const Row& row : table_of(measured.read("out/probes.csv"))) {
    EXPECT_GT(number(row, "solid_fraction"), 0);
    for (const std::string column : {"elastic", "dissipated", "input"})
      EXPECT_TRUE(std::isfinite(number(row, column))) << column;
  }
}

}  // namespace
}  // namespace abut::testing
