#include "cli/command.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <abut/error.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <vector>

#include "core/message.hpp"

namespace abut {
namespace {

std::string joined_values(const CLI::Option& option) {
  std::string joined;
  for (const std::string& value : option.results()) joined += (joined.empty() ? "" : ",") + value;
  return joined;
}

}  // namespace

Argument& Argument::metavar(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Argument& Argument::required() {
  option_->required();
  return *this;
}

Argument& Argument::hidden() {
  option_->group("");
  return *this;
}

Argument& Argument::comma_separated() {
  option_->delimiter(',');
  return *this;
}

Argument& Argument::expected(int min, int max) {
  option_->expected(min, max);
  return *this;
}

Argument& Argument::range(int min, int max) {
  option_->check(CLI::Range(min, max).description(""));
  return *this;
}

Argument& Argument::unsigned_integer() {
  const auto check = [](const std::string& text) -> std::string {
    std::uint64_t value = 0;  // CLI11 would replace larger numbers by the largest one
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && stop == end) return {};
    return message("Value ", shortened(text), " is not an integer from 0 to ",
                   std::numeric_limits<std::uint64_t>::max());
  };
  option_->check(CLI::Validator(check, ""));
  return *this;
}

Argument& Argument::one_of(std::initializer_list<int> values) {
  option_->check(CLI::IsMember(values).description(""));
  return *this;
}

Argument& Argument::excludes(const std::string& other) {
  option_->excludes(other);
  return *this;
}

bool Argument::is_given() const { return option_->count() > 0; }

Arguments::Arguments(CLI::App& program, const std::string& name, const std::string& description)
    : app_(program.add_subcommand(name, description)) {}

void Arguments::footer(const std::string& text) { app_->footer(text); }

template <class Value>
Argument Arguments::add_option(const std::string& name, Value& value,
                               const std::string& description) {
  return Argument(*app_->add_option(name, value, description));
}

Argument Arguments::add_flag(const std::string& name, bool& value, const std::string& description) {
  return Argument(*app_->add_flag(name, value, description));
}

Argument Arguments::get_option(const std::string& name) {
  return Argument(*app_->get_option(name));
}

std::string Arguments::name() const { return app_->get_name(); }

std::string Arguments::description() const { return app_->get_description(); }

bool Arguments::is_parsed() const { return app_->parsed(); }

bool Arguments::is_list(const std::string& option) const {
  const CLI::App& command = *app_;
  const CLI::Option* const found = command.get_option_no_throw(option);
  return found != nullptr && found->get_delimiter() == ',';
}

std::string Arguments::command_line() const {
  std::string text = "abut " + name();
  const CLI::App& command = *app_;
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    if (!option->get_positional()) text += " " + option->get_name();
    if (option->get_items_expected_max() > 0) text += " " + joined_values(*option);
  }
  return text;
}

template Argument Arguments::add_option(const std::string&, std::string&, const std::string&);
template Argument Arguments::add_option(const std::string&, int&, const std::string&);
template Argument Arguments::add_option(const std::string&, unsigned&, const std::string&);
template Argument Arguments::add_option(const std::string&, std::uint64_t&, const std::string&);
template Argument Arguments::add_option(const std::string&, double&, const std::string&);
template Argument Arguments::add_option(const std::string&, std::optional<double>&,
                                        const std::string&);
template Argument Arguments::add_option(const std::string&, std::vector<std::string>&,
                                        const std::string&);
template Argument Arguments::add_option(const std::string&, std::vector<int>&, const std::string&);
template Argument Arguments::add_option(const std::string&, std::vector<unsigned>&,
                                        const std::string&);
template Argument Arguments::add_option(const std::string&, std::vector<float>&,
                                        const std::string&);
template Argument Arguments::add_option(const std::string&, std::vector<double>&,
                                        const std::string&);

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
