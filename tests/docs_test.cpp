// The documents must agree with the program.
#include <gmock/gmock.h>

#include <abut/detector_options.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "core/message.hpp"
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
