// The documents must agree with the program.
#include <gmock/gmock.h>

#include <abut/detector_options.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "cli/run_output.hpp"
#include "core/message.hpp"
#include "io/text_format.hpp"
#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::HasSubstr;

std::string document(const std::string& name) {
  std::ifstream file(std::string(ABUT_SOURCE_DIR) + "/" + name);
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Documents, ListEveryMethod) {
  const std::string table = document("src/broad/README.md");
  const std::string readme = document("README.md");
  for (const MethodInfo& method : methods()) {
    const std::string number = method.demcda_number > 0 ? message(" ", method.demcda_number) : "";
    EXPECT_THAT(table, HasSubstr(message("| ", method.name, " |", number, " | ", method.time, " | ",
                                         method.memory, " | ", method.best_for, " | ", method.paper,
                                         " |")));
    EXPECT_THAT(readme, HasSubstr(message("| `", method.name, "`")));
  }
}

// docs/simulation.md contains the tables that the program prints.
TEST(Documents, ListEveryContactLawAndParameter) {
  const std::string tables = run({"laws", "--markdown"}).out;
  const std::size_t middle = tables.find("\n\n");
  ASSERT_NE(middle, std::string::npos);
  const std::string text = document("docs/simulation.md");
  EXPECT_THAT(text, HasSubstr(tables.substr(0, middle + 1)));
  EXPECT_THAT(text, HasSubstr(tables.substr(middle + 2)));
}

TEST(Documents, ListEveryProbe) {
  Table table({"column", "unit", "meaning"});
  for (const ProbeInfo& probe : probe_infos())
    table.add({message("`", probe.name, "`"), probe.unit, probe.description});
  EXPECT_THAT(document("docs/simulation.md"), HasSubstr(table.markdown()));
}

// Commands of the README, in the order in which a reader would type them.
TEST(Documents, ReadmeCommandsRun) {
  const Folder folder;
  const std::string particles = folder.path("particles.csv");
  const std::string readme = document("README.md");
  for (const char* command :
       {"abut scene random --n 1e6 --out particles.csv",
        "abut detect particles.csv --out pairs.csv", "abut compare particles.csv",
        "abut bench --scene lattice --n 2e5,1e6 --dim 2,3", "abut reproduce mr"})
    EXPECT_THAT(readme, HasSubstr(command));
  EXPECT_EQ(run({"scene", "random", "--n", "1e4", "--out", particles}).status, 0);
  EXPECT_EQ(run({"detect", particles, "--out", folder.path("pairs.csv")}).status, 0);
  EXPECT_EQ(run({"compare", particles}).status, 0);
  EXPECT_EQ(run({"bench", "--scene", "lattice", "--n", "2e2,1e3", "--dim", "2,3"}).status, 0);
}

}  // namespace
}  // namespace abut::testing
