#include "cli/instructions.hpp"

#include <fmt/core.h>

#include <abut/error.hpp>
#include <charconv>
#include <filesystem>

#include "io/child_program.hpp"

void abut_counted(void (*work)(void*), void* data) {
  work(data);
  asm volatile("" ::: "memory");  // or the call would become a jump, and its end go unseen
}

namespace abut {
namespace {

ChildOutcome valgrind(const std::vector<std::string>& words) {
  std::vector<std::string> all{"valgrind"};
  all.insert(all.end(), words.begin(), words.end());
  const auto outcome = run_child(all, "");
  if (!outcome)
    throw Error("--instructions: valgrind is not installed; on Debian: apt-get install valgrind");
  return *outcome;
}

// The line "==123== Collected : 456".
std::uint64_t collected(const std::string& said) {
  constexpr std::string_view title = "Collected : ";
  const std::size_t at = said.find(title);
  std::uint64_t count = 0;
  if (at != std::string::npos)
    std::from_chars(said.data() + at + title.size(), said.data() + said.size(), count);
  return count;
}

}  // namespace

void check_valgrind() { (void)valgrind({"--version"}); }

std::uint64_t count_instructions(const std::vector<std::string>& words) {
  std::vector<std::string> all{"--tool=callgrind", "--callgrind-out-file=/dev/null",
                               "--collect-atstart=no", "--toggle-collect=abut_counted",
                               std::filesystem::read_symlink("/proc/self/exe").string()};
  all.insert(all.end(), words.begin(), words.end());
  const ChildOutcome outcome = valgrind(all);
  const std::uint64_t count = collected(outcome.err);
  if (outcome.status != 0 || count == 0)
    throw Error(fmt::format("valgrind has counted no instructions and ended with status {}: {}",
                            outcome.status, last_line(outcome.err)));
  return count;
}

}  // namespace abut
