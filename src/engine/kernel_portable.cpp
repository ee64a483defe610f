#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "engine/kernel.hpp"

#define ABUT_INLINE [[gnu::always_inline]] inline

namespace abut {
namespace portable {

struct QuantizedParticle {
  std::uint32_t xy;
  std::uint32_t zr;
};

inline QuantizedParticle broadcast(std::uint32_t xy, std::uint32_t zr) { return {xy, zr}; }

// A difference modulo 2¹⁶.
inline std::int64_t modular_difference(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::int16_t>(a - b);
}

inline unsigned candidate_mask8(QuantizedParticle own, const std::uint32_t* xy,
                                const std::uint32_t* zr) {
  unsigned mask = 0;
  for (unsigned lane = 0; lane < 8; ++lane) {
    const std::int64_t dx = modular_difference(own.xy, xy[lane]);
    const std::int64_t dy = modular_difference(own.xy >> 16U, xy[lane] >> 16U);
    const std::int64_t dz = modular_difference(own.zr, zr[lane]);
    const std::int64_t reach = (own.zr >> 16U) + (zr[lane] >> 16U);
    mask |= static_cast<unsigned>(dx * dx + dy * dy + dz * dz < reach * (reach - 1)) << lane;
  }
  return mask;
}

inline unsigned low_bits(unsigned mask, Index count) { return mask & ((1U << count) - 1); }

inline void expand_mask(Index first, unsigned mask, Index* to) {
  for (std::size_t lane = 0; lane < 8; ++lane) to[lane] = first + lane_table[mask][lane];
}

inline void expand_offsets(const std::uint16_t* later, Index i, Index* to) {
  for (std::size_t lane = 0; lane < 8; ++lane) to[lane] = i + later[lane];
}

inline void fill8(Index value, Index* to) {
  for (std::size_t lane = 0; lane < 8; ++lane) to[lane] = value;
}

template <std::size_t D>
std::size_t test_all(const SortedView<D>& sorted, const Index* large, const Index* small,
                     std::size_t count, Pair* found) {
  return test_scalar(sorted, large, small, count, found);
}

template <std::size_t D>
std::size_t test_range(const SortedView<D>& sorted, Index i, Index first, Index last, Pair* found) {
  return test_range_scalar(sorted, i, first, last, found);
}

template <std::size_t D>
void quantize_all(const Quantization<D>& packing, const SphereRecord<D>* centre, std::size_t count,
                  std::uint32_t* xy, std::uint32_t* zr) {
  quantize_scalar(packing, centre, 0, count, xy, zr);
}

#include "engine/kernel.inl"

}  // namespace portable

// Here, and not in the text that is compiled for each kind of machine: what the standard library
// makes of it is shared by all.
void CandidateList::append(std::span<const Index> large, std::span<const Index> small) {
  const std::size_t before = index_offsets.size();
  const std::size_t needed = before + small.size();
  if (needed > index_offsets.capacity())
    index_offsets.reserve(needed + needed / 8);  // twice would be too much
  index_offsets.resize(needed);
  std::uint32_t high = 0;
  for (std::size_t i = 0; i < small.size(); ++i) {
    const std::uint32_t apart = small[i] - large[i];
    index_offsets[before + i] = static_cast<std::uint16_t>(apart);
    high |= apart >> 16U;
  }
  overflowed = overflowed || high != 0;
}

void CandidateList::clear() {
  index_offsets.clear();
  overflowed = false;
}

void CandidateList::finish() { index_offsets.resize(index_offsets.size() + padding); }

template <std::size_t D>
const Kernels<D>& select_kernels() {
  static constexpr Kernels<D> plain{portable::quantize_all<D>, portable::search_level<D, PairSink>,
                                    portable::search_between_levels<D>,
                                    portable::search_level<D, CandidateList>,
                                    portable::test_candidate_list<D>};
  const Kernels<D>* vectors = avx2_kernels<D>();
  return vectors != nullptr ? *vectors : plain;
}

template const Kernels<2>& select_kernels();
template const Kernels<3>& select_kernels();

}  // namespace abut
