#include "core/processor.hpp"

#include <cstdlib>
#include <string_view>

namespace abut {

bool runs_avx2() {
  const char* wish = std::getenv("ABUT_SIMD");
  if (wish != nullptr && std::string_view(wish) == "none") return false;
#if defined(__x86_64__)
  return static_cast<bool>(__builtin_cpu_supports("avx2")) &&
         static_cast<bool>(__builtin_cpu_supports("bmi2"));
#else
  return false;
#endif
}

}  // namespace abut
