#include "cli/bench_page.hpp"

#include <fmt/core.h>

#include <utility>

#include "cli/version.hpp"
#include "io/machine.hpp"
#include "io/plot.hpp"

namespace abut {
namespace {

std::string values_of(const CLI::Option& option) {
  std::string joined;
  for (const std::string& value : option.results())
    joined += fmt::format("{}{}", joined.empty() ? "" : ",", value);
  return joined;
}

}  // namespace

void BenchPage::add_to(CLI::App& command) {
  command_ = &command;
  command.add_option("--report", path_, "also write tables and plots as a page, FILE.html");
}

void BenchPage::open() {
  if (!is_wanted()) return;
  check_gnuplot();
  file_ = outputs_.open("--report", path_);
}

void BenchPage::write(std::string how, std::vector<Report::Section> sections) {
  if (file_ == nullptr) return;
  *file_ << html({.title = command_->get_description(),
                  .introduction = {std::move(how)},
                  .command = command_text(*command_),
                  .machine = fmt::format("abut {}. {}. Another machine gives other times: compare "
                                         "their ratios.",
                                         ABUT_VERSION, machine_text()),
                  .sections = std::move(sections)});
  outputs_.commit();
}

std::string command_text(const CLI::App& command) {
  std::string text = "abut " + command.get_name();
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    if (!option->get_positional()) text += " " + option->get_name();
    if (option->get_items_expected_max() > 0) text += " " + values_of(*option);
  }
  return text;
}

}  // namespace abut
