#include "bench/bench_options.hpp"

#include <fmt/core.h>

#include <abut/version.hpp>
#include <utility>

#include "io/system.hpp"
#include "report/plot.hpp"

namespace abut {

void BenchHtml::add_to(Arguments& command) {
  command_ = command;
  command.add_option("--report", path_, "also write tables and plots as a page, FILE.html");
}

void BenchHtml::open() {
  if (!is_requested()) return;
  check_gnuplot();
  file_ = outputs_.open("--report", path_);
}

void BenchHtml::write(std::string how, std::vector<Report::Section> sections) {
  if (file_ == nullptr) return;
  *file_ << html({.title = command_->description(),
                  .introduction = {std::move(how)},
                  .command = command_->command_line(),
                  .machine = fmt::format("abut {}. {}. Another machine gives other times: compare "
                                         "their ratios.",
                                         ABUT_VERSION, machine_description()),
                  .sections = std::move(sections)});
  outputs_.commit();
}

}  // namespace abut
