#include "program.hpp"

#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

namespace abut::testing {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

[[noreturn]] void exec_program(const std::vector<std::string>& arguments) {
  // A child process inherits which signals are ignored.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
  std::string name = ABUT_PROGRAM_PATH;
  std::vector<std::string> copies = arguments;
  std::vector<char*> argv{name.data()};
  for (std::string& argument : copies) argv.push_back(argument.data());
  argv.push_back(nullptr);
  execv(name.c_str(), argv.data());
  _exit(127);
}

// In the child process: redirects the streams to files, sets limits, executes the program.
[[noreturn]] void exec_program_with(const RunOptions& options, const Folder& streams,
                                    const std::vector<std::string>& arguments) {
  const bool redirected = std::freopen(streams.path("in").c_str(), "r", stdin) != nullptr &&
                          std::freopen(streams.path("out").c_str(), "w", stdout) != nullptr &&
                          std::freopen(streams.path("err").c_str(), "w", stderr) != nullptr;
  if (!redirected) _exit(126);
  if (options.max_file_size > 0) {
    const rlimit limit{options.max_file_size, options.max_file_size};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (!options.path.empty()) setenv("PATH", options.path.c_str(), 1);
  setenv("ABUT_PROGRESS_INTERVAL", options.progress_interval.c_str(), 1);
  if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(126);
  exec_program(arguments);
}

void kill_after_delay(pid_t child, const RunOptions& options) {
  if (options.kill_after.count() == 0) return;
  std::this_thread::sleep_for(options.kill_after);
  kill(child, options.kill_signal);
}

void signal_on_start_marker(pid_t child, const RunOptions& options) {
  if (options.signal_on_start == 0) return;
  const auto matches = [&](const fs::directory_entry& entry) {
    return entry.path().filename().string().starts_with(options.start_marker.filename().string());
  };
  for (int tries = 0; tries < 5000; ++tries) {
    std::error_code missing;
    const fs::directory_iterator folder(options.start_marker.parent_path(), missing);
    if (std::any_of(begin(folder), end(folder), matches)) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kill(child, options.signal_on_start);
}

}  // namespace

std::string program_path() { return ABUT_PROGRAM_PATH; }

ProgramResult run(const std::vector<std::string>& arguments, const RunOptions& options) {
  const Folder streams;
  streams.write("in", options.input);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) exec_program_with(options, streams, arguments);
  kill_after_delay(child, options);
  signal_on_start_marker(child, options);
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), streams.read("out"),
          streams.read("err")};
}

std::string run_on_terminal(const std::string& kind, const std::vector<std::string>& arguments,
                            const std::string& input, std::chrono::milliseconds input_delay,
                            int signal, std::chrono::milliseconds signal_delay) {
  int terminal = -1;
  int child_end = -1;
  std::array<int, 2> pipe_ends{};
  if (openpty(&terminal, &child_end, nullptr, nullptr, nullptr) != 0 || pipe(pipe_ends.data()) != 0)
    throw std::runtime_error("no terminal or pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    dup2(pipe_ends[0], STDIN_FILENO);
    dup2(child_end, STDERR_FILENO);
    for (const int file : {pipe_ends[0], pipe_ends[1], terminal, child_end}) close(file);
    setenv("TERM", kind.c_str(), 1);
    if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(126);
    exec_program(arguments);
  }
  close(pipe_ends[0]);
  close(child_end);
  std::this_thread::sleep_for(input_delay);
  if (write(pipe_ends[1], input.data(), input.size()) < 0) kill(child, SIGKILL);
  close(pipe_ends[1]);
  if (signal != 0) {
    std::this_thread::sleep_for(signal_delay);
    kill(child, signal);
  }
  std::string text;
  std::array<char, 1024> buffer{};
  for (ssize_t count = 0; (count = read(terminal, buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(count));
  close(terminal);
  waitpid(child, nullptr, 0);
  return text;
}

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "abut-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string Folder::path(const std::string& name) const { return (path_ / name).string(); }

std::string Folder::write(const std::string& name, const std::string& text) const {
  fs::create_directories((path_ / name).parent_path());
  std::ofstream(path_ / name, std::ios::binary) << text;
  return path(name);
}

std::string Folder::read(const std::string& name) const { return text_of(path_ / name); }

std::vector<std::string> Folder::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace abut::testing
