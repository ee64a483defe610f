#pragma once

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

namespace abut::testing {

/// What a run of the program left behind.
struct ProgramResult {
  int status = 0;  ///< exit status, or 128 + signal
  std::string out;
  std::string err;
};

/// How the program is to be run.
struct RunOptions {
  std::string input{};              ///< standard input
  unsigned long max_file_size = 0;  ///< bytes a file may have before writing fails; 0: any
  int signal_on_start = 0;          ///< sent once a file whose name begins with `started` is there
  std::filesystem::path start_marker{};
  std::chrono::microseconds kill_after{0};  ///< if it is not over by then; 0: never
  int kill_signal = SIGKILL;
  std::string path{};  ///< PATH, where it is to find other programs; empty: as it is
};

/// Where the built `abut` is.
std::string program_path();

/// Runs it with these arguments.
ProgramResult run(const std::vector<std::string>& arguments, const RunOptions& circumstances = {});

/// Runs it with a terminal of this kind (TERM) for its errors and standard input that comes after
/// this time; a signal may be sent still later. Returns what the terminal got.
std::string run_on_terminal(const std::string& kind, const std::vector<std::string>& arguments,
                            const std::string& input, std::chrono::milliseconds input_comes_after,
                            int signal = 0, std::chrono::milliseconds signal_comes_after = {});

/// A folder of its own that vanishes with the test.
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
  /// The names of all files in it, sorted.
  [[nodiscard]] std::vector<std::string> files() const;

 private:
  std::filesystem::path path_;
};

}  // namespace abut::testing
