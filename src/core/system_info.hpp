#pragma once

#include <cstddef>
#include <string>

namespace abut {

/// Installed physical memory in bytes.
std::size_t physical_memory();

/// Formats a number of bytes with a binary unit, e.g. "1.5 GiB". Takes a double because estimates
/// may exceed every integer type.
std::string format_bytes(double bytes);

/// Whether to run the AVX2 kernels: the processor supports AVX2 and BMI2, and the environment
/// variable ABUT_SIMD is not "none".
bool use_avx2();

}  // namespace abut
