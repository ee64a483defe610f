#include <algorithm>
#include <array>
#include <cmath>

#include "core/machine.hpp"
#include "engine/kernel.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

// The code below is compiled for AVX2 processors. It must not define functions that other files
// share; which kernels run is decided at run time.
#define ABUT_INLINE [[gnu::always_inline]] inline
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#endif

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): required to load vectors
namespace abut::avx2 {

struct QuantizedParticle {
  __m256i xy;
  __m256i zr;
  __m256i invert_mask;
};

// The half cutoff is negated, so that the subtraction in candidate_mask8 adds the two.
ABUT_INLINE QuantizedParticle broadcast(std::uint32_t xy, std::uint32_t zr) {
  const std::uint32_t negated = (zr & 0xFFFFU) | (0U - (zr >> 16U)) << 16U;
  return {_mm256_set1_epi32(static_cast<int>(xy)), _mm256_set1_epi32(static_cast<int>(negated)),
          _mm256_set1_epi32(static_cast<int>(0xFFFF0000U))};
}

ABUT_INLINE __m256i load(const std::uint32_t* data) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(data));
}

// Sign of dx² + dy² + dz² − s·(s − 1) for the cutoff s; inverting the bits of −s gives s − 1.
ABUT_INLINE unsigned candidate_mask8(QuantizedParticle own, const std::uint32_t* xy,
                                     const std::uint32_t* zr) {
  const __m256i dx_dy = _mm256_sub_epi16(own.xy, load(xy));
  const __m256i dz_s = _mm256_sub_epi16(own.zr, load(zr));
  const __m256i inverted = _mm256_xor_si256(dz_s, own.invert_mask);
  const __m256i excess =
      _mm256_add_epi32(_mm256_madd_epi16(dx_dy, dx_dy), _mm256_madd_epi16(dz_s, inverted));
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(excess)));
}

ABUT_INLINE unsigned low_bits(unsigned mask, Index count) { return _bzhi_u32(mask, count); }

ABUT_INLINE void store(__m256i value, Index* out) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), value);
}

ABUT_INLINE void expand_mask(Index first, unsigned mask, Index* out) {
  const __m128i lanes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(lane_table[mask].data()));
  store(_mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(first)), _mm256_cvtepu8_epi32(lanes)),
        out);
}

ABUT_INLINE void expand_offsets(const std::uint16_t* offsets, Index i, Index* out) {
  const __m128i eight = _mm_loadu_si128(reinterpret_cast<const __m128i*>(offsets));
  store(_mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(i)), _mm256_cvtepu16_epi32(eight)),
        out);
}

ABUT_INLINE void fill8(Index value, Index* out) {
  store(_mm256_set1_epi32(static_cast<int>(value)), out);
}

// The exact test of four candidates at once.

struct ExactTestConstants {
  __m256d radius_scale;
  __m256d margin;
  __m128i fixed_count;
};

// In 3D a particle is one vector (x, y, z, r). Multiplying coordinates by 1 and adding 0 changes
// nothing, so every number is rounded as in `ContactPredicate`.
template <std::size_t D>
ABUT_INLINE ExactTestConstants exact_test_constants(const SortedView<D>& sorted) {
  const double scale = sorted.predicate.radius_scale();
  const double margin = sorted.predicate.margin();
  const double unit = D == 3 ? 1 : scale;
  const double zero = D == 3 ? 0 : margin;
  return {_mm256_setr_pd(unit, unit, unit, scale), _mm256_setr_pd(zero, zero, zero, margin),
          _mm_set1_epi32(static_cast<int>(sorted.fixed_count))};
}

// For each mask of four bits, the permutation that moves the selected pairs to the front.
alignas(64) constexpr auto pair_permutations = [] {
  std::array<std::array<std::uint32_t, 8>, 16> table{};
  for (unsigned mask = 0; mask < 16; ++mask) {
    std::size_t count = 0;
    for (std::uint32_t pair = 0; pair < 4; ++pair)
      if ((mask >> pair & 1U) != 0) {
        table[mask][count++] = 2 * pair;
        table[mask][count++] = 2 * pair + 1;
      }
  }
  return table;
}();

