#include <bit>
#include <cmath>
#include <limits>

#include "walls/kernel.hpp"

#define ABUT_INLINE [[gnu::always_inline]] inline

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): required to load vectors
namespace abut {
namespace portable {
namespace {

using Float8 [[gnu::vector_size(32), gnu::may_alias]] = float;
using Mask8 = decltype(Float8{} < Float8{});
using Float4 [[gnu::vector_size(16), gnu::may_alias]] = float;
using Double4 [[gnu::vector_size(32)]] = double;
using Int4 [[gnu::vector_size(16)]] = std::int32_t;
using Long4 [[gnu::vector_size(32)]] = std::int64_t;
using Mask4 = decltype(Double4{} < Double4{});

template <class Lanes>
ABUT_INLINE unsigned mask_bits(const Lanes& lanes) {
  constexpr unsigned count = sizeof(lanes) / sizeof(lanes[0]);
  unsigned bits = 0;
  for (unsigned i = 0; i < count; ++i) bits |= (static_cast<unsigned>(lanes[i]) & 1U) << i;
  return bits;
}

ABUT_INLINE void load(const double* from, Double4& to) { __builtin_memcpy(&to, from, sizeof(to)); }

ABUT_INLINE void take_sqrt(Float8& lanes) {
  for (unsigned i = 0; i < 8; ++i) lanes[i] = std::sqrt(lanes[i]);
}

ABUT_INLINE void take_sqrt(Float4& lanes) {
  for (unsigned i = 0; i < 4; ++i) lanes[i] = std::sqrt(lanes[i]);
}

ABUT_INLINE void round_down(const Double4& values, Double4& rounded) {
  rounded = __builtin_convertvector(__builtin_convertvector(values, Int4), Double4);
}

ABUT_INLINE void take_max(const Double4& a, const Double4& b, Double4& larger) {
  larger = a > b ? a : b;
}

ABUT_INLINE void to_double(const Int4& from, Double4& to) {
  to = __builtin_convertvector(from, Double4);
}

#include "walls/kernel.inl"

}  // namespace
}  // namespace portable
// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

template <std::size_t D>
const WallKernels<D>& wall_kernels() {
  const WallKernels<D>* vectors = avx2_wall_kernels<D>();
  return vectors != nullptr ? *vectors : portable::kernel_table<D>;
}

template const WallKernels<2>& wall_kernels();
template const WallKernels<3>& wall_kernels();

}  // namespace abut
