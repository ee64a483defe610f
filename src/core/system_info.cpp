#include "core/system_info.hpp"

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "core/message.hpp"

namespace abut {

std::size_t physical_memory() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::string format_bytes(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  const double rounded = bytes < 1e6 ? std::round(bytes * 10) / 10 : bytes;
  return message(rounded, " ", units[unit]);
}

bool use_avx2() {
  const char* simd = std::getenv("ABUT_SIMD");
  if (simd != nullptr && std::string_view(simd) == "none") return false;
#if defined(__x86_64__)
  return static_cast<bool>(__builtin_cpu_supports("avx2")) &&
         static_cast<bool>(__builtin_cpu_supports("bmi2"));
#else
  return false;
#endif
}

}  // namespace abut
