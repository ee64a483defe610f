#include "cli/outputs.hpp"

#include <fmt/core.h>

#include <abut/error.hpp>
#include <algorithm>
#include <filesystem>

#include "core/message.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

bool is_same_file(const std::string& one, const std::string& other) {
  if (is_standard_output(one) || is_standard_output(other))
    return is_standard_output(one) && is_standard_output(other);
  std::error_code missing;
  return fs::equivalent(one, other, missing) || fs::absolute(one, missing).lexically_normal() ==
                                                    fs::absolute(other, missing).lexically_normal();
}

}  // namespace

OutputFile* Outputs::open(const std::string& option, const std::string& path) {
  if (path.empty()) return nullptr;
  for (const std::string& input : input_paths_)
    if (input != "-" && !input.empty() && is_same_file(path, input))
      throw Error(message(option, " = ", path, ": would overwrite an input file"));
  for (const OpenOutput& other : opened_)
    if (is_same_file(path, other.path))
      throw Error(message(option, " = ", path, ": another output is written there"));
  opened_.push_back({path, std::make_unique<OutputFile>(path)});
  return opened_.back().file.get();
}

bool Outputs::uses_standard_output() const {
  return std::ranges::any_of(opened_, is_standard_output, &OpenOutput::path);
}

void Outputs::commit() {
  for (const OpenOutput& opened : opened_) opened.file->flush();
  for (const OpenOutput& opened : opened_) opened.file->commit();
}

FigureFiles::FigureFiles(const OutputFolder& folder, const std::vector<std::string_view>& names,
                         Outputs& outputs)
    : html_path_(folder.path_of("report.html")) {
  for (const std::string_view file : names) {
    const std::string name(file);
    figures_.push_back({name, outputs.open("--out", folder.path_of(name + ".csv")),
                        outputs.open("--out", folder.path_of(name + ".svg"))});
  }
  html_ = outputs.open("--out", html_path_);
}

Report FigureFiles::write(Report report, const std::vector<Figure>& figures) const {
  for (const Figure& figure : figures) {
    const auto files = std::ranges::find(figures_, figure.file, &Files::name);
    const std::string svg = figure.svg.empty() ? draw(figure.plot, figure.file) : figure.svg;
    *files->csv << figure.numbers.csv().csv();
    *files->svg << svg;
    report.sections.push_back({.title = figure.title,
                               .text = figure.text,
                               .svg = svg,
                               .table = figure.numbers.formatted(),
                               .table_title = fmt::format("Data ({}.csv)", figure.file),
                               .findings = figure.findings});
  }
  *html_ << html(report);
  return report;
}

void print_findings(const std::vector<Figure>& figures, VerdictWords words) {
  const int width = words == VerdictWords::claim ? 15 : 6;
  for (const Figure& figure : figures)
    for (const Finding& finding : figure.findings)
      fmt::print("{:{}}{}\n{:{}}{}\n", text(finding.verdict, words), width, finding.claim, "",
                 width, finding.measured);
}

}  // namespace abut
