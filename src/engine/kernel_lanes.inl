// SIMD types and operations of the inner loops: comparison of quantized particles, eight at a time,
// and the exact test. Included by kernel.cpp in the namespace of an instruction set.

#undef ABUT_ONE_VALUE
#define ABUT_ONE_VALUE (HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR)

/// One bit per lane.
template <class Tag>
HWY_INLINE unsigned mask_bits(Tag tag, hn::Mask<Tag> mask) {
  std::uint8_t bits = 0;
  hn::StoreMaskBits(tag, mask, &bits);
  return bits;
}

// ---- quantized particles

using QuantizedTag = hn::CappedTag<std::uint32_t, 8>;  // x, y or z, cutoff of as many particles
constexpr std::size_t quantized_lanes = hn::MaxLanes(QuantizedTag());

#if ABUT_ONE_VALUE

/// A particle that is compared with others.
struct QuantizedParticle {
  std::uint32_t xy;
  std::uint32_t zr;
};

HWY_INLINE QuantizedParticle broadcast(std::uint32_t xy, std::uint32_t zr) { return {xy, zr}; }

/// Bit of each of eight particles: whether it may touch `own`, that is dx² + dy² + dz² < s·(s − 1)
/// for the cutoff s.
HWY_INLINE unsigned candidate_mask8(QuantizedParticle own, const std::uint32_t* xy,
                                    const std::uint32_t* zr) {
  const auto difference = [](std::uint32_t a, std::uint32_t b) HWY_ATTR -> std::int64_t {
    return static_cast<std::int16_t>(a - b);  // modulo 2¹⁶
  };
  unsigned mask = 0;
  for (unsigned lane = 0; lane < 8; ++lane) {
    const std::int64_t dx = difference(own.xy, xy[lane]);
    const std::int64_t dy = difference(own.xy >> 16U, xy[lane] >> 16U);
    const std::int64_t dz = difference(own.zr, zr[lane]);
    const std::int64_t cutoff = (own.zr >> 16U) + (zr[lane] >> 16U);
    mask |= static_cast<unsigned>(dx * dx + dy * dy + dz * dz < cutoff * (cutoff - 1)) << lane;
  }
  return mask;
}

#else

/// A particle that is compared with others, in every lane.
struct QuantizedParticle {
  hn::Vec<hn::Repartition<std::int16_t, QuantizedTag> > xy, zr, invert_mask;
};

/// The half cutoff is negated, so that the subtraction in candidate_mask8 adds the two.
HWY_INLINE QuantizedParticle broadcast(std::uint32_t xy, std::uint32_t zr) {
  const QuantizedTag tag;
  const hn::Repartition<std::int16_t, QuantizedTag> half_tag;
  const std::uint32_t negated = (zr & 0xFFFFU) | (0U - (zr >> 16U)) << 16U;
  return {hn::BitCast(half_tag, hn::Set(tag, xy)), hn::BitCast(half_tag, hn::Set(tag, negated)),
          hn::BitCast(half_tag, hn::Set(tag, 0xFFFF0000U))};
}

/// Bit of each of eight particles: whether it may touch `own`, the sign of
/// dx² + dy² + dz² − s·(s − 1) for the cutoff s. Inverting the bits of −s gives s − 1.
HWY_INLINE unsigned candidate_mask8(QuantizedParticle own, const std::uint32_t* xy,
                                    const std::uint32_t* zr) {
  const QuantizedTag tag;
  const hn::Repartition<std::int16_t, QuantizedTag> half_tag;
  const hn::RebindToSigned<QuantizedTag> sum_tag;
  const auto zero = hn::Zero(sum_tag);
  unsigned mask = 0;
  for (std::size_t at = 0; at < 8; at += quantized_lanes) {
    const auto dx_dy = own.xy - hn::BitCast(half_tag, hn::LoadU(tag, xy + at));
    const auto dz_s = own.zr - hn::BitCast(half_tag, hn::LoadU(tag, zr + at));
    const auto inverted = hn::Xor(dz_s, own.invert_mask);
    auto odd = zero;
    auto even = hn::ReorderWidenMulAccumulate(sum_tag, dx_dy, dx_dy, zero, odd);
    even = hn::ReorderWidenMulAccumulate(sum_tag, dz_s, inverted, even, odd);
    const auto excess = hn::RearrangeToOddPlusEven(even, odd);
    mask |= mask_bits(sum_tag, hn::Lt(excess, zero)) << at;
  }
  return mask;
}

