// The exact test and the packing of four numbers at once, for processors with AVX2.
// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): that is how vectors are loaded

// dx, dy, dz and the reach of a candidate. Multiplying by one and adding zero changes nothing, so
// every number is rounded as in the predicate.
ABUT_INLINE __m256d apart(const Centre<3>& a, const Centre<3>& b, __m256d stretch, __m256d margin) {
  const __m256d first = _mm256_loadu_pd(a.data());
  const __m256d second = _mm256_loadu_pd(b.data());
  const __m256d mixed =
      _mm256_blend_pd(_mm256_sub_pd(first, second), _mm256_add_pd(first, second), 8);
  return _mm256_add_pd(_mm256_mul_pd(mixed, stretch), margin);
}

struct Judge4 {
  __m256d stretch;
  __m256d margin;
  __m128i fixed;
};

// For each mask of four bits, where the pairs go that are set: two numbers each.
alignas(64) constexpr auto pairs_of = [] {
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

// Bits of those of four candidates whose excess, summed in the order of the predicate, is not above
// zero.
ABUT_INLINE unsigned touching(const SortedView<3>& sorted, const Judge4& rules, const Index* i,
                              const Index* j) {
  const auto squares = [&](std::size_t at) __attribute__((always_inline)) {
    const __m256d d =
        apart(sorted.centre[i[at]], sorted.centre[j[at]], rules.stretch, rules.margin);
    return _mm256_mul_pd(d, d);
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
  const __m256d excess = _mm256_sub_pd(_mm256_add_pd(_mm256_add_pd(x, y), z), r);
  return static_cast<unsigned>(
      _mm256_movemask_pd(_mm256_cmp_pd(excess, _mm256_setzero_pd(), _CMP_LE_OQ)));
}

ABUT_INLINE std::size_t keep_four(const SortedView<3>& sorted, const Judge4& rules, const Index* i,
                                  const Index* j, Pair* found) {
  const auto ids = [&](const Index* at) __attribute__((always_inline)) {
    return _mm_setr_epi32(static_cast<int>(sorted.id[at[0]]), static_cast<int>(sorted.id[at[1]]),
                          static_cast<int>(sorted.id[at[2]]), static_cast<int>(sorted.id[at[3]]));
  };
  const __m128i own = ids(i);
  const __m128i other = ids(j);
  const __m128i a = _mm_min_epu32(own, other);
  const __m128i b = _mm_max_epu32(own, other);
  const __m128i loose = _mm_cmpeq_epi32(_mm_max_epu32(b, rules.fixed), b);
  const unsigned mask = touching(sorted, rules, i, j) &
                        static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(loose)));
  const __m256i pairs = _mm256_set_m128i(_mm_unpackhi_epi32(a, b), _mm_unpacklo_epi32(a, b));
  const __m256i places = _mm256_load_si256(reinterpret_cast<const __m256i*>(pairs_of[mask].data()));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(found),
                      _mm256_permutevar8x32_epi32(pairs, places));
  return static_cast<std::size_t>(__builtin_popcount(mask));
}

ABUT_INLINE Judge4 rules_of(const SortedView<3>& sorted) {
  return {_mm256_setr_pd(1, 1, 1, sorted.reach.stretch()),
          _mm256_setr_pd(0, 0, 0, sorted.reach.margin()),
          _mm_set1_epi32(static_cast<int>(sorted.fixed))};
}

template <std::size_t D>
std::size_t judge_run(const SortedView<D>& view, Index i, Index first, Index last, Pair* found) {
  std::size_t kept = 0;
  if constexpr (D == 3) {
    const SortedView<3> sorted = view;
    const Judge4 rules = rules_of(sorted);
    const std::array<Index, 4> own{i, i, i, i};
    for (; first + 4 <= last; first += 4) {
      const std::array<Index, 4> other{first, first + 1, first + 2, first + 3};
      kept += keep_four(sorted, rules, own.data(), other.data(), found + kept);
    }
  }
  return kept + judge_each(view, i, first, last, found + kept);
}

template <std::size_t D>
std::size_t judge_all(const SortedView<D>& view, const Index* large, const Index* small,
                      std::size_t count, Pair* found) {
  std::size_t kept = 0;
  std::size_t at = 0;
  if constexpr (D == 3) {
    const SortedView<3> sorted = view;
    const Judge4 rules = rules_of(sorted);
    for (; at + 4 <= count; at += 4)
      kept += keep_four(sorted, rules, large + at, small + at, found + kept);
  }
  return kept + judge_one_by_one(view, large + at, small + at, count - at, found + kept);
}

template <std::size_t D>
void pack_all(const Packing<D>& packing, const Centre<D>* centre, std::size_t count,
              std::uint32_t* xy, std::uint32_t* zr) {
  std::size_t i = 0;
  if constexpr (D == 3) {
    const __m256d origin = _mm256_loadu_pd(packing.origin.data());
    const __m256d scale = _mm256_loadu_pd(packing.scale.data());
    const __m256d add = _mm256_loadu_pd(packing.add.data());
    const __m128i low_halves = _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 0, 0, 0, 0, 0, 0, 0, 0);
    for (; packing.small && i < count; ++i) {
      const __m256d t =
          _mm256_mul_pd(_mm256_sub_pd(_mm256_loadu_pd(centre[i].data()), origin), scale);
      const __m128i whole = _mm256_cvttpd_epi32(_mm256_add_pd(t, add));
      const auto packed =
          static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_shuffle_epi8(whole, low_halves)));
      xy[i] = static_cast<std::uint32_t>(packed);
      zr[i] = static_cast<std::uint32_t>(packed >> 32U);
    }
  }
  pack_one_by_one(packing, centre, i, count, xy, zr);
}
// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
