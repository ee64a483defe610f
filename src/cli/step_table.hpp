#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// A CSV table that grows line by line during a run. The first column is the step.
class StepTable {
 public:
  /// Opens the file. Keeps its lines up to step `resumed_step`, or starts a new file if that is 0.
  /// If the file has other columns than `header`, its fields are moved to the columns of the same
  /// title; columns that are not in `header` follow after the others. A file that is not such a
  /// table is renamed.
  StepTable(std::string path, const std::string& header, std::uint64_t resumed_step);

  /// Appends whole lines with the columns of `header`. Throws `Error` if they cannot be written.
  void add(const std::string& lines);

  /// A field of the last line kept when the file was opened; empty if there is no such line or
  /// column.
  [[nodiscard]] std::string last_field(std::string_view title) const;

  /// One line on how the columns of the file have changed; empty if they have not.
  [[nodiscard]] const std::string& warning() const { return warning_; }

 private:
  struct Lines;

  [[nodiscard]] static std::optional<Lines> read_lines(const std::string& path,
                                                       std::uint64_t last_step);
  /// Moves the fields of lines with other columns. Returns false if they are not such a table.
  [[nodiscard]] bool merge_columns(Lines& lines);
  void warn_columns(const std::vector<std::string>& before, const std::vector<std::string>& unused,
                    const std::vector<std::string>& last_row);
  void rename_unreadable();

  std::string path_;
  std::ofstream file_;
  std::vector<std::string> titles_;    ///< of `header`
  std::vector<std::string> last_row_;  ///< fields of the last line kept; empty if there is none
  std::string padding_;                ///< empty fields at the end of each line, for other columns
  std::string warning_;
};

}  // namespace abut