#endif

/// The lowest `count` ≤ 8 bits of a mask.
HWY_INLINE unsigned low_bits(unsigned mask, Index count) { return mask & ((1U << count) - 1); }

/// For each mask of eight bits, the positions of the set bits, ascending.
alignas(64) constexpr auto lane_table = [] {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    std::size_t count = 0;
    for (std::uint8_t lane = 0; lane < 8; ++lane)
      if ((mask >> lane & 1U) != 0) table[mask][count++] = lane;
  }
  return table;
}();

/// out[0 … 7] = value + numbers[0 … 7]
template <class Number>
HWY_INLINE void add_to_eight(Index value, const Number* numbers, Index* out) {
  const QuantizedTag tag;
  const hn::Rebind<Number, QuantizedTag> number_tag;
  for (std::size_t at = 0; at < 8; at += quantized_lanes)
    hn::StoreU(hn::Set(tag, value) + hn::PromoteTo(tag, hn::LoadU(number_tag, numbers + at)), tag,
               out + at);
}

/// out[0 … 7] = first + positions of the set bits
HWY_INLINE void expand_mask(Index first, unsigned mask, Index* out) {
  add_to_eight(first, lane_table[mask].data(), out);
}

/// out[0 … 7] = i + offsets[0 … 7]
HWY_INLINE void expand_offsets(const std::uint16_t* offsets, Index i, Index* out) {
  add_to_eight(i, offsets, out);
}

/// out[0 … 7] = value
HWY_INLINE void fill8(Index value, Index* out) {
  const QuantizedTag tag;
  for (std::size_t at = 0; at < 8; at += quantized_lanes)
    hn::StoreU(hn::Set(tag, value), tag, out + at);
}

// ---- the exact test

/// Writes the pair of the sorted particles i and j in canonical order; returns 1 if it is a contact
/// with at least one particle that is not fixed, else 0.
template <std::size_t D>
HWY_INLINE std::size_t write_pair(const SortedView<D>& sorted, Index i, Index j, Pair& pair) {
  const Index a = sorted.id[i];
  const Index b = sorted.id[j];
  const Index swap = (a ^ b) & (0U - static_cast<Index>(b < a));  // a branch would mispredict
  pair = {a ^ swap, b ^ swap};
  const auto touches =
      static_cast<std::size_t>(sorted.predicate.excess(sorted.spheres[i], sorted.spheres[j]) <= 0);
  return touches & static_cast<std::size_t>(pair.b >= sorted.fixed_count);
}

/// Tests `count` candidates and writes the pairs to `pairs`; returns their number. `pairs` needs
/// space for one more than that.
template <std::size_t D>
HWY_INLINE std::size_t test_one_by_one(const SortedView<D>& view, const Index* particles,
                                       const Index* candidates, std::size_t count, Pair* pairs) {
  const SortedView<D> sorted = view;  // a copy cannot alias the output
  std::size_t found = 0;
  for (std::size_t n = 0; n < count; ++n)
    found += write_pair(sorted, particles[n], candidates[n], pairs[found]);
  return found;
}

/// The same for the candidates first … last−1 of particle i.
template <std::size_t D>
HWY_INLINE std::size_t test_range_one_by_one(const SortedView<D>& view, Index i, Index first,
                                             Index last, Pair* pairs) {
  const SortedView<D> sorted = view;
  std::size_t found = 0;
  for (Index j = first; j < last; ++j) found += write_pair(sorted, i, j, pairs[found]);
  return found;
}

#if HWY_MAX_BYTES >= 32

// Four candidates at once.

