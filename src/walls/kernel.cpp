// The hot loops of a wall search, compiled for every instruction set; see core/simd.hpp.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "walls/kernel.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <tuple>

#include "core/simd.hpp"
#include "walls/kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace abut::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// The order matters. The files have no include guards, since they are read once per instruction
// set.
// clang-format off
#include "walls/kernel_lanes.inl"
#include "walls/kernel.inl"
// clang-format on

template <std::size_t D>
constexpr WallKernels<D> wall_kernel_table{load_block<D>, prefilter<D>,     refine<D>,
                                           bound_caps<D>, facets_within<D>, query_packets<D>};

std::tuple<const WallKernels<2>*, const WallKernels<3>*> wall_kernels_of_target() {
  return {&wall_kernel_table<2>, &wall_kernel_table<3>};
}

}  // namespace
}  // namespace abut::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace abut {

HWY_EXPORT(wall_kernels_of_target);

template <std::size_t D>
const WallKernels<D>& wall_kernels() {
  return *std::get<const WallKernels<D>*>(ABUT_SIMD_DISPATCH(wall_kernels_of_target)());
}

template const WallKernels<2>& wall_kernels();
template const WallKernels<3>& wall_kernels();

}  // namespace abut
#endif
