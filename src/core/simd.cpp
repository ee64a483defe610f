#include "core/simd.hpp"

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace abut {
namespace {

// From the best to the worst.
struct SimdTarget {
  std::int64_t bit;
  std::string_view name;
};

constexpr SimdTarget simd_targets[] = {{HWY_AVX3, "avx512"},
                                       {HWY_AVX2, "avx2"},
                                       {HWY_NEON, "neon"},
                                       {HWY_EMU128, "none"},
                                       {HWY_SCALAR, "none"}};

std::string_view name_of_best(std::int64_t supported) {
  for (const SimdTarget& target : simd_targets)
    if ((supported & HWY_TARGETS & target.bit) != 0) return target.name;
  return "none";
}

// With a single compiled target there is nothing to choose, and Highway's library is not needed.
void disable_targets([[maybe_unused]] std::int64_t targets) {
#if (HWY_TARGETS & (HWY_TARGETS - 1)) != 0
  hwy::DisableTargets(targets);
#endif
}

std::string_view choose_target() {
  const char* requested = std::getenv("ABUT_SIMD");
  const std::int64_t supported = HWY_SUPPORTED_TARGETS;
  if (requested == nullptr) return name_of_best(supported);
  std::int64_t better = 0;  // than the requested one
  for (const SimdTarget& target : simd_targets) {
    if (target.name == requested) {
      disable_targets(better);
      return name_of_best(supported & ~better);
    }
    better |= target.bit;
  }
  return name_of_best(supported);
}

}  // namespace

void select_simd_target() { static_cast<void>(simd_target_name()); }

std::string simd_target_name() {
  static const std::string_view name = choose_target();
  return std::string(name);
}

}  // namespace abut
