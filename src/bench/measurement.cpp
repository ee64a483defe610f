#include "bench/measurement.hpp"

#include <fmt/core.h>
#include <malloc.h>

#include <abut/error.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>

#include "cli/terminal.hpp"
#include "core/statistics.hpp"
#include "io/system.hpp"

namespace abut {

PeakMemory::PeakMemory() {
  malloc_trim(0);
  std::ofstream reset("/proc/self/clear_refs");  // 5 resets the peak to the current value
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

void PairCheck::load(const std::vector<Pair>& pairs) {
  buffer_.clear();
  buffer_.append(pairs);
}

std::optional<std::string> PairCheck::mismatch(const std::string& name,
                                               const std::vector<Pair>& pairs) {
  load(pairs);
  sorter_.sort(buffer_, particle_count_, sorted_);
  if (!reference_) {
    reference_name_ = name;
    reference_ = sorted_;
    return {};
  }
  const auto [ours, theirs] = std::ranges::mismatch(sorted_, *reference_);
  const bool ours_ended = ours == sorted_.end();
  const bool theirs_ended = theirs == reference_->end();
  if (ours_ended && theirs_ended) return {};
  Pair first{};
  if (ours_ended || theirs_ended)
    first = ours_ended ? *theirs : *ours;
  else
    first = std::min(*ours, *theirs);
  return fmt::format("{} finds {} pairs, {} finds {}; first difference at ({}, {})", name,
                     sorted_.size(), reference_name_, reference_->size(), first.a, first.b);
}

double PairCheck::seconds_to_sort(const std::vector<Pair>& pairs, int repeat) {
  load(pairs);
  sorter_.sort(buffer_, particle_count_, sorted_);
  std::vector<double> seconds;
  for (int i = 0; i < repeat; ++i) {
    const Stopwatch watch;
    sorter_.sort(buffer_, particle_count_, sorted_);
    seconds.push_back(watch.seconds());
  }
  return median_of(seconds);
}

}  // namespace abut

void abut_counted(void (*work)(void*), void* data) {
  work(data);
  // Prevents a tail call: callgrind would not see this function return.
  asm volatile("" ::: "memory");
}

namespace abut {
namespace {

ProcessResult run_valgrind(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{"valgrind"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto result = run_process(command, "");
  if (!result)
    throw Error("--instructions: valgrind is not installed; on Debian: apt-get install valgrind");
  return *result;
}

// Parses the line "==123== Collected : 456"; 0 if there is none.
std::uint64_t collected_count(const std::string& output) {
  constexpr std::string_view title = "Collected : ";
  const std::size_t at = output.find(title);
  std::uint64_t count = 0;
  if (at != std::string::npos)
    std::from_chars(output.data() + at + title.size(), output.data() + output.size(), count);
  return count;
}

}  // namespace

void check_valgrind() { (void)run_valgrind({"--version"}); }

std::uint64_t count_instructions(const std::vector<std::string>& arguments) {
  std::vector<std::string> all{"--tool=callgrind", "--callgrind-out-file=/dev/null",
                               "--collect-atstart=no", "--toggle-collect=abut_counted",
                               std::filesystem::read_symlink("/proc/self/exe").string()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const ProcessResult result = run_valgrind(all);
  const std::uint64_t count = collected_count(result.error_output);
  if (result.status != 0 || count == 0)
    throw Error(fmt::format("valgrind counted no instructions and exited with status {}: {}",
                            result.status, last_line(result.error_output)));
  return count;
}

}  // namespace abut
