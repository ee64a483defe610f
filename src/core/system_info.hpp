#pragma once

#include <cstddef>
#include <string>

namespace abut {

/// Bytes of memory in this machine.
std::size_t physical_memory();

/// "1.5 GiB": bytes as people read them; takes a real number because estimates may be beyond any
/// integer.
std::string format_bytes(double bytes);

/// Whether loops made for AVX2 may run: the processor has it, and the environment variable
/// ABUT_SIMD=none does not ask for portable ones.
bool use_avx2();

}  // namespace abut
