#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/outputs.hpp"
#include "io/report.hpp"

namespace abut {

/// `--report FILE` of a benchmark: what was measured as a page, with the look of all reports.
class BenchPage {
 public:
  void add_to(CLI::App& command);

  [[nodiscard]] bool is_wanted() const { return !path_.empty(); }

  /// Before the work begins: it is better to hear at once that nothing can be written or drawn.
  void open();

  /// The page begins with how the command measures.
  void write(std::string how, std::vector<Report::Section> sections);

 private:
  std::string path_;
  const CLI::App* command_ = nullptr;
  Outputs outputs_;
  OutputFile* file_ = nullptr;
};

/// The command with all that was given to it, as one would type it.
std::string command_text(const CLI::App& command);

}  // namespace abut
