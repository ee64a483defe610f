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

// Difference modulo 2¹⁶.
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
    const std::int64_t cutoff = (own.zr >> 16U) + (zr[lane] >> 16U);
    mask |= static_cast<unsigned>(dx * dx + dy * dy + dz * dz < cutoff * (cutoff - 1)) << lane;
  }
  return mask;
}

inline unsigned low_bits(unsigned mask, Index count) { return mask & ((1U << count) - 1); }

inline void expand_mask(Index first, unsigned mask, Index* out) {
  for (std::size_t lane = 0; lane < 8; ++lane) out[lane] = first + lane_table[mask][lane];
}

inline void expand_offsets(const std::uint16_t* offsets, Index i, Index* out) {
  for (std::size_t lane = 0; lane < 8; ++lane) out[lane] = i + offsets[lane];
}

inline void fill8(Index value, Index* out) {
  for (std::size_t lane = 0; lane < 8; ++lane) out[lane] = value;
}

template <std::size_t D>
std::size_t test_all(const SortedView<D>& sorted, const Index* particles, const Index* candidates,
                     std::size_t count, Pair* pairs) {
  return test_scalar(sorted, particles, candidates, count, pairs);
}

template <std::size_t D>
std::size_t test_range(const SortedView<D>& sorted, Index i, Index first, Index last, Pair* pairs) {
  return test_range_scalar(sorted, i, first, last, pairs);
}

template <std::size_t D>
void quantize_all(const Quantization<D>& quantization, const SphereRecord<D>* spheres,
                  std::size_t count, std::uint32_t* xy, std::uint32_t* zr) {
  quantize_scalar(quantization, spheres, 0, count, xy, zr);
}

#include "engine/kernel.inl"

}  // namespace portable

// Not part of kernel.inl: functions of the standard library instantiated there would be compiled
// for AVX2 and shared with code that must run without it.
void CandidateList::append(std::span<const Index> particles, std::span<const Index> candidates) {
  const std::size_t old_size = index_offsets.size();
  const std::size_t new_size = old_size + candidates.size();
  if (new_size > index_offsets.capacity())
    index_offsets.reserve(new_size + new_size / 8);  // doubling would waste memory
  index_offsets.resize(new_size);
  std::uint32_t high_bits = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::uint32_t offset = candidates[i] - particles[i];
    index_offsets[old_size + i] = static_cast<std::uint16_t>(offset);
    high_bits |= offset >> 16U;
  }
  overflowed = overflowed || high_bits != 0;
}

void CandidateList::clear() {
  index_offsets.clear();
  overflowed = false;
}

void CandidateList::finish() { index_offsets.resize(index_offsets.size() + padding); }

template <std::size_t D>
const Kernels<D>& portable_kernels() {
  static constexpr Kernels<D> kernels{
      portable::quantize_all<D>, portable::search_level<D, PairSink>,
      portable::search_between_levels<D>, portable::search_level<D, CandidateList>,
      portable::test_candidate_list<D>};
  return kernels;
}

template const Kernels<2>& portable_kernels();
template const Kernels<3>& portable_kernels();

}  // namespace abut
