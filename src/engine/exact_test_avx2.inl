// The exact test and the packing of four numbers at once, for processors with AVX2.
// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): that is how vectors are loaded

struct ExactTestConstants {
  __m256d radius_scale;
  __m256d margin;
  __m128i fixed_count;
};

// In 3D a particle is one vector: coordinates are stretched by one and get no margin, which changes
// nothing, so every number is rounded as in the predicate.
template <std::size_t D>
ABUT_INLINE ExactTestConstants exact_test_constants(const SortedView<D>& sorted) {
  const double stretch = sorted.predicate.radius_scale();
  const double margin = sorted.predicate.margin();
  const double one = D == 3 ? 1 : stretch;
  const double none = D == 3 ? 0 : margin;
  return {_mm256_setr_pd(one, one, one, stretch), _mm256_setr_pd(none, none, none, margin),
          _mm_set1_epi32(static_cast<int>(sorted.fixed_count))};
}

// For each mask of four bits, where the pairs go that are set: two numbers each.
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

ABUT_INLINE __m256d cutoff4(__m256d radii, const ExactTestConstants& rules) {
  return _mm256_add_pd(_mm256_mul_pd(radii, rules.radius_scale), rules.margin);
}

// What the predicate finds of four candidates, summed in its order: dx² + dy² + dz² − reach².
ABUT_INLINE __m256d excess4(const SortedView<3>& sorted, const ExactTestConstants& rules,
                            const Index* i, const Index* j) {
  const auto squares = [&](std::size_t at) __attribute__((always_inline)) {
    const __m256d a = _mm256_loadu_pd(sorted.spheres[i[at]].data());
    const __m256d b = _mm256_loadu_pd(sorted.spheres[j[at]].data());
    const __m256d apart = _mm256_blend_pd(_mm256_sub_pd(a, b), _mm256_add_pd(a, b), 8);
    const __m256d with_reach = cutoff4(apart, rules);
    return _mm256_mul_pd(with_reach, with_reach);
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

ABUT_INLINE __m256d excess4(const SortedView<2>& sorted, const ExactTestConstants& rules,
                            const Index* i, const Index* j) {
  const auto squares = [&](std::size_t at) __attribute__((always_inline)) {
    const __m128d apart = _mm_sub_pd(_mm_loadu_pd(sorted.spheres[i[at]].data()),
                                     _mm_loadu_pd(sorted.spheres[j[at]].data()));
    return _mm_mul_pd(apart, apart);
  };
  const auto radii = [&](std::size_t at) __attribute__((always_inline)) {
    return sorted.spheres[i[at]][2] + sorted.spheres[j[at]][2];
  };
  const __m256d distance =
      _mm256_set_m128d(_mm_hadd_pd(squares(2), squares(3)), _mm_hadd_pd(squares(0), squares(1)));
  const __m256d reach = cutoff4(_mm256_setr_pd(radii(0), radii(1), radii(2), radii(3)), rules);
  return _mm256_sub_pd(distance, _mm256_mul_pd(reach, reach));
}

template <std::size_t D>
ABUT_INLINE unsigned contact_mask4(const SortedView<D>& sorted, const ExactTestConstants& rules,
                                   const Index* i, const Index* j) {
  return static_cast<unsigned>(_mm256_movemask_pd(
      _mm256_cmp_pd(excess4(sorted, rules, i, j), _mm256_setzero_pd(), _CMP_LE_OQ)));
}

template <std::size_t D>
ABUT_INLINE std::size_t append_contacts4(const SortedView<D>& sorted,
                                         const ExactTestConstants& rules, const Index* i,
                                         const Index* j, Pair* found) {
  const auto ids = [&](const Index* at) __attribute__((always_inline)) {
    return _mm_setr_epi32(static_cast<int>(sorted.id[at[0]]), static_cast<int>(sorted.id[at[1]]),
                          static_cast<int>(sorted.id[at[2]]), static_cast<int>(sorted.id[at[3]]));
  };
  const __m128i own = ids(i);
  const __m128i other = ids(j);
  const __m128i a = _mm_min_epu32(own, other);
  const __m128i b = _mm_max_epu32(own, other);
  const __m128i loose = _mm_cmpeq_epi32(_mm_max_epu32(b, rules.fixed_count), b);
  const unsigned mask = contact_mask4(sorted, rules, i, j) &
                        static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(loose)));
  const __m256i pairs = _mm256_set_m128i(_mm_unpackhi_epi32(a, b), _mm_unpacklo_epi32(a, b));
  const __m256i places =
      _mm256_load_si256(reinterpret_cast<const __m256i*>(pair_permutations[mask].data()));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(found),
                      _mm256_permutevar8x32_epi32(pairs, places));
  return static_cast<std::size_t>(__builtin_popcount(mask));
}

template <std::size_t D>
std::size_t test_range(const SortedView<D>& view, Index i, Index first, Index last, Pair* found) {
  const SortedView<D> sorted = view;
  const ExactTestConstants rules = exact_test_constants(sorted);
  const std::array<Index, 4> own{i, i, i, i};
  std::size_t kept = 0;
  for (; first + 4 <= last; first += 4) {
    const std::array<Index, 4> other{first, first + 1, first + 2, first + 3};
    kept += append_contacts4(sorted, rules, own.data(), other.data(), found + kept);
  }
  return kept + test_range_scalar(view, i, first, last, found + kept);
}

template <std::size_t D>
std::size_t test_all(const SortedView<D>& view, const Index* large, const Index* small,
                     std::size_t count, Pair* found) {
  const SortedView<D> sorted = view;
  const ExactTestConstants rules = exact_test_constants(sorted);
  std::size_t kept = 0;
  std::size_t at = 0;
  for (; at + 4 <= count; at += 4)
    kept += append_contacts4(sorted, rules, large + at, small + at, found + kept);
  return kept + test_scalar(view, large + at, small + at, count - at, found + kept);
}

// x, y, z and the reach to 32 bits each; of these the lower halves.
ABUT_INLINE std::uint64_t quantize4(__m256d centre, __m256d origin, __m256d scale, __m256d add) {
  const __m256d t = _mm256_mul_pd(_mm256_sub_pd(centre, origin), scale);
  const __m128i whole = _mm256_cvttpd_epi32(_mm256_add_pd(t, add));
  const __m128i low_halves = _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 0, 0, 0, 0, 0, 0, 0, 0);
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_shuffle_epi8(whole, low_halves)));
}

// In 2D there is a z of nothing, so that the reach comes last here too.
template <std::size_t D>
ABUT_INLINE __m256d to_vector(const SphereRecord<D>& of) {
  return _mm256_setr_pd(of[0], of[1], D == 3 ? of[2] : 0, of[D]);
}

template <std::size_t D>
void quantize_all(const Quantization<D>& packing, const SphereRecord<D>* centre, std::size_t count,
                  std::uint32_t* xy, std::uint32_t* zr) {
  const __m256d origin = to_vector<D>(packing.origin);
  const __m256d scale = to_vector<D>(packing.scale);
  const __m256d add = to_vector<D>(packing.offset);
  std::size_t i = 0;
  for (; packing.fits_int32 && i < count; ++i) {
    const std::uint64_t both = quantize4(to_vector<D>(centre[i]), origin, scale, add);
    xy[i] = static_cast<std::uint32_t>(both);
    zr[i] = static_cast<std::uint32_t>(both >> 32U);
  }
  quantize_scalar(packing, centre, i, count, xy, zr);
}
// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
