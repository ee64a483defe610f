#include "bench/measurement.hpp"

#include <fmt/core.h>
#include <malloc.h>

#include <abut/error.hpp>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>

#include "io/system.hpp"

namespace abut {

PeakMemory::PeakMemory() {
  malloc_trim(0);
  std::ofstream reset("/proc/self/clear_refs");  // 5 sets the peak to what is resident now
  reset << 5 << std::flush;
  known_ = reset.good();
}

std::size_t PeakMemory::bytes() const {
  if (!known_) return 0;
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::size_t kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) return 1024 * kibibytes;
  }
  return 0;
}

}  // namespace abut

void abut_counted(void (*work)(void*), void* data) {
  work(data);
  asm volatile("" ::: "memory");  // or the call would become a jump, and its end go unseen
}

namespace abut {
namespace {

ProcessResult run_valgrind(const std::vector<std::string>& words) {
  std::vector<std::string> all{"valgrind"};
  all.insert(all.end(), words.begin(), words.end());
  const auto outcome = run_process(all, "");
  if (!outcome)
    throw Error("--instructions: valgrind is not installed; on Debian: apt-get install valgrind");
  return *outcome;
}

// The line "==123== Collected : 456".
std::uint64_t collected_count(const std::string& said) {
  constexpr std::string_view title = "Collected : ";
  const std::size_t at = said.find(title);
  std::uint64_t count = 0;
  if (at != std::string::npos)
    std::from_chars(said.data() + at + title.size(), said.data() + said.size(), count);
  return count;
}

}  // namespace

void check_valgrind() { (void)run_valgrind({"--version"}); }

std::uint64_t count_instructions(const std::vector<std::string>& words) {
  std::vector<std::string> all{"--tool=callgrind", "--callgrind-out-file=/dev/null",
                               "--collect-atstart=no", "--toggle-collect=abut_counted",
                               std::filesystem::read_symlink("/proc/self/exe").string()};
  all.insert(all.end(), words.begin(), words.end());
  const ProcessResult outcome = run_valgrind(all);
  const std::uint64_t count = collected_count(outcome.error_output);
  if (outcome.status != 0 || count == 0)
    throw Error(fmt::format("valgrind has counted no instructions and ended with status {}: {}",
                            outcome.status, last_line(outcome.error_output)));
  return count;
}

}  // namespace abut
