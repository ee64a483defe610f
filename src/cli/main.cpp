#include <fcntl.h>
#include <fmt/core.h>
#include <malloc.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <abut/error.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/command.hpp"
#include "cli/version.hpp"
#include "io/system.hpp"
#include "io/temporary_files.hpp"

namespace {

// An interrupted run leaves no half-written file behind.
void clean_up_and_exit(int signal) {
  abut::kill_running_process();
  abut::remove_temporaries();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// One line, whatever the names and values in it hold.
int print_error(std::string_view problem) {
  std::string line;
  for (const char c : problem) {
    const auto byte = static_cast<unsigned char>(c);
    line += byte < ' ' ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  fmt::print(stderr, "abut: {}\n", line);
  return abut::exit_bad_input;
}

// Streams the caller has closed would be given to the next file that is opened.
void occupy_standard_streams() {
  int file = open("/dev/null", O_RDWR);
  while (file >= 0 && file <= STDERR_FILENO) file = dup(file);
  if (file > STDERR_FILENO) close(file);
}

// Signals that someone has chosen to ignore stay ignored.
void handle_signal(int signal) {
  if (std::signal(signal, clean_up_and_exit) == SIG_IGN) std::signal(signal, SIG_IGN);
}

// What was said only counts if it arrived.
int flush_output(int status) {
  if (std::fflush(stdout) == 0 || status != abut::exit_success) return status;
  return print_error("cannot write standard output: " + std::generic_category().message(errno));
}

// CLI11 prints several lines and has exit statuses of its own; ours are one line and one status.
int print_parse_error(const CLI::App& program, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return program.exit(error);
  const CLI::App* asked = &program;
  for (const CLI::App* chosen : program.get_subcommands()) asked = chosen;
  const std::string name = asked == &program ? "abut" : "abut " + asked->get_name();
  return print_error(fmt::format("{} (see {} --help)", error.what(), name));
}

int run(int count, const char* const* arguments) {
  CLI::App program{
      "abut tells you what touches what: contact searches for particles.\n"
      "Example: abut scene random --n 1000 --out p.csv; abut detect p.csv --out c.csv",
      "abut"};
  program.set_version_flag("--version", "abut " ABUT_VERSION);
  program.require_subcommand(1);
  program.failure_message(CLI::FailureMessage::simple);
  const std::vector commands{
      abut::detect_command(program),         abut::compare_command(program),
      abut::bench_command(program),          abut::bench_walls_command(program),
      abut::bench_polygons_command(program), abut::bench_polyhedra_command(program),
      abut::bench_dem_command(program),      abut::run_command(program),
      abut::state_command(program),          abut::render_command(program),
      abut::view_command(program),           abut::reproduce_command(program),
      abut::validate_command(program),       abut::scene_command(program),
      abut::insert_command(program),         abut::mesh_command(program),
      abut::methods_command(program)};
  for (int i = 1; i < count; ++i)
    if (*arguments[i] == '\0') throw abut::Error("an argument is empty; leave it out");
  const auto is_named = [&](const abut::Command& command) {
    return command.arguments.name() == arguments[1];
  };
  if (count > 1 && *arguments[1] != '-' && std::ranges::none_of(commands, is_named))
    throw abut::Error(fmt::format("no command is called '{}' (see abut --help)", arguments[1]));
  try {
    program.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return print_parse_error(program, error);
  }
  for (const abut::Command& command : commands)
    if (command.arguments.is_parsed()) return command.run();
  return abut::exit_bad_input;
}

}  // namespace

int main(int count, char** arguments) {
  occupy_standard_streams();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) handle_signal(signal);
  std::signal(SIGCHLD, SIG_DFL);          // ignored, it would hide how gnuplot ended
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);  // large arrays go back to the system when let go
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the limit is an error of writing, like a full disk
  try {
    return flush_output(run(count, arguments));
  } catch (const std::bad_alloc&) {
    return print_error(
        "not enough memory; fewer particles, or a method with a smaller structure, fit");
  } catch (const std::exception& error) {
    return print_error(error.what());
  }
}