using DoubleTag = hn::FixedTag<double, 4>;
using HalfDoubleTag = hn::FixedTag<double, 2>;
using Double4 = hn::Vec<DoubleTag>;
using IdTag = hn::FixedTag<Index, 4>;
using PairTag = hn::FixedTag<Index, 8>;
using Ids4 = hn::Vec<IdTag>;

// Not through an array: a vector that was just stored in parts is loaded slowly.
HWY_INLINE Double4 make_double4(double a, double b, double c, double d) {
  const HalfDoubleTag half;
  return hn::Combine(DoubleTag(), hn::InterleaveLower(hn::Set(half, c), hn::Set(half, d)),
                     hn::InterleaveLower(hn::Set(half, a), hn::Set(half, b)));
}

/// Two pairs of adjacent doubles.
HWY_INLINE Double4 load_halves(const double* low, const double* high) {
  const HalfDoubleTag half;
  return hn::Combine(DoubleTag(), hn::LoadU(half, high), hn::LoadU(half, low));
}

struct ExactTestConstants {
  Double4 radius_scale;
  Double4 margin;
  Double4 radius_sign;  // the sign bit of the radius
  Ids4 fixed_count;
};

/// In 3D a particle is one vector (x, y, z, r). Multiplying coordinates by 1 and adding 0 changes
/// nothing, so every number is rounded as in `ContactPredicate`.
template <std::size_t D>
HWY_INLINE ExactTestConstants exact_test_constants(const SortedView<D>& sorted) {
  const double scale = sorted.predicate.radius_scale();
  const double margin = sorted.predicate.margin();
  const double unit = D == 3 ? 1 : scale;
  const double zero = D == 3 ? 0 : margin;
  return {make_double4(unit, unit, unit, scale), make_double4(zero, zero, zero, margin),
          make_double4(0.0, 0.0, 0.0, -0.0), hn::Set(IdTag(), sorted.fixed_count)};
}

HWY_INLINE Double4 cutoff4(Double4 radii, const ExactTestConstants& constants) {
  return radii * constants.radius_scale + constants.margin;
}

/// (dx², dy², dz², cutoff²) of the particles a and b. Subtracting −r adds r.
HWY_INLINE Double4 squares_of(const SphereRecord<3>& a, const SphereRecord<3>& b,
                              const ExactTestConstants& constants) {
  const DoubleTag tag;
  const Double4 other = hn::Xor(hn::LoadU(tag, b.data()), constants.radius_sign);
  const Double4 scaled = cutoff4(hn::LoadU(tag, a.data()) - other, constants);
  return scaled * scaled;
}

/// `ContactPredicate::excess` of four candidates, summed in the same order:
/// dx² + dy² + dz² − cutoff².
HWY_INLINE Double4 excess4(const SortedView<3>& sorted, const ExactTestConstants& constants,
                           const Index* i, const Index* j) {
  const DoubleTag tag;
  const SphereRecord<3>* const spheres = sorted.spheres;
  const Double4 s0 = squares_of(spheres[i[0]], spheres[j[0]], constants);
  const Double4 s1 = squares_of(spheres[i[1]], spheres[j[1]], constants);
  const Double4 s2 = squares_of(spheres[i[2]], spheres[j[2]], constants);
  const Double4 s3 = squares_of(spheres[i[3]], spheres[j[3]], constants);
  const Double4 xz01 = hn::InterleaveLower(tag, s0, s1);  // x0 x1 z0 z1
  const Double4 yr01 = hn::InterleaveUpper(tag, s0, s1);
  const Double4 xz23 = hn::InterleaveLower(tag, s2, s3);
  const Double4 yr23 = hn::InterleaveUpper(tag, s2, s3);
  const Double4 x = hn::ConcatLowerLower(tag, xz23, xz01);
  const Double4 y = hn::ConcatLowerLower(tag, yr23, yr01);
  const Double4 z = hn::ConcatUpperUpper(tag, xz23, xz01);
  const Double4 r = hn::ConcatUpperUpper(tag, yr23, yr01);
  return x + y + z - r;
}

