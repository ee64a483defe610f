// The inner loops of the engine, compiled for every instruction set; see core/simd.hpp.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernel.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "core/simd.hpp"
#include "engine/kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace abut::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// The order matters. The files have no include guards, since they are read once per instruction
// set.
// clang-format off
#include "engine/kernel_lanes.inl"
#include "engine/kernel.inl"
// clang-format on

template <std::size_t D>
constexpr Kernels<D> kernel_table{quantize_all<D>, search_level<D, PairSink>,
                                  search_between_levels<D>, search_level<D, CandidateList>,
                                  test_candidate_list<D>};

std::tuple<const Kernels<2>*, const Kernels<3>*> kernels_of_target() {
  return {&kernel_table<2>, &kernel_table<3>};
}

}  // namespace
}  // namespace abut::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace abut {

HWY_EXPORT(kernels_of_target);

template <std::size_t D>
const Kernels<D>& select_kernels() {
  return *std::get<const Kernels<D>*>(ABUT_SIMD_DISPATCH(kernels_of_target)());
}

template const Kernels<2>& select_kernels();
template const Kernels<3>& select_kernels();

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

}  // namespace abut
#endif
