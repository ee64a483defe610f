// The documents must agree with the program.
#include <gmock/gmock.h>

#include <abut/detector_options.hpp>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run_output.hpp"
#include "core/message.hpp"
#include "io/text_format.hpp"
#include "program.hpp"
#include "sanitized.hpp"

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

/// The arguments of the commands of a block of a document, without comments.
std::vector<std::vector<std::string>> commands_in(const std::string& text,
                                                  const std::string& first_command) {
  const std::size_t begin = text.find(first_command);
  EXPECT_NE(begin, std::string::npos) << first_command;
  std::istringstream lines(text.substr(begin, text.find("```", begin) - begin));
  std::vector<std::vector<std::string>> commands;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string program;
    EXPECT_TRUE(words >> program && program == "abut") << line;
    commands.emplace_back(std::istream_iterator<std::string>(words),
                          std::istream_iterator<std::string>());
  }
  return commands;
}

// In the order in which a reader would type them. Only the files are in a temporary folder.
TEST(Documents, CommandsOfReadmeRunAsWritten) {
  const Folder folder;
  const auto commands = commands_in(document("README.md"), "abut scene random");
  EXPECT_EQ(commands.size(), 6U);
  for (std::vector<std::string> arguments : commands) {
    if (is_sanitized && arguments[0] != "scene" && arguments[0] != "detect") continue;  // slow
    for (std::size_t k = 1; k < arguments.size(); ++k)
      if (arguments[k].ends_with(".csv") || arguments[k].ends_with(".html") ||
          arguments[k - 1] == "--out")
        arguments[k] = folder.path(arguments[k]);
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.status, 0) << arguments[0] << ": " << result.err;
  }
  EXPECT_THAT(folder.files(), ::testing::IsSupersetOf({"particles.csv", "pairs.csv"}));
}

}  // namespace
}  // namespace abut::testing
