#pragma once

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

namespace abut::testing {

/// Exit status and output of a run of the program.
struct ProgramResult {
  int status = 0;  ///< exit status, or 128 + signal
  std::string out;
  std::string err;
};

/// Conditions under which the program runs.
struct RunOptions {
  std::string input{};              ///< standard input
  unsigned long max_file_size = 0;  ///< in bytes; writing more fails; 0: no limit
  int signal_on_start = 0;  ///< sent once a file whose path starts with `start_marker` exists
  std::filesystem::path start_marker{};
  std::chrono::microseconds kill_after{0};  ///< then `kill_signal` is sent; 0: never
  int kill_signal = SIGKILL;
  std::string path{};                     ///< environment variable PATH; empty: unchanged
  std::string folder{};                   ///< working directory; empty: unchanged
  std::string progress_interval = "1e6";  ///< ABUT_PROGRESS_INTERVAL, s; default: no such lines
};

/// Path of the built `abut`.
std::string program_path();

/// Runs the program and waits for its end.
ProgramResult run(const std::vector<std::string>& arguments, const RunOptions& options = {});

/// Runs the program with a pseudo-terminal of this kind (TERM) as stderr. `input` is written to its
/// stdin after `input_delay`; then, after `signal_delay`, `signal` is sent if it is not 0. Returns
/// the output to the terminal.
std::string run_on_terminal(const std::string& kind, const std::vector<std::string>& arguments,
                            const std::string& input, std::chrono::milliseconds input_delay,
                            int signal = 0, std::chrono::milliseconds signal_delay = {});

/// A temporary folder, deleted by the destructor.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const;
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  [[nodiscard]] std::string read(const std::string& name) const;
  /// The names of all files in the folder, sorted.
  [[nodiscard]] std::vector<std::string> files() const;

 private:
  std::filesystem::path path_;
};

}  // namespace abut::testing