ABUT_INLINE __m256d cutoff4(__m256d radii, const ExactTestConstants& constants) {
  return _mm256_add_pd(_mm256_mul_pd(radii, constants.radius_scale), constants.margin);
}

// `ContactPredicate::excess` of four candidates, summed in the same order:
// dx² + dy² + dz² − cutoff².
ABUT_INLINE __m256d excess4(const SortedView<3>& sorted, const ExactTestConstants& constants,
                            const Index* i, const Index* j) {
  const auto squares = [&](std::size_t n) __attribute__((always_inline)) {
    const __m256d a = _mm256_loadu_pd(sorted.spheres[i[n]].data());
    const __m256d b = _mm256_loadu_pd(sorted.spheres[j[n]].data());
    const __m256d delta = _mm256_blend_pd(_mm256_sub_pd(a, b), _mm256_add_pd(a, b), 8);
    const __m256d scaled = cutoff4(delta, constants);
    return _mm256_mul_pd(scaled, scaled);
  };
  const __m256d s0 = squares(0);
  const __m256d s1 = squares(1);
  const __m256d s2 = squares(2);
  const __m256d s3 = squares(3);
  const __m256d xz01 = _mm256_unpacklo_pd(s0, s1);  // x0 x1 z0 z1
  const __m256d yr01 = _mm256_unpackhi_pd(s0, s1);
  const __m256d xz23 = _mm256_unpacklo_pd(s2, s3);
  const __m256d yr23 = _mm256_unpackhi_pd(s2, s3);
  const __m256d x = _mm256_permute2f128_pd(xz01, xz23, 0x20);
  const __m256d z = _mm256_permute2f128_pd(xz01, xz23, 0x31);
  const __m256d y = _mm256_permute2f128_pd(yr01, yr23, 0x20);
  const __m256d r = _mm256_permute2f128_pd(yr01, yr23, 0x31);
  return _mm256_sub_pd(_mm256_add_pd(_mm256_add_pd(x, y), z), r);
}

ABUT_INLINE __m256d excess4(const SortedView<2>& sorted, const ExactTestConstants& constants,
                            const Index* i, const Index* j) {
  const auto squares = [&](std::size_t n) __attribute__((always_inline)) {
    const __m128d delta = _mm_sub_pd(_mm_loadu_pd(sorted.spheres[i[n]].data()),
                                     _mm_loadu_pd(sorted.spheres[j[n]].data()));
    return _mm_mul_pd(delta, delta);
  };
  const auto radii = [&](std::size_t n) __attribute__((always_inline)) {
    return sorted.spheres[i[n]][2] + sorted.spheres[j[n]][2];
  };
  const __m256d distance =
      _mm256_set_m128d(_mm_hadd_pd(squares(2), squares(3)), _mm_hadd_pd(squares(0), squares(1)));
  const __m256d cutoff = cutoff4(_mm256_setr_pd(radii(0), radii(1), radii(2), radii(3)), constants);
  return _mm256_sub_pd(distance, _mm256_mul_pd(cutoff, cutoff));
}

template <std::size_t D>
ABUT_INLINE unsigned contact_mask4(const SortedView<D>& sorted, const ExactTestConstants& constants,
                                   const Index* i, const Index* j) {
  return static_cast<unsigned>(_mm256_movemask_pd(
      _mm256_cmp_pd(excess4(sorted, constants, i, j), _mm256_setzero_pd(), _CMP_LE_OQ)));
}

