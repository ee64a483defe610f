#include "core/memory.hpp"

#include <unistd.h>

#include <array>
#include <cmath>

#include "core/message.hpp"

namespace abut {

std::size_t physical_memory() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::string human_bytes(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  const double rounded = bytes < 1e6 ? std::round(bytes * 10) / 10 : bytes;
  return message(rounded, " ", units[unit]);
}

}  // namespace abut
