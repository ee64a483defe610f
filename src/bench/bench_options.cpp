#include "bench/bench_options.hpp"

#include <fmt/core.h>

#include <abut/error.hpp>
#include <abut/version.hpp>
#include <utility>

#include "io/system.hpp"
#include "report/plot.hpp"

namespace abut {

void BenchHtml::add_to(Arguments& command) {
  command_ = command;
  command.add_option("--report", path_, "Also write tables and plots as an HTML page")
      .metavar("FILE");
}

void BenchHtml::open() {
  if (!is_requested()) return;
  check_gnuplot();
  file_ = outputs_.open("--report", path_);
}

void BenchHtml::write(std::string introduction, std::vector<Report::Section> sections) {
  if (file_ == nullptr) return;
  *file_ << html({.title = command_->description(),
                  .introduction = {std::move(introduction)},
                  .command = command_->command_line(),
                  .machine = fmt::format("abut {}. {}. Times differ between machines; compare the "
                                         "ratios.",
                                         ABUT_VERSION, machine_description()),
                  .sections = std::move(sections)});
  outputs_.commit();
}

void BenchOptions::add_to(Arguments& command, const std::string& libraries,
                          const std::string& script) {
  command
      .add_option("--repeat", repeat,
                  fmt::format("Number of timed runs of each search (default: {})", repeat))
      .metavar("N")
      .range(1, 1000);
  command.add_option("--seed", seed, "Random seed (default: 1)").metavar("N").unsigned_integer();
  command.add_flag("--libraries", with_libraries,
                   fmt::format("Also measure {} (see {})", libraries, script));
  command.add_flag("--json", json, "Print an array of JSON objects instead of the table");
  html.add_to(command);
}

void BenchOptions::check_libraries(bool available, const std::string& script) const {
  if (with_libraries && !available)
    throw Error("--libraries: this program was built without the other libraries; run " + script +
                " to install them, build and measure");
}

}  // namespace abut
