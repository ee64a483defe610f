#include <algorithm>
#include <array>
#include <cmath>

#include "core/system_info.hpp"
#include "engine/kernel.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

// Everything below, and nothing that other files share, is compiled for processors with AVX2; which
// kernels run is decided when the program does.
#define ABUT_INLINE [[gnu::always_inline]] inline
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#endif

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): that is how vectors are loaded
namespace abut::avx2 {

struct QuantizedParticle {
  __m256i xy;
  __m256i zr;
  __m256i invert_mask;
};

// The reach is negated, so that subtracting adds.
ABUT_INLINE QuantizedParticle broadcast(std::uint32_t xy, std::uint32_t zr) {
  const std::uint32_t negated = (zr & 0xFFFFU) | (0U - (zr >> 16U)) << 16U;
  return {_mm256_set1_epi32(static_cast<int>(xy)), _mm256_set1_epi32(static_cast<int>(negated)),
          _mm256_set1_epi32(static_cast<int>(0xFFFF0000U))};
}

ABUT_INLINE __m256i load(const std::uint32_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

// dx² + dy² + dz² − s·(s − 1) for the reach s: inverting the bits of −s gives s − 1.
ABUT_INLINE unsigned candidate_mask8(QuantizedParticle own, const std::uint32_t* xy,
                                     const std::uint32_t* zr) {
  const __m256i dx_dy = _mm256_sub_epi16(own.xy, load(xy));
  const __m256i dz_s = _mm256_sub_epi16(own.zr, load(zr));
  const __m256i turned = _mm256_xor_si256(dz_s, own.invert_mask);
  const __m256i excess =
      _mm256_add_epi32(_mm256_madd_epi16(dx_dy, dx_dy), _mm256_madd_epi16(dz_s, turned));
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(excess)));
}

ABUT_INLINE unsigned low_bits(unsigned mask, Index count) { return _bzhi_u32(mask, count); }

ABUT_INLINE void store(__m256i value, Index* to) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), value);
}

ABUT_INLINE void expand_mask(Index first, unsigned mask, Index* to) {
  const __m128i lanes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(lane_table[mask].data()));
  store(_mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(first)), _mm256_cvtepu8_epi32(lanes)),
        to);
}

ABUT_INLINE void expand_offsets(const std::uint16_t* later, Index i, Index* to) {
  const __m128i eight = _mm_loadu_si128(reinterpret_cast<const __m128i*>(later));
  store(_mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(i)), _mm256_cvtepu16_epi32(eight)), to);
}

ABUT_INLINE void fill8(Index value, Index* to) {
  store(_mm256_set1_epi32(static_cast<int>(value)), to);
}

#include "engine/exact_test_avx2.inl"
#include "engine/kernel.inl"

}  // namespace abut::avx2
// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace abut {

template <std::size_t D>
const Kernels<D>* avx2_kernels() {
  static constexpr Kernels<D> kernels{
      avx2::quantize_all<D>, avx2::search_level<D, PairSink>, avx2::search_between_levels<D>,
      avx2::search_level<D, CandidateList>, avx2::test_candidate_list<D>};
  return use_avx2() ? &kernels : nullptr;
}

#else

namespace abut {

template <std::size_t D>
const Kernels<D>* avx2_kernels() {
  return nullptr;
}

#endif

template const Kernels<2>* avx2_kernels();
template const Kernels<3>* avx2_kernels();

}  // namespace abut
