#pragma once

#include <string>
#include <string_view>

// SIMD kernels are written once with Google Highway and compiled for several instruction sets:
// AVX-512, AVX2 and one value at a time on x86-64, NEON on ARM64. A kernel file looks like this:
//
//     #undef HWY_TARGET_INCLUDE
//     #define HWY_TARGET_INCLUDE "dem/kernels.cpp"  // this file, as seen from the include root
//     #include <hwy/foreach_target.h>               // includes this file once per instruction set
//     #include <hwy/highway.h>
//     HWY_BEFORE_NAMESPACE();
//     namespace abut::HWY_NAMESPACE {
//     void kernel(…) { … }
//     }
//     HWY_AFTER_NAMESPACE();
//     #if HWY_ONCE
//     namespace abut {
//     HWY_EXPORT(kernel);
//     void call(…) { ABUT_SIMD_DISPATCH(kernel)(…); }
//     }
//     #endif
//
// The result of a kernel must not depend on the number of lanes: operations are lane by lane, sums
// over lanes are done in the order of the elements, and no multiply-add is used.

namespace abut {

/// Selects the instruction set on the first call: the best one of the processor, or the one that
/// the environment variable ABUT_SIMD names: "avx512", "avx2", "neon", or "none" for one value at a
/// time. If the processor does not have it, the next one in this order
/// is used; an unknown name is ignored. Results do not depend on it.
void select_simd_target();

/// Selects an instruction set by its name from now on; for tests. Kernels that a detector, wall or
/// simulation already uses stay the same. No other thread may look up kernels meanwhile.
void select_simd_target(std::string_view name);

/// The selected instruction set, by the names above.
std::string simd_target_name();

}  // namespace abut

/// The variant of an exported kernel for the selected instruction set.
#define ABUT_SIMD_DISPATCH(kernel) (::abut::select_simd_target(), HWY_DYNAMIC_DISPATCH(kernel))
