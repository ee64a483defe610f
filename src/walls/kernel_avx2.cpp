#include <bit>
#include <cmath>
#include <limits>

#include "core/machine.hpp"
#include "walls/kernel.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

// Everything below is compiled for processors with AVX2. Nothing that other translation units share
// may be defined here. The kernels are selected at run time.
#define ABUT_INLINE [[gnu::always_inline]] inline
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,popcnt")
#endif

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): required to load vectors
namespace abut::avx2 {
namespace {

using Float8 [[gnu::vector_size(32), gnu::may_alias]] = float;
using Mask8 = decltype(Float8{} < Float8{});
using Float4 [[gnu::vector_size(16), gnu::may_alias]] = float;
using Double4 [[gnu::vector_size(32)]] = double;
using Int4 [[gnu::vector_size(16)]] = std::int32_t;
using Long4 [[gnu::vector_size(32)]] = std::int64_t;
using Mask4 = decltype(Double4{} < Double4{});

ABUT_INLINE unsigned mask_bits(const Mask8& lanes) {
  return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(lanes)));
}
ABUT_INLINE unsigned mask_bits(const decltype(Float4{} < Float4{}) & lanes) {
  return static_cast<unsigned>(_mm_movemask_ps(reinterpret_cast<__m128>(lanes)));
}
ABUT_INLINE unsigned mask_bits(const Mask4& lanes) {
  return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(lanes)));
}

ABUT_INLINE void load(const double* from, Double4& to) {
  to = reinterpret_cast<Double4>(_mm256_loadu_pd(from));
}

ABUT_INLINE void take_sqrt(Float8& lanes) {
  lanes = reinterpret_cast<Float8>(_mm256_sqrt_ps(reinterpret_cast<__m256>(lanes)));
}

ABUT_INLINE void take_sqrt(Float4& lanes) {
  lanes = reinterpret_cast<Float4>(_mm_sqrt_ps(reinterpret_cast<__m128>(lanes)));
}

ABUT_INLINE void round_down(const Double4& values, Double4& rounded) {
  rounded = reinterpret_cast<Double4>(_mm256_floor_pd(reinterpret_cast<__m256d>(values)));
}

ABUT_INLINE void take_max(const Double4& a, const Double4& b, Double4& larger) {
  larger = reinterpret_cast<Double4>(
      _mm256_max_pd(reinterpret_cast<__m256d>(a), reinterpret_cast<__m256d>(b)));
}

ABUT_INLINE void to_double(const Int4& from, Double4& to) {
  to = reinterpret_cast<Double4>(_mm256_cvtepi32_pd(reinterpret_cast<__m128i>(from)));
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
  return use_avx2() ? &avx2::kernel_table<D> : nullptr;
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
