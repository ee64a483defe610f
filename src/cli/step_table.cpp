#include "cli/step_table.hpp"

#include <fmt/format.h>

#include <abut/error.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "io/output_file.hpp"

namespace abut {
namespace {

using CsvFields = std::vector<std::string>;

CsvFields split_line(std::string_view line) {
  CsvFields fields(1);
  for (const char c : line) {
    if (c == ',')
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

std::string join_fields(const CsvFields& fields) {
  return fmt::format("{}", fmt::join(fields, ","));
}

/// Index of a field; the number of fields if it is missing.
std::size_t find_field(const CsvFields& fields, std::string_view field) {
  return static_cast<std::size_t>(std::ranges::find(fields, field) - fields.begin());
}

bool has_unique_titles(CsvFields titles) {
  std::ranges::sort(titles);
  return std::ranges::adjacent_find(titles) == titles.end();
}

}  // namespace

struct StepTable::Lines {
  std::string header;
  std::vector<std::string> rows;

  [[nodiscard]] std::string text() const {
    std::string text = header + "\n";
    for (const std::string& row : rows) text += row + "\n";
    return text;
  }
};

/// The header and the lines up to a step; nothing if there is no file or it is empty. An incomplete
/// line at the end, left by a run that was killed, is dropped.
std::optional<StepTable::Lines> StepTable::read_lines(const std::string& path,
                                                      std::uint64_t last_step) {
  std::ifstream file(path);
  Lines lines;
  if (!std::getline(file, lines.header) || file.eof()) return {};
  for (std::string line; std::getline(file, line) && !file.eof();)
    if (std::strtoull(line.c_str(), nullptr, 10) <= last_step) lines.rows.push_back(line);
  return lines;
}

StepTable::StepTable(std::string path, const std::string& header, std::uint64_t resumed_step)
    : path_(std::move(path)), titles_(split_line(header)) {
  Lines kept{header, {}};
  if (std::optional<Lines> lines; resumed_step > 0 && (lines = read_lines(path_, resumed_step))) {
    if (lines->header == header || merge_columns(*lines))
      kept = std::move(*lines);
    else
      rename_unreadable();
  }
  if (!kept.rows.empty()) last_row_ = split_line(kept.rows.back());
  OutputFile rewritten(path_);
  rewritten << kept.text();
  rewritten.commit();
  file_.open(path_, std::ios::app);
}

bool StepTable::merge_columns(Lines& lines) {
  const CsvFields before = split_line(lines.header);
  if (before.front() != titles_.front() || !has_unique_titles(before)) return false;
  CsvFields merged = titles_;
  CsvFields unused;
  for (const std::string& title : before)
    if (find_field(titles_, title) == titles_.size()) unused.push_back(title);
  merged.insert(merged.end(), unused.begin(), unused.end());
  CsvFields last_row;
  for (std::string& row : lines.rows) {
    const CsvFields fields = split_line(row);
    if (fields.size() != before.size()) return false;
    last_row.assign(merged.size(), "");
    for (std::size_t k = 0; k < before.size(); ++k)
      last_row[find_field(merged, before[k])] = fields[k];
    row = join_fields(last_row);
  }
  lines.header = join_fields(merged);
  padding_.assign(unused.size(), ',');
  warn_columns(before, unused, last_row);
  return true;
}

void StepTable::warn_columns(const CsvFields& before, const CsvFields& unused,
                             const CsvFields& last_row) {
  CsvFields added;
  for (const std::string& title : titles_)
    if (find_field(before, title) == before.size()) added.push_back(title);
  CsvFields ended;  // unused columns that had a value so far
  for (std::size_t k = 0; k < unused.size() && !last_row.empty(); ++k)
    if (!last_row[titles_.size() + k].empty()) ended.push_back(unused[k]);
  if (added.empty() && ended.empty()) return;
  warning_ = fmt::format("{}: warning: columns differ from those before the checkpoint", path_);
  if (!added.empty()) warning_ += fmt::format("; new: {}", fmt::join(added, ", "));
  if (!ended.empty()) warning_ += fmt::format("; empty from now on: {}", fmt::join(ended, ", "));
}

void StepTable::rename_unreadable() {
  const std::filesystem::path path = path_;
  const auto numbered = [&](int number) {
    const std::string suffix = number == 1 ? "-old" : fmt::format("-old-{}", number);
    return path.parent_path() / (path.stem().string() + suffix + path.extension().string());
  };
  int number = 1;
  while (std::filesystem::exists(numbered(number))) ++number;
  std::error_code error;
  std::filesystem::rename(path, numbered(number), error);
  if (error)
    throw Error(fmt::format("cannot rename {}: {}", path_, error.message()), ErrorCode::io);
  warning_ = fmt::format("{}: warning: not a table of steps; renamed to {}", path_,
                         numbered(number).filename().string());
}

std::string StepTable::last_field(std::string_view title) const {
  const std::size_t column = find_field(titles_, title);
  return column < last_row_.size() ? last_row_[column] : std::string();
}

void StepTable::add(const std::string& lines) {
  std::string padded;
  for (const char c : lines) {
    if (c == '\n') padded += padding_;
    padded += c;
  }
  if (!(file_ << padded).flush())
    throw Error(fmt::format("cannot write {}: is the disk full?", path_));
}

}  // namespace abut