// Writes the pairs among four candidates to `out`, which needs space for four; returns their
// number.
template <std::size_t D>
ABUT_INLINE std::size_t append_contacts4(const SortedView<D>& sorted,
                                         const ExactTestConstants& constants, const Index* i,
                                         const Index* j, Pair* out) {
  const auto ids = [&](const Index* at) __attribute__((always_inline)) {
    return _mm_setr_epi32(static_cast<int>(sorted.id[at[0]]), static_cast<int>(sorted.id[at[1]]),
                          static_cast<int>(sorted.id[at[2]]), static_cast<int>(sorted.id[at[3]]));
  };
  const __m128i own = ids(i);
  const __m128i other = ids(j);
  const __m128i a = _mm_min_epu32(own, other);
  const __m128i b = _mm_max_epu32(own, other);
  const __m128i not_fixed = _mm_cmpeq_epi32(_mm_max_epu32(b, constants.fixed_count), b);
  const unsigned mask = contact_mask4(sorted, constants, i, j) &
                        static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(not_fixed)));
  const __m256i pairs = _mm256_set_m128i(_mm_unpackhi_epi32(a, b), _mm_unpacklo_epi32(a, b));
  const __m256i order =
      _mm256_load_si256(reinterpret_cast<const __m256i*>(pair_permutations[mask].data()));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_permutevar8x32_epi32(pairs, order));
  return static_cast<std::size_t>(__builtin_popcount(mask));
}

template <std::size_t D>
std::size_t test_range(const SortedView<D>& view, Index i, Index first, Index last, Pair* pairs) {
  const SortedView<D> sorted = view;
  const ExactTestConstants constants = exact_test_constants(sorted);
  const std::array<Index, 4> own{i, i, i, i};
  std::size_t found = 0;
  for (; first + 4 <= last; first += 4) {
    const std::array<Index, 4> other{first, first + 1, first + 2, first + 3};
    found += append_contacts4(sorted, constants, own.data(), other.data(), pairs + found);
  }
  return found + test_range_scalar(view, i, first, last, pairs + found);
}

template <std::size_t D>
std::size_t test_all(const SortedView<D>& view, const Index* particles, const Index* candidates,
                     std::size_t count, Pair* pairs) {
  const SortedView<D> sorted = view;
  const ExactTestConstants constants = exact_test_constants(sorted);
  std::size_t found = 0;
  std::size_t at = 0;
  for (; at + 4 <= count; at += 4)
    found += append_contacts4(sorted, constants, particles + at, candidates + at, pairs + found);
  return found + test_scalar(view, particles + at, candidates + at, count - at, pairs + found);
}

// Quantizes x, y, z and the half cutoff to 32 bits each, and keeps the low 16 bits.
ABUT_INLINE std::uint64_t quantize4(__m256d sphere, __m256d origin, __m256d scale, __m256d offset) {
  const __m256d t = _mm256_mul_pd(_mm256_sub_pd(sphere, origin), scale);
  const __m128i whole = _mm256_cvttpd_epi32(_mm256_add_pd(t, offset));
  const __m128i low_halves = _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 0, 0, 0, 0, 0, 0, 0, 0);
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_shuffle_epi8(whole, low_halves)));
}

// In 2D z is 0, so that the radius is the last component in both dimensions.
template <std::size_t D>
ABUT_INLINE __m256d to_vector(const SphereRecord<D>& sphere) {
  return _mm256_setr_pd(sphere[0], sphere[1], D == 3 ? sphere[2] : 0, sphere[D]);
}

template <std::size_t D>
void quantize_all(const Quantization<D>& quantization, const SphereRecord<D>* spheres,
                  std::size_t count, std::uint32_t* xy, std::uint32_t* zr) {
  const __m256d origin = to_vector<D>(quantization.origin);
  const __m256d scale = to_vector<D>(quantization.scale);
  const __m256d offset = to_vector<D>(quantization.offset);
  std::size_t i = 0;
  for (; quantization.fits_int32 && i < count; ++i) {
    const std::uint64_t both = quantize4(to_vector<D>(spheres[i]), origin, scale, offset);
    xy[i] = static_cast<std::uint32_t>(both);
    zr[i] = static_cast<std::uint32_t>(both >> 32U);
  }
  quantize_scalar(quantization, spheres, i, count, xy, zr);
}

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
