#include "cli/bench_page.hpp"

#include <fmt/core.h>

#include <utility>

#include "cli/version.hpp"
#include "io/machine.hpp"
#include "io/plot.hpp"

namespace abut {

void BenchPage::add_to(Arguments& command) {
  command_ = command;
  command.add_option("--report", path_, "also write tables and plots as a page, FILE.html");
}

void BenchPage::open() {
  if (!is_wanted()) return;
  check_gnuplot();
  file_ = outputs_.open("--report", path_);
}

void BenchPage::write(std::string how, std::vector<Report::Section> sections) {
  if (file_ == nullptr) return;
  *file_ << html({.title = command_->description(),
                  .introduction = {std::move(how)},
                  .command = command_->typed(),
                  .machine = fmt::format("abut {}. {}. Another machine gives other times: compare "
                                         "their ratios.",
                                         ABUT_VERSION, machine_text()),
                  .sections = std::move(sections)});
  outputs_.commit();
}

}  // namespace abut
