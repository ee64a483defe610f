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

// Returns the name of the chosen target: the requested one if there is such a target.
std::string_view choose_target(std::string_view requested) {
  disable_targets(0);
  const std::int64_t supported = HWY_SUPPORTED_TARGETS;
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

std::string_view& selected_target() {
  static std::string_view name = [] {
    const char* requested = std::getenv("ABUT_SIMD");
    return choose_target(requested == nullptr ? "" : requested);
  }();
  return name;
}

}  // namespace

void select_simd_target() { selected_target(); }

void select_simd_target(std::string_view name) { selected_target() = choose_target(name); }

std::string simd_target_name() { return std::string(selected_target()); }

}  // namespace abut
