#include <fmt/core.h>

#include <abut/error.hpp>
#include <csignal>
#include <exception>
#include <new>
#include <vector>

#include "cli/command.hpp"
#include "cli/version.hpp"
#include "io/output_file.hpp"

namespace {

// An interrupted run leaves no half-written file behind.
void clean_up_and_end(int signal) {
  abut::remove_unfinished_output();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

int fail(const char* problem) {
  fmt::print(stderr, "abut: {}\n", problem);
  return abut::bad_input;
}

// CLI11 prints several lines and has exit statuses of its own; ours are one line and one status.
int explain(const CLI::App& program, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return program.exit(error);
  const CLI::App* asked = &program;
  for (const CLI::App* chosen : program.get_subcommands()) asked = chosen;
  const std::string name = asked == &program ? "abut" : "abut " + asked->get_name();
  return fail(fmt::format("{} (see {} --help)", error.what(), name).c_str());
}

int run(int count, const char* const* arguments) {
  CLI::App program{
      "abut tells you what touches what: contact searches for particles.\n"
      "Example: abut scene random --n 1000 --out p.csv; abut detect p.csv --out c.csv",
      "abut"};
  program.set_version_flag("--version", "abut " ABUT_VERSION);
  program.require_subcommand(1);
  program.failure_message(CLI::FailureMessage::simple);
  const std::vector commands{abut::detect_command(program), abut::compare_command(program),
                             abut::bench_command(program), abut::scene_command(program),
                             abut::methods_command(program)};
  try {
    program.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return explain(program, error);
  }
  for (const abut::Command& command : commands)
    if (command.app->parsed()) return command.run();
  return abut::bad_input;
}

}  // namespace

int main(int count, char** arguments) {
  std::signal(SIGINT, clean_up_and_end);
  std::signal(SIGTERM, clean_up_and_end);
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the limit is an error of writing, like a full disk
  try {
    return run(count, arguments);
  } catch (const std::bad_alloc&) {
    return fail("not enough memory; fewer particles, or a method with a smaller structure, fit");
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}
