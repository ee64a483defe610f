// Options and commands of the old vocabulary are unknown, and the error names the new one.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "error_line.hpp"
#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(RenamedOptions, AreRejectedWithTheNewName) {
  struct Renamed {
    std::string command, old_name, new_name;
  };
  const std::vector<Renamed> all{
      {"detect", "--picture", "--svg"},
      {"detect", "--max-memory", "--memory-limit"},
      {"compare", "--max-memory", "--memory-limit"},
      {"scene", "--fraction", "--solid-fraction"},
      {"scene", "--ratio", "--size-ratio"},
      {"scene", "--raster", "--spatial-order"},
      {"insert", "--fraction", "--solid-fraction"},
      {"insert", "--attempts", "--max-attempts"},
      {"insert", "--into", "--existing"},
      {"bench", "--peers", "--libraries"},
      {"bench", "--ratio", "--size-ratio"},
      {"bench-walls", "--peers", "--libraries"},
      {"bench-walls", "--near", "--near-fraction"},
      {"bench-polygons", "--near", "--max-gap"},
      {"bench-polygons", "--stream", "--n-uncached"},
      {"bench-polyhedra", "--peers", "--libraries"},
      {"bench-dem", "--smooth", "--frictionless"},
      {"bench-dem", "--rough", "--friction"},
      {"run", "--check", "--verify-every"},
      {"render", "--cut", "--clip"},
      {"render", "--chains", "--force-chains"},
      {"render", "--sheet", "--montage"},
      {"render", "--colour", "--color"},
  };
  const Folder folder;
  for (const auto& [command, old_name, new_name] : all) {
    std::string expected = "abut: unknown option ";
    expected.append(old_name).append("; use ").append(new_name);
    expected.append(" (see abut ").append(command).append(" --help)\n");
    EXPECT_EQ(error_line(folder, {command, old_name}), expected);
    EXPECT_THAT(error_line(folder, {command, old_name + "=1"}), HasSubstr("; use " + new_name));
    EXPECT_THAT(run({command, "--help"}).out,
                AllOf(HasSubstr(" " + new_name), Not(HasSubstr(" " + old_name + " "))));
  }
}

TEST(RenamedOptions, OldNameIsNotReportedForOtherCommands) {
  const Folder folder;
  EXPECT_THAT(error_line(folder, {"state", "--picture", "x"}), Not(HasSubstr("--svg")));
}

TEST(RenamedCommands, AreRejectedWithTheNewName) {
  const Folder folder;
  EXPECT_EQ(error_line(folder, {"release", "--n", "10"}),
            "abut: no command is called 'release'; use 'insert' (see abut --help)\n");
  EXPECT_EQ(error_line(folder, {"mesh", "ring", "--out", folder.path("m.stl")}),
            "abut: no mesh is called 'ring'; use torus\n");
}

}  // namespace
}  // namespace abut::testing
