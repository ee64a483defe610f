#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// What another program said before it ended.
struct ProcessResult {
  int status = 0;  ///< exit status, or 128 + signal
  std::string output;
  std::string error_output;
};

/// Runs a program that is found by PATH, without a shell, with this standard input. None if there
/// is no such program; throws `Error` where the system cannot run any.
std::optional<ProcessResult> run_process(std::vector<std::string> words, std::string_view input);

/// The last line of what a program said, to be quoted as its reason.
[[nodiscard]] std::string last_line(std::string_view text);

/// Ends the program that runs at this moment, if one does. Safe in a signal handler.
void kill_running_process() noexcept;

/// What runs here, as far as the system tells: processor, cores, memory.
std::string machine_description();

}  // namespace abut
