#include "cli/probe_table.hpp"

#include <abut/error.hpp>
#include <cstdlib>
#include <utility>

#include "core/message.hpp"
#include "io/output_file.hpp"

namespace abut {
namespace {

/// Half a line at the end goes, too.
std::string kept_lines(const std::string& path, const std::string& header, std::uint64_t last) {
  std::ifstream file(path);
  std::string kept = header + "\n";
  std::string line;
  if (!std::getline(file, line) || line != header) return kept;
  while (std::getline(file, line) && !file.eof())
    if (std::strtoull(line.c_str(), nullptr, 10) <= last) kept += line + "\n";
  return kept;
}

std::string last_line_of(const std::string& lines) {
  const std::size_t end = lines.size() - 1;
  const std::size_t before = lines.rfind('\n', end - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return lines.substr(begin, end - begin);
}

}  // namespace

ProbeTable::ProbeTable(std::string path, const std::string& header, std::uint64_t continued_from)
    : path_(std::move(path)) {
  const std::string kept =
      continued_from == 0 ? header + "\n" : kept_lines(path_, header, continued_from);
  OutputFile whole(path_);
  whole << kept;
  whole.commit();
  file_.open(path_, std::ios::app);
  last_line_ = last_line_of(kept);
}

void ProbeTable::add(const std::string& lines) {
  if (!(file_ << lines).flush())
    throw Error(message("cannot write ", path_, ": is the disk full?"));
}

}  // namespace abut
