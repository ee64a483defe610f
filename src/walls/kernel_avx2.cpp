#include <bit>
#include <cmath>
#include <limits>

#include "core/processor.hpp"
#include "walls/kernel.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

// Everything below, and nothing that other files share, is compiled for processors with AVX2; which
// kernels run is decided when the program does.
#define ABUT_INLINE [[gnu::always_inline]] inline
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,popcnt")
#endif

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): that is how vectors are loaded
namespace abut::avx2 {
namespace {

using Floats [[gnu::vector_size(32), gnu::may_alias]] = float;
using Bits = decltype(Floats{} < Floats{});
using FourFloats [[gnu::vector_size(16), gnu::may_alias]] = float;
using Doubles [[gnu::vector_size(32)]] = double;
using Wholes [[gnu::vector_size(16)]] = std::int32_t;
using FourWholes [[gnu::vector_size(32)]] = std::int64_t;
using FourBits = decltype(Doubles{} < Doubles{});

ABUT_INLINE unsigned bits_of(const Bits& lanes) {
  return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(lanes)));
}
ABUT_INLINE unsigned bits_of(const decltype(FourFloats{} < FourFloats{}) & lanes) {
  return static_cast<unsigned>(_mm_movemask_ps(reinterpret_cast<__m128>(lanes)));
}
ABUT_INLINE unsigned bits_of(const FourBits& lanes) {
  return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(lanes)));
}

ABUT_INLINE void load(const double* from, Doubles& to) {
  to = reinterpret_cast<Doubles>(_mm256_loadu_pd(from));
}

ABUT_INLINE void root(Floats& lanes) {
  lanes = reinterpret_cast<Floats>(_mm256_sqrt_ps(reinterpret_cast<__m256>(lanes)));
}

ABUT_INLINE void root(FourFloats& lanes) {
  lanes = reinterpret_cast<FourFloats>(_mm_sqrt_ps(reinterpret_cast<__m128>(lanes)));
}

ABUT_INLINE void round_down(const Doubles& at, Doubles& whole) {
  whole = reinterpret_cast<Doubles>(_mm256_floor_pd(reinterpret_cast<__m256d>(at)));
}

ABUT_INLINE void put_larger(const Doubles& a, const Doubles& b, Doubles& larger) {
  larger = reinterpret_cast<Doubles>(
      _mm256_max_pd(reinterpret_cast<__m256d>(a), reinterpret_cast<__m256d>(b)));
}

ABUT_INLINE void widen(const Wholes& from, Doubles& to) {
  to = reinterpret_cast<Doubles>(_mm256_cvtepi32_pd(reinterpret_cast<__m128i>(from)));
}

#include "walls/kernel.inl"

}  // namespace
}  // namespace abut::avx2
// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace abut {

template <std::size_t D>
const WallKernels<D>* avx2_wall_kernels() {
  return runs_avx2() ? &avx2::all<D> : nullptr;
}

#else

namespace abut {

template <std::size_t D>
const WallKernels<D>* avx2_wall_kernels() {
  return nullptr;
}

#endif

template const WallKernels<2>* avx2_wall_kernels();
template const WallKernels<3>* avx2_wall_kernels();

}  // namespace abut
