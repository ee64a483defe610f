#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace abut {

/// A table of a run that grows line by line, the step first.
class ProbeTable {
 public:
  /// Lines later than a step, of a run that is taken up again, are dropped.
  ProbeTable(std::string path, const std::string& header, std::uint64_t continued_from);

  /// Whole lines. Throws `Error` if they cannot be written.
  void add(const std::string& lines);

  /// The last line that stayed, or the header.
  [[nodiscard]] const std::string& last_line() const { return last_line_; }

 private:
  std::string path_;
  std::ofstream file_;
  std::string last_line_;
};

}  // namespace abut
