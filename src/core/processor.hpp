#pragma once

namespace abut {

/// Whether loops made for AVX2 may run: the processor has it, and the environment variable
/// ABUT_SIMD=none does not ask for portable ones.
bool runs_avx2();

}  // namespace abut
