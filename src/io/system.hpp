#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// Result of running another program.
struct ProcessResult {
  int status = 0;  ///< exit status, or 128 + signal
  std::string output;
  std::string error_output;
};

/// Runs a program, found in PATH, without a shell, passes `input` as its standard input and waits
/// for it to exit. `arguments` begins with the name of the program. Returns none if there is no
/// such program; throws `Error` (code io) if it cannot be started.
std::optional<ProcessResult> run_process(std::vector<std::string> arguments,
                                         std::string_view input);

/// The last line of the output of a program, at most 200 characters, to be quoted in a message; "it
/// gave no reason" if the output is empty.
[[nodiscard]] std::string last_line(std::string_view text);

/// Kills the program that `run_process` waits for, if any. May be called from a signal handler.
void kill_running_process() noexcept;

/// Processor, number of cores and memory of this machine, in one line.
std::string machine_description();

}  // namespace abut
