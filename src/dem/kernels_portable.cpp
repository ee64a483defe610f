#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/machine.hpp"
#include "dem/kernels.hpp"

#define ABUT_INLINE [[gnu::always_inline]] inline

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): loads and stores of unaligned vectors
namespace abut {
namespace {

using Lanes [[gnu::vector_size(32)]] = double;
using Mask = decltype(Lanes{} < Lanes{});

ABUT_INLINE Lanes square_root(const Lanes& lanes) {
  return Lanes{std::sqrt(lanes[0]), std::sqrt(lanes[1]), std::sqrt(lanes[2]), std::sqrt(lanes[3])};
}

// The order matters: each file uses the previous ones.
// clang-format off
#include "dem/lanes.inl"
#include "dem/contact_laws.inl"
#include "dem/pair_forces.inl"
#include "dem/wall_forces.inl"
#include "dem/integrator.inl"
// clang-format on

}  // namespace
// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

StepKernels step_kernels(ContactLaw law, bool has_friction, bool track_energy) {
  if (const auto fast = avx2_step_kernels(law, has_friction, track_energy)) return *fast;
  return law == ContactLaw::hooke ? make_kernels<Hooke>(has_friction, track_energy)
                                  : make_kernels<Hertz>(has_friction, track_energy);
}

}  // namespace abut
