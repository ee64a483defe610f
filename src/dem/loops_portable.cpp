#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/processor.hpp"
#include "dem/loops.hpp"

#define ABUT_INLINE [[gnu::always_inline]] inline

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): that is how vectors are loaded
namespace abut {
namespace {

using Lanes [[gnu::vector_size(32)]] = double;
using Mask = decltype(Lanes{} < Lanes{});

ABUT_INLINE Lanes root(const Lanes& lanes) {
  return Lanes{std::sqrt(lanes[0]), std::sqrt(lanes[1]), std::sqrt(lanes[2]), std::sqrt(lanes[3])};
}

#include "dem/forces.inl"
#include "dem/motion.inl"

}  // namespace
// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

StepLoops step_loops(Law law, bool rough, bool counts) {
  if (const auto fast = avx2_step_loops(law, rough, counts)) return *fast;
  return law == Law::hooke ? loops_of<Hooke>(rough, counts) : loops_of<Hertz>(rough, counts);
}

}  // namespace abut
