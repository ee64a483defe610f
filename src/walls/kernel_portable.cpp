#include <bit>
#include <cmath>
#include <limits>

#include "walls/kernel.hpp"

#define ABUT_INLINE [[gnu::always_inline]] inline

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): that is how vectors are loaded
namespace abut {
namespace portable {
namespace {

using Floats [[gnu::vector_size(32), gnu::may_alias]] = float;
using Bits = decltype(Floats{} < Floats{});
using FourFloats [[gnu::vector_size(16), gnu::may_alias]] = float;
using Doubles [[gnu::vector_size(32)]] = double;
using Wholes [[gnu::vector_size(16)]] = std::int32_t;
using FourWholes [[gnu::vector_size(32)]] = std::int64_t;
using FourBits = decltype(Doubles{} < Doubles{});

template <class Lanes>
ABUT_INLINE unsigned bits_of(const Lanes& lanes) {
  constexpr unsigned count = sizeof(lanes) / sizeof(lanes[0]);
  unsigned bits = 0;
  for (unsigned i = 0; i < count; ++i) bits |= (static_cast<unsigned>(lanes[i]) & 1U) << i;
  return bits;
}

ABUT_INLINE void load(const double* from, Doubles& to) { __builtin_memcpy(&to, from, sizeof(to)); }

ABUT_INLINE void root(Floats& lanes) {
  for (unsigned i = 0; i < 8; ++i) lanes[i] = std::sqrt(lanes[i]);
}

ABUT_INLINE void root(FourFloats& lanes) {
  for (unsigned i = 0; i < 4; ++i) lanes[i] = std::sqrt(lanes[i]);
}

ABUT_INLINE void round_down(const Doubles& at, Doubles& whole) {
  whole = __builtin_convertvector(__builtin_convertvector(at, Wholes), Doubles);
}

ABUT_INLINE void put_larger(const Doubles& a, const Doubles& b, Doubles& larger) {
  larger = a > b ? a : b;
}

ABUT_INLINE void widen(const Wholes& from, Doubles& to) {
  to = __builtin_convertvector(from, Doubles);
}

#include "walls/kernel.inl"

}  // namespace
}  // namespace portable
// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

template <std::size_t D>
const WallKernels<D>& wall_kernels() {
  const WallKernels<D>* vectors = avx2_wall_kernels<D>();
  return vectors != nullptr ? *vectors : portable::all<D>;
}

template const WallKernels<2>& wall_kernels();
template const WallKernels<3>& wall_kernels();

}  // namespace abut