HWY_INLINE Double4 excess4(const SortedView<2>& sorted, const ExactTestConstants& constants,
                           const Index* i, const Index* j) {
  const DoubleTag tag;
  // Elements k and k + 1 of the particles m and n.
  const auto load = [&](const Index* at, std::size_t m, std::size_t n, std::size_t k) HWY_ATTR {
    return load_halves(&sorted.spheres[at[m]][k], &sorted.spheres[at[n]][k]);
  };
  const Double4 even = load(i, 0, 2, 0) - load(j, 0, 2, 0);  // dx0 dy0 dx2 dy2
  const Double4 odd = load(i, 1, 3, 0) - load(j, 1, 3, 0);
  const Double4 even_squares = even * even;
  const Double4 odd_squares = odd * odd;
  const Double4 distance = hn::InterleaveLower(tag, even_squares, odd_squares) +
                           hn::InterleaveUpper(tag, even_squares, odd_squares);
  const Double4 cutoff = cutoff4(hn::InterleaveUpper(tag, load(i, 0, 2, 1) + load(j, 0, 2, 1),
                                                     load(i, 1, 3, 1) + load(j, 1, 3, 1)),
                                 constants);
  return distance - cutoff * cutoff;
}

HWY_INLINE Ids4 gather_ids(const Index* id, const Index* at) {
  Ids4 ids = hn::Set(IdTag(), id[at[0]]);
  ids = hn::InsertLane(ids, 1, id[at[1]]);
  ids = hn::InsertLane(ids, 2, id[at[2]]);
  return hn::InsertLane(ids, 3, id[at[3]]);
}

/// For each mask of four bits, the permutation that moves the selected pairs to the front.
alignas(64) constexpr auto pair_permutations = [] {
  std::array<std::array<std::int32_t, 8>, 16> table{};
  for (unsigned mask = 0; mask < 16; ++mask) {
    std::size_t count = 0;
    for (std::int32_t pair = 0; pair < 4; ++pair)
      if ((mask >> static_cast<unsigned>(pair) & 1U) != 0) {
        table[mask][count++] = 2 * pair;
        table[mask][count++] = 2 * pair + 1;
      }
  }
  return table;
}();

/// Writes the pairs among four candidates to `out`, which needs space for four; returns their
/// number.
template <std::size_t D>
HWY_INLINE std::size_t append_contacts4(const SortedView<D>& sorted,
                                        const ExactTestConstants& constants, const Index* i,
                                        const Index* j, Pair* out) {
  const PairTag pair_tag;
  const Ids4 own = gather_ids(sorted.id, i);
  const Ids4 other = gather_ids(sorted.id, j);
  const Ids4 a = hn::Min(own, other);
  const Ids4 b = hn::Max(own, other);
  const auto not_fixed = hn::Eq(hn::Max(b, constants.fixed_count), b);
  const auto touches = hn::Le(excess4(sorted, constants, i, j), hn::Zero(DoubleTag()));
  const unsigned mask = mask_bits(DoubleTag(), touches) & mask_bits(IdTag(), not_fixed);
  const auto pairs =
      hn::Combine(pair_tag, hn::InterleaveUpper(IdTag(), a, b), hn::InterleaveLower(a, b));
  const auto order = hn::SetTableIndices(pair_tag, pair_permutations[mask].data());
  hn::StoreU(hn::TableLookupLanes(pairs, order), pair_tag, &out->a);
  return hwy::PopCount(mask);
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
  return found + test_range_one_by_one(view, i, first, last, pairs + found);
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
  return found + test_one_by_one(view, particles + at, candidates + at, count - at, pairs + found);
}

// ---- quantization

// Four particles at a time: D + 1 vectors of their consecutive numbers. Each number is quantized to
// 32 bits, of which the low half is kept.

/// For each of these vectors, the parameters of the numbers it holds.
template <std::size_t D>
struct QuantizationVectors {
  Double4 origin[D + 1];  // NOLINT(*-avoid-c-arrays): std::array would lose the alignment
  Double4 scale[D + 1];
  Double4 offset[D + 1];

