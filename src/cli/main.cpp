#include <fcntl.h>
#include <fmt/core.h>
#include <malloc.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <abut/error.hpp>
#include <abut/version.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "bench/bench_commands.hpp"
#include "cli/command.hpp"
#include "core/one_line.hpp"
#include "io/output_file.hpp"
#include "io/system.hpp"

namespace {

// Signal handler: ends child processes and deletes unfinished output files, then lets the signal
// end the program.
void clean_up_and_exit(int signal) {
  abut::kill_running_process();
  abut::remove_temporaries();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// Prints exactly one line: control characters in file names and values are escaped.
int print_error(std::string_view problem) {
  fmt::print(stderr, "abut: {}\n", abut::on_one_line(problem));
  return abut::exit_bad_input;
}

// Opens /dev/null for standard streams that the caller has closed. Otherwise the next file opened
// would get their descriptors, and messages would be written into it. A closed standard output is
// opened for reading only: writing results to it must fail.
void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})  // open returns the lowest
    if (fcntl(stream, F_GETFD) < 0)
      (void)open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

// Signals that the parent process has set to be ignored (as nohup does) stay ignored.
void handle_signal(int signal) {
  if (std::signal(signal, clean_up_and_exit) == SIG_IGN) std::signal(signal, SIG_IGN);
}

int print_output_error(int error) {
  return print_error("cannot write standard output: " + std::generic_category().message(error));
}

// A run succeeds only if everything printed to standard output has been written.
int flush_output(int status) {
  errno = 0;
  if ((std::fflush(stdout) == 0 && std::ferror(stdout) == 0) || status != abut::exit_success)
    return status;
  return print_output_error(errno != 0 ? errno : EIO);
}

// The message for the first word that was an option of the command under an old name; empty if
// there is none.
std::string renamed_message(const std::string& command, int count, const char* const* arguments) {
  for (int i = 2; i < count; ++i) {
    const std::string_view word(arguments[i]);
    const std::string_view option = word.substr(0, word.find('='));
    if (!option.starts_with("--")) continue;
    const std::string_view renamed = abut::renamed_option(command, option);
    if (!renamed.empty()) return fmt::format("unknown option {}; use {}", option, renamed);
  }
  return {};
}

// CLI11 prints several lines and has its own exit statuses; this program prints one line and has
// one status for bad input.
int print_parse_error(const CLI::App& program, const CLI::ParseError& error, int count,
                      const char* const* arguments) {
  if (error.get_exit_code() == 0) {  // --help or --version
    std::ostringstream text;
    const int status = program.exit(error, text, text);
    std::fputs(text.str().c_str(), stdout);  // flush_output reports an error
    return status;
  }
  std::string name = "abut";
  std::string text = error.what();
  for (const CLI::App* subcommand : program.get_subcommands()) {
    name = "abut " + subcommand->get_name();
    const std::string renamed = renamed_message(subcommand->get_name(), count, arguments);
    if (!renamed.empty()) text = renamed;
  }
  return print_error(fmt::format("{} (see {} --help)", text, name));
}

struct CommandEntry {
  std::string_view name;
  abut::Command (*make)(CLI::App&);
};

constexpr std::array command_table{CommandEntry{"detect", abut::detect_command},
                                   CommandEntry{"compare", abut::compare_command},
                                   CommandEntry{"bench", abut::bench_command},
                                   CommandEntry{"bench-walls", abut::bench_walls_command},
                                   CommandEntry{"bench-polygons", abut::bench_polygons_command},
                                   CommandEntry{"bench-polyhedra", abut::bench_polyhedra_command},
                                   CommandEntry{"bench-dem", abut::bench_dem_command},
                                   CommandEntry{"run", abut::run_command},
                                   CommandEntry{"state", abut::state_command},
                                   CommandEntry{"render", abut::render_command},
                                   CommandEntry{"view", abut::view_command},
                                   CommandEntry{"reproduce", abut::reproduce_command},
                                   CommandEntry{"validate", abut::validate_command},
                                   CommandEntry{"scene", abut::scene_command},
                                   CommandEntry{"insert", abut::insert_command},
                                   CommandEntry{"mesh", abut::mesh_command},
                                   CommandEntry{"methods", abut::methods_command},
                                   CommandEntry{"laws", abut::laws_command}};

// The command that is called; all commands if an option such as --help comes first.
std::vector<abut::Command> make_commands(CLI::App& program, std::string_view first_argument) {
  const auto* const called = std::ranges::find(command_table, first_argument, &CommandEntry::name);
  if (called != command_table.end()) return {called->make(program)};
  if (!first_argument.empty() && first_argument.front() != '-') {
    const std::string_view renamed = abut::renamed_option("", first_argument);
    throw abut::Error(fmt::format("no command is called '{}'{} (see abut --help)", first_argument,
                                  renamed.empty() ? "" : fmt::format("; use '{}'", renamed)));
  }
  std::vector<abut::Command> commands;
  commands.reserve(command_table.size());
  for (const CommandEntry& entry : command_table) commands.push_back(entry.make(program));
  return commands;
}

bool has_empty_value(std::string_view list) {
  return list.starts_with(',') || list.ends_with(',') || list.find(",,") != std::string_view::npos;
}

// CLI11 would omit empty values of lists.
void check_lists(const abut::Arguments& command, int count, const char* const* arguments) {
  std::string option;
  for (int i = 2; i < count; ++i) {
    std::string_view values(arguments[i]);
    if (values.starts_with("--")) {
      const std::size_t end = std::min(values.find('='), values.size());
      option = values.substr(0, end);
      values.remove_prefix(std::min(end + 1, values.size()));
    }
    if (has_empty_value(values) && command.is_list(option))
      throw abut::Error(
          fmt::format("{} = {}: a value before or after a comma is missing", option, values));
  }
}

int run(int count, const char* const* arguments) {
  CLI::App program{
      "abut: contact detection and DEM simulation of disks, spheres, polygons and polyhedra.\n"
      "Example: abut scene random --n 1000 --out p.csv; abut detect p.csv --out c.csv",
      "abut"};
  program.set_version_flag("--version", "abut " ABUT_VERSION);
  program.require_subcommand(1);
  program.failure_message(CLI::FailureMessage::simple);
  for (int i = 1; i < count; ++i)
    if (*arguments[i] == '\0') throw abut::Error("an argument is empty; omit it");
  const std::vector<abut::Command> commands = make_commands(program, count > 1 ? arguments[1] : "");
  if (commands.size() == 1) check_lists(commands[0].arguments, count, arguments);
  try {
    program.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return print_parse_error(program, error, count, arguments);
  }
  for (const abut::Command& command : commands)
    if (command.arguments.is_parsed()) return command.run();
  return abut::exit_bad_input;
}

}  // namespace

int main(int count, char** arguments) {
  occupy_standard_streams();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) handle_signal(signal);
  std::signal(SIGCHLD, SIG_DFL);  // if it were ignored, waitpid could not report how gnuplot ended
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);  // return the memory of freed large arrays to the system
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the file size limit is a write error like a full disk
  try {
    return flush_output(run(count, arguments));
  } catch (const std::bad_alloc&) {
    return print_error(
        "out of memory; use fewer particles or a method that needs less (see abut methods)");
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) return print_output_error(error.code().value());  // from fmt
    return print_error(error.what());
  } catch (const std::exception& error) {
    return print_error(error.what());
  }
}
