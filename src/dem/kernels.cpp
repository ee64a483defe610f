// The kernels of a time step, compiled for every instruction set; see core/simd.hpp.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dem/kernels.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <type_traits>
#include <utility>

#include "core/message.hpp"
#include "core/simd.hpp"
#include "dem/contact_block.hpp"
#include "dem/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace abut::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// The order matters: each file uses the previous ones. They have no include guards, since they are
// read once per instruction set.
// clang-format off
#include "dem/lanes.inl"
#include "dem/vector_lanes.inl"
#include "dem/contact_terms.inl"
#include "contact_law_files.inl"
#include "dem/contact_response.inl"
#include "dem/pair_forces.inl"
#include "dem/wall_forces.inl"
#include "dem/integrator.inl"
// clang-format on

template <class Normal, bool HasFriction, bool TrackEnergy>
StepKernels make_kernels() {
  return {pair_forces<Normal, HasFriction, TrackEnergy>,
          wall_forces<Normal, HasFriction, TrackEnergy>,
          static_plane_forces<Normal, HasFriction, TrackEnergy>, integrate};
}

template <class Normal>
StepKernels make_kernels(bool has_friction, bool track_energy) {
  if (has_friction)
    return track_energy ? make_kernels<Normal, true, true>() : make_kernels<Normal, true, false>();
  return track_energy ? make_kernels<Normal, false, true>() : make_kernels<Normal, false, false>();
}

StepKernels kernels_of_target(ContactLaw law, bool has_friction, bool track_energy) {
  return with_normal_law(law, [&](auto tag) {
    return make_kernels<typename decltype(tag)::Type>(has_friction, track_energy);
  });
}

}  // namespace
}  // namespace abut::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace abut {

HWY_EXPORT(kernels_of_target);

StepKernels step_kernels(ContactLaw law, bool has_friction, bool track_energy) {
  return ABUT_SIMD_DISPATCH(kernels_of_target)(law, has_friction, track_energy);
}

}  // namespace abut
#endif
