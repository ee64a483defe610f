#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// What another program said before it ended.
struct ChildOutcome {
  int status = 0;  ///< exit status, or 128 + signal
  std::string out;
  std::string err;
};

/// Runs a program that is found by PATH, without a shell, with this standard input. None if there
/// is no such program; throws `Error` where the system cannot run any.
std::optional<ChildOutcome> run_child(std::vector<std::string> words, std::string_view input);

/// The last line of what a program said, to be quoted as its reason.
[[nodiscard]] std::string last_line(std::string_view text);

/// Ends the program that runs at this moment, if one does. Safe in a signal handler.
void stop_child() noexcept;

}  // namespace abut
