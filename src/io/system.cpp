#include "io/system.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <abut/error.hpp>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string_view>
#include <system_error>
#include <thread>

#include "core/machine.hpp"
#include "core/message.hpp"

namespace abut {
namespace {

[[noreturn]] void fail(const std::string& program, int error) {
  throw Error(message("cannot run ", program, ": ", std::generic_category().message(error)),
              ErrorCode::io, {.file = program});
}

// A temporary file without a name. Unlike with pipes, the two programs cannot deadlock.
class AnonymousFile {
 public:
  explicit AnonymousFile(const std::string& program) : file_(std::tmpfile(), &std::fclose) {
    if (!file_) fail(program, errno);
  }

  [[nodiscard]] int descriptor() const { return fileno(file_.get()); }

  bool write(std::string_view text) {
    const bool is_complete = std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size();
    return is_complete && std::fflush(file_.get()) == 0 &&
           std::fseek(file_.get(), 0, SEEK_SET) == 0;
  }

  [[nodiscard]] std::string read() {
    std::rewind(file_.get());
    std::string text;
    std::array<char, 4096> chunk{};
    while (const std::size_t got = std::fread(chunk.data(), 1, chunk.size(), file_.get()))
      text.append(chunk.data(), got);
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

class StreamRedirections {
 public:
  StreamRedirections(int in, int out, int err) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, err, STDERR_FILENO);
  }
  ~StreamRedirections() { posix_spawn_file_actions_destroy(&actions_); }
  StreamRedirections(const StreamRedirections&) = delete;
  StreamRedirections& operator=(const StreamRedirections&) = delete;

  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

// For the signal handler; 0 if none is running.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<pid_t> running_process{0};

// Returns the exit status, or 128 + signal.
int wait_for_exit(pid_t child) {
  running_process = child;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  running_process = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::optional<ProcessResult> run_process(std::vector<std::string> arguments,
                                         std::string_view input) {
  const std::string program = arguments.front();
  AnonymousFile in(program);
  AnonymousFile out(program);
  AnonymousFile err(program);
  if (!in.write(input)) fail(program, errno);
  const StreamRedirections streams(in.descriptor(), out.descriptor(), err.descriptor());
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, program.c_str(), streams.get(), nullptr, argv.data(), environ);
  if (error == ENOENT) return {};
  if (error != 0) fail(program, error);
  const int status = wait_for_exit(child);
  return ProcessResult{status, out.read(), err.read()};
}

std::string last_line(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \r\n");
  if (end == std::string_view::npos) return "it gave no reason";
  text = text.substr(0, end + 1);
  constexpr std::size_t max_characters = 200;
  return std::string(text.substr(text.find_last_of('\n') + 1, max_characters));
}

void kill_running_process() noexcept {
  if (const pid_t child = running_process; child > 0) kill(child, SIGKILL);
}

namespace {

// The model of the processor followed by ", ", or empty if unknown.
std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos)
      return message(line.substr(colon + 2), ", ");
  }
  return "";
}

}  // namespace

std::string machine_description() {
  const unsigned cores = std::thread::hardware_concurrency();
  return message(processor_name(), cores, cores == 1 ? " core, " : " cores, ",
                 format_bytes(static_cast<double>(physical_memory())), " of memory");
}

}  // namespace abut
