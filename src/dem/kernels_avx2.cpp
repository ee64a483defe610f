#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/machine.hpp"
#include "dem/kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

// The code below is compiled for processors with AVX2 and is used only if `use_avx2()` returns true
// at run time. Inline functions shared with other files must not be instantiated here: the linker
// could pick the AVX2 version for all.
#define ABUT_INLINE [[gnu::always_inline]] inline
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): loads and stores of unaligned vectors
namespace abut::avx2 {
namespace {

using Lanes [[gnu::vector_size(32)]] = double;
using Mask = decltype(Lanes{} < Lanes{});

ABUT_INLINE Lanes square_root(const Lanes& lanes) {
  return reinterpret_cast<Lanes>(_mm256_sqrt_pd(reinterpret_cast<__m256d>(lanes)));
}

// The order matters: each file uses the previous ones.
// clang-format off
#include "dem/lanes.inl"
#include "dem/contact_laws.inl"
#include "dem/pair_forces.inl"
#include "dem/wall_forces.inl"
#include "dem/integrator.inl"
// clang-format on

}  // namespace
}  // namespace abut::avx2
// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace abut {

std::optional<StepKernels> avx2_step_kernels(ContactLaw law, bool has_friction, bool track_energy) {
  if (!use_avx2()) return std::nullopt;
  return law == ContactLaw::hooke ? avx2::make_kernels<avx2::Hooke>(has_friction, track_energy)
                                  : avx2::make_kernels<avx2::Hertz>(has_friction, track_energy);
}

}  // namespace abut

#else

namespace abut {

std::optional<StepKernels> avx2_step_kernels(ContactLaw, bool, bool) { return std::nullopt; }

}  // namespace abut

#endif
