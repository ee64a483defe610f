#include "cli/peak_memory.hpp"

#include <malloc.h>

#include <fstream>
#include <string>

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
