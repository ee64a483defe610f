#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "engine/kernel.hpp"
#include "engine/pile.hpp"

#define ABUT_INLINE [[gnu::always_inline]] inline

namespace abut {
namespace portable {

struct Packed {
  std::uint32_t xy;
  std::uint32_t zr;
};

inline Packed pack(std::uint32_t xy, std::uint32_t zr) { return {xy, zr}; }

// A difference modulo 2¹⁶.
inline std::int64_t difference(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::int16_t>(a - b);
}

inline unsigned near8(Packed own, const std::uint32_t* xy, const std::uint32_t* zr) {
  unsigned mask = 0;
  for (unsigned lane = 0; lane < 8; ++lane) {
    const std::int64_t dx = difference(own.xy, xy[lane]);
    const std::int64_t dy = difference(own.xy >> 16U, xy[lane] >> 16U);
    const std::int64_t dz = difference(own.zr, zr[lane]);
    const std::int64_t reach = (own.zr >> 16U) + (zr[lane] >> 16U);
    mask |= static_cast<unsigned>(dx * dx + dy * dy + dz * dz < reach * (reach - 1)) << lane;
  }
  return mask;
}

inline unsigned lowest(unsigned mask, Index count) { return mask & ((1U << count) - 1); }

inline void spread(Index first, unsigned mask, Index* to) {
  for (std::size_t lane = 0; lane < 8; ++lane) to[lane] = first + lanes_of[mask][lane];
}

inline void widen(const std::uint16_t* later, Index i, Index* to) {
  for (std::size_t lane = 0; lane < 8; ++lane) to[lane] = i + later[lane];
}

inline void fill(Index value, Index* to) {
  for (std::size_t lane = 0; lane < 8; ++lane) to[lane] = value;
}

template <std::size_t D>
std::size_t judge_all(const SortedView<D>& sorted, const Index* large, const Index* small,
                      std::size_t count, Pair* found) {
  return judge_one_by_one(sorted, large, small, count, found);
}

template <std::size_t D>
std::size_t judge_run(const SortedView<D>& sorted, Index i, Index first, Index last, Pair* found) {
  return judge_each(sorted, i, first, last, found);
}

template <std::size_t D>
void pack_all(const Packing<D>& packing, const Centre<D>* centre, std::size_t count,
              std::uint32_t* xy, std::uint32_t* zr) {
  pack_one_by_one(packing, centre, 0, count, xy, zr);
}

#include "engine/kernel.inl"

}  // namespace portable

// Here, and not in the text that is compiled for each kind of machine: what the standard library
// makes of it is shared by all.
void Candidates::keep(std::span<const Index> large, std::span<const Index> small) {
  const std::size_t before = later.size();
  const std::size_t needed = before + small.size();
  if (needed > later.capacity()) later.reserve(needed + needed / 8);  // twice would be too much
  later.resize(needed);
  std::uint32_t high = 0;
  for (std::size_t i = 0; i < small.size(); ++i) {
    const std::uint32_t apart = small[i] - large[i];
    later[before + i] = static_cast<std::uint16_t>(apart);
    high |= apart >> 16U;
  }
  crowded = crowded || high != 0;
}

void Candidates::clear() {
  later.clear();
  crowded = false;
}

void Candidates::close() { later.resize(later.size() + padding); }

template <std::size_t D>
const Kernels<D>& kernels_of_this_machine() {
  static constexpr Kernels<D> plain{portable::pack_all<D>, portable::within<D, PairSink>,
                                    portable::across<D>, portable::within<D, Candidates>,
                                    portable::judge_kept<D>};
  const Kernels<D>* vectors = avx2_kernels<D>();
  return vectors != nullptr ? *vectors : plain;
}

template const Kernels<2>& kernels_of_this_machine();
template const Kernels<3>& kernels_of_this_machine();

}  // namespace abut
