#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/system_info.hpp"
#include "dem/kernels.hpp"

#define ABUT_INLINE [[gnu::always_inline]] inline

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): that is how vectors are loaded
namespace abut {
namespace {

using Lanes [[gnu::vector_size(32)]] = double;
using Mask = decltype(Lanes{} < Lanes{});

ABUT_INLINE Lanes square_root(const Lanes& lanes) {
  return Lanes{std::sqrt(lanes[0]), std::sqrt(lanes[1]), std::sqrt(lanes[2]), std::sqrt(lanes[3])};
}

// clang-format off: each needs the one before
#include "dem/pair_forces.inl"
#include "dem/integrator.inl"
// clang-format on

}  // namespace
// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

StepKernels step_kernels(ContactLaw law, bool rough, bool counts) {
  if (const auto fast = avx2_step_kernels(law, rough, counts)) return *fast;
  return law == ContactLaw::hooke ? make_kernels<Hooke>(rough, counts)
                                  : make_kernels<Hertz>(rough, counts);
}

}  // namespace abut
