#include "program.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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

// In the child: streams to files, limits, then the program.
[[noreturn]] void become_program(const std::vector<std::string>& arguments,
                                 const Circumstances& circumstances, const fs::path& streams) {
  const bool redirected = std::freopen((streams / "in").c_str(), "r", stdin) != nullptr &&
                          std::freopen((streams / "out").c_str(), "w", stdout) != nullptr &&
                          std::freopen((streams / "err").c_str(), "w", stderr) != nullptr;
  if (!redirected) _exit(126);
  if (circumstances.largest_file > 0) {
    const rlimit limit{circumstances.largest_file, circumstances.largest_file};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  std::vector<char*> words;
  static std::string name = ABUT_PROGRAM_PATH;
  words.push_back(name.data());
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv(name.c_str(), words.data());
  _exit(127);
}

void signal_once_started(pid_t child, const Circumstances& circumstances) {
  if (circumstances.signal_when_started == 0) return;
  const auto matches = [&](const fs::directory_entry& entry) {
    return entry.path().filename().string().starts_with(circumstances.started.filename().string());
  };
  for (int tries = 0; tries < 5000; ++tries) {
    const fs::directory_iterator folder(circumstances.started.parent_path());
    if (std::any_of(begin(folder), end(folder), matches)) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kill(child, circumstances.signal_when_started);
}

}  // namespace

Outcome run(const std::vector<std::string>& arguments, const Circumstances& circumstances) {
  const Folder streams;
  streams.write("in", circumstances.input);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) become_program(arguments, circumstances, streams.path(""));
  signal_once_started(child, circumstances);
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), streams.read("out"),
          streams.read("err")};
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