  HWY_INLINE explicit QuantizationVectors(const Quantization<D>& from) {
    for (std::size_t m = 0; m <= D; ++m) {
      origin[m] = repeated(from.origin, 4 * m);
      scale[m] = repeated(from.scale, 4 * m);
      offset[m] = repeated(from.offset, 4 * m);
    }
  }

 private:
  HWY_INLINE static Double4 repeated(const SphereRecord<D>& record, std::size_t at) {
    constexpr std::size_t size = D + 1;
    return make_double4(record[at % size], record[(at + 1) % size], record[(at + 2) % size],
                        record[(at + 3) % size]);
  }
};

/// For each of these vectors, the bytes that it contributes to `xy` (Word = 0) or `zr` (Word = 1)
/// of the four particles; 128 gives 0.
template <std::size_t D, unsigned Word>
constexpr auto quantized_bytes = [] {
  std::array<std::array<std::uint8_t, 16>, D + 1> bytes{};
  for (auto& row : bytes) row.fill(128);
  for (std::size_t n = 0; n < 4 * (D + 1); ++n) {
    const std::size_t component = n % (D + 1);
    const std::size_t half = component == D ? 3 : component;  // x, y, z, r
    if (half / 2 != Word) continue;
    const std::size_t target = n / (D + 1) * 4 + half % 2 * 2;
    const auto source = static_cast<std::uint8_t>(n % 4 * 4);
    bytes[n / 4][target] = source;
    bytes[n / 4][target + 1] = source + 1;
  }
  return bytes;
}();

template <std::size_t D>
void quantize_all(const Quantization<D>& quantization, const SphereRecord<D>* spheres,
                  std::size_t count, std::uint32_t* xy, std::uint32_t* zr) {
  const hn::FixedTag<std::int32_t, 4> whole_tag;
  const hn::FixedTag<std::uint8_t, 16> byte_tag;
  const hn::FixedTag<std::uint32_t, 4> word_tag;
  const QuantizationVectors<D> vectors(quantization);
  std::size_t i = 0;
  for (; quantization.fits_int32 && i + 4 <= count; i += 4) {
    auto xy_bytes = hn::Zero(byte_tag);
    auto zr_bytes = hn::Zero(byte_tag);
    for (std::size_t m = 0; m <= D; ++m) {
      const Double4 numbers = hn::LoadU(DoubleTag(), spheres[i].data() + 4 * m);
      const auto whole = hn::BitCast(
          byte_tag, hn::DemoteTo(whole_tag, (numbers - vectors.origin[m]) * vectors.scale[m] +
                                                vectors.offset[m]));
      const auto part = [&](const std::array<std::uint8_t, 16>& bytes) HWY_ATTR {
        return hn::TableLookupBytesOr0(whole, hn::LoadU(byte_tag, bytes.data()));
      };
      xy_bytes = hn::Or(xy_bytes, part(quantized_bytes<D, 0>[m]));
      zr_bytes = hn::Or(zr_bytes, part(quantized_bytes<D, 1>[m]));
    }
    hn::StoreU(hn::BitCast(word_tag, xy_bytes), word_tag, xy + i);
    hn::StoreU(hn::BitCast(word_tag, zr_bytes), word_tag, zr + i);
  }
  quantize_scalar(quantization, spheres, i, count, xy, zr);
}

#else

template <std::size_t D>
std::size_t test_range(const SortedView<D>& view, Index i, Index first, Index last, Pair* pairs) {
  return test_range_one_by_one(view, i, first, last, pairs);
}

template <std::size_t D>
std::size_t test_all(const SortedView<D>& view, const Index* particles, const Index* candidates,
                     std::size_t count, Pair* pairs) {
  return test_one_by_one(view, particles, candidates, count, pairs);
}

template <std::size_t D>
void quantize_all(const Quantization<D>& quantization, const SphereRecord<D>* spheres,
                  std::size_t count, std::uint32_t* xy, std::uint32_t* zr) {
  quantize_scalar(quantization, spheres, 0, count, xy, zr);
}

#endif
