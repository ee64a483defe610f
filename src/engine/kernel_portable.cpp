#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <string_view>

#include "engine/kernel.hpp"
#include "engine/kernel_tables.hpp"

#define ABUT_INLINE [[gnu::always_inline]] inline

namespace abut {
namespace portable {

struct Packed {
  std::uint32_t xy;
  std::uint32_t zr;
};

inline Packed pack(std::uint32_t xy, std::uint32_t zr) { return {xy, zr}; }

inline std::int32_t low(std::uint32_t pair) { return static_cast<std::int16_t>(pair); }
inline std::int32_t high(std::uint32_t pair) { return static_cast<std::int16_t>(pair >> 16U); }

// Two differences of 16 bits, modulo 2¹⁶ each, side by side.
inline std::int32_t difference(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::int16_t>(a - b);
}

inline unsigned near8(Packed own, const std::uint32_t* xy, const std::uint32_t* zr) {
  unsigned mask = 0;
  for (unsigned lane = 0; lane < 8; ++lane) {
    const std::int32_t dx = difference(own.xy, xy[lane]);
    const std::int32_t dy = difference(own.xy >> 16U, xy[lane] >> 16U);
    const std::int32_t dz = difference(own.zr, zr[lane]);
    const std::int32_t reach = high(own.zr) + high(zr[lane]);
    mask |= static_cast<unsigned>(dx * dx + dy * dy + dz * dz < reach * (reach - 1)) << lane;
  }
  return mask;
}

inline unsigned below(Index count) { return count < 8 ? (1U << count) - 1 : 0xFFU; }

inline void spread(Index first, unsigned mask, Index* to) {
  for (std::size_t lane = 0; lane < 8; ++lane) to[lane] = first + lanes_of[mask][lane];
}

inline void fill(Index value, Index* to) {
  for (std::size_t lane = 0; lane < 8; ++lane) to[lane] = value;
}

#include "engine/kernel.inl"

}  // namespace portable

template <std::size_t D>
const Kernels<D>& kernels_of_this_machine() {
  static constexpr Kernels<D> plain{portable::within<D>, portable::across<D>};
  const char* wish = std::getenv("ABUT_SIMD");
  if (wish != nullptr && std::string_view(wish) == "none") return plain;
  const Kernels<D>* vectors = avx2_kernels<D>();
  return vectors != nullptr ? *vectors : plain;
}

template const Kernels<2>& kernels_of_this_machine();
template const Kernels<3>& kernels_of_this_machine();

}  // namespace abut
