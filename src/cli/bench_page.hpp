#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/outputs.hpp"
#include "io/report.hpp"

namespace abut {

/// `--report FILE` of a benchmark: what was measured as a page, with the look of all reports.
class BenchPage {
 public:
  void add_to(Arguments& command);

  [[nodiscard]] bool is_wanted() const { return !path_.empty(); }

  /// Before the work begins: it is better to hear at once that nothing can be written or drawn.
  void open();

  /// The page begins with how the command measures.
  void write(std::string how, std::vector<Report::Section> sections);

 private:
  std::string path_;
  std::optional<Arguments> command_;
  Outputs outputs_;
  OutputFile* file_ = nullptr;
};

}  // namespace abut
